# Matrices get a job and a file of their own where nothing clusters them, or where they are kept.
rule distances:
    input:
        unpack(needed_of),
    output:
        "<results>/distances/{dataset}/{models}/{measures}/{trials}.npz"
        if config["keep_distances"]
        else temp("<results>/distances/{dataset}/{models}/{measures}/{trials}.npz"),
        usage="<benchmarks>/distances/{dataset}/{models}/{measures}/{trials}.tsv",
    log:
        "<logs>/distances/{dataset}/{models}/{measures}/{trials}.log",
    conda:
        "../../envs/compute.yaml"
    threads: 1
    resources:
        mem_mb=growing(2500),
        runtime=growing(60),
    params:
        measures=measures_of,
        trials=lambda wildcards: parse_trials(wildcards.trials),
        seed=SEED,
        code=lambda wildcards: PROJECT.code_of_measures(wildcards.measures),
    message:
        "{wildcards.measures} on {wildcards.dataset} with {wildcards.models}, trials {wildcards.trials}"
    script:
        "../scripts/distances.py"
