"""Cluster the worked example as a user would, and write its page."""

from pathlib import Path

from kinseq.cli.console import run
from kinseq_documents.jobs import job

with job(snakemake.log[0]):
    results = Path(snakemake.output[0]).parents[2]
    common = ["--results", str(results), "--threads", str(snakemake.threads)]
    (settings,) = snakemake.params.settings
    run(["cluster", snakemake.input.data, *settings.options, *common])
