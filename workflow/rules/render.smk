rule tables:
    input:
        unpack(rendered_from),
    output:
        md="<results>/tables/{experiment}.md",
        tex="<results>/tables/{experiment}.tex",
        full="<results>/tables/{experiment}_full.tex",
        csv="<results>/tables/{experiment}.csv",
        html=report(
            "<results>/tables/{experiment}.html",
            caption="../report/table.rst",
            category="Tables",
            labels=report_labels(),
        ),
    log:
        "<logs>/tables/{experiment}.log",
    benchmark:
        "<benchmarks>/tables/{experiment}.tsv"
    wildcard_constraints:
        experiment=any_of(plan.with_table(CATALOGUE)),
    conda:
        "../../envs/render.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        settings=lambda wildcards: given(PROJECT.table_job(current_catalogue(), wildcards.experiment)),
    message:
        "Table {wildcards.experiment}"
    script:
        "../scripts/tables.py"


rule figures:
    input:
        unpack(rendered_from),
    output:
        png="<results>/figures/{experiment}.png",
        pdf="<results>/figures/{experiment}.pdf",
        svg=report(
            "<results>/figures/{experiment}.svg",
            caption="../report/figure.rst",
            category="Figures",
            labels=report_labels(),
        ),
    log:
        "<logs>/figures/{experiment}.log",
    benchmark:
        "<benchmarks>/figures/{experiment}.tsv"
    wildcard_constraints:
        experiment=any_of(plan.with_figure(CATALOGUE)),
    conda:
        "../../envs/render.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        settings=lambda wildcards: given(PROJECT.figure_job(current_catalogue(), wildcards.experiment)),
    message:
        "Figure {wildcards.experiment}"
    script:
        "../scripts/figures.py"


rule fidelity:
    input:
        scores=scores_of_all,
        published=[path for experiment in PROJECT.scored for path in PROJECT.printed(experiment)],
        errata=[str(page) for page in [ROOT / "docs" / "reference" / "errata.md"] if page.is_file()],
    output:
        csv="<results>/fidelity.csv",
        md="<results>/fidelity.md",
        html=report(
            "<results>/fidelity.html",
            caption="../report/fidelity.rst",
            category="Fidelity",
            labels={"what": "every printed number next to the regenerated one"},
        ),
    log:
        "<logs>/fidelity.log",
    benchmark:
        "<benchmarks>/fidelity.tsv"
    conda:
        "../../envs/render.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        settings=lambda wildcards: given(PROJECT.fidelity_job(current_catalogue())),
    message:
        "Regenerated and published numbers"
    script:
        "../scripts/fidelity.py"


# For make settle: which cells and claims are undecided, why, and what further trials of them would take.
rule undecided:
    input:
        scores=scores_of_all,
        timings=timings_of_all,
        published=[path for experiment in PROJECT.scored for path in PROJECT.printed(experiment)],
    output:
        "<results>/undecided.csv",
    log:
        "<logs>/undecided.log",
    benchmark:
        "<benchmarks>/undecided.tsv"
    conda:
        "../../envs/render.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        settings=lambda wildcards: given(PROJECT.undecided_job(current_catalogue())),
    message:
        "What is undecided"
    script:
        "../scripts/undecided.py"


# The page links to its products, so these have to be there.
rule index:
    input:
        fidelity="<results>/fidelity.csv",
        page="<results>/fidelity.html",
        products=in_results(PROJECT.products(PROJECT.chosen)),
        beside=lambda wildcards: in_results(PROJECT.example_files(current_catalogue())),
    output:
        "<results>/index.html",
    log:
        "<logs>/index.log",
    benchmark:
        "<benchmarks>/index.tsv"
    conda:
        "../../envs/render.yaml"
    threads: 1
    resources:
        mem_mb=growing(500),
        runtime=growing(10),
    params:
        settings=lambda wildcards: given(PROJECT.index_job(current_catalogue(), kinseq.__version__, CHOICES)),
    message:
        "Front page of the results"
    script:
        "../scripts/index.py"
