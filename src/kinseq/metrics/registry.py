"""The metric contract, and the registry of metrics.

A metric file is any module of this folder that assigns a tuple of :class:`Metric` to the name ``METRICS``. Everything but the
function is in ``metrics.jsonl`` too, so that units, labels and tolerances are known without importing anything; a
job that scores imports only the files of the metrics that it computes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, Literal, get_args

from ..core.errors import ConfigError, ParameterError, unknown_name
from ..core.registries import Registered, Registry

Judges = Literal["partition", "segmentation", "matrix", "grouped_matrix", "estimate", "finding"]
Direction = Literal["lower", "higher", "none"]

JUDGES: tuple[str, ...] = get_args(Judges)
DIRECTIONS: tuple[str, ...] = get_args(Direction)


@dataclass(frozen=True)
class Unit:
    """Unit of the values of a metric.

    Attributes
    ----------
    word : str
        Follows a difference of two values; empty if nothing does.
    decimals, fine_decimals : int
        Decimals of a mean in a table, and where it stands next to a printed number.
    factors : mapping
        Other unit to what a value in it is multiplied with to be in this one.
    reproduced_within, close_within, largest_se : float or None
        Tolerances of metrics that have none of their own; None where every metric has to say them.
    """

    word: str
    decimals: int
    fine_decimals: int
    factors: Mapping[str, float]
    reproduced_within: float | None = None
    close_within: float | None = None
    largest_se: float | None = None


LN2 = 0.6931471805599453

UNITS: Mapping[str, Unit] = {
    "percent": Unit("points", 1, 2, {"fraction": 100.0}, 1.0, 3.0, 2.0),
    "fraction": Unit("", 3, 4, {"percent": 0.01}, 0.01, 0.03, 0.02),
    "count": Unit("", 1, 2, {}),
    "nats": Unit("nats", 3, 4, {"bits": LN2}, 0.01, 0.03, 0.02),
    "number": Unit("", 3, 4, {"nats": 1.0}, 0.02, 0.1, 0.05),
}
"""Units of metrics. Time is not among them: scores hold only reproducible numbers, and seconds belong to the timings."""


TOLERANCES = ("reproduced_within", "close_within", "largest_se")
"""Metrics that verdicts are based on."""


@dataclass(frozen=True)
class Metric:
    """A number that rates a result; registered in a module's ``METRICS`` tuple.

    Attributes
    ----------
    name, label : str
        Identifier, and the name that is printed without its unit. With `ranked`, ``{rank}`` in the label is the rank.
    unit : str
        A key of :data:`UNITS`; what `function` returns is in this unit.
    direction : {"lower", "higher", "none"}
        Which values are better.
    judges : {"partition", "segmentation", "matrix", "grouped_matrix", "estimate", "finding"}
        What is judged, which also says how `function` is called: ``function(classes, clusters)`` for a partition,
        ``function(true_segments, segments)`` for a segmentation, ``function(classes, distance)`` for a dissimilarity
        matrix, ``function((classes, groups), distance)`` for one whose items belong to groups that are distinguished,
        ``function(estimates, truth)`` for the estimates of one trial. A finding is reported by a measure itself
        and has no function.
    reproduced_within, close_within : float or None
        Largest difference from a printed number for the verdicts "reproduced" and "close", in `unit`; those of the unit
        if not given.
    largest_se : float or None
        Largest standard error that a verdict is given for, in `unit`; that of the unit if not given.
    relative : bool
        The three tolerances are shares of the printed number (of its magnitude) instead.
    function : callable or None
        Computes the value.
    least, most : float or None
        Range of the values; None where there is no bound.
    complement : str
        Metric that is the most of this one minus this one (accuracy and error).
    pooled : {"mean", "root_mean_square"}
        How the values of trials are put together.
    default : bool
        Computed for experiments that require no metrics of their own.
    attained : str
        Attribute of a task that holds the value of whoever knows how the data were made, a control of that name; empty if
        tasks know none.
    ranked : bool
        The name stands for a family, ``p_at`` for ``p_at_1``, ``p_at_10``, ...; `function` takes the rank as a third
        argument.
    """

    name: str
    label: str
    unit: str
    direction: Direction
    judges: Judges
    reproduced_within: float | None = None
    close_within: float | None = None
    largest_se: float | None = None
    relative: bool = False
    function: Callable[..., float] | None = None
    least: float | None = None
    most: float | None = None
    complement: str = ""
    pooled: Literal["mean", "root_mean_square"] = "mean"
    default: bool = False
    attained: str = ""
    ranked: bool = False

    def __post_init__(self) -> None:
        where = f"metric {self.name!r}"
        for key, value, valid in (
            ("unit", self.unit, UNITS),
            ("direction", self.direction, DIRECTIONS),
            ("judges", self.judges, JUDGES),
            ("pooled", self.pooled, ("mean", "root_mean_square")),
        ):
            if value not in valid:
                raise ParameterError(f"{where}: {unknown_name(key, value, valid)}")
        least, most, se = self.tolerances
        if not 0.0 <= least <= most or not se > 0.0:
            raise ParameterError(
                f"{where}: tolerances are {least}, {most} and {se}, expected"
                " 0 <= reproduced_within <= close_within and largest_se > 0"
            )

    @property
    def tolerances(self) -> tuple[float, float, float]:
        """Tolerances ``reproduced_within``, ``close_within`` and ``largest_se``; those of the unit by default.

        Raises
        ------
        ParameterError
            If neither has one.
        """
        values = []
        for key in TOLERANCES:
            own, common = getattr(self, key), getattr(UNITS[self.unit], key)
            if own is None and common is None:
                raise ParameterError(
                    f"metric {self.name!r}: {key} is missing, metrics in {self.unit} have none in common; write it out"
                )
            values.append(float(common if own is None else own))
        return values[0], values[1], values[2]

    @property
    def title(self) -> str:
        """The label with its unit, for an axis."""
        return f"{self.label} (%)" if self.unit == "percent" else self.label

    def factor(self, unit: str) -> float:
        """Return the factor from `unit` to the unit of the metric.

        Raises
        ------
        ConfigError
            If values of the metric cannot be in `unit`.
        """
        factors = {self.unit: 1.0, **UNITS[self.unit].factors}
        if unit not in factors:
            raise ConfigError(f"metric {self.name!r}: {unknown_name('unit', unit, factors)}")
        return factors[unit]

    def tolerance(self, within: float, published: float) -> float:
        """Return a tolerance in the unit of the metric, for a printed number in that unit."""
        return within * abs(published) if self.relative else within


REGISTRY = Registry(
    "metric",
    Metric,
    __file__,
    __name__,
    "METRICS",
    [field.name for field in fields(Metric) if field.name not in ("name", "function")],
)
modules = REGISTRY.modules


def names() -> list[str]:
    """Return names of all metrics, sorted; a family of ranked metrics is listed as ``p_at_<rank>``."""
    return sorted(f"{name}_<rank>" if _is_ranked(entry) else name for name, entry in modules().items())


def _is_ranked(entry: Registered) -> bool:
    return bool(entry.fields["ranked"])


def _split(name: str) -> tuple[str, int | None]:
    """Registered name and rank of a metric; a ParameterError that lists the valid names if there is no such metric."""
    entries = modules()
    if name in entries and not _is_ranked(entries[name]):
        return name, None
    match = re.fullmatch(r"(\w+?)_([1-9][0-9]{0,8})", str(name), re.ASCII)
    if match and match[1] in entries and _is_ranked(entries[match[1]]):
        return match[1], int(match[2])
    raise ParameterError(unknown_name("metric", name, names()))


def is_known(name: str) -> bool:
    """Return whether there is a metric of that name."""
    try:
        _split(name)
    except ParameterError:
        return False
    return True


@cache
def describe(name: str) -> Metric:
    """Return the entry of a metric without its function, or a ParameterError that lists the valid names; imports nothing."""
    base, rank = _split(name)
    metric = Metric(**{**modules()[base].fields, "name": name})
    return metric if rank is None else replace(metric, label=metric.label.replace("{rank}", str(rank)))


def function(name: str) -> Callable[[Any, Any], float]:
    """Return the function of two arguments that computes a metric, importing only its own file.

    A ParameterError if there is no such metric, or it is reported by measures and not computed.
    """
    base, rank = _split(name)
    compute = REGISTRY.get(base).function
    if compute is None:
        raise ParameterError(f"metric {name!r}: is reported by measures and cannot be computed")
    if rank is None:
        return compute
    return lambda truth, result: compute(truth, result, rank)


def modules_of(metrics: Iterable[str]) -> list[str]:
    """Return the modules that compute some metrics, sorted: the dependencies of a scoring job."""
    entries = modules()
    return sorted({entries[_split(name)[0]].module for name in metrics})


def defaults(judges: Iterable[str] = JUDGES) -> list[str]:
    """Return default metrics, in the order of their files."""
    wanted = set(judges)
    return [name for name, entry in modules().items() if entry.fields["default"] and entry.fields["judges"] in wanted]


def judged_by(metrics: Iterable[str], judges: str) -> list[str]:
    """Return those of some metrics that rate one kind of result, in order."""
    return [name for name in metrics if describe(name).judges == judges]


def computed(
    judged: Collection[str] = JUDGES, listed: Any = None, always: Iterable[str] = (), where: str = "metrics"
) -> list[str]:
    """Return metrics to compute: the `listed` ones, or else the defaults for the kind of result, and `always` others.

    `judged` are kinds of results that there are, of :data:`JUDGES`, all if empty; `where` is what requires them, as a
    message names it. A ConfigError if a metric is unknown, or judges what there is not.
    """
    kinds = set(judged) or set(JUDGES)
    valid = [name for name in names() if modules()[name.removesuffix("_<rank>")].fields["judges"] in kinds]
    if listed is not None and (not isinstance(listed, (list, tuple)) or not listed):
        raise ConfigError(f"{where}: metrics is {listed!r}, expected a list of names such as [error, ari]")
    always = list(always)
    for name in [*(listed or ()), *always]:
        if not is_known(name):
            raise ConfigError(f"{where}: {unknown_name('metric', name, valid)}")
        judges = describe(name).judges
        if judges not in kinds:
            raise ConfigError(
                f"{where}: metric {name!r} judges results of the kind {judges}, but there are only results of the kind"
                f" {', '.join(sorted(kinds))}; valid names: {', '.join(valid)}"
            )
    return list(dict.fromkeys([*(listed if listed is not None else defaults(kinds)), *always]))
