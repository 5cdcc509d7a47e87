"""Gather the estimates of an experiment, score them, and collect the resources of its jobs."""

import pandas as pd

from kinseq.core.store import write_text
from kinseq_documents.jobs import job
from kinseq_documents.stages import estimates, timings
from kinseq_documents.stages.scores import table

with job(snakemake.log[0]):
    (settings,) = snakemake.params.settings
    every_estimate = estimates.combine([pd.read_csv(path) for path in snakemake.input.estimates])
    rows = estimates.scores(every_estimate, settings.metrics)
    frame = table(snakemake.wildcards.experiment, rows, settings.seed)
    write_text(snakemake.output.estimates, every_estimate.to_csv(index=False, lineterminator="\n"))
    write_text(snakemake.output.scores, frame.to_csv(index=False, lineterminator="\n"))
    write_text(snakemake.output.timings, timings.collect(snakemake.input.usage))
