"""Compute a drawing, save its arrays and draw it."""

from pathlib import Path

from kinseq.jobs import job
from kinseq.render.figures import not_available, write
from kinseq.stages.drawings import make
from kinseq.store import write_arrays, write_text

with job(snakemake.log[0], Path(snakemake.scriptdir).parent):
    params, out = snakemake.params, snakemake.output
    if params.missing:
        arrays, page = {}, None
        figure = not_available(params.experiment, params.missing, params.labels)
    else:
        arrays, figure, page = make(params.experiment, dict(snakemake.input.items()), params.seed, params.stand_ins)
    write_arrays(out.arrays, arrays)
    write(figure, out.svg, out.png, out.pdf)
    if page is not None:
        write_text(out.page, page)
