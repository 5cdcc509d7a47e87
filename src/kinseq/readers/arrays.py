"""Arrays in NumPy files: read only if the content matches the header, and converted exactly to float64."""

from __future__ import annotations

from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import FloatArray, rounds
from ..core.errors import DataError


def load_array(stream: IO[bytes], size: int, path: Path, member: str = "") -> NDArray[Any]:
    """Read one array in NPY format.

    Parameters
    ----------
    stream : file
        At the start of the format's header.
    size : int
        Bytes that `stream` holds. A header may claim more: then nothing is allocated.
    path : Path
        File, for messages.
    member : str
        Name of the array within an archive, for messages.

    Raises
    ------
    DataError
        If it is no plain array, is cut short, or does not fit into memory.
    """
    what = f"the array {member!r} " if member else ""
    try:
        shape, dtype = _header(stream)
        if dtype.hasobject:
            raise ValueError("it holds Python objects")
        claimed = dtype.itemsize * int(np.prod([int(n) for n in shape], dtype=object))
        if claimed > size - stream.tell():
            raise DataError(
                f"{path}: {what}claims the shape {shape}, which is more than the file holds; it is cut short or"
                " damaged, write it again"
            )
        stream.seek(0)
        return np.asarray(np.lib.format.read_array(stream, allow_pickle=False))
    except MemoryError as error:
        raise DataError(f"{path}: {what}does not fit into the memory of this machine; cut it into parts") from error
    except DataError:
        raise
    except Exception as error:  # NumPy parses the header as a Python literal, and damaged headers may raise anything
        raise DataError(
            f"{path}: {what}is no plain array (it is damaged, of another kind, or holds Python objects);"
            f" write it again with numpy.{'savez' if member else 'save'}"
        ) from error


def _header(stream: IO[bytes]) -> tuple[tuple[int, ...], np.dtype[Any]]:
    version = np.lib.format.read_magic(stream)
    if version == (1, 0):
        shape, _, dtype = np.lib.format.read_array_header_1_0(stream)
    else:
        # Version 3 differs from version 2 only in the encoding of field names.
        shape, _, dtype = np.lib.format.read_array_header_2_0(stream)
    return shape, dtype


def as_floats(array: NDArray[Any], path: Path, what: str) -> FloatArray:
    """Real numbers as float64.

    Raises
    ------
    DataError
        If they are not real, or whole numbers or long doubles that float64 cannot hold.
    """
    if array.dtype.kind not in "fiub":
        raise DataError(
            f"{path}: {what} of type {array.dtype}, which holds no real numbers; save floating point numbers"
        )
    with np.errstate(over="ignore"):
        numbers = array.astype(np.float64)
    if rounds(array, numbers):
        raise DataError(
            f"{path}: {what} with whole numbers beyond 2**53, which float64 rounds; subtract a constant from each"
            " column or remove it"
        )
    if bool((np.isinf(numbers) & np.isfinite(array)).any()):
        raise DataError(f"{path}: {what} with numbers beyond the range of float64; divide them")
    return numbers
