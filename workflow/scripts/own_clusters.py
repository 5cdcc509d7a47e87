"""Clusters of a sample of a user's data."""

from pathlib import Path

from kinseq.core.store import read_object, write_object
from kinseq_app.batched import clusters
from kinseq_documents.jobs import job

with job(snakemake.log[0]):
    files = snakemake.input
    views = {Path(file).stem: read_object(file) for file in files.views}
    sampled = read_object(files.whole) is not None
    found = clusters(read_object(files.sample), views, snakemake.threads, snakemake.params.command, sampled)
    write_object(snakemake.output[0], found)
