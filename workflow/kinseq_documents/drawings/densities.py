"""Estimates of densities by kernels and by nearest neighbours (thesis 2012, section 2.2 and appendix D)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kinseq.core.arrays import FloatArray, as_count
from kinseq.core.seeds import stream
from kinseq.divergences import density

from ..data.planar import mixture
from ..plotting import panels
from .registry import Arrays, Drawing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MEANS = ((0.0, 0.0), (2.5, 2.5))
"""Means of the mixture of eq. 2.1; unit variances, shares .7 and .3 as in section 2.2.5."""


ROOT = "square root of the density"
"""Densities by neighbours have sharp peaks; roots keep the rest visible."""


def grid(low: float, high: float, n: int) -> tuple[FloatArray, FloatArray]:
    """Axis of a square grid, and its points by rows."""
    axis = np.linspace(low, high, as_count(n, "n_grid", least=2))
    return axis, np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)


def _estimates(
    seed: int, n: int, n_grid: int, widths: list[float | str], k: float | None, alpha: float = 1.0
) -> dict[str, Any]:
    """Return a mixture and its estimated densities on a grid, kernels first."""
    points, _ = mixture(seed, [round(0.7 * n), n - round(0.7 * n)], MEANS, [1.0, 1.0])
    axis, queries = grid(-3.5, 6.0, n_grid)
    densities = []
    for width in widths:
        sigma = density.silverman(points) if isinstance(width, str) else width
        densities.append(np.exp(density.parzen(queries, points, sigma)))
    if k is not None:
        densities.append(np.exp(density.knn(queries, points, k, alpha=alpha)))
    return {"points": points, "axis": axis, "density": np.array(densities).reshape(len(densities), n_grid, n_grid)}


def _surfaces(arrays: Arrays, titles: list[str], power: float = 1.0, height: str = "density") -> Figure:
    contents = []
    for title, values in zip(titles, arrays["density"], strict=True):

        def draw(axis: Any, values: FloatArray = values) -> None:
            panels.surface(axis, arrays["axis"], arrays["axis"], values**power, height)
            panels.points(axis, arrays["points"], np.full(len(arrays["points"]), -1), size=4.0, equal=False)

        contents.append((title, draw))
    return panels.panels(contents, columns=2, height=3.3, width=1.0 if len(contents) > 1 else 0.55)


def _widths(seed: int, n: int, n_grid: int, widths: list[float]) -> Arrays:
    return _estimates(seed, n, n_grid, list(widths), None)


def _draw_widths(arrays: Arrays, widths: list[float], **_: Any) -> Figure:
    return _surfaces(arrays, [f"kernel, width {width:g}" for width in widths])


def _knn(seed: int, n: int, n_grid: int, k: int) -> Arrays:
    return _estimates(seed, n, n_grid, [], k)


def _draw_knn(arrays: Arrays, k: int, **_: Any) -> Figure:
    return _surfaces(arrays, [f"{k} nearest neighbours"], power=0.5, height=ROOT)


def _both(seed: int, n: int, n_grid: int, k: int) -> Arrays:
    return _estimates(seed, n, n_grid, ["silverman"], k)


def _draw_both(arrays: Arrays, k: int, **_: Any) -> Figure:
    return _surfaces(arrays, ["kernel, width sigma_S", f"{k} nearest neighbours"], power=0.5, height=ROOT)


def _scales(seed: int, n: int, n_grid: int, k: int, alpha: float) -> Arrays:
    """Return the mixture of eq. 2.25; the height along its diagonal next to the true one."""
    points, _ = mixture(seed, [n // 2, n - n // 2], [(0.0, 0.0), (20.0, 20.0)], [0.1, 10.0])
    axis, queries = grid(-15.0, 50.0, n_grid)
    sigma = density.silverman(points)
    along = np.linspace(-15.0, 50.0, 601)
    line = np.column_stack([along, along])
    truth = 0.5 * (
        np.exp(-(along**2) / 0.01) / (2 * np.pi * 0.01) + np.exp(-((along - 20.0) ** 2) / 100.0) / (2 * np.pi * 100.0)
    )
    plain = density.knn(line, points, k)
    return {
        "points": points,
        "axis": axis,
        "width": sigma,
        "density": np.array(
            [density.parzen(queries, points, sigma), density.knn(queries, points, k, alpha=alpha)]
        ).reshape(2, n_grid, n_grid),
        "along": along,
        "truth": np.log(np.maximum(truth, 1e-12)),
        "parzen": density.parzen(line, points, sigma),
        "knn": plain,
    }


def _draw_scales(arrays: Arrays, k: int, alpha: float, **_: Any) -> Figure:
    def shaded(values: FloatArray) -> panels.Draw:
        def draw(axis: Any) -> None:
            panels.surface(axis, arrays["axis"], arrays["axis"], values, "log density")
            panels.points(axis, arrays["points"], np.full(len(arrays["points"]), -1), size=4.0, equal=False)
            axis.set_xlim(arrays["axis"][0], arrays["axis"][-1])
            axis.set_ylim(arrays["axis"][0], arrays["axis"][-1])

        return draw

    def section(axis: Any) -> None:
        named = {name: arrays[name] for name in ("truth", "parzen", "knn")}
        texts = {"truth": "true density", "parzen": "kernel, width sigma_S", "knn": f"{k} neighbours"}
        panels.curve(axis, arrays["along"], {texts[name]: v for name, v in named.items()}, "place on the diagonal")
        axis.set_ylim(-14.0, 4.0)
        axis.set_ylabel("log density")
        axis.legend(frameon=False, fontsize=6.5)

    first, second = (np.maximum(values, values.max() - 14.0) for values in arrays["density"])
    return panels.panels(
        [
            (f"kernel, sigma_S = {float(arrays['width']):.1f}", shaded(first)),
            (f"{k} neighbours, alpha = {alpha:g}", shaded(second)),
            ("along the diagonal", section),
        ],
        columns=2,
        height=2.9,
    )


def _norms(seed: int, k: int, n: int) -> Arrays:
    """Return points whose k-th nearest to the origin is the same under three norms."""
    random = stream(seed, "norms")
    near = 0.45 * random.uniform(-1.0, 1.0, (k - 1, 2))
    angle = random.uniform(0.0, 2.0 * np.pi, n - k)
    far = random.uniform(1.75, 2.4, n - k)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    points = np.concatenate([near, [[1.0, 0.03]], far])
    orders = list(density.NORMS.values())
    distance = np.array([np.linalg.norm(points, ord=order, axis=1) for order in orders])
    rank = np.argsort(distance, axis=1, kind="stable")[:, k - 1]
    radius = distance[np.arange(3), rank]
    area = [float(np.exp(density.log_ball_volume(r, 2, name))) for r, name in zip(radius, density.NORMS, strict=True)]  # type: ignore[arg-type]
    return {"points": points, "kth": rank, "radius": radius, "area": np.array(area)}


def _draw_norms(arrays: Arrays, k: int, **_: Any) -> Figure:
    shapes = {
        "1": np.array([[1, 0], [0, 1], [-1, 0], [0, -1]]),
        "2": np.column_stack([np.cos(np.linspace(0, 2 * np.pi, 121)), np.sin(np.linspace(0, 2 * np.pi, 121))]),
        "inf": np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]),
    }
    contents = []
    for i, (name, corners) in enumerate(shapes.items()):

        def draw(axis: Any, i: int = i, corners: FloatArray = corners) -> None:
            ball = float(arrays["radius"][i]) * corners
            axis.fill(ball[:, 0], ball[:, 1], color="#0072B2", alpha=0.15, linewidth=0)
            label = np.where(np.arange(len(arrays["points"])) == arrays["kth"][i], 1, 0)
            panels.points(axis, arrays["points"], label, size=14.0, names=["point", f"neighbour {k}"])
            axis.plot(0.0, 0.0, "x", color="#1A1A1A", linestyle="", label="where the density is estimated")

        text = {"inf": "∞"}.get(name, name)
        contents.append((f"{text}-norm, area {float(arrays['area'][i]):.2f}", draw))
    return panels.legend_below(panels.panels(contents, height=2.6))


def _powers(seed: int, alphas: list[float]) -> Arrays:
    volume = np.linspace(0.05, 3.0, 300)
    return {"volume": volume, "scaled": np.array([volume**-alpha for alpha in alphas])}


def _draw_powers(arrays: Arrays, alphas: list[float]) -> Figure:
    named = {f"alpha = {alpha:g}": values for alpha, values in zip(alphas, arrays["scaled"], strict=True)}

    def draw(axis: Any) -> None:
        panels.curve(axis, arrays["volume"], named, "Volume", "Inverse volume, scaled")
        axis.set_ylim(0.0, 8.0)
        axis.legend(frameon=False)

    return panels.panels([("", draw)], height=3.0, width=0.7)


def _smoothed(seed: int, n: int, n_grid: int, k: int, alphas: list[float]) -> Arrays:
    points, _ = mixture(seed, [round(0.7 * n), n - round(0.7 * n)], MEANS, [1.0, 1.0])
    axis, queries = grid(-3.5, 6.0, n_grid)
    logs = [density.knn(queries, points, k, alpha=alpha) for alpha in alphas]
    shape = (len(alphas), n_grid, n_grid)
    return {"points": points, "axis": axis, "density": np.exp(np.array(logs)).reshape(shape)}


def _draw_smoothed(arrays: Arrays, alphas: list[float], **_: Any) -> Figure:
    return _surfaces(arrays, [f"alpha = {alpha:g}" for alpha in alphas])


DRAWINGS = (
    Drawing(
        name="parzen_widths",
        label="Parzen estimates with a width too small and an adequate one",
        source="thesis 2012, figure 2.1",
        compute=_widths,
        draw=_draw_widths,
        params={"n": 200, "n_grid": 60, "widths": [0.12, 0.6]},
    ),
    Drawing(
        name="neighbour_norms",
        label="nearest neighbours under three norms",
        source="thesis 2012, figure 2.2",
        compute=_norms,
        draw=_draw_norms,
        params={"k": 5, "n": 14},
    ),
    Drawing(
        name="knn_density",
        label="a density by nearest neighbours",
        source="thesis 2012, figure 2.3",
        compute=_knn,
        draw=_draw_knn,
        params={"n": 200, "n_grid": 80, "k": 5},
    ),
    Drawing(
        name="parzen_and_knn",
        label="a density by a kernel and by nearest neighbours",
        source="thesis 2012, figure 2.4",
        compute=_both,
        draw=_draw_both,
        params={"n": 200, "n_grid": 80, "k": 5},
    ),
    Drawing(
        name="density_scales",
        label="densities on very different scales",
        source="thesis 2012, figure 2.5",
        compute=_scales,
        draw=_draw_scales,
        params={"n": 200, "n_grid": 80, "k": 10, "alpha": 0.5},
    ),
    Drawing(
        name="volume_powers",
        label="powers of the inverse volume",
        source="thesis 2012, figure D.1",
        compute=_powers,
        draw=_draw_powers,
        params={"alphas": [1.0, 0.75, 0.5, 0.25]},
    ),
    Drawing(
        name="smoothed_knn",
        label="densities by nearest neighbours with powers of the volume",
        source="thesis 2012, figure D.2",
        compute=_smoothed,
        draw=_draw_smoothed,
        params={"n": 200, "n_grid": 80, "k": 5, "alphas": [1.0, 0.7, 0.4, 0.2]},
    ),
)
