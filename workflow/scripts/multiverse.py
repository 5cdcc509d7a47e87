"""Put the passes of an experiment together: figures, table, and the numbers behind them."""

from kinseq_documents.jobs import announce, job
from kinseq_documents.rendering.multiverse import render

with job(snakemake.log[0]):
    (settings,) = snakemake.params.settings
    passes = (
        [snakemake.input.passes] if isinstance(snakemake.input.passes, str) else list(snakemake.input.get("passes", []))
    )
    render(
        settings.experiment,
        passes,
        list(snakemake.input.published),
        dict(snakemake.output.items()),
        settings.labels,
        settings.missing,
    )
    announce(snakemake.output.svg, snakemake.output.html)
