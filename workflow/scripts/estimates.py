"""Draw some problems at their sizes and run estimators on them."""

import pandas as pd

from kinseq.core.store import write_text
from kinseq_documents.jobs import job
from kinseq_documents.stages.estimates import estimates

with job(snakemake.log[0], snakemake.output.usage):
    (settings,) = snakemake.params.settings
    table = pd.concat(
        [estimates(**arguments, trials=settings.trials, seed=settings.seed) for arguments in settings.arguments]
    )
    write_text(snakemake.output[0], table.to_csv(index=False, lineterminator="\n"))
