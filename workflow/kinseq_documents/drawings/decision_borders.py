"""Borders of Bayes rules with estimated densities (thesis 2012, section 2.2.5 and appendix B)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from kinseq.core.arrays import FloatArray, IntArray, as_count
from kinseq.core.seeds import derive_seed
from kinseq.divergences import density

from ..data.planar import mixture
from ..plotting import panels
from .densities import MEANS, grid
from .registry import Arrays, Drawing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHARES = (0.7, 0.3)
LOW, HIGH = -4.0, 6.5


def _sets(seed: int, n: int) -> tuple[list[FloatArray], FloatArray, IntArray]:
    first = round(SHARES[0] * n)
    points, label = mixture(seed, [first, n - first], MEANS, [1.0, 1.0])
    return [points[label == 0], points[label == 1]], points, label


def _truth(queries: FloatArray) -> tuple[IntArray, FloatArray]:
    """Decision of the Bayes rule that knows the densities (eq. B.10), and the density of the mixture."""
    w, x0 = density.linear_boundary(*MEANS, np.eye(2), SHARES[0])
    squares = np.array([((queries - mean) ** 2).sum(axis=1) for mean in MEANS])
    mass = np.array(SHARES) @ np.exp(-0.5 * squares) / (2.0 * math.pi)
    return (((queries - x0) @ w) < 0.0).astype(np.int64), mass


def _decided(seed: int, n_grid: int, settings: list[tuple[int, str, dict[str, Any]]]) -> dict[str, Any]:
    """Decisions on a grid, and the percentage of the mass that is decided otherwise than by the Bayes rule."""
    axis, queries = grid(LOW, HIGH, n_grid)
    best, mass = _truth(queries)
    arrays: dict[str, Any] = {"axis": axis, "bayes": best.reshape(n_grid, n_grid)}
    decisions, off = [], []
    for n, name, params in settings:
        sets, points, label = _sets(seed, n)
        decision = density.classify(queries, sets, name, list(SHARES), **params)
        decisions.append(decision.reshape(n_grid, n_grid))
        off.append(100.0 * mass[decision != best].sum() / mass.sum())
        if len(points) <= 1000:
            arrays |= {"points": points, "class": label}
    return {**arrays, "decision": np.array(decisions), "off": np.array(off)}


def _panel(arrays: Arrays, i: int, dots: bool = True) -> panels.Draw:
    def draw(axis: Any) -> None:
        if dots:
            panels.points(axis, arrays["points"], arrays["class"], size=5.0, equal=False, names=["class 1", "class 2"])
        panels.regions(axis, arrays["axis"], arrays["axis"], arrays["decision"][i])
        axis.contour(
            arrays["axis"], arrays["axis"], arrays["bayes"], [0.5], colors="#D55E00", linewidths=0.8, linestyles="--"
        )
        # Borders are contours, which legends do not support.
        axis.plot([], [], color="#1A1A1A", linewidth=0.9, label="border by the estimates")
        axis.plot([], [], color="#D55E00", linewidth=0.8, linestyle="--", label="border by the true densities")
        axis.set_aspect("equal")

    return draw


def _figure(arrays: Arrays, titles: list[str]) -> Figure:
    off = arrays["off"]
    contents = [(f"{title}: {float(off[i]):.2f} % off", _panel(arrays, i)) for i, title in enumerate(titles)]
    return panels.legend_below(panels.panels(contents, height=2.6), columns=4)


def _parametric(seed: int, n_grid: int, sizes: list[int], repeats: int) -> Arrays:
    """Return the arrays of one draw; how far it is off is a mean over several draws, since one may be lucky."""
    settings: list[tuple[int, str, dict[str, Any]]] = [(n, "gaussian", {}) for n in sizes]
    repetitions = [
        _decided(derive_seed(seed, "borders", i), n_grid, settings) for i in range(as_count(repeats, "repeats"))
    ]
    return {**repetitions[0], "off": np.mean([one["off"] for one in repetitions], axis=0)}


def _draw_parametric(arrays: Arrays, sizes: list[int], repeats: int, **_: Any) -> Figure:
    contents = [
        (f"N = {n}: {float(arrays['off'][i]):.2f} % off\n(mean of {repeats} draws)", _panel(arrays, i, dots=False))
        for i, n in enumerate(sizes)
    ]
    return panels.legend_below(panels.panels(contents, height=2.7), columns=4)


def _parzen(seed: int, n_grid: int, n: int, widths: list[float]) -> Arrays:
    return _decided(seed, n_grid, [(n, "parzen", {"width": width}) for width in widths])


def _draw_parzen(arrays: Arrays, widths: list[float], **_: Any) -> Figure:
    return _figure(arrays, [f"width {width:g}" for width in widths])


def _knn(seed: int, n_grid: int, n: int, neighbours: list[int]) -> Arrays:
    return _decided(seed, n_grid, [(n, "knn", {"k": k}) for k in neighbours])


def _draw_knn(arrays: Arrays, neighbours: list[int], **_: Any) -> Figure:
    return _figure(arrays, [f"k = {k}" for k in neighbours])


def _settings(n: int) -> list[tuple[int, str, dict[str, Any]]]:
    """Return all methods, their widths shrinking and their neighbours growing with the number of points."""
    growth = n / 100.0
    width, k = 0.6 * growth ** (-1.0 / 6.0), round(7 * growth**0.6)
    return [(n, "gaussian", {}), (n, "parzen", {"width": width}), (n, "knn", {"k": k})]


def _all(seed: int, n_grid: int, sizes: list[int]) -> Arrays:
    return _decided(seed, n_grid, [entry for n in sizes for entry in _settings(n)])


def _draw_all(arrays: Arrays, sizes: list[int], **_: Any) -> Figure:
    names = ("parametric", "kernel", "neighbours")
    contents = []
    for i, (n, name) in enumerate((n, name) for n in sizes for name in names):
        title = f"{name}, N = {n}\n{float(arrays['off'][i]):.2f} % off"
        contents.append((title, _panel(arrays, i, dots=n <= 1000)))
    return panels.legend_below(panels.panels(contents, height=2.7), columns=4)


def _bayes(seed: int, prior: float, loss: float) -> Arrays:
    """Return two Gaussians at -2 and 2: equal priors, unequal priors, unequal losses."""
    x = np.linspace(-6.0, 6.0, 4801)
    logs = np.column_stack([-0.5 * (x + 2.0) ** 2, -0.5 * (x - 2.0) ** 2]) - 0.5 * math.log(2.0 * math.pi)
    cases = [((0.5, 0.5), 1.0), ((prior, 1.0 - prior), 1.0), ((0.5, 0.5), loss)]
    joint, borders = [], []
    for priors, cost in cases:
        decision = density.bayes_rule(logs, priors, [[0.0, cost], [1.0, 0.0]])
        joint.append(np.exp(logs) * np.array(priors))
        borders.append(x[int(np.argmax(decision))])
    return {"x": x, "joint": np.array(joint), "border": np.array(borders)}


def _draw_bayes(arrays: Arrays, prior: float, loss: float) -> Figure:
    titles = [
        "equal priors",
        f"priors {prior:g} and {1 - prior:g}",
        f"class 1 taken for 2 costs {loss:g} times as much",
    ]
    contents = []
    for title, joint, border in zip(titles, arrays["joint"], arrays["border"], strict=True):

        def draw(axis: Any, joint: FloatArray = joint, border: float = float(border)) -> None:
            x = arrays["x"]
            panels.curve(axis, x, {"class 1": joint[:, 0], "class 2": joint[:, 1]}, "x", "prior times density")
            axis.fill_between(x, joint[:, 0], where=x >= border, color="#0072B2", alpha=0.25, linewidth=0)
            axis.fill_between(x, joint[:, 1], where=x < border, color="#D55E00", alpha=0.25, linewidth=0)
            axis.axvline(border, color="#1A1A1A", linewidth=0.9)
            axis.set_ylim(bottom=0.0)

        contents.append((f"{title}: border at {float(border):.2f}", draw))
    return panels.legend_below(panels.panels(contents, columns=1, height=1.7, width=0.75), 2)


DRAWINGS = (
    Drawing(
        name="borders_parametric",
        label="borders by Gaussian fits",
        source="thesis 2012, figure 2.6",
        compute=_parametric,
        draw=_draw_parametric,
        params={"n_grid": 120, "sizes": [100, 300, 1000], "repeats": 20},
    ),
    Drawing(
        name="borders_parzen",
        label="borders by kernels of several widths",
        source="thesis 2012, figure 2.7",
        compute=_parzen,
        draw=_draw_parzen,
        params={"n_grid": 120, "n": 100, "widths": [0.1, 0.5, 2.0]},
    ),
    Drawing(
        name="borders_knn",
        label="borders by nearest neighbours",
        source="thesis 2012, figure 2.8",
        compute=_knn,
        draw=_draw_knn,
        params={"n_grid": 120, "n": 100, "neighbours": [1, 3, 10]},
    ),
    Drawing(
        name="borders_all",
        label="borders of all methods with few and many points",
        source="thesis 2012, figure 2.9",
        compute=_all,
        draw=_draw_all,
        params={"n_grid": 50, "sizes": [100, 100000]},
    ),
    Drawing(
        name="bayes_borders",
        label="border of a Bayes rule with priors and losses",
        source="thesis 2012, figure B.1",
        compute=_bayes,
        draw=_draw_bayes,
        params={"prior": 0.7, "loss": 5.0},
    ),
)
