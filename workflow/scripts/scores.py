"""Score the partitions and matrices of an experiment, and collect the resources of its jobs."""

from kinseq.core.store import write_text
from kinseq_documents.jobs import job
from kinseq_documents.stages import distances, partitions, timings
from kinseq_documents.stages.scores import (
    scores_of_controls,
    scores_of_matrices,
    scores_of_partitions,
    shown_under,
    table,
)
from kinseq_documents.tasks import read_items

with job(snakemake.log[0]):
    (settings,), files = snakemake.params.settings, dict(snakemake.input.items())
    replicates = [read_items(path) for path in files["sequences"]]
    rows, controlled = [], set()
    for entry in settings.jobs:
        (sequences, tasks), path = replicates[entry["sequences"]], files[entry["stage"]][entry["file"]]
        if entry["stage"] == "partitions":
            found = scores_of_partitions(sequences, tasks, partitions.read(path, entry["measures"]), settings.metrics)
        else:
            found = scores_of_matrices(
                sequences, tasks, distances.read(path, tasks, entry["measures"]), settings.metrics
            )
        rows += shown_under(found, entry.get("readings", ()))
        missing = [trial for trial in entry["trials"] if (entry["dataset"], trial) not in controlled]
        rows += scores_of_controls(sequences, tasks, missing, settings.seed, settings.metrics)
        controlled |= {(entry["dataset"], trial) for trial in missing}
    frame = table(snakemake.wildcards.experiment, rows, settings.seed)
    write_text(snakemake.output.scores, frame.to_csv(index=False, lineterminator="\n"))
    write_text(snakemake.output.timings, timings.collect(files["usage"]))
