"""Artefacts of files make no groups: constants, rounding, padding, seams, missing rows, copies. Numbers of any locale are read.

Hypothesis makes the input, as in ``test_properties_readers``, where ``KINSEQ_EXAMPLES`` is explained.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import kinseq
from tests.reading import read_folder

from .test_properties_readers import attempt, examples, folder_of

N, FRAMES = 16, 60
SEPARATED = {"clear", "separated"}


def _noise(seed: int, columns: int = 2) -> list[np.ndarray]:
    random = np.random.default_rng([70, seed])
    return [random.standard_normal((FRAMES, columns)) for _ in range(N)]


def _constant(items: list[np.ndarray], value: float, seed: int) -> list[np.ndarray]:
    """A column that stands still, in float32 in half of the files."""
    stored = [float(np.float32(value)) if i % 2 else value for i in range(N)]
    return [np.column_stack([item, np.full(len(item), constant)]) for item, constant in zip(items, stored, strict=True)]


def _padded(items: list[np.ndarray], value: float, seed: int) -> list[np.ndarray]:
    """Zeros to the end in half of the files, from other places on."""
    random = np.random.default_rng(seed)
    return [
        np.where(np.arange(FRAMES)[:, None] < random.integers(30, 45), item, 0.0) if i % 2 else item
        for i, item in enumerate(items)
    ]


def _shorter(items: list[np.ndarray], value: float, seed: int) -> list[np.ndarray]:
    """A fifth of the rows is missing in half of the files."""
    random = np.random.default_rng(seed)
    kept = [np.sort(random.choice(FRAMES, FRAMES * 4 // 5, replace=False)) for _ in items]
    return [item[rows] if i % 2 else item for i, (item, rows) in enumerate(zip(items, kept, strict=True))]


def _headings(items: list[np.ndarray], value: float, seed: int) -> list[np.ndarray]:
    """A walk of directions from anywhere: some pass the seam."""
    starts = np.random.default_rng(seed).uniform(0.0, 360.0, N)
    return [
        np.column_stack([item[:, 0], (start + np.cumsum(8.0 * item[:, 1])) % 360.0])
        for item, start in zip(items, starts, strict=True)
    ]


def _stored(items: list[np.ndarray], value: float, seed: int) -> list[np.ndarray]:
    """Half of the files in float32."""
    return [item.astype(np.float32).astype(float) if i % 2 else item for i, item in enumerate(items)]


ARTEFACTS = {
    "constant": _constant,
    "padding": _padded,
    "missing rows": _shorter,
    "precision": _stored,
}


@examples(4)
@given(
    st.sampled_from(sorted(ARTEFACTS)),
    st.integers(0, 10_000),
    st.sampled_from([0.1, 0.3, 7.7, 1e6 / 3, -1e-3, 101325.1]),
)
def test_what_half_of_the_files_have_of_their_format_makes_no_separated_groups(
    kind: str, seed: int, value: float
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = kinseq.cluster(ARTEFACTS[kind](_noise(seed), value, seed))
    halves = np.arange(N) % 2
    agree = found.n_clusters == 2 and abs(int((found.labels == halves).sum()) - N // 2) == N // 2
    assert not agree or found.degree not in SEPARATED, found.verdict


@examples(3)
@given(st.integers(0, 10_000))
def test_who_passes_the_seam_is_no_group_or_the_seam_is_named(seed: int) -> None:
    found = kinseq.cluster(_headings(_noise(seed), 0.0, seed))
    assert found.degree not in SEPARATED or any("circular" in note for note in found.notes), found.verdict


WORDS_OF_CHANGE = ("rising", "falling", "trend", "swing", "steady", "earlier", "later")


@examples(4)
@given(
    st.floats(-1e6, 1e6, width=32).map(float),
    st.integers(0, 10_000),
    st.sampled_from(["zscore", "none", "per_sequence"]),
)
def test_a_column_that_stands_still_does_not_move_in_words(value: float, seed: int, scale: Any) -> None:
    random = np.random.default_rng([71, seed])
    items = [
        np.column_stack(
            [random.standard_normal(FRAMES) + 6.0 * (i % 2), np.full(FRAMES, value * (1.0 + (i % 2) * 0.5))]
        )
        for i in range(N)
    ]
    said = kinseq.cluster(items, 2, scale=scale).explain()
    of_still = said.loc[said["column"].astype(str).str.endswith("2")] if len(said) else said
    for sentence in of_still.get("sentence", []):
        assert not any(word in sentence for word in WORDS_OF_CHANGE), sentence


@examples(4)
@given(
    st.integers(0, 10_000),
    st.sampled_from([1e-3, 1.0, 101_000.0, 1e7]),
    st.sampled_from([3.0, 20.0]),
    st.sampled_from([1.0, 1e-4, 1e4]),
)
def test_two_groups_have_two_names(seed: int, level: float, apart: float, unit: float) -> None:
    random = np.random.default_rng([72, seed])
    items = [
        unit
        * (np.column_stack([random.standard_normal(FRAMES), level + random.standard_normal(FRAMES) + apart * (i % 2)]))
        for i in range(N)
    ]
    found = kinseq.cluster(items, 2)
    if found.degree in SEPARATED:
        names = [name.split(" with ", 1)[-1] for name in found.verdict.split(": ", 1)[-1].split("; ")]
        assert len(set(names)) == len(names), found.verdict


# Numbers as locales write them

LOCALES = {
    "point": lambda text: text,
    "comma": lambda text: text.replace(".", ","),
    "german": lambda text: _grouped(text, ".", ","),
    "english": lambda text: _grouped(text, ",", "."),
    "swiss": lambda text: _grouped(text, "'", "."),
    "french": lambda text: _grouped(text, "\u202f", ","),
    "czech": lambda text: _grouped(text, "\u00a0", ","),
    "minus": lambda text: text.replace("-", "\u2212"),
}


def _grouped(text: str, thousands: str, point: str) -> str:
    whole, dot, rest = text.partition(".")
    return f"{int(whole):,}".replace(",", thousands) + (point if dot else "") + rest


@st.composite
def tables_of_a_locale(draw: Any) -> tuple[dict[str, str], list[np.ndarray]]:
    locale = draw(st.sampled_from(sorted(LOCALES)))
    separator = (
        ";" if locale in ("comma", "german", "french", "czech", "english") else draw(st.sampled_from([";", "\t"]))
    )
    decimals = draw(st.integers(0, 4))
    most = draw(st.sampled_from([1, 50, 3_000, 2_000_000]))
    random = np.random.default_rng([73, draw(st.integers(0, 10_000))])
    truth = [np.round(random.uniform(-most, most, (12, 2)), decimals) for _ in range(3)]
    write = LOCALES[locale]
    # The whole number -0 is 0.
    files = {
        f"f{i}.csv": "\n".join(
            [
                separator.join(["a", "b"]),
                *(
                    separator.join(
                        write(f"{value:.{decimals}f}") if abs(value) >= 1 else _small(value, decimals, write)
                        for value in row
                    )
                    for row in values.tolist()
                ),
            ]
        )
        + "\n"
        for i, values in enumerate(truth)
    }
    return files, truth


def _small(value: float, decimals: int, write: Any) -> str:
    text = f"{value:.{decimals}f}"
    return (
        ("-" if text.startswith("-") else "") + write(text.lstrip("-"))
        if write is not LOCALES["minus"]
        else write(text)
    )


@examples(80)
@given(tables_of_a_locale())
def test_numbers_of_any_locale_are_read_as_written_or_refused(written: tuple[dict[str, str], list[np.ndarray]]) -> None:
    files, truth = written
    with folder_of(files) as folder:
        found = attempt(lambda: read_folder(folder, missing="refuse", on_bad_file="refuse"))
    if found is not None:
        for frames, values in zip(found[0], truth, strict=True):
            np.testing.assert_allclose(frames, values, rtol=1e-12, err_msg=str(found[1]) + files["f0.csv"])


# Trials that begin again


@st.composite
def trials(draw: Any) -> tuple[str, list[int]]:
    """A long table of ids, of which each has several trials whose clock begins again."""
    lengths = draw(
        st.lists(
            st.one_of(st.integers(5, 80), st.sampled_from([60, 1000, 1024, 3600])).filter(lambda length: length < 1100),
            min_size=2,
            max_size=6,
        )
    )
    per_id = draw(st.integers(1, 3))
    named = draw(st.booleans())
    random = np.random.default_rng([74, draw(st.integers(0, 10_000))])
    lines = ["id,trial,time,x" if named else "id,time,x"]
    for number, length in enumerate(lengths):
        who, trial = f"s{number // per_id}", number % per_id
        for t in range(length):
            cells = [who, *([str(trial)] if named else []), str(t), f"{random.standard_normal():.6f}"]
            lines.append(",".join(cells))
    return "\n".join(lines) + "\n", lengths


@examples(25)
@given(trials())
def test_trials_of_one_id_are_sequences_of_their_own_or_refused(table: tuple[str, list[int]]) -> None:
    text, lengths = table
    with folder_of({"all.csv": text}) as folder:
        found = attempt(lambda: read_folder(folder / "all.csv"))
    if found is not None:
        assert sorted(found[0].lengths.tolist()) == sorted(lengths), found[1]


# Copies


@examples(3)
@given(st.integers(0, 10_000), st.sampled_from([0.0, 3.3, -1e5]))
def test_dead_sensors_are_one_group_of_their_own(seed: int, value: float) -> None:
    items = [item if i % 2 else np.full_like(item, value) for i, item in enumerate(_noise(seed))]
    found = kinseq.cluster(items, 2)
    halves = np.arange(N) % 2
    assert abs(int((found.labels == halves).sum()) - N // 2) == N // 2, found.verdict
