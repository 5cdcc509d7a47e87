"""Facts on the recordings behind a set travel with it."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import soundfile

import kinseq
from kinseq.core.sequences import SequenceSet
from kinseq.features.recordings import RecordingInfo, recording_info


def test_a_record_comes_back_from_the_provenance_of_a_set() -> None:
    info = RecordingInfo(
        from_files=True,
        features={"feature": "speech", "sample_rate": 8000.0, "recipe": {"n_mfcc": 13}},
        recorded_at=[8000.0, 16000.0],
        columns_of={"cepstra": {"static": [0, 1]}},
        sound={"seconds": {"a": 1.0}},
        segments={"of": {"a": {"file": "a.wav", "start": 0.0, "stop": 1.0}}},
    )
    sequences = SequenceSet.from_arrays([np.zeros((3, 2))], ids=["a"], provenance=info.as_provenance())
    assert asdict(recording_info(sequences)) == asdict(info)
    assert (info.feature, info.sample_rate, info.recipe) == ("speech", 8000.0, {"n_mfcc": 13})


def test_a_set_of_anything_else_has_no_facts_on_recordings() -> None:
    info = recording_info(SequenceSet.from_arrays([np.zeros((3, 2))], provenance={"kind": "table"}))
    assert info == RecordingInfo()
    assert info.as_provenance() == {}
    assert (info.feature, info.sample_rate, info.recipe) == ("", 0.0, {})


def test_recordings_that_are_read_say_how_they_were_recorded_and_what_their_features_are(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    for name, rate in (("a", 8000), ("b", 8000), ("c", 16000)):
        soundfile.write(tmp_path / f"{name}.wav", 0.1 * rng.standard_normal(rate), rate)
    info = recording_info(sequences := kinseq.read(tmp_path))
    assert isinstance(sequences, SequenceSet)
    assert info.from_files
    assert list(info.recorded_at) == [8000.0, 16000.0]
    assert info.sample_rate == 8000.0
    assert set(info.sound["seconds"]) == {"a.wav", "b.wav", "c.wav"}
    # Features alone, of listed paths, are not those of a folder.
    assert not recording_info(replace(sequences, provenance={"features": info.features})).from_files
