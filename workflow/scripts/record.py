"""Write what is published of the items of a document."""

from kinseq_documents.jobs import job
from kinseq_documents.rendering.records import write_records

with job(snakemake.log[0]):
    params = snakemake.params
    write_records(
        snakemake.output[0], params.told, params.labels, params.families, params.results, params.roots, params.settings
    )
