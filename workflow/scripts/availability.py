"""Report which data sets are available, and download missing ones that have a source."""

import os
from pathlib import Path

from kinseq.core.errors import KinseqError
from kinseq_documents.data import acquire
from kinseq_documents.jobs import job

with job(snakemake.log[0]):
    (settings,) = snakemake.params.settings
    folder = snakemake.config["data_dir"]
    roots = [Path(root).expanduser() for root in (os.environ.get("KINSEQ_DATA"), folder, "data") if root]
    rows = []
    for name, entry in settings.datasets.items():
        if name in settings.available:
            rows.append((name, "available", str(acquire.locate(name, entry, roots) or "generated here")))
            continue
        try:
            if snakemake.config["offline"]:
                raise KinseqError(acquire.why_missing(name, entry))
            rows.append((name, "downloaded", str(acquire.download(name, entry, Path(folder or "data")))))
        except KinseqError as error:
            print(f"data not available: {error}")
            rows.append((name, acquire.NOT_AVAILABLE, str(error)))
    acquire.write_table(snakemake.output[0], rows)
