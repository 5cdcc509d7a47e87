"""Measure the processor time of computations against the size of their data."""

import pandas as pd

from kinseq.core.store import write_text
from kinseq_documents.jobs import job
from kinseq_documents.stages.estimates import times

with job(snakemake.log[0]):
    (settings,) = snakemake.params.settings
    table = pd.concat([times(**arguments, seed=settings.seed) for arguments in settings.arguments])
    write_text(snakemake.output[0], table.to_csv(index=False, lineterminator="\n"))
