"""Open a batch of a user's files, unless that was done and nothing has changed."""

from pathlib import Path

from kinseq.core.store import read_object
from kinseq_app.batched import read
from kinseq_documents.jobs import job

with job(snakemake.log[0]):
    batch, files = read_object(snakemake.input[0]), snakemake.output
    read(batch, Path(files.answers), Path(files.key), snakemake.params.code, snakemake.params.cache)
