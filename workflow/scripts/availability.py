"""Say which data sets can be had, and download those that have a source and are not here."""

import csv
import io
import os
from pathlib import Path

from kinseq.core.errors import KinseqError
from kinseq.core.store import write_text
from kinseq_documents.data import acquire
from kinseq_documents.jobs import job

with job(snakemake.log[0]):
    roots = [os.environ.get("KINSEQ_DATA"), snakemake.config["data_dir"], "data"]
    roots = [Path(root).expanduser() for root in roots if root]
    table = io.StringIO()
    rows = csv.writer(table, lineterminator="\n")
    rows.writerow(["dataset", "status", "detail"])
    for name, entry in snakemake.params.datasets.items():
        if name in snakemake.params.available:
            folder = acquire.locate(name, entry, roots)
            rows.writerow([name, "available", folder or "generated here"])
            continue
        try:
            if snakemake.config["offline"]:
                raise KinseqError(acquire.why_missing(name, entry))
            rows.writerow(
                [name, "downloaded", acquire.download(name, entry, Path(snakemake.config["data_dir"] or "data"))]
            )
        except KinseqError as error:
            print(f"data not available: {error}")
            rows.writerow([name, "not available", error])
    write_text(snakemake.output[0], table.getvalue())
