"""Score the partitions and matrices of an experiment, and collect what its jobs used."""

from kinseq.core.store import read_items, write_text
from kinseq_documents.jobs import job
from kinseq_documents.stages import distances, partitions, timings
from kinseq_documents.stages.scores import scores_of_controls, scores_of_matrices, scores_of_partitions, table

with job(snakemake.log[0]):
    params, files = snakemake.params, dict(snakemake.input.items())
    drawn = [read_items(path) for path in files["sequences"]]
    rows, controlled = [], set()
    for made in params.jobs:
        (sequences, tasks), path = drawn[made["sequences"]], files[made["stage"]][made["file"]]
        if made["stage"] == "partitions":
            rows += scores_of_partitions(sequences, tasks, partitions.read(path, made["measures"]), params.metrics)
        else:
            rows += scores_of_matrices(sequences, tasks, distances.read(path, tasks, made["measures"]), params.metrics)
        missing = [trial for trial in made["trials"] if (made["dataset"], trial) not in controlled]
        rows += scores_of_controls(sequences, tasks, missing, params.seed, params.metrics)
        controlled |= {(made["dataset"], trial) for trial in missing}
    frame = table(snakemake.wildcards.experiment, rows, params.seed)
    write_text(snakemake.output.scores, frame.to_csv(index=False, lineterminator="\n"))
    write_text(snakemake.output.timings, timings.collect(files["usage"]))
