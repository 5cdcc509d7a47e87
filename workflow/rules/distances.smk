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
        settings=lambda wildcards: given(PROJECT.distances_job(wildcards.measures, wildcards.models, wildcards.trials)),
    message:
        "{wildcards.measures} on {wildcards.dataset} with {wildcards.models}, trials {wildcards.trials}"
    script:
        "../scripts/distances.py"
