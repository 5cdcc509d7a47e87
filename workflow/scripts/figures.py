"""Draw the figure of an experiment."""

from kinseq_documents.jobs import announce, job
from kinseq_documents.plotting import figures
from kinseq_documents.stages.figures import draw

with job(snakemake.log[0]):
    params, out = snakemake.params, snakemake.output
    figure = draw(params.experiment, dict(snakemake.input.items()), params.labels, params.missing, params.stand_ins)
    figures.write(figure, out.svg, out.png, out.pdf)
    if not params.missing:
        announce(out.svg)
