"""How many groups there are, as the doors answer it: what anybody would see, what is not there, and what is said of it."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from markupsafe import escape
from sklearn.metrics import adjusted_rand_score

import kinseq
from kinseq import SequenceClustering, SequenceSet
from kinseq.analysis.candidates import Candidate, NullComparison
from kinseq.analysis.diagnostics import CHECKS, cautions
from kinseq.analysis.rules import Decision, Details
from kinseq.analysis.verdict import alternative_groupings, verdict
from kinseq.api.results import Clustering
from kinseq.core.arrays import FloatArray, IntArray
from kinseq.measures.descriptions import VOTING
from kinseq.metrics.groupings import Grouping, Structure
from kinseq.report.data import partitions
from kinseq.report.writing import content_of
from tests.sentences import Recorded

FRAMES = 30
TIME = np.arange(FRAMES)[:, None]
TWO, THREE = np.arange(12) % 2, np.arange(12) % 3
PHASES, LEVELS = np.arange(16) % 4, np.arange(16) // 4 % 2
Arrays = list[FloatArray]


def noise(n: int = 12, columns: int = 1, seed: int = 0) -> Arrays:
    random = np.random.default_rng(seed)
    return [random.normal(size=(FRAMES, columns)) for _ in range(n)]


def walks(n: int = 12, seed: int = 0) -> Arrays:
    return [steps.cumsum(axis=0) for steps in noise(n, seed=seed)]


def remembering(n: int = 12, seed: int = 0) -> Arrays:
    """Autoregressive, each frame .9 of the one before."""
    random, out = np.random.default_rng(seed), []
    for _ in range(n):
        values = random.normal(size=FRAMES + 50)
        for t in range(1, len(values)):
            values[t] += 0.9 * values[t - 1]
        out.append(values[50:, None])
    return out


def waves(n: int = 12, seed: int = 0) -> Arrays:
    """Of any phase."""
    random = np.random.default_rng(seed)
    return [
        np.sin(2 * np.pi * TIME / 12 + random.uniform(0, 2 * np.pi)) + 0.1 * random.normal(size=(FRAMES, 1))
        for _ in range(n)
    ]


def moved(arrays: Arrays, groups: IntArray, by: float) -> Arrays:
    return [x + by * k for x, k in zip(arrays, groups, strict=True)]


def two_kinds() -> Arrays:
    """Levels in two groups and phases in four."""
    random = np.random.default_rng(1)
    plain = [np.sin(2 * np.pi * TIME / FRAMES + np.pi / 2 * k) + 0.02 * random.normal(size=(FRAMES, 1)) for k in PHASES]
    return moved(plain, LEVELS, 20.0)


PLAIN: dict[str, tuple[Callable[[], Arrays], IntArray]] = {
    "levels under waves": (lambda: moved(waves(), TWO, 20.0), TWO),
    "three levels under waves": (lambda: moved(waves(), THREE, 20.0), THREE),
    "unequal groups": (lambda: moved(waves(), (np.arange(12) < 3).astype(int), 20.0), (np.arange(12) < 3).astype(int)),
    "walks apart": (lambda: moved(walks(), TWO, 60.0), TWO),
    "spreads": (lambda: [x * 4.0**k for x, k in zip(noise(), TWO, strict=True)], TWO),
}
SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))]
"""Other draws of the same kind are left to make test-all."""
NOTHING: dict[str, Callable[[int], Arrays]] = {"noise": noise, "memory": remembering, "walks": walks}


@cache
def found(name: str) -> Clustering:
    result = kinseq.cluster({**{k: v[0] for k, v in PLAIN.items()}, "two kinds": two_kinds}[name](), n_resamples=2)
    assert isinstance(result, Clustering)
    return result


def agree(one: Any, other: Any) -> bool:
    return bool(adjusted_rand_score(one, other) == 1.0)


# ---------------------------------------------------------------------------------------------------------------------
# What anybody would see
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PLAIN)
def test_plain_groups_are_found_and_counted(name: str) -> None:
    make, truth = PLAIN[name]
    result = found(name)
    assert result.n_clusters == truth.max() + 1
    assert agree(result.labels, truth)
    assert result.degree == "clear"
    assert result.evidence_source
    assert result.decision.by is not None
    assert result.decision.by.grouping.is_clear
    # The matrix is that of the deciding view or property.
    view, by = result.views[0], result.decision.by
    assert (view.measure.name, view.params) == (
        ("properties", {"only": [by.name]})
        if by.by_property
        else ("elastic", {"views": [by.name], "modelled_frames": 10_000})
    )
    asked = kinseq.cluster(make(), int(truth.max()) + 1)
    assert agree(asked.labels, truth)


def test_a_door_in_the_style_of_scikit_learn_gives_the_same() -> None:
    name = "three levels under waves"
    model = SequenceClustering().fit(PLAIN[name][0]())
    np.testing.assert_array_equal(model.labels_, found(name).labels)
    assert model.n_clusters_ == 3


def test_neither_order_nor_threads_nor_units_matter() -> None:
    name = "three levels under waves"
    arrays, plain = PLAIN[name][0](), found(name)
    order = np.random.default_rng(3).permutation(12)
    shuffled = kinseq.cluster([arrays[i] for i in order])
    assert agree(shuffled.labels, plain.labels[order])
    assert shuffled.decision.why == plain.decision.why
    np.testing.assert_array_equal(kinseq.cluster(arrays, n_jobs=2).labels, plain.labels)
    assert agree(kinseq.cluster([1000.0 * x - 7.0 for x in arrays]).labels, plain.labels)


@pytest.mark.parametrize("name", ["levels under waves", "nothing"])
def test_copies_change_neither_the_number_nor_the_clusters(name: str) -> None:
    arrays = PLAIN[name][0]() if name in PLAIN else remembering()
    once, twice = kinseq.cluster(arrays), kinseq.cluster([*arrays, *arrays])
    assert twice.n_clusters == once.n_clusters == (2 if name in PLAIN else 1)
    np.testing.assert_array_equal(twice.labels[:12], twice.labels[12:])
    assert agree(twice.labels[:12], once.labels)
    assert twice.decision.why == once.decision.why
    if once.decision.by is not None:
        np.testing.assert_array_equal(twice.decision.by.grouping.labels, np.tile(once.decision.by.grouping.labels, 2))


def test_a_number_is_chosen_from_a_range() -> None:
    result = kinseq.cluster(PLAIN["three levels under waves"][0](), (3, 4))
    assert (result.n_clusters, result.options.n_range, result.options.n_clusters) == (3, (3, 4), None)
    assert agree(result.labels, THREE)
    # The two plain ones are not among the requested.
    halved = kinseq.cluster(PLAIN["levels under waves"][0](), (3, 4))
    assert halved.n_clusters in (3, 4)
    assert all(agree(TWO[halved.labels == k], np.zeros(np.sum(halved.labels == k))) for k in range(halved.n_clusters))


@pytest.mark.parametrize("sizes", [(4, 4), (3, 9)])
def test_a_matrix_of_perfect_groups_is_cut_into_them(sizes: tuple[int, int]) -> None:
    truth = np.repeat([0, 1], sizes)
    matrix = (truth[:, None] != truth).astype(float)
    result = kinseq.cluster(matrix, measure="precomputed")
    assert result.n_clusters == 2
    assert agree(result.labels, truth)


# ---------------------------------------------------------------------------------------------------------------------
# More than one grouping
# ---------------------------------------------------------------------------------------------------------------------


def placed(entry: Candidate, labels: IntArray) -> bool:
    return agree(entry.grouping.labels, labels)


def test_the_clearer_groups_are_taken_and_the_others_told(recorded: Recorded) -> None:
    result = found("two kinds")
    assert result.n_clusters == 4
    assert agree(result.labels, PHASES)
    others = [entry for entry in result.decision.others if not entry.by_property]
    assert [entry.grouping.n_clusters for entry in others] == [2]
    assert placed(others[0], LEVELS)
    assert len(result.alternative_groupings) == len(result.decision.others)
    assert f"measure={others[0].name!r}, n_clusters=2" in result.alternative_groupings[0]
    recorded.within(result.alternative_groupings[0])
    assert all(entry.points is not None and entry.points.shape == (16, 2) for entry in result.decision.others)
    # The suggested call gives these groups.
    assert agree(kinseq.cluster(two_kinds(), 2, others[0].name).labels, LEVELS)


@pytest.mark.parametrize("again", [[], [3, 8, 3]])
def test_other_groups_stand_in_the_order_that_was_given_and_with_copies(again: list[int]) -> None:
    arrays = two_kinds()
    order = np.array([*np.random.default_rng(2).permutation(16), *again])
    result = kinseq.cluster([arrays[i] for i in order])
    assert agree(result.labels, PHASES[order])
    assert result.decision.by is not None
    assert placed(result.decision.by, PHASES[order])
    other = result.decision.others[0]
    assert placed(other, LEVELS[order])
    assert other.points is not None
    assert len(other.points) == len(order)
    for one, two in ((16, 3), (17, 8), (18, 3))[: len(again)]:
        np.testing.assert_array_equal(other.points[one], other.points[np.flatnonzero(order == two)[0]])
    before = found("two kinds").decision.others[0].points
    assert before is not None
    if not again:
        # The scale is that of all frames including copies, so it differs with them.
        np.testing.assert_allclose(other.points, before[order], atol=1e-9)


def of_periods() -> tuple[Arrays, IntArray, IntArray]:
    """Levels in two groups, far apart, and four periods of waves of any phase, which no alignment shows clearly."""
    random, time, which = np.random.default_rng(0), np.arange(60), np.arange(24)
    levels, periods = which % 2, which // 2 % 4
    waves = [
        20.0 * level + np.sin(2 * np.pi * time / (6 * 1.8**period) + random.uniform(0, 2 * np.pi))
        for level, period in zip(levels, periods, strict=True)
    ]
    return [(wave + 0.1 * random.normal(size=60))[:, None] for wave in waves], levels, periods


def test_groups_that_stand_out_in_views_blind_to_those_taken_are_told() -> None:
    arrays, levels, periods = of_periods()
    # Of the voting views alone; spectra show the periods clearly.
    result = kinseq.cluster(arrays, measure="elastic", params={"views": list(VOTING)})
    assert agree(result.labels, levels)
    other = result.decision.others[-1]
    assert not other.grouping.is_clear
    assert adjusted_rand_score(periods, other.grouping.labels) > 0.8
    with_spectra = kinseq.cluster(arrays).decision.others
    assert [entry.name for entry in with_spectra] == ["spectrum"]
    assert agree(with_spectra[0].grouping.labels, periods)
    # The same levels over waves of one kind: no other difference.
    alone = kinseq.cluster(PLAIN["levels under waves"][0]())
    assert all(entry.grouping.is_clear for entry in alone.decision.others)


# ---------------------------------------------------------------------------------------------------------------------
# Where there is nothing
# ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [12, pytest.param(25, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", NOTHING)
def test_sequences_of_one_process_are_one_group(name: str, n: int) -> None:
    results = [kinseq.cluster(NOTHING[name](n, seed=seed)) for seed in range(5)]
    # One set in twenty may be cut: the level of the tests.
    whole = [result for result in results if result.n_clusters == 1]
    assert len(whole) >= 4
    for result in whole:
        assert result.decision.structure is not None
        p_value = result.decision.structure.p_value
        assert p_value > 0.025
        assert result.degree == "none"
        # The sentence gives the found number.
        assert f"(p = {p_value:.2g}" in result.verdict
        assert result.alternative_groupings == []


def switched(n: int = 20, frames: int = 72, period: float = 14.0, seed: int = 0) -> tuple[Arrays, IntArray]:
    """Machines of one duty cycle, begun at any moment; and which are on at first."""
    random = np.random.default_rng(seed)
    turns = np.arange(frames) / period + random.uniform(size=(n, 1))
    on = (turns % 1.0 < 0.5).astype(float)
    return [row[:, None] + 0.05 * random.normal(size=(frames, 1)) for row in on], on[:, 0].astype(np.int64)


@pytest.mark.parametrize("seed", SEEDS)
def test_machines_of_one_duty_cycle_are_no_groups_well_apart(seed: int) -> None:
    arrays, first = switched(seed=seed)
    found = kinseq.cluster(arrays)
    assert found.n_clusters == 1
    assert not agree(found.labels, first)
    assert found.alternative_groupings == []
    # If two are requested there are two, but the sentence expresses doubt.
    assert kinseq.cluster(arrays, 2).degree == "unclear"


def test_machines_of_two_duty_cycles_are_two_groups() -> None:
    short, long = switched(12, period=7.0)[0], switched(12, period=15.0)[0]
    found = kinseq.cluster([*short, *long])
    assert agree(found.labels, [0] * 12 + [1] * 12)
    assert found.degree == "clear"
    assert found.decision.by is not None
    assert found.decision.null_comparison == "distinct"


# ---------------------------------------------------------------------------------------------------------------------
# Views without a vote
# ---------------------------------------------------------------------------------------------------------------------


def correlated(n: int = 16, seed: int = 0) -> Arrays:
    """Two columns that go together in one half of the sequences and against each other in the other half."""
    random, out = np.random.default_rng(seed), []
    for k in range(n):
        x = random.normal(size=(100, 1))
        out.append(np.hstack([x, (1 if k % 2 else -1) * x + 0.3 * random.normal(size=(100, 1))]))
    return out


def of_memory(seed: int) -> Arrays:
    """Noise, and sequences in which each frame is .95 of the one before, all of mean 0 and deviation 1."""
    random, out = np.random.default_rng(seed), []
    for which in range(12):
        values = random.normal(size=170)
        for t in range(1, len(values) if which % 2 else 0):
            values[t] += 0.95 * values[t - 1]
        out.append(((values[50:] - values[50:].mean()) / values[50:].std())[:, None])
    return out


@pytest.mark.parametrize("seed", SEEDS)
def test_groups_that_differ_in_memory_are_found(seed: int) -> None:
    result = kinseq.cluster(of_memory(seed))
    assert agree(result.labels, TWO)


def test_groups_that_no_view_with_a_vote_sees_beyond_doubt_are_found() -> None:
    chosen, given = kinseq.cluster(correlated()), kinseq.cluster(correlated(), n_clusters=2)
    for result in (chosen, given):
        assert agree(result.labels, np.arange(16) % 2)
        assert result.n_clusters == 2
    assert chosen.decision.by is not None
    assert "clearly" in chosen.decision.why
    assert result.predict(correlated(4, seed=5)).tolist() == [result.labels[0], result.labels[1]] * 2


def of_spread(seed: int) -> Arrays:
    """Four groups of waves of any phase, each three times as large as the one before, and noise."""
    random, time = np.random.default_rng(seed), np.arange(60)[:, None]
    return [
        3.0 ** (k % 4) * np.sin(2 * np.pi * time / 20 + random.uniform(0, 2 * np.pi)) + random.normal(size=(60, 1))
        for k in range(20)
    ]


def test_the_number_that_would_be_chosen_gives_the_groups_that_would_be_found() -> None:
    chosen, given = kinseq.cluster(of_spread(3)), kinseq.cluster(of_spread(3), n_clusters=4)
    assert chosen.decision.by is not None
    assert chosen.decision.by.name == "spread of 1"
    assert agree(chosen.labels, np.arange(20) % 4)
    assert agree(given.labels, chosen.labels)


def test_where_the_views_were_named_no_other_is_heard() -> None:
    result = kinseq.cluster(
        moved(correlated(), np.arange(16) // 8, 20.0), measure="elastic", params={"views": ["dtw_shape"]}
    )
    assert result.decision.by is None or result.decision.by.name == "dtw_shape"
    assert not {"kl_ll_shape", "statistics", "dtw"} & {entry.name for entry in result.decision.others}


# ---------------------------------------------------------------------------------------------------------------------
# What is said
# ---------------------------------------------------------------------------------------------------------------------


def as_named(n: int) -> SequenceSet:
    return SequenceSet.from_arrays(noise(n), ids=[f"s{i}" for i in range(n)])


def told(
    number: int,
    decision: Decision,
    asked: int | None = None,
    gap: float = 0.01,
    n: int = 12,
    between: tuple[int, ...] = (),
    far: tuple[int, ...] = (),
    pieces: tuple[int, ...] = (),
    distinct: int | None = None,
) -> tuple[str, str]:
    result: Any = SimpleNamespace(
        n_clusters=number,
        decision=decision,
        options=SimpleNamespace(n_clusters=asked),
        sequences=as_named(n),
        choices=[],
        details=SimpleNamespace(
            between=np.array(between, dtype=np.int64),
            far_away=np.array(far, dtype=np.int64),
            pieces=np.array(pieces, dtype=np.int64),
            n_distinct=n if distinct is None else distinct,
            has_content=True,
            gaps=SimpleNamespace(p_value=gap) if number > 1 else None,
        ),
    )
    result._division = result
    said = verdict(result)
    return said.sentence(), said.degree


def seen(name: str, number: int = 2, by_property: bool = False) -> Candidate:
    return Candidate(name, Grouping(number, np.arange(12) % number, 0.9, 0.85), by_property)


def decided(by: Candidate, standing: NullComparison = "distinct") -> Decision:
    return Decision(2, "", by, details=Details(null_comparison=standing))


DOUBTS: list[tuple[NullComparison, str]] = [
    ("like data without groups", "2 groups, but data without groups look as clear"),
    ("not compared", "2 groups, not compared with data without groups"),
]


def test_each_kind_of_answer_has_its_sentence(recorded: Recorded) -> None:
    """Here alone they are compared as a whole; other tests ask for the kind of an answer."""
    assert told(2, decided(seen("dtw_shape"))) == ("2 groups, clearly separated", "clear")
    level = seen("level of 3", by_property=True)
    assert told(2, decided(level)) == ("2 groups, clearly separated", "clear")
    # A single view shows parts of a continuum as clearly as groups; few sequences do not show gaps.
    alone = decided(replace(seen("dtw_shape"), is_unconfirmed=True))
    recorded(told(2, alone, gap=0.4, n=20))
    recorded(told(3, alone, gap=0.4, n=20, far=(1,), pieces=(0, 2)))
    for decision, gap, n in ((alone, 0.01, 20), (alone, 0.4, 19), (decided(seen("dtw_shape")), 0.4, 20)):
        assert told(2, decision, gap=gap, n=n) == ("2 groups, clearly separated", "clear")
    length = seen("length", by_property=True)
    recorded(told(2, decided(length)))
    assert told(3, Decision(3, "")) == ("3 groups, separated", "separated")
    recorded(told(3, Decision(3, ""), between=(4,)))
    recorded(told(3, Decision(3, ""), between=(1, 2, 5, 7)))
    recorded(told(3, Decision(3, ""), gap=0.01, far=(0,), pieces=(1, 2))[0])
    recorded(told(4, Decision(4, ""), gap=0.4, far=(0, 2), pieces=(1, 3), asked=4)[0])
    for standing, said in DOUBTS:
        assert told(2, decided(seen("kl_ll"), standing)) == (said, "unclear")
    # Without a model, only the matrix is known.
    assert told(2, decided(seen("mine"), "not compared"))[1] == "clear"
    recorded(told(4, Decision(4, ""), asked=4, gap=0.4))
    recorded(told(4, Decision(4, ""), gap=0.4))
    recorded(told(1, Decision(1, "given"), asked=1))
    nothing = Decision(1, "", structure=Structure(0.4, 9))
    recorded(told(1, nothing))
    little = Decision(1, "", structure=Structure(2 / 60, 118, level=0.025))
    recorded(told(1, little))
    recorded(told(1, Decision(1, "fewer than three sequences")))
    recorded(told(12, Decision(12, "given"), asked=12))
    recorded(told(5, Decision(5, ""), far=(0,), pieces=(1, 2))[0])
    # There is no statement on what copies and few sequences cannot show.
    recorded(told(1, Decision(1, "given"), asked=1, distinct=1)[0])
    recorded(told(1, Decision(2, "given"), asked=2, distinct=1)[0])
    assert told(1, Decision(2, "given"), asked=2)[0] == "one group: given"
    recorded(told(2, Decision(2, "given"), asked=2, distinct=2)[0])
    for gap in (0.01, 0.4):
        recorded(told(2, Decision(2, "given"), asked=2, gap=gap, distinct=5))
    assert told(2, Decision(2, "given"), asked=2, distinct=6)[1] == "separated"


def on_a_line(values: Sequence[float]) -> FloatArray:
    places = np.asarray(values, dtype=float)
    return np.abs(places[:, None] - places)


def test_what_lies_between_groups_is_counted() -> None:
    near = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]
    two = kinseq.cluster(on_a_line([*near, *(10 + x for x in near), 4.9]), 2, "precomputed", n_resamples=2)
    assert two.details.between.tolist() == [12]
    assert kinseq.cluster(on_a_line([*near, *(10 + x for x in near)]), 2, "precomputed").details.between.tolist() == []


SPREAD = np.linspace(0.0, 1.0, 20)
DEGREES: dict[str, tuple[FloatArray, int]] = {
    "clear": (np.concatenate([SPREAD, 9.0 + SPREAD]), 2),
    "separated": (np.concatenate([SPREAD, 1.7 + SPREAD]), 2),
    "overlapping": (np.concatenate([SPREAD, 1.7 + SPREAD, [1.35]]), 2),
    "continuum": (np.linspace(0.0, 1.0, 40), 2),
    "too_few": (np.array([0.0, 1.0, 5.0]), 2),
    "none": (np.linspace(0.0, 1.0, 40), 1),
}
"""Places on a line, and in how many groups, by the degree of the answer."""


@pytest.mark.parametrize("degree", DEGREES)
def test_each_degree_of_certainty_is_said_of_what_was_planted(degree: str) -> None:
    places, number = DEGREES[degree]
    found = kinseq.cluster(on_a_line(places.tolist()), number, "precomputed", n_resamples=2)
    answer = verdict(found)
    assert answer.degree == found.degree == degree
    assert found.verdict == answer.sentence()
    # Sequences in between are counted and named, or not mentioned.
    assert degree != "overlapping" or found.details.between.tolist() == [40]
    assert (str(found.sequences.ids[-1]) in found.verdict) == (degree == "overlapping")


def test_a_group_that_is_far_away_is_said_to_be_so_beside_pieces_of_a_continuum() -> None:
    far, spread = np.linspace(0.0, 1.0, 12), np.linspace(30.0, 50.0, 30)
    found = kinseq.cluster(on_a_line([*far, *spread]), 3, "precomputed", n_resamples=2)
    alone = int(found.labels[0])
    assert (found.labels[:12] == alone).all()
    assert found.details.far_away.tolist() == [alone]
    assert found.degree == "continuum"
    assert f"group {alone + 1} " in found.verdict
    # A continuum has no such piece.
    pieces = kinseq.cluster(on_a_line(np.linspace(0.0, 20.0, 30).tolist()), 3, "precomputed", n_resamples=2)
    assert pieces.details.far_away.tolist() == []
    assert pieces.degree == "continuum"


def test_groups_by_a_property_are_told_with_the_call_that_gives_them(recorded: Recorded) -> None:
    result: Any = SimpleNamespace(
        decision=Decision(1, "", details=Details((seen("level of 3", 2, True), seen("dtw", 3))))
    )
    first, second = alternative_groupings(result)
    recorded(first)
    assert "measure='dtw', n_clusters=3" in second
    arrays = moved(noise(columns=3), TWO, 20.0)
    asked = kinseq.cluster(arrays, 2, "properties", params={"only": ["level of 3"]})
    assert agree(asked.labels, TWO)


def test_groups_beyond_doubt_are_not_warned_of_by_what_is_said_of_a_cut() -> None:
    result = found("levels under waves")
    assert result.decision.by is not None
    cut = replace(result, decision=replace(result.decision, by=None))
    # Most voting views do not show levels, so they have no gaps; but a property shows that these are not pieces.
    assert cut.details.gaps is not None
    assert cut.details.gaps.p_value > 0.05
    assert cut.details.far_away.tolist() == [0, 1]
    assert CHECKS["continuous"](cut) == []
    for kind in ("unstable", "without structure", "continuous"):
        assert CHECKS[kind](result) == []


def test_a_sequence_that_belongs_nowhere_is_named() -> None:
    arrays = [*moved(waves(), TWO, 20.0), np.full((FRAMES, 1), 400.0) + noise(1)[0]]
    result = kinseq.cluster(arrays, n_resamples=2)
    assert result.n_clusters == 2
    assert agree(result.labels[:12], TWO)
    assert result.details.scattered.tolist() == [12]
    name = str(result.sequences.ids[12])
    assert any(name in said and "belongs to none" in said for said in result.warnings())
    assert found("levels under waves").details.scattered.size == 0


def test_membership_is_in_the_table_and_follows_its_definition(tmp_path: Path) -> None:
    result = found("two kinds")
    result.report(tmp_path)
    with (tmp_path / "partition.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    expected = []
    for i, k in enumerate(result.labels):
        means = [result.distance[i, (result.labels == j) & (np.arange(16) != i)].mean() for j in range(4)]
        other = min(mean for j, mean in enumerate(means) if j != k)
        expected.append(other / (means[k] + other))
    np.testing.assert_allclose([float(row["membership"]) for row in rows], expected, atol=5e-5)
    np.testing.assert_allclose(result.membership_, expected)


def test_the_page_says_it_first_and_shows_the_other_groups(tmp_path: Path, recorded: Recorded) -> None:
    result = found("two kinds")
    text = result.report(tmp_path).read_text(encoding="utf-8")
    body = text[text.index("<body") :]
    assert body.index(verdict(result).groups) < body.index('id="answer"')
    assert 'class="verdict good"' in body
    part = body[body.index("Other groups that are there too") :]
    part = part[: part.index("</section>")]
    assert part.count("<li>") == len(result.decision.others)
    for said in result.alternative_groupings:
        text, _, settings = said.partition(": ")
        assert escape(f"{text[0].upper()}{text[1:]}: ") in part
        assert escape(settings) in part
    recorded.within(part)
    # The menu shows each of them on the figures.
    offered = [labels for name, labels in partitions(content_of(result)) if " by " in name]
    for labels, other in zip(offered, result.decision.others, strict=True):
        assert agree(labels, other.grouping.labels)


@pytest.mark.parametrize("number", [None, 3])
def test_nothing_on_the_page_is_green_where_one_cannot_be_sure(tmp_path: Path, number: int | None) -> None:
    for measure in ("elastic", "elastic,dtw"):
        result = kinseq.cluster(noise(), number, measure, n_resamples=2)
        text = result.report(tmp_path / measure).read_text(encoding="utf-8")
        assert result.verdict.split(",")[0].capitalize()[:9] in text
        assert 'class="good"' not in text
        assert 'verdict good"' not in text


# ---------------------------------------------------------------------------------------------------------------------
# What several sources show
# ---------------------------------------------------------------------------------------------------------------------


def periods_at_any_level(n: int) -> Arrays:
    """Two periods of waves of any phase, at any level."""
    random, time = np.random.default_rng(5), np.arange(80)
    return [
        20.0 * random.uniform()
        + (np.sin(2 * np.pi * (time / (8, 16)[i % 2] + random.uniform())) + 0.15 * random.normal(size=80))[:, None]
        for i in range(n)
    ]


def test_periods_under_levels_are_found_and_counted() -> None:
    result = kinseq.cluster(periods_at_any_level(16), n_resamples=2)
    assert result.n_clusters == 2
    assert agree(result.labels, np.arange(16) % 2)


@pytest.mark.parametrize("seed", [0, 1])
def test_machines_of_one_period_are_one_group_whenever_they_begin(seed: int, recorded: Recorded) -> None:
    """On for 4.4 of 11 frames: those that begin at the same frame of a cycle differ by noise alone."""
    random, time = np.random.default_rng(seed), np.arange(80)
    machines = [
        ((time / 11.0 + random.uniform()) % 1.0 < 0.4)[:, None] + 0.1 * random.normal(size=(80, 1)) for _ in range(40)
    ]
    result = kinseq.cluster(machines, measure="dtw", n_resamples=2)
    assert isinstance(result, Clustering)
    recorded(result.verdict)
    assert result.degree == "phase"
    gone = [caution for caution in cautions(result) if caution.startswith("apparent groups disappear")]
    assert len(gone) == 1
    higher = [frames + 2.0 * (i % 2) for i, frames in enumerate(machines)]
    assert agree(kinseq.cluster(higher, measure="dtw", n_resamples=2).labels, np.arange(40) % 2)


def test_phases_under_levels_are_told() -> None:
    """Levels in two, and quarter turns of waves of four periods, which alignments blur."""
    random, time, which = np.random.default_rng(2), np.arange(80), np.arange(24)
    levels, phases = which % 2, which // 2 % 4
    arrays = [
        20.0 * level + (np.sin(2 * np.pi * (time / 20 + phase / 4)) + 0.1 * random.normal(size=80))[:, None]
        for level, phase in zip(levels, phases, strict=True)
    ]
    result = kinseq.cluster(arrays, n_resamples=2)
    assert agree(result.labels, levels)
    told = {entry.name: entry.grouping.labels for entry in result.decision.others}
    assert agree(told["lockstep_shape"], phases)
    assert any("measure='lockstep_shape', n_clusters=4" in sentence for sentence in alternative_groupings(result))
    assert agree(kinseq.cluster(arrays, n_clusters=4, n_resamples=2).labels, phases)
