rule drawings:
    input:
        unpack(drawing_inputs_of),
    output:
        arrays="<results>/figures/{experiment}.npz",
        png="<results>/figures/{experiment}.png",
        pdf="<results>/figures/{experiment}.pdf",
        svg=report(
            "<results>/figures/{experiment}.svg",
            caption="../report/drawing.rst",
            category="Figures",
            labels={"experiment": "{experiment}"},
        ),
    log:
        "<logs>/drawings/{experiment}.log",
    benchmark:
        "<benchmarks>/drawings/{experiment}.tsv"
    wildcard_constraints:
        experiment=made_by("drawings"),
    # Most can start at once, and compile kernels that others would then compile at the same time.
    priority: 1
    conda:
        "../../envs/drawing.yaml"
    threads: 1
    resources:
        mem_mb=growing(1500),
        runtime=growing(20),
    params:
        drawings=lambda wildcards: drawing_settings([wildcards.experiment]),
        seed=SEED,
        code=lambda wildcards: code_of_drawings([wildcards.experiment]),
    message:
        "Drawing {wildcards.experiment}"
    script:
        "../scripts/drawings.py"


# A page as well, for what a figure cannot show.
use rule drawings as drawings_with_page with:
    output:
        arrays="<results>/figures/{experiment}.npz",
        png="<results>/figures/{experiment}.png",
        pdf="<results>/figures/{experiment}.pdf",
        svg=report(
            "<results>/figures/{experiment}.svg",
            caption="../report/drawing.rst",
            category="Figures",
            labels={"experiment": "{experiment}"},
        ),
        page=report(
            "<results>/figures/{experiment}.html",
            caption="../report/drawing.rst",
            category="Figures",
            labels={"experiment": "{experiment} (page)"},
        ),
    wildcard_constraints:
        experiment=made_by("drawings_with_page"),
    message:
        "Drawing and page {wildcards.experiment}"


# A table beside the figure, for numbers and words that a figure would only show.
use rule drawings as drawings_with_table with:
    output:
        arrays="<results>/figures/{experiment}.npz",
        png="<results>/figures/{experiment}.png",
        pdf="<results>/figures/{experiment}.pdf",
        svg=report(
            "<results>/figures/{experiment}.svg",
            caption="../report/drawing.rst",
            category="Figures",
            labels={"experiment": "{experiment}"},
        ),
        md="<results>/tables/{experiment}.md",
        tex="<results>/tables/{experiment}.tex",
        full="<results>/tables/{experiment}_full.tex",
        csv="<results>/tables/{experiment}.csv",
        html=report(
            "<results>/tables/{experiment}.html",
            caption="../report/drawing.rst",
            category="Tables",
            labels={"experiment": "{experiment}"},
        ),
    wildcard_constraints:
        experiment=made_by("drawings_with_table"),
    message:
        "Drawing and table {wildcards.experiment}"


# What is a table and nothing else.
use rule drawings as drawings_as_table with:
    output:
        arrays="<results>/figures/{experiment}.npz",
        md="<results>/tables/{experiment}.md",
        tex="<results>/tables/{experiment}.tex",
        full="<results>/tables/{experiment}_full.tex",
        csv="<results>/tables/{experiment}.csv",
        html=report(
            "<results>/tables/{experiment}.html",
            caption="../report/drawing.rst",
            category="Tables",
            labels={"experiment": "{experiment}"},
        ),
    wildcard_constraints:
        experiment=made_by("drawings_as_table"),
    message:
        "Table {wildcards.experiment}"


# Drawings that are computed from the same files, or from none, share a job: half of their time is imports.
for _job, _members in plan.made_together(CATALOGUE).items():

    rule:
        name:
            _job
        input:
            unpack(joint_drawing_inputs(_members)),
        output:
            arrays=[f"<results>/figures/{member}.npz" for member in _members],
            png=[f"<results>/figures/{member}.png" for member in _members],
            pdf=[f"<results>/figures/{member}.pdf" for member in _members],
            svg=[
                report(
                    f"<results>/figures/{member}.svg",
                    caption="../report/drawing.rst",
                    category="Figures",
                    labels={"experiment": member},
                )
                for member in _members
            ],
        log:
            f"<logs>/drawings/{_job}.log",
        benchmark:
            f"<benchmarks>/drawings/{_job}.tsv"
        priority: 1
        conda:
            "../../envs/drawing.yaml"
        threads: 1
        resources:
            mem_mb=growing(1500),
            runtime=growing(20),
        params:
            drawings=lambda wildcards, members=_members: drawing_settings(members),
            seed=SEED,
            code=lambda wildcards, members=_members: code_of_drawings(members),
        message:
            f"Drawing {', '.join(_members)}"
        script:
            "../scripts/drawings.py"
