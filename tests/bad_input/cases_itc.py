"""Bad input to information-theoretic clustering, to densities and divergences, and to the loaders of their data."""

from __future__ import annotations

import gzip
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from kinseq import InformationTheoreticClustering
from kinseq.clustering import get, partition_cost
from kinseq.clustering.itc import information_theoretic, vote
from kinseq.core.sequences import SequenceSet
from kinseq.divergences import density, information
from kinseq_documents.data import planar, vectors
from kinseq_documents.data.pixels import load_clouds_38, load_digits, load_faces, tasks_of_digits, tasks_of_faces
from kinseq_documents.data.registry import make

from .table import Case

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))
D = np.linalg.norm(X[:, None] - X, axis=2)
HOLE = np.where(np.eye(40, 3) > 0, np.nan, 0.0)
ITEMS = [point[None] for point in X]


def clustered(data: Any, *given: Any, **options: Any) -> Any:
    """A few runs, without a word of warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return information_theoretic(data, *given, **{"n_runs": 3, "n_voters": 1, **options})


def warned(data: Any, *given: Any, **options: Any) -> str:
    """The warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        information_theoretic(data, *given, **{"n_runs": 3, "n_voters": 1, **options})
    return " ".join(str(one.message) for one in caught)


def file(name: str, text: str, load: Callable[..., Any], *given: Any) -> Callable[[Path], Any]:
    """Read a file of some text."""

    def call(folder: Path) -> Any:
        (folder / name).write_text(text, encoding="utf-8")
        return load(folder, *given)

    return call


def zipped(folder: Path) -> Any:
    """Digits with too few pixels."""
    with gzip.open(folder / "zip.test.gz", "wt", encoding="ascii") as out:
        out.write("1 0.0 0.5\n")
    return load_digits(folder)


FACES = SequenceSet(np.zeros((5, 560)), np.arange(6))
DIGITS = SequenceSet(np.zeros((4, 256)), np.arange(5), labels=np.array(["0", "0", "1", "1"]))

CASES: tuple[Case, ...] = (
    Case("itc: starts of one axis", lambda _: clustered(X, 2, starts=range(5))),
    Case("itc: no starts", lambda _: clustered(X, 2, starts=[[]])),
    Case("itc: a start before the first point", lambda _: clustered(X, 2, starts=[[-1, 4]])),
    Case("itc: a start behind the last point", lambda _: clustered(X, 2, starts=[[0, 40]])),
    Case("itc: a start twice", lambda _: clustered(X, 2, starts=[[0, 9], [3, 3]])),
    Case("itc: half a start", lambda _: clustered(X, 2, starts=[[0.5, 1]])),
    Case("itc: fewer starts than clusters", lambda _: clustered(X, 3, starts=[[0, 1]])),
    Case(
        "itc: a start that a cluster has taken",
        lambda _: clustered(X, 2, starts=[[0, int(D[0].argsort()[1]), int(D[0].argsort()[-1])]]),
    ),
    Case("partition cost: one cluster", lambda _: partition_cost(X, np.zeros(40))),
    Case("partition cost: labels of others", lambda _: partition_cost(X, [0, 1])),
    Case("partition cost: names", lambda _: partition_cost(X, ["a", "b"] * 20)),
    Case("partition cost: NaN", lambda _: partition_cost(HOLE, np.arange(40) % 2)),
    Case("partition cost: a kind", lambda _: partition_cost(X, np.arange(40) % 2, method="svm")),
    Case("partition cost: clusters too small for k", lambda _: partition_cost(X, np.arange(40) % 2, k_denominator=20)),
    Case("partition cost: a point by itself", lambda _: partition_cost(X, np.arange(40) == 7)),
    Case(
        "itc: fewer points than seeds by default", lambda _: warned(X[:12], 3), gives=lambda said: "12 points" in said
    ),
    Case("itc: fewer points than seeds asked for", lambda _: clustered(X, 2, k_init=50)),
    Case("itc: fewer seeds than clusters", lambda _: clustered(X, 5, k_init=4)),
    Case("itc: seeds too large", lambda _: clustered(X, 2, k_init=8, n_init=6)),
    Case("itc: no share", lambda _: clustered(X, 2, share=0.0)),
    Case("itc: seeds too small for k", lambda _: clustered(X, 2, k_denominator=8, k_init=6)),
    Case("itc: more clusters than points", lambda _: clustered(X, 41)),
    Case("itc: no clusters", lambda _: clustered(X, 0)),
    Case("itc: one point", lambda _: clustered(X[:1], 1).labels, gives=lambda labels: labels.tolist() == [0]),
    Case("itc: one cluster", lambda _: clustered(X, 1).labels, gives=lambda labels: not labels.any()),
    Case("itc: as many clusters as points", lambda _: clustered(X[:4], 4).labels, gives=lambda one: len(set(one)) == 4),
    Case("itc: more voters than runs", lambda _: clustered(X, 2, n_voters=5)),
    Case("itc: even voters", lambda _: warned(X, 2, n_voters=2), gives=lambda said: "2 runs vote" in said),
    Case(
        "itc: duplicated points",
        lambda _: clustered(np.repeat(X[:10], 6, axis=0), 2).divergences,
        gives=lambda found: bool(np.isfinite(found).all()),
    ),
    Case(
        "itc: all points alike",
        lambda _: clustered(np.ones((40, 2)), 2).divergences,
        gives=lambda found: bool(np.isfinite(found).all()),
    ),
    Case(
        "itc: a constant feature changes nothing but d",
        lambda _: clustered(np.column_stack([X, np.ones(40)]), 2, exponent=3.0).labels,
        gives=lambda labels: np.array_equal(labels, clustered(X, 2, exponent=3.0).labels),
    ),
    Case("itc: NaN", lambda _: clustered(HOLE, 2)),
    Case("itc: NaN in a matrix", lambda _: clustered(np.where(np.eye(40) > 0, np.nan, D), 2, metric="precomputed")),
    Case("itc: text", lambda _: clustered([["a"]] * 40, 2)),
    Case("itc: asymmetric matrix", lambda _: clustered(np.triu(D), 2, metric="precomputed")),
    Case("itc: similarities", lambda _: clustered(9.0 - D, 2, metric="precomputed")),
    Case("itc: no square", lambda _: clustered(X, 2, metric="precomputed")),
    Case(
        "itc: negative dissimilarities",
        lambda _: clustered(D - 1.0 + np.eye(40), 2, metric="precomputed").divergences,
        gives=lambda found: bool(np.isfinite(found).all()),
    ),
    Case("itc: metric", lambda _: clustered(X, 2, metric="cosine")),
    Case("itc: method", lambda _: clustered(X, 2, method="parzen")),
    Case("itc: growth", lambda _: clustered(X, 2, growth="both")),
    Case("itc: convention", lambda _: clustered(X, 2, method="kernel", convention="plugin")),
    Case("itc: width rule", lambda _: clustered(X, 2, method="kernel", width="scott")),
    Case("itc: width of zero", lambda _: clustered(X, 2, method="kernel", width=0.0)),
    Case("itc: width of a matrix by rule", lambda _: clustered(D, 2, metric="precomputed", method="kernel")),
    Case(
        "itc: a width far too small",
        lambda _: clustered(X, 2, method="kernel", width=1e-300).divergences,
        gives=lambda found: bool(np.isfinite(found).all()),
    ),
    Case(
        "itc: a width far too large",
        lambda _: clustered(X, 2, method="kernel", width=1e300).divergences,
        gives=lambda found: bool(np.isfinite(found).all()),
    ),
    Case("itc: exponent", lambda _: clustered(X, 2, exponent=-1)),
    Case("itc: exponent of a matrix", lambda _: clustered(D, 2, metric="precomputed", exponent="d")),
    Case("itc: volumes overflow", lambda _: clustered(X, 2, exponent=500.0)),
    Case("itc: k", lambda _: clustered(X, 2, k_denominator="nearest")),
    Case("itc: factor", lambda _: clustered(X, 2, factor=1)),
    Case(
        "itc: huge numbers",
        lambda _: clustered(1e300 * X, 2).labels,
        gives=lambda labels: np.array_equal(labels, clustered(X, 2).labels),
    ),
    Case("itc: vote of nothing", lambda _: vote([])),
    Case(
        "itc: rank beyond the runs",
        lambda _: get("knn_itc")(ITEMS, 2, n_runs=3, n_voters=1, choose="divergence", rank=4),
    ),
    Case("itc: choose", lambda _: get("knn_itc")(ITEMS, 2, choose="best")),
    Case("estimator: text as random_state", lambda _: InformationTheoreticClustering(2, random_state="0").fit(X)),
    Case("density: width", lambda _: density.parzen(X, X, -1.0)),
    Case("density: other features", lambda _: density.knn(X[:, :2], X, 3)),
    Case("density: k beyond the points", lambda _: density.knn(X, X, 41)),
    Case("density: own point is no neighbour", lambda _: density.knn(X, X, 40, own=True)),
    Case("density: norm", lambda _: density.knn(X, X, 3, norm="3")),  # type: ignore[arg-type]
    Case("density: one point has no width", lambda _: density.silverman(X[:1])),
    Case("density: priors", lambda _: density.bayes_rule(X, [0.5, 0.5])),
    Case("density: losses", lambda _: density.bayes_rule(X, losses=np.eye(2))),
    Case("density: one class", lambda _: density.classify(X, [X], "gaussian")),
    Case("density: fewer points than features", lambda _: density.gaussian(X, X[:3])),
    Case("information: labels of other points", lambda _: information.mean_cost(X, np.zeros(3))),
    Case("information: a cluster of one point", lambda _: information.mean_cost(X, [0] + [1] * 39)),
    Case(
        "density: width of points at 1e160", lambda _: density.silverman(1e160 * X), gives=lambda w: 1e159 < w < 1e160
    ),
    Case(
        "density: a kernel that is narrow beside points at 1e160",
        lambda _: density.parzen(1e160 * X, 1e160 * X[::-1] + 1e160, 1.0),
    ),
    Case(
        "density: a Gaussian of points at 1e160",
        lambda _: density.gaussian(1e160 * X, 1e160 * X),
        gives=lambda logs: bool(np.isfinite(logs).all()),
    ),
    Case("information: points that are all the same", lambda _: information.shannon_entropy(np.full((400, 2), 3.0))),
    Case("information: points of few levels", lambda _: information.renyi_entropy(np.arange(400.0)[:, None] // 40)),
    Case("information: alpha", lambda _: information.renyi(X, X + 1, alpha=0.0)),
    Case("information: convention", lambda _: information.potential(X, X, "kernel", convention="x")),
    Case(
        "wisconsin: a field too few",
        file("breast-cancer-wisconsin.data", "1,2,3\n", vectors.load_wisconsin, "range", False),
    ),
    Case(
        "wisconsin: a class that is none",
        file("breast-cancer-wisconsin.data", ",".join(["1"] * 10) + ",3\n", vectors.load_wisconsin, "range", False),
    ),
    Case("pima: text", file("pima-indians-diabetes.data.csv", "a" + ",1" * 8 + "\n", vectors.load_pima, "range")),
    Case("wine: no rows", file("wine_data.csv", "1,2\n", vectors.load_wine, "range")),
    Case("wine: no file", lambda folder: vectors.load_wine(folder, "range")),
    Case("iris: scale", lambda _: vectors.as_points(X, None, "iris", "zscore")),
    Case("faces: another file", file("frey_rawface.mat", "x", load_faces)),
    Case("faces: too many", lambda _: tasks_of_faces(FACES, 0, 6)),
    Case("digits: other images", zipped),
    Case("digits: too many", lambda _: tasks_of_digits(DIGITS, 0, [[0, 1]], 3)),
    Case("clouds: no bands", load_clouds_38),
    Case("planar: shape", lambda _: make("x", "planar", {"shape": "star"}, None, 0)),
    Case("spirals: negative noise", lambda _: planar.spirals(0, noise=-0.1)),
)
