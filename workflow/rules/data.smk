rule sequences:
    output:
        "<results>/sequences/{dataset}/{draw}.npz",
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
    params:
        entry=lambda wildcards: CATALOGUE.datasets[wildcards.dataset],
        stamp=lambda wildcards: stamp_of_held(wildcards.dataset),
        seed=SEED,
        code=code_of_loader,
    message:
        "Sequences of {wildcards.dataset}, draw {wildcards.draw}"
    script:
        "../scripts/sequences.py"


rule availability:
    output:
        "<results>/data.csv",
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
    params:
        datasets=CATALOGUE.datasets,
        available=AVAILABLE,
        folders={name: str(located(name) or "") for name in AVAILABLE if not generated(name)},
        code=fingerprint("kinseq.data.acquire"),
    message:
        "Look for the data sets, download what is missing"
    script:
        "../scripts/availability.py"
