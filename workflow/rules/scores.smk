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
        settings=lambda wildcards: given(PROJECT.scores_job(current_catalogue(), wildcards.experiment)),
    message:
        "Scores of {wildcards.experiment}"
    script:
        "../scripts/scores.py"
