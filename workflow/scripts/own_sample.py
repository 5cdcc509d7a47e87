"""Put together what was read of a user's data, and draw a sample."""

from pathlib import Path

from kinseq.core.store import read_object, write_object
from kinseq_app.batched import sample
from kinseq_documents.jobs import job

with job(snakemake.log[0]):
    asked, files = snakemake.params, snakemake.input
    listed, infos = [read_object(file) for file in files.files], read_object(files.infos)
    read = map(read_object, files.read) if files.read else None
    drawn, whole, rest = sample(asked.given, asked.seed, Path(asked.page), snakemake.threads, listed, read, infos)
    for share, file in zip(rest, snakemake.output.rest, strict=True):
        write_object(file, share)
    write_object(snakemake.output.whole, whole)
    write_object(snakemake.output.sample, drawn)
