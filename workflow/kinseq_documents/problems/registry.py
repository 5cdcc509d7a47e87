"""The contract of problems and estimators, and their registries.

Any module of this folder may assign a tuple of :class:`Problem` to ``PROBLEMS`` and one of :class:`Estimator` to
``ESTIMATORS``. Names and quantities are in ``problems.jsonl`` and ``estimators.jsonl`` too; a job imports the files of its own
problem and its own estimators and no others.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from kinseq.core.arrays import as_count
from kinseq.core.errors import DataError, ParameterError, unknown_name
from kinseq.core.registries import Registry, completed


def _number(value: Any, where: str, remedy: str) -> float:
    """One finite number."""
    if isinstance(value, bool) or not (isinstance(value, numbers.Real) or getattr(value, "shape", None) == ()):
        shape = getattr(value, "shape", None)
        got = f"an array of shape {shape}" if shape is not None else repr(value)
        raise DataError(f"{where}: is {got}, expected one number; {remedy}")
    if not math.isfinite(float(value)):
        raise DataError(f"{where}: is {float(value)}, which is not a finite number; {remedy}")
    return float(value)


@dataclass(frozen=True)
class Problem:
    """Data that can be drawn in any number, and the true values to estimate.

    Attributes
    ----------
    name, label : str
        Identifier and the name that is printed.
    source : str
        Document and place.
    draw : callable
        ``draw(n, seed, **params)`` returns data of size n in any form that its estimators take.
    truth : callable or None
        ``truth(**params)`` returns a mapping from each of `quantities` to its true value. None for data on which nothing
        but time is measured.
    quantities : tuple of str
        What can be estimated, for example ``("kl", "jeffreys")``.
    params : mapping
        Parameters with their defaults.
    """

    name: str
    label: str
    source: str
    draw: Callable[..., Any]
    truth: Callable[..., Mapping[str, float]] | None = None
    quantities: tuple[str, ...] = ()
    params: Mapping[str, Any] = field(default_factory=dict)

    def sample(self, n: int, seed: int, **params: Any) -> Any:
        """Data of size n."""
        return self.draw(as_count(n, "n"), seed, **completed("problem", self.name, params, self.params))

    def true_value(self, quantity: str, **params: Any) -> float:
        """The true value of one quantity.

        Raises
        ------
        ParameterError
            If the problem does not have the quantity.
        DataError
            If the truth is not one finite number a quantity.
        """
        if quantity not in self.quantities or self.truth is None:
            raise ParameterError(f"problem {self.name!r}: {unknown_name('quantity', quantity, self.quantities)}")
        values = self.truth(**completed("problem", self.name, params, self.params))
        if not isinstance(values, Mapping) or set(values) != set(self.quantities):
            expected = ", ".join(self.quantities)
            raise DataError(
                f"problem {self.name!r}: truth is {values!r}, expected a mapping with the keys {expected}; mend truth"
            )
        return _number(values[quantity], f"problem {self.name!r}: the truth of {quantity!r}", "mend truth")


@dataclass(frozen=True)
class Estimator:
    """An estimator of one quantity, or a computation whose time is measured.

    Attributes
    ----------
    name, label : str
        Identifier and the name that is printed.
    source : str
        Document and equation.
    function : callable
        ``function(data, seed, **params)`` returns the estimate.
    estimates : str
        The quantity; empty for a computation that is only timed.
    params : mapping
        Parameters with their defaults.
    """

    name: str
    label: str
    source: str
    function: Callable[..., Any]
    estimates: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)

    def run(self, data: Any, seed: int, **params: Any) -> Any:
        """Call the function with completed parameters, ignoring its result."""
        return self.function(data, seed, **completed("estimator", self.name, params, self.params))

    def estimate(self, data: Any, seed: int, **params: Any) -> float:
        """The estimate from some data.

        Raises
        ------
        DataError
            If it is not one finite number.
        """
        return _number(
            self.run(data, seed, **params), f"estimator {self.name!r}: the estimate", "mend its function or its data"
        )


PROBLEM_REGISTRY = Registry("problem", Problem, __file__, __name__, "PROBLEMS", ("label", "quantities", "params"))
ESTIMATOR_REGISTRY = Registry(
    "estimator", Estimator, __file__, __name__, "ESTIMATORS", ("label", "estimates", "params")
)
problems, problem = PROBLEM_REGISTRY.modules, PROBLEM_REGISTRY.get
estimators, estimator = ESTIMATOR_REGISTRY.modules, ESTIMATOR_REGISTRY.get
