def partitions_of(wildcards):
    """Partition files of an experiment."""
    path = "<results>/partitions/{dataset}/{models}/{measure}/{clusterers}/{trials}.npz"
    return [path.format(**point.wildcards) for point in points_of(wildcards.experiment)]


def drawn_of(wildcards):
    """Files of sequences beside each partition file."""
    path = "<results>/sequences/{}/{}.npz"
    return [
        path.format(point.dataset, draw_of(point.dataset, point.wildcards["trials"]))
        for point in points_of(wildcards.experiment)
    ]


def benchmarks_of(wildcards):
    """Benchmark files of every job that an experiment needed."""
    found = []
    for point in points_of(wildcards.experiment):
        given = point.wildcards
        draw = draw_of(point.dataset, given["trials"])
        found.append(f"<benchmarks>/sequences/{point.dataset}/{draw}.tsv")
        stages = {"loglik": ["models", "loglik"], "bank": ["models"], "global": ["models"]}
        for stage in stages.get(plan.needs(CATALOGUE, point.measure), []):
            found.append(f"<benchmarks>/{stage}/{point.dataset}/{given['models']}/{given['trials']}.tsv")
        if stores_distances(point.dataset):
            found.append("<benchmarks>/distances/{dataset}/{models}/{measure}/{trials}.tsv".format(**given))
        found.append("<benchmarks>/partitions/{dataset}/{models}/{measure}/{clusterers}/{trials}.tsv".format(**given))
    return list(dict.fromkeys(found))


rule scores:
    input:
        partitions=partitions_of,
        sequences=lambda wildcards: list(dict.fromkeys(drawn_of(wildcards))),
    output:
        report(
            "<results>/scores/{experiment}.csv",
            caption="../report/scores.rst",
            category="Scores",
            labels={"experiment": "{experiment}", "what": "every trial"},
        ),
    params:
        points=lambda wildcards: [
            {"dataset": point.dataset, "measure": point.measure, "trials": list(point.trials)}
            for point in points_of(wildcards.experiment)
        ],
        drawn=lambda wildcards: [list(dict.fromkeys(drawn_of(wildcards))).index(path) for path in drawn_of(wildcards)],
        seed=SEED,
        code=fingerprint("kinseq.stages.scores"),
    log:
        "<logs>/scores/{experiment}.log",
    benchmark:
        "<benchmarks>/scores/{experiment}.tsv"
    conda:
        "../../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=30,
    message:
        "Scores of {wildcards.experiment}"
    script:
        "../scripts/scores.py"


rule timings:
    input:
        benchmarks_of,
    output:
        "<results>/timings/{experiment}.csv",
    log:
        "<logs>/timings/{experiment}.log",
    benchmark:
        "<benchmarks>/timings/{experiment}.tsv"
    conda:
        "../../envs/core.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    message:
        "Timings of {wildcards.experiment}"
    script:
        "../scripts/timings.py"
