"""Render the table of an experiment, its figure, or both."""

from kinseq_documents.jobs import announce, job

with job(snakemake.log[0]):
    params, files, out = snakemake.params, dict(snakemake.input.items()), dict(snakemake.output.items())
    if "md" in out:
        from kinseq_documents.rendering import tables
        from kinseq_documents.stages.tables import make

        table = make(params.experiment, files, params.labels, params.unavailable, params.metrics, params.sections)
        tables.write(table, out["csv"], out["md"], out["tex"], out["html"], out["full"])
    if "svg" in out:
        from kinseq_documents.stages.figures import draw

        from kinseq.plotting import figures

        figure = draw(params.experiment, files, params.labels, params.missing, params.stand_ins)
        figures.write(figure, out["svg"], out["png"], out["pdf"])
    if not params.missing:
        announce(*(out[kind] for kind in ("html", "svg") if kind in out))
