"""Cluster the matrices of some measures, which are read if they are stored and computed on the way if they are not."""

from itertools import chain

from kinseq_documents.jobs import job
from kinseq_documents.stages import distances
from kinseq_documents.stages.partitions import partitions, partitions_of_items, write
from kinseq_documents.tasks import read_items

with job(snakemake.log[0], snakemake.output.usage):
    (settings,), files = snakemake.params.settings, dict(snakemake.input.items())
    sequences, tasks = read_items(files["sequences"])
    if "distances" in files:
        matrices = distances.read(files["distances"], tasks, settings.measures)
    else:
        fitted = distances.read_fitted(files)
        matrices = distances.distances(sequences, tasks, settings.measures, settings.trials, settings.seed, fitted)
    of_matrices = partitions(matrices, settings.clusterers, sequences.name, settings.seed)
    of_items = partitions_of_items(sequences, tasks, settings.clusterers, settings.trials, settings.seed)
    write(snakemake.output[0], chain(of_matrices, of_items))
