def products(experiment):
    """Every file that an experiment leaves."""
    files = [f"<results>/scores/{experiment}.csv", f"<results>/timings/{experiment}.csv"]
    files += [f"<results>/tables/{experiment}.{ending}" for ending in ("csv", "md", "tex")]
    if draws_a_figure(experiment):
        files += [f"<results>/figures/{experiment}.{ending}" for ending in ("svg", "png", "pdf")]
    return files


rule all:
    input:
        "<results>/data.csv",
        "<results>/fidelity.md",
        [products(experiment) for experiment in chosen_experiments()],


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
