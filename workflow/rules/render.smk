rule tables:
    input:
        unpack(published_of),
        scores=rules.scores.output[0],
    output:
        md="<results>/tables/{experiment}.md",
        tex="<results>/tables/{experiment}.tex",
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
    conda:
        "../../envs/render.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        experiment=lambda wildcards: EXPERIMENTS[wildcards.experiment],
        labels=lambda wildcards: labels_of([wildcards.experiment]),
        unavailable=lambda wildcards: missing_of(wildcards.experiment),
        code=lambda wildcards: code_with_metrics(
            [wildcards.experiment], "kinseq.render.tables", "kinseq.evaluation.fidelity"
        ),
    message:
        "Table {wildcards.experiment}"
    script:
        "../scripts/tables.py"


rule figures:
    input:
        unpack(published_of),
        scores=rules.scores.output[0],
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
        experiment=any_of(name for name in EXPERIMENTS if kind_of(name) not in DIAGRAMS),
    conda:
        "../../envs/render.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        experiment=lambda wildcards: EXPERIMENTS[wildcards.experiment],
        labels=lambda wildcards: labels_of([wildcards.experiment]),
        missing=lambda wildcards: nothing_to_draw(wildcards.experiment),
        code=lambda wildcards: code_with_metrics([wildcards.experiment], "kinseq.stages.figures"),
    message:
        "Figure {wildcards.experiment}"
    script:
        "../scripts/figures.py"


rule diagrams:
    input:
        unpack(diagram_inputs),
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
        experiment=any_of(name for name in EXPERIMENTS if kind_of(name) in DIAGRAMS),
    conda:
        "../../envs/render.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        experiment=lambda wildcards: EXPERIMENTS[wildcards.experiment],
        missing=lambda wildcards: nothing_to_draw(wildcards.experiment),
        stand_ins=lambda wildcards: stand_ins_of(wildcards.experiment),
        labels=lambda wildcards: labels_of([wildcards.experiment]),
        point=lambda wildcards: point_of_diagram(wildcards.experiment),
        seed=SEED,
        code=code_of_diagram,
    message:
        "Diagram {wildcards.experiment}"
    script:
        "../scripts/diagrams.py"


rule costs:
    output:
        "<results>/costs/{experiment}.csv",
    log:
        "<logs>/costs/{experiment}.log",
    benchmark:
        "<benchmarks>/costs/{experiment}.tsv"
    conda:
        "../../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        render=lambda wildcards: EXPERIMENTS[wildcards.experiment]["render"],
        scale=SCALE,
        seed=SEED,
        code=fingerprint("kinseq.stages.costs"),
    message:
        "Processor time against the number of sequences"
    script:
        "../scripts/costs.py"


rule fidelity:
    input:
        scores=[f"<results>/scores/{experiment}.csv" for experiment in scored_experiments()],
        published=[
            str(CONFIG / "published" / f"{experiment}.csv")
            for experiment in scored_experiments()
            if has_printed_numbers(experiment)
        ],
        errata=[str(page) for page in [WORKFLOW.parent / "docs" / "errata.md"] if page.is_file()],
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
        mem_mb=1000,
        runtime=10,
    params:
        experiments=[EXPERIMENTS[experiment] for experiment in scored_experiments()],
        printed=[has_printed_numbers(experiment) for experiment in scored_experiments()],
        unavailable={experiment: missing_of(experiment) for experiment in scored_experiments()},
        labels=labels_of(scored_experiments()),
        code=code_with_metrics(
            scored_experiments(),
            "kinseq.render.fidelity",
            "kinseq.render.errata",
            "kinseq.evaluation.fidelity",
            "kinseq.evaluation.claims",
        ),
    message:
        "Regenerated beside published numbers"
    script:
        "../scripts/fidelity.py"
