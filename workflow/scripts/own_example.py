"""Write a set of sequences out as a folder of CSV files, as a user would have them."""

from pathlib import Path

from kinseq.data.writers import write_folder
from kinseq.jobs import job
from kinseq.store import read_sequences

with job(snakemake.log[0], Path(snakemake.scriptdir).parent):
    write_folder(snakemake.output[0], read_sequences(snakemake.input[0])[0])
