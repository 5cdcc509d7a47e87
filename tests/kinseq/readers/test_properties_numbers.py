"""Whatever the unit, the sign, the offset, the type or the copies of numbers: the same clusters, or one sentence.

Hypothesis makes the input, as in ``test_properties_readers``, where ``KINSEQ_EXAMPLES`` is explained.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas
from hypothesis import assume, example, given
from hypothesis import strategies as st

import kinseq
from kinseq.core.arrays import FloatArray
from kinseq.core.inputs import as_collection

from .test_properties_readers import attempt, examples

FAST: dict[str, Any] = {"n_resamples": 2, "max_clusters": 4}
EXPONENTS = st.integers(-40, 40).map(lambda power: 2.0**power)
"""Units that change no digit, about 1e-12 to 1e12."""
UNITS = st.one_of(EXPONENTS, st.sampled_from([1e-12, 1e-10, 5e-6, 1e-3, 1e3, 1e6, 1e12]))
MEASURES = st.sampled_from(["dtw", "mean_vector", "statistics", "lockstep_shape", "msm"])
CLUSTERERS = st.sampled_from(["spectral", "kmedoids", "hierarchical", "mcl", "spectral_direct"])
NUMBERS = st.sampled_from([2, 3, (2, 3)])


@st.composite
def groups(draw: Any) -> tuple[list[FloatArray], FloatArray]:
    """Sequences of two levels and shapes that no measure here confuses, some of them copies, and which is which."""
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    n, d = draw(st.integers(3, 5)), draw(st.integers(1, 3))
    time = np.arange(24)[:, None]
    made = [4.0 * k + np.sin(time / (1.0 + 3.0 * k)) + rng.normal(0, 0.05, (24, d)) for k in (0, 1) for _ in range(n)]
    labels = np.repeat([0, 1], n)
    copies = draw(st.lists(st.integers(0, 2 * n - 1), max_size=3))
    return [*made, *(made[i].copy() for i in copies)], np.append(labels, labels[copies]).astype(np.int64)


@st.composite
def matrices(draw: Any) -> FloatArray:
    """Dissimilarities: of points in the plane, or drawn one by one, some of them equal, some zero."""
    n = draw(st.integers(3, 10))
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    if draw(st.booleans()):
        points = rng.normal(size=(n, 2)) + 6.0 * rng.integers(0, 2, size=(n, 1))
        square = np.linalg.norm(points[:, None] - points, axis=2)
    else:
        square = rng.choice([0.0, 0.5, 1.0, 3.0, 1e-3], size=(n, n)) + rng.random((n, n)) * draw(st.booleans())
    square = np.triu(square, 1)
    return np.asarray(square + square.T)


def same(one: Any, other: Any) -> bool:
    """Whether two partitions are the same, whatever the numbers of their clusters."""
    return bool(kinseq.metrics.ari(one, other) == 1.0)


# Units


@examples(25)
@given(groups(), UNITS, MEASURES, st.sampled_from(["none", "zscore"]))
def test_no_unit_of_data_changes_clusters(drawn: Any, unit: float, measure: str, scale: str) -> None:
    sequences, truth = drawn
    found = kinseq.cluster([unit * x for x in sequences], 2, measure, scale=scale, **FAST)
    assert same(found.labels, truth)
    assert same(found.predict([unit * x for x in sequences]), truth)


@examples(25)
@given(matrices(), EXPONENTS, CLUSTERERS, st.sampled_from([2, 3]))
def test_no_unit_of_dissimilarities_changes_clusters(
    square: FloatArray, unit: float, clusterer: str, number: Any
) -> None:
    assume(clusterer != "spectral_direct")  # whose dissimilarities are logarithms
    plain = attempt(lambda: kinseq.cluster(square, number, "precomputed", clusterer=clusterer, **FAST))
    found = attempt(lambda: kinseq.cluster(unit * square, number, "precomputed", clusterer=clusterer, **FAST))
    assert (plain is None) == (found is None)
    if plain is None or found is None:
        return
    assert found.n_clusters == plain.n_clusters
    assert found.details.n_distinct == plain.details.n_distinct
    assert [note.split(":")[0] for note in found.notes] == [note.split(":")[0] for note in plain.notes]
    entries = square[np.triu_indices(len(square), k=1)]
    if clusterer in ("hierarchical", "mcl") and len(np.unique(entries)) == len(entries):
        # Others start at random in an order of bits, and so do ties.
        assert same(found.labels, plain.labels)
        np.testing.assert_allclose(found.silhouettes, plain.silhouettes, rtol=1e-9, atol=1e-12)
        np.testing.assert_array_equal(found.details.neighbours(1), plain.details.neighbours(1))


@examples(25)
@given(groups(), UNITS)
def test_no_unit_of_a_gap_between_perfect_groups_changes_them(drawn: Any, unit: float) -> None:
    truth = drawn[1]
    square = unit * (truth[:, None] != truth)
    for clusterer in ("spectral", "kmedoids", "hierarchical"):
        assert same(kinseq.cluster(square, 2, "precomputed", clusterer=clusterer, **FAST).labels, truth)


# Signs


@examples(40)
@given(matrices(), CLUSTERERS, NUMBERS, UNITS)
@example(np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 3.0], [2.0, 3.0, 0.0]]), "spectral", 2, 1.0)
def test_a_sign_is_read_in_one_way_or_refused(square: FloatArray, clusterer: str, number: Any, unit: float) -> None:
    assume(square.any())
    signed = -unit * square
    found = attempt(lambda: kinseq.cluster(signed, number, "precomputed", clusterer=clusterer, **FAST))
    if clusterer != "spectral_direct":
        assert found is None
        return
    if found is not None:
        apart = ~np.eye(len(square), dtype=bool)
        np.testing.assert_allclose(found.distance[apart], (signed - signed[apart].min())[apart])
        assert (found.distance >= 0.0).all()


# Offsets


@examples(20)
@given(groups(), st.sampled_from([-1e6, -1e3, -1.0, 1.0, 1e3, 1e6]), MEASURES, st.sampled_from(["none", "zscore"]))
def test_an_offset_of_all_sequences_changes_nothing(drawn: Any, offset: float, measure: str, scale: str) -> None:
    sequences, truth = drawn
    found = kinseq.cluster([x + offset for x in sequences], 2, measure, scale=scale, **FAST)
    assert same(found.labels, truth)


# Types of numbers, and of indices

TYPES = st.sampled_from(
    ["float64", "float32", "int64", "int8", "Int64", "Int16", "Float64", "Float32", "int64[pyarrow]", "double[pyarrow]"]
)
INDICES = st.sampled_from(["range", "reversed", "text", "repeated", "floats", "multi"])


def indexed(table: pandas.DataFrame, kind: str) -> pandas.DataFrame:
    n = len(table)
    index: Any = {
        "range": pandas.RangeIndex(n),
        "reversed": pandas.Index(np.arange(n)[::-1]),
        "text": pandas.Index([f"r{i}" for i in range(n)]),
        "repeated": pandas.Index(np.zeros(n, dtype=int)),
        "floats": pandas.Index(np.linspace(0.0, 1.0, n)),
        "multi": pandas.MultiIndex.from_arrays([np.arange(n) // 2, np.arange(n) % 2]),
    }[kind]
    return table.set_axis(index, axis=0)


@examples(60)
@given(
    st.lists(st.lists(st.one_of(st.integers(0, 9), st.none()), min_size=4, max_size=4), min_size=2, max_size=4),
    TYPES,
    INDICES,
    st.sampled_from(["list", "dictionary", "long"]),
    st.sampled_from(["refuse", "interpolate"]),
)
def test_all_types_of_numbers_and_indices_hold_the_same(
    rows: list[list[int | None]], dtype: str, index: str, form: str, missing: Any
) -> None:
    nullable = dtype[0] in "IF" or "pyarrow" in dtype or dtype.startswith("float")
    assume(nullable or not any(None in row for row in rows))

    def held(kind: str, on: str) -> Any:
        tables = {
            f"s{i}": pandas.DataFrame({"x": pandas.array(row, dtype="Int64"), "y": np.arange(4)})
            for i, row in enumerate(rows)
        }
        floats = kind.startswith("float")
        typed = {
            name: indexed(
                table.assign(x=table["x"].astype("Float64").to_numpy(dtype=kind, na_value=np.nan))
                if floats
                else table.astype({"x": kind}),
                on,
            )
            for name, table in tables.items()
        }
        if form == "list":
            return list(typed.values())
        if form == "dictionary":
            return typed
        return pandas.concat([table.assign(id=name) for name, table in typed.items()])

    plain = attempt(lambda: as_collection(held("float64", "range"), missing=missing)[0])
    found = attempt(lambda: as_collection(held(dtype, index), missing=missing)[0])
    assert (plain is None) == (found is None)
    if plain is not None and found is not None:
        np.testing.assert_array_equal(found.values, plain.values)
        np.testing.assert_array_equal(found.offsets, plain.offsets)


# Copies


@examples(20)
@given(
    st.lists(st.integers(1, 6), min_size=1, max_size=5),
    st.sampled_from([1, 2, 3]),
    st.sampled_from(["dtw", "mean_vector"]),
    UNITS,
)
def test_what_is_said_of_copies_is_true(counts: list[int], number: int, measure: str, unit: float) -> None:
    rng = np.random.default_rng(sum(counts))
    different = [unit * rng.normal(size=(12, 2)) for _ in counts]
    sequences = [x for x, count in zip(different, counts, strict=True) for _ in range(count)]
    found = attempt(lambda: kinseq.cluster(sequences, number, measure, **FAST))
    if found is None:
        assert len(sequences) < max(2, number)
        return
    which = np.repeat(np.arange(len(counts)), counts)
    for k in range(len(counts)):
        assert len(set(found.labels[which == k].tolist())) == 1
    assert found.details.n_distinct == len(counts)
    sentence = found.verdict
    assert ("as requested" in sentence) <= (number == found.n_clusters)
    assert "with sequences between them" not in sentence
    assert ("copies" in sentence) <= (len(sequences) > len(counts))
    assert found.n_clusters == min(number, len(counts))
