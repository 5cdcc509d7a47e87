"""Put together what was read of a user's data, and draw a sample."""

from pathlib import Path

from kinseq.jobs import job
from kinseq.own.batched import sample
from kinseq.store import read_object, write_object

with job(snakemake.log[0], Path(snakemake.scriptdir).parent):
    asked = snakemake.params
    read, infos = [read_object(file) for file in snakemake.input.read], read_object(snakemake.input.infos)
    drawn, whole, rest = sample(
        asked.given, asked.seed, Path(asked.page), snakemake.threads, read, infos, asked.stamps, asked.number
    )
    for share, file in zip(rest, snakemake.output.rest, strict=True):
        write_object(file, share)
    write_object(snakemake.output.whole, whole)
    write_object(snakemake.output.sample, drawn)
