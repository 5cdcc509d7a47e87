"""Look at every matrix of a job once at each width of the kernel."""

from kinseq_documents.evaluation.axes import parsed
from kinseq_documents.evaluation.passes import write
from kinseq_documents.jobs import job
from kinseq_documents.stages.distances import read
from kinseq_documents.stages.multiverse import pass_over
from kinseq_documents.stages.partitions import partitions_of_items
from kinseq_documents.tasks import read_sequences

with job(snakemake.log[0], snakemake.output.usage):
    (settings,) = snakemake.params.settings
    sequences, tasks = read_sequences(snakemake.input.sequences)
    axes = parsed(**settings.axes, where="the experiment")
    of_items = partitions_of_items(sequences, tasks, settings.clusterers, settings.trials, settings.seed)
    matrices = read(snakemake.input.matrices, tasks)
    write(snakemake.output[0], pass_over(matrices, sequences, axes, settings.seed, tasks, of_items))
