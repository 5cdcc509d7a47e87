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
        arguments=lambda wildcards: [
            planned(wildcards).arguments(problem, split(wildcards.estimators)) for problem in split(wildcards.problems)
        ],
        trials=lambda wildcards: parse_trials(wildcards.trials),
        seed=SEED,
        code=lambda wildcards: PROJECT.code_of_estimates(wildcards.experiment, wildcards.problems, wildcards.estimators),
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
        metrics=lambda wildcards: plan.metrics(CATALOGUE, wildcards.experiment),
        seed=SEED,
        code=lambda wildcards: PROJECT.code_with_metrics([wildcards.experiment], "kinseq_documents.stages.estimates"),
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
        arguments=lambda wildcards: [planned(wildcards).arguments(problem) for problem in planned(wildcards).problems()],
        seed=SEED,
        code=lambda wildcards: PROJECT.code_of_times(wildcards.experiment),
    message:
        "Processor time of {wildcards.experiment}"
    script:
        "../scripts/times.py"
