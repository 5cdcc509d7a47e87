"""Assign a share of a user's sequences to the clusters of the sample."""

from pathlib import Path

from kinseq.jobs import job
from kinseq.own.batched import assign
from kinseq.store import read_object, write_object

with job(snakemake.log[0], Path(snakemake.scriptdir).parent):
    found, rest = read_object(snakemake.input.found[0]), read_object(snakemake.input.rest)
    write_object(snakemake.output[0], assign(found, rest, snakemake.threads))
