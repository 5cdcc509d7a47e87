"""Score the partitions of an experiment."""

from pathlib import Path

from kinseq.jobs import job
from kinseq.stages import partitions
from kinseq.stages.scores import scores_of_controls, scores_of_partitions, table
from kinseq.store import read_sequences, write_text

with job(snakemake.log[0], Path(snakemake.scriptdir).parent):
    drawn = [read_sequences(path) for path in snakemake.input.sequences]
    rows, controlled, metrics = [], set(), snakemake.params.metrics
    for point, at, path in zip(
        snakemake.params.points, snakemake.params.drawn, snakemake.input.partitions, strict=True
    ):
        sequences, tasks = drawn[at]
        rows += scores_of_partitions(sequences, tasks, partitions.read(path), metrics)
        missing = [trial for trial in point["trials"] if (point["dataset"], trial) not in controlled]
        rows += scores_of_controls(sequences, tasks, missing, snakemake.params.seed, metrics)
        controlled |= {(point["dataset"], trial) for trial in missing}
    frame = table(snakemake.wildcards.experiment, rows, snakemake.params.seed)
    write_text(snakemake.output[0], frame.to_csv(index=False, lineterminator="\n"))
