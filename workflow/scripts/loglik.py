"""Score sequences under the models of some trials."""

from pathlib import Path

from kinseq.jobs import job
from kinseq.stages import banks
from kinseq.stages.loglik import log_likelihoods
from kinseq.stages.logliks import write
from kinseq.store import read_sequences

with job(snakemake.log[0], Path(snakemake.scriptdir).parent):
    sequences, tasks = read_sequences(snakemake.input.sequences)
    found = log_likelihoods(sequences, tasks, banks.read(snakemake.input.models), threads=snakemake.threads)
    write(snakemake.output[0], found)
