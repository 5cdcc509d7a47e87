rule distances:
    input:
        unpack(evidence_of),
        sequences=sequences_of,
    output:
        "<results>/distances/{dataset}/{models}/{measure}/{trials}.npz"
        if config["keep_distances"]
        else temp("<results>/distances/{dataset}/{models}/{measure}/{trials}.npz"),
    log:
        "<logs>/distances/{dataset}/{models}/{measure}/{trials}.log",
    benchmark:
        "<benchmarks>/distances/{dataset}/{models}/{measure}/{trials}.tsv"
    conda:
        "../../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=240,
    params:
        measures=measures_of,
        seed=SEED,
        code=code_of_measure,
    message:
        "{wildcards.measure} on {wildcards.dataset} with {wildcards.models}, trials {wildcards.trials}"
    script:
        "../scripts/distances.py"
