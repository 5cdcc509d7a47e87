"""Random streams derived by hashing, so that a number depends only on its purpose.

A stream is named by the root seed and by the axes that should share it (data set, trial, ...). Axes that must not matter
(the measure, the batch a job happens to process, the number of cores) simply do not take part in the name.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import as_seed

Axis = str | int | bytes


def derive_seed(root: int, *axes: Axis) -> int:
    """Derive a 64-bit seed from a root seed and named axes, uniform, equal on every machine and Python version.

    The axes say what the stream is for, for example ``("data", "mohmm", 3)``. Order matters; ``3`` and ``"3"`` differ.
    A ParameterError if the root is no whole number.
    """
    digest = hashlib.blake2b(digest_size=8)
    for axis in (as_seed(root), *axes):
        body = axis if isinstance(axis, bytes) else str(axis).encode()
        # Type and length before each part keep ("a", "bc") and ("ab", "c") distinct.
        digest.update(f"{type(axis).__name__}:{len(body)}:".encode())
        digest.update(body)
    return int.from_bytes(digest.digest(), "little")


def stream(root: int, *axes: Axis) -> np.random.Generator:
    """Random generator of the stream named by `axes`; see :func:`derive_seed`."""
    return np.random.default_rng(derive_seed(root, *axes))


def content_key(values: NDArray[Any]) -> bytes:
    """Return the digest of an array's shape and bytes.

    Used as an axis where a stream should follow the data themselves: equal sequences then get equal models wherever
    they stand in a list, which makes per-sequence fits invariant to permutation and duplication.
    """
    digest = hashlib.blake2b(str(values.shape).encode(), digest_size=16)
    digest.update(np.ascontiguousarray(values).data)
    return digest.digest()
