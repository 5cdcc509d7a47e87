rule tables:
    input:
        unpack(rendered_of),
    output:
        md="<results>/tables/{experiment}.md",
        tex="<results>/tables/{experiment}.tex",
        full="<results>/tables/{experiment}_full.tex",
        csv="<results>/tables/{experiment}.csv",
        html=report(
            "<results>/tables/{experiment}.html",
            caption="../report/table.rst",
            category="Tables",
            labels={"experiment": "{experiment}"},
        ),
    log:
        "<logs>/tables/{experiment}.log",
    benchmark:
        "<benchmarks>/tables/{experiment}.tsv"
    wildcard_constraints:
        experiment=rendered_as(table=True, figure=False),
    conda:
        "../../envs/render.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        experiment=experiment_of,
        labels=lambda wildcards: plan.labels(CATALOGUE, [wildcards.experiment]),
        unavailable=lambda wildcards: plan.missing(current_catalogue(), wildcards.experiment),
        metrics=lambda wildcards: plan.metrics(CATALOGUE, wildcards.experiment),
        judged=lambda wildcards: sorted(planned(wildcards).judged()),
        sections=lambda wildcards: list(planned(wildcards).sections),
        missing=lambda wildcards: plan.nothing_to_draw(current_catalogue(), wildcards.experiment),
        stand_ins=lambda wildcards: plan.stand_ins(current_catalogue(), wildcards.experiment),
        code=lambda wildcards: code_with_metrics([wildcards.experiment], *RENDERERS),
    message:
        "Table {wildcards.experiment}"
    script:
        "../scripts/render.py"


use rule tables as figures with:
    output:
        png="<results>/figures/{experiment}.png",
        pdf="<results>/figures/{experiment}.pdf",
        svg=report(
            "<results>/figures/{experiment}.svg",
            caption="../report/figure.rst",
            category="Figures",
            labels={"experiment": "{experiment}"},
        ),
    log:
        "<logs>/figures/{experiment}.log",
    benchmark:
        "<benchmarks>/figures/{experiment}.tsv"
    wildcard_constraints:
        experiment=rendered_as(table=False, figure=True),
    message:
        "Figure {wildcards.experiment}"


# Both in one process, of which the imports are the most.
use rule tables as tables_and_figures with:
    output:
        md="<results>/tables/{experiment}.md",
        tex="<results>/tables/{experiment}.tex",
        full="<results>/tables/{experiment}_full.tex",
        csv="<results>/tables/{experiment}.csv",
        html=report(
            "<results>/tables/{experiment}.html",
            caption="../report/table.rst",
            category="Tables",
            labels={"experiment": "{experiment}"},
        ),
        png="<results>/figures/{experiment}.png",
        pdf="<results>/figures/{experiment}.pdf",
        svg=report(
            "<results>/figures/{experiment}.svg",
            caption="../report/figure.rst",
            category="Figures",
            labels={"experiment": "{experiment}"},
        ),
    wildcard_constraints:
        experiment=rendered_as(table=True, figure=True),
    message:
        "Table and figure {wildcards.experiment}"


rule fidelity:
    input:
        scores=scored_of,
        published=[path for experiment in SCORED for path in published_of(experiment)],
        errata=[str(page) for page in [ROOT / "docs" / "reference" / "errata.md"] if page.is_file()],
    output:
        csv="<results>/fidelity.csv",
        md="<results>/fidelity.md",
        html=report(
            "<results>/fidelity.html",
            caption="../report/fidelity.rst",
            category="Fidelity",
            labels={"what": "every printed number beside the regenerated one"},
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
        experiments=[CATALOGUE.experiments[experiment] for experiment in SCORED],
        printed=[bool(published_of(experiment)) for experiment in SCORED],
        unavailable=lambda wildcards: {
            experiment: plan.missing(current_catalogue(), experiment) for experiment in SCORED
        },
        labels=plan.labels(CATALOGUE, SCORED),
        decided_on=lambda wildcards: {
            experiment: plan.decided_on(current_catalogue(), experiment) for experiment in SCORED
        },
        code=code_with_metrics(
            SCORED,
            "kinseq_documents.rendering.fidelity",
            "kinseq_documents.rendering.errata",
            "kinseq_documents.evaluation.fidelity",
            "kinseq_documents.evaluation.claims",
        ),
    message:
        "Regenerated beside published numbers"
    script:
        "../scripts/fidelity.py"


# What it tells of has to be there, which is all that most of its input is for.
rule index:
    input:
        fidelity="<results>/fidelity.csv",
        page="<results>/fidelity.html",
        products=[in_results(plan.products(CATALOGUE, experiment)) for experiment in CHOSEN],
        beside=lambda wildcards: example_files(),
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
        listed=lambda wildcards: plan.listed(current_catalogue(), CHOSEN),
        settings=lambda wildcards: {
            "scale": config["scale"],
            "seed": SEED,
            "version": kinseq.__version__,
            "readings": plan.readings(CATALOGUE, CHOSEN),
            "choices": CHOICES.read_text(encoding="utf-8") if CHOICES.is_file() else "",
            "beside": [("Own data, an example", f"own/{EXAMPLE}/{request.PAGE}")] if example_files() else [],
        },
        code=fingerprint("kinseq_documents.rendering.index"),
        # No input, since that would be another file in another copy of the workflow.
        template=lambda wildcards: digest_of(DOCUMENTS / "kinseq_documents" / "rendering" / "index.html.jinja"),
    message:
        "Front page of the results"
    script:
        "../scripts/index.py"
