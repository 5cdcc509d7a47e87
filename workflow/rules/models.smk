rule models:
    input:
        sequences_of,
    output:
        models="<results>/models/{dataset}/{models}/{trials}.npz",
        loglik="<results>/loglik/{dataset}/{models}/{trials}.npz",
        usage="<benchmarks>/models/{dataset}/{models}/{trials}.tsv",
    log:
        "<logs>/models/{dataset}/{models}/{trials}.log",
    conda:
        "../../envs/compute.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(60),
    params:
        settings=lambda wildcards: given(PROJECT.models_job(wildcards.models, wildcards.trials)),
    message:
        "Fit and score {wildcards.models} on {wildcards.dataset}, trials {wildcards.trials}"
    script:
        "../scripts/models.py"
