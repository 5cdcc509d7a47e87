"""Draw the figure of an experiment."""

from pathlib import Path

from kinseq.jobs import job
from kinseq.render.figures import write
from kinseq.stages.figures import KINDS, Drawing, draw

with job(snakemake.log[0], Path(snakemake.scriptdir).parent):
    params, files = snakemake.params, dict(snakemake.input.items())
    drawing = Drawing(params.experiment, params.labels, files)
    write(draw(KINDS, drawing, params.missing), snakemake.output.svg, snakemake.output.png, snakemake.output.pdf)
