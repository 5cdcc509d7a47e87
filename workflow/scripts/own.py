"""Cluster a user's own data and write the page."""

import json
import shutil
from pathlib import Path

from kinseq.jobs import job
from kinseq.own import cluster
from kinseq.own.report import write_report
from kinseq.own.request import MEASURES, SETTINGS
from kinseq.store import DRAFT

with job(snakemake.log[0], Path(snakemake.scriptdir).parent):
    given = dict(snakemake.params.given)
    # Taken as it is by snakemake --configfile.
    settings = {"own": {**given, "data": str(snakemake.input[0]) if snakemake.input else given["data"]}}
    name, k = given.pop("name"), given.pop("k", None)
    data = snakemake.input[0] if snakemake.input else given.pop("data")
    page = Path(snakemake.output.page)
    found = cluster(
        data,
        k,
        measure=given.pop("measure", MEASURES),
        seed=snakemake.params.seed,
        name=name,
        cache=page.parent / ".features",
        threads=snakemake.threads,
        progress=True,
        command=snakemake.params.command,
        **given,
    )
    for note in [*found.notes, *found.warnings()]:
        print(f"note: {note}")
    clusters = f"{found.n_clusters} cluster{'s' * (found.n_clusters != 1)}"
    print(f"{name}: {len(found.labels)} sequences in {clusters}")
    for left in page.parent.glob(f"{DRAFT}*"):  # by a run that was killed
        shutil.rmtree(left, ignore_errors=True)
    write_report(found, page, {SETTINGS: json.dumps({**settings, "seed": snakemake.params.seed}, indent=1)})
