rule scores:
    input:
        unpack(inputs_of),
        usage=usage_of,
    output:
        # Not part of the report: at the scale of the thesis the tables of all trials would be three quarters of it.
        scores="<results>/scores/{experiment}.csv",
        timings="<results>/timings/{experiment}.csv",
    log:
        "<logs>/scores/{experiment}.log",
    benchmark:
        "<benchmarks>/scores/{experiment}.tsv"
    wildcard_constraints:
        experiment=any_of(plan.experiments_of_rule(CATALOGUE, "scores")),
    conda:
        "../../envs/compute.yaml"
    threads: 1
    resources:
        mem_mb=growing(1500),
        runtime=growing(20),
    params:
        jobs=lambda wildcards: planned_on_data(wildcards).scored_jobs(),
        metrics=lambda wildcards: plan.metrics(CATALOGUE, wildcards.experiment),
        seed=SEED,
        code=lambda wildcards: PROJECT.code_with_metrics([wildcards.experiment], "kinseq_documents.stages.scores"),
    message:
        "Scores of {wildcards.experiment}"
    script:
        "../scripts/scores.py"
