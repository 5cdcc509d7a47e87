"""Set every published number and claim beside what was regenerated."""

from pathlib import Path

from kinseq_documents.evaluation import fidelity, summary
from kinseq_documents.jobs import job
from kinseq_documents.rendering import fidelity as page
from kinseq_documents.rendering.errata import entries

with job(snakemake.log[0]):
    given = snakemake.params
    published = iter(snakemake.input.published)
    parts = [
        fidelity.assess(
            experiment,
            summary.read_scores(scores),
            fidelity.read_published(next(published)) if printed else None,
            given.unavailable[experiment["id"]],
            given.labels,
        )
        for experiment, scores, printed in zip(given.experiments, snakemake.input.scores, given.printed, strict=True)
    ]
    out = snakemake.output
    carried = entries("".join(Path(path).read_text(encoding="utf-8") for path in snakemake.input.errata))
    page.write(fidelity.combine(parts), out.csv, out.md, out.html, given.labels, carried=carried)
