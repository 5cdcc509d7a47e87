"""Run a requested analysis from the data to the files; common to all commands."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..analysis.options import AUTO
from ..api.clustering import run
from ..api.results import Clustering, SampledClustering
from ..core.errors import ParameterError
from ..core.progress import waiting
from ..core.store import remove_drafts
from ..core.wording import speaking
from ..options import COMMAND_LINE
from ..report.result_names import replaced
from .request import RESULT, SETTINGS, arguments_of, data_of, measures_of


def run_cluster(own: Mapping[str, Any], page: Path, seed: int, threads: int, command: str) -> Clustering:
    """Cluster, print important notes, and write the page with its files.

    `own` is the key of that name as :func:`~kinseq.cli.request.checked` gives it; no number depends on `threads`;
    `command` is what the page names as the command that repeats it. KinseqError as :func:`kinseq.cluster`; nothing is
    written then.
    """
    values, params, reading = arguments_of(own)
    with speaking(COMMAND_LINE):
        analysis = run(
            own["data"],
            own.get("k"),
            measures_of(own) if own.get("measure") else AUTO,
            seed,
            values,
            params,
            reading,
            name=own["name"],
            cache=page.parent / ".features",
            n_jobs=threads,
            progress=True,
            command=command,
        )
        write(analysis, own, page, seed)
    return analysis


def write(analysis: Clustering, own: Mapping[str, Any], page: Path, seed: int) -> None:
    """Print important notes, and write the page with its files."""
    for note in [*replaced(page.parent, [own["data"]], data_of), *analysis.notes, *analysis.warnings()]:
        print(f"note: {note}")
    if isinstance(analysis, SampledClustering):
        print(
            f"note: {len(analysis.sample_positions)} of {len(analysis.labels)} sequences were compared; {analysis._in_sight()}"
        )
    for sentence in analysis.alternative_groupings:
        print(f"note: {sentence}")
    print(f"{own['name']}: {len(analysis.labels)} sequences: {analysis.verdict}")
    for sentence in analysis._subcluster_sentences():
        print(sentence)
    if analysis.evidence_source:
        print(f"shown by {analysis.evidence_source}")
    remove_drafts(page.parent)
    with waiting(f"page of {own['name']}"):
        analysis.report(page, {SETTINGS: json.dumps({"own": dict(own), "seed": seed}, indent=1)})
        keep(analysis, page.parent / RESULT)


def keep(analysis: Clustering, path: Path) -> None:
    """Save a result for ``kinseq predict``, or print why it cannot be saved."""
    try:
        analysis.save(path)
    except ParameterError as error:
        # A file left from an earlier run would belong to another result.
        path.unlink(missing_ok=True)
        print(f"note: no {path.name} is left: {error}")
