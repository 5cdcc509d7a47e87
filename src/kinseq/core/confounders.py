"""Differences between sequences that are artefacts: padding, missing rows, a seam, the rate of a clock.

Groups that coincide with one of these are never called separated, see :func:`kinseq.analysis.verdict.verdict`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from .sequences import SequenceSet

SUSPECTS = "suspects"
"""Provenance key of confounders: by description, the amount in each sequence by its id."""


def suspect(what: str, ids: Iterable[str], amounts: Iterable[float]) -> dict[str, Any]:
    """Return the provenance entry: the amount of something in each sequence, as "the share of missing rows"."""
    return {SUSPECTS: {what: dict(zip(map(str, ids), map(float, amounts), strict=True))}}


def with_suspect(provenance: Mapping[str, Any], entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return a provenance with one more confounder."""
    return {**provenance, SUSPECTS: {**provenance.get(SUSPECTS, {}), **entry.get(SUSPECTS, {})}}


def suspected(sequences: SequenceSet, entry: Mapping[str, Any]) -> SequenceSet:
    """Return a set with one more confounder."""
    return replace(sequences, provenance=with_suspect(sequences.provenance, entry)) if entry else sequences
