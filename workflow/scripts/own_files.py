"""List a user's files in batches, and look at the headers of recordings."""

from kinseq.core.store import write_object
from kinseq_app.readers.batches import survey
from kinseq_documents.jobs import job

with job(snakemake.log[0]):
    batches, infos = survey(number=snakemake.params.number, **snakemake.params.reading)
    for batch, file in zip(batches, snakemake.output.files, strict=True):
        write_object(file, batch)
    write_object(snakemake.output.infos, infos)
    print(f"note: {len(batches)} batches, read and assigned in jobs of their own; BATCHES=1 does all in one job")
