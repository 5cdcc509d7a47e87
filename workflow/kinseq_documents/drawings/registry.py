"""The contract of a drawing, and the registry of drawings.

Any module of this folder may assign a tuple of :class:`Drawing` to ``DRAWINGS``. Computing and drawing are two functions:
the arrays between them are saved next to the figure, so that what a figure shows can be read as numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from kinseq.core.errors import DataError, ParameterError, unknown_name
from kinseq.core.registries import Registry
from kinseq.core.registries import completed as with_defaults

from ..rendering.grids import Grid

if TYPE_CHECKING:
    from matplotlib.figure import Figure

REQUIREMENTS = ("sequences", "distances")
"""Inputs that a drawing may need of the stages: the sequences and tasks of a data set, the matrices of a measure on it."""

Arrays = Mapping[str, Any]


def completed(name: str, params: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a drawing completed by the defaults; a name that is not known, or one without a value, is refused."""
    full = with_defaults("drawing", name, params, defaults)
    for key, value in full.items():
        if value is None:
            raise ParameterError(f"drawing {name!r}: the parameter {key!r} has no default; give it a value")
    return full


@dataclass(frozen=True)
class Drawing:
    """A figure of formulas, densities or data; registered in a module's ``DRAWINGS`` tuple.

    Attributes
    ----------
    name, label : str
        Identifier and a few words on what it shows.
    source : str
        Document and place.
    compute : callable
        ``compute(seed, **needed, **params)`` returns the arrays by name. `needed` has ``sequences`` and ``tasks`` if
        sequences are needed, ``distances`` if matrices are.
    draw : callable or None
        ``draw(arrays, **params)`` returns a matplotlib figure and computes nothing; None if there is only a table.
    requires : tuple of str
        Entries of :data:`REQUIREMENTS`.
    params : mapping
        Parameters with their defaults; None is no default, and a value has to be given.
    page : callable or None
        ``page(arrays, title, **params)`` returns an HTML page of its own, for what a figure cannot show, such as sounds.
    table : callable or None
        ``table(arrays, **params)`` returns grids of words and numbers, which become a table instead of a figure of one.
    shows_items : bool
        Whether items of the data can be seen in the figure itself: curves, pictures, words, sentences. Such a figure is
        published only of generated data. False of figures of scores, sizes and maps.
    notes : mapping
        What has to be said of a parameter, for the reference.
    """

    name: str
    label: str
    source: str
    compute: Callable[..., Arrays]
    draw: Callable[..., Figure] | None = None
    requires: tuple[str, ...] = ()
    params: Mapping[str, Any] = field(default_factory=dict)
    page: Callable[..., str] | None = None
    table: Callable[..., Sequence[Grid]] | None = None
    shows_items: bool = True
    notes: Mapping[str, str] = field(default_factory=dict)

    def completed(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """`params` completed by the defaults; see :func:`completed`."""
        return completed(self.name, params, self.params)

    def arrays(self, seed: int, params: Mapping[str, Any], **needed: Any) -> dict[str, Any]:
        """Compute the numbers that are drawn, as finite arrays by name.

        Raises
        ------
        DataError
            If there is nothing, or a number that is not finite.
        """
        named_arrays = {name: np.asarray(array) for name, array in self.compute(seed, **needed, **params).items()}
        if not named_arrays:
            raise DataError(f"drawing {self.name!r}: there is nothing to draw; return at least one array")
        for name, array in named_arrays.items():
            if array.dtype.kind in "fc" and not np.isfinite(array).all():
                raise DataError(f"drawing {self.name!r}: array {name!r} holds nan or inf; mend what computes it")
        return named_arrays


REGISTRY = Registry(
    "drawing", Drawing, __file__, __name__, "DRAWINGS", ("draw", "requires", "params", "page", "table", "shows_items")
)
modules, get = REGISTRY.modules, REGISTRY.get


def requires(name: str) -> tuple[str, ...]:
    """Inputs that a drawing needs of the stages, some of :data:`REQUIREMENTS`."""
    stage_needs = tuple(modules()[name].fields["requires"])
    for need in stage_needs:
        if need not in REQUIREMENTS:
            raise ParameterError(f"drawing {name!r}: {unknown_name('requirement', need, REQUIREMENTS)}")
    return stage_needs


def has_page(name: str) -> bool:
    """Whether a drawing also makes a page."""
    return bool(modules()[name].fields["page"])


def has_table(name: str) -> bool:
    """Whether a drawing also makes a table, or nothing else."""
    return bool(modules()[name].fields["table"])


def has_figure(name: str) -> bool:
    """Whether a drawing makes a figure."""
    return bool(modules()[name].fields["draw"])


def shows_items(name: str) -> bool:
    """Whether items of the data can be seen in the figure of a drawing."""
    return bool(requires(name)) and bool(modules()[name].fields["shows_items"])
