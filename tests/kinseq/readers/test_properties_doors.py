"""Whatever is asked of `kinseq.cluster` and `kinseq.compare`, in whatever form the data are: one sentence, or all of it.

Hypothesis makes the input, as in ``test_properties_readers``, where ``KINSEQ_EXAMPLES`` is explained.
"""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np
import pandas
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import kinseq
from kinseq.analysis.options import as_number
from kinseq.comparing import run as comparing_run
from tests.reading import read_folder

from .test_properties_readers import FILES, ITEMS, REAL_WORDS, attempt, examples, folder_of

FAST: dict[str, Any] = {"measure": "mean_vector", "n_resamples": 2, "max_clusters": 4}


# The number of clusters

ENDS = st.sampled_from(["0", "1", "2", "3", "4", "6", "7", "02", "1e1", "9" * 25, "", " ", "x", "-2", "2.0", "\u0663"])
NUMBERS = st.one_of(
    st.builds("{}{}{}".format, ENDS, st.sampled_from(["-", " - ", "--", ":", "..", ",", "\u2013", ""]), ENDS),
    st.tuples(st.integers(-1, 8), st.integers(-1, 8)),
    st.lists(st.one_of(st.integers(1, 7), st.floats(), st.none(), ENDS), max_size=3),
    st.integers(-2, 10**20),
    st.floats(),
    st.sampled_from(
        [None, True, np.int8(2), np.array([2, 3]), np.array(3), "2-3", (2, 6), (3, 3), {}, {2, 3}, range(2, 5)]
    ),
)


@examples(60)
@given(NUMBERS, st.booleans())
@example("2-3", True)
@example((2, 6), False)
def test_numbers_of_clusters_are_within_what_was_asked_for(number: Any, on_disk: bool) -> None:
    with folder_of(FILES) as folder:
        found = attempt(lambda: kinseq.cluster(str(folder) if on_disk else ITEMS, number, **FAST))
    if found is None:
        return
    assert len(found.labels) == 6
    exact, between = as_number(number)
    low, high = between or ((exact, exact) if exact is not None else (1, 4))
    made = len(set(found.labels.tolist()))
    assert low <= made <= high or any("fewer" in note or "told apart" in note for note in found.notes)


# Forms of sequences


def _tables(items: list[np.ndarray], names: list[Any]) -> list[pandas.DataFrame]:
    return [pandas.DataFrame(item, columns=names[: item.shape[1]]) for item in items]


FORMS: dict[str, Any] = {
    "list": lambda items, names: list(items),
    "tuple": lambda items, names: tuple(items),
    "nested lists": lambda items, names: [item.tolist() for item in items],
    "object array": lambda items, names: np.array([*items, None], dtype=object)[:-1],
    "tables": lambda items, names: _tables(items, names),
    "tables in other orders": lambda items, names: [
        table[list(table.columns)[:: (-1) ** i]] for i, table in enumerate(_tables(items, names))
    ],
    "one table": lambda items, names: pandas.concat(
        [table.assign(id=f"s{i}") for i, table in enumerate(_tables(items, names))]
    ),
    "dictionary": lambda items, names: {f"s{i}": item for i, item in enumerate(items)},
    "dictionary of tables": lambda items, names: {f"s{i}": table for i, table in enumerate(_tables(items, names))},
    "set": lambda items, names: kinseq.SequenceSet.from_arrays(items, layout="channels_last"),
    "series": lambda items, names: [pandas.Series(item[:, 0]) for item in items],
    "stack": lambda items, names: np.stack([item[: min(map(len, items))] for item in items]),
    "generator": lambda items, names: (item for item in items),
    "values of a dictionary": lambda items, names: dict(enumerate(items)).values(),
}
CELLS = st.one_of(
    st.floats(-1e3, 1e3, width=32).map(float),
    st.sampled_from([0.0, 1.0, -1.0, 1e300, 5e-324, 1e-30, 2.0**53, np.nan, np.inf]),
)
ODD_NAMES = st.sampled_from(["x", "y", "X", "x ", "id", "time", "t", 1, "1", 2.0, None, ("a", "b")])
NAMES = st.one_of(
    st.permutations(["x", "y", "z"]), st.just(["x", "y", "z"]), st.lists(ODD_NAMES, min_size=3, max_size=3)
)
FORM, NUMBER = (
    st.sampled_from(sorted(set(FORMS) - {"dictionary of tables", "generator"}) * 2 + sorted(FORMS)),
    st.sampled_from([2, None, "2-3"]),
)
SCALE = st.sampled_from(["zscore", "none", "per_sequence"])


@st.composite
def some_items(draw: Any) -> list[np.ndarray]:
    """Sequences of unequal lengths, mostly tame, some columns of which are copies or never change."""
    d, n = draw(st.integers(1, 3)), draw(st.integers(2, 6))
    cells = draw(st.sampled_from([CELLS, st.integers(0, 2).map(float), st.floats(-1e3, 1e3, width=32).map(float)]))
    made = []
    for _ in range(n):
        rows = draw(st.lists(st.lists(cells, min_size=d, max_size=d), min_size=1, max_size=6))
        made.append(np.array(rows))
    kind = draw(st.sampled_from(["as drawn", "as drawn", "copies", "constant", "double"]))
    if kind == "copies":
        made = [made[0], *made[1:], made[0].copy()]
    elif kind == "constant":
        made = [np.where(np.arange(d) == 0, 7.0, item) for item in made]
    elif kind == "double" and d > 1:
        made = [np.column_stack([item[:, :-1], 2.0 * item[:, 0]]) for item in made]
    return made


@examples(60)
@given(some_items(), FORM, NAMES, NUMBER, SCALE)
def test_sequences_in_any_form_are_all_clustered(
    items: list[np.ndarray], form: str, names: list[Any], number: Any, scale: Any
) -> None:
    try:
        data = FORMS[form](items, names)
    except (ValueError, TypeError, KeyError):
        assume(False)  # such a table does not exist
    found = attempt(lambda: kinseq.cluster(data, number, scale=scale, **FAST, layout=None))
    if found is None:
        return
    assert len(found.labels) == len(items)
    assert np.isfinite(found.distance).all()
    if form in ("list", "tuple", "nested lists", "object array", "set", "dictionary"):
        # Equal sequences are together, unless there are as many clusters as requested without them.
        keys = [item.tobytes() + str(item.shape).encode() for item in (np.asarray(item) + 0.0 for item in items)]
        for key in set(keys):
            assert len({int(found.labels[i]) for i, other in enumerate(keys) if other == key}) == 1
        again = attempt(lambda: found.predict(data))
        assert again is None or len(again) == len(items)


@examples(40)
@given(some_items(), NAMES, st.sampled_from(["tables", "one table"]))
def test_tables_are_clustered_as_the_arrays_that_they_hold(
    items: list[np.ndarray], names: list[Any], form: str
) -> None:
    assume(len(set(names)) == 3 and not {"id", "time", "t"} & set(map(str, names)) and None not in names)
    try:
        tables = FORMS[form](items, names)
    except (ValueError, TypeError, KeyError):
        assume(False)
    plain = attempt(lambda: kinseq.cluster(FORMS["set"](items, names), 2, **FAST))
    found = attempt(lambda: kinseq.cluster(tables, 2, **FAST))
    if plain is not None and found is not None:
        np.testing.assert_array_equal(found.labels, plain.labels)
        np.testing.assert_array_equal(found.distance, plain.distance)


# Forms of samples


@st.composite
def some_samples(draw: Any) -> tuple[np.ndarray, np.ndarray]:
    d = draw(st.integers(1, 3))
    seed, shift = draw(st.integers(0, 99)), draw(st.sampled_from([0.0, 1.0, 1e6]))
    sizes = draw(st.tuples(st.integers(7, 24), st.integers(7, 24)))
    x, y = (np.random.default_rng([seed, side]).normal(side * shift, 1.0, size=(sizes[side], d)) for side in (0, 1))
    change = draw(st.sampled_from(["none", "none", "rounded", "repeats", "constant", "double", "wild"]))
    if change == "rounded":
        x, y = np.round(x), np.round(y)
    elif change == "repeats":
        x[3:] = x[:1]
    elif change == "constant":
        x[:, 0] = y[:, 0] = 3.0
    elif change == "double":
        x[:, -1], y[:, -1] = 5.0 * x[:, 0] - 1.0, 5.0 * y[:, 0] - 1.0
    elif change == "wild":
        x[draw(st.integers(0, len(x) - 1)), 0] = draw(CELLS)
    return x, y


OPTIONS = st.sampled_from(["scale", "repeats", "dependent", "kind", "missing", "time_column", "random_state", "n_jobs"])
SAMPLES: dict[str, Any] = {
    "array": lambda x, names: x,
    "nested lists": lambda x, names: x.tolist(),
    "table": lambda x, names: pandas.DataFrame(x, columns=names[: x.shape[1]]),
    "table with ids": lambda x, names: pandas.DataFrame(x, columns=names[: x.shape[1]]).assign(
        id=np.arange(len(x)) % 3
    ),
    "sequences": lambda x, names: [x[: len(x) // 2], x[len(x) // 2 :]],
    "rows": lambda x, names: list(x),
    "tables": lambda x, names: _tables([x[:5], x[5:]], names),
    "set": lambda x, names: kinseq.SequenceSet.from_arrays([x[:4], x[4:]], layout="channels_last"),
    "dictionary": lambda x, names: {name: x[:, j] for j, name in zip(range(x.shape[1]), names, strict=False)},
    "column": lambda x, names: x[:, 0],
    "float32": lambda x, names: np.clip(x, -1e30, 1e30).astype(np.float32),
}


@examples(40)
@given(
    some_samples(),
    st.tuples(st.sampled_from(sorted(SAMPLES)), st.sampled_from(sorted(SAMPLES))),
    st.tuples(NAMES, NAMES),
    st.one_of(st.just({}), st.dictionaries(OPTIONS, st.sampled_from(REAL_WORDS), max_size=1)),
)
def test_samples_in_any_form_are_compared_whole(samples: Any, forms: Any, names: Any, options: dict[str, Any]) -> None:
    same_names = names[0] == names[1]
    try:
        a, b = (SAMPLES[form](x, of) for form, x, of in zip(forms, samples, names, strict=True))
    except (ValueError, TypeError, KeyError):
        assume(False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparing_run, "_SUBSAMPLES", 20)
        patch.setattr(comparing_run, "_PERMUTATIONS", 19)
        found = attempt(lambda: kinseq.compare(a, b, **options))
    if found is None:
        return
    made, said = found.comparison, " ".join(found.notes)
    assert np.isfinite([entry.value for entry in made.estimates]).all()
    counted = (made.n + made.repeated[0], made.m + made.repeated[1])
    assert counted == tuple(len(x) for x in samples)
    columns = {1 if form == "column" else x.shape[1] for form, x in zip(forms, samples, strict=True)}
    # Some names assign a role to a column, so that it is not a feature.
    named = {"id", "time", "t"} & set(map(str, [*names[0], *names[1]]))
    assert len(columns) == 1 or named
    assert made.d in columns or "left out" in said or not same_names or named


# Labels files

IDS = st.sampled_from(["f0", "f1", "f2", "f3", "f4", "f5"])
SEPARATORS = st.sampled_from([",", ";", "\t"])
LABEL = st.one_of(
    st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=4),
    st.sampled_from(
        ["a", "b", "NA", "1", "1.0", "01", "=1+1", "-1", "'", "a,b", 'say "a"', "id", "label", "#", "%", "nan"]
    ),
)


@examples(60)
@given(
    st.dictionaries(IDS, LABEL, min_size=1),
    st.tuples(SEPARATORS, st.booleans(), st.sampled_from(["\n", "\r\n"]), st.sampled_from(["", ".csv"])),
    st.data(),
)
def test_labels_come_to_the_sequences_that_they_are_given_to(labels: dict[str, str], how: Any, data: Any) -> None:
    separator, bom, end, ending = how
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=separator, lineterminator=end)
    writer.writerow(["id", "label"])
    for name in data.draw(st.permutations(sorted(labels))):
        writer.writerow([name + ending, labels[name]])
    text = ("\ufeff" if bom else "") + stream.getvalue()
    with folder_of({**FILES, "labels.csv": text}) as folder:
        found = attempt(lambda: read_folder(folder))
    if found is None:
        return
    made, notes = found
    assert len(made) == 6
    assert made.labels is not None or notes
    if made.labels is not None:
        ids = [name.removesuffix(".csv") for name in made.ids.tolist()]
        given_to = dict(zip(ids, made.labels.tolist(), strict=True))
        for name, label in labels.items():
            assert (
                str(given_to[name]).strip() == label.strip().removeprefix("'" if label.startswith("'=") else "")
                or notes
            )


@examples(60)
@given(st.text(alphabet=st.sampled_from("f0123,;\t\"\n\r id=label.csv#%'\ufeff\x00"), max_size=40), st.booleans())
def test_any_text_for_labels_is_refused_or_changes_no_sequence(text: str, head: bool) -> None:
    with folder_of({**FILES, "labels.csv": ("id,label\n" if head else "") + text}) as folder:
        found = attempt(lambda: read_folder(folder))
        plain = attempt(lambda: read_folder(folder, labels=None))
    assert plain is not None
    assert len(plain[0]) == 6
    if found is not None:
        np.testing.assert_array_equal(found[0].values, plain[0].values)
        assert found[0].ids.tolist() == plain[0].ids.tolist()


@examples(40)
@given(
    st.one_of(
        st.lists(st.one_of(LABEL, st.none(), st.integers(), st.floats()), max_size=7),
        st.sampled_from([{}, "labels.csv", None, np.arange(6), ["a"] * 6, [["a"]] * 6]),
    )
)
def test_lists_of_labels_are_of_the_sequences_or_refused(labels: Any) -> None:
    found = attempt(lambda: kinseq.cluster(ITEMS, 2, labels=labels, **FAST))
    assert found is None or len(found.labels) == 6
