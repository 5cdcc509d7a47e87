"""Draw a figure that is not drawn from scores."""

from pathlib import Path

from kinseq.jobs import job
from kinseq.render.figures import write
from kinseq.stages.diagrams import KINDS
from kinseq.stages.figures import Drawing, draw

with job(snakemake.log[0], Path(snakemake.scriptdir).parent):
    params, files = snakemake.params, dict(snakemake.input.items())
    drawing = Drawing(params.experiment, params.labels, files, params.point, params.seed, params.stand_ins)
    write(draw(KINDS, drawing, params.missing), snakemake.output.svg, snakemake.output.png, snakemake.output.pdf)
