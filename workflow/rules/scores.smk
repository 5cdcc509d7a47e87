rule scores:
    input:
        partitions=partitions_of,
        sequences=lambda wildcards: list(dict.fromkeys(drawn_of(wildcards))),
    output:
        # Not part of the report: at the scale of the thesis the tables of all trials would be three quarters of it.
        "<results>/scores/{experiment}.csv",
    log:
        "<logs>/scores/{experiment}.log",
    benchmark:
        "<benchmarks>/scores/{experiment}.tsv"
    conda:
        "../../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        points=lambda wildcards: [
            {"dataset": point.dataset, "trials": list(point.trials)} for point in points_of(wildcards.experiment)
        ],
        drawn=lambda wildcards: [list(dict.fromkeys(drawn_of(wildcards))).index(path) for path in drawn_of(wildcards)],
        seed=SEED,
        metrics=lambda wildcards: metrics_of(wildcards.experiment),
        code=lambda wildcards: code_with_metrics([wildcards.experiment], "kinseq.stages.scores"),
    message:
        "Scores of {wildcards.experiment}"
    script:
        "../scripts/scores.py"


rule timings:
    input:
        benchmarks_of,
    output:
        "<results>/timings/{experiment}.csv",
    log:
        "<logs>/timings/{experiment}.log",
    benchmark:
        "<benchmarks>/timings/{experiment}.tsv"
    conda:
        "../../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    message:
        "Timings of {wildcards.experiment}"
    script:
        "../scripts/timings.py"
