"""Compute the matrices of some measures."""

from kinseq_documents.jobs import job
from kinseq_documents.stages.distances import distances, read_fitted, write
from kinseq_documents.tasks import read_items

with job(snakemake.log[0], snakemake.output.usage):
    (settings,) = snakemake.params.settings
    sequences, tasks = read_items(snakemake.input.sequences)
    fitted = read_fitted(dict(snakemake.input.items()))
    write(snakemake.output[0], distances(sequences, tasks, settings.measures, settings.trials, settings.seed, fitted))
