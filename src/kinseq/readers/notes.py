"""Notes on valid sequences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.data_checks import remarks_on_data, remarks_on_ids, remarks_on_times
from ..core.seeds import content_key
from ..core.sequences import SequenceSet
from ..core.wording import count, listed
from ..features.recordings import recording_info


def remarks_on(sequences: SequenceSet) -> list[str]:
    """Return sentences on sequences unsuitable for most measures."""
    remarks = []
    ids = sequences.ids.tolist()
    single = [ids[i] for i in np.flatnonzero(sequences.lengths == 1)]
    if single:
        remarks.append(f"{count(len(single), 'sequence')} of a single frame, without dynamics: {listed(single)}")
    still = [ids[i] for i, frames in enumerate(sequences) if len(frames) > 1 and (frames == frames[0]).all()]
    if still:
        remarks.append(f"{count(len(still), 'sequence')} constant from first to last frame: {listed(still)}")
    recordings = recording_info(sequences).from_files
    # Features of recordings are arranged as rows.
    if not recordings and (sequences.lengths < sequences.n_features).all():
        remarks.append(
            f"every sequence has fewer frames than features ({sequences.lengths.max()} or fewer, {sequences.n_features});"
            " rows are frames, so transpose files whose rows are channels"
        )
    # Features of recordings are computed, so none is missing.
    remarks += remarks_on_times(sequences) + remarks_on_ids(sequences) if recordings else remarks_on_data(sequences)
    return remarks + remarks_on_equal(ids, [content_key(frames) for frames in sequences])


def remarks_on_equal(ids: Sequence[str], contents: Sequence[bytes]) -> list[str]:
    """Return a sentence on each group of sequences whose digests of content are equal, on five at most."""
    groups: dict[bytes, list[str]] = {}
    for name, content in zip(ids, contents, strict=True):
        groups.setdefault(content, []).append(name)
    equal = [group for group in groups.values() if len(group) > 1]
    return [f"{len(group)} sequences are identical: {listed(group)}" for group in equal[:5]]
