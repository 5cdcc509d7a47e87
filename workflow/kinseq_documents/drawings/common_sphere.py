"""The smallest sphere around two spheres (thesis 2011, figure 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from kinseq.core.errors import ParameterError
from kinseq.models.spheres import merge_pair

from ..plotting import array_figures
from .registry import Arrays, Drawing

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _compute(seed: int, centres: Sequence[Sequence[float]], radii: Sequence[float]) -> Arrays:
    """Return centres and radii of two circles in the plane and, as the third, of the circle around them."""
    centre_pair, sizes = np.asarray(centres, dtype=np.float64), np.asarray(radii, dtype=np.float64)
    if centre_pair.shape != (2, 2) or sizes.shape != (2,) or not (sizes >= 0.0).all():
        raise ParameterError(
            f"drawing 'common_sphere': centres are {centres!r} and radii {radii!r}, expected two points of the plane and"
            " two radii of at least 0"
        )
    step = centre_pair[1] - centre_pair[0]
    radius, share = merge_pair(float(step @ step), float(sizes[0]), float(sizes[1]))
    return {"centres": np.vstack([centre_pair, centre_pair[0] + share * step]), "radii": np.append(sizes, radius)}


def _draw(arrays: Arrays, centres: Sequence[Sequence[float]], radii: Sequence[float]) -> Figure:
    panel = array_figures.Circles(
        centres=arrays["centres"],
        radii=arrays["radii"],
        of_circle=np.array([0, 0, 1]),
        names=("c₁", "c₂", "c₁₂"),
        line=arrays["centres"][:2],
    )
    return array_figures.circles([panel], width=0.5)


DRAWINGS = (
    Drawing(
        name="common_sphere",
        label="the smallest circle around two circles",
        source="thesis 2011, figure 4.1",
        compute=_compute,
        draw=_draw,
        params={"centres": [[-1.4, -0.6], [1.4, 0.6]], "radii": [0.9, 1.6]},
    ),
)
