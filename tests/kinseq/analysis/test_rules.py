"""Each rule for the groups and their number, as a function of evidence that was made up."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from kinseq.analysis import rules
from kinseq.analysis.candidates import Candidate, NullComparison
from kinseq.analysis.evidence import DecisionEvidence
from kinseq.analysis.limits import THRESHOLDS
from kinseq.analysis.options import Options
from kinseq.analysis.rules import RULES, Decision, Details, decide
from kinseq.core.arrays import FloatArray, IntArray
from kinseq.metrics.groupings import Grouping, Structure
from kinseq.metrics.internal import Numbers
from tests.sentences import Recorded

N = 24
HALVES, QUARTERS, THIRDS = np.arange(N) % 2, np.arange(N) // 2 % 4, np.arange(N) // 2 % 3
NOTHING = np.arange(N) % 5
"""Labels of a matrix whose groups are hardly nearer to each other than to others."""


class MadeNull:
    """Comparisons with one process with answers that were made up; `asked` are the views and sizes that were compared.

    Groups of the numbers `gone` do not last where sequences begin at other moments.
    """

    def __init__(
        self,
        views: Mapping[str, float] | float = 0.5,
        properties: float = 0.5,
        standing: NullComparison = "distinct",
        within: Mapping[int, float] | float = 0.5,
        n: int = N,
        gone: Sequence[int] = (),
    ) -> None:
        self.p_values, self.of_properties, self.of_standing, self.p_within = views, properties, standing, within
        self.n, self.asked, self.gone = n, list[Any](), gone
        self.items = np.arange(n)

    def within(self, members: IntArray) -> MadeNull:
        inner = MadeNull(self.p_within.get(len(members), 0.5) if isinstance(self.p_within, Mapping) else self.p_within)
        inner.n, inner.asked = len(members), self.asked
        return inner

    def views(self, names: Sequence[str], most: int, alone: bool = False, together: bool | None = None) -> Structure:
        self.asked.append(names[0] if self.n == N else self.n)
        p_value = self.p_values if isinstance(self.p_values, float) else self.p_values.get(names[0], 0.5)
        return Structure(p_value, 48, THRESHOLDS.level)

    def properties(self, most: int) -> Structure:
        self.asked.append("properties")
        return Structure(self.of_properties, 48, THRESHOLDS.level)

    def null_comparison(self, candidate: Candidate) -> NullComparison:
        return self.of_standing

    def survives_phase_shift(self, labels: IntArray, names: Sequence[str], by_property: bool = False) -> bool:
        return int(labels.max()) + 1 not in self.gone

    def before_and_after(
        self, labels: IntArray, names: Sequence[str], by_property: bool = False
    ) -> tuple[float, float]:
        return 1.0, float(self.survives_phase_shift(labels, names))


def matrix_of(labels: Sequence[int] | IntArray, within: float = 0.1) -> FloatArray:
    """Distances 1 between groups and less within."""
    codes = np.asarray(labels)
    square = np.where(codes[:, None] == codes, within, 1.0)
    np.fill_diagonal(square, 0.0)
    return np.asarray(square)


def shown(name: str, labels: IntArray, silhouette: float = 0.9, by_property: bool = False) -> Candidate:
    return Candidate(name, Grouping(int(labels.max()) + 1, labels, silhouette, silhouette), by_property)


def evidence_of(
    views: Mapping[str, FloatArray] | None = None,
    auxiliary: Mapping[str, FloatArray] | None = None,
    properties: Sequence[Candidate] = (),
    matrix: FloatArray | None = None,
    null: MadeNull | None = None,
    **options: Any,
) -> DecisionEvidence:
    """Evidence of 24 items; without views there is nothing that they show, and without a null nothing to compare with."""
    views = {"msm": matrix_of(NOTHING, 0.9)} if views is None else views
    square = next(iter(views.values())) if matrix is None else matrix

    def chance(numbers: Sequence[int], n_sets: int) -> Numbers:
        return Numbers(np.array(numbers), np.zeros(len(numbers)), None, 0.1, 0.01, 3, (3, 4), N, n_sets)

    made = DecisionEvidence(
        None,
        views,
        lambda items: square[np.ix_(items, items)],
        lambda distance, numbers: [np.arange(len(distance)) % number for number in numbers],
        chance,
        None if null is None else lambda *_: {},
        auxiliary or {},
        options=Options(**options),
    )
    made.null = null  # type: ignore[assignment]
    made.all_properties = list(properties)
    return made


def test_rules_have_names_and_the_last_always_answers() -> None:
    assert len({rule.__name__ for rule in RULES}) == len(RULES) == 16
    assert RULES[-1](evidence_of()) is not None


# ---------------------------------------------------------------------------------------------------------------------
# One rule at a time
# ---------------------------------------------------------------------------------------------------------------------


def test_where_nothing_differs_there_is_one_group_or_what_was_given() -> None:
    alike = {"msm": np.zeros((N, N))}
    found = rules.nothing_differs(evidence_of(alike))
    assert found is not None
    assert found.n_clusters == 1
    given, ranged = (
        rules.nothing_differs(evidence_of(alike, n_clusters=k, n_range=r)) for k, r in ((3, None), (None, (2, 5)))
    )
    assert given is not None
    assert ranged is not None
    assert (given.n_clusters, given.why, ranged.n_clusters) == (3, "given", 2)
    assert rules.nothing_differs(evidence_of()) is None
    assert len(decide(evidence_of(alike))[1].notes) == 1


def test_two_items_are_too_few() -> None:
    two = {"msm": np.array([[0.0, 1.0], [1.0, 0.0]])}
    found = rules.too_few_items(evidence_of(two))
    assert found is not None
    assert found.n_clusters == 1
    assert rules.too_few_items(evidence_of()) is None
    assert len(decide(evidence_of(two))[1].notes) == 1
    assert decide(evidence_of(two, n_clusters=2))[1].notes == ()


def test_clear_groups_of_a_view_are_taken_unless_one_process_shows_them_too(recorded: Recorded) -> None:
    views = {"msm": matrix_of(HALVES)}
    found = rules.clear_view(evidence_of(views, null=MadeNull()))
    assert found is not None
    assert found.by is not None
    assert (found.n_clusters, found.by.name, found.null_comparison) == (2, "msm", "distinct")
    assert "clearly" in found.why
    doubtful = MadeNull(standing="like data without groups")
    assert rules.clear_view(evidence_of(views, null=doubtful)) is None
    # A given number implies that groups exist; their comparison with data without groups is reported.
    given = rules.clear_view(evidence_of(views, null=doubtful, n_clusters=2))
    assert given is not None
    assert given.by is not None
    recorded((given.why, given.null_comparison))
    # A matrix alone has no sequences to compare with.
    alone = rules.clear_view(evidence_of(views))
    assert alone is not None
    assert alone.by is not None
    assert alone.null_comparison == "not compared"
    assert rules.clear_view(evidence_of(null=MadeNull())) is None


def test_a_property_that_shows_clear_groups_more_clearly_goes_before_the_view() -> None:
    level = shown("level of 1", QUARTERS, 0.99, by_property=True)
    evidence = evidence_of({"msm": matrix_of(QUARTERS // 2)}, properties=[level], null=MadeNull())
    found = rules.clear_view(evidence)
    assert found is not None
    assert (found.by, found.null_comparison) == (level, "distinct")
    closed = replace(evidence, properties_may_decide=False)
    closed.null, closed.all_properties = evidence.null, evidence.all_properties
    found = rules.clear_view(closed)
    assert found is not None
    assert found.by is not None
    assert found.by.name == "msm"


@pytest.mark.parametrize(("name", "is_taken"), [("dtw", True), ("spectrum", True), ("kl_ll_shape", False)])
def test_with_the_number_given_an_auxiliary_view_needs_no_other_source(name: str, is_taken: bool) -> None:
    auxiliary, null = {name: matrix_of(HALVES)}, MadeNull()
    assert rules.auxiliary_view_of_given_number(evidence_of(None, auxiliary, null=null)) is None
    found = rules.auxiliary_view_of_given_number(evidence_of(None, auxiliary, null=null, n_clusters=2))
    assert (found is not None and found.by is not None and found.by.name == name) == is_taken
    free, given = (decide(evidence_of(None, auxiliary, null=null, n_clusters=number))[0] for number in (None, 2))
    assert free.n_clusters == 1
    assert (given.by is not None) == is_taken
    if given.by is not None:
        np.testing.assert_array_equal(given.by.grouping.labels, HALVES)


def test_with_the_number_given_a_property_does_not_take_the_place_of_a_view() -> None:
    level = shown("level of 1", QUARTERS, 0.99, by_property=True)
    views, auxiliary = {"msm": matrix_of(HALVES)}, {"dtw": matrix_of(HALVES)}
    other = shown("level of 1", np.where(np.arange(N) < 4, 1 - HALVES, HALVES), 0.99, by_property=True)
    found = rules.clear_view(evidence_of(views, properties=[other], null=MadeNull(), n_clusters=2))
    assert found is not None
    assert found.by is not None
    assert found.by.name == "msm"
    alone = rules.auxiliary_view_of_given_number(evidence_of(None, auxiliary, [other], null=MadeNull(), n_clusters=2))
    assert alone is not None
    assert alone.by is not None
    assert alone.by.name == "dtw"
    # No view shows four groups, so that the property decides.
    free = rules.groups_without_the_number(
        evidence_of(None, None, [level], null=MadeNull(properties=0.01), n_clusters=4)
    )
    assert free is not None
    assert free.by == level


def test_with_the_number_given_a_few_of_one_view_are_groups_where_the_matrix_sees_them() -> None:
    n, few = 60, (np.arange(60) >= 56).astype(np.int64)
    seen, unseen = matrix_of(few), matrix_of(np.arange(n) % 2)
    for matrix, is_taken in ((seen, True), (unseen, False)):
        evidence = evidence_of({"msm": matrix_of(few)}, matrix=matrix, null=MadeNull(n=n), n_clusters=2)
        found = rules.clear_view(evidence)
        assert (found is not None) == is_taken
        free = rules.clear_view(evidence_of({"msm": matrix_of(few)}, matrix=matrix, null=MadeNull(n=n)))
        assert free is not None
        assert decide(evidence)[0].n_clusters == 2


def test_with_the_number_given_models_need_another_source_or_the_matrix() -> None:
    model, alone = {"kl_ll_shape": matrix_of(HALVES)}, MadeNull({"kl_ll_shape": 0.01})
    rule = rules.supported_groups_of_given_number
    assert rule(evidence_of(None, model, null=alone)) is None
    # The matrix hardly shows them, and is cut into something else.
    assert rule(evidence_of(None, model, matrix=matrix_of(QUARTERS), null=alone, n_clusters=2)) is None
    supported = rule(evidence_of(None, model, matrix=matrix_of(HALVES), null=alone, n_clusters=2))
    assert supported is not None
    assert supported.by is not None
    assert (supported.by.name, supported.why) == ("kl_ll_shape", "given")
    trend = shown("trend of 1", HALVES, by_property=True)
    confirmed = rule(evidence_of(None, model, [trend], matrix=matrix_of(QUARTERS), n_clusters=2))
    assert confirmed is not None
    assert confirmed.by is not None
    assert confirmed.by.name == "kl_ll_shape"


def test_with_the_number_given_groups_are_taken_that_would_be_without_it() -> None:
    level = shown("level of 1", HALVES, by_property=True)
    rule = rules.groups_without_the_number
    found = rule(evidence_of(properties=[level], null=MadeNull(properties=0.01), n_clusters=2))
    assert found is not None
    assert found.by is not None
    assert (found.by.name, found.why) == ("level of 1", "given")
    assert rule(evidence_of(properties=[level], null=MadeNull(properties=0.01))) is None
    assert rule(evidence_of(properties=[level], null=MadeNull(properties=0.5), n_clusters=2)) is None
    # If the voting views are significant, the matrix is cut.
    assert rule(evidence_of(properties=[level], null=MadeNull(views=0.01, properties=0.01), n_clusters=2)) is None


@pytest.mark.parametrize("parts", [2, 3, 1])
def test_with_the_number_given_a_clear_group_that_falls_into_groups_is_divided(
    monkeypatch: pytest.MonkeyPatch, parts: int
) -> None:
    monkeypatch.setattr(rules.limits, "LOOKED_INTO", 10)
    labels = (np.arange(N) >= 11).astype(np.int64)
    looked: list[int] = []

    def divided(members: IntArray, n_groups: int) -> IntArray | None:
        looked.append(len(members))
        assert n_groups == 2
        return np.arange(len(members)) % parts if parts > 1 else None

    def of_number(number: int | None) -> DecisionEvidence:
        made = evidence_of({"dtw": matrix_of(labels)}, null=MadeNull(), n_clusters=number)
        made.divided = divided
        return made

    given = of_number(3)
    given.without_number = of_number(None)  # type: ignore[misc]
    found = rules.groups_within_groups(given)
    # The larger group is divided first; a group that divides into more than are missing is kept.
    assert looked == ([13] if parts == 2 else [13, 11])
    if parts != 2:
        assert found is None
        return
    assert found is not None
    assert found.groups is not None
    assert (found.n_clusters, found.why, found.by) == (3, "given", None)
    assert np.bincount(found.groups).tolist() == [11, 7, 6]
    assert decide(given)[0].groups is not None
    again = found.in_order(np.arange(N)[::-1])
    assert again.groups is not None
    np.testing.assert_array_equal(again.groups, found.groups[::-1])
    # Without a number, or with that of the clear groups, nothing is divided.
    assert rules.groups_within_groups(of_number(None)) is None
    assert rules.groups_within_groups(of_number(2)) is None


def test_with_the_number_given_the_matrix_is_cut_in_the_end() -> None:
    found = rules.matrix_of_given_number(evidence_of(n_clusters=7))
    assert found is not None
    assert (found.n_clusters, found.why, found.by, found.others) == (7, "given", None, ())
    # For the page, which shows the evidence for other numbers.
    assert found.numbers is not None
    assert found.numbers.best == 5
    assert rules.matrix_of_given_number(evidence_of(n_clusters=7, alternatives=False)) == Decision(7, "given")
    assert rules.matrix_of_given_number(evidence_of()) is None


def test_where_groups_stand_out_confirmed_ones_are_taken_that_do_not_fall_apart() -> None:
    auxiliary, trend = {"dtw": matrix_of(HALVES)}, shown("trend of 1", HALVES, by_property=True)
    rule = rules.supported_groups

    def found(**null: Any) -> Decision | None:
        return rule(evidence_of(None, auxiliary, [trend], matrix_of(QUARTERS), MadeNull(**null)))

    taken = found(views={"msm": 0.01, "dtw": 0.01})
    assert taken is not None
    assert taken.by is not None
    assert (taken.by.name, taken.by.is_unconfirmed, taken.n_clusters) == ("dtw", False, 2)
    assert found(views={"msm": 0.01, "dtw": 0.5}) is None
    assert found(views={"msm": 0.5, "dtw": 0.01}) is None
    assert found(views={"msm": 0.01, "dtw": 0.01}, within=0.01) is None


def test_where_nothing_stands_out_in_the_views_that_vote_an_auxiliary_view_may_by_itself() -> None:
    auxiliary = {"kl_ll_shape": matrix_of(HALVES)}
    rule = rules.auxiliary_view_alone
    found = rule(evidence_of(None, auxiliary, null=MadeNull({"kl_ll_shape": 0.01})))
    assert found is not None
    assert found.by is not None
    assert (found.by.name, found.by.is_unconfirmed) == ("kl_ll_shape", True)
    assert rule(evidence_of(None, auxiliary, null=MadeNull())) is None
    assert rule(evidence_of(None, auxiliary, null=MadeNull(0.01))) is None
    assert rule(evidence_of(None, auxiliary)) is None
    assert rule(evidence_of(None, auxiliary, null=MadeNull({"kl_ll_shape": 0.01}, gone=[2]))) is None
    # Significance in the voting views that disappears when sequences start at other moments is no objection.
    found = rule(blocks(MadeNull(0.01, gone=[2, 3, 4]), auxiliary={"kl_ll_shape": matrix_of(np.arange(N) // 2 % 5)}))
    assert found is not None
    assert found.n_clusters == 5


def with_cuts(**options: Any) -> DecisionEvidence:
    """Evidence of groups that stand out, four or three of them, which halves join."""
    evidence = evidence_of(null=MadeNull(), **options)
    evidence.structure = Structure(0.01, 48)
    evidence.numbers = Numbers(np.arange(2, 6), np.array([0.5, 0.4, 0.4, 0.3]), None, 0.0, None, 3, (3, 4), N, 0)
    fine = np.arange(N) % 4
    evidence.partitions = {2: fine // 2, 3: np.minimum(fine, 2), 4: fine, 5: np.where(np.arange(N) < 4, 4, fine)}
    return evidence


def test_groups_by_a_property_give_way_to_those_that_stand_out_within_them() -> None:
    entry = shown("level of 1", np.arange(N) % 4 // 2, by_property=True)
    for falls_apart in (False, True):
        evidence = with_cuts(properties=[entry, entry])
        null = MadeNull(within=0.01 if falls_apart else 0.5)
        evidence.null = null  # type: ignore[assignment]
        found = rules.property_like_the_cut(evidence)
        assert (found is None) == falls_apart
        # Called once per number, and for the groups as found.
        assert null.asked == ([12] if falls_apart else [12, 12])
        if found is not None:
            assert (found.n_clusters, found.by, found.numbers and found.numbers.best) == (2, None, 2)
    assert rules.property_like_the_cut(with_cuts(properties=[shown("level of 1", NOTHING, by_property=True)])) is None
    gone = with_cuts(properties=[entry])
    gone.null = MadeNull(gone=[2])  # type: ignore[assignment]
    assert rules.property_like_the_cut(gone) is None
    closed = with_cuts(properties=[entry])
    closed.properties_may_decide = False
    assert rules.property_like_the_cut(closed) is None


def test_the_matrix_is_cut_into_the_largest_number_that_does_about_as_well() -> None:
    found = rules.cut_of_the_matrix(with_cuts())
    assert found is not None
    assert (found.n_clusters, found.by) == (4, None)
    assert found.why.endswith("3 would do about as well")
    nothing = with_cuts()
    nothing.structure = Structure(0.5, 48)
    assert rules.cut_of_the_matrix(nothing) is None
    # Within a range some number is always chosen, the one most similar to the others.
    ranged = with_cuts(n_range=(2, 5))
    ranged.structure = Structure(0.5, 48)
    taken = rules.cut_of_the_matrix(ranged)
    assert taken is not None
    assert taken.n_clusters == 3


def blocks(null: MadeNull, **options: Any) -> DecisionEvidence:
    """Evidence of four groups in pairs that stand out, of which the matrix is cut."""
    fine = np.arange(N) % 4
    square = np.where(fine[:, None] // 2 == fine // 2, 0.8, 1.0) * matrix_of(fine, 0.3)
    evidence = evidence_of(matrix=square, null=null, **options)
    evidence.structure = Structure(0.01, 48)
    evidence.partitions = {2: fine // 2, 3: np.minimum(fine, 2), 4: fine}
    return evidence


def test_groups_that_are_gone_when_sequences_begin_at_other_moments_are_not_cut(recorded: Recorded) -> None:
    def number(*gone: int, **options: Any) -> int | None:
        found = rules.cut_of_the_matrix(blocks(MadeNull(gone=gone), **options))
        return None if found is None else found.n_clusters

    assert number() == 4
    assert number(4) == 3
    assert number(3, 4) == 2
    assert number(2, 3, 4) is None
    # A given range implies that groups exist.
    assert number(2, 3, 4, n_range=(2, 4)) in (2, 3, 4)
    found = rules.one_group(blocks(MadeNull(gone=[2, 3, 4])))
    assert found is not None
    recorded(found.why.partition(" (")[0])
    assert found.numbers is not None
    assert found.numbers.best == 1


def test_groups_have_to_show_as_much_at_other_moments_as_the_number_that_would_be_taken() -> None:
    class Faint(MadeNull):
        """Groups of which as much is left as there was; of three there is hardly anything, of four nothing is left."""

        def before_and_after(self, labels: IntArray, *_: Any) -> tuple[float, float]:
            return {2: (0.9, 0.5), 3: (0.1, 0.1), 4: (1.0, 0.0)}[int(labels.max()) + 1]

    assert list(blocks(Faint()).lasting) == [2]


def test_where_nothing_stands_out_a_property_may_by_itself() -> None:
    level = shown("level of 1", HALVES, by_property=True)
    found = rules.property_alone(evidence_of(properties=[level], null=MadeNull(properties=0.01)))
    assert found is not None
    assert (found.by, found.null_comparison) == (level, "distinct")
    assert rules.property_alone(evidence_of(properties=[level], null=MadeNull())) is None
    assert rules.property_alone(evidence_of(null=MadeNull(properties=0.01))) is None
    assert rules.property_alone(evidence_of(properties=[level], null=MadeNull(properties=0.01, gone=[2]))) is None


def test_a_firm_property_counts_where_all_together_do_not() -> None:
    firm, faint = (shown("level of 1", HALVES, silhouette, by_property=True) for silhouette in (0.95, 0.85))
    found = rules.firm_property_alone(evidence_of(properties=[faint, firm], null=MadeNull()))
    assert found is not None
    assert (found.by, found.null_comparison) == (firm, "distinct")
    assert rules.firm_property_alone(evidence_of(properties=[faint], null=MadeNull())) is None
    as_one = MadeNull(standing="like data without groups")
    assert rules.firm_property_alone(evidence_of(properties=[firm], null=as_one)) is None


def test_where_nothing_stands_out_there_is_one_group(recorded: Recorded) -> None:
    found = rules.one_group(evidence_of(null=MadeNull()))
    assert found is not None
    assert found.n_clusters == 1
    recorded(found.why.partition(" (")[0])
    assert found.structure == Structure(0.5, 48, THRESHOLDS.level)
    assert rules.one_group(evidence_of()) is None


def test_by_a_matrix_alone_the_largest_silhouette_corrected_for_chance_decides() -> None:
    found, remarks = decide(evidence_of())
    assert (found.n_clusters, found.numbers and found.numbers.n_references) == (3, 19)
    assert remarks.choices[0][1] == "3"
    nothing = Numbers(np.arange(2, 4), np.zeros(2), None, 0.1, 0.4, 1, (1, 3), N, 19)
    for n_range, number in ((None, 1), ((2, 3), 3)):
        evidence = evidence_of(n_range=n_range)
        evidence.chance = lambda *_: nothing
        assert rules.largest_corrected_silhouette(evidence).n_clusters == number


# ---------------------------------------------------------------------------------------------------------------------
# Evidence, and what is named beside the groups taken
# ---------------------------------------------------------------------------------------------------------------------


def test_groups_fall_apart_where_some_stand_out_within_one() -> None:
    labels = np.where(np.arange(N) < 14, 0, 1)
    null = MadeNull(within={10: 0.01})
    assert evidence_of(null=null).falls_apart(labels)
    assert null.asked == [14, 10]
    # Groups of fewer than six cannot.
    null = MadeNull(within={5: 0.01})
    assert not evidence_of(null=null).falls_apart(np.where(np.arange(N) < 19, 0, 1))
    assert null.asked == [19]


def test_each_comparison_is_made_once() -> None:
    null = MadeNull()
    evidence = evidence_of(None, {"kl_ll_shape": matrix_of(HALVES)}, null=null)
    first, second = decide(evidence)[0], decide(evidence)[0]
    assert first == second
    assert first.found() is first.found()
    assert sorted(null.asked) == ["kl_ll_shape", "msm"]


def test_what_is_only_said_is_found_out_when_it_is_asked_for() -> None:
    auxiliary, null = {"kl_ll_shape": matrix_of(THIRDS)}, MadeNull()
    decision = decide(evidence_of({"msm": matrix_of(HALVES)}, auxiliary, null=null, n_clusters=2))[0]
    assert decision.by is not None
    assert null.asked == []
    assert decision.in_order(np.arange(N)[::-1]).numbers is not None
    assert isinstance(decision.details, Details)
    again = pickle.loads(pickle.dumps(decision))
    assert (again.n_clusters, again.null_comparison) == (2, "distinct")


def test_frames_side_by_side_and_spectra_are_named_before_models_and_without_a_comparison() -> None:
    # The model joins two of the groups, and is clearer.
    auxiliary = {"kl_ll_shape": matrix_of(np.minimum(QUARTERS, 2), 0.05), "lockstep_shape": matrix_of(QUARTERS)}
    for views, asked in ((0.5, ["kl_ll_shape"]), (0.01, ["kl_ll_shape"])):
        null = MadeNull(views)
        found = rules.clear_view(evidence_of({"msm": matrix_of(HALVES)}, auxiliary, null=null))
        assert found is not None
        assert found.by is not None
        # The other one is nearly the same.
        assert (found.by.name, [entry.name for entry in found.others]) == ("msm", ["lockstep_shape"])
        assert null.asked == asked


def test_confirmed_groups_that_one_process_shows_too_are_named_where_others_are_taken() -> None:
    auxiliary = {"dtw": matrix_of(HALVES, 0.05), "spectrum": matrix_of(THIRDS)}
    trend = shown("trend of 1", HALVES, by_property=True)
    null = MadeNull({"msm": 0.01, "spectrum": 0.01, "dtw": 0.5})
    evidence = evidence_of(None, auxiliary, [trend], matrix_of(THIRDS, 0.9), null)
    decision = decide(evidence)[0]
    assert decision.by is not None
    assert decision.by.name == "spectrum"
    assert "dtw" in [entry.name for entry in decision.others]


def test_what_one_process_shows_as_clearly_is_not_named() -> None:
    views = {"msm": matrix_of(HALVES, 0.05), "dtw_delta": matrix_of(THIRDS, 0.1)}
    named = {}
    for standing in ("distinct", "like data without groups"):
        evidence = evidence_of(views, null=MadeNull(standing=standing), n_clusters=None)  # type: ignore[arg-type]
        evidence.clear = evidence.clear._replace(best=evidence.voting[0], voting=evidence.voting)
        found = rules.clear_view(evidence)
        assert found is not None
        named[standing] = [entry.name for entry in found.others]
    assert named == {"distinct": ["dtw_delta"], "like data without groups": []}


def test_an_answer_is_put_into_another_order() -> None:
    labels = np.array([0, 0, 1, -1])
    points = np.arange(8.0).reshape(4, 2)
    entry = Candidate("dtw", Grouping(2, labels, 0.9, 0.8), points=points)
    places = np.array([3, 1, 1, 0, 2])
    ordered = Decision(2, "why", entry, details=Details((replace(entry, points=None),))).in_order(places)
    assert ordered.by is not None
    assert ordered.by.grouping.labels.tolist() == [-1, 0, 0, 0, 1]
    np.testing.assert_array_equal(ordered.by.points, points[places])
    assert ordered.others[0].grouping.labels.tolist() == [-1, 0, 0, 0, 1]
    assert ordered.others[0].points is None
    assert Decision(1, "why").in_order(places) == Decision(1, "why")


def test_thresholds_are_one_object_that_evidence_is_given() -> None:
    strict = replace(THRESHOLDS, firm_silhouette=0.95)
    level = shown("level of 1", HALVES, 0.92, by_property=True)
    assert level.is_strong(THRESHOLDS)
    assert not level.is_strong(strict)
    evidence = evidence_of(properties=[level], null=MadeNull())
    assert [entry.name for entry in evidence.others_beside(None)] == ["level of 1"]
    evidence.thresholds = strict
    assert evidence.others_beside(None) == []


def test_a_decision_shows_itself_in_few_words() -> None:
    decision = Decision(
        2, "why", items=np.arange(N), views={"msm": matrix_of(HALVES)}, groups=np.zeros(N, dtype=np.int64)
    )
    assert repr(decision) == "Decision(n_clusters=2, why='why', by=None, structure=None)"
