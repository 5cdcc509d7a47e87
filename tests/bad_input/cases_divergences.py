"""Bad input to the laboratory of divergences."""

from __future__ import annotations

import numpy as np

from kinseq import clustering, measures
from kinseq import divergences as dv
from kinseq.clustering import sphere_packing
from kinseq.models.spheres import enclosing_sphere
from kinseq_documents.problems import registry as estimation

from .table import Case

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(8, 2)), RNG.normal(size=(9, 2)) + 1.0
HOLE = np.where(np.eye(8, 2) > 0, np.nan, 0.0)

HALVES, OTHER = [0.5, 0.5, 0.0], [0.2, 0.3, 0.5]


def induced(classifier: object, **options: object) -> float:
    """Classifier-induced divergence, without a word."""
    return dv.classifier_divergence(X, Y, classifier, quiet=True, **options)  # type: ignore[arg-type]


class Refusing:
    """A classifier that can be fitted to nothing."""

    def fit(self, vectors: object, labels: object) -> None:
        """Refuse."""
        raise ValueError("too few\nvectors")

    def predict(self, vectors: object) -> None:
        """Never called."""


CASES: tuple[Case, ...] = (
    Case("divergences: other dimensions", lambda _: dv.nn_kl(X, Y[:, :1])),
    Case("divergences: NaN", lambda _: dv.wang_kl(HOLE, Y)),
    Case("divergences: a vector instead of a set", lambda _: dv.mmd2(X, Y[:, 0])),
    Case("divergences: no vectors", lambda _: dv.nn_risk(X[:0], Y)),
    Case("divergences: text", lambda _: dv.nn_risk([["a"]], Y)),
    Case("nn_kl: one vector each", lambda _: dv.nn_kl(X[:1], Y[:1])),
    Case("nn_risk: one vector each", lambda _: dv.nn_risk(X[:1], Y[:1]), gives=lambda risk: risk == 1.0),
    Case("nn_risk: all trains", lambda _: dv.nn_risk(X, Y, train=1.0)),
    Case("nn_risk: prior", lambda _: dv.nn_risk(X, Y, prior="equal")),
    Case("nn_risk_curve: prior beyond 1", lambda _: dv.nn_risk_curve(X, Y, [0.5, 1.5])),
    Case("nn_risk_curve: pool", lambda _: dv.nn_risk_curve(X, Y, pool="LOO")),
    Case("nn_kl: grid", lambda _: dv.nn_kl(X, Y, grid="log")),
    Case("nn_kl: one prior", lambda _: dv.nn_kl(X, Y, grid="uniform", n_priors=1)),
    Case("nn_kl: limits fall", lambda _: dv.nn_kl(X, Y, limits=(0.9, 0.1))),
    Case("nn_kl: uniform to the end", lambda _: dv.nn_kl(X, Y, "uniform", limits=(0.0, 1.0))),
    Case("nn_kl: limits hold no prior", lambda _: dv.nn_kl(X, Y, limits=(0.5, 0.501))),
    Case("wang_kl: one vector", lambda _: dv.wang_kl(X[:1], Y)),
    Case("wang_kl: k beyond the set", lambda _: dv.wang_kl(X, Y, k=8)),
    Case("wang_kl: k of zero", lambda _: dv.wang_kl(X, Y, k=0)),
    Case("wang_jeffreys: all the same", lambda _: dv.wang_jeffreys(0 * X, 0 * X), gives=lambda value: 0 <= value < 1),
    Case("pairwise_jeffreys: a set of one vector", lambda _: dv.pairwise_jeffreys([X, Y[:1]], ("wang",))),
    Case("pairwise_jeffreys: estimator", lambda _: dv.pairwise_jeffreys([X, Y], ("knn",))),
    Case("mmd2: width of zero", lambda _: dv.mmd2(X, Y, sigma=0.0)),
    Case("mmd2: tiny width", lambda _: dv.mmd2(1e200 * X, Y, sigma=1e-200)),
    Case("mmd2: unbiased of one", lambda _: dv.mmd2(X[:1], Y, unbiased=True)),
    Case("mmd2: constant features", lambda _: dv.mmd2(0 * X, 0 * Y), gives=lambda value: value == 0.0),
    Case("bound: covariance", lambda _: dv.mahalanobis_bound_kl(X, Y, covariance="oas")),
    Case("bound: infinite", lambda _: dv.mahalanobis_bound_jeffreys(X[:2], Y, covariance="pinv")),
    Case("bound: shrinkage of one vector", lambda _: dv.mahalanobis_bound_kl(X[:1], Y, covariance="ledoit_wolf")),
    Case("bound: one vector each", lambda _: dv.mahalanobis_bound_kl(X[:1], Y[:1]), gives=np.isfinite),
    Case("bound: huge numbers", lambda _: dv.mahalanobis_bound_kl(1e200 * X, Y)),
    Case("bound: constant feature", lambda _: dv.mahalanobis_bound_kl(X * [1, 0], Y * [1, 0]), gives=np.isfinite),
    Case("f_divergence: name", lambda _: dv.f_divergence(HALVES, OTHER, "KL")),
    Case("f_divergence: infinite", lambda _: dv.f_divergence(OTHER, HALVES, "kl")),
    Case("f_divergence: bounded", lambda _: dv.f_divergence(OTHER, HALVES, "jensen_shannon"), gives=np.isfinite),
    Case("f_divergence: not normalised", lambda _: dv.f_divergence([1, 2, 3], OTHER)),
    Case("f_divergence: negative", lambda _: dv.f_divergence([-1, 2], [0.5, 0.5])),
    Case("f_divergence: lengths", lambda _: dv.f_divergence([1.0], OTHER)),
    Case("fl_divergence: loss", lambda _: dv.fl_divergence(HALVES, OTHER, "kl", "brier")),
    Case("fl_divergence: infinite", lambda _: dv.fl_divergence(OTHER, HALVES, "kl")),
    Case("weight: at prior 0", lambda _: dv.transformed_weight("kl", "square", [0.0])),
    Case("decisions: columns", lambda _: dv.restricted_divergence(HALVES, OTHER, [[1, 0]])),
    Case("linear: no directions", lambda _: dv.linear_divergence(X, Y, n_directions=0)),
    Case("classifier: no fit", lambda _: induced(object())),
    Case("classifier: a class", lambda _: induced(Refusing)),
    Case("classifier: no posterior", lambda _: induced(Refusing(), loss="log")),
    Case("classifier: fails", lambda _: induced(Refusing())),
    Case("classifier: loss", lambda _: induced(Refusing(), loss="01")),
    Case("classifier: too many splits", lambda _: induced(Refusing(), n_splits=9)),
    Case("classifier: all priors", lambda _: induced(Refusing(), limits=(0, 1))),
    Case("sphere: C above 1", lambda _: enclosing_sphere(np.eye(3), C=1.5)),
    Case("sphere: C of zero", lambda _: enclosing_sphere(np.eye(3), C=0.0)),
    Case("sphere: C as text", lambda _: enclosing_sphere(np.eye(3), C="soft")),  # type: ignore[arg-type]
    Case("sphere: C and nu", lambda _: enclosing_sphere(np.eye(3), C=0.5, nu=0.5)),
    Case("sphere: radius", lambda _: enclosing_sphere(np.eye(3), radius="mean")),
    Case("sphere: not square", lambda _: enclosing_sphere(X)),
    Case("sphere: not symmetric", lambda _: enclosing_sphere([[1, 2], [0, 1]])),
    Case("sphere: not a kernel", lambda _: enclosing_sphere([[1, 9], [9, 1]])),
    Case("sphere_packing: clusters", lambda _: sphere_packing([X, Y], 3)),
    Case("sphere_packing: kernel", lambda _: sphere_packing([X, Y], 1, kernel="rbf")),
    Case("sphere_packing: width of zero", lambda _: sphere_packing([X, Y], 1, sigma=0.0)),
    Case("sphere_packing: groups", lambda _: sphere_packing([X, Y], 1, groups=[0])),
    Case(
        "sphere_packing: all the same",
        lambda _: sphere_packing([0 * X, 0 * Y], 1),
        gives=lambda made: not made.radii.any(),
    ),
    Case("glds: degree", lambda _: measures.compute("glds", [X, Y], degree=0)),
    Case("glds: monomials", lambda _: measures.compute("glds", [X, Y], degree=90)),
    Case("glds: scaling", lambda _: measures.compute("glds", [X, Y], scaling="none")),
    Case("mmd: factor of the width", lambda _: measures.compute("mmd", [X, Y], width_factor=0.0)),
    Case("mmd: width", lambda _: measures.compute("mmd", [X, Y], sigma=-1.0)),
    Case("nn_j: sampling", lambda _: measures.compute("nn_j", [X, Y], sampling="all")),
    Case("wang_j: a single vector", lambda _: measures.compute("wang_j", [X, Y[:1]])),
    Case("wang_j: k", lambda _: measures.compute("wang_j", [X, Y], k=8)),
    Case("el: an HMM", lambda _: measures.compute("el", [X, Y], model="hmm")),
    Case("nn_bound_j: limits", lambda _: measures.compute("nn_bound_j", [X, Y], limits=[0.5])),
    Case(
        "nn_risk: logarithm of no risk at all",
        lambda _: measures.compute("nn_risk", [np.tile(X, (150, 1)), np.tile(X + 1e6, (150, 1))], log=True),
        gives=lambda found: 690.0 < found[0, 1] < 691.0,
    ),
    Case(
        "spectral_direct: the largest numbers, of both signs",
        lambda _: clustering.get("spectral_direct")(
            1e308 * (1.0 - np.eye(4)) * np.outer([1, 1, -1, -1], [1, 1, -1, -1]), 2
        ),
        gives=lambda found: len(found) == 4,
    ),
    Case("spectral_direct: a width", lambda _: clustering.get("spectral_direct")(np.eye(2) * 0, 1, width=1.0)),
    Case("classifier: unknown", lambda _: measures.compute("classifier", [X, Y], classifier="svm")),
    Case("classifier: one-sided divergence", lambda _: measures.compute("classifier", [X, Y], divergence="kl")),
    Case("classifier: no object", lambda _: measures.compute("classifier", [X, Y], classifier=3)),
    Case("classifier: two vectors in three parts", lambda _: measures.compute("classifier", [X, Y[:2]], n_splits=3)),
    Case(
        "intervals: no truth",
        lambda _: estimation.estimator("interval_holds").run(
            estimation.problem("two_samples").sample(20, 0), 0, of="nn_risk"
        ),
    ),
    Case(
        "intervals: no p-value",
        lambda _: estimation.estimator("p_below_5").run(estimation.problem("two_samples").sample(20, 0), 0, of="nn_j"),
    ),
    Case("compare: seven vectors", lambda _: dv.compare(X[:7], Y)),
    Case("compare: estimator", lambda _: dv.compare(X, Y, ["kl"])),
    Case("compare: level", lambda _: dv.compare(X, Y, level=95)),
    Case("compare: few subsamples", lambda _: dv.compare(X, Y, n_subsamples=5)),
    Case("compare: few permutations", lambda _: dv.compare(X, Y, n_permutations=5)),
    Case(
        "compare: too few groups",
        lambda _: dv.compare(X, Y, groups=([0, 1] * 4, [0] * 9)),
        gives=lambda made: made.why_untested == "2 and 1 groups are too few to be permuted",
    ),
    Case("compare: groups of other vectors", lambda _: dv.compare(X, Y, groups=(range(8), range(8)))),
    Case("compare: too many", lambda _: dv.compare(np.ones((4000, 1)), Y[:, :1])),
    Case(
        "compare: constant features",
        lambda _: dv.compare(0 * X, 0 * Y, n_subsamples=20, n_permutations=19),
        gives=lambda made: made["mmd2"].p_value == made["nn_risk"].p_value == 1.0,
    ),
)
