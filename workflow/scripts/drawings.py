"""Compute drawings, save their arrays, draw them and write their tables."""

from html import escape
from pathlib import Path

from kinseq.core.store import write_arrays, write_text
from kinseq_documents import jobs
from kinseq_documents.plotting.figures import not_available, write
from kinseq_documents.stages.drawings import DrawingResult, make


def listed(files: str | list[str]) -> list[str]:
    """Files under one name, which is a string if there is one."""
    return [files] if isinstance(files, str) else list(files)


with jobs.job(snakemake.log[0]):
    (settings,) = snakemake.params.settings
    outputs = {kind: iter(listed(files)) for kind, files in snakemake.output.items()}
    read = dict(snakemake.input.items())
    printed = {Path(file).stem: {"published": file} for file in listed(read.pop("published", []))}
    for name, one in settings.drawings.items():
        out = {kind: next(outputs[kind]) for kind in one.kinds}
        if one.missing:
            figure = not_available(one.experiment, one.missing, one.labels) if "svg" in out else None
            page = f"<!DOCTYPE html>\n<meta charset=utf-8>\n<p>{escape('; '.join(one.missing.values()))}</p>\n"
            drawing = DrawingResult({}, figure, page, ())
        else:
            drawing = make(one.experiment, read | printed.get(name, {}), settings.seed, one.stand_ins)
        write_arrays(out["arrays"], drawing.arrays)
        if drawing.figure is not None:
            write(drawing.figure, out["svg"], out["png"], out["pdf"])
        if "page" in out:
            write_text(out["page"], drawing.page)
        if "md" in out:
            # Imported here, since most drawings have no table, and pandas is slow to import.
            from kinseq_documents.rendering import tables

            table = tables.of_grids(one.experiment, drawing.grids, one.labels, one.missing, one.stand_ins)
            tables.write(table, out["csv"], out["md"], out["tex"], out["html"], out["full"])
        if not one.missing:
            jobs.announce(*(out[kind] for kind in ("html", "page", "svg") if kind in out))
