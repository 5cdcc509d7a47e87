"""Fit the models of some trials."""

from pathlib import Path

from kinseq import plan
from kinseq.jobs import job
from kinseq.stages.banks import write
from kinseq.stages.models import fit_models
from kinseq.store import read_sequences

with job(snakemake.log[0], Path(snakemake.scriptdir).parent):
    sequences, tasks = read_sequences(snakemake.input[0])
    trials = plan.parse_trials(snakemake.wildcards.trials)
    banks = fit_models(
        sequences, tasks, snakemake.params.specs, trials, snakemake.params.seed, threads=snakemake.threads
    )
    for (model, trial, unit), bank in banks.items():
        print(f"{model}, trial {trial}, {unit}: {bank.summary()}")
    write(snakemake.output[0], banks)
