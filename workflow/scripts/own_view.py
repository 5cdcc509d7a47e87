"""One view of a sample of a user's data."""

from kinseq.core.store import read_object, write_object
from kinseq_app.batched import view
from kinseq_documents.jobs import job

with job(snakemake.log[0]):
    made = view(read_object(snakemake.input[0]), snakemake.wildcards.view, snakemake.threads)
    write_object(snakemake.output[0], made)
