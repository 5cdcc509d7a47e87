"""Assign a share of a user's sequences to the clusters of the sample."""

from kinseq.core.store import read_object, write_object
from kinseq_app.batched import assign
from kinseq_documents.jobs import job

with job(snakemake.log[0]):
    found, rest = read_object(snakemake.input.found[0]), read_object(snakemake.input.rest)
    write_object(snakemake.output[0], assign(found, rest, snakemake.threads))
