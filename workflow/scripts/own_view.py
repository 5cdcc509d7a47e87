"""One view of a sample of a user's data."""

from pathlib import Path

from kinseq.jobs import job
from kinseq.own.batched import view
from kinseq.store import read_object, write_object

with job(snakemake.log[0], Path(snakemake.scriptdir).parent):
    made = view(read_object(snakemake.input[0]), snakemake.wildcards.view, snakemake.threads)
    write_object(snakemake.output[0], made)
