rule partitions:
    input:
        unpack(matrices_of),
    output:
        "<results>/partitions/{dataset}/{models}/{measure}/{clusterers}/{trials}.npz",
    log:
        "<logs>/partitions/{dataset}/{models}/{measure}/{clusterers}/{trials}.log",
    benchmark:
        "<benchmarks>/partitions/{dataset}/{models}/{measure}/{clusterers}/{trials}.tsv"
    conda:
        "../../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=240,
    params:
        measures=measures_of,
        clusterers=lambda wildcards: {name: CATALOGUE.clusterers[name] for name in wildcards.clusterers.split("+")},
        seed=SEED,
        code=code_of_partitions,
    message:
        "Cluster {wildcards.dataset} by {wildcards.measure} with {wildcards.models}, trials {wildcards.trials}"
    script:
        "../scripts/partitions.py"
