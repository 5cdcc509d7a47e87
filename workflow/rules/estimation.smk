rule estimates:
    output:
        "<results>/estimates/{experiment}/{problems}/{estimators}/{trials}.csv",
        usage="<benchmarks>/estimates/{experiment}/{problems}/{estimators}/{trials}.tsv",
    log:
        "<logs>/estimates/{experiment}/{problems}/{estimators}/{trials}.log",
    conda:
        "../../envs/compute.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(60),
    params:
        settings=lambda wildcards: given(
            PROJECT.estimates_job(wildcards.experiment, wildcards.problems, wildcards.estimators, wildcards.trials)
        ),
    message:
        "{wildcards.estimators} on {wildcards.problems}, trials {wildcards.trials}"
    script:
        "../scripts/estimates.py"


rule estimation_scores:
    input:
        unpack(inputs_of),
        usage=usage_of,
    output:
        scores="<results>/scores/{experiment}.csv",
        estimates="<results>/estimates/{experiment}.csv",
        timings="<results>/timings/{experiment}.csv",
    log:
        "<logs>/scores/{experiment}.log",
    benchmark:
        "<benchmarks>/scores/{experiment}.tsv"
    wildcard_constraints:
        experiment=any_of(plan.experiments_of_rule(CATALOGUE, "estimation_scores")),
    conda:
        "../../envs/compute.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        settings=lambda wildcards: given(PROJECT.estimation_scores_job(wildcards.experiment)),
    message:
        "Scores of {wildcards.experiment}"
    script:
        "../scripts/estimation_scores.py"


rule times:
    output:
        "<results>/timings/{experiment}.csv",
    log:
        "<logs>/timings/{experiment}.log",
    benchmark:
        "<benchmarks>/timings/{experiment}.tsv"
    wildcard_constraints:
        experiment=any_of(plan.experiments_of_rule(CATALOGUE, "times")),
    conda:
        "../../envs/compute.yaml"
    threads: 1
    resources:
        mem_mb=growing(2500),
        runtime=growing(30),
    params:
        settings=lambda wildcards: given(PROJECT.times_job(wildcards.experiment)),
    message:
        "Processor time of {wildcards.experiment}"
    script:
        "../scripts/times.py"
