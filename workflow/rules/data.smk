rule sequences:
    input:
        base_of,
    output:
        "<results>/sequences/{dataset}/{draw}.npz",
        usage="<benchmarks>/sequences/{dataset}/{draw}.tsv",
    log:
        "<logs>/sequences/{dataset}/{draw}.log",
    conda:
        "../../envs/data.yaml"
    threads: 1
    resources:
        mem_mb=growing(2500),
        runtime=growing(20),
    params:
        settings=lambda wildcards: given(checked_call(PROJECT.sequences_job, wildcards.dataset)),
    message:
        "Sequences of {wildcards.dataset}, draw {wildcards.draw}"
    script:
        "../scripts/sequences.py"


# Where snakemake itself runs: the nodes of a cluster seldom have a network.
localrules:
    availability,


# What is to be done follows from what it finds.
checkpoint availability:
    output:
        DATA,
    log:
        "<logs>/data.log",
    benchmark:
        "<benchmarks>/data.tsv"
    conda:
        "../../envs/data.yaml"
    threads: 1
    resources:
        mem_mb=growing(500),
        runtime=growing(120),
    params:
        settings=lambda wildcards: given(PROJECT.availability_job()),
    message:
        "Look for the data sets, download what is missing"
    script:
        "../scripts/availability.py"
