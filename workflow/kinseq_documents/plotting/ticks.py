"""Labels of logarithmic axes in plain text: figures read no text as a formula, since a name may hold a dollar sign."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

_RAISED = str.maketrans("-\N{MINUS SIGN}0123456789", "⁻⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


CROWDED, CROWDED_SIZE = 6, 6.5
"""More labels than these nearly touch below the narrow panels of a figure, and are set in a smaller size (points)."""


def label_powers(axes: Axes) -> None:
    """Label the logarithmic axes of a panel with powers of ten in plain text; call it once the scales are set."""
    from matplotlib.ticker import LogFormatterSciNotation

    class Plain(LogFormatterSciNotation):
        """Matplotlib decides which ticks get a label, and writes a formula; this writes it as text."""

        def __call__(self, x: float, pos: Any = None) -> str:
            return plain_power(super().__call__(x, pos))

    for axis in (axes.xaxis, axes.yaxis):
        if axis.get_scale() == "log":
            axis.set_major_formatter(Plain())
            axis.set_minor_formatter(Plain(labelOnlyBase=False))


def label_values(axis: Axis, values: Iterable[float], most: int = 8) -> None:
    """Label a logarithmic axis at the values themselves where they are few, which reads better than powers."""
    ticks = sorted(set(values))
    if 0 < len(ticks) <= most:
        axis.set_ticks(ticks, [f"{value:g}" for value in ticks])
        axis.set_ticks([], minor=True)
        if len(ticks) > CROWDED:
            axis.set_tick_params(labelsize=CROWDED_SIZE)


def plain_power(formula: str) -> str:
    r"""Write ``$\mathdefault{2\times10^{-1}}$`` as ``2×10⁻¹``; text without a formula as it is."""
    match = re.fullmatch(r"\$\\mathdefault\{(.*)\}\$", formula)
    if not match:
        return formula
    text = match[1].replace(r"\times", "×")
    return re.sub(r"\^\{([^}]*)\}", lambda power: power[1].translate(_RAISED), text)
