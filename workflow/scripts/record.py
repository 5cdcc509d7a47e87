"""Write the published records of the items of a document."""

from pathlib import Path

from kinseq_documents.jobs import job
from kinseq_documents.rendering.records import write_records

with job(snakemake.log[0]):
    (settings,) = snakemake.params.settings
    results = Path(snakemake.output[0]).parents[1]
    write_records(snakemake.output[0], settings, results)
