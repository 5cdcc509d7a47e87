"""List undecided results, and the further trials they would take."""

import pandas as pd

from kinseq.core.store import write_text
from kinseq_documents.evaluation import fidelity, settling, summary
from kinseq_documents.jobs import job

with job(snakemake.log[0]):
    (settings,) = snakemake.params.settings
    published = iter(snakemake.input.published)
    rows = []
    for one, file, timings in zip(settings.experiments, snakemake.input.scores, snakemake.input.timings, strict=True):
        scores = summary.read_scores(file)
        printed = fidelity.read_published(next(published)) if one.is_printed else None
        assessed = fidelity.assess(one.experiment, scores, printed, one.missing, settings.labels)
        own_trials = settings.trials.get(one.experiment["id"])
        rows += settling.undecided(assessed, one.experiment, scores, pd.read_csv(timings), own_trials)
    table = pd.DataFrame(rows, columns=list(settling.COLUMNS))
    write_text(snakemake.output[0], table.to_csv(index=False, lineterminator="\n"))
