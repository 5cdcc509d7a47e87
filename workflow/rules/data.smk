rule sequences:
    output:
        "<results>/sequences/{dataset}/{draw}.npz",
    params:
        entry=lambda wildcards: CATALOGUE.datasets[wildcards.dataset],
        seed=SEED,
        code=code_of_loader,
    log:
        "<logs>/sequences/{dataset}/{draw}.log",
    benchmark:
        "<benchmarks>/sequences/{dataset}/{draw}.tsv"
    conda:
        "../../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    message:
        "Sequences of {wildcards.dataset}, draw {wildcards.draw}"
    script:
        "../scripts/sequences.py"


rule availability:
    output:
        "<results>/data.csv",
    params:
        datasets=CATALOGUE.datasets,
        available=AVAILABLE,
        code=fingerprint("kinseq.data.acquire"),
    log:
        "<logs>/data.log",
    benchmark:
        "<benchmarks>/data.tsv"
    conda:
        "../../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=120,
    message:
        "Look for the data sets, download what is missing"
    script:
        "../scripts/availability.py"
