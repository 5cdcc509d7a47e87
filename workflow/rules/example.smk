from kinseq_documents.project import EXAMPLE, EXAMPLE_DATA, EXAMPLE_FILES


rule example_data:
    input:
        f"<results>/sequences/{EXAMPLE_DATA}/all.npz",
    output:
        directory(f"<results>/own/{EXAMPLE}/data"),
    log:
        "<logs>/own/vowels_data.log",
    benchmark:
        "<benchmarks>/own/vowels_data.tsv"
    conda:
        "../../envs/data.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        settings=lambda wildcards: given(PROJECT.example_data_job()),
    message:
        "The vowels as CSV files"
    script:
        "../scripts/example_data.py"


rule example:
    input:
        data=f"<results>/own/{EXAMPLE}/data",
    output:
        [f"<results>/own/{EXAMPLE}/{file}" for file in EXAMPLE_FILES],
    log:
        f"<logs>/own/{EXAMPLE}.log",
    benchmark:
        f"<benchmarks>/own/{EXAMPLE}.tsv"
    conda:
        "../../envs/own.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        # Found when the job is planned, since it takes seconds.
        settings=lambda wildcards: given(PROJECT.example_job()),
    message:
        "Clusters and page of the vowels"
    script:
        "../scripts/example.py"
