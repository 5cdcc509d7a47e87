"""Compute drawings, save their arrays, draw them and write their tables."""

from pathlib import Path

from kinseq.core.store import write_arrays, write_text
from kinseq_documents import jobs
from kinseq_documents.stages.drawings import Made, make
from kinseq_drawing.figures import not_available, write


def listed(files: str | list[str]) -> list[str]:
    """Files under one name, which is a string where there is one."""
    return [files] if isinstance(files, str) else list(files)


with jobs.job(snakemake.log[0]):
    params, out = snakemake.params, dict(snakemake.output.items())
    read = dict(snakemake.input.items())
    printed = {Path(file).stem: {"published": file} for file in listed(read.pop("published", []))}
    figures = list(zip(*(listed(out.get(kind, [])) for kind in ("svg", "png", "pdf")), strict=True))
    for number, ((name, told), saved) in enumerate(zip(params.drawings.items(), listed(out["arrays"]), strict=True)):
        if told["missing"]:
            figure = not_available(told["experiment"], told["missing"], told["labels"]) if figures else None
            made = Made({}, figure, None, ())
        else:
            made = make(told["experiment"], read | printed.get(name, {}), params.seed, told["stand_ins"])
        write_arrays(saved, made.arrays)
        if made.figure is not None:
            write(made.figure, *figures[number])
        if made.page is not None:
            write_text(out["page"], made.page)
        if "md" in out:
            # Here, since most drawings have no table, and pandas takes its time.
            from kinseq_documents.rendering import tables

            table = tables.of_grids(told["experiment"], made.grids, told["labels"], told["missing"], told["stand_ins"])
            tables.write(table, out["csv"], out["md"], out["tex"], out["html"], out["full"])
        if not told["missing"]:
            table_and_page = [out[kind] for kind in ("html", "page") if kind in out]
            jobs.made(*table_and_page, *([figures[number][0]] if figures else []))
