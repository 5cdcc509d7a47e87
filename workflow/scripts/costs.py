"""Measure what the stages before clustering cost."""

from pathlib import Path

from kinseq.jobs import job
from kinseq.stages.costs import costs
from kinseq.store import write_text

with job(snakemake.log[0], Path(snakemake.scriptdir).parent):
    render, scale = snakemake.params.render, snakemake.params.scale
    table = costs(render["n_sequences"][scale], render["quadratic_up_to"][scale], snakemake.params.seed)
    write_text(snakemake.output[0], table.to_csv(index=False, lineterminator="\n"))
