"""Compute drawings, save their arrays, draw them and write their tables."""

from pathlib import Path

from kinseq_documents import jobs
from kinseq_documents.stages.drawings import DrawingResult, make

from kinseq.core.store import write_arrays, write_text
from kinseq.plotting.figures import not_available, write


def listed(files: str | list[str]) -> list[str]:
    """Files under one name, which is a string where there is one."""
    return [files] if isinstance(files, str) else list(files)


with jobs.job(snakemake.log[0]):
    params, out = snakemake.params, dict(snakemake.output.items())
    read = dict(snakemake.input.items())
    printed = {Path(file).stem: {"published": file} for file in listed(read.pop("published", []))}
    figures = list(zip(*(listed(out.get(kind, [])) for kind in ("svg", "png", "pdf")), strict=True))
    for number, ((name, entry), saved) in enumerate(zip(params.drawings.items(), listed(out["arrays"]), strict=True)):
        if entry["missing"]:
            figure = not_available(entry["experiment"], entry["missing"], entry["labels"]) if figures else None
            drawing = DrawingResult({}, figure, None, ())
        else:
            drawing = make(entry["experiment"], read | printed.get(name, {}), params.seed, entry["stand_ins"])
        write_arrays(saved, drawing.arrays)
        if drawing.figure is not None:
            write(drawing.figure, *figures[number])
        if drawing.page is not None:
            write_text(out["page"], drawing.page)
        if "md" in out:
            # Here, since most drawings have no table, and pandas takes its time.
            from kinseq_documents.rendering import tables

            table = tables.of_grids(
                entry["experiment"], drawing.grids, entry["labels"], entry["missing"], entry["stand_ins"]
            )
            tables.write(table, out["csv"], out["md"], out["tex"], out["html"], out["full"])
        if not entry["missing"]:
            table_and_page = [out[kind] for kind in ("html", "page") if kind in out]
            jobs.announce(*table_and_page, *([figures[number][0]] if figures else []))
