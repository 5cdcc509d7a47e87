"""Draw the figure of an experiment."""

from kinseq_documents.jobs import announce, job
from kinseq_documents.plotting import figures
from kinseq_documents.stages.figures import draw

with job(snakemake.log[0]):
    (settings,), out = snakemake.params.settings, snakemake.output
    figure = draw(
        settings.experiment, dict(snakemake.input.items()), settings.labels, settings.missing, settings.stand_ins
    )
    figures.write(figure, out.svg, out.png, out.pdf)
    if not settings.missing:
        announce(out.svg)
