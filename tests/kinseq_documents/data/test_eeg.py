"""EEG: the published layouts are read alike, and what is made in code is what it says."""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy.io import savemat
from scipy.signal import freqz

from kinseq.core.errors import DataError, KinseqWarning
from kinseq_documents.data import eeg, eeg_process
from kinseq_documents.data.registry import make
from tests.sentences import Recorded


def walk(seed: int, n: int = 61) -> np.ndarray:
    """Made-up samples of seven channels."""
    return np.cumsum(np.random.default_rng(seed).normal(size=(n, 7)), axis=0)


MADE = {
    (subject, task, session): walk(number)
    for number, (subject, task, session) in enumerate(
        (s, t, n) for s in "12" for t in ("baseline", "letter-composing") for n in "12"
    )
}


def as_text(folder: Path, made: Mapping[tuple[str, str, str], np.ndarray], transposed: bool = False) -> Path:
    for (subject, task, session), samples in made.items():
        np.savetxt(folder / f"{subject}_{task}_{session}.txt", samples.T if transposed else samples, fmt="%.17g")
    return folder


def as_matlab(folder: Path, made: Mapping[tuple[str, str, str], np.ndarray]) -> Path:
    """The published layout: a row of cells, each of three texts and a matrix of a row per channel."""
    cells = np.empty((1, len(made)), dtype=object)
    for at, ((subject, task, session), samples) in enumerate(made.items()):
        cell = np.empty((1, 4), dtype=object)
        cell[0] = [f"subject {subject}", task, f"trial {session}", None]
        cell[0, 3] = samples.T
        cells[0, at] = cell
    savemat(folder / "eegdata.mat", {"data": cells})
    return folder


def test_recordings_are_differenced_and_cut(tmp_path: Path) -> None:
    read = eeg.load(as_text(tmp_path, MADE), window=5)
    assert len(read) == 8 * 12
    first = MADE["1", "baseline", "1"]
    np.testing.assert_allclose(read[0], np.diff(first, axis=0)[:5])
    np.testing.assert_allclose(read[11], np.diff(first, axis=0)[55:60])
    assert read.ids[12] == "1_baseline_2/00"
    # 61 samples have 60 differences: twelve windows of five, eight of seven with four differences left over.
    assert len(eeg.windows(first, 5)) == 12
    assert len(eeg.windows(first, 7)) == 8
    assert len(eeg.windows(first, 60)) == 1
    assert eeg.windows(first, 61) == []


def test_every_layout_is_read_alike(tmp_path: Path) -> None:
    places = [tmp_path / name for name in ("text", "by_channel", "matlab")]
    for place in places:
        place.mkdir()
    one = eeg.load(as_text(places[0], MADE), window=5)
    for other in (eeg.load(as_text(places[1], MADE, transposed=True), 5), eeg.load(as_matlab(places[2], MADE), 5)):
        np.testing.assert_array_equal(one.values, other.values)
        for name in ("labels", "groups", "ids"):
            assert getattr(one, name).tolist() == getattr(other, name).tolist()


def test_a_recording_without_numbers_is_left_out_and_named(tmp_path: Path) -> None:
    made = {**MADE, ("2", "baseline", "2"): np.full((61, 7), np.nan)}
    with pytest.warns(KinseqWarning, match=r"recording 6: .*number"):
        read = eeg.load(as_matlab(tmp_path, made), 5)
    assert len(read) == 7 * 12


def test_a_recording_shorter_than_a_window_is_left_out_and_named(tmp_path: Path, recorded: Recorded) -> None:
    short = {**MADE, ("2", "baseline", "2"): walk(9, n=5)}
    with recorded.warns(KinseqWarning):
        read = eeg.load(as_text(tmp_path, short), 5)
    assert len(read) == 7 * 12


def test_tasks_are_subjects_with_ten_windows_of_each_task(tmp_path: Path) -> None:
    read = eeg.load(as_text(tmp_path, MADE), window=5)
    tasks = eeg.subjects(read, seed=1)
    assert [(task.name, task.n_clusters, len(task.indices)) for task in tasks] == [
        ("subject1", 2, 20),
        ("subject2", 2, 20),
    ]
    assert read.groups is not None
    assert read.labels is not None
    for task in tasks:
        assert set(read.groups[task.indices]) == {task.name[-1]}
        assert np.unique(read.labels[task.indices], return_counts=True)[1].tolist() == [10, 10]
    assert (eeg.subjects(read, 1)[0].indices == tasks[0].indices).all()
    assert (eeg.subjects(read, 2)[0].indices != tasks[0].indices).any()


def test_too_few_windows_or_tasks_are_refused(tmp_path: Path, recorded: Recorded) -> None:
    alone = {key: samples for key, samples in MADE.items() if key[1] == "baseline"}
    with recorded.raises(DataError):
        eeg.subjects(eeg.load(as_text(tmp_path, alone), 5), 1)
    short = eeg.load(as_text(tmp_path, MADE), window=30)
    with recorded.raises(DataError):
        eeg.subjects(short, 1)


def test_the_one_trial_that_is_left(tmp_path: Path) -> None:
    published = Path(os.environ.get("KINSEQ_DATA", "data")) / "eeg_keirn_aunon" / "EEG_example.dat"
    if not published.is_file():
        pytest.skip("the trial is not here")
    (tmp_path / "1_baseline_1.txt").write_bytes(published.read_bytes())
    read = eeg.load(tmp_path, window=125)
    raw = np.loadtxt(published)
    assert raw.shape == (7, 2500)
    assert len(read) == 19
    np.testing.assert_allclose(read[1][0], raw[:, 126] - raw[:, 125])
    # Synthetic signals vary about equally from sample to sample, channel by channel within a factor of three.
    made, _ = eeg_process.generate(1, 2, 2, 5, 125, 0.2)
    ratio = made.values.std(axis=0) / read.values.std(axis=0)
    assert ((ratio > 1 / 3) & (ratio < 3)).all()


def test_processes_have_the_autocovariances_of_the_spectrum() -> None:
    powers = {name: np.array(own) for name, own in eeg_process.POWERS.items()}
    density = eeg_process.spectrum(np.array(eeg_process.LEVELS), powers, 10.0)
    coefficients, variance = eeg_process.autoregression(density)
    f, lags = np.linspace(0.0, 0.5, density.shape[1]), np.arange(eeg_process.ORDER + 1)
    weights = np.where((f == 0.0) | (f == 0.5), 0.5, 1.0)
    dense = np.linspace(0.0, np.pi, 20001)
    for k, line in enumerate(coefficients):
        assert np.abs(np.roots(line)).max() < 1.0
        wanted = np.cos(2 * np.pi * np.outer(lags, f)) @ (weights * density[k])
        _, response = freqz([1.0], line, worN=dense)
        own = variance[k] * np.abs(response) ** 2
        found = np.trapezoid(np.cos(np.outer(lags, dense)) * own, dense, axis=1) / np.pi
        np.testing.assert_allclose(found, wanted * density[k].sum() / wanted[0], rtol=2e-4)


def test_channels_have_the_levels_that_were_asked_for() -> None:
    one = eeg_process.head(3, 1, "baseline", 0, 0.0)
    samples = one.record(40000, np.random.default_rng(0))
    # Variance of a process from its response, and its noise from the factor of the covariance.
    noise = one.noise @ one.noise.T
    for k, line in enumerate(one.coefficients):
        _, response = freqz([1.0], line, worN=8192)
        assert samples[:, k].var() == pytest.approx(noise[k, k] * np.mean(np.abs(response) ** 2), rel=0.1)


def test_tasks_differ_as_they_say_and_sessions_by_drift() -> None:
    def alpha(task: str, channel: int) -> float:
        """Mean over subjects of the power at 8 to 12 Hz."""
        found = []
        for subject in range(30):
            line = eeg_process.head(1, subject, task, 0, 0.0).coefficients[channel]
            found.append(np.mean(np.abs(freqz([1.0], line, worN=np.linspace(8, 12, 20), fs=eeg.RATE)[1]) ** 2))
        return float(np.exp(np.mean(np.log(found))))

    # Rotating works the right side, composing the left one.
    left, right = eeg.CHANNELS.index("P3"), eeg.CHANNELS.index("P4")
    assert alpha("rotation", right) / alpha("baseline", right) < alpha("rotation", left) / alpha("baseline", left)
    composing = alpha("letter-composing", left) / alpha("baseline", left)
    assert composing < alpha("letter-composing", right) / alpha("baseline", right)
    still = [eeg_process.head(1, 1, "rotation", session, 0.0) for session in (0, 1)]
    np.testing.assert_array_equal(still[0].coefficients, still[1].coefficients)
    moved = [eeg_process.head(1, 1, "rotation", session, 0.3) for session in (0, 1)]
    assert np.abs(moved[0].coefficients - moved[1].coefficients).max() > 1e-3


def test_generated_windows_are_a_draw_of_each_task() -> None:
    made, tasks = make("e", "eeg_process", {"subjects": 2, "recordings": 1}, None, 5)
    assert len(made) == 2 * 5 * 10
    assert made.lengths.tolist() == [125] * 100
    assert [task.n_clusters for task in tasks] == [5, 5]
    assert made.labels is not None
    assert made.groups is not None
    for task in tasks:
        assert set(made.groups[task.indices]) == {task.name[-1]}
        assert set(np.unique(made.labels[task.indices], return_counts=True)[1]) == {10}
    assert len(set(made.ids.tolist())) == 100
    # Another subject does not change the others; another seed changes everything.
    fewer, _ = make("e", "eeg_process", {"subjects": 1, "recordings": 1}, None, 5)
    np.testing.assert_array_equal(fewer.values, made.subset(tasks[0].indices).values)
    other, _ = make("e", "eeg_process", {"subjects": 1, "recordings": 1}, None, 6)
    assert not np.isclose(other.values, fewer.values).any(axis=1).all()


@pytest.mark.slow
def test_mental_tasks_are_neither_trivial_nor_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    """A supervised check of the generator: a linear classifier of the powers of bands in half a second."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.model_selection import StratifiedKFold, cross_val_score

    monkeypatch.setattr(eeg_process, "PER_TASK", 60)
    made, tasks = eeg_process.generate(1, 3, 2, 5, 125, 0.2)
    f = np.fft.rfftfreq(125, 1 / eeg.RATE)
    edges = (1, 4, 8, 13, 30, 60)
    rows = []
    for window in made:
        power = np.abs(np.fft.rfft(window * np.hanning(125)[:, None], axis=0)) ** 2
        rows.append(np.log([power[(f >= low) & (f < high)].mean(axis=0) for low, high in pairwise(edges)]).ravel())
    assert made.labels is not None
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    rule = LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto")
    for task in tasks:
        right = cross_val_score(rule, np.array(rows)[task.indices], made.labels[task.indices], cv=folds).mean()
        assert 0.4 < right < 0.8
