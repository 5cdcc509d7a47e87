def products(experiment):
    """Every file that an experiment leaves."""
    return [
        f"<results>/scores/{experiment}.csv",
        f"<results>/timings/{experiment}.csv",
    ]


rule all:
    input:
        "<results>/data.csv",
        [products(experiment) for experiment in chosen_experiments()],
