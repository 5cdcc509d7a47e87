"""Draw a problem at its sizes and run some estimators on it."""

from pathlib import Path

from kinseq.jobs import job
from kinseq.stages.estimates import estimates
from kinseq.store import write_text

with job(snakemake.log[0], Path(snakemake.scriptdir).parent, snakemake.output.usage):
    params = snakemake.params
    table = estimates(**params.given, trials=params.trials, seed=params.seed)
    write_text(snakemake.output[0], table.to_csv(index=False, lineterminator="\n"))
