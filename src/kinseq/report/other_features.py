"""Groups by other features of the same recordings, if these take only seconds to compute."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..clustering import spectral
from ..core.errors import KinseqError
from ..features.extraction import extract_features
from ..features.frames import scale
from ..features.recordings import recording_info
from ..measures import compute
from ..metrics.external import ari
from ..readers.segments.segmentation import recorded

USUAL, WORDS, MEASURE = "speech", "words", "pooled"
MAX_WORD_SECONDS = 2.0
"""Seconds up to which a recording of median length may hold one word."""
MAX_SECONDS = 300.0
"""Largest total duration, in seconds, of the recordings embedded for one sentence: some six seconds of one core."""
SAME_ARI, DIFFERENT_ARI = 0.8, 0.4
"""Least adjusted Rand index of nearly equal clusterings, and largest of different ones."""


def heard_by_words(result: Any) -> str:
    """Agreement of MFCC clusters with those of word embeddings, one sentence; empty if uninformative or unavailable.

    Parameters
    ----------
    result : kinseq.analysis.result.Result
        Recordings that were compared by the features that are taken where none are named.

    Returns
    -------
    str
        Empty for other data, one cluster, long recordings, many of them, and where the extra is missing.
    """
    info = recording_info(result.sequences)
    if result.details.folder is None or not info.from_files:
        return ""
    if info.feature != USUAL or info.features.get("mar") or result.n_clusters < 2:
        return ""
    seconds = result.sequences.lengths * float(info.recipe["hop_seconds"]) * float(info.features.get("average") or 1)
    if np.median(seconds) > MAX_WORD_SECONDS or seconds.sum() > MAX_SECONDS:
        return ""
    ids = [str(entry) for entry in result.sequences.ids]
    try:
        parts = [recorded(info, result.details.folder, entry) for entry in ids]
        heard, _ = extract_features(parts, WORDS, ids=ids, n_jobs=result.options.threads)
    except KinseqError:
        return ""  # the extra is not installed, nothing contains words, or the recordings are gone
    kept = result.labels[[ids.index(str(entry)) for entry in heard.ids]]
    if len(heard) <= result.n_clusters:
        return ""
    distance = compute(MEASURE, scale(heard))
    labels = spectral(distance, result.n_clusters, width="local", random_state=result.options.seed)
    score = ari(kept, labels)
    how = "nearly the same" if score >= SAME_ARI else "other" if score < DIFFERENT_ARI else "partly the same"
    return (
        f"By the features called {WORDS}, as a network hears them that was trained on words, {len(heard)} of these recordings fall"
        f" into {how} {result.n_clusters} groups (adjusted Rand index {score:.2f})."
    )
