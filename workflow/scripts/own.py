"""Cluster a user's own data and write the page."""

from pathlib import Path

from kinseq.core.store import read_object
from kinseq_app.batched import together
from kinseq_app.commands import carry_out, write
from kinseq_documents.jobs import job

with job(snakemake.log[0]):
    files, given = dict(snakemake.input.items()), dict(snakemake.params.given)
    page, seed, threads = Path(snakemake.output.page), snakemake.params.seed, snakemake.threads
    if "found" in files:
        labels = [read_object(file) for file in snakemake.input.assigned]
        write(together(read_object(files["found"]), read_object(files["whole"]), labels, threads), given, page, seed)
    else:
        given["data"] = str(files.get("data", given.get("data")))
        carry_out(given, page, seed, threads, command=snakemake.params.command)
