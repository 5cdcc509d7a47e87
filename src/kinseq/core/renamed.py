"""Arguments that have another name than they had: the old one works for one release, with a warning."""

from __future__ import annotations

import warnings
from typing import Any

from .errors import ParameterError


def renamed(given: dict[str, Any], old: str, new: str, value: Any) -> Any:
    """The value of an argument, taken out of `given` where it came by its old name.

    Parameters
    ----------
    given : dict
        Arguments that a signature does not name; the old name is removed from it.
    old, new : str
    value : object
        What came by the new name; None where nothing did.

    Raises
    ------
    ParameterError
        If both are given.
    """
    if old not in given:
        return value
    if value is not None:
        raise ParameterError(f"{new} and {old} are given, which are the same; leave {old} out")
    warnings.warn(f"{old} is called {new} now; the old name goes with the next release", FutureWarning, stacklevel=3)
    return given.pop(old)
