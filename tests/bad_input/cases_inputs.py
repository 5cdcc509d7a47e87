"""Bad input in the forms in which several sequences are held: stacked, padded, in a long table; measures of one's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas

import kinseq
from kinseq import SequenceClustering, measures
from kinseq.core.inputs import Columns, as_collection

from .table import Case

RANDOM = np.random.default_rng(0)
SIX = [RANDOM.normal(size=(12, 2)) + 4.0 * (i % 2) for i in range(6)]
LINE = np.abs(np.subtract.outer(np.arange(6.0), np.arange(6.0)))
WIDE = [RANDOM.normal(size=(4, 9)) for _ in range(6)]
LONG = pandas.DataFrame({"id": ["a"] * 3 + ["b"] * 2, "time": [2, 0, 1, 0, 1], "x": [3.0, 1.0, 2.0, 4.0, 5.0]})


def padded(*place: int) -> Any:
    """A padded stack with one more entry missing."""
    stack = np.full((3, 12, 2), np.nan)
    for i, frames in enumerate(SIX[:3]):
        stack[i, : 12 - i] = frames[: 12 - i]
    if place:
        stack[place] = np.nan
    return stack


def refused(name: str, given: Any, **settings: Any) -> Case:
    return Case(f"form: {name}", lambda _: as_collection(given, **settings))


def taken(name: str, given: Any, gives: Callable[[Any], bool], **settings: Any) -> Case:
    return Case(f"form: {name}", lambda _: as_collection(given, **settings)[0], gives=gives)


def table(name: str, given: Any, **columns: Any) -> Case:
    return Case(f"long table: {name}", lambda _: as_collection(given, columns=Columns(**columns)))


def function(name: str, given: Any) -> Case:
    return Case(f"function: {name}", lambda _: kinseq.cluster(SIX, 2, measure=given))


def matrix(name: str, given: Any, **settings: Any) -> Case:
    return Case(f"precomputed: {name}", lambda _: kinseq.cluster(given, 2, "precomputed", **settings))


def nameless(x: Any, y: Any) -> float:
    return float(x.sum() - y.sum())


FORMS = (
    refused("three axes, square", np.zeros((4, 3, 3))),
    refused("three axes, an unknown layout", np.zeros((4, 9, 3)), layout="ct"),
    refused("four axes", np.zeros((2, 2, 2, 2))),
    refused("series that no memory holds", [range(10**15), [1.0]]),
    refused("no row", np.zeros((0, 5))),
    refused("rows without frames", np.zeros((3, 0))),
    refused("complex rows", np.zeros((3, 5)) * 1j),
    refused("NaN within a row", np.array([[1.0, np.nan, 2.0], [1.0, 2.0, 3.0]])),
    refused("NaN at the start of a row", np.array([[np.nan, 1.0], [1.0, 2.0]])),
    refused("a row of NaN", np.array([[1.0, 2.0], [np.nan, np.nan]])),
    refused("infinity after the padding", np.array([[1.0, np.nan, np.inf], [1.0, 2.0, 3.0]])),
    refused("NaN within a padded stack", padded(1, 4, 0)),
    refused("NaN in one channel of the last frame", padded(0, 11, 1)),
    refused("NaN at the end of a list", [np.array([1.0, np.nan]), np.ones(2)]),
    refused("series and arrays", [np.ones(5), np.ones((5, 1))]),
    refused("numbers", [1.0, 2.0]),
    refused("wide arrays as sequences", WIDE),
    refused("a set with a layout", kinseq.SequenceSet.from_arrays(SIX), layout="channels_last"),
    taken("wide arrays as sets", WIDE, lambda made: made.n_features == 9, ordered=False),
    taken("wide arrays of unequal lengths", [WIDE[0], WIDE[1][:3]], lambda made: made.lengths.tolist() == [4, 3]),
    taken("rows", np.ones((3, 5)), lambda made: made.lengths.tolist() == [5, 5, 5] and made.n_features == 1),
    taken(
        "padded stack", padded(), lambda made: made.lengths.tolist() == [12, 11, 10] and (made[1] == SIX[1][:11]).all()
    ),
    taken(
        "padded stack of channels first",
        np.swapaxes(padded(), 1, 2),
        lambda made: made.lengths.tolist() == [12, 11, 10] and bool((made[2] == SIX[2][:10]).all()),
        layout="channels_first",
    ),
    taken("padded rows", np.array([[1.0, np.nan], [1.0, 2.0]]), lambda made: made.lengths.tolist() == [1, 2]),
    taken("series", [np.ones(3), [1, 2]], lambda made: made.lengths.tolist() == [3, 2]),
    *(
        Case(
            f"measure {name}: {word} is an array",
            lambda _, name=name, word=word: kinseq.cluster(SIX, 2, name, **{word: np.array([1, 2])}),
        )
        for name, word in (
            ("kl_ll", "norm"),
            ("kl_ll", "root"),
            ("kl_ll", "model"),
            ("ppk", "start"),
            ("ppk", "normalised"),
            ("glds", "scaling"),
            ("fisher", "information"),
            ("nn_risk", "log"),
            ("dtw", "normalised"),
        )
    ),
    Case("measure kl_ll: text for a flag", lambda _: kinseq.cluster(SIX, 2, "kl_ll", params={"root": "false"})),
    Case(
        "measure kl_ll: a count as a float",
        lambda _: kinseq.cluster(SIX, 2, "kl_ll", params={"max_iter": 3.0}),
        gives=lambda a: len(a.labels) == 6,
    ),
    Case("measure kl_ll: half a count", lambda _: kinseq.cluster(SIX, 2, "kl_ll", params={"max_iter": 2.5})),
    Case("compute: wide lists", lambda _: measures.compute("dtw", WIDE)),
    Case("compute: wide sets", lambda _: measures.compute("mmd", WIDE), gives=lambda matrix: matrix.shape == (6, 6)),
    Case("estimator: wide lists", lambda _: SequenceClustering(2, "dtw").fit(WIDE)),
    Case("estimator: wide sets", lambda _: SequenceClustering(2, "mmd").fit(WIDE), gives=lambda m: len(m.labels_) == 6),
    Case("predict: wide list", lambda _: kinseq.cluster(SIX, 2, "dtw").predict(WIDE)),
)

TABLES = (
    table("a column without a name", LONG.rename(columns={"x": None})),
    table("a column called NaN", LONG.rename(columns={"id": 0, "x": np.nan}), id=0),
    refused(
        "a table in a list whose column has no name",
        [LONG[["id", "x"]].rename(columns={"id": None})],
    ),
    table("no row", LONG[:0]),
    refused("an empty table in a list", [LONG[["time", "x"]], LONG[["time", "x"]][:0]]),
    table("no id", LONG.rename(columns={"id": "who"})),
    table("unknown id", LONG, id="who"),
    table("unknown time", LONG, time="t"),
    table("unknown feature", LONG, values=["y"]),
    table("features as one text", LONG, values="x"),
    table("no features", LONG, values=[]),
    table("id as a feature", LONG, values=["id", "x"]),
    table("a feature twice", LONG, values=["x", "x"]),
    table("columns of one name", pandas.concat([LONG, LONG[["x"]]], axis=1)),
    table("time twice", LONG.assign(time=[0, 0, 1, 0, 1])),
    table("time missing", LONG.assign(time=[0.0, None, 1.0, 0.0, 1.0])),
    table("time in words", LONG.assign(time=list("abcde"))),
    table("time without end", LONG.assign(time=[0.0, 1.0, np.inf, 0.0, 1.0])),
    table("id missing", LONG.assign(id=["a", None, "a", "b", "b"])),
    table("ids that are written alike", LONG.assign(id=[1, "1", 1, "b", "b"])),
    table("value missing", LONG.assign(x=[1.0, np.nan, 2.0, 3.0, 4.0])),
    Case("long table: a layout", lambda _: as_collection(LONG, layout="channels_last")),
    Case("long table: columns for arrays", lambda _: as_collection(SIX, columns=Columns("id"))),
    taken("long table", LONG, lambda made: made[0].ravel().tolist() == [1, 2, 3] and made.ids.tolist() == ["a", "b"]),
)


def arrow(**columns: Any) -> Any:
    import pyarrow

    return pyarrow.table(columns)


FRAMES = [arrow(x=[1.0, 2.0 + i, 0.5], y=[3.0, 1.0, 2.0]) for i in range(2)]
BEYOND = 2**53 + 1
OTHERS = (
    taken("tables of pyarrow", FRAMES, lambda made: made[1].tolist() == [[1, 3], [3, 1], [0.5, 2]]),
    taken("tables of pyarrow, columns by name", [FRAMES[0], FRAMES[1].select(["y", "x"])], lambda m: m[1][1, 0] == 3),
    taken(
        "a long table of pyarrow", arrow(id=["a", "b", "a"], x=[1, 2, 3]), lambda made: made.lengths.tolist() == [2, 1]
    ),
    refused("a table of pyarrow without ids", FRAMES[0]),
    refused("a gap in a table of pyarrow", [arrow(x=[1, None])]),
    taken(
        "the same, to be filled in",
        [arrow(x=[1, None, 2]), arrow(x=[1, 2])],
        lambda made: made[0].ravel().tolist() == [1.0, 1.5, 2.0],
        missing="interpolate",
    ),
    refused("whole numbers beyond 2**53", [np.array([[BEYOND]], dtype=np.uint64)] * 2),
    refused("the same, signed", [np.array([[-BEYOND]])] * 2),
    refused("the same, as objects", [np.array([[BEYOND]], dtype=object)] * 2),
    refused("the same, in a stack", np.full((2, 3), BEYOND)),
    refused("the same, in a table of pyarrow", [arrow(x=[BEYOND, None])]),
    table("whole numbers beyond 2**53", LONG.assign(x=BEYOND)),
    taken(
        "the largest of uint64, which is exact",
        [np.array([[2**63]], dtype=np.uint64)] * 2,
        lambda m: m[0][0, 0] == 2.0**63,
    ),
)

OWN = (
    function("asymmetric", nameless),
    function("a similarity", lambda x, y: float(np.exp(-abs(x.sum() - y.sum())))),
    function("NaN", lambda x, y: float("nan")),
    function("nothing", lambda x, y: None),
    function("an array", lambda x, y: np.ones(2)),
    function("text", lambda x, y: "1"),
    matrix("sequences", SIX),
    matrix("asymmetric", LINE + np.triu(LINE)),
    matrix("similarity", np.exp(-LINE)),
    matrix("NaN", np.where(LINE == 5, np.nan, LINE)),
    matrix("folder", "data"),
    matrix("layout", LINE, layout="channels_last"),
    matrix("states", LINE, n_states=3),
    matrix("scale", LINE, scale="none"),
    matrix("labels too few", LINE, labels=[1, 2]),
    Case(
        "precomputed: new items with too few columns",
        lambda _: kinseq.cluster(LINE, 2, "precomputed").predict(LINE[:, :5]),
    ),
    Case(
        "precomputed: new items with NaN",
        lambda _: kinseq.cluster(LINE, 2, "precomputed").predict(np.full((1, 6), np.nan)),
    ),
)


def taken_for_series(name: str, call: Callable[[Any], Any], given: Any = LINE) -> Case:
    return Case(f"dissimilarities without a word: {name}", lambda _: call(given))


ROWS = np.vstack([LINE[:1] + 1.0, LINE[1:]])
SQUARES = (
    taken_for_series("cluster", lambda d: kinseq.cluster(d, 2)),
    taken_for_series("cluster, whole numbers", lambda d: kinseq.cluster(d, 2), LINE.astype(int)),
    taken_for_series("cluster, a list of rows", lambda d: kinseq.cluster(d, 2), list(LINE)),
    taken_for_series("cluster, nested lists", lambda d: kinseq.cluster(d, 2), LINE.tolist()),
    taken_for_series("cluster, a table", lambda d: kinseq.cluster(d, 2), pandas.DataFrame(LINE)),
    taken_for_series(
        "cluster, a table with names",
        lambda d: kinseq.cluster(d, 2),
        pandas.DataFrame(LINE, columns=list("abcdef"), index=list("abcdef")),
    ),
    taken_for_series("estimator", lambda d: SequenceClustering(n_clusters=2).fit(d)),
    taken_for_series("estimator, dtw", lambda d: SequenceClustering(2, "dtw").fit_predict(d)),
    taken_for_series("estimator, -d", lambda d: SequenceClustering(2, "dtw").fit(d), -LINE),
    taken_for_series(
        "estimator of sequences themselves", lambda d: SequenceClustering(clusterer="itc", n_clusters=2).fit(d)
    ),
    taken_for_series("dissimilarity", lambda d: kinseq.dissimilarity(d)),
    taken_for_series("compute", lambda d: measures.compute("dtw", d)),
    taken_for_series("itc", lambda d: kinseq.InformationTheoreticClustering(2).fit(d)),
    *(
        taken_for_series(name, call, LINE.max() - LINE)
        for name, call in {
            "cluster, similarities": lambda s: kinseq.cluster(s, 2),
            "estimator, similarities": lambda s: SequenceClustering(2, "dtw").fit(s),
            "itc, similarities": lambda s: kinseq.InformationTheoreticClustering(2).fit(s),
        }.items()
    ),
    taken_for_series("estimator, correlations", SequenceClustering(2, "dtw").fit, np.corrcoef(ROWS)),
    Case(
        "series that are symmetric as a matrix, and nothing else of one",
        lambda _: SequenceClustering(2, "dtw").fit(LINE + np.diag(np.arange(6.0))).labels_,
        gives=lambda labels: len(labels) == 6,
    ),
    Case(
        "series that are no dissimilarities",
        lambda _: SequenceClustering(2, "dtw").fit(ROWS).labels_,
        gives=lambda labels: len(labels) == 6,
    ),
    Case(
        "series that look like dissimilarities, as the message says",
        lambda _: SequenceClustering(2, "dtw").fit(LINE[:, :, None]).labels_,
        gives=lambda labels: len(labels) == 6,
    ),
    Case(
        "dissimilarities, as the message says",
        lambda _: SequenceClustering(2, "precomputed").fit(LINE).labels_,
        gives=lambda labels: len(labels) == 6,
    ),
    Case("precomputed: -d", lambda _: kinseq.cluster(-LINE, 2, "precomputed")),
    Case("function: -d", lambda _: kinseq.cluster(SIX, 2, minus)),
)


def minus(x: Any, y: Any) -> float:
    return -float(np.abs(x.mean() - y.mean()))


CASES: tuple[Case, ...] = (*FORMS, *TABLES, *OTHERS, *OWN, *SQUARES)
