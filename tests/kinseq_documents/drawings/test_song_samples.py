"""The drawing of songs: what is heard and seen are the songs of the first trial."""

from __future__ import annotations

import base64
import io
import re

import numpy as np
import pytest
import soundfile

from kinseq.core.errors import ParameterError
from kinseq.core.seeds import derive_seed
from kinseq_documents.catalogue import Catalogue
from kinseq_documents.data.songs import RATE, STYLES, make_song
from kinseq_documents.data.styles import vectors_of_samples
from kinseq_documents.drawings import registry, song_samples
from kinseq_documents.experiments import DrawingExperiment
from kinseq_documents.kinds.drawing import Drawing
from kinseq_documents.stages import drawings
from kinseq_documents.stages.sequences import make_sequences
from tests.sentences import Recorded

EMPTY = Catalogue({}, {}, {}, {}, {}, {}, {})
EXPERIMENT = {"id": "songs", "title": "Some <songs>", "drawing": "song_samples"}
SHORT = {"n_songs": 2, "seconds": 6.0, "excerpt": 2.0}


@pytest.fixture(scope="module")
def made() -> tuple:
    return drawings.make(DrawingExperiment.read({**EXPERIMENT, "params": SHORT}), {}, 5)


def test_the_songs_are_those_that_are_clustered(made: tuple) -> None:
    arrays, *_ = made
    assert arrays["samples"].shape == (8, round(2.0 * RATE))
    song = make_song("riff", 1, 6.0, derive_seed(5, "data", "styles", 0)).samples
    at = int(np.flatnonzero((arrays["style"] == "riff") & (arrays["number"] == 1))[0])
    np.testing.assert_allclose(arrays["samples"][at] / 32767.0, song[: round(2.0 * RATE)], atol=1 / 32767)
    # The seed is that of the data set in the first trial.
    clustered, _ = make_sequences("s", {"loader": "styles", "params": {"per_style": 2, "seconds": 6.0}}, [0], 5, None)

    np.testing.assert_array_equal(clustered[3], vectors_of_samples(song, "x"))


def test_a_tone_is_one_band_and_levels_end_at_the_range() -> None:
    time = np.arange(round(RATE)) / RATE
    levels = song_samples.spectrogram(np.sin(2 * np.pi * 1000.0 * time))
    assert levels.max() == 0.0
    assert levels.min() == -70.0
    loudest = levels.argmax(axis=0)
    assert (loudest == loudest[0]).all()
    higher = song_samples.spectrogram(np.sin(2 * np.pi * 3000.0 * time)).argmax(axis=0)
    assert (higher > loudest).all()


def test_the_page_has_a_player_for_each_and_loads_nothing(made: tuple) -> None:
    _, figure, page, _ = made
    assert len(figure.axes) == 8
    assert "Some &lt;songs&gt;" in page
    assert "http" not in page
    players = re.findall(r'<audio[^>]*src="data:audio/mpeg;base64,([^"]+)"', page)
    assert len(players) == 2 * len(STYLES)
    heard, rate = soundfile.read(io.BytesIO(base64.b64decode(players[0])))
    assert rate == RATE
    assert 2.0 <= len(heard) / rate < 2.2
    assert heard.std() > 0.01
    assert len(page) < 300_000


def test_drawings_with_a_page_are_planned_with_it() -> None:
    assert registry.has_page("song_samples")
    assert not registry.has_page("class_samples")
    assert "figures/songs.html" in Drawing(EMPTY, EXPERIMENT).products()
    assert "figures/d.html" not in Drawing(EMPTY, {"id": "d", "drawing": "class_samples"}).products()


@pytest.mark.parametrize(
    "params",
    [
        {"excerpt": 9.0},
        {"excerpt": 0.0},
        {"n_songs": 0},
        {"seconds": 1.0, "excerpt": 0.5},
    ],
)
def test_bad_parameters_are_refused(params: dict[str, float], recorded: Recorded) -> None:
    with recorded.raises(ParameterError):
        drawings.make(DrawingExperiment.read({**EXPERIMENT, "params": {**SHORT, **params}}), {}, 5)
