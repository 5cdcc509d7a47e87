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
        experiment=experiment_of,
        labels=lambda wildcards: plan.labels(CATALOGUE, [wildcards.experiment]),
        unavailable=lambda wildcards: plan.missing(current_catalogue(), wildcards.experiment),
        metrics=lambda wildcards: plan.metrics(CATALOGUE, wildcards.experiment),
        judged=lambda wildcards: sorted(planned(wildcards).judged()),
        sections=lambda wildcards: list(planned(wildcards).sections),
        missing=lambda wildcards: plan.nothing_to_draw(current_catalogue(), wildcards.experiment),
        code=lambda wildcards: PROJECT.code_with_metrics([wildcards.experiment], "kinseq_documents.stages.tables"),
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
        experiment=experiment_of,
        labels=lambda wildcards: plan.labels(CATALOGUE, [wildcards.experiment]),
        judged=lambda wildcards: sorted(planned(wildcards).judged()),
        missing=lambda wildcards: plan.nothing_to_draw(current_catalogue(), wildcards.experiment),
        stand_ins=lambda wildcards: plan.stand_ins(current_catalogue(), wildcards.experiment),
        code=lambda wildcards: PROJECT.code_with_metrics([wildcards.experiment], "kinseq_documents.stages.figures"),
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
        experiments=[CATALOGUE.experiments[experiment] for experiment in PROJECT.scored],
        printed=[bool(PROJECT.printed(experiment)) for experiment in PROJECT.scored],
        unavailable=lambda wildcards: {
            experiment: plan.missing(current_catalogue(), experiment) for experiment in PROJECT.scored
        },
        labels=plan.labels(CATALOGUE, PROJECT.scored),
        decided_on=lambda wildcards: {
            experiment: plan.decided_on(current_catalogue(), experiment, PROJECT.in_print)
            for experiment in PROJECT.scored
        },
        code=lambda wildcards: PROJECT.code_with_metrics(
            PROJECT.scored,
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
        listed=lambda wildcards: plan.listed(current_catalogue(), PROJECT.chosen),
        settings=lambda wildcards: {
            "scale": config["scale"],
            "seed": SEED,
            "version": kinseq.__version__,
            "readings": plan.readings(CATALOGUE, PROJECT.chosen),
            "choices": CHOICES.read_text(encoding="utf-8") if CHOICES.is_file() else "",
            "beside": [
                ("Own data, an example", page)
                for page in PROJECT.example_files(current_catalogue())
                if page.endswith(".html")
            ],
        },
        code=lambda wildcards: fingerprint("kinseq_documents.rendering.index"),
        # No input, since that would be another file in another copy of the workflow.
        template=lambda wildcards: digest_of(WORKFLOW / "kinseq_documents" / "rendering" / "index.html.jinja"),
    message:
        "Front page of the results"
    script:
        "../scripts/index.py"
