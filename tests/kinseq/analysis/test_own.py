"""Your own data in, clusters out: choices, bad input, prediction, the page."""

from __future__ import annotations

import csv
import pickle
import re
from dataclasses import fields
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

import kinseq
from kinseq import api as own
from kinseq import measures
from kinseq.analysis import limits
from kinseq.analysis.prediction import cross
from kinseq.analysis.views import View, common_states, left_out_likelihood, own_states
from kinseq.clustering import spectral
from kinseq.core.errors import DataError, ParameterError
from kinseq.core.graphs.kmeans import relabel
from kinseq.core.sequences import SequenceSet
from kinseq.features.frames import SequenceMoments, averaged
from kinseq.measures import fusion
from kinseq.measures.computing import compute
from kinseq.measures.registry import MeasureInput, get
from kinseq.metrics import ari, groupings
from kinseq.metrics.internal import MIN_STRUCTURE, Stability
from kinseq.readers.writers import write_folder
from kinseq.report import writing
from kinseq.report.page import to_html
from kinseq.report.writing import content_of
from tests.reading import read_folder
from tests.sentences import Recorded

KINDS = 3


def waves(each: int = 8, length: int = 60, seed: int = 0) -> list[np.ndarray]:
    """Sequences of three kinds in columns of two units: two levels each, which change at random."""
    rng = np.random.default_rng(seed)
    sequences = []
    for i in range(each * KINDS):
        frames = length + i % 5
        changes = rng.random(frames) < (0.2, 0.5, 0.8)[i % KINDS]
        level = 4.0 * (i % KINDS) + (-1.0) ** np.cumsum(changes)
        noise = rng.normal(scale=0.2, size=(frames, 2))
        sequences.append((np.column_stack([level, -level]) + noise) * [1.0, 500.0])
    return sequences


TRUTH = np.tile(np.arange(KINDS), 8)


@pytest.fixture(scope="module")
def found() -> own.Clustering:
    return kinseq.cluster(waves(), measure="ssd_joint,kl_ll", n_resamples=10)


def test_clear_clusters_are_found_and_their_number_is_suggested(found: own.Clustering) -> None:
    assert found.n_clusters == KINDS
    assert ari(TRUTH, found.labels) == 1.0
    assert found.numbers is not None
    assert found.numbers.candidates == (KINDS,)
    assert found.decision.by is not None
    assert found.decision.by.grouping.is_clear
    assert found.decision.structure is None
    assert found.numbers.best == KINDS == 2 + found.numbers.silhouette.argmax()
    # Clear groups are not compared with chance; the comparison is computed on first use.
    assert (found.numbers.expected, found.numbers.p_value) == (None, None)
    assert found.details.candidates == {}
    assert found.details.corrected is not None
    assert found.details.corrected > MIN_STRUCTURE
    again = kinseq.cluster(waves(), KINDS, measure=found.views[0].measure.name, n_resamples=10)
    assert again.numbers.expected is None
    assert again.details.corrected == pytest.approx(found.details.corrected)
    assert not any("without clusters" in text for text in found.warnings())
    assert found.stability is not None
    assert found.stability.jaccard.min() > 0.75


def test_the_matrix_is_that_of_the_measure_on_what_was_compared(found: own.Clustering) -> None:
    for view in found.views:
        ordered = found.sequences.subset(found.ordering.positions)
        plain = compute(view.measure.name, ordered, random_state=0, **view.fit)
        np.testing.assert_array_equal(view.distance, found.ordering.restore_matrix(plain))
    np.testing.assert_array_equal(found.distance, found.views[0].distance)


def test_columns_are_scaled_over_the_whole_set(found: own.Clustering) -> None:
    np.testing.assert_allclose(found.sequences.values.mean(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(found.sequences.values.std(axis=0), 1.0)
    kept = own.cluster(waves(2), 2, scale="none")
    np.testing.assert_array_equal(kept.sequences.values, np.concatenate(waves(2)))


def test_levels_are_pointed_out_and_never_taken_out_unasked() -> None:
    rng = np.random.default_rng(2)
    flat = [rng.normal(size=(50, 2)) for _ in range(8)]
    moved = [np.add(frames, [0.0, 2.0 * i]) for i, frames in enumerate(flat)]
    # Means of 0, 2, ... 14 in one of two columns: variance 21 between, 1 within.
    assert SequenceMoments.of(SequenceSet.from_arrays(moved)).pooled()[2].mean() == pytest.approx(
        0.5 * (21 / 22 + 1 / 50), abs=0.02
    )

    def told(arrays: list[Any], **options: Any) -> list[str]:
        return [
            why for what, _, why in own.cluster(arrays, 2, "dtw", **options).choices if what == "scale of the columns"
        ]

    assert not any("of the variance" in why for why in told(flat))
    assert any("49% of the variance" in why and "per_sequence" in why for why in told(moved))
    assert not any("of the variance" in why for why in told(moved, scale="per_sequence"))
    assert SequenceMoments.of(SequenceSet.from_arrays([np.zeros((3, 1))] * 2)).pooled()[2] == 0.0


def test_every_choice_is_told_with_its_reason(found: own.Clustering) -> None:
    text = {what: (value, why) for what, value, why in found.choices}
    assert "units" in text["scale of the columns"][1]
    assert "BIC" in text["ssd_joint: common model"][1]
    assert "left out" in text["kl_ll: model of each sequence"][1]
    assert "silhouette" in text["number of clusters"][1]
    given = own.cluster(waves(2), 2, measure="ssd", n_states=3)
    assert ("number of clusters", "2", "given") in given.choices
    assert ("ssd: common model", "3 states", "given") in given.choices


def test_white_noise_needs_no_second_state() -> None:
    rng = np.random.default_rng(1)
    sequences = SequenceSet.from_arrays([rng.normal(size=(60, 2)) for _ in range(10)])
    assert own_states(sequences, None, 0)[0] == {"n_states": 1, "covariance": "diag", "startprob": "flat"}
    assert common_states(sequences, None, 0)[0] == {"n_states": 2}


def paths(n: int, length: int, d: int) -> SequenceSet:
    """Two levels, and within each a smooth path of each sequence's own: frames that are far from independent."""
    rng, time = np.random.default_rng(2), np.linspace(0.0, 1.0, length)[:, None]
    level = np.where(time < 0.5, -3.0, 3.0)
    waves = [np.cos(np.pi * (rng.uniform(1, 3, d) * time + rng.uniform(0, 2, d))) for _ in range(n)]
    return SequenceSet.from_arrays([level + wave + rng.normal(scale=0.1, size=wave.shape) for wave in waves])


def test_dependent_frames_do_not_buy_full_covariances() -> None:
    from kinseq.models.hmm import fit_bank
    from kinseq.models.selection import n_parameters

    given = paths(12, 40, 6)
    bic = {}
    for covariance in ("diag", "full"):
        bank = fit_bank(given, 2, covariance=covariance, random_state=1)
        assert bank.loglik is not None
        cost = n_parameters(2, 6, bank.full) * np.log(given.lengths).sum()
        bic[covariance] = cost - 2.0 * bank.loglik.sum()
    # The BIC counts 40 observations for one path, and would use the covariances of that path.
    assert bic["full"] < bic["diag"]
    assert own_states(given, None, 0)[0]["covariance"] == "diag"


def test_correlated_features_that_sequences_share_get_full_covariances() -> None:
    rng = np.random.default_rng(2)
    mixing = np.linalg.cholesky(np.full((4, 4), 0.9) + 0.1 * np.eye(4)).T
    given = SequenceSet.from_arrays([rng.normal(size=(100, 4)) @ mixing for _ in range(6)])
    assert own_states(given, None, 0)[0] == {"n_states": 1, "covariance": "full", "startprob": "flat"}


def test_left_out_likelihood_is_that_of_the_mixture_of_the_others() -> None:
    loglik = np.log([[0.9, 0.2, 0.3], [0.1, 0.8, 0.5], [0.4, 0.6, 0.7]])
    expected = np.log((0.1 + 0.4) / 2) + np.log((0.2 + 0.6) / 2) + np.log((0.3 + 0.5) / 2)
    assert left_out_likelihood(loglik, ~np.eye(3, dtype=bool)) == pytest.approx(expected)
    # The first two are equal, and only the third supports them.
    twins = np.array([[0, 0, 1], [0, 0, 1], [1, 1, 0]], dtype=bool)
    expected = np.log(0.4) + np.log(0.6) + np.log((0.3 + 0.5) / 2)
    assert left_out_likelihood(loglik, twins) == pytest.approx(expected)
    assert left_out_likelihood(loglik, np.zeros((3, 3), dtype=bool)) == 0.0


def test_equal_sequences_and_single_frames_get_the_least_model() -> None:
    least = {"n_states": 1, "covariance": "diag", "startprob": "flat"}
    assert own_states(SequenceSet.from_arrays([np.arange(12.0).reshape(6, 2)] * 4), None, 0)[0] == least
    points = [np.full((1, 3), float(i)) for i in range(4)]
    assert own_states(SequenceSet.from_arrays(points), None, 0)[0]["n_states"] == 1


def test_same_seed_same_result_whatever_the_threads(found: own.Clustering) -> None:
    again = own.cluster(waves(), measure=["ssd_joint", "kl_ll"], n_resamples=10, n_jobs=2)
    np.testing.assert_array_equal(again.distance, found.distance)
    np.testing.assert_array_equal(again.labels, found.labels)


@pytest.mark.parametrize("measure", ["ssd", "kl_ll", "kl_ll_ms", "fisher", "dtw", "yy", "ppk"])
def test_prediction(measure: str) -> None:
    old, new = waves(6), waves(3, seed=5)
    states = {} if measure == "dtw" else {"n_states": 4 if measure == "ssd" else 2}
    result = own.cluster(old, KINDS, measure=measure, **states)
    again = cross(result, result.scaling.apply(SequenceSet.from_arrays(old)))
    # New sequences that are old ones have the old dissimilarities.
    np.testing.assert_allclose(again, result.distance, rtol=1e-6, atol=1e-6)
    together = result.predict(new)
    np.testing.assert_array_equal([result.predict([sequence])[0] for sequence in new], together)
    if measure in ("ssd", "kl_ll"):
        names = [int(result.labels[i]) for i in range(KINDS)]
        np.testing.assert_array_equal(together, np.tile(names, 3))


def test_prediction_refuses_what_has_no_answer(recorded: Recorded) -> None:
    result = own.cluster(waves(3), 2, measure="sym_neg")
    with pytest.raises(ParameterError, match="whole set"):
        result.predict(waves(1))
    result = own.cluster(waves(3), 2)
    with recorded.raises(DataError):
        result.predict([np.zeros((5, 1))])


def test_few_sequences() -> None:
    two = own.cluster(waves()[:2])
    assert two.n_clusters == 1
    assert any("too few" in note for note in two.notes)
    assert sorted(own.cluster(waves()[:2], 2).labels.tolist()) == [0, 1]
    three = own.cluster(waves()[:3])
    # Three sequences cannot be significant.
    assert three.n_clusters == 1
    with pytest.raises(DataError, match="single sequence"):
        own.cluster(waves()[:1])
    with pytest.raises(ParameterError, match=r"n_clusters is 5 .*2"):
        own.cluster(waves()[:2], 5)


def test_identical_sequences_are_one_cluster(recorded: Recorded) -> None:
    result = own.cluster([waves()[0]] * 6, measure="ssd,kl_ll", n_states=2)
    assert result.n_clusters == 1
    recorded.within("\n".join(result.notes))
    assert result.stability is None


def test_files_of_one_frame_are_left_out_and_named(tmp_path: Path) -> None:
    for i, frames in enumerate([*waves(2), np.zeros((1, 2))]):
        np.savetxt(tmp_path / f"s{i}.csv", frames, delimiter=",", header="x,y", comments="")
    result = own.cluster(tmp_path, 2)
    assert len(result.labels) == 6
    assert any("single frame" in note and "s6" in note for note in result.notes)


def test_of_sequences_in_memory_none_is_left_out(recorded: Recorded) -> None:
    given: list[np.ndarray] = [*waves(2), np.zeros((1, 2))]
    table = []
    for i, frames in enumerate(given):
        table.append(pandas.DataFrame(frames, columns=["x", "y"]).assign(id=f"s{i}"))
    for data in (given, SequenceSet.from_arrays(given), pandas.concat(table)):
        with recorded.raises(DataError):
            own.cluster(data, 2)
        with recorded.raises(DataError):
            kinseq.SequenceClustering(n_clusters=2).fit(data)
    assert len(own.cluster(given, 2, measure="dtw").labels) == 7
    with pytest.raises(DataError, match="single frame"):
        own.cluster([np.zeros((1, 2))] * 4, layout="channels_last")


def test_means_of_blocks_stand_for_long_sequences_where_they_are_aligned() -> None:
    sequences = waves(4)
    given = SequenceSet.from_arrays(sequences)
    most = int(np.median(given.lengths)) // 3 + 1
    result = own.cluster(sequences, KINDS, "dtw", max_frames=most, scale="none")
    np.testing.assert_allclose(result.distance, compute("dtw", averaged(given, 3)))
    np.testing.assert_array_equal(result.sequences.values, given.values)
    (note,) = (note for note in result.notes if "means of" in note)
    assert "means of 3 frames" in note
    # New sequences are averaged alike, even if they are short.
    np.testing.assert_allclose(cross(result, given), result.distance)
    np.testing.assert_array_equal(result.predict(sequences), result.labels)
    whole = own.cluster(sequences, KINDS, "dtw", max_frames=None, scale="none")
    np.testing.assert_allclose(whole.distance, compute("dtw", given))
    assert not any("means of" in note for note in whole.notes)


@pytest.mark.parametrize("measure", ["spectrum", "statistics", "properties", "pooled"])
def test_spectra_and_properties_are_of_every_frame(measure: str) -> None:
    sequences = waves(4)
    short, whole = (own.cluster(sequences, KINDS, measure, max_frames=most) for most in (5, None))
    np.testing.assert_array_equal(short.distance, whole.distance)


def test_a_fusion_averages_before_it_aligns_and_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waves of 3 and 4 frames, of which means of 12 frames leave nothing, are told apart by their spectra."""
    random, time = np.random.default_rng(0), np.arange(400)
    sequences = [
        np.sin(2.0 * np.pi * (time / (3.0 + i % 2) + random.uniform()))[:, None] + 0.1 * random.normal(size=(400, 1))
        for i in range(12)
    ]
    monkeypatch.setattr(fusion, "ALIGNED_FRAMES", 34)
    data = SequenceSet.from_arrays(sequences)
    parts = get("elastic").components(MeasureInput(data, seed=0), **get("elastic").params)
    np.testing.assert_array_equal(
        parts["spectrum"].sequences.values, data.subset(fusion.by_content(data).positions).values
    )
    assert set(parts["dtw_delta"].sequences.lengths.tolist()) == {34}
    assert ari([i % 2 for i in range(12)], own.cluster(sequences, 2, "spectrum").labels) == 1.0


def test_many_sequences_use_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_EXAMINED", 15)
    monkeypatch.setattr(limits, "MAX_COUNTED_ON", 15)
    monkeypatch.setattr(writing, "MAX_DRAWN", 15)
    result = own.cluster(waves(), KINDS)
    assert ari(TRUTH, result.labels) == 1.0
    assert result.numbers is not None
    assert result.numbers.n_items == 15
    assert len(content_of(result).positions) <= 15


def noise(n: int, seed: int = 0) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [rng.normal(size=(30, 2)) for _ in range(n)]


def test_noise_is_one_cluster_and_the_page_shows_what_comes_nearest(tmp_path: Path, recorded: Recorded) -> None:
    result = own.cluster(noise(30), measure="statistics", n_resamples=3, max_clusters=5)
    assert result.n_clusters == 1
    ((number, labels),) = result.details.candidates.items()
    assert np.unique(labels).size == number
    recorded.within("\n".join(result.warnings()))
    text = result.report(tmp_path / "page").read_text(encoding="utf-8")
    recorded.within(text)
    assert "<h3>How many clusters?</h3>" in text
    recorded.within(text)


def test_the_page_warns_where_most_sequences_are_in_unstable_clusters() -> None:
    result = own.cluster(waves(4), KINDS, measure="statistics", n_resamples=2)
    result.views[0].labels = np.tile(np.arange(KINDS), 4)

    def said(jaccard: list[float]) -> list[str]:
        result.__dict__["stability"] = Stability(np.array(jaccard), 0.5, 2, 12)
        return [text for text in result.warnings() if "bootstrap" in text]

    assert said([0.9, 0.9, 0.1]) == []
    (some,) = said([0.1, 0.9, 0.1])
    assert some.startswith("67% of the sequences")
    assert some.endswith("number 1, 3")
    (every,) = said([0.1, 0.2, 0.1])
    assert every.startswith("no cluster is stable")


def test_a_number_that_was_given_is_not_compared_with_chance(tmp_path: Path, recorded: Recorded) -> None:
    result = own.cluster(noise(12), 3, measure="statistics", n_resamples=3)
    assert result.n_clusters == 3
    assert result.numbers is not None
    assert result.numbers.expected is None
    assert result.details.candidates == {}
    # The comparison with chance is computed on first use.
    assert result.details.corrected is not None
    assert result.details.corrected < MIN_STRUCTURE
    assert any("sequences without clusters" in text for text in result.warnings())
    recorded.within(result.report(tmp_path / "page").read_text(encoding="utf-8"))


def test_arguments(recorded: Recorded) -> None:
    with recorded.raises(ParameterError):
        own.cluster(waves(2), measure="sdd")
    with pytest.raises(ParameterError, match="none twice"):
        own.cluster(waves(2), measure="ssd,ssd")
    with recorded.raises(ParameterError):
        own.cluster(waves(2), state=3)
    with pytest.raises(ParameterError, match="unknown scale"):
        own.cluster(waves(2), scale="minmax")
    with recorded.raises(ParameterError):
        own.cluster(waves(2), measure="kl_ll_ms")
    with recorded.raises(DataError):
        own.cluster("nowhere/at all")


def test_disagreement_is_told(found: own.Clustering) -> None:
    assert not any("disagree" in text for text in found.warnings())
    shuffled = np.sort(found.labels)
    result = own.Clustering(**{**vars_of(found), "views": [found.views[0], moved(found.views[1], shuffled)]})
    assert any(text.startswith(f"{measures.get('ssd_joint').label} and KL disagree") for text in result.warnings())


def moved(view: View, labels: np.ndarray) -> View:
    return View(view.measure, view.distance, labels, view.findings, view.choice, view.fit, view.models)


def vars_of(result: own.Clustering) -> dict[str, object]:
    return {entry.name: getattr(result, entry.name) for entry in fields(result) if entry.init}


# --- order of the sequences -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", ["fusion", "ssd", "ssd_joint", "kl_ll", "dtw"])
@pytest.mark.parametrize("n_clusters", [None, 3])
def test_the_order_of_the_sequences_changes_nothing(measure: str, n_clusters: int | None) -> None:
    rng = np.random.default_rng(7)
    # Noise with little structure: a last digit or a tie could decide. Two sequences occur several times.
    sequences = [rng.normal(0.8 * (i % 3), 1.0, (20 + i % 4, 2)) * [1.0, 30.0] for i in range(14)]
    sequences += [sequences[3].copy(), sequences[3].copy(), sequences[8].copy()]
    order = rng.permutation(len(sequences))
    one = own.cluster(sequences, n_clusters, measure, n_resamples=5)
    other = own.cluster([sequences[i] for i in order], n_clusters, measure, n_resamples=5)
    np.testing.assert_array_equal(other.distance, one.distance[np.ix_(order, order)])
    np.testing.assert_array_equal(other.labels, one.labels[order])
    np.testing.assert_array_equal(other.sequences[0], one.sequences[order[0]])
    assert other.choices == one.choices
    if one.stability is not None and other.stability is not None:
        np.testing.assert_array_equal(other.stability.jaccard, one.stability.jaccard)
    # Equal sequences are in one cluster and equally far from everything.
    assert one.labels[3] == one.labels[14] == one.labels[15]
    others = np.setdiff1d(np.arange(17), [3, 14, 15])
    np.testing.assert_array_equal(one.distance[3, others], one.distance[15, others])
    new = [rng.normal(0.8, 1.0, (20, 2)) * [1.0, 30.0] for _ in range(3)]
    np.testing.assert_array_equal(other.predict(new), one.predict(new))


def test_what_is_found_belongs_to_the_sequence_it_stands_beside() -> None:
    ids = [f"n{i}" for i in range(24)]
    given = SequenceSet.from_arrays(waves(), ids=ids, labels=TRUTH)
    result = own.cluster(given, KINDS, "ssd", n_states=8)
    assert result.sequences.ids.tolist() == ids
    np.testing.assert_array_equal(result.sequences.labels, TRUTH)  # type: ignore[arg-type]
    np.testing.assert_array_equal(result.sequences.values, result.scaling.apply(given).values)
    assert result.scores["ssd"]["adjusted Rand index"] == 1.0


# --- arrays -----------------------------------------------------------------------------------------------------------


def test_labels_of_arrays_are_used() -> None:
    result = own.cluster(waves(), KINDS, "ssd", n_states=8, labels=[f"k{t}" for t in TRUTH])
    assert result.scores["ssd"]["clustering error (%)"] == 0.0
    assert "labels=labels" in result.details.repeat()
    given = SequenceSet.from_arrays(waves(2), labels=TRUTH[:6])
    assert own.cluster(given, 2).scores
    assert not own.cluster(given, 2, labels=None).scores


def test_layout_is_told_and_taken() -> None:
    stacked = np.array([sequence[:60] for sequence in waves(2)])
    plain = own.cluster(stacked, 2)
    assert (
        "layout of the arrays",
        "6 sequences of 60 frames with 2 features",
        "arrays are taken for (time, channels)",
    ) in (plain.choices)
    turned = own.cluster(np.swapaxes(stacked, 1, 2), 2, layout="channels_first")
    np.testing.assert_array_equal(turned.distance, plain.distance)
    np.testing.assert_array_equal(turned.predict(np.swapaxes(stacked, 1, 2)), plain.predict(stacked))
    assert any("'channels_first' given" in why for _, _, why in turned.choices)


def test_columns_of_tables_are_joined_by_name(recorded: Recorded) -> None:
    sequences = waves(2)
    tables = [pandas.DataFrame(sequence, columns=["mV", "rpm"]) for sequence in sequences]
    turned = [table[["rpm", "mV"]] if i % 2 else table for i, table in enumerate(tables)]
    result = own.cluster(turned, 2)
    np.testing.assert_array_equal(result.distance, own.cluster(sequences, 2).distance)
    np.testing.assert_array_equal(result.predict([table[["rpm", "mV"]] for table in tables]), result.labels)
    with recorded.raises(DataError):
        result.predict([tables[0].rename(columns={"rpm": "kW"})])


def test_a_collapse_is_told_with_the_remedy() -> None:
    rng = np.random.default_rng(0)
    far = [rng.normal(size=(60, 2)) + 50.0 * (i % 2) for i in range(8)]
    result = own.cluster(far, measure="ssd", n_states=2)
    assert any("ssd_joint" in text and "16 of 28 pairs" in text for text in result.warnings())
    assert any("under this measure" in why for what, _, why in result.choices if what == "number of clusters")
    seen = own.cluster(far, measure="ssd_joint", n_states=2)
    assert seen.n_clusters == 2
    assert ari(np.arange(8) % 2, seen.labels) == 1.0
    assert not any("pairs" in text for text in seen.warnings())


def test_huge_and_tiny_values_are_scaled() -> None:
    plain = own.cluster(waves(2), 2, "ssd", n_states=2)
    for unit in (2.0**664, 2.0**-664):  # of about 1e200 and 1e-200, without rounding
        scaled = own.cluster([unit * sequence for sequence in waves(2)], 2, "ssd", n_states=2)
        np.testing.assert_allclose(scaled.distance, plain.distance, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("measure", ["fusion", "kl_ll", "ssd"])
@pytest.mark.parametrize("scale", ["zscore", "per_sequence"])
def test_the_unit_of_the_data_changes_nothing_but_rounding(measure: str, scale: str) -> None:
    rng = np.random.default_rng(7)
    # Noise: models have many local optima, and another start would reach another one.
    sequences = [rng.normal(0.8 * (i % 3), 1.0, (20 + i % 4, 2)) for i in range(15)]
    plain = own.cluster(sequences, 3, measure, scale=scale, n_states=2, n_resamples=2)
    for unit in (1e-200, 3.0, 1e200):
        other = own.cluster([frames * [unit, 7.0] for frames in sequences], 3, measure, scale=scale, n_states=2)
        np.testing.assert_allclose(other.distance, plain.distance, rtol=1e-9, atol=1e-9 * plain.distance.max())
        np.testing.assert_array_equal(other.labels, plain.labels)
        np.testing.assert_array_equal(
            other.predict([frames * [unit, 7.0] for frames in sequences[:4]]), plain.predict(sequences[:4])
        )


@pytest.mark.filterwarnings("ignore::kinseq.core.errors.KinseqWarning")
@pytest.mark.parametrize(
    "measure",
    [
        name
        for name in measures.names()
        if measures.get(name).requires != "tokens" and "numbers" in measures.get(name).accepts
    ],
)
def test_neither_units_nor_columns_without_change_play_a_part(measure: str) -> None:
    rng = np.random.default_rng(7)
    sequences = [rng.normal(0.8 * (i % 2), 1.0, (12 + i % 3, 2)) for i in range(6)]
    of_states = "hmm" in measures.get(measure).model_kinds and measures.get(measure).requires != "sequences"
    asked = {"n_clusters": 2, "measure": measure, "n_resamples": 2, **({"n_states": 2} if of_states else {})}
    plain = own.cluster(sequences, **asked)
    scale = plain.distance.max()
    changed = {
        "units": [frames * [3.0, 7e-9] + [1.0, 0.0] for frames in sequences],
        "idle": [np.column_stack([np.full(len(frames), 7.3), frames]) for frames in sequences],
    }
    for name, given in changed.items():
        other = own.cluster(given, **asked)
        # SYM is a difference of large likelihoods.
        np.testing.assert_allclose(other.distance, plain.distance, rtol=1e-9, atol=1e-5 * scale, err_msg=name)
        assert ari(other.labels, plain.labels) == 1.0
        assert any("left out 1 column" in note for note in other.notes) == (name == "idle")


def test_columns_without_change_by_scale_and_door(recorded: Recorded) -> None:
    rng = np.random.default_rng(8)
    arrays = [rng.normal(2.0 * (i % 2), 1.0, (12 + i % 3, 2)) for i in range(8)]
    # The age of a person changes between sequences only; a whole number would be an attribute instead of data.
    aged = [
        np.column_stack([frames, np.full(len(frames), 20.5 + i), np.full(len(frames), 5.0)])
        for i, frames in enumerate(arrays)
    ]
    tables = [pandas.DataFrame(frames, columns=["x", "y", "age", "site"]) for frames in aged]
    everywhere = own.cluster(tables, 2, "dtw")
    recorded.within("\n".join(everywhere.notes))
    by_itself = own.cluster(tables, 2, "dtw", scale="per_sequence")
    recorded.within("\n".join(by_itself.notes))
    plain = own.cluster(arrays, 2, "dtw", scale="per_sequence")
    np.testing.assert_allclose(by_itself.distance, plain.distance, rtol=1e-12)
    # New sequences have all columns, in any order.
    turned = [table[["site", "y", "age", "x"]] for table in tables]
    np.testing.assert_array_equal(everywhere.predict(turned), everywhere.labels)
    with pytest.raises(DataError, match=r"2 features .*from 4"):
        everywhere.predict(arrays)
    assert everywhere.original.n_features == 4
    # Unscaled columns are kept; a user's function sees every column, since it may count them.
    as_they_are = own.cluster(tables, 2, "dtw", scale="none")
    assert not as_they_are.details.is_scaled
    np.testing.assert_allclose(
        as_they_are.distance, own.cluster([a[:, :3] for a in aged], 2, "dtw", scale="none").distance, rtol=1e-12
    )
    of_age = own.cluster(aged, 2, lambda x, y: abs(x[0, 2] - y[0, 2]) + 0.0 * x[0, 3], scale="none")
    assert of_age.distance[0, 7] == 7.0
    # If nothing changes at all, nothing is left out.
    still = [np.full((4 + i % 2, 2), 3.0) for i in range(6)]
    assert not any("left out" in text for text in own.cluster(still, 2, "statistics").notes)


# --- files ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    ids = [f"été {i} <&>" for i in range(24)]
    path = tmp_path / "mes données"
    write_folder(path, SequenceSet.from_arrays(waves(), ids=ids, labels=[f"k{t}" for t in TRUTH]))
    return path


def test_columns_that_follow_from_others_are_left_out_where_features_are_counted(recorded: Recorded) -> None:
    rng = np.random.default_rng(4)
    items = [rng.normal(1.5 * (i % 2), 1.0, size=(12 + i, 2)) for i in range(8)]
    wider = [np.column_stack([x, x @ [2.0, -1.0]]) for x in items]
    new = [np.column_stack([x, x @ [2.0, -1.0]]) for x in [rng.normal(1.5, 1.0, size=(15, 2))]]
    plain, found = (kinseq.cluster(data, 2, "wang_j") for data in (items, wider))
    np.testing.assert_allclose(found.distance, plain.distance, rtol=1e-9)
    recorded.within("\n".join(found.notes))
    assert not any("left out" in note for note in plain.notes)
    np.testing.assert_array_equal(found.predict(new), plain.predict([x[:, :2] for x in new]))
    # A measure that does not count them uses them all.
    other = kinseq.cluster(wider, 2, "mmd")
    assert not any("left out" in note for note in other.notes)
    fitted = kinseq.SequenceClustering(2, "wang_j", clusterer="mcl", random_state=0).fit(wider)
    recorded.within("\n".join(fitted.notes_))
    np.testing.assert_allclose(fitted.distance_, plain.distance, rtol=1e-9)
    # Alone, the measure uses the given features, as the document does.
    assert (kinseq.measures.compute("wang_j", wider) > 1.2 * kinseq.measures.compute("wang_j", items))[0, 1]


def test_written_folder_is_read_back(folder: Path) -> None:
    sequences, _ = read_folder(folder)
    np.testing.assert_array_equal(sequences.values[sequences.offsets[0] : sequences.offsets[1]], waves()[0])
    assert sorted(sequences.labels.tolist()) == sorted(f"k{t}" for t in TRUTH)  # type: ignore[union-attr]


class _Page(HTMLParser):
    """Collects addresses of what is loaded, links to be followed, open tags and text."""

    VOID = frozenset({"meta", "img", "br", "link", "input", "hr"})

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.links: list[str] = []
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = [value or "" for name, value in attrs if name in ("src", "href", "xlink:href")]
        (self.links if tag == "a" else self.addresses).extend(found)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_holds_everything_and_loads_nothing(folder: Path, tmp_path: Path) -> None:
    result = own.cluster(folder, measure="ssd,kl_ll", n_resamples=5)
    page = result.report(tmp_path / "out")
    text = page.read_text(encoding="utf-8")
    parsed = _Page()
    parsed.feed(text)
    assert not parsed.open
    assert all(address.startswith(("data:", "#")) for address in parsed.addresses)
    assert all(link.startswith(("data:", "#")) for link in parsed.links)
    assert not re.search(r"url\((?!#|\"?data:)", text)
    for heading in (
        "Map",
        "Do the measures agree?",
        "Against your labels",
    ):
        assert f"<h2>{heading}</h2>" in text
    assert "<h3>Heat map</h3>" in text
    assert "été 3 <&>.csv" in parsed.text
    assert result.details.repeat() in parsed.text
    assert "n_clusters" not in result.details.repeat()
    for file in ("heatmap.png", "map.png", "dendrogram.png"):
        assert (page.parent / file).read_bytes().startswith(b"\x89PNG")


def test_the_tables_beside_the_page(folder: Path, tmp_path: Path) -> None:
    result = own.cluster(folder, KINDS, measure="ssd,kl_ll", n_resamples=5)
    result.report(tmp_path)
    with (tmp_path / "partition.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["id"] for row in rows] == result.sequences.ids.tolist()
    assert [int(row["cluster"]) - 1 for row in rows] == result.labels.tolist()
    assert sum(row["typical"] == "yes" for row in rows) == KINDS
    nearest = result.distance + np.diag(np.full(24, np.inf))
    assert [row["neighbour_1"] for row in rows] == result.sequences.ids[nearest.argmin(axis=1)].tolist()
    with (tmp_path / "distance.csv").open(encoding="utf-8", newline="") as stream:
        lines = list(csv.reader(stream))
    assert lines[0][1:] == result.sequences.ids.tolist()
    np.testing.assert_allclose(np.array([line[1:] for line in lines[1:]], dtype=float), result.distance, rtol=1e-5)
    with np.load(tmp_path / "distance.npz") as archive:
        np.testing.assert_array_equal(archive["ssd"], result.distance)
        np.testing.assert_array_equal(archive["kl_ll"], result.views[1].distance)


def test_the_page_is_the_same_every_time(folder: Path, tmp_path: Path) -> None:
    pages = [own.cluster(folder, 3, n_resamples=3).report(tmp_path / str(i)) for i in range(2)]
    assert pages[0].read_bytes() == pages[1].read_bytes()


def test_scores_are_over_the_labelled_half(folder: Path, tmp_path: Path, recorded: Recorded) -> None:
    lines = (folder / "labels.csv").read_text(encoding="utf-8").splitlines()
    (folder / "labels.csv").write_text("\n".join(lines[:13]) + "\n", encoding="utf-8")
    result = own.cluster(folder, KINDS, measure="ssd", n_states=8, n_resamples=5)
    assert result.details.labelled.size == 12
    assert result.scores["ssd"]["adjusted Rand index"] == 1.0
    names, table = result.details.confusion()
    assert names == ["k0", "k1", "k2"]
    assert table.sum() == 12
    recorded.within(result.report(tmp_path).read_text(encoding="utf-8"))


def test_prediction_from_a_folder(folder: Path) -> None:
    result = own.cluster(folder, KINDS)
    np.testing.assert_array_equal(result.predict(folder), result.labels)


@pytest.mark.parametrize("n_clusters", [1, 2, 6])
def test_pages_of_extreme_partitions(n_clusters: int, tmp_path: Path) -> None:
    result = own.cluster(waves(2), n_clusters, n_resamples=3)
    assert result.report(tmp_path / "page.html").stat().st_size > 10_000
    assert len(result.plot().axes) >= 4


def test_the_page_of_many_is_bounded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, recorded: Recorded) -> None:
    monkeypatch.setattr(limits, "MAX_EXAMINED", 12)
    monkeypatch.setattr(writing, "MAX_DRAWN", 12)
    result = own.cluster(waves(), KINDS, n_resamples=3)
    text = result.report(tmp_path).read_text(encoding="utf-8")
    recorded.within(text)
    # Each has a dot, a row of the heat map and a small figure; consecutive rows of one cluster share a mark.
    assert text.count("<circle") == len(content_of(result).positions) <= 12
    (figures,) = re.findall(r'"thumbnails":\[(.*?)\]', text)
    assert len(figures.split(",")) == 12
    marks = re.findall(r'<rect class="k\d" x="-[\d.]+" y="\d+" width="[\d.]+" height="(\d+)"/>', text)
    assert sum(map(int, marks)) == 12


def test_the_kernel_width_is_local_unless_the_measure_is_scaled_or_a_rule_is_given(found: own.Clustering) -> None:
    assert [view.width for view in found.views] == ["local", "local"]
    view = found.views[0]
    np.testing.assert_array_equal(relabel(view.labels), spectral(view.distance, KINDS, width="local"))
    given = own.cluster(waves(), KINDS, measure="dtw", width="eigengap")
    assert ("dtw: kernel width", "eigengap", "given") in given.choices
    np.testing.assert_array_equal(relabel(given.labels), spectral(given.distance, KINDS, width="eigengap"))
    with pytest.raises(ParameterError, match="width"):
        own.cluster(waves(2), width="narrow")


def test_a_fusion_says_what_it_looks_at_and_which_view_carries_the_structure(monkeypatch: pytest.MonkeyPatch) -> None:
    # No view is clear, so all of them together are cut.
    monkeypatch.setattr(groupings, "CLEAR_SILHOUETTE", 2.0)
    result = own.cluster(waves(), KINDS, measure="fusion", n_states=2, n_resamples=5)
    assert ari(TRUTH, result.labels) == 1.0
    assert result.views[0].width == "none"
    assert result.views[0].params == {"states_each": 2, "states_common": 2, "modelled_frames": 10_000}
    carried = result.details.carriers
    assert set(carried) == set(measures.get("fusion").params["views"])
    assert list(carried.values()) == sorted(carried.values(), reverse=True)
    assert all(-1.0 <= share <= 1.0 for share in carried.values())
    np.testing.assert_array_equal(result.predict(waves(1, seed=3)), result.labels[:KINDS])
    assert "compared by fusion" in to_html(content_of(result))
    assert result.details.reference_views == []


def test_the_default_has_views_without_a_vote_that_only_the_page_looks_at(
    monkeypatch: pytest.MonkeyPatch, recorded: Recorded
) -> None:
    monkeypatch.setattr(groupings, "CLEAR_SILHOUETTE", 2.0)
    result = own.cluster(waves(), KINDS, n_resamples=5)
    assert result.views[0].measure.name == "elastic"
    assert not any("statistics" in name for name in result.views[0].findings)
    assert set(result.details.carriers) == {*measures.get("elastic").params["views"], *result.details.reference_views}
    assert set(result.details.reference_views) == set(measures.get("elastic").params["witnesses"])
    silent = own.cluster(waves(), KINDS, params={"witnesses": []}, n_resamples=5)
    np.testing.assert_array_equal(silent.distance, result.distance)
    assert set(silent.details.carriers) == set(measures.get("elastic").params["views"])
    page = to_html(content_of(result))
    # Values computed on first use are also available after loading a file.
    kept = pickle.loads(pickle.dumps(own.cluster(waves(), KINDS, n_resamples=5)))
    assert kept.details.carriers == result.details.carriers
    assert kept.details.corrected == result.details.corrected
    recorded.within(page)


def test_fewer_clusters_than_were_asked_for_are_not_as_asked(tmp_path: Path) -> None:
    a, b = (np.random.default_rng(0).normal(size=(2, 9, 2))) + np.array([0.0, 4.0])[:, None, None]
    given = [a, a.copy(), b, b.copy(), a.copy()]
    found = kinseq.cluster(given, 3, measure="dtw")
    assert found.labels.tolist() == [0, 0, 1, 1, 0]
    why = "3 were requested, but only 2 of the sequences differ"
    assert f"2 clusters: {why}" in found.notes
    assert ("number of clusters", "2", why) in found.choices
    page = found.report(tmp_path).read_text(encoding="utf-8")
    assert "as requested" not in page
    assert why in page
    assert not any("asked for" in note for note in kinseq.cluster(given, 2, measure="dtw").notes)


def test_items_that_nothing_tells_apart_share_a_cluster(recorded: Recorded) -> None:
    none = kinseq.cluster(np.zeros((6, 6)), 2, measure="precomputed")
    assert none.labels.tolist() == [0] * 6
    recorded.within(none.notes)
    blocks = np.kron(1.0 - np.eye(2), np.ones((3, 3)))
    for asked in (2, 3, 4):
        found = kinseq.cluster(blocks, asked, measure="precomputed")
        assert found.labels.tolist() == [0, 0, 0, 1, 1, 1]
        assert any("only 2 of" in note for note in found.notes) == (asked > 2)
