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
        settings=lambda wildcards: given(
            PROJECT.partitions_job(wildcards.measures, wildcards.models, wildcards.clusterers, wildcards.trials)
        ),
    message:
        "Cluster {wildcards.dataset} by {wildcards.measures} with {wildcards.models}, trials {wildcards.trials}"
    script:
        "../scripts/partitions.py"
