"""Bad input to the library's doors: sequences, own data, estimators, matrices, clusterers, kernels, seeds."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import scipy.sparse

import kinseq
from kinseq import SequenceClustering, SequenceSet, clustering, measures
from kinseq.core import seeds
from kinseq.core.graphs import affinity
from kinseq.measures.ssd import ssd_joint
from kinseq_documents.tasks import Task

from .table import Case

RANDOM = np.random.default_rng(0)
SIX = [RANDOM.normal(size=(12, 2)) + 4.0 * (i % 2) for i in range(6)]
LINE = np.abs(np.subtract.outer(np.arange(6.0), np.arange(6.0)))
STACK = SequenceSet.from_arrays


def hidden(array: Any, *place: int) -> Any:
    """A masked array with one entry hidden."""
    masked = np.ma.array(array, mask=False)
    masked[place] = np.ma.masked
    return masked


def table(*columns: Any, data: Any = None) -> pandas.DataFrame:
    """A table with named columns."""
    return pandas.DataFrame(SIX[0] if data is None else data, columns=list(columns))


def refused(name: str, call: Callable[[], Any]) -> Case:
    """A row that needs no folder and is refused."""
    return Case(name, lambda _: call())


def taken(name: str, call: Callable[[], Any], gives: Callable[[Any], bool]) -> Case:
    """A row that needs no folder and is taken."""
    return Case(name, lambda _: call(), gives=gives)


def own(name: str, /, *args: Any, **given: Any) -> Case:
    """A row for kinseq.cluster on six sequences."""
    return refused(f"cluster: {name}", lambda: kinseq.cluster(SIX, *args, **given))


def data(name: str, given: Any, /, **settings: Any) -> Case:
    """A row for kinseq.cluster on other data."""
    return refused(f"cluster: {name}", lambda: kinseq.cluster(given, **settings))


def one(name: str, array: Any) -> Case:
    """A row for a set with one unusual sequence."""
    return refused(f"sequence: {name}", lambda: STACK([array]))


def several(name: str, arrays: Any, **given: Any) -> Case:
    """A row for a set of unusual sequences."""
    return refused(f"sequences: {name}", lambda: STACK(arrays, **given))


def counted(name: str, offsets: Any) -> Case:
    """A row for a set with unusual offsets."""
    return refused(f"offsets: {name}", lambda: SequenceSet(np.zeros((6, 2)), offsets))


def matrices(door: str, function: Callable[[Any], Any]) -> tuple[Case, ...]:
    """Rows for a door that takes a precomputed matrix."""
    skew, holed = LINE.copy(), LINE.copy()
    skew[0, 1], holed[0, 1] = 9.0, np.nan
    named = {
        "asymmetric": skew,
        "NaN": holed,
        "infinite": np.where(LINE == 5.0, np.inf, LINE),
        "similarity": np.exp(-LINE),
        "kernel with a varying diagonal": np.diag(np.arange(1.0, 7.0)),
        "complex": LINE * 1j,
        "text": LINE.astype(str),
        "masked": hidden(LINE, 0, 1),
        "sparse": scipy.sparse.csr_matrix(LINE),
        "condensed": LINE[np.triu_indices(6, 1)],
        "not square": LINE[:3],
        "empty": np.zeros((0, 0)),
        "None": None,
        "rows and columns in different orders": pandas.DataFrame(LINE, index=list("abcdef"), columns=list("fedcba")),
    }
    rows = [refused(f"{door}: {name}", partial(function, matrix)) for name, matrix in named.items()]
    frame = pandas.DataFrame(LINE, index=list("abcdef"), columns=list("abcdef"))
    return (*rows, taken(f"{door}: table", lambda: (function(frame), function(LINE)), lambda two: _equal(*two)))


def _equal(a: Any, b: Any) -> bool:
    return bool(np.array_equal(a, b))


OWN = (
    data("None", None),
    data("generator", (x for x in SIX)),
    data("number", 3),
    data("bytes", b"folder"),
    data("dictionary", {"a": SIX[0]}),
    data("set", {1, 2}),
    data("empty path", ""),
    data("blank path", "  "),
    data("empty list", []),
    data("one array", SIX[0][:, 0]),
    data("one table", table("a", "b")),
    data("layout of a path", "nowhere", layout="channels_last"),
    data("labels list with a path", "nowhere", labels=[1, 2]),
    data("measure is looked up before data are", "nowhere", measure="sdd"),
    data("number of clusters is looked at before data are", "nowhere", n_clusters=float("inf")),
    data("setting is looked at before data are", "nowhere", stats=2),
    data("measure that needs a number of clusters", "nowhere", measure="kl_ll_ms"),
    data("channels first in a list", [x.T for x in SIX]),
    data("channels first, unequal lengths", [SIX[0].T, SIX[1][:9].T]),
    data("square arrays", [x[:2] for x in SIX]),
    own("measure None", measure=None),
    own("measure is a number", measure=3),
    own("measure is a list of None", measure=[None]),
    own("measure empty", measure=""),
    own("measures none", measure=[]),
    own("measure twice", measure="ssd,ssd"),
    own("infinitely many clusters", float("inf")),
    own("half a cluster", 0.5),
    own("no cluster", 0),
    own("clusters as text", "2"),
    own("clusters in words", "three"),
    own("range the wrong way round", (6, 3)),
    own("range from one on", (1, 3)),
    own("range from one on, in words", "1-3"),
    own("range of three numbers", (2, 3, 4)),
    own("range of none", ()),
    own("range with a fraction", (2, 3.5)),
    own("range with None", (2, None)),
    own("range beyond the sequences", (3, 7)),
    own(
        "range for a measure that needs one number",
        (2, 3),
        "kl_ll_ms",
    ),
    data(
        "range beyond a matrix",
        LINE,
        n_clusters=(2, 9),
        measure="precomputed",
    ),
    data(
        "range beyond what is compared",
        np.abs(np.subtract.outer(np.arange(201.0), np.arange(201.0))),
        n_clusters=(2, 200),
        measure="precomputed",
    ),
    refused(
        "estimator: range for a clusterer of sequences",
        lambda: SequenceClustering(n_clusters=(2, 3), clusterer="kmeans_of_means").fit(SIX),
    ),
    own("clusters True", True),
    own("clusters in an array", np.array([2])),
    own("more clusters than atoms", 10**30),
    own("random state with a fraction", 2, random_state=1.5),
    own("random state as text", 2, random_state="1"),
    own("threads none", 2, n_jobs=0),
    own("progress as text", 2, progress="no"),
    own("name is a number", 2, name=5),
    own("another word for the seed", seed=1),
    own("another word for the measure", metric="dtw"),
    own("another word for the number", k=2),
    own("another word for the random state", random_seed=2),
    own("number in the singular", n_cluster=2),
    own("states of a measure without", 2, measure="dtw", n_states=3),
    own("models of a measure without", 2, measure="dtw", model="hmm"),
    own("kind of models unknown", 2, measure="kl_ll", model="arma"),
    own("clusterer unknown", 2, clusterer="dbscan"),
    own("clusterer of sequences", 2, clusterer="kmeans_of_means"),
    own("clusterer of runs", 2, clusterer="spectral_segmentation"),
    own("width for a clusterer without", 2, measure="dtw", clusterer="kmedoids", width="local"),
    own("width NaN", 2, width=float("nan")),
    own("width negative", 2, width=-1.0),
    own("option of another clusterer", 2, linkage="average"),
    own("precomputed beside others", 2, measure=["precomputed", "dtw"]),
    own("column of a table for arrays", 2, id_column="id"),
    own("misspelt argument", clusters=2),
    own("misspelt setting", n_state=2),
    own("layout unknown", layout="nct"),
    own("way with lengths unknown", length="stretched"),
    own("way with lengths a number", length=50),
    own("lengths of sets of vectors", measure="mmd,glds", length="stretch"),
    data("lengths of a matrix", LINE, measure="precomputed", length="stretch"),
    data(
        "a single frame to be stretched",
        [*SIX, SIX[0][:1]],
        measure="dtw",
        length="stretch",
    ),
    data(
        "single frames to be stretched",
        [x[:1] for x in SIX],
        measure="dtw",
        length="stretch",
        layout="channels_last",
    ),
    refused(
        "cluster: a new single frame to be stretched",
        lambda: kinseq.cluster(SIX, 2, "dtw", length="stretch").predict([SIX[0], SIX[1][:1]]),
    ),
    own("labels file with arrays", labels="mine.csv"),
    own("labels too few", labels=[1, 2]),
    own("labels with NaN", labels=[1, 2, 3, 4, 5, float("nan")]),
    own("labels with None", labels=[None, *"abcde"]),
    own("labels generator", labels=(x for x in "abcdef")),
    own("labels a number", labels=5),
    own("sample rate of arrays", sample_rate=8000),
    own("missing unknown", missing="drop"),
    own("frames with a fraction", max_frames=20.5),
    own("states infinite", n_states=float("inf")),
    own("resamples as text", n_resamples="5"),
    own("features a number", features=5),
    data("huge, not scaled", [1e200 * x for x in SIX], n_clusters=2, scale="none"),
    data("tiny, not scaled", [1e-200 * x for x in SIX], n_clusters=2, scale="none"),
    taken(
        "cluster: number of clusters in a 0-d array",
        lambda: kinseq.cluster(SIX, np.array(2)),
        lambda found: found.n_clusters == 2,
    ),
)

ONE = (
    one("masked entry", hidden(SIX[0], 1, 1)),
    one("masked row in a list", [hidden([1.0, 2.0], 0), np.ones(2)]),
    one("complex", SIX[0] * 1j),
    one("complex objects", np.array([[1 + 2j]], dtype=object)),
    one("digits as text", np.array([["1", "2"]])),
    one("digits among numbers", np.array([["1", 2]], dtype=object)),
    one("dates", np.array([["2020-01-01"]], dtype="datetime64[s]")),
    one("durations", np.array([[1]], dtype="timedelta64[s]")),
    one("dates in a table", pandas.DataFrame({"x": [1.0], "t": pandas.to_datetime(["2020"])})),
    one("missing in a table", pandas.DataFrame({"x": pandas.array([1, None], dtype="Int64")})),
    one("words in a table", pandas.DataFrame({"x": pandas.Categorical(["a", "b"])})),
    one("None", [[None]]),
    one("sparse", scipy.sparse.csr_matrix(SIX[0])),
    one("rows of unequal lengths", [[1.0, 2.0], [3.0]]),
    one("named fields", np.zeros(2, dtype=[("a", float)])),
    one("number beyond float64", [[10**400]]),
    one("long double beyond float64", np.array([[np.longdouble("1e4000")]])),
    one("no frames", np.zeros((0, 2))),
    one("no features", np.zeros((2, 0))),
    one("one axis", [1.0, 2.0]),
    one("series", pandas.Series([1.0, 2.0])),
    one("no axis", 5.0),
    one("three axes", np.zeros((2, 2, 2))),
    taken("sequence: decimals", lambda: STACK([[[Decimal("1.5")]]]), lambda made: made[0][0, 0] == 1.5),
    taken(
        "sequence: half floats", lambda: STACK([np.full((2, 1), 0.5, dtype=np.float16)]), lambda s: s[0][1, 0] == 0.5
    ),
    taken(
        "sequence: truth values", lambda: STACK([np.array([[True], [False]])]), lambda s: s[0].tolist() == [[1], [0]]
    ),
    taken("sequence: backwards", lambda: STACK([SIX[0][::-1, ::-1]]), lambda made: _equal(made[0], SIX[0][::-1, ::-1])),
    taken("sequence: nothing masked", lambda: STACK([np.ma.array(SIX[0])]), lambda made: _equal(made[0], SIX[0])),
)

SEVERAL = (
    several("stack of channels first", np.zeros((4, 2, 9))),
    several("stack of squares", np.zeros((4, 3, 3))),
    several("masked stack", hidden(np.zeros((2, 9, 2)), 1, 0, 0)),
    several("four axes", np.zeros((2, 2, 2, 2))),
    several("layout unknown", SIX, layout="tnc"),
    several("channels first with names", [table("a", "b")], layout="channels_first"),
    several("names and none", [table("a", "b"), SIX[1]]),
    several("other names", [table("a", "b"), table("a", "c")]),
    several("names twice", [table("a", "b"), table("a", "a")]),
    several("numbers of features", [SIX[0], SIX[1][:, :1]]),
    several("ids as one text", SIX[:3], ids="abc"),
    several("ids twice", SIX[:2], ids=["a", "a"]),
    several("labels masked", SIX[:2], labels=hidden([1, 2], 0)),
    several("labels by name", SIX[:2], labels={"a": 1, "b": 2}),
    several("groups missing", SIX[:2], groups=pandas.Series(["a", None])),
    taken(
        "sequences: columns in another order",
        lambda: STACK([table("a", "b"), table("b", "a", data=SIX[0][:, ::-1])]),
        lambda made: _equal(made[0], made[1]),
    ),
    taken(
        "sequences: columns of two levels in another order",
        lambda: STACK([table(("a", 1), ("b", 2)), table(("b", 2), ("a", 1), data=SIX[0][:, ::-1])]),
        lambda made: _equal(made[0], made[1]),
    ),
    taken(
        "sequences: channels first",
        lambda: STACK([x.T for x in SIX], layout="channels_first"),
        lambda made: _equal(made[3], SIX[3]),
    ),
    taken("sequences: single numbers", lambda: STACK(np.zeros((4, 1, 1))), lambda made: len(made) == 4),
    counted("fraction", [0, 2.5, 6]),
    counted("NaN", [0, float("nan"), 6]),
    counted("mask", [False, True]),
    counted("text", ["0", "6"]),
    counted("falling", [0, 4, 2, 6]),
    counted("none", []),
    taken("offsets: whole floats", lambda: SequenceSet(np.zeros((6, 2)), [0.0, 6.0]), lambda made: len(made) == 1),
    refused("subset: mask", lambda: STACK(SIX).subset(np.arange(6) < 3)),
    refused("subset: negative", lambda: STACK(SIX).subset([-1])),
    refused("subset: beyond", lambda: STACK(SIX).subset([6])),
    refused("subset: fraction", lambda: STACK(SIX).subset([0.5])),
    refused("subset: twice", lambda: STACK(SIX).subset([1, 1])),
    refused("subset: none", lambda: STACK(SIX).subset([])),
    refused("task: fraction", lambda: Task("a", np.array([0, 1.5]), 1)),
    refused("task: negative", lambda: Task("a", np.array([-1, 1]), 1)),
    refused("task: infinitely many clusters", lambda: Task("a", np.array([0, 1]), float("inf"))),
)

MATRICES = (
    *matrices("spectral", lambda matrix: clustering.spectral(matrix, 2)),
    *matrices("hierarchical", lambda matrix: clustering.hierarchical(matrix, 2)),
    *matrices("kmedoids", lambda matrix: clustering.kmedoids(matrix, 2)),
    *matrices("gaussian", lambda matrix: affinity.gaussian(matrix, 1.0)),
    *matrices("choose_width", lambda matrix: affinity.choose_width(matrix, 2)),
    refused("spectral: infinitely many clusters", lambda: clustering.spectral(LINE, float("inf"))),
    refused("spectral: width True", lambda: clustering.spectral(LINE, 2, width=True)),
    refused("spectral: width None", lambda: clustering.spectral(LINE, 2, width=None)),
    refused("spectral: width rule", lambda: clustering.spectral(LINE, 2, width="wide")),
    refused("spectral: random_state", lambda: clustering.spectral(LINE, 2, random_state=0.5)),
    refused("kmedoids: no start", lambda: clustering.kmedoids(LINE, 2, n_init=0)),
    refused("hierarchical: linkage None", lambda: clustering.hierarchical(LINE, 2, linkage=None)),
    refused("width as text", lambda: affinity.gaussian(LINE, "2")),
    refused("width complex", lambda: affinity.gaussian(LINE, 1j)),
    refused("widths as text", lambda: affinity.gaussian(LINE, ["1"] * 6)),
    refused("widths too few", lambda: affinity.gaussian(LINE, [1.0, 2.0])),
    refused("grid as text", lambda: affinity.choose_width(LINE, 2, grid=["1"])),
    refused("grid from text", lambda: affinity.width_grid(LINE, low="a")),
    refused("bar NaN", lambda: affinity.best_eigengap(LINE, 2, bar=float("nan"))),
    refused("clusterer is a number", lambda: clustering.get(3)),
)

MEASURES = (
    refused("measure None by name", lambda: measures.get(None)),
    refused("measure in a list", lambda: measures.get(["ssd"])),
    refused("sequences for evidence", lambda: measures.get("dtw").compute(SIX)),
    refused(
        "compute: random_state",
        lambda: measures.compute("ssd", SIX, random_state=1.5, n_states=2),
    ),
    refused("compute: huge for DTW", lambda: measures.compute("dtw", [1e200 * x for x in SIX])),
    refused("compute: huge for models", lambda: measures.compute("ssd", [1e200 * x for x in SIX])),
    refused("compute: tiny for models", lambda: measures.compute("kl_ll", [1e-200 * x for x in SIX])),
    refused("prior negative", lambda: ssd_joint(np.ones((2, 2, 2)), -1)),
    refused("prior as text", lambda: ssd_joint(np.ones((2, 2, 2)), "1")),
    refused("counts negative", lambda: ssd_joint(-np.ones((2, 2, 2)))),
    refused("counts NaN", lambda: ssd_joint(np.full((2, 2, 2), np.nan))),
    refused("root of a stream", lambda: seeds.derive_seed(1.5, "a")),
    refused(
        "estimator: random_state",
        lambda: SequenceClustering(measure="dtw", random_state=1.5).fit(SIX),
    ),
    refused("estimator: params", lambda: SequenceClustering(params={"metric": 1}).fit(SIX)),
    refused("estimator: n_jobs", lambda: SequenceClustering(n_jobs="all").fit(SIX)),
    refused("n_jobs by another name", lambda: kinseq.cluster(SIX, n_jobs=2, threads=2)),
    refused("params twice", lambda: kinseq.cluster(SIX, params={"scale": "none"})),
    refused("params no dict", lambda: kinseq.cluster(SIX, params=["diag"])),
    refused("estimator: two measures", lambda: SequenceClustering(measure="dtw,ssd").fit(SIX)),
    refused("estimator: clusters", lambda: SequenceClustering(float("inf"), "dtw").fit(SIX)),
    refused("estimator: measure None", lambda: SequenceClustering(measure=None).fit(SIX)),
    refused(
        "estimator: clusterer None",
        lambda: SequenceClustering(measure="dtw", clusterer=None).fit(SIX),
    ),
    refused("estimator: layout", lambda: SequenceClustering(measure="dtw", layout="ct").fit(SIX)),
)


def asked(name: str, call: Callable[[kinseq.api.Clustering], Any]) -> Case:
    """A row for what an analysis is asked afterwards."""

    def ask(_: Path) -> Any:
        return call(kinseq.cluster(SIX, 2, measure="dtw"))

    return Case(f"analysis: {name}", ask)


ANALYSIS = (
    asked("predict None", lambda found: found.predict(None)),
    asked("predict nothing", lambda found: found.predict([])),
    asked("predict NaN", lambda found: found.predict([np.full((5, 2), np.nan)])),
    asked("predict other features", lambda found: found.predict([np.zeros((5, 1))])),
    asked("predict huge", lambda found: found.predict([1e200 * SIX[0]])),
    asked("report nowhere", lambda found: found.report("")),
    asked("report to a number", lambda found: found.report(5)),
    asked("half a neighbour", lambda found: found.details.neighbours(1.5)),
    asked("cluster that is not there", lambda found: found.details.typical(9)),
)

CASES: tuple[Case, ...] = (*OWN, *ONE, *SEVERAL, *MATRICES, *MEASURES, *ANALYSIS)
