"""One set given to the product, to rules on one matrix and to single views, and compared with the truth about it."""

from __future__ import annotations

import time
import traceback
import warnings
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Literal

import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

import kinseq
from kinseq.api import Clustering
from kinseq.core.arrays import IntArray
from kinseq.core.errors import KinseqError
from kinseq.metrics.external import ari

from .answer import answer_of, looks_of
from .changes import answers_after_changes
from .grid import Case
from .looking import FUSED, matrices, sights, truths
from .planted import LEAST, Planted
from .rules import RULES, Matrix
from .wording import words_of

Part = Literal["default", "beside", "changes"]
"""Parts of a record: the answer of the product, those of rules and views, which do not depend on its choice, and the answer after
changes of digits and seeds."""


def record_of(case: Case, part: Part) -> dict[str, Any]:
    """Return what one part finds in a set, ready for JSON; what went wrong where nothing was."""
    start = time.process_time()
    # One thread per process, to avoid contention.
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        try:
            planted = case.draw()
            result = ANSWERS[part](planted)
        except Exception as error:
            # A failing set must not end a run of thousands.
            message = (
                str(error) if isinstance(error, KinseqError) else traceback.format_exception_only(error)[-1].strip()
            )
            result = {"why": message[:300]}
    return {**asdict(case), "family": case.family, **result, "seconds": round(time.process_time() - start, 3)}


def _default(planted: Planted) -> dict[str, Any]:
    start = time.process_time()
    analysis = kinseq.cluster(planted.sequences, progress=False)
    between = time.process_time()
    by_number = {}
    for number in numbers_of(planted):
        cut = kinseq.cluster(planted.sequences, n_clusters=number, progress=False)
        by_number[str(number)] = scores_of(planted, cut.labels)
    after = time.process_time()
    # Planted sets are too small for sampling.
    assert isinstance(analysis, Clustering)
    answer = answer_of(analysis)
    before_look = time.process_time()
    looks = [looked_into(planted, members, labels) for members, labels in looks_of(analysis)]
    looking = time.process_time() - before_look
    return {
        "found": scores_of(planted, answer.labels),
        "given": by_number,
        "told": {name: scores_of(planted, labels) for name, labels in answer.others.items()},
        "doubts": list(answer.doubts),
        "cautions": list(answer.cautions),
        "sentence": answer.sentence,
        "says": answer.says,
        "words": words_of(planted) if planted.n_groups > 1 else {},
        "looks": looks,
        "seconds_looks": round(looking, 3),
        "seconds_found": round(between - start, 3),
        "seconds_given": round((after - between) / max(len(by_number), 1), 3),
    }


def looked_into(planted: Planted, members: IntArray, labels: IntArray) -> dict[str, int]:
    """Count the groups found inside one group, and the true groups that it holds.

    Outliers and single strays are no group, and a cluster of outliers alone is none too many.
    """
    is_inside = planted.members[members]
    inside = members[is_inside]
    held = 1
    for truth in truths(planted).values():
        counts = np.bincount(truth[inside], minlength=1)
        held = max(held, int(np.count_nonzero(counts >= LEAST)))
    return {"n": len(members), "number": max(1, int(np.unique(labels[is_inside]).size)), "held": held}


def _beside(planted: Planted) -> dict[str, Any]:
    view_matrices = matrices(planted.sequences)
    rules: dict[str, Any] = {}
    by_number: dict[str, Any] = {}
    for name in ("dtw", FUSED):
        if name in view_matrices:
            matrix = Matrix(view_matrices[name], logarithmic=name == FUSED)
            rules |= {f"{name} {rule}": scores_of(planted, function(matrix)) for rule, function in RULES.items()}
            by_number[name] = {str(number): scores_of(planted, matrix.cut(number)) for number in numbers_of(planted)}
    looked = {
        name: [asdict(sight) for sight in sights(view_matrices, truth)] for name, truth in truths(planted).items()
    }
    return {"rules": rules, "given": by_number, "views": looked}


def numbers_of(planted: Planted) -> list[int]:
    """True numbers of groups, one for each grouping that has another."""
    return sorted({int(truth.max()) + 1 for truth in truths(planted).values()})


def scores_of(planted: Planted, labels: IntArray) -> dict[str, Any]:
    """Return the number of clusters and, for each grouping there is, the adjusted Rand index.

    Only clusters that hold a member of a group count, and what a rule calls noise (below 0) is no cluster: an outlier by
    itself is none too many.
    """
    inside = labels[planted.members]
    number = max(1, int(np.unique(inside[inside >= 0]).size))
    return {"number": number, **{name: scored(planted, truth, labels) for name, truth in truths(planted).items()}}


def scored(planted: Planted, truth: IntArray, labels: IntArray) -> float:
    """Adjusted Rand index over the members of groups."""
    return round(ari(truth[planted.members], labels[planted.members]), 4)


ANSWERS: Mapping[Part, Callable[[Planted], dict[str, Any]]] = {
    "default": _default,
    "beside": _beside,
    "changes": answers_after_changes,
}
"""Functions that answer each part."""
