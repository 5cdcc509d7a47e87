"""Cluster a user's own data and write the page."""

from pathlib import Path

from kinseq_documents.jobs import job

from kinseq.cli.commands import carry_out

with job(snakemake.log[0]):
    settings = dict(snakemake.params.settings)
    settings["data"] = str(dict(snakemake.input.items()).get("data", settings.get("data")))
    carry_out(
        settings,
        Path(snakemake.output.page),
        snakemake.params.seed,
        snakemake.threads,
        command=snakemake.params.command,
    )
