"""Cluster a user's own data and write the page."""

from pathlib import Path

from kinseq.jobs import job
from kinseq.own.commanded import carry_out

with job(snakemake.log[0], Path(snakemake.scriptdir).parent):
    given = dict(snakemake.params.given)
    if snakemake.input:
        given["data"] = str(snakemake.input[0])
    carry_out(
        given, Path(snakemake.output.page), snakemake.params.seed, snakemake.threads, command=snakemake.params.command
    )
