"""Axes of a multiverse: choices that print leaves open, their levels, and their effect on the stages."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np

from kinseq.core.arrays import FloatArray
from kinseq.core.errors import ConfigError, unknown_name
from kinseq.core.graphs.laplacian import TIE_TOLERANCE

Enters = Literal["data", "models", "measure", "affinity", "width", "embedding"]
"""Where an axis enters: data; parameters of models, of some measures, of the affinity; the rule for its width; the embedding."""

RULES = ("eigengap", "ratio", "fixed")

SEPARATOR = "@"
"""Between a measure and the level under which its matrix was computed."""

Reading = tuple[str, ...]
"""One level of each axis, in the order of the axes."""


@dataclass(frozen=True)
class Axis:
    """A choice that print leaves open.

    Attributes
    ----------
    name, label : str
    enters : str
        One of :data:`Enters`.
    levels : mapping
        Name of a level to its entry: ``label``, ``params``, of a measure perhaps another ``measure``, and of data ``datasets``,
        which maps data sets to those that stand for them.
    printed : str or None
        The level that print's own words say; None where it says nothing.
    measures : tuple of str
        Measures, or clusterers of items, that an axis of them is about.
    """

    name: str
    label: str
    enters: Enters
    levels: Mapping[str, Mapping[str, Any]]
    printed: str | None = None
    measures: tuple[str, ...] = ()


@dataclass(frozen=True)
class Axes:
    """All axes of an experiment.

    Attributes
    ----------
    axes : tuple of Axis
    widths : ndarray, shape (W,)
        Widths of the kernel in units of the median distance, rising.
    base : mapping
        Measure to the parameters that it has under every reading.
    """

    axes: tuple[Axis, ...]
    widths: FloatArray
    base: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def entering(self, where: Enters) -> list[Axis]:
        """Return the axes that enter somewhere, in their order."""
        return [axis for axis in self.axes if axis.enters == where]

    def combined(self, where: Enters) -> dict[tuple[str, ...], dict[str, Any]]:
        """Combinations of levels of the axes that enter somewhere, to the parameters of all together."""
        return {
            levels: {
                key: value
                for axis, level in zip(axes, levels, strict=True)
                for key, value in _params(axis, level).items()
            }
            for axes in [self.entering(where)]
            for levels in itertools.product(*(axis.levels for axis in axes))
        }

    @cached_property
    def graphs(self) -> dict[tuple[str, ...], dict[str, Any]]:
        """Levels of the affinity to its kernel and diagonal."""
        return {
            levels: {"kernel": "gaussian", "diagonal": "zero", **params}
            for levels, params in self.combined("affinity").items()
        }

    @cached_property
    def embeddings(self) -> dict[tuple[str, ...], dict[str, Any]]:
        """Levels of the embedding to its name and the starts of k-means."""
        return {
            levels: {"embedding": "njw", "starts": "k-means++", **params}
            for levels, params in self.combined("embedding").items()
        }

    @cached_property
    def rules(self) -> dict[tuple[str, ...], dict[str, Any]]:
        """Levels of the width to its rule: ``rule``, one of :data:`RULES`, ``low`` and ``high``, or ``at``."""
        return {levels: {"rule": "eigengap", **params} for levels, params in self.combined("width").items()}

    @cached_property
    def examined(self) -> list[int]:
        """Widths whose eigenvalues some rule needs."""
        needed = {w for rule in self.rules.values() if rule["rule"] != "fixed" for w in within(rule, self.widths)}
        return sorted(needed)

    def dataset_under(self, dataset: str, reading: Reading) -> str:
        """Return the data set that stands for one under a reading; each axis changes what the axes before it have left."""
        for axis, level in zip(self.axes, reading, strict=True):
            dataset = axis.levels[level].get("datasets", {}).get(dataset, dataset)
        return dataset

    def datasets_for(self, dataset: str) -> list[str]:
        """Return the data sets that stand for one under some reading."""
        found = [dataset]
        for axis in self.axes:
            changed = [level.get("datasets", {}).get(name, name) for level in axis.levels.values() for name in found]
            found = list(dict.fromkeys(changed))
        return found

    def axis_of(self, measure: str) -> Axis | None:
        """Return the axis that is about a measure, if there is one."""
        return next((axis for axis in self.entering("measure") if measure in axis.measures), None)

    def computed(self, measure: str) -> dict[str, dict[str, Any]]:
        """Return the variants of a measure to compute: name with the level to registered name and parameters."""
        axis, base = self.axis_of(measure), dict(self.base.get(measure, {}))
        if axis is None:
            return {measure: {"measure": measure, "params": base}}
        return {
            f"{measure}{SEPARATOR}{level}": {
                "measure": entry.get("measure", measure),
                "params": {**base, **entry.get("params", {})},
            }
            for level, entry in axis.levels.items()
        }

    def readings(self) -> list[Reading]:
        """Return every combination of levels."""
        return list(itertools.product(*(axis.levels for axis in self.axes)))

    def reading(self, levels: Mapping[str, str], where: str) -> Reading:
        """Return the reading that some levels name, one for each axis."""
        names = [axis.name for axis in self.axes]
        for name in levels:
            if name not in names:
                raise ConfigError(f"{where}: {unknown_name('axis', name, names)}")
        for axis in self.axes:
            if axis.name not in levels:
                raise ConfigError(f"{where}: axis {axis.name!r} has no level; name one of {', '.join(axis.levels)}")
            if levels[axis.name] not in axis.levels:
                unknown = unknown_name("level", levels[axis.name], axis.levels)
                raise ConfigError(f"{where}, axis {axis.name!r}: {unknown}")
        return tuple(levels[name] for name in names)


def _params(axis: Axis, level: str) -> Mapping[str, Any]:
    params: Mapping[str, Any] = axis.levels[level].get("params", {})
    return params


def parsed(axes: Sequence[Mapping[str, Any]], widths: Mapping[str, float], base: Mapping[str, Any], where: str) -> Axes:
    """Axes of a parsed experiment, checked."""
    every = []
    for entry in axes:
        name = str(entry["name"])
        if entry["enters"] not in get_args(Enters):
            raise ConfigError(f"{where}, axis {name!r}: {unknown_name('place', entry['enters'], get_args(Enters))}")
        levels = dict(entry["levels"])
        if entry.get("printed") is not None and entry["printed"] not in levels:
            raise ConfigError(f"{where}, axis {name!r}: {unknown_name('level', entry['printed'], levels)}")
        axis = Axis(
            name, str(entry.get("label", name)), entry["enters"], levels, entry.get("printed"),
            tuple(entry.get("measures", ())),
        )  # fmt: skip
        if axis.enters == "measure" and not axis.measures:
            raise ConfigError(f"{where}, axis {name!r}: enters a measure, but names none; add the key 'measures'")
        every.append(axis)
    found = Axes(tuple(every), np.geomspace(widths["low"], widths["high"], int(widths["n"])), base)
    for axis in found.entering("measure"):
        for measure in axis.measures:
            if found.axis_of(measure) is not axis:
                raise ConfigError(
                    f"{where}: two axes are about measure {measure!r}; make them one, with combined levels"
                )
    for width, rule in found.rules.items():
        if rule["rule"] not in RULES:
            raise ConfigError(f"{where}, width {'+'.join(width)}: {unknown_name('rule', rule['rule'], RULES)}")
        if rule["rule"] == "fixed" and "at" not in rule:
            raise ConfigError(f"{where}, width {'+'.join(width)}: the rule 'fixed' needs the key 'at'")
        if not within(rule, found.widths):
            raise ConfigError(f"{where}, width {'+'.join(width)}: none of the widths lies between low and high")
    return found


def within(rule: Mapping[str, Any], widths: FloatArray) -> list[int]:
    """Return positions of the widths that a rule chooses among."""
    # Widths intended as limits come out of the logarithms slightly beyond them.
    low, high = float(rule.get("low", 0.0)) * (1 - 1e-9), float(rule.get("high", np.inf)) * (1 + 1e-9)
    return [w for w, width in enumerate(widths) if low <= width <= high]


def picked(rule: Mapping[str, Any], eigenvalues: FloatArray, widths: FloatArray) -> int | None:
    """Return the position of the width that a rule picks for one graph, from its eigenvalues (W, 2); the first of ties.

    None if some that it chooses among were ignored. ``eigengap``: the largest ``lambda_{K+1} - lambda_K``;
    ``ratio``: the largest ``lambda_{K+1} / lambda_K``, with 1e-12 added to both; ``fixed``: the width nearest to ``at`` by
    their ratio.
    """
    if rule["rule"] == "fixed":
        return int(np.abs(np.log(widths / float(rule["at"]))).argmin())
    among = within(rule, widths)
    upper, lower = eigenvalues[among, 0], eigenvalues[among, 1]
    if np.isnan(upper).any():
        return None
    if rule["rule"] == "ratio":
        score = (1.0 - lower + 1e-12) / (1.0 - upper + 1e-12)
        near = score >= score.max() * (1 - TIE_TOLERANCE)
    else:
        score = np.maximum(upper - lower, 0.0)
        near = score >= score.max() - TIE_TOLERANCE
    return among[int(np.flatnonzero(near)[0])]
