"""Fit the models of some trials, and score the sequences under those of single sequences."""

from kinseq_documents.jobs import job
from kinseq_documents.stages import banks, logliks
from kinseq_documents.stages.loglik import log_likelihoods
from kinseq_documents.stages.models import fit_models
from kinseq_documents.tasks import read_sequences

with job(snakemake.log[0], snakemake.output.usage):
    (settings,), threads = snakemake.params.settings, snakemake.threads
    sequences, tasks = read_sequences(snakemake.input[0])
    fitted_models = fit_models(sequences, tasks, settings.specs, settings.trials, settings.seed, threads=threads)
    for (model, trial, unit), bank in fitted_models.items():
        print(f"{model}, trial {trial}, {unit}: {bank.summary()}")
    banks.write(snakemake.output.models, fitted_models)
    logliks.write(snakemake.output.loglik, log_likelihoods(sequences, tasks, fitted_models, threads=threads))
