"""An analysis as it was asked for in words, from the data to the files: what every command has in common."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kinseq.analysis.analysis import Analysis
from kinseq.analysis.pipeline import cluster
from kinseq.analysis.sampled import SampledAnalysis
from kinseq.core.store import remove_drafts

from .request import SETTINGS, measures_of


def carry_out(own: Mapping[str, Any], page: Path, seed: int, threads: int, command: str) -> Analysis | SampledAnalysis:
    """Cluster, say what a reader should not overlook, and write the page with the files beside it.

    Parameters
    ----------
    own : mapping
        The key ``own`` as :func:`~kinseq_app.request.checked` gives it.
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
        As :func:`~kinseq.analysis.pipeline.cluster`; nothing is written then.
    """
    found = cluster(**arguments(own, seed, page, threads), command=command)
    write(found, own, page, seed)
    return found


def arguments(own: Mapping[str, Any], seed: int, page: Path, threads: int) -> dict[str, Any]:
    """What :func:`~kinseq.analysis.pipeline.cluster` is called with."""
    given = dict(own)
    return {
        "data": given.pop("data"),
        "n_clusters": given.pop("k", None),
        "measure": measures_of({**own, "measure": given.pop("measure", None)}),
        "random_state": seed,
        "name": given.pop("name"),
        "cache": page.parent / ".features",
        "n_jobs": threads,
        "progress": True,
        **given,
    }


def write(found: Analysis | SampledAnalysis, own: Mapping[str, Any], page: Path, seed: int) -> None:
    """Say what a reader should not overlook, and write the page with the files beside it."""
    for note in [*found.notes, *found.warnings()]:
        print(f"note: {note}")
    if isinstance(found, SampledAnalysis):
        print(f"note: {len(found.sample_positions)} of {len(found.labels)} sequences were compared; {found.in_sight()}")
    for said in found.also_there:
        print(f"note: {said}")
    print(f"{own['name']}: {len(found.labels)} sequences: {found.verdict}")
    remove_drafts(page.parent)
    found.report(page, {SETTINGS: json.dumps({"own": dict(own), "seed": seed}, indent=1)})
