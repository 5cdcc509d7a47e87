"""Optional packages: the error for a missing one names the extra that installs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .errors import ParameterError


@contextmanager
def from_extra(extra: str, task: str) -> Iterator[None]:
    """Turn a failed import of an optional package into an error with instructions to install it.

    Parameters
    ----------
    extra : str
        Name of the extra of this package, as in ``pip install 'kinseq[audio]'``.
    task : str
        What needs the package; begins the message.

    Raises
    ------
    ParameterError
        If an import in the block finds no package.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise ParameterError(
            f"{task} needs the package {error.name}, which is not installed; pip install 'kinseq[{extra}]' installs it"
        ) from error
