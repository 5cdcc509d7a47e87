"""Notes on valid sequences."""

from __future__ import annotations

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
    twins: dict[bytes, list[str]] = {}
    for i, frames in enumerate(sequences):
        twins.setdefault(content_key(frames), []).append(ids[i])
    for group in [group for group in twins.values() if len(group) > 1][:5]:
        remarks.append(f"{len(group)} sequences are identical: {listed(group)}")
    return remarks
