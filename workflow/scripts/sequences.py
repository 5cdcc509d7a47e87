"""Make the sequences and tasks of a data set."""

import os
from pathlib import Path

from kinseq_documents.batches import parse_trials
from kinseq_documents.data import acquire
from kinseq_documents.jobs import job
from kinseq_documents.stages.sequences import make_sequences
from kinseq_documents.tasks import read_items, write_sequences

with job(snakemake.log[0], snakemake.output.usage):
    (settings,) = snakemake.params.settings
    name, draw = snakemake.wildcards.dataset, snakemake.wildcards.draw
    # The location of the files is not a parameter of the job: the checksum of the data identifies them.
    roots = [os.environ.get("KINSEQ_DATA"), snakemake.config["data_dir"], "data"]
    folder = acquire.locate(name, settings.entry, [Path(root).expanduser() for root in roots if root])
    trials = None if draw == "all" else parse_trials(draw)
    sources = [read_items(file)[0] for file in snakemake.input]
    sequences, tasks = make_sequences(name, settings.entry, trials, settings.seed, folder, sources)
    write_sequences(snakemake.output[0], sequences, tasks)
