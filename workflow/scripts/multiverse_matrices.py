"""Fit the models of some trials under one training, and keep the matrices of all measures."""

from kinseq_documents.jobs import job
from kinseq_documents.stages.distances import write
from kinseq_documents.stages.multiverse_matrices import all_matrices
from kinseq_documents.tasks import read_sequences

with job(snakemake.log[0], snakemake.output.usage):
    (settings,) = snakemake.params.settings
    sequences, tasks = read_sequences(snakemake.input[0])
    matrices = all_matrices(
        sequences,
        tasks,
        settings.models,
        settings.measures,
        trials=settings.trials,
        seed=settings.seed,
        threads=snakemake.threads,
    )
    write(snakemake.output[0], matrices)
