"""Write the front page of the results."""

from kinseq_documents.jobs import job
from kinseq_documents.rendering import index

with job(snakemake.log[0]):
    (settings,) = snakemake.params.settings
    index.write(settings.listed, snakemake.input.fidelity, snakemake.output[0], settings.settings)
