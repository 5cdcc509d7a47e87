"""Score sequences under the models of some trials."""

from pathlib import Path

from kinseq.jobs import job
from kinseq.stages import models
from kinseq.stages.loglik import log_likelihoods, write
from kinseq.store import read_sequences

with job(snakemake.log[0], Path(snakemake.scriptdir).parent):
    sequences, tasks = read_sequences(snakemake.input.sequences)
    banks = models.read(snakemake.input.models)
    write(snakemake.output[0], log_likelihoods(sequences, tasks, banks, threads=snakemake.threads))
