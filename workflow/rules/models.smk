rule models:
    input:
        sequences_of,
    output:
        "<results>/models/{dataset}/{models}/{trials}.npz",
    log:
        "<logs>/models/{dataset}/{models}/{trials}.log",
    benchmark:
        "<benchmarks>/models/{dataset}/{models}/{trials}.tsv"
    conda:
        "../../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=240,
    params:
        specs=lambda wildcards: {name: CATALOGUE.models[name] for name in wildcards.models.split("+")},
        seed=SEED,
        code=code_of_models,
    message:
        "Fit {wildcards.models} on {wildcards.dataset}, trials {wildcards.trials}"
    script:
        "../scripts/models.py"


rule loglik:
    input:
        sequences=sequences_of,
        models=rules.models.output[0],
    output:
        "<results>/loglik/{dataset}/{models}/{trials}.npz",
    log:
        "<logs>/loglik/{dataset}/{models}/{trials}.log",
    benchmark:
        "<benchmarks>/loglik/{dataset}/{models}/{trials}.tsv"
    conda:
        "../../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=240,
    params:
        code=fingerprint("kinseq.stages.loglik"),
    message:
        "Score {wildcards.dataset} under {wildcards.models}, trials {wildcards.trials}"
    script:
        "../scripts/loglik.py"
