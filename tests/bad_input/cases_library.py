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


def refused(name: str, call: Callable[[], Any], says: str) -> Case:
    """A row that needs no folder and is refused."""
    return Case(name, lambda _: call(), says=says)


def taken(name: str, call: Callable[[], Any], gives: Callable[[Any], bool]) -> Case:
    """A row that needs no folder and is taken."""
    return Case(name, lambda _: call(), gives=gives)


def own(name: str, says: str, /, *args: Any, **given: Any) -> Case:
    """A row for kinseq.cluster on six sequences."""
    return refused(f"cluster: {name}", lambda: kinseq.cluster(SIX, *args, **given), says)


def data(name: str, given: Any, says: str, /, **settings: Any) -> Case:
    """A row for kinseq.cluster on other data."""
    return refused(f"cluster: {name}", lambda: kinseq.cluster(given, **settings), says)


def one(name: str, array: Any, says: str) -> Case:
    """A row for a set with one unusual sequence."""
    return refused(f"sequence: {name}", lambda: STACK([array]), rf"'s00000': .*{says}")


def several(name: str, arrays: Any, says: str, **given: Any) -> Case:
    """A row for a set of unusual sequences."""
    return refused(f"sequences: {name}", lambda: STACK(arrays, **given), says)


def counted(name: str, offsets: Any, says: str) -> Case:
    """A row for a set with unusual offsets."""
    return refused(f"offsets: {name}", lambda: SequenceSet(np.zeros((6, 2)), offsets), says)


def matrices(door: str, function: Callable[[Any], Any]) -> tuple[Case, ...]:
    """Rows for a door that takes a precomputed matrix."""
    skew, holed = LINE.copy(), LINE.copy()
    skew[0, 1], holed[0, 1] = 9.0, np.nan
    named = {
        "asymmetric": (skew, r"not symmetric, entry \(0, 1\)"),
        "NaN": (holed, r"holds NaN at index \(0, 1\)"),
        "infinite": (np.where(LINE == 5.0, np.inf, LINE), "holds inf.*check how it was computed"),
        "similarity": (np.exp(-LINE), "looks like a similarity.*s.max"),
        "kernel with a varying diagonal": (np.diag(np.arange(1.0, 7.0)), "looks like a similarity"),
        "complex": (LINE * 1j, "Complex"),
        "text": (LINE.astype(str), "text"),
        "masked": (hidden(LINE, 0, 1), "1 masked"),
        "sparse": (scipy.sparse.csr_matrix(LINE), "sparse.*toarray"),
        "condensed": (LINE[np.triu_indices(6, 1)], r"shape \(15,\)"),
        "not square": (LINE[:3], r"shape \(3, 6\)"),
        "empty": (np.zeros((0, 0)), "empty"),
        "None": (None, "None"),
        "rows and columns in different orders": (
            pandas.DataFrame(LINE, index=list("abcdef"), columns=list("fedcba")),
            "named differently",
        ),
    }
    rows = [refused(f"{door}: {name}", partial(function, matrix), says) for name, (matrix, says) in named.items()]
    frame = pandas.DataFrame(LINE, index=list("abcdef"), columns=list("abcdef"))
    return (*rows, taken(f"{door}: table", lambda: (function(frame), function(LINE)), lambda two: _equal(*two)))


def _equal(a: Any, b: Any) -> bool:
    return bool(np.array_equal(a, b))


OWN = (
    data("None", None, "NoneType.*list of dense"),
    data("generator", (x for x in SIX), r"read only once.*list\(\)"),
    data("number", 3, "type int"),
    data("bytes", b"folder", "type bytes"),
    data("dictionary", {"a": SIX[0]}, "single sequence"),
    data("set", {1, 2}, "no order"),
    data("empty path", "", "path of the data is empty"),
    data("blank path", "  ", "path of the data is empty"),
    data("empty list", [], "no sequence"),
    data("one array", SIX[0][:, 0], r"one array of shape \(12,\)"),
    data("one table", table("a", "b"), "one table without a column 'id'.*id_column=.*into a list"),
    data("layout of a path", "nowhere", "layout is for arrays", layout="channels_last"),
    data("labels list with a path", "nowhere", "labels is a list", labels=[1, 2]),
    data("measure is looked up before data are", "nowhere", "sdd.*ssd", measure="sdd"),
    data("number of clusters is looked at before data are", "nowhere", "n_clusters is inf", n_clusters=float("inf")),
    data("setting is looked at before data are", "nowhere", "unknown setting 'stats'", stats=2),
    data("measure that needs a number of clusters", "nowhere", "needs the number of clusters", measure="kl_ll_ms"),
    data("channels first in a list", [x.T for x in SIX], "layout='channels_first'"),
    data("channels first, unequal lengths", [SIX[0].T, SIX[1][:9].T], "9 features.*layout='channels_first'"),
    data("square arrays", [x[:2] for x in SIX], r"shape \(2, 2\).*layout="),
    own("measure None", "measure is None", measure=None),
    own("measure is a number", "measure is 3", measure=3),
    own("measure is a list of None", "measure is None", measure=[None]),
    own("measure empty", "name at least one", measure=""),
    own("measures none", "name at least one", measure=[]),
    own("measure twice", "none twice", measure="ssd,ssd"),
    own("infinitely many clusters", "n_clusters is inf", float("inf")),
    own("half a cluster", "n_clusters is 0.5", 0.5),
    own("no cluster", "n_clusters is 0", 0),
    own("clusters as text", "n_clusters is '2'", "2"),
    own("clusters in words", "n_clusters is 'three', expected a whole number of at least 1, or a range", "three"),
    own("range the wrong way round", "n_clusters is 6-3, but the lowest number comes first; give 3-6", (6, 3)),
    own("range from one on", "lowest of n_clusters is 1, expected a whole number of at least 2", (1, 3)),
    own("range from one on, in words", "lowest of n_clusters is 1", "1-3"),
    own("range of three numbers", r"n_clusters is \(2, 3, 4\), expected", (2, 3, 4)),
    own("range of none", r"n_clusters is \(\), expected", ()),
    own("range with a fraction", "highest of n_clusters is 3.5", (2, 3.5)),
    own("range with None", "highest of n_clusters is None", (2, None)),
    own("range beyond the sequences", "n_clusters is 3-7 but there are only 6 items; ask for fewer", (3, 7)),
    own(
        "range for a measure that needs one number",
        "kl_ll_ms' needs the number .* in place of a range",
        (2, 3),
        "kl_ll_ms",
    ),
    data(
        "range beyond a matrix",
        LINE,
        "n_clusters is 2-9 but there are only 6",
        n_clusters=(2, 9),
        measure="precomputed",
    ),
    data(
        "range beyond what is compared",
        np.abs(np.subtract.outer(np.arange(201.0), np.arange(201.0))),
        "n_clusters is 2-200, but numbers of clusters are compared on 200 of the 201 items; end the range below 200",
        n_clusters=(2, 200),
        measure="precomputed",
    ),
    refused(
        "estimator: range for a clusterer of sequences",
        lambda: SequenceClustering(n_clusters=(2, 3), clusterer="kmeans_of_means").fit(SIX),
        "n_clusters is 2-3, but clusterer 'kmeans_of_means' cannot choose from a range; give one number",
    ),
    own("clusters True", "n_clusters is True", True),
    own("clusters in an array", r"n_clusters is array\(\[2\]\)", np.array([2])),
    own("more clusters than atoms", "only 6 items", 10**30),
    own("random state with a fraction", "random_state is 1.5", 2, random_state=1.5),
    own("random state as text", "random_state is '1'", 2, random_state="1"),
    own("threads none", "n_jobs is 0", 2, n_jobs=0),
    own("progress as text", "progress is 'no'", 2, progress="no"),
    own("name is a number", "name is 5", 2, name=5),
    own("another word for the seed", "'seed'; here it is called 'random_state'", seed=1),
    own("another word for the measure", "'metric'; here it is called 'measure'", metric="dtw"),
    own("another word for the number", "'k'; here it is called 'n_clusters'", k=2),
    own("another word for the random state", "'random_seed'; here it is called 'random_state'", random_seed=2),
    own("number in the singular", "'n_cluster' \\(did you mean 'n_clusters'", n_cluster=2),
    own("states of a measure without", "no states in dtw", 2, measure="dtw", n_states=3),
    own("models of a measure without", "needs no models", 2, measure="dtw", model="hmm"),
    own("kind of models unknown", "unknown model kind 'arma'", 2, measure="kl_ll", model="arma"),
    own("clusterer unknown", "unknown clusterer 'dbscan'", 2, clusterer="dbscan"),
    own("clusterer of sequences", "does not cut a matrix.*SequenceClustering", 2, clusterer="kmeans_of_means"),
    own("clusterer of runs", "does not cut a matrix", 2, clusterer="spectral_segmentation"),
    own(
        "width for a clusterer without", "width is for spectral", 2, measure="dtw", clusterer="kmedoids", width="local"
    ),
    own("width NaN", "width is nan", 2, width=float("nan")),
    own("width negative", "width is -1", 2, width=-1.0),
    own("option of another clusterer", "unknown setting 'linkage'", 2, linkage="average"),
    own("precomputed beside others", "name no other beside it", 2, measure=["precomputed", "dtw"]),
    own("column of a table for arrays", "id_column is for a table", 2, id_column="id"),
    own("misspelt argument", "did you mean 'n_clusters'", clusters=2),
    own("misspelt setting", "did you mean 'n_states'", n_state=2),
    own("layout unknown", "unknown layout 'nct'.*channels_first", layout="nct"),
    own("way with lengths unknown", "unknown length 'stretched' \\(did you mean 'stretch'", length="stretched"),
    own("way with lengths a number", "unknown length 50", length=50),
    own(
        "lengths of sets of vectors", "order of frames means nothing to mmd, glds", measure="mmd,glds", length="stretch"
    ),
    data("lengths of a matrix", LINE, "length is for sequences", measure="precomputed", length="stretch"),
    data(
        "a single frame to be stretched",
        [*SIX, SIX[0][:1]],
        "1 sequence of a single frame, but length 'stretch' needs at least two: s00006",
        measure="dtw",
        length="stretch",
    ),
    data(
        "single frames to be stretched",
        [x[:1] for x in SIX],
        "no dynamics",
        measure="dtw",
        length="stretch",
        layout="channels_last",
    ),
    refused(
        "cluster: a new single frame to be stretched",
        lambda: kinseq.cluster(SIX, 2, "dtw", length="stretch").predict([SIX[0], SIX[1][:1]]),
        "1 sequence of a single frame, which cannot be stretched to 12: s00001; remove",
    ),
    own("labels file with arrays", "data are arrays", labels="mine.csv"),
    own("labels too few", r"labels have shape \(2,\)", labels=[1, 2]),
    own("labels with NaN", "entry 5 is nan", labels=[1, 2, 3, 4, 5, float("nan")]),
    own("labels with None", "entry 0 is None", labels=[None, *"abcde"]),
    own("labels generator", "type generator", labels=(x for x in "abcdef")),
    own("labels a number", "type int", labels=5),
    own("sample rate of arrays", "sample_rate is for files", sample_rate=8000),
    own("missing unknown", "unknown missing 'drop'", missing="drop"),
    own("frames with a fraction", "max_frames is 20.5", max_frames=20.5),
    own("states infinite", "n_states is inf", n_states=float("inf")),
    own("resamples as text", "n_resamples is '5'", n_resamples="5"),
    own("features a number", "features is 5", features=5),
    data("huge, not scaled", [1e200 * x for x in SIX], "squares leave the range", n_clusters=2, scale="none"),
    data("tiny, not scaled", [1e-200 * x for x in SIX], "squares leave the range", n_clusters=2, scale="none"),
    taken(
        "cluster: number of clusters in a 0-d array",
        lambda: kinseq.cluster(SIX, np.array(2)),
        lambda found: found.n_clusters == 2,
    ),
)

ONE = (
    one("masked entry", hidden(SIX[0], 1, 1), "1 masked entries.*filled"),
    one("masked row in a list", [hidden([1.0, 2.0], 0), np.ones(2)], "1 masked entries"),
    one("complex", SIX[0] * 1j, "Complex"),
    one("complex objects", np.array([[1 + 2j]], dtype=object), "complex"),
    one("digits as text", np.array([["1", "2"]]), "text"),
    one("digits among numbers", np.array([["1", 2]], dtype=object), r"'1' \(str\) at index \(0, 0\)"),
    one("dates", np.array([["2020-01-01"]], dtype="datetime64[s]"), "dates or durations"),
    one("durations", np.array([[1]], dtype="timedelta64[s]"), "dates or durations"),
    one("dates in a table", pandas.DataFrame({"x": [1.0], "t": pandas.to_datetime(["2020"])}), "Timestamp"),
    one("missing in a table", pandas.DataFrame({"x": pandas.array([1, None], dtype="Int64")}), "NaN|NA"),
    one("words in a table", pandas.DataFrame({"x": pandas.Categorical(["a", "b"])}), r"'a' \(str\)"),
    one("None", [[None]], "None"),
    one("sparse", scipy.sparse.csr_matrix(SIX[0]), "sparse.*toarray"),
    one("rows of unequal lengths", [[1.0, 2.0], [3.0]], "cannot be read as numbers"),
    one("named fields", np.zeros(2, dtype=[("a", float)]), "named fields"),
    one("number beyond float64", [[10**400]], "too large"),
    one("long double beyond float64", np.array([[np.longdouble("1e4000")]]), "holds inf"),
    one("no frames", np.zeros((0, 2)), "0 frames"),
    one("no features", np.zeros((2, 0)), "0 features"),
    one("one axis", [1.0, 2.0], r"shape \(2,\).*x\[:, None\]"),
    one("series", pandas.Series([1.0, 2.0]), r"shape \(2,\)"),
    one("no axis", 5.0, r"shape \(\)"),
    one("three axes", np.zeros((2, 2, 2)), r"shape \(2, 2, 2\)"),
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
    several("stack of channels first", np.zeros((4, 2, 9)), r"\(2, 9\).*channels_first"),
    several("stack of squares", np.zeros((4, 3, 3)), "layout='channels_last'"),
    several("masked stack", hidden(np.zeros((2, 9, 2)), 1, 0, 0), "'s00001': has 1 masked"),
    several("four axes", np.zeros((2, 2, 2, 2)), "one array of shape"),
    several("layout unknown", SIX, "unknown layout 'tnc'", layout="tnc"),
    several("channels first with names", [table("a", "b")], "columns are named", layout="channels_first"),
    several("names and none", [table("a", "b"), SIX[1]], "only one of them has named columns"),
    several("other names", [table("a", "b"), table("a", "c")], "different columns.*b, c"),
    several("names twice", [table("a", "b"), table("a", "a")], "not unique"),
    several("numbers of features", [SIX[0], SIX[1][:, :1]], "1 features but"),
    several("ids as one text", SIX[:3], "expected a list of names", ids="abc"),
    several("ids twice", SIX[:2], "more than once", ids=["a", "a"]),
    several("labels masked", SIX[:2], "masked", labels=hidden([1, 2], 0)),
    several("labels by name", SIX[:2], "type dict", labels={"a": 1, "b": 2}),
    several("groups missing", SIX[:2], "groups: entry 1", groups=pandas.Series(["a", None])),
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
    counted("fraction", [0, 2.5, 6], "holds 2.5"),
    counted("NaN", [0, float("nan"), 6], "holds nan"),
    counted("mask", [False, True], "True and False"),
    counted("text", ["0", "6"], "text"),
    counted("falling", [0, 4, 2, 6], "must rise"),
    counted("none", [], "no sequence"),
    taken("offsets: whole floats", lambda: SequenceSet(np.zeros((6, 2)), [0.0, 6.0]), lambda made: len(made) == 1),
    refused("subset: mask", lambda: STACK(SIX).subset(np.arange(6) < 3), "flatnonzero"),
    refused("subset: negative", lambda: STACK(SIX).subset([-1]), "position -1"),
    refused("subset: beyond", lambda: STACK(SIX).subset([6]), "position 6, expected 0 to 5"),
    refused("subset: fraction", lambda: STACK(SIX).subset([0.5]), "holds 0.5"),
    refused("subset: twice", lambda: STACK(SIX).subset([1, 1]), "listed twice"),
    refused("subset: none", lambda: STACK(SIX).subset([]), "at least one position"),
    refused("task: fraction", lambda: Task("a", np.array([0, 1.5]), 1), "holds 1.5"),
    refused("task: negative", lambda: Task("a", np.array([-1, 1]), 1), "indices hold -1"),
    refused("task: infinitely many clusters", lambda: Task("a", np.array([0, 1]), float("inf")), "n_clusters is inf"),
)

MATRICES = (
    *matrices("spectral", lambda matrix: clustering.spectral(matrix, 2)),
    *matrices("hierarchical", lambda matrix: clustering.hierarchical(matrix, 2)),
    *matrices("kmedoids", lambda matrix: clustering.kmedoids(matrix, 2)),
    *matrices("gaussian", lambda matrix: affinity.gaussian(matrix, 1.0)),
    *matrices("choose_width", lambda matrix: affinity.choose_width(matrix, 2)),
    refused("spectral: infinitely many clusters", lambda: clustering.spectral(LINE, float("inf")), "n_clusters is inf"),
    refused("spectral: width True", lambda: clustering.spectral(LINE, 2, width=True), "width is True"),
    refused("spectral: width None", lambda: clustering.spectral(LINE, 2, width=None), "width is None"),
    refused("spectral: width rule", lambda: clustering.spectral(LINE, 2, width="wide"), "unknown width rule"),
    refused("spectral: random_state", lambda: clustering.spectral(LINE, 2, random_state=0.5), "random_state is 0.5"),
    refused("kmedoids: no start", lambda: clustering.kmedoids(LINE, 2, n_init=0), "n_init is 0"),
    refused(
        "hierarchical: linkage None", lambda: clustering.hierarchical(LINE, 2, linkage=None), "unknown linkage None"
    ),
    refused("width as text", lambda: affinity.gaussian(LINE, "2"), "width is '2'"),
    refused("width complex", lambda: affinity.gaussian(LINE, 1j), "width is 1j"),
    refused("widths as text", lambda: affinity.gaussian(LINE, ["1"] * 6), "width: .*text"),
    refused("widths too few", lambda: affinity.gaussian(LINE, [1.0, 2.0]), r"width has shape \(2,\)"),
    refused("grid as text", lambda: affinity.choose_width(LINE, 2, grid=["1"]), "grid: .*text"),
    refused("grid from text", lambda: affinity.width_grid(LINE, low="a"), "low is 'a'"),
    refused("bar NaN", lambda: affinity.best_eigengap(LINE, 2, bar=float("nan")), "bar is nan"),
    refused("clusterer is a number", lambda: clustering.get(3), "clusterer is 3"),
)

MEASURES = (
    refused("measure None by name", lambda: measures.get(None), "measure is None"),
    refused("measure in a list", lambda: measures.get(["ssd"]), r"measure is \['ssd'\]"),
    refused("sequences for evidence", lambda: measures.get("dtw").compute(SIX), "measures.compute takes sequences"),
    refused(
        "compute: random_state",
        lambda: measures.compute("ssd", SIX, random_state=1.5, n_states=2),
        "random_state is 1.5",
    ),
    refused(
        "compute: huge for DTW", lambda: measures.compute("dtw", [1e200 * x for x in SIX]), "as large as .*e\\+200"
    ),
    refused("compute: huge for models", lambda: measures.compute("ssd", [1e200 * x for x in SIX]), "as large as"),
    refused("compute: tiny for models", lambda: measures.compute("kl_ll", [1e-200 * x for x in SIX]), "no more than"),
    refused("prior negative", lambda: ssd_joint(np.ones((2, 2, 2)), -1), "prior is -1"),
    refused("prior as text", lambda: ssd_joint(np.ones((2, 2, 2)), "1"), "prior is '1'"),
    refused("counts negative", lambda: ssd_joint(-np.ones((2, 2, 2))), "the least is -1"),
    refused("counts NaN", lambda: ssd_joint(np.full((2, 2, 2), np.nan)), "counts: holds NaN"),
    refused("root of a stream", lambda: seeds.derive_seed(1.5, "a"), "seed is 1.5"),
    refused(
        "estimator: random_state",
        lambda: SequenceClustering(measure="dtw", random_state=1.5).fit(SIX),
        "random_state is",
    ),
    refused(
        "estimator: params", lambda: SequenceClustering(params={"metric": 1}).fit(SIX), "here it is called 'measure'"
    ),
    refused("estimator: n_jobs", lambda: SequenceClustering(n_jobs="all").fit(SIX), "n_jobs is 'all'"),
    refused("n_jobs by another name", lambda: kinseq.cluster(SIX, n_jobs=2, threads=2), "called .n_jobs."),
    refused("params twice", lambda: kinseq.cluster(SIX, params={"scale": "none"}), "params holds 'scale'"),
    refused("params no dict", lambda: kinseq.cluster(SIX, params=["diag"]), "expected a dictionary"),
    refused(
        "estimator: two measures", lambda: SequenceClustering(measure="dtw,ssd").fit(SIX), "give one, kinseq.cluster"
    ),
    refused("estimator: clusters", lambda: SequenceClustering(float("inf"), "dtw").fit(SIX), "n_clusters is inf"),
    refused("estimator: measure None", lambda: SequenceClustering(measure=None).fit(SIX), "measure is None"),
    refused(
        "estimator: clusterer None",
        lambda: SequenceClustering(measure="dtw", clusterer=None).fit(SIX),
        "clusterer is None",
    ),
    refused(
        "estimator: layout", lambda: SequenceClustering(measure="dtw", layout="ct").fit(SIX), "unknown layout 'ct'"
    ),
)


def asked(name: str, says: str, call: Callable[[kinseq.api.Analysis], Any]) -> Case:
    """A row for what an analysis is asked afterwards."""

    def ask(_: Path) -> Any:
        return call(kinseq.cluster(SIX, 2, measure="dtw"))

    return Case(f"analysis: {name}", ask, says=says)


ANALYSIS = (
    asked("predict None", "NoneType", lambda found: found.predict(None)),
    asked("predict nothing", "no sequence", lambda found: found.predict([])),
    asked("predict NaN", "holds NaN", lambda found: found.predict([np.full((5, 2), np.nan)])),
    asked("predict other features", "1 features but", lambda found: found.predict([np.zeros((5, 1))])),
    asked("predict huge", "as large as", lambda found: found.predict([1e200 * SIX[0]])),
    asked("report nowhere", "path is ''", lambda found: found.report("")),
    asked("report to a number", "path is 5", lambda found: found.report(5)),
    asked("half a neighbour", "count is 1.5", lambda found: found.neighbours(1.5)),
    asked("cluster that is not there", "cluster is 9", lambda found: found.typical(9)),
)

CASES: tuple[Case, ...] = (*OWN, *ONE, *SEVERAL, *MATRICES, *MEASURES, *ANALYSIS)
