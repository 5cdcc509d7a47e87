LABELS = {
    **{name: entry["title"] for name, entry in CATALOGUE.datasets.items()},
    **{name: entry.get("label", name) for name, entry in CATALOGUE.models.items()},
    **{name: entry["label"] for name, entry in CATALOGUE.clusterers.items()},
    **{name: entry["label"] for name, entry in CATALOGUE.measures.items()},
    "true_labels": "true labels",
    "random_labels": "random labels",
    "control": "control",
}


def published_of(wildcards):
    """Printed numbers of an experiment; figures have none."""
    path = CONFIG / "published" / f"{wildcards.experiment}.csv"
    return {"published": str(path)} if path.is_file() else {}


def missing_of(experiment):
    """Data sets of an experiment that are not here, with the reason."""
    return {name: MISSING[name] for name in plan.datasets(CATALOGUE, experiment) if name in MISSING}


def draws_a_figure(experiment):
    """Whether an experiment is rendered as a figure, alone or beside a table."""
    render = EXPERIMENTS[experiment].get("render", {})
    return render.get("kind") == "curves" or "strip" in render


rule tables:
    input:
        unpack(published_of),
        scores=rules.scores.output[0],
    output:
        md="<results>/tables/{experiment}.md",
        tex="<results>/tables/{experiment}.tex",
        csv=report(
            "<results>/tables/{experiment}.csv",
            caption="../report/table.rst",
            category="Tables",
            labels={"experiment": "{experiment}"},
        ),
    params:
        experiment=lambda wildcards: EXPERIMENTS[wildcards.experiment],
        labels=LABELS,
        unavailable=lambda wildcards: missing_of(wildcards.experiment),
        code=fingerprint("kinseq.render.tables", "kinseq.evaluation.fidelity"),
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
    params:
        experiment=lambda wildcards: EXPERIMENTS[wildcards.experiment],
        labels=LABELS,
        code=fingerprint("kinseq.render.figures", "kinseq.evaluation.fidelity"),
    log:
        "<logs>/figures/{experiment}.log",
    benchmark:
        "<benchmarks>/figures/{experiment}.tsv"
    conda:
        "../../envs/render.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    message:
        "Figure {wildcards.experiment}"
    script:
        "../scripts/figures.py"


def has_printed_numbers(experiment):
    """Whether the documents print numbers for an experiment."""
    return (CONFIG / "published" / f"{experiment}.csv").is_file()


rule fidelity:
    input:
        scores=[f"<results>/scores/{experiment}.csv" for experiment in chosen_experiments()],
        published=[
            str(CONFIG / "published" / f"{experiment}.csv")
            for experiment in chosen_experiments()
            if has_printed_numbers(experiment)
        ],
    output:
        csv="<results>/fidelity.csv",
        md="<results>/fidelity.md",
        html=report(
            "<results>/fidelity.html",
            caption="../report/fidelity.rst",
            category="Fidelity",
            labels={"what": "every printed number beside the regenerated one"},
        ),
    params:
        experiments=[EXPERIMENTS[experiment] for experiment in chosen_experiments()],
        printed=[has_printed_numbers(experiment) for experiment in chosen_experiments()],
        unavailable={experiment: missing_of(experiment) for experiment in chosen_experiments()},
        labels=LABELS,
        code=fingerprint("kinseq.render.fidelity", "kinseq.evaluation.fidelity", "kinseq.evaluation.claims"),
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
    message:
        "Regenerated beside published numbers"
    script:
        "../scripts/fidelity.py"
