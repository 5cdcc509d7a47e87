"""Render the table of an experiment."""

from pathlib import Path

from kinseq.evaluation import fidelity, summary
from kinseq.jobs import job
from kinseq.render import tables

with job(snakemake.log[0], Path(snakemake.scriptdir).parent):
    means = summary.summarise(summary.read_scores(snakemake.input.scores))
    experiment, path = snakemake.params.experiment, snakemake.input.get("published")
    printed = fidelity.to_common_scale(fidelity.read_published(path), experiment["metric"]) if path else None
    table = tables.build(experiment, means, printed, snakemake.params.labels, snakemake.params.unavailable)
    tables.write(table, snakemake.output.csv, snakemake.output.md, snakemake.output.tex, snakemake.output.html)
