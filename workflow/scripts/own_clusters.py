"""Clusters of a sample of a user's data."""

from pathlib import Path

from kinseq.jobs import job
from kinseq.own.batched import clusters
from kinseq.store import read_object, write_object

with job(snakemake.log[0], Path(snakemake.scriptdir).parent):
    files = snakemake.input
    views = {Path(file).stem: read_object(file) for file in files.views}
    sampled = read_object(files.whole) is not None
    found = clusters(read_object(files.sample), views, snakemake.threads, snakemake.params.command, sampled)
    write_object(snakemake.output[0], found)
