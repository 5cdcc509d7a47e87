rule own_example:
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
        code=fingerprint("kinseq_app.writers"),
    message:
        "The vowels as CSV files"
    script:
        "../scripts/own_example.py"


rule own_analysis:
    input:
        unpack(own_inputs),
    output:
        # To be updated, which is to say that a run that fails leaves those of an earlier one where they are.
        [update(f"<results>/own/{{name}}/{file}") for file in request.FILES if file != request.PAGE],
        page=report(
            update(f"<results>/own/{{name}}/{request.PAGE}"),
            caption="../report/own.rst",
            category="Your own data",
            labels={"name": "{name}"},
        ),
    log:
        "<logs>/own/{name}.log",
    benchmark:
        "<benchmarks>/own/{name}.tsv"
    conda:
        "../../envs/own.yaml"
    # The example is one job among many, which need not wait until two cores are free; no number depends on it.
    threads: lambda wildcards: 1 if wildcards.name == EXAMPLE else OWN_THREADS
    resources:
        mem_mb=own_memory,
        runtime=growing(120),
    params:
        settings=own_of,
        stamp=own_stamp,
        command=own_command,
        seed=own_seed,
        code=own_modules,
        templates=own_templates,
    message:
        "Clusters and page of {wildcards.name}"
    script:
        "../scripts/own.py"


rule fig_own:
    input:
        [f"<results>/own/{EXAMPLE}/{file}" for file in request.FILES],


rule own:
    input:
        [f"<results>/own/{OWN['name']}/{file}" for file in request.FILES] if OWN else [],


wildcard_constraints:
    name=r"\w[\w.-]*",
