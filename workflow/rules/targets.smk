rule all:
    input:
        "<results>/data.csv",
        "<results>/fidelity.md",
        [products(experiment) for experiment in chosen_experiments()],
        example_files(),


rule data:
    input:
        "<results>/data.csv",


# One target an experiment and one a chapter, named as in the documents: snakemake tab2_1, snakemake chapter2.
for _experiment in EXPERIMENTS:

    rule:
        name:
            _experiment
        input:
            products(_experiment),


for _chapter in sorted({entry["chapter"] for entry in EXPERIMENTS.values()}):

    rule:
        name:
            _chapter
        input:
            [products(name) for name, entry in EXPERIMENTS.items() if entry["chapter"] == _chapter],
