rule drawings:
    input:
        unpack(drawn_of),
    output:
        arrays="<results>/figures/{experiment}.npz",
        png="<results>/figures/{experiment}.png",
        pdf="<results>/figures/{experiment}.pdf",
        svg=report(
            "<results>/figures/{experiment}.svg",
            caption="../report/figure.rst",
            category="Figures",
            labels={"experiment": "{experiment}"},
        ),
    log:
        "<logs>/drawings/{experiment}.log",
    benchmark:
        "<benchmarks>/drawings/{experiment}.tsv"
    wildcard_constraints:
        experiment=any_of(drawn_with(page=False)),
    conda:
        "../../envs/render.yaml"
    threads: 1
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        experiment=experiment_of,
        labels=lambda wildcards: plan.labels(CATALOGUE, [wildcards.experiment]),
        missing=lambda wildcards: plan.nothing_to_draw(CATALOGUE, wildcards.experiment),
        stand_ins=lambda wildcards: plan.stand_ins(CATALOGUE, wildcards.experiment),
        seed=SEED,
        code=lambda wildcards: fingerprint("kinseq.stages.drawings", *drawing.modules(experiment_of(wildcards))),
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
            caption="../report/figure.rst",
            category="Figures",
            labels={"experiment": "{experiment}"},
        ),
        page=report(
            "<results>/figures/{experiment}.html",
            caption="../report/figure.rst",
            category="Figures",
            labels={"experiment": "{experiment} (page)"},
        ),
    wildcard_constraints:
        experiment=any_of(drawn_with(page=True)),
    message:
        "Drawing and page {wildcards.experiment}"
