# One's own data where they are large: read in batches of files, the sample view by view, the others in shares. What the
# jobs leave is in a folder beside the page, and may be deleted when it is there.


rule own_files:
    output:
        infos=f"{OWN_PARTS}/infos.pkl",
        files=own_batches(f"{OWN_PARTS}/files/{{batch}}.pkl"),
    log:
        "<logs>/own/{name}_files.log",
    benchmark:
        "<benchmarks>/own/{name}_files.tsv"
    conda:
        "../../envs/own.yaml"
    threads: 1
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        reading=own_reading,
        stamp=own_stamp,
        number=OWN_CUT.number,
        code=code_of_reading,
    message:
        "Files of {wildcards.name}"
    script:
        "../scripts/own_files.py"


rule own_read:
    input:
        f"{OWN_PARTS}/files/{{batch}}.pkl",
    output:
        # To be updated: all batches are looked at when any file has changed, and those that hold are left as they are.
        answers=update(f"{OWN_PARTS}/read/{{batch}}.pkl"),
        key=update(f"{OWN_PARTS}/read/{{batch}}.key"),
    log:
        "<logs>/own/{name}_read_{batch}.log",
    benchmark:
        "<benchmarks>/own/{name}_read_{batch}.tsv"
    conda:
        "../../envs/own.yaml"
    threads: 1
    resources:
        mem_mb=own_growing("read"),
        runtime=growing(120),
    params:
        cache=lambda wildcards, output: str(Path(output.answers).parents[2] / ".features"),
        code=code_of_reading,
    message:
        "Batch {wildcards.batch} of the files of {wildcards.name}"
    script:
        "../scripts/own_read.py"


rule own_sample:
    input:
        infos=rules.own_files.output.infos,
        files=rules.own_files.output.files,
        read=own_batches(f"{OWN_PARTS}/read/{{batch}}.pkl") if OWN_CUT.one_each else [],
    output:
        sample=f"{OWN_PARTS}/sample.pkl",
        whole=f"{OWN_PARTS}/whole.pkl",
        rest=own_batches(f"{OWN_PARTS}/rest/{{batch}}.pkl"),
    log:
        "<logs>/own/{name}_sample.log",
    benchmark:
        "<benchmarks>/own/{name}_sample.tsv"
    conda:
        "../../envs/own.yaml"
    threads: 1
    resources:
        mem_mb=own_growing("sample"),
        runtime=growing(120),
    params:
        given=own_of,
        stamp=own_stamp,
        page=lambda wildcards, output: str(Path(output.sample).parents[1] / request.PAGE),
        seed=SEED,
        code=own_modules,
    message:
        "Sample of {wildcards.name}"
    script:
        "../scripts/own_sample.py"


rule own_view:
    input:
        rules.own_sample.output.sample,
    output:
        f"{OWN_PARTS}/views/{{view}}.pkl",
    log:
        "<logs>/own/{name}_view_{view}.log",
    benchmark:
        "<benchmarks>/own/{name}_view_{view}.tsv"
    conda:
        "../../envs/own.yaml"
    threads: 1
    resources:
        mem_mb=own_growing("view"),
        runtime=growing(60),
    params:
        code=own_modules,
    message:
        "{wildcards.view} of the sample of {wildcards.name}"
    script:
        "../scripts/own_view.py"


rule own_clusters:
    input:
        sample=rules.own_sample.output.sample,
        whole=rules.own_sample.output.whole,
        views=own_views,
    output:
        f"{OWN_PARTS}/clusters.pkl",
    log:
        "<logs>/own/{name}_clusters.log",
    benchmark:
        "<benchmarks>/own/{name}_clusters.tsv"
    conda:
        "../../envs/own.yaml"
    threads: 1
    resources:
        mem_mb=own_growing("clusters"),
        runtime=growing(60),
    params:
        command=own_command,
        code=own_modules,
    message:
        "Clusters of the sample of {wildcards.name}"
    script:
        "../scripts/own_clusters.py"


rule own_assign:
    input:
        found=rules.own_clusters.output,
        rest=f"{OWN_PARTS}/rest/{{batch}}.pkl",
    output:
        f"{OWN_PARTS}/assigned/{{batch}}.pkl",
    log:
        "<logs>/own/{name}_assign_{batch}.log",
    benchmark:
        "<benchmarks>/own/{name}_assign_{batch}.tsv"
    conda:
        "../../envs/own.yaml"
    threads: 1
    resources:
        mem_mb=own_growing("assign"),
        runtime=growing(120),
    params:
        code=own_modules,
    message:
        "Share {wildcards.batch} of the other sequences of {wildcards.name}"
    script:
        "../scripts/own_assign.py"


wildcard_constraints:
    batch=r"\d+",
    view=r"\w+",
