"""Draw a figure that is not drawn from scores."""

from pathlib import Path

import pandas as pd
from kinseq import plan
from kinseq.evaluation import summary
from kinseq.jobs import job
from kinseq.render import diagrams, figures
from kinseq.stages import diagrams as stage
from kinseq.stages import distances, partitions
from kinseq.store import read_sequences

with job(snakemake.log[0], Path(snakemake.scriptdir).parent):
    given, params = snakemake.input, snakemake.params
    render = params.experiment["render"]
    if params.missing:
        figure = figures.not_available(params.experiment, params.missing, params.labels)
    elif render["kind"] == "costs":
        figure = diagrams.costs(pd.read_csv(given.costs))
    elif render["kind"] == "scatter":
        figure = diagrams.scatter(summary.read_scores(given.scores), render, params.experiment["metric"], params.labels)
    elif render["kind"] == "hinton":
        files = zip(given.sequences, given.partitions, strict=True)
        names = list(render["names"])
        tables = [stage.confusion_over_trials(*read_sequences(s), partitions.read(p), names) for s, p in files]
        figure = diagrams.hinton(sum(tables), list(render["names"].values()))
    elif render["kind"] == "samples":
        sequences, _ = read_sequences(given.sequences[0])
        panels = {
            title: [sequences[i] for i in (sequences.labels == name).nonzero()[0][: render.get("n_samples", 3)]]
            for name, title in render["names"].items()
        }
        figure = diagrams.samples(panels, render.get("x_label", "Sample"))
    elif render["kind"] == "eigenmap":
        sequences, tasks = read_sequences(given.sequences[0])
        point, entry = params.point, params.point["entry"]
        evidence = distances.read_evidence(point["needs"], given.evidence)
        trial = plan.parse_trials(point["trials"])[:1]
        models = point["models"].split("+")[:1]
        made = distances.distances(
            sequences, tasks, entry["measure"], entry["params"], models, trial, params.seed, evidence
        )
        drawn = stage.eigenmap(sequences, made, render["task"], point["dataset"], params.seed)
        figure = diagrams.eigenmap(**vars(drawn), x_label=render.get("x_label", "Sample"))
    figures.write(figure, snakemake.output.svg, snakemake.output.png, snakemake.output.pdf)
