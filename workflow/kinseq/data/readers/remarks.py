"""What a user should know of sequences that were read without fault."""

from __future__ import annotations

import numpy as np

from ...seeds import content_key
from ...sequences import SequenceSet
from .wording import count, listed


def remarks_on(sequences: SequenceSet) -> list[str]:
    """Sentences on sequences that no measure can make much of."""
    remarks = []
    ids = sequences.ids.tolist()
    single = [ids[i] for i in np.flatnonzero(sequences.lengths == 1)]
    if single:
        remarks.append(f"{count(len(single), 'sequence')} of a single frame, without dynamics: {listed(single)}")
    still = [ids[i] for i, frames in enumerate(sequences) if len(frames) > 1 and (frames == frames[0]).all()]
    if still:
        remarks.append(f"{count(len(still), 'sequence')} constant from first to last frame: {listed(still)}")
    flat = np.flatnonzero((sequences.values == sequences.values[0]).all(axis=0))
    if flat.size and len(sequences.values) > 1 and flat.size < sequences.n_features:
        columns = sequences.provenance.get("columns")
        named = [str(columns[i]) if columns is not None else str(i) for i in flat]
        remarks.append(f"{count(flat.size, 'feature')} the same in every frame of every sequence: {listed(named)}")
    twins: dict[bytes, list[str]] = {}
    for i, frames in enumerate(sequences):
        twins.setdefault(content_key(frames), []).append(ids[i])
    for group in [group for group in twins.values() if len(group) > 1][:5]:
        remarks.append(f"{len(group)} sequences are identical: {listed(group)}")
    return remarks
