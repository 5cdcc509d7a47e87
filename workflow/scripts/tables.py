"""Render the table of an experiment."""

from kinseq_documents.jobs import announce, job
from kinseq_documents.rendering import tables
from kinseq_documents.stages.tables import make

with job(snakemake.log[0]):
    params, out = snakemake.params, snakemake.output
    files = dict(snakemake.input.items())
    table = make(params.experiment, files, params.labels, params.unavailable, params.metrics, params.sections)
    tables.write(table, out.csv, out.md, out.tex, out.html, out.full)
    if not params.missing:
        announce(out.html)
