from kinseq.cli.request import FILES

from kinseq_documents.project import EXAMPLE, EXAMPLE_DATA


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
        code=lambda wildcards: fingerprint("kinseq.readers.writers"),
    message:
        "The vowels as CSV files"
    script:
        "../scripts/example_data.py"


rule example:
    input:
        data=f"<results>/own/{EXAMPLE}/data",
    output:
        [f"<results>/own/{EXAMPLE}/{file}" for file in FILES],
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
        options=["-k", "9", "--name", EXAMPLE, "--seed", str(SEED)],
        # Found when the job is planned, since it takes seconds.
        code=lambda wildcards: PROJECT.code_of_example(),
        # What the page is written by that is no module.
        templates=digest_of(
            *sorted(
                path for path in (SOURCE / "kinseq" / "report").iterdir() if path.suffix in (".css", ".jinja", ".js")
            )
        ),
    message:
        "Clusters and page of the vowels"
    script:
        "../scripts/example.py"
