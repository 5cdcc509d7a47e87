"""Facts about the recordings behind a set, as a typed record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..core.sequences import WithColumns

AUDIO = "audio"
"""The kind of data that recordings are."""


@dataclass(frozen=True)
class RecordingInfo:
    """Facts about the recordings behind a set; defaults for other data.

    Attributes
    ----------
    from_files : bool
        Whether recordings were read from files.
    features : mapping
        How their features were made: the fields of :class:`~kinseq.features.extraction.AudioFeatures`.
    recorded_at : sequence of float
        Sampling rates of the files, in Hz, each once.
    columns_of : mapping or None
        Of features of several kinds, the columns of the parts of each kind.
    sound : mapping
        Measured properties of the sound, as mappings from ids to values.
    segments : mapping
        Where segments were cut, and the tables that say so; empty of whole recordings.
    """

    from_files: bool = False
    features: Mapping[str, Any] = field(default_factory=dict)
    recorded_at: Sequence[float] = ()
    columns_of: Mapping[str, Any] | None = None
    sound: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    segments: Mapping[str, Any] = field(default_factory=dict)

    @property
    def feature(self) -> str:
        """Name of the features; empty if unknown."""
        return str(self.features.get("feature") or "")

    @property
    def recipe(self) -> Mapping[str, Any]:
        """Parameters of the features; empty if unknown."""
        return self.features.get("recipe") or {}

    @property
    def sample_rate(self) -> float:
        """Sampling rate in Hz of the feature computation; 0 if unknown."""
        return float(self.features.get("sample_rate") or 0.0)

    def as_provenance(self) -> dict[str, Any]:
        """Return provenance entries."""
        entries = {
            "features": self.features,
            "recorded_at": self.recorded_at,
            "columns_of": self.columns_of,
            "sound": self.sound,
            "segments": self.segments,
        }
        return ({"kind": AUDIO} if self.from_files else {}) | {name: entry for name, entry in entries.items() if entry}


def recording_info(sequences: WithColumns) -> RecordingInfo:
    """Return the known facts on the recordings behind a set."""
    known = sequences.provenance
    features = known.get("features")
    return RecordingInfo(
        known.get("kind") == AUDIO,
        features if isinstance(features, Mapping) else {},
        known.get("recorded_at") or (),
        known.get("columns_of"),
        known.get("sound") or {},
        known.get("segments") or {},
    )
