"""Compute drawings, save their arrays, draw them and write their tables."""

from html import escape
from pathlib import Path

from kinseq.core.store import write_arrays, write_text
from kinseq_documents import jobs
from kinseq_documents.plotting.figures import not_available, write
from kinseq_documents.stages.drawings import DrawingResult, make


def listed(files: str | list[str]) -> list[str]:
    """Files under one name, which is a string where there is one."""
    return [files] if isinstance(files, str) else list(files)


with jobs.job(snakemake.log[0]):
    outputs = {kind: iter(listed(files)) for kind, files in snakemake.output.items()}
    read = dict(snakemake.input.items())
    printed = {Path(file).stem: {"published": file} for file in listed(read.pop("published", []))}
    for name, entry in snakemake.params.drawings.items():
        out = {kind: next(outputs[kind]) for kind in entry["kinds"]}
        experiment, missing, stand_ins = entry["experiment"], entry["missing"], entry["stand_ins"]
        if missing:
            figure = not_available(experiment, missing, entry["labels"]) if "svg" in out else None
            page = f"<!DOCTYPE html>\n<meta charset=utf-8>\n<p>{escape('; '.join(missing.values()))}</p>\n"
            drawing = DrawingResult({}, figure, page, ())
        else:
            drawing = make(experiment, read | printed.get(name, {}), snakemake.params.seed, stand_ins)
        write_arrays(out["arrays"], drawing.arrays)
        if drawing.figure is not None:
            write(drawing.figure, out["svg"], out["png"], out["pdf"])
        if "page" in out:
            write_text(out["page"], drawing.page)
        if "md" in out:
            # Here, since most drawings have no table, and pandas takes its time.
            from kinseq_documents.rendering import tables

            table = tables.of_grids(experiment, drawing.grids, entry["labels"], missing, stand_ins)
            tables.write(table, out["csv"], out["md"], out["tex"], out["html"], out["full"])
        if not missing:
            jobs.announce(*(out[kind] for kind in ("html", "page", "svg") if kind in out))
