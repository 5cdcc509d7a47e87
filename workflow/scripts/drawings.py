"""Compute drawings, save their arrays and draw them."""

from pathlib import Path

from kinseq.core.store import write_arrays, write_text
from kinseq_documents.jobs import job
from kinseq_documents.stages.drawings import make
from kinseq_drawing.figures import not_available, write


def listed(files: str | list[str]) -> list[str]:
    """Files under one name, which is a string where there is one."""
    return [files] if isinstance(files, str) else list(files)


with job(snakemake.log[0]):
    params, out = snakemake.params, snakemake.output
    read = dict(snakemake.input.items())
    printed = {Path(file).stem: {"published": file} for file in listed(read.pop("published", []))}
    files = zip(*(listed(kind) for kind in (out.arrays, out.svg, out.png, out.pdf)), strict=True)
    for (name, told), (saved, *drawn) in zip(params.drawings.items(), files, strict=True):
        if told["missing"]:
            arrays, page = {}, None
            figure = not_available(told["experiment"], told["missing"], told["labels"])
        else:
            given = read | printed.get(name, {})
            arrays, figure, page = make(told["experiment"], given, params.seed, told["stand_ins"])
        write_arrays(saved, arrays)
        write(figure, *drawn)
        if page is not None:
            write_text(out.page, page)
