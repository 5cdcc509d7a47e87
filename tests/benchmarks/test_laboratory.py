"""The laboratory: sets hold what they promise, rules find what is plain, runs are taken up, the page counts as told."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from scipy.stats import kurtosis
from sklearn.metrics import silhouette_score

from kinseq.core.errors import DataError, ParameterError
from kinseq.metrics.internal import share_between
from laboratory import asking, page, running
from laboratory.__main__ import parsed, run_all
from laboratory.grid import GRID, OF_MACHINES, cases, groups_possible
from laboratory.item import Kind
from laboratory.kinds import KINDS
from laboratory.looking import FUSED, VIEWS, matrices, sights, truths
from laboratory.planted import FRAMES, OUTLIER, draw, group_sizes, outlier_count
from laboratory.rules import RULES, Matrix
from laboratory.wording import COLUMNS, RIGHT, is_right, words_of
from tests.sentences import Recorded

GROUPED = [kind for kind in KINDS.values() if kind.family in page.GROUPS]
ALONE = [kind for kind in KINDS.values() if kind.family not in page.GROUPS]


def named(kind: Kind) -> str:
    return kind.name


def pooled(kind: str, n: int = 200) -> list[np.ndarray]:
    return [frames[:, 0] for frames in draw(kind, n, 1, "none", 0).sequences]


# ---------------------------------------------------------------------------------------------------------------------
# Sets
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n, k", [(8, 2), (12, 4), (40, 3), (300, 10), (31, 10), (7, 1)])
def test_sizes_add_up_and_none_is_too_small(n: int, k: int) -> None:
    for sizes in ("equal", "unequal"):
        found = group_sizes(n, k, sizes)  # type: ignore[arg-type]
        assert found.sum() == n
        assert found.min() >= 3
        assert len(found) == k
    assert np.ptp(group_sizes(n, k)) <= 1


def test_unequal_sizes_grow_tenfold_where_they_can() -> None:
    assert group_sizes(300, 3, "unequal").tolist() == pytest.approx([300 / s for s in (14.16, 4.478, 1.416)], abs=1)
    with pytest.raises(ParameterError, match=r"8 sequences .*3 groups"):
        group_sizes(8, 3)


@pytest.mark.parametrize("kind", GROUPED, ids=named)
def test_obvious_groups_differ_in_what_they_are_said_to(kind: Kind) -> None:
    assert kind.trait is not None
    for k in {kind.least, kind.most}:
        for lengths in ("equal", "unequal"):
            planted = draw(kind.name, max(20, 4 * k), k, "obvious", 0, lengths=lengths)  # type: ignore[arg-type]
            assert np.unique(planted.labels).tolist() == list(range(k))
            traits = np.array([kind.trait(frames) for frames in planted.sequences])
            # Three periods in one kind are two groupings in one trait; each group is separated from its neighbours.
            assert silhouette_score(traits, planted.labels) >= 0.78


@pytest.mark.parametrize("kind", [kind for kind in GROUPED if len(kind.strengths) == 3], ids=named)
def test_effects_fall_from_obvious_to_hidden(kind: Kind) -> None:
    assert kind.trait is not None
    apart = []
    for effect in ("obvious", "clear", "hidden"):
        planted = draw(kind.name, 40, kind.least, effect, 0)  # type: ignore[arg-type]
        traits = np.array([kind.trait(frames) for frames in planted.sequences])
        apart.append(float(silhouette_score(traits, planted.labels)))
    assert apart == sorted(apart, reverse=True)


@pytest.mark.parametrize("kind", [kind for kind in ALONE if kind.trait is not None], ids=named)
def test_a_continuum_varies_with_its_hidden_position(kind: Kind) -> None:
    planted = draw(kind.name, 40, 1, "none", 0)
    assert kind.trait is not None
    assert planted.position is not None
    trait = np.array([kind.trait(frames)[0] for frames in planted.sequences])
    assert np.corrcoef(trait, planted.position)[0, 1] > 0.99
    assert not planted.labels.any()


def test_half_a_turn_of_phase_is_a_line_with_two_ends() -> None:
    planted = draw("any_phase", 60, 1, "none", 0)
    assert planted.position is not None
    waves = np.exp(-6j * np.pi * np.linspace(0, 1, 100))
    phases = np.angle([1j * (frames[:, 0] @ waves) for frames in planted.sequences])
    assert phases == pytest.approx(np.pi * planted.position, abs=0.15)


def test_processes_have_the_moments_that_are_told() -> None:
    for name, memory in (("white_noise", 0.0), ("ar_5", 0.5), ("ar_9", 0.9)):
        made = np.array(pooled(name))
        assert made.var() == pytest.approx(1, rel=0.1)
        assert np.mean(made[:, 1:] * made[:, :-1]) == pytest.approx(memory, abs=0.06)
    steps = np.diff(np.array(pooled("walks")), axis=1)
    assert (steps.mean(), steps.std()) == (pytest.approx(0, abs=0.02), pytest.approx(1, abs=0.02))
    tails = np.concatenate(pooled("heavy_tails"))
    # Quartiles of Student's t of 3 degrees of freedom.
    assert np.quantile(tails, 0.75) == pytest.approx(0.7649, abs=0.02)
    assert kurtosis(np.concatenate(pooled("white_noise"))) == pytest.approx(0, abs=0.1)
    assert kurtosis(tails) > 1
    phases = np.angle([frames @ np.exp(-2j * np.pi * np.arange(100) / 20) for frames in pooled("waves")])
    assert abs(np.exp(1j * phases).mean()) < 0.15


@pytest.mark.parametrize("kind", [kind for kind in ALONE if kind.family == "process"], ids=named)
def test_halves_of_a_process_do_not_differ(kind: Kind) -> None:
    """Means, spreads and speeds of the first and second half of the sequences: no F beyond one in a thousand."""
    planted = draw(kind.name, 60, 1, "none", 0, lengths="short")
    assert planted.position is None
    half = np.arange(60) < 30
    for of in (np.mean, np.std, lambda frames: np.abs(np.diff(frames)).mean()):
        share = share_between([float(of(frames[:, 0])) for frames in planted.sequences], half)
        assert 58 * share / (1 - share) < 12.0


def test_second_groupings_cross_the_first_and_hierarchies_hold_it() -> None:
    for name in ("levels_and_phases", "levels_and_periods"):
        planted = draw(name, 24, 2, "obvious", 0)
        assert planted.other is not None
        assert Counter(zip(planted.labels.tolist(), planted.other.tolist(), strict=True)) == {
            (a, b): 3 for a in range(2) for b in range(4)
        }
    planted = draw("levels_of_levels", 24, 6, "obvious", 0)
    assert planted.other is not None
    assert (planted.other == planted.labels // 2).all()
    levels = [
        np.mean([f.mean() for f, g in zip(planted.sequences, planted.labels, strict=True) if g == k]) for k in range(6)
    ]
    within, between = np.diff(levels)[::2], np.diff(levels)[1::2]
    assert within.max() < between.min() / 2


def test_two_phases_a_quarter_apart_are_a_quarter_apart() -> None:
    planted = draw("levels_and_phases", 40, 2, "obvious", 1)
    assert planted.other is not None
    waves = np.exp(-6j * np.pi * np.linspace(0, 1, 100))
    phases = np.array([1j * ((frames[:, 0] - frames.mean()) @ waves) for frames in planted.sequences])
    turned = phases * np.exp(-0.5j * np.pi * planted.other)
    assert np.abs(np.angle(turned)).max() < 0.3


@pytest.mark.parametrize("lengths", list(FRAMES))
def test_lengths_fill_their_range(lengths: Any) -> None:
    found = [len(frames) for frames in draw("level", 300, 3, "clear", 0, lengths=lengths).sequences]
    least, most = FRAMES[lengths]
    assert least <= min(found) <= least + 2
    assert most - 2 <= max(found) <= most


def test_outliers_are_counted_marked_and_far() -> None:
    assert [outlier_count(n, 0.05) for n in (8, 40, 300)] == [1, 2, 15]
    assert outlier_count(40, 0.0) == 0
    planted = draw("spread", 40, 2, "clear", 0, outliers=0.05)
    assert (planted.labels == OUTLIER).sum() == 2
    assert planted.n_groups == 2
    spreads = np.array([frames.std() for frames in planted.sequences])
    assert spreads[~planted.members].min() > spreads[planted.members].max()


def test_sets_repeat_and_every_axis_gives_others() -> None:
    def first(**other: Any) -> float:
        given: dict[str, Any] = {"kind": "level", "n": 24, "k": 2, "effect": "clear", "seed": 0, **other}
        return float(draw(**given).sequences[0][0, 0])

    others: list[dict[str, Any]] = [{}, {"n": 25}, {"k": 3}, {"effect": "hidden"}, {"seed": 1}, {"sizes": "unequal"}]
    others += [{"lengths": "unequal"}, {"outliers": 0.05}, {"kind": "trend"}]
    assert len({first(**other) for other in others}) == len(others)
    assert first() == first()


@pytest.mark.parametrize(
    "asked",
    [
        {"kind": "levle"},
        {"effect": "none"},
        {"k": 11},
        {"kind": "waves", "effect": "none"},
        {"n": 5},
        {"sizes": "odd"},
        {"outliers": 0.9},
    ],
)
def test_what_cannot_be_drawn_is_said(asked: dict[str, Any], recorded: Recorded) -> None:
    given: dict[str, Any] = {"kind": "level", "n": 24, "k": 2, "effect": "clear", "seed": 0, **asked}
    with recorded.raises(ParameterError):
        draw(**given)


# ---------------------------------------------------------------------------------------------------------------------
# The grid
# ---------------------------------------------------------------------------------------------------------------------


def test_the_grid_can_be_drawn_and_each_axis_is_even() -> None:
    every = cases()
    assert len({entry.case.key for entry in every}) == len(every)
    for case in (entry.case for entry in every):
        kind, members = KINDS[case.kind], case.n - outlier_count(case.n, case.outliers)
        assert case.effect in kind.strengths
        assert case.k in groups_possible(kind, case.n)
        assert members >= 3 * case.k
    counts = Counter((entry.case.kind, entry.case.n) for entry in every)
    for plan in GRID:
        for kind in KINDS.values():
            if kind.family in plan.families and plan.machines == (kind.name in OF_MACHINES):
                expected = {n: count for n, count in plan.counts.items() if groups_possible(kind, n)}
                assert {n: counts[kind.name, n] for n in plan.counts if counts[kind.name, n]} == expected
    effects = Counter(entry.case.effect for entry in every if entry.case.kind == "level" and entry.case.n == 40)
    lengths = Counter(entry.case.lengths for entry in every if entry.case.kind == "waves" and entry.case.n == 40)
    # Of 6 and of 44 sets.
    assert 2 <= effects["obvious"] <= 4
    assert 1 <= min(effects["clear"], effects["hidden"]) <= max(effects["clear"], effects["hidden"]) <= 2
    assert lengths == {"equal": 22, "short": 11, "long": 11}


def test_a_share_is_the_beginning_and_another_draw_has_other_sets() -> None:
    whole, part = cases(), cases(share=0.5)
    cells = {(entry.case.kind, entry.case.n) for entry in whole}
    assert {entry.case.key for entry in part} < {entry.case.key for entry in whole}
    assert {(entry.case.kind, entry.case.n) for entry in part} == cells
    # For a cell of one set, that set.
    assert len(part) == pytest.approx(0.5 * len(whole), rel=0.05)
    assert all(a.place <= b.place for a, b in pairwise(whole))
    assert not {entry.case.key for entry in whole} & {entry.case.key for entry in cases(draw=1)}
    assert {entry.case.kind for entry in cases(only=["level", "continuum"])} == {
        "level",
        *(kind.name for kind in ALONE if kind.family == "continuum"),
    }
    with pytest.raises(ParameterError, match="levle"):
        cases(only=["levle"])


# ---------------------------------------------------------------------------------------------------------------------
# Rules and views
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("k", [2, 3, 5])
def test_rules_find_clouds_that_are_far_apart(rule: str, k: int) -> None:
    random = np.random.default_rng(0)
    centres = np.array([(5 * i, 5 * (i % 2), 5 * (i % 3)) for i in range(k)])
    truth = np.repeat(np.arange(k), 12)
    points = centres[truth] + 0.2 * random.normal(size=(len(truth), 3))
    found = RULES[rule](Matrix(cdist(points, points)))
    assert len(set(zip(found.tolist(), truth.tolist(), strict=True))) == k == len(set(found.tolist()))


def test_gap_and_eigengap_may_say_one() -> None:
    points = np.random.default_rng(1).normal(size=(60, 2))
    assert not RULES["gap"](Matrix(cdist(points, points))).any()
    same = np.ones((10, 10)) - np.eye(10)
    assert not RULES["eigengap"](Matrix(same)).any()
    assert not RULES["gap"](Matrix(np.zeros((9, 9)))).any()


def test_views_are_those_of_the_product_and_see_levels() -> None:
    planted = draw("level", 12, 2, "obvious", 0, outliers=0.05)
    found = matrices(planted.sequences)
    assert set(found) == {*VIEWS, FUSED}
    for distance in found.values():
        assert distance.shape == (12, 12)
        assert distance == pytest.approx(distance.T)
    seen = {sight.view: sight for sight in sights(found, planted.labels)}
    assert seen["dtw"].silhouette > 0.9
    assert seen["dtw"].ari == 1.0
    assert seen["dtw_delta_centred"].true_silhouette < 0.3
    order = np.random.default_rng(0).permutation(12)
    again = matrices([planted.sequences[i] for i in order])
    assert again["dtw"] == pytest.approx(found["dtw"][np.ix_(order, order)])


def test_the_fusion_is_that_of_the_default() -> None:
    import kinseq

    planted = draw("trend", 12, 2, "hidden", 0, lengths="unequal")
    found = kinseq.cluster(planted.sequences, n_clusters=2, measure="elastic")
    assert found.decision.by is None
    assert matrices(planted.sequences)[FUSED] == pytest.approx(found.distance)


# ---------------------------------------------------------------------------------------------------------------------
# Runs
# ---------------------------------------------------------------------------------------------------------------------

TINY = ["--only", "level,levels_and_phases,white_noise", "--share", "0.02", "--jobs", "1"]


def tiny() -> list[running.Work]:
    """The smallest set of three kinds, each given to the default and to others."""
    chosen: dict[str, Any] = {}
    for entry in cases(only=["level", "levels_and_phases", "white_noise"]):
        if entry.case.n <= 12:
            chosen.setdefault(entry.case.kind, entry)
    return running.wanted(list(chosen.values()))


def test_scores_count_members_and_their_clusters_only() -> None:
    planted = draw("level", 8, 2, "obvious", 0, outliers=0.05)
    alone = np.where(planted.members, planted.labels, 2)
    assert asking.scores_of(planted, alone) == {"number": 2, "groups": 1.0}
    noise = np.where(planted.labels == 0, -1, 0)
    assert asking.scores_of(planted, noise)["number"] == 1
    assert asking.scores_of(planted, np.full(8, -1)) == {"number": 1, "groups": 0.0}
    assert truths(draw("waves", 8, 1, "none", 0)) == {}
    assert asking.numbers_of(draw("levels_and_phases", 12, 2, "clear", 0)) == [2, 4]


def test_runs_are_kept_taken_up_and_written(tmp_path: Path) -> None:
    works, file, said = tiny(), tmp_path / "kept.jsonl", list[str]()
    assert len(works) == 6
    assert running.run(works, file, 0.0, 1, said.append) == {}
    first = running.run(works[:2], file, 5.0, 1, said.append)
    assert set(first) == {work.key for work in works[:2]}
    # A truncated line and one of another code version: both are skipped.
    lines = file.read_text(encoding="utf-8").splitlines()
    other = {**json.loads(lines[0]), "key": works[2].key, "stamp": "another"}
    file.write_text("\n".join([*lines, json.dumps(other), lines[0][:40]]), encoding="utf-8")
    records = running.run(works, file, 5.0, 1, said.append)
    assert set(records) == {work.key for work in works}
    assert records[works[0].key] == first[works[0].key]
    assert not any("why" in record for record in records.values())
    assert running.run(works, file, 0.0, 1, said.append) == records
    assert running.earlier_records(file) == records
    assert running.minutes_left(works, records, 2) == 0.0
    path = page.write_page(records.values(), 3, tmp_path)
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# Laboratory of planted structure\n\n3 sets whose groups are known")
    assert "are not in these tables" not in text
    assert "| white_noise |" in text
    assert len((tmp_path / "laboratory.csv").read_text(encoding="utf-8").splitlines()) == 4
    page.write_page(reversed(list(records.values())), 3, tmp_path / "again")
    assert (tmp_path / "again" / "laboratory.md").read_text(encoding="utf-8") == text


def test_a_set_that_fails_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(sequences: Any) -> Any:
        raise ZeroDivisionError("no view")

    monkeypatch.setattr(asking, "matrices", fails)
    case = tiny()[0].case
    found = asking.record_of(case, "beside")
    assert found["why"] == "ZeroDivisionError: no view"
    assert asking.record_of(replace(case, k=99), "beside")["why"].startswith("laboratory: ")


def test_stamps_follow_what_numbers_depend_on() -> None:
    assert len({running.stamp(part) for part in running.OURS}) == len(running.OURS) == 3
    used = running.sources("default")
    assert {
        "kinseq.analysis.diagnostics",
        "kinseq.analysis.partition",
        "kinseq.measures.dtw",
        "laboratory.answer",
    } <= set(used)
    assert not any(name.startswith("kinseq_documents.rendering") for name in used)
    assert "kinseq.analysis.partition" not in running.sources("beside")
    assert "laboratory.rules" in running.sources("beside")


def test_minutes_left_are_those_of_the_same_size() -> None:
    works = tiny()
    records = {works[0].key: {"seconds": 6.0}}
    same = [replace(works[0], case=replace(works[0].case, seed=9 + i)) for i in range(10)]
    assert running.minutes_left([works[0], *same], records, 2) == pytest.approx(0.5)
    assert running.minutes_left(works, {}, 2) is None


def test_words_of_the_command_are_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], recorded: Recorded
) -> None:
    for words in (
        ["--jobs", "0"],
        ["--share", "2"],
        ["--budget", "-1"],
    ):
        with recorded.raises(ParameterError):
            parsed(words)
    kept = ["--records", str(tmp_path / "kept.jsonl"), "--out", str(tmp_path)]
    with recorded.raises(DataError):
        run_all([*TINY, "--budget", "0", *kept])
    recorded.within(capsys.readouterr().err)


# ---------------------------------------------------------------------------------------------------------------------
# The page
# ---------------------------------------------------------------------------------------------------------------------


def record(part: str, **given: Any) -> dict[str, Any]:
    """A record as it is kept, of two groupings in 2 and 4."""
    case = {"family": "two_groupings", "kind": "levels_and_phases", "n": 12, "k": 2, "effect": "obvious"}
    case |= {"sizes": "equal", "lengths": "equal", "outliers": 0.0}
    return {"key": f"{part} a", "part": part, **case, **given}


def answered(number: int, groups: float, other: float, **given: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {"told": {}, "cautions": [], "given": {}, "says": "clear"}
    return record("default", found={"number": number, "groups": groups, "other": other}, **{**plain, **given})


def test_two_groupings_are_held_against_the_nearer_one() -> None:
    (row,) = page.frame([answered(4, 0.0, 0.9)]).to_dict("records")
    assert (row["right"], row["ari"], row["nearer"], row["told"]) == (1.0, 0.9, "other", False)
    (row,) = page.frame([answered(4, 0.9, 0.0)]).to_dict("records")
    assert (row["right"], row["nearer"]) == (0.0, "groups")
    told = {"dtw_shape": {"number": 4, "groups": 0.0, "other": 1.0}}
    assert page.frame([answered(2, 1.0, 0.0, told=told)])["told"].tolist() == [True]
    assert page.frame([answered(4, 0.0, 1.0, told=told)])["told"].tolist() == [False]
    given = {"2": {"number": 2, "groups": 1.0, "other": 0.0}, "4": {"number": 4, "groups": 0.3, "other": 0.5}}
    assert page.frame([answered(2, 1.0, 0.0, given=given)])["ari given"].tolist() == [0.75]


def test_of_two_groupings_of_one_number_one_can_be_given_back() -> None:
    sight = {"view": "dtw", "silhouette": 0.8, "ari": 1.0, "true_silhouette": 0.8}
    views = {"groups": [sight], "other": [sight]}
    given = {"4": {"number": 4, "groups": -0.2, "other": 1.0}}
    records = [answered(4, -0.2, 1.0, given=given), record("beside", rules={}, given={}, views=views)]
    (row,) = page.frame([{**entry, "k": 4} for entry in records]).to_dict("records")
    assert row["ari given of the obvious"] == row["ari given of the seen"] == 1.0


def test_obvious_groupings_are_those_of_which_a_view_is_beyond_doubt() -> None:
    sight = {"view": "dtw", "silhouette": 0.8, "ari": 1.0, "true_silhouette": 0.7}
    views = {"groups": [sight], "other": [{**sight, "silhouette": 0.79, "ari": 0.0}]}
    given = {"2": {"number": 2, "groups": 0.9, "other": 0.0}, "4": {"number": 4, "groups": 0.0, "other": 0.1}}
    found = {"number": 2, "groups": 1.0, "other": 0.0}
    others = record("beside", rules={"dtw gap": found}, given={"dtw": given}, views=views)
    (row,) = page.frame([answered(2, 1.0, 0.0, given=given), others]).to_dict("records")
    assert row["obvious"]
    assert not row["seen"]
    assert row["ari given of the obvious"] == 0.9
    assert row["view given"] == 0.5
    assert row["dtw gap right"] == 1.0
    assert row["dtw given"] == 0.5
    said = {
        line["what"]: line["reached"] for line in page.goals(page.frame([answered(2, 1.0, 0.0, given=given), others]))
    }
    assert said["obvious, from 12 sequences: number right"] == "1.000"
    assert said["obvious, from 12 sequences: ARI with the number"] == "0.900"
    assert not any(what.startswith("seen") for what in said)
    views["other"][0]["true_silhouette"] = 0.9
    (row,) = page.frame([answered(2, 1.0, 0.0, given=given), others]).to_dict("records")
    assert row["ari given of the seen"] == 0.1


def test_second_looks_are_counted_by_what_the_groups_hold() -> None:
    looks = [{"n": 20, "number": 1, "held": 1}, {"n": 30, "number": 2, "held": 1}, {"n": 40, "number": 2, "held": 2}]
    rows = page.frame(
        [
            answered(2, 1.0, 0.0, looks=looks, seconds_looks=0.5, seconds_found=2.0),
            record("default", why="something", key="default b"),
        ]
    )
    said = {line["what"]: (line["sets"], line["reached"], line["met"]) for line in page.goals(rows)}
    assert said["a second look inside one true group: cuts it"] == (2, "0.500", "no")
    assert said["a second look: its time relative to that of choosing the number"] == (1, "0.250", "yes")
    table = page.page_of(rows, 2).partition("## The second look")[2].partition("##")[0]
    assert "| two_groupings | 1 | 2 | 50 % | 1 | 100 % | .25 |" in table


def test_what_a_group_holds_are_true_groups_of_three_or_more() -> None:
    planted = draw("levels_of_levels", 40, 4, "obvious", 0)
    pair = np.flatnonzero(planted.labels < 2)
    assert asking.looked_into(planted, pair, planted.labels[pair])["held"] == 2
    first = np.flatnonzero(planted.labels == 0)
    with_strays = np.concatenate([first, np.flatnonzero(planted.labels == 3)[:2]])
    assert asking.looked_into(planted, with_strays, np.zeros(len(with_strays), int)) == {
        "n": len(with_strays),
        "number": 1,
        "held": 1,
    }
    outlying = draw("level", 40, 2, "obvious", 0, outliers=0.05)
    strays = np.flatnonzero(~outlying.members)
    assert strays.size == 2
    apart = np.concatenate([strays, np.flatnonzero(outlying.members & (outlying.labels == 0))])
    assert asking.looked_into(outlying, apart, np.repeat([0, 1], [2, len(apart) - 2]))["number"] == 1
    assert asking.looked_into(outlying, apart, np.repeat([0, 1], [9, len(apart) - 9]))["number"] == 2
    assert asking.looked_into(draw("waves", 20, 1, "none", 0), np.arange(20), np.zeros(20, int))["held"] == 1


def test_one_process_is_right_as_one_cluster_and_a_failure_counts_as_wrong(recorded: Recorded) -> None:
    alone = {"family": "process", "kind": "waves", "effect": "none", "k": 1}
    cut = {**record("default"), **alone, "found": {"number": 2}, "told": {}, "cautions": ["undecided"], "given": {}}
    cut |= {"says": "clear"}
    whole = {**cut, "key": "default b", "found": {"number": 1}, "says": "none"}
    failed = {**record("default"), **alone, "key": "default c", "why": "something"}
    rows = page.frame([cut, whole, failed])
    assert rows["right"].tolist() == [0.0, 1.0, 0.0]
    assert not rows["warned"].fillna(False).any()
    said = {line["what"]: (line["reached"], line["met"]) for line in page.goals(rows)}
    assert said["data without groups: cut"] == ("0.667", "no")
    assert said["data without groups: called clearly separated"] == ("0.333", "no")
    assert said["data without groups: called clearly separated, the worst (waves)"][1] == "no"
    recorded.within(page.page_of(rows, 4))
    # Recognised by the kind of the sentence; a failed set has none.
    said_first = page.page_of(rows, 4).partition("What is said first")[2].partition("##")[0]
    assert [row.split("|")[1:4] for row in said_first.splitlines() if row.startswith(("| clear", "| none"))] == [
        [" clear ", " 1 ", " 100 % "],
        [" none ", " 1 ", " 100 % "],
    ]
    recorded.within(page.page_of(rows, 4))
    recorded.within(page.page_of(rows, 4))


# ---------------------------------------------------------------------------------------------------------------------
# Words
# ---------------------------------------------------------------------------------------------------------------------


def test_of_every_kind_of_groups_it_is_known_what_they_are_called_by() -> None:
    assert set(RIGHT) == {kind.name for kind in GROUPED}
    assert set(COLUMNS) <= set(RIGHT)


def test_words_are_right_where_property_and_column_are() -> None:
    assert is_right("level", [("level", "column 1"), ("level", "column 1")])
    # One group may be described by what it lacks, and no more.
    assert is_right("level", [("level", "column 1"), None])
    assert not is_right("level", [None, None])
    assert not is_right("level", [("level", "column 1"), None, None])
    assert not is_right("level", [("level", "column 1"), ("spread", "column 1")])
    assert is_right("one_column", [("level", "column 4"), None])
    assert not is_right("one_column", [("level", "column 3"), None])


@pytest.mark.parametrize("kind", ["level", "one_column", "period", "duty_period", "trend"])
def test_obvious_groups_are_called_by_what_they_were_made_to_differ_in(kind: str) -> None:
    found = [words_of(draw(kind, 24, 2, "obvious", seed)) for seed in range(2)]
    assert all(one["right"] for one in found)
    # Two in a hundred may get a description by chance.
    assert not all(one["by chance"] for one in found)


def test_a_first_sentence_is_true_or_not() -> None:
    groups = {"kind": "level", "family": "planted", "k": 2}
    none = {"kind": "walks", "family": "process", "k": 1}
    for says, number, score, true in (
        ("clear", 2, 1.0, True),
        ("separated", 3, 0.9, False),
        ("overlapping", 2, 0.6, True),
        ("none", 1, 0.0, False),
        ("continuum", 2, 1.0, False),
        ("too_few", 2, 1.0, None),
    ):
        assert page._is_true({**groups, "says": says, "found": {"number": number, "groups": score}}) is true
    for says, true in (("clear", False), ("none", True), ("continuum", True), ("unclear", True), ("lengths", False)):
        assert page._is_true({**none, "says": says, "found": {"number": 2}}) is true
