"""Cluster the matrices of one measure, which are read if they are stored and computed on the way if they are not."""

from pathlib import Path

from kinseq import plan
from kinseq.jobs import job
from kinseq.stages import distances
from kinseq.stages.partitions import partitions, write
from kinseq.store import read_sequences

with job(snakemake.log[0], Path(snakemake.scriptdir).parent):
    sequences, tasks = read_sequences(snakemake.input.sequences)
    if "distances" in dict(snakemake.input.items()):
        found = distances.read(snakemake.input.distances, tasks)
    else:
        found = distances.distances(
            sequences,
            tasks,
            snakemake.params.measures,
            plan.parse_trials(snakemake.wildcards.trials),
            snakemake.params.seed,
            distances.read_fitted(dict(snakemake.input.items())),
        )
    write(snakemake.output[0], partitions(found, snakemake.params.clusterers, sequences.name, snakemake.params.seed))
