"""Compute the matrices of one measure."""

from pathlib import Path

from kinseq import plan
from kinseq.jobs import job
from kinseq.stages.distances import distances, read_fitted, write
from kinseq.store import read_sequences

with job(snakemake.log[0], Path(snakemake.scriptdir).parent):
    sequences, tasks = read_sequences(snakemake.input.sequences)
    found = distances(
        sequences,
        tasks,
        snakemake.params.measures,
        plan.parse_trials(snakemake.wildcards.trials),
        snakemake.params.seed,
        read_fitted(dict(snakemake.input.items())),
    )
    write(snakemake.output[0], found)
