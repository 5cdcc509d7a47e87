"""Draw some problems at their sizes and run estimators on them."""

from pathlib import Path

import pandas as pd
from kinseq.jobs import job
from kinseq.stages.estimates import estimates
from kinseq.store import write_text

with job(snakemake.log[0], Path(snakemake.scriptdir).parent, snakemake.output.usage):
    params = snakemake.params
    table = pd.concat([estimates(**given, trials=params.trials, seed=params.seed) for given in params.given])
    write_text(snakemake.output[0], table.to_csv(index=False, lineterminator="\n"))
