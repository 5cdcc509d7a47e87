"""Set every published number and claim beside what was regenerated."""

from pathlib import Path

from kinseq_documents.evaluation import fidelity, summary
from kinseq_documents.jobs import job
from kinseq_documents.rendering import fidelity as page
from kinseq_documents.rendering.errata import entries

with job(snakemake.log[0]):
    params = snakemake.params
    published = iter(snakemake.input.published)
    parts = [
        fidelity.assess(
            experiment,
            summary.read_scores(scores),
            fidelity.read_published(next(published)) if printed else None,
            params.unavailable[experiment["id"]],
            params.labels,
            decided_on=params.decided_on[experiment["id"]],
        )
        for experiment, scores, printed in zip(params.experiments, snakemake.input.scores, params.printed, strict=True)
    ]
    out = snakemake.output
    carried = entries("".join(Path(path).read_text(encoding="utf-8") for path in snakemake.input.errata))
    page.write(fidelity.combine(parts), out.csv, out.md, out.html, params.labels, carried=carried)
