rule partitions:
    input:
        unpack(clustered_of),
    output:
        "<results>/partitions/{dataset}/{models}/{measures}/{clusterers}/{trials}.npz",
        usage="<benchmarks>/partitions/{dataset}/{models}/{measures}/{clusterers}/{trials}.tsv",
    log:
        "<logs>/partitions/{dataset}/{models}/{measures}/{clusterers}/{trials}.log",
    conda:
        "../../envs/compute.yaml"
    threads: 1
    resources:
        mem_mb=growing(2500),
        runtime=growing(60),
    params:
        measures=measures_of,
        clusterers=lambda wildcards: {name: CATALOGUE.clusterers[name] for name in split(wildcards.clusterers)},
        trials=lambda wildcards: parse_trials(wildcards.trials),
        seed=SEED,
        code=lambda wildcards: PROJECT.code_of_partitions(wildcards.measures, wildcards.clusterers),
    message:
        "Cluster {wildcards.dataset} by {wildcards.measures} with {wildcards.models}, trials {wildcards.trials}"
    script:
        "../scripts/partitions.py"
