"""Mixtures fitted by expectation-maximisation, support vector machines, and limits of two moments (thesis 2012)."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from kinseq.core.arrays import FloatArray
from kinseq.core.seeds import derive_seed, stream

from ..data import planar
from ..plotting import panels
from .densities import grid
from .registry import Arrays, Drawing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MEANS = ((0.0, 0.0), (3.0, 3.0), (6.0, 0.0))
SIZES = (40, 30, 30)


def _fit(points: FloatArray, c: int, seed: int, n_init: int, start: FloatArray | None = None) -> Any:
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.mixture import GaussianMixture

    model = GaussianMixture(
        c, n_init=n_init, random_state=derive_seed(seed, "em") % 2**32, means_init=start, max_iter=500, reg_covar=1e-3
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(points)


def _fitted(points: FloatArray, models: list[Any]) -> dict[str, Any]:
    """Components of each model, padded with weights of zero, and mean log-likelihoods."""
    most = max(model.n_components for model in models)
    means, covariances, weights = (
        np.zeros((len(models), most, 2)),
        np.tile(np.eye(2), (len(models), most, 1, 1)),
        np.zeros((len(models), most)),
    )
    for i, model in enumerate(models):
        c = model.n_components
        means[i, :c], covariances[i, :c], weights[i, :c] = model.means_, model.covariances_, model.weights_
    return {
        "points": points,
        "means": means,
        "covariances": covariances,
        "weights": weights,
        "loglik": np.array([model.score(points) for model in models]),
    }


def _optima(seed: int) -> Arrays:
    """Return the same data and number of components from two starts."""
    points, _ = planar.mixture(seed, SIZES, MEANS, [1.0] * 3, stochastic=True)
    # A start with two means on the first cluster and one between the others ends elsewhere.
    poor = np.array([[-0.6, 0.0], [0.6, 0.0], [4.5, 1.5]])
    return _fitted(points, [_fit(points, 3, seed, 1, np.array(MEANS)), _fit(points, 3, seed, 1, poor)])


def _guesses(seed: int, numbers: list[int]) -> Arrays:
    points, _ = planar.mixture(seed, SIZES, MEANS, [1.0] * 3, stochastic=True)
    models = [_fit(points, c, seed, 10) for c in numbers]
    fresh, _ = planar.mixture(seed + 1, [100 * size for size in SIZES], MEANS, [1.0] * 3, stochastic=True)
    return {**_fitted(points, models), "fresh": np.array([model.score(fresh) for model in models])}


def _ellipses(arrays: Arrays, i: int) -> panels.Draw:
    def draw(axis: Axes) -> None:
        panels.points(axis, arrays["points"], size=5.0)
        angle = np.linspace(0.0, 2.0 * np.pi, 121)
        circle = np.column_stack([np.cos(angle), np.sin(angle)])
        for mean, covariance, weight in zip(
            arrays["means"][i], arrays["covariances"][i], arrays["weights"][i], strict=True
        ):
            if weight > 0.0:
                root = np.linalg.cholesky(covariance)
                for radius in (1.0, 2.0):
                    line = mean + radius * circle @ root.T
                    axis.plot(line[:, 0], line[:, 1], color="#D55E00", linewidth=1.1)

    return draw


def _draw_optima(arrays: Arrays) -> Figure:
    titles = ["right optimum", "local optimum"]
    contents = [
        (f"{title}: {float(arrays['loglik'][i]):.2f} nats a point", _ellipses(arrays, i))
        for i, title in enumerate(titles)
    ]
    return panels.panels(contents, columns=2, height=2.8)


def _draw_guesses(arrays: Arrays, numbers: list[int]) -> Figure:
    logliks = zip(numbers, arrays["loglik"], arrays["fresh"], strict=True)
    titles = [f"C = {c}: {float(own):.2f} nats a point,\n{float(fresh):.2f} on new points" for c, own, fresh in logliks]
    return panels.panels([(title, _ellipses(arrays, i)) for i, title in enumerate(titles)], height=2.6)


def _moments(seed: int) -> Arrays:
    """Return three densities with mean 0 and variance 1, and their entropies in nats (closed forms)."""
    x = np.linspace(-4.0, 4.0, 2001)
    half, scale = math.sqrt(3.0), 1.0 / math.sqrt(2.0)
    return {
        "x": x,
        "densities": np.array(
            [
                np.exp(-0.5 * x**2) / math.sqrt(2.0 * math.pi),
                np.where(np.abs(x) <= half, 0.5 / half, 0.0),
                np.exp(-np.abs(x) / scale) / (2.0 * scale),
            ]
        ),
        "entropy": np.array(
            [0.5 * math.log(2.0 * math.pi * math.e), math.log(2.0 * half), 1.0 + math.log(2.0 * scale)]
        ),
        "quadratic": np.array([0.5 * math.log(4.0 * math.pi), math.log(2.0 * half), math.log(4.0 * scale)]),
    }


def _draw_moments(arrays: Arrays) -> Figure:
    names = ("normal", "uniform", "Laplace")
    named = {
        f"{name}: Shannon {float(h):.3f}, quadratic {float(h2):.3f} nats": density
        for name, h, h2, density in zip(names, arrays["entropy"], arrays["quadratic"], arrays["densities"], strict=True)
    }

    def draw(axis: Axes) -> None:
        panels.curve(axis, arrays["x"], named, "x", "density")

    return panels.legend_below(panels.panels([("mean 0, variance 1", draw)], height=3.2, width=0.75), 1)


def _separable(seed: int) -> tuple[FloatArray, FloatArray]:
    random = stream(seed, "svm")
    label = np.repeat([0, 1], 25)
    points = random.normal(size=(50, 2)) * 0.7 + np.where(label[:, None] == 0, [-1.5, -1.0], [1.5, 1.0])
    side = points @ np.array([1.5, 1.0])
    # A gap around the line between the means, so that the classes can be distinguished without error.
    points += np.where(np.abs(side) < 1.2, np.sign(np.where(label == 0, -1.0, 1.0)) * 1.2, 0.0)[:, None] * 0.5
    return points, label.astype(np.float64)


def _machines(seed: int, points: FloatArray, label: FloatArray, settings: list[dict[str, Any]]) -> dict[str, Any]:
    from sklearn.svm import SVC

    span = 1.15 * float(np.abs(points).max())
    axis, queries = grid(-span, span, 150)
    models = [SVC(**options).fit(points, label) for options in settings]
    values = [model.decision_function(queries).reshape(150, 150) for model in models]
    support = [np.isin(np.arange(len(points)), model.support_) for model in models]
    return {
        "points": points,
        "class": label.astype(np.int64),
        "axis": axis,
        "value": np.array(values),
        "support": np.array(support),
        "errors": np.array([int((model.predict(points) != label).sum()) for model in models]),
        "margin": np.array([2.0 / np.linalg.norm(model.coef_) if hasattr(model, "coef_") else 0.0 for model in models]),
    }


def _linear(kernel: str, r: float) -> dict[str, Any]:
    return {"kernel": kernel, "C": r}


def _margin(seed: int) -> Arrays:
    return _machines(seed, *_separable(seed), [_linear("linear", 1e6)])


def _slack(seed: int, costs: list[float]) -> Arrays:
    points, label = _separable(seed)
    # One point of the second class close to the first.
    points = np.concatenate([points, [[-0.9, 0.2]]])
    return _machines(seed, points, np.append(label, 1.0), [_linear("linear", r) for r in costs])


def _kernel_machine(seed: int, width: float, cost: float) -> Arrays:
    points, label = planar.moons(seed, 100, 0.05)
    points = (points - points.mean(axis=0)) / 2.0
    settings = [{"kernel": "rbf", "gamma": 0.5 / width**2, "C": cost}]
    return _machines(seed, points, label.astype(np.float64), settings)


def _draw_machines(arrays: Arrays, titles: list[str]) -> Figure:
    contents = []
    for i, title in enumerate(titles):

        def draw(axis: Axes, i: int = i) -> None:
            panels.points(axis, arrays["points"], arrays["class"], size=12.0, equal=False)
            support = arrays["points"][arrays["support"][i]]
            axis.scatter(support[:, 0], support[:, 1], s=45, facecolors="none", edgecolors="#1A1A1A", linewidths=0.7)
            axis.contour(
                arrays["axis"],
                arrays["axis"],
                arrays["value"][i],
                levels=[-1.0, 0.0, 1.0],
                colors="#1A1A1A",
                linestyles=["--", "-", "--"],
                linewidths=0.9,
            )
            axis.set_aspect("equal")

        contents.append((title, draw))
    return panels.panels(contents, columns=2, height=3.2, width=1.0 if len(contents) > 1 else 0.6)


def _draw_margin(arrays: Arrays) -> Figure:
    return _draw_machines(arrays, [f"margin {float(arrays['margin'][0]):.2f}, support vectors circled"])


def _draw_slack(arrays: Arrays, costs: list[float]) -> Figure:
    return _draw_machines(
        arrays,
        [
            f"R = {r:g}: {int(arrays['errors'][i])} errors, margin {float(arrays['margin'][i]):.2f}"
            for i, r in enumerate(costs)
        ],
    )


def _draw_kernel_machine(arrays: Arrays, width: float, cost: float) -> Figure:
    return _draw_machines(arrays, [f"width {width:g}, R = {cost:g}: {int(arrays['errors'][0])} errors"])


DRAWINGS = (
    Drawing(
        name="em_optima",
        label="a mixture fitted from a good and a poor start",
        source="thesis 2012, figure A.1",
        compute=_optima,
        draw=_draw_optima,
    ),
    Drawing(
        name="em_guesses",
        label="a mixture of three fitted with several numbers of components",
        source="thesis 2012, figure A.2",
        compute=_guesses,
        draw=_draw_guesses,
        params={"numbers": [2, 3, 6]},
    ),
    Drawing(
        name="equal_moments",
        label="three densities with the same mean and variance",
        source="thesis 2012, figure 3.1",
        compute=_moments,
        draw=_draw_moments,
    ),
    Drawing(
        name="svm_margin",
        label="support vectors and margin",
        source="thesis 2012, figure C.1",
        compute=_margin,
        draw=_draw_margin,
    ),
    Drawing(
        name="svm_slack",
        label="a linear machine with small and large cost of errors",
        source="thesis 2012, figure C.2",
        compute=_slack,
        draw=_draw_slack,
        params={"costs": [1.0, 100.0]},
    ),
    Drawing(
        name="svm_kernel",
        label="a machine with a Gaussian kernel",
        source="thesis 2012, figure C.3",
        compute=_kernel_machine,
        draw=_draw_kernel_machine,
        params={"width": 0.1, "cost": 1.0},
    ),
)
