"""Draw some problems at their sizes and run estimators on them."""

import pandas as pd

from kinseq.core.store import write_text
from kinseq_documents.jobs import job
from kinseq_documents.stages.estimates import estimates

with job(snakemake.log[0], snakemake.output.usage):
    params = snakemake.params
    table = pd.concat(
        [estimates(**arguments, trials=params.trials, seed=params.seed) for arguments in params.arguments]
    )
    write_text(snakemake.output[0], table.to_csv(index=False, lineterminator="\n"))
