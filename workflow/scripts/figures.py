"""Draw the figure of an experiment."""

from pathlib import Path

from kinseq.evaluation import fidelity, summary
from kinseq.jobs import job
from kinseq.render import figures

with job(snakemake.log[0], Path(snakemake.scriptdir).parent):
    experiment, labels = snakemake.params.experiment, snakemake.params.labels
    scores = summary.read_scores(snakemake.input.scores)
    path = snakemake.input.get("published")
    printed = fidelity.to_common_scale(fidelity.read_published(path)) if path else None
    if snakemake.params.missing:
        figure = figures.not_available(experiment, snakemake.params.missing, labels)
    elif experiment["render"]["kind"] == "curves":
        figure = figures.curves(experiment, summary.summarise(scores), labels)
    else:
        figure = figures.strip(experiment, scores, summary.summarise(scores), printed, labels)
    figures.write(figure, snakemake.output.svg, snakemake.output.png, snakemake.output.pdf)
