"""Write a set of sequences out as a folder of CSV files, as a user would have them."""

from kinseq.readers.writers import write_folder
from kinseq_documents.jobs import job
from kinseq_documents.tasks import read_sequences

with job(snakemake.log[0]):
    write_folder(snakemake.output[0], read_sequences(snakemake.input[0])[0])
