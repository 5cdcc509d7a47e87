"""An analysis as it was asked for in words, from the data to the files: what every command has in common."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..store import DRAFT
from .analysis import Analysis
from .pipeline import cluster
from .request import MEASURES, SETTINGS
from .sampled import SampledAnalysis


def carry_out(own: Mapping[str, Any], page: Path, seed: int, threads: int, command: str) -> Analysis | SampledAnalysis:
    """Cluster, say what a reader should not overlook, and write the page with the files beside it.

    Parameters
    ----------
    own : mapping
        The key ``own`` as :func:`~kinseq.own.request.checked` gives it.
    page : Path
        The page to write.
    seed : int
        Root of every random stream.
    threads : int
        Number of threads; no number depends on it.
    command : str
        What the page names as the command that repeats it.

    Returns
    -------
    Analysis or SampledAnalysis

    Raises
    ------
    KinseqError
        As :func:`~kinseq.own.pipeline.cluster`; nothing is written then.
    """
    given = dict(own)
    data, name, k = given.pop("data"), given.pop("name"), given.pop("k", None)
    found = cluster(
        data,
        k,
        measure=given.pop("measure", MEASURES),
        random_state=seed,
        name=name,
        cache=page.parent / ".features",
        threads=threads,
        progress=True,
        command=command,
        **given,
    )
    for note in [*found.notes, *found.warnings()]:
        print(f"note: {note}")
    if isinstance(found, SampledAnalysis):
        print(f"note: {len(found.sample_positions)} of {len(found.labels)} sequences were compared; {found.in_sight()}")
    clusters = f"{found.n_clusters} cluster{'s' * (found.n_clusters != 1)}"
    print(f"{name}: {len(found.labels)} sequences in {clusters}")
    for left in page.parent.glob(f"{DRAFT}*"):  # by a run that was killed
        shutil.rmtree(left, ignore_errors=True)
    found.report(page, {SETTINGS: json.dumps({"own": dict(own), "seed": seed}, indent=1)})
    return found
