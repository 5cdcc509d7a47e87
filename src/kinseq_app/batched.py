"""An analysis in several processes, for data that are large: the steps of :mod:`kinseq.analysis.steps`, with files in between.

The files of the data are listed and opened in batches (:mod:`kinseq_app.readers.batches`), put together and sampled; every
view of the sample is computed apart; clusters are found; all other sequences are assigned to them in shares; and the page
is written. Each step is a function of what earlier ones have left, and what comes out is what one process finds, to the last
byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from kinseq.analysis import limits
from kinseq.analysis.analysis import Analysis
from kinseq.analysis.assigning import assigned, represented
from kinseq.analysis.pipeline import as_asked
from kinseq.analysis.run import Run
from kinseq.analysis.sampled import SampledAnalysis, Whole, extended
from kinseq.analysis.settings import Settings
from kinseq.analysis.steps import Asked, Part, compare, prepare
from kinseq.analysis.views import part_of
from kinseq.core.arrays import IntArray
from kinseq.core.errors import KinseqError
from kinseq.core.jobs import as_threads
from kinseq.core.sequences import SequenceSet
from kinseq.core.store import PathLike, write_object, write_text
from kinseq.measures.view_texts import MADE_OF

from .commands import arguments
from .readers import batches
from .request import measures_of

PARTS = ".parts"
"""Folder in which the steps leave what the others read, beside the page."""
READING = ("labels", "kind", "features", "sample_rate", "trim")
"""Keys of ``own`` beside the data that decide what is opened, and what is computed from it."""


@dataclass(frozen=True)
class Sample:
    """What is compared, and what was asked for."""

    asked: Asked
    part: Part


@dataclass(frozen=True)
class Found:
    """What was found of the sample.

    Attributes
    ----------
    sample : Analysis
    base : Analysis or None
        Its representatives; None where all sequences were compared.
    run : Run
    """

    sample: Analysis
    base: Analysis | None
    run: Run


def reading(own: Mapping[str, Any]) -> dict[str, Any]:
    """The part of the key ``own`` that decides what is opened, with its defaults."""
    return {"path": own["data"], **{key: own.get(key, getattr(Settings, key)) for key in READING}}


def names_of_views(own: Mapping[str, Any]) -> list[str]:
    """What of the first measure is computed apart; its parameters are the defaults, which no analysis from files changes.

    Raises
    ------
    KinseqError
        If what was asked for contradicts itself: before anything is read.
    """
    # The plan may be made where what the measures import is not installed; a job says then what is wrong.
    with suppress(ModuleNotFoundError):
        _asked(own, 0, Path("page"), 1)
    return list(MADE_OF.get(measures_of(own)[0], ()))


def read(batch: batches.Batch, answers: Path, key: Path, code: str, cache: PathLike) -> None:
    """Open the files of a batch, unless the answers of an earlier run hold.

    Parameters
    ----------
    batch : Batch
    answers, key : Path
        Where they go, with what they follow from; a key is there only beside answers that it is of.
    code : str
        Fingerprint of the code that opens files.
    cache : path-like
        Folder in which features of recordings are remembered.
    """
    wanted = batch.key(code)
    if answers.exists() and key.exists() and key.read_text(encoding="utf-8") == wanted:
        for file in (answers, key):
            file.touch()
        return
    key.unlink(missing_ok=True)
    write_object(answers, (batch.stamp, batches.opened(batch, cache, f"read {answers.stem}")))
    write_text(key, wanted)


def sample(
    own: Mapping[str, Any],
    seed: int,
    page: Path,
    threads: int,
    listed: Sequence[batches.Batch],
    read: Iterable[tuple[str, Mapping[Path, Any]]] | None,
    infos: Mapping[Path, Any],
) -> tuple[Sample, Whole | None, list[SequenceSet | None]]:
    """Put together what was opened, scale it, and draw a sample.

    Parameters
    ----------
    own : mapping
        The key ``own``, checked.
    seed : int
        Root of every random stream.
    page : Path
        The page that will be written.
    threads : int
    listed : sequence of Batch
    read : iterable of (str, mapping) or None
        Stamp of each batch and its answers; None for a file that holds many sequences, which is read here.
    infos : mapping
        Answers of the headers of recordings.

    Returns
    -------
    sample : Sample
    whole : Whole or None
        What there is beside the sample; None where all sequences are compared.
    rest : list of SequenceSet or None
        Shares of the sequences that are to be assigned, one for each batch.

    Raises
    ------
    KinseqError
        As of the analysis in one process; and if files were changed since they were opened.
    """
    asked, given = _asked(own, seed, page, threads), arguments(own, seed, page, threads)
    opened = None
    if read is not None:
        # One after another, and let go of: what was opened is larger than what it is of.
        opened = batches.Opened({}, infos)
        for batch, (stamp, answers) in zip(listed, read, strict=True):
            if stamp != batch.stamp:
                raise KinseqError(
                    f"{own['data']}: was changed while it was read; delete {page.parent / PARTS} and run the same command again"
                )
            opened.contents.update(answers)
    ready = prepare(asked, given["data"], given["cache"], opened)
    drawn, left = Sample(asked, ready.part()), ready.left_out()
    return drawn, None if ready.sampled is None else ready.whole(), shares(left, len(listed))


def shares(left: SequenceSet | None, number: int) -> list[SequenceSet | None]:
    """Sequences to be assigned in shares of whole blocks, so that the same are assigned at a time as in one process."""
    if left is None:
        return [None] * number
    blocks = -(-len(left) // limits.BLOCK)
    edges = [min(int(edge) * limits.BLOCK, len(left)) for edge in np.round(np.linspace(0, blocks, number + 1))]
    return [left.subset(np.arange(start, end)) if start < end else None for start, end in pairwise(edges)]


def view(given: Sample, name: str, threads: int) -> Any:
    """One view of the sample under the first measure."""
    asked = given.asked
    run = replace(asked.run, threads=threads)
    return part_of(asked.measures[0], name, given.part.distinct(), asked.n_clusters, run)


def clusters(given: Sample, views: Mapping[str, Any], threads: int, command: str, sampled: bool) -> Found:
    """Clusters of the sample, and what represents them.

    Parameters
    ----------
    given : Sample
    views : mapping
        What was computed apart, by name.
    threads : int
    command : str
        What the page names as the command that repeats it.
    sampled : bool
        Whether there are other sequences.
    """
    run = replace(given.asked.run, threads=threads)
    found = compare(replace(given.asked, run=run, command=command), given.part, views)
    # Sets without clusters, and views without a vote, are looked at while the views are here; nobody else asks for them.
    _ = found.corrected, found.carriers
    for entry in found.views:
        entry.reference, entry.witness = None, None
    return Found(found, represented(found) if sampled else None, run)


def assign(found: Found, rest: SequenceSet | None, threads: int) -> IntArray:
    """Clusters of a share of the sequences outside the sample, shape (M,)."""
    if rest is None or found.base is None:
        return np.zeros(0, dtype=np.int64)
    return assigned(found.base, rest, replace(found.run, threads=threads))


def together(found: Found, whole: Whole | None, labels: Iterable[IntArray], threads: int) -> Analysis | SampledAnalysis:
    """What one process would have returned.

    Parameters
    ----------
    found : Found
    whole : Whole or None
        As of :func:`sample`.
    labels : iterable of ndarray
        Clusters of all shares, in their order.
    threads : int
    """
    found.sample.threads = threads
    if whole is None or found.base is None:
        return found.sample
    found.base.threads = threads
    run = replace(found.run, threads=threads)
    return extended(found.sample, found.base, whole, np.concatenate(list(labels)), run)


def _asked(own: Mapping[str, Any], seed: int, page: Path, threads: int) -> Asked:
    given = arguments(own, seed, page, threads)
    del given["cache"]
    known = {key: given.pop(key) for key in ("data", "n_clusters", "measure", "random_state")}
    calling = {key: given.pop(key) for key in ("name", "progress")}
    return as_asked(**known, settings=given, threads=as_threads(given.pop("n_jobs")), **calling)
