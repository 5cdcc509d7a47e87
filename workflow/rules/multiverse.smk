rule multiverse_matrices:
    input:
        sequences_of,
    output:
        "<results>/multiverse/{experiment}/{dataset}/{levels}/{trials}.npz",
        usage="<benchmarks>/multiverse/{experiment}/{dataset}/{levels}/{trials}.tsv",
    log:
        "<logs>/multiverse/{experiment}/{dataset}/{levels}/{trials}.log",
    conda:
        "../../envs/compute.yaml"
    threads: 1
    resources:
        mem_mb=growing(2500),
        runtime=growing(60),
    params:
        settings=lambda wildcards: given(
            PROJECT.multiverse_matrices_job(
                wildcards.experiment, wildcards.dataset, wildcards.levels, wildcards.trials
            )
        ),
    message:
        "Matrices of {wildcards.dataset} under {wildcards.levels}, trials {wildcards.trials}"
    script:
        "../scripts/multiverse_matrices.py"


rule multiverse_pass:
    input:
        sequences=sequences_of,
        matrices="<results>/multiverse/{experiment}/{dataset}/{levels}/{trials}.npz",
    output:
        "<results>/passes/{experiment}/{dataset}/{levels}/{trials}.npz",
        usage="<benchmarks>/passes/{experiment}/{dataset}/{levels}/{trials}.tsv",
    log:
        "<logs>/passes/{experiment}/{dataset}/{levels}/{trials}.log",
    conda:
        "../../envs/compute.yaml"
    threads: 1
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        settings=lambda wildcards: given(
            PROJECT.multiverse_pass_job(wildcards.experiment, wildcards.dataset, wildcards.trials)
        ),
    message:
        "Widths for {wildcards.dataset} under {wildcards.levels}, trials {wildcards.trials}"
    script:
        "../scripts/multiverse_pass.py"


rule all_readings:
    input:
        unpack(inputs_of),
        published=lambda wildcards: [
            path for name in PROJECT.planned(wildcards.experiment).printed_files() for path in PROJECT.printed(name)
        ],
    output:
        png="<results>/figures/{experiment}.png",
        pdf="<results>/figures/{experiment}.pdf",
        svg=report(
            "<results>/figures/{experiment}.svg",
            caption="../report/multiverse.rst",
            category="Figures",
            labels=report_labels(),
        ),
        cells_png="<results>/figures/{experiment}_cells.png",
        cells_pdf="<results>/figures/{experiment}_cells.pdf",
        cells_svg=report(
            "<results>/figures/{experiment}_cells.svg",
            caption="../report/multiverse.rst",
            category="Figures",
            labels=report_labels("cells"),
        ),
        md="<results>/tables/{experiment}.md",
        tex="<results>/tables/{experiment}.tex",
        full="<results>/tables/{experiment}_full.tex",
        csv="<results>/tables/{experiment}.csv",
        html=report(
            "<results>/tables/{experiment}.html",
            caption="../report/multiverse.rst",
            category="Tables",
            labels=report_labels(),
        ),
        readings="<results>/multiverse/{experiment}/readings.csv",
        cells="<results>/multiverse/{experiment}/cells.csv",
        held_out="<results>/multiverse/{experiment}/held_out.csv",
        effects="<results>/multiverse/{experiment}/effects.csv",
    log:
        "<logs>/multiverse/{experiment}.log",
    benchmark:
        "<benchmarks>/tables/{experiment}.tsv"
    wildcard_constraints:
        experiment=any_of(plan.experiments_of_rule(CATALOGUE, "all_readings")),
    conda:
        "../../envs/render.yaml"
    threads: 1
    resources:
        mem_mb=growing(2000),
        runtime=growing(20),
    params:
        settings=lambda wildcards: given(PROJECT.all_readings_job(current_catalogue(), wildcards.experiment)),
    message:
        "Readings of {wildcards.experiment}"
    script:
        "../scripts/multiverse.py"
