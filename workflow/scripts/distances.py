"""Compute the matrices of one measure."""

from pathlib import Path

from kinseq import plan
from kinseq.jobs import job
from kinseq.stages.distances import distances, read_evidence, write
from kinseq.store import read_sequences

with job(snakemake.log[0], Path(snakemake.scriptdir).parent):
    sequences, tasks = read_sequences(snakemake.input.sequences)
    found = distances(
        sequences,
        tasks,
        snakemake.params.measure,
        snakemake.params.options,
        snakemake.wildcards.models.split("+"),
        plan.parse_trials(snakemake.wildcards.trials),
        snakemake.params.seed,
        read_evidence(snakemake.params.needs, snakemake.input.get("evidence")),
    )
    write(snakemake.output[0], found)
