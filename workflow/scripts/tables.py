"""Render the table of an experiment."""

from kinseq_documents.jobs import announce, job
from kinseq_documents.rendering import tables
from kinseq_documents.stages.tables import make

with job(snakemake.log[0]):
    (settings,), out = snakemake.params.settings, snakemake.output
    files = dict(snakemake.input.items())
    table = make(settings.experiment, files, settings.labels, settings.missing, settings.metrics, settings.sections)
    tables.write(table, out.csv, out.md, out.tex, out.html, out.full)
    if not settings.is_empty:
        announce(out.html)
