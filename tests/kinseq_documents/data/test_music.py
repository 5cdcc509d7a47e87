"""Songs made in code, their features, folders of music, and what chapter 6 says of the dimension."""

from __future__ import annotations

import warnings
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import soundfile

from kinseq.clustering.graph import spectral
from kinseq.core.errors import DataError, KinseqWarning, ParameterError
from kinseq.core.sequences import SequenceSet
from kinseq.measures import compute
from kinseq.measures.mean_vector import mean_vectors
from kinseq_documents import plan
from kinseq_documents.catalogue import base_files, sequences_file
from kinseq_documents.data import genres, selection, songs, styles
from kinseq_documents.kinds.comparison import Comparison
from kinseq_documents.stages.sequences import make_sequences
from kinseq_documents.stages.tasks import tasks_of
from tests.sentences import Recorded


def test_a_song_depends_on_its_style_its_number_and_the_seed() -> None:
    first = songs.make_song("drive", 3, 6.0, 1)
    songs.make_song("riff", 0, 6.0, 1)
    again = songs.make_song("drive", 3, 6.0, 1)
    np.testing.assert_array_equal(first.samples, again.samples)
    assert first.form == again.form
    for other in (("drive", 4, 6.0, 1), ("riff", 3, 6.0, 1), ("drive", 3, 6.0, 2)):
        assert not np.array_equal(songs.make_song(*other).samples, first.samples)


@pytest.mark.parametrize("style", songs.STYLES)
def test_songs_are_sound(style: str) -> None:
    song = songs.make_song(style, 0, 7.5, 1)
    assert song.samples.shape == (round(7.5 * songs.RATE),)
    assert np.isfinite(song.samples).all()
    assert 0.1 < np.abs(song.samples).max() <= 0.99 + 1e-12
    # No second of it is silent.
    seconds = song.samples[: 7 * int(songs.RATE)].reshape(7, -1)
    assert (seconds.std(axis=1) > 0.05 * song.samples.std()).all()


@pytest.mark.parametrize("style", songs.STYLES)
def test_sections_last_what_the_style_says_and_differ_from_the_one_before(style: str) -> None:
    low, high = songs.STYLES[style].survives_phase_shift
    for number in range(2):
        song = songs.make_song(style, number, 40.0, 1)
        bar = 4 * 60.0 / song.tempo
        for before, after in pairwise(song.form):
            assert before.texture != after.texture
            assert max(low - bar / 2, bar) - 0.01 <= after.start - before.start <= max(high + bar / 2, bar) + 0.01
        assert {section.texture for section in song.form} <= set(songs.STYLES[style].textures)


def test_drive_and_riff_differ_in_how_long_textures_last_and_share_them() -> None:
    assert songs.STYLES["drive"].textures == songs.STYLES["riff"].textures
    assert songs.STYLES["drive"].survives_phase_shift[1] < songs.STYLES["riff"].survives_phase_shift[0] / 2


def test_a_tone_is_the_sum_of_its_harmonics() -> None:
    n, partials = 4000, np.array([1.0, 0.5, 0.25])
    t = np.arange(n) / songs.RATE
    expected = sum(
        a * np.sin(2 * np.pi * 440.0 * (k + 1) * t) * np.exp(-3.0 * (1 + 0.3 * k) * t) for k, a in enumerate(partials)
    )
    expected *= np.minimum(1.0, t / 0.01)
    made = songs._tone(69.0, n, partials, decay=3.0, attack=0.01, release=0.0)
    np.testing.assert_allclose(made, expected, atol=1e-9)
    # Nothing above 45 % of the rate, which would come back as a wrong note.
    high = songs._tone(69.0 + 48.0, n, np.ones(24), decay=0.0, attack=1e-4, release=0.0)
    spectrum = np.abs(np.fft.rfft(high * np.hanning(n)))
    assert spectrum[int(0.47 * n) :].max() < 1e-3 * spectrum.max()


def test_styles_become_sequences_that_pairs_share() -> None:
    four, (task,) = styles.generate(5, list(songs.STYLES), 2, 6.0)
    assert len(four) == 8
    assert four.n_features == 135
    assert four.lengths.tolist() == [5] * 8 or four.lengths.tolist() == [4] * 8
    assert task.n_clusters == 4
    assert four.labels is not None
    assert four.labels.tolist() == [style for style in songs.STYLES for _ in range(2)]
    pair, (one,) = styles.generate(5, ["riff", "drive"], 2, 6.0)
    assert one.n_clusters == 2
    np.testing.assert_array_equal(pair[0], four[2])
    np.testing.assert_array_equal(pair[2], four[0])


# Data made of other data


def labelled(labels: list[str], n: int = 9, seed: int = 0) -> SequenceSet:
    rng = np.random.default_rng(seed)
    ids = [f"{label}/{k}" for k, label in enumerate(labels)]
    return SequenceSet.from_arrays(
        [rng.normal(k, 1 + k, size=(n, 3)) for k in range(len(labels))], labels=labels, ids=ids
    )


def test_a_selection_holds_some_classes_in_their_order() -> None:
    given = labelled(["a", "b", "c", "b"])
    found, (task,) = selection.select(given, 1, ["c", "b"], "none", False)
    assert found.ids.tolist() == ["b/1", "c/2", "b/3"]
    assert found.labels is not None
    assert found.labels.tolist() == ["b", "c", "b"]
    assert task.n_clusters == 2
    assert task.indices.tolist() == [0, 1, 2]
    np.testing.assert_array_equal(found.values, np.concatenate([given[1], given[2], given[3]]))
    scaled, _ = selection.select(given, 1, ["c", "b"], "zscore", False)
    np.testing.assert_allclose(scaled.values, (found.values - found.values.mean(axis=0)) / found.values.std(axis=0))
    assert selection.select(given, 1, [], "none", False)[1][0].n_clusters == 3


def test_shuffling_reorders_the_frames_of_each_sequence_and_nothing_else() -> None:
    plain = labelled(["a", "b", "a"])
    mixed, _ = selection.select(plain, 5, ["a", "b"], "none", True)
    for name, frames in zip(mixed.ids.tolist(), mixed, strict=True):
        before = plain[plain.ids.tolist().index(name)]
        np.testing.assert_array_equal(before[np.lexsort(before.T)], frames[np.lexsort(frames.T)])
        assert not np.array_equal(before, frames)
    # The order depends on the seed and the name only, not on other items.
    alone, _ = selection.select(labelled(["a", "b"]), 5, [], "none", True)
    np.testing.assert_array_equal(alone[0], mixed[0])
    assert not np.array_equal(selection.select(plain, 6, ["a", "b"], "none", True)[0][0], mixed[0])


def test_what_pairs_are_made_of_is_made_once_a_trial(recorded: Recorded) -> None:
    base = {"loader": "mohmm", "params": {"n_sequences": [6], "mean_length": [10]}}
    entry = {"loader": "selection", "derived_from": "base", "params": {"scale": "zscore"}}
    made = [make_sequences("base", base, [trial], 1, None)[0] for trial in (3, 4)]
    found, tasks = make_sequences("pair", entry, [3, 4], 1, None, made)
    assert found.name == "pair"
    assert found.ids.tolist() == [*made[0].ids.tolist(), *made[1].ids.tolist()]
    for trial, one in zip((3, 4), made, strict=True):
        own = found.subset(tasks_of(tasks, trial)[0].indices)
        np.testing.assert_allclose(own.values, (one.values - one.values.mean(axis=0)) / one.values.std(axis=0))
    with recorded.raises(DataError):
        make_sequences("pair", entry, [3], 1, None)


def test_files_of_what_data_are_made_of_are_shared_trial_by_trial() -> None:
    datasets = {
        "pair": {"title": "p", "loader": "selection", "derived_from": "base"},
        "base": {"title": "b", "loader": "mohmm"},
    }
    cat = plan.catalogue(datasets, {}, {}, {})
    assert base_files(cat, "pair", "t003-004") == [f"sequences/base/t00{t}-00{t}.npz" for t in (3, 4)]
    assert base_files(cat, "base", "t003-004") == []
    assert sequences_file(cat, "pair", "t003-004") == "sequences/pair/t003-004.npz"
    part = {"datasets": ["pair"], "models": [], "measures": ["mmd"], "clusterers": ["spectral"]}
    experiment = {"id": "e", "parts": [part], "trials": {"quick": 2}}
    # Their costs count among the timings of every user.
    expected = [*(f"sequences/base/t00{t}-00{t}.npz" for t in (0, 1)), "sequences/pair/t000-001.npz"]
    assert Comparison(cat, experiment).job_files()[:3] == expected


@pytest.mark.slow
def test_the_generator_is_neither_trivial_nor_noise() -> None:
    from kinseq.features.registry import get

    music = get("music")
    means, tempos, levels, centroids, labels = [], [], [], [], []
    for style in songs.STYLES:
        for number in range(100):
            song = songs.make_song(style, number, 30.0, 1)
            means.append(music.function([song.samples], songs.RATE, music.recipe, style).mean(axis=0))
            tempos.append([song.tempo])
            levels.append([np.log(song.samples.std())])
            spectra = np.abs(np.fft.rfft(song.samples.reshape(-1, 2205)))
            bins = np.arange(spectra.shape[1])
            centroids.append([(spectra * bins).sum() / spectra.sum()])
            labels.append(style)

    def accuracy(features: list) -> float:
        x, y = np.array(features), np.array(labels)
        x = (x - x.mean(axis=0)) / x.std(axis=0)
        distance = ((x[:, None] - x[None]) ** 2).sum(axis=-1)
        np.fill_diagonal(distance, np.inf)
        return float((y[distance.argmin(axis=1)] == y).mean())

    assert 0.80 <= accuracy(means) <= 0.95
    for alone in (tempos, levels, centroids):
        assert accuracy(alone) < 0.60


# Folders of music


def write(path: Path, seconds: float = 4.0, seed: int = 0, rate: int = 8000) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(path, 0.1 * np.random.default_rng(seed).standard_normal(int(seconds * rate)), rate)


def loaded(folder: Path, **params):  # type: ignore[no-untyped-def]
    return genres.load(
        folder, **{"name": "mine", "genres": [], "per_genre": None, "scale": "none", "features": "music_mar"} | params
    )


@pytest.fixture
def music(tmp_path: Path) -> Path:
    for k, genre in enumerate(("Heavy Metal", "reggae")):
        for i in range(3):
            write(tmp_path / genre / f"{i}.wav", seed=10 * k + i)
    return tmp_path


def test_folders_of_music_are_genres(music: Path) -> None:
    every = loaded(music)
    assert every.labels is not None
    assert every.labels.tolist() == ["Heavy Metal"] * 3 + ["reggae"] * 3
    assert every.ids.tolist()[0] == "Heavy Metal/0.wav"
    assert every.n_features == 135
    named = loaded(music, genres=["reggae", "heavy-metal"], per_genre=2)
    assert named.labels is not None
    assert named.labels.tolist() == ["reggae"] * 2 + ["heavy-metal"] * 2
    np.testing.assert_array_equal(named[0], every[3])
    assert loaded(music, features="music").n_features == 6


def test_bad_recordings_are_left_out_with_a_reason(music: Path) -> None:
    (music / "reggae" / "broken.mp3").write_bytes(b"no music" * 100)
    write(music / "reggae" / "short.wav", seconds=1.0)
    soundfile.write(music / "reggae" / "silent.wav", np.zeros(32000), 8000)
    (music / "reggae" / "notes.txt").write_text("not a recording")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = loaded(music)
    assert len(found) == 6
    text = " ".join(str(entry.message) for entry in said if issubclass(entry.category, KinseqWarning))
    for name in ("broken.mp3", "short.wav", "silent.wav"):
        assert f"reggae/{name}" in text
    assert "notes.txt" not in text


def test_two_hundred_genres_are_two_hundred_classes(tmp_path: Path) -> None:
    for k in range(200):
        for i in range(2):
            write(tmp_path / f"g{k:03d}" / f"{i}.wav", seconds=2.1, seed=2 * k + i)
    assert len(set(loaded(tmp_path, features="music").labels.tolist())) == 200


@pytest.mark.parametrize(
    "change, params",
    [
        (lambda root: [(root / "reggae" / f"{i}.wav").unlink() for i in (1, 2)], {}),
        (lambda root: None, {"genres": ["reggae", "polka"]}),
        (lambda root: None, {"genres": ["reggae", "Reggae"]}),
        (lambda root: None, {"genres": "reggae"}),
        (lambda root: None, {"per_genre": 1}),
        (lambda root: None, {"scale": "max"}),
        (lambda root: None, {"features": "loudness"}),
        (lambda root: write(root / "heavy_metal" / "a.wav"), {"genres": ["heavy metal", "reggae"]}),
        (lambda root: [write(root / "reggae" / f"{i}.wav", seconds=1.0) for i in (1, 2)], {}),
    ],
)  # fmt: skip
def test_bad_folders_of_music_are_refused(music: Path, change, params, recorded: Recorded) -> None:  # type: ignore[no-untyped-def]
    change(music)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KinseqWarning)
        with recorded.raises((DataError, ParameterError)):
            loaded(music, **params)


def test_a_single_folder_is_no_choice_of_genres(tmp_path: Path) -> None:
    write(tmp_path / "jazz" / "a.wav")
    with pytest.raises(DataError, match=r"1 folders, .*genre"):
        loaded(tmp_path)


@pytest.mark.parametrize(
    "params",
    [
        {"styles": ["drive"]},
        {"styles": ["drive", "drive"]},
        {"styles": "drive"},
        {"styles": ["drive", "polka"]},
        {"per_style": 1},
        {"seconds": 1.0},
        {"seconds": True},
        {"seconds": float("nan")},
    ],
)
def test_bad_parameters_of_styles_are_refused(params, recorded: Recorded) -> None:  # type: ignore[no-untyped-def]
    given = {"styles": ["drive", "riff"], "per_style": 2, "seconds": 6.0} | params
    with recorded.raises(ParameterError):
        styles.generate(1, **given)


# Measures of the chapter


def test_mean_vectors_are_compared_as_points() -> None:
    rng = np.random.default_rng(0)
    sequences = [rng.standard_normal((n, 3)) for n in (4, 9, 1)]
    expected = [[np.linalg.norm(a.mean(axis=0) - b.mean(axis=0)) for b in sequences] for a in sequences]
    np.testing.assert_allclose(mean_vectors(sequences), expected, atol=1e-12)
    new = [rng.standard_normal((5, 3))]
    across = compute("mean_vector", new, sequences)
    np.testing.assert_allclose(across, [[np.linalg.norm(new[0].mean(axis=0) - b.mean(axis=0)) for b in sequences]])


def test_songs_of_one_length_are_clustered_alike_whatever_the_dimension_of_wang_j_is() -> None:
    # The thesis blames the 135 dimensions for Wang-J. Repeating every feature r times stretches all distances alike, so
    # that the ratios of the estimate stay and its factor becomes r d. The additive term depends on the lengths, which
    # are equal for all pairs.
    rng = np.random.default_rng(1)
    n, d = 12, 5
    sets = [rng.standard_normal((n, d)) + 0.8 * (k % 3) for k in range(18)]
    distance = compute("wang_j", sets)
    added = 2.0 * np.log(n / (n - 1.0))
    apart = ~np.eye(len(sets), dtype=bool)
    expected = {width: spectral(distance, 3, random_state=0, width=width) for width in ("eigengap", "median")}
    for times in (3, 27):
        repeated = compute("wang_j", [np.tile(vectors, (1, times)) for vectors in sets])
        # Negative estimates became 0.
        stretched = np.where(distance > 0.0, np.maximum(times * (distance - added) + added, 0.0), 0.0)
        np.testing.assert_allclose(repeated[apart], stretched[apart], rtol=1e-9, atol=1e-9)
        for width, partition in expected.items():
            np.testing.assert_array_equal(spectral(repeated, 3, random_state=0, width=width), partition)
