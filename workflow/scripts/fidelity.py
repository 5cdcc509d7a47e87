"""Compare every published number and claim with the regenerated one."""

from pathlib import Path

from kinseq_documents.evaluation import fidelity, summary
from kinseq_documents.jobs import job
from kinseq_documents.rendering import fidelity as page
from kinseq_documents.rendering.errata import entries

with job(snakemake.log[0]):
    (settings,) = snakemake.params.settings
    published = iter(snakemake.input.published)
    parts = [
        fidelity.assess(
            one.experiment,
            summary.read_scores(scores),
            fidelity.read_published(next(published)) if one.is_printed else None,
            one.missing,
            settings.labels,
            decided_on=one.decided_on,
        )
        for one, scores in zip(settings.experiments, snakemake.input.scores, strict=True)
    ]
    out = snakemake.output
    carried = entries("".join(Path(path).read_text(encoding="utf-8") for path in snakemake.input.errata))
    page.write(fidelity.combine(parts), out.csv, out.md, out.html, settings.labels, carried=carried)
