"""Input checks: data are validated here once, and errors name their place.

Nothing is converted that loses something without a word: masks, imaginary parts, fractions of whole numbers, text, dates
and names of rows and columns are kept, used or refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.util import find_spec
from numbers import Number, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import DataError, ParameterError
from .wording import option_name

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

MAX_ASYMMETRY = 1e-8
"""Asymmetry of a dissimilarity matrix, relative to its largest entry, that counts as rounding."""


def as_numbers(array: Any, where: str) -> FloatArray:
    """Return real numbers of any numeric type as a float64 array, or raise an error with the reason.

    The array itself if it has that type already; whether entries are finite is not checked, and a missing entry of a
    nullable column (None, ``pandas.NA``) is NaN. A DataError, with the name `where`, for entries that are masked, complex,
    text, dates or no numbers, lists of different lengths, sparse arrays.
    """
    if hasattr(array, "toarray"):
        raise DataError(f"{where}: is sparse ({type(array).__name__}); give a dense array, as of its toarray()")
    _require_unmasked(array, where)
    array = as_pandas(array, where)
    try:
        values = np.asarray(array)
    except (TypeError, ValueError, RuntimeError) as error:
        raise DataError(
            f"{where}: cannot be read as numbers ({_line(error)}); give an array of shape (T, d)"
        ) from error
    except MemoryError as error:
        raise DataError(f"{where}: does not fit into memory; give less") from error
    return _to_float(values, where)


def as_pandas(table: Any, where: str) -> Any:
    """Return a table of pyarrow, polars or the like as one of pandas; other objects are returned unchanged."""
    if not (hasattr(table, "to_pandas") and hasattr(table, "columns")):
        return table
    # Otherwise a column of whole numbers with a gap would be rounded before it is checked.
    whole = {"integer_object_nulls": True} if hasattr(table, "schema") and hasattr(table, "num_rows") else {}
    try:
        if not whole and hasattr(table, "to_dict") and find_spec("pyarrow") is None:
            # Tables of polars go through pyarrow otherwise, which is an extra here.
            import pandas as pd

            return pd.DataFrame(table.to_dict(as_series=False))
        return table.to_pandas(**whole)
    except Exception as error:  # other libraries may raise anything
        raise DataError(
            f"{where}: cannot be turned into a table of pandas ({_line(error)}); call its to_pandas() first"
        ) from error


def _line(error: Exception) -> str:
    """Return the message of an error in one line."""
    return " ".join(str(error).split())


def _require_unmasked(array: Any, where: str) -> None:
    parts = [array, *array] if isinstance(array, (list, tuple)) else [array]
    masked = sum(int(np.ma.getmaskarray(part).sum()) for part in parts if isinstance(part, np.ma.MaskedArray))
    if masked:
        raise DataError(
            f"{where}: has {masked} masked entries, which would be read as if they were known;"
            " remove or interpolate them, or fill them with .filled(value)"
        )


def _to_float(values: NDArray[Any], where: str) -> FloatArray:
    if values.dtype.kind in "biuf":
        # Wider types become infinite if they are too large, and are then refused as infinite.
        with np.errstate(over="ignore"):
            numbers = values.astype(np.float64, copy=False)
        if rounds(values, numbers):
            raise DataError(f"{where}: {_ROUNDED}")
        return numbers
    if values.dtype.kind == "c":
        raise DataError(f"{where}: Complex data not supported; give real and imaginary parts as features of their own")
    if values.dtype.kind in "mM":
        raise DataError(f"{where}: holds dates or durations ({values.dtype}); convert them to numbers, such as seconds")
    if values.dtype.kind == "O":
        return _objects_to_float(values, where)
    what = "named fields, not numbers" if values.dtype.kind == "V" else f"text ({values.reshape(-1)[:1].tolist()})"
    raise DataError(f"{where}: cannot be read as numbers, it holds {what}; convert it to an array of numbers first")


MAX_EXACT_INTEGER = 2.0**53
"""Largest whole number below which all are exact in float64."""
_ROUNDED = "holds whole numbers beyond 2**53, which float64 rounds; subtract a constant from each column or remove it"


def rounds(values: NDArray[Any], numbers: FloatArray) -> bool:
    """Return whether some of the given whole numbers changed by conversion to `numbers`, which are float64."""
    if values.dtype.kind not in "iuO" or values.dtype.itemsize < 8:
        return False
    large = np.abs(numbers) >= MAX_EXACT_INTEGER
    pairs = zip(values[large].tolist(), numbers[large].tolist(), strict=True)
    return any(isinstance(a, int) and np.isfinite(b) and a != int(b) for a, b in pairs)


def _without_markers(values: NDArray[Any]) -> NDArray[Any]:
    """Replace missing-value markers in a nullable column, None or the NA of pandas, by NaN.

    Pandas may not be installed. None alone is no column of numbers.
    """
    nothing = np.array([entry is None for entry in values.flat], dtype=bool).reshape(values.shape)
    missing = np.array([type(entry).__name__ == "NAType" for entry in values.flat], dtype=bool).reshape(values.shape)
    if not nothing.all():
        missing |= nothing
    return np.where(missing, np.nan, values) if missing.any() else values


def _objects_to_float(values: NDArray[Any], where: str) -> FloatArray:
    values = _without_markers(values)
    for place, entry in np.ndenumerate(values):
        if not isinstance(entry, Number) or (isinstance(entry, complex) and not isinstance(entry, Real)):
            text = repr(entry)[:40]
            raise DataError(
                f"{where}: cannot be read as numbers, it holds {_line(Exception(text))} ({type(entry).__name__}) at index"
                f" {place}; remove or replace what is no number"
            )
    try:
        numbers = values.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise DataError(f"{where}: cannot be read as numbers ({_line(error)})") from error
    if rounds(values, numbers):
        raise DataError(f"{where}: {_ROUNDED}")
    return numbers


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return a read-only view, for data that others rely on."""
    view = array.view()
    view.flags.writeable = False
    return view


FILL_IN = "remove or interpolate missing values first"
"""Treatment of NaN."""


def as_frames(array: ArrayLike, where: str, gaps: str = FILL_IN) -> FloatArray:
    """Return one sequence as a C-contiguous ``(T, d)`` float64 array, or raise an error with the reason.

    A DataError, with the name `where`, if it is not numeric, not two-dimensional, empty, or holds NaN or infinity. `gaps` is
    what to do about NaN.
    """
    frames = as_numbers(array, where)
    if frames.ndim != 2:
        hint = "; reshape a univariate sequence with x[:, None]" if frames.ndim == 1 else ""
        raise DataError(f"{where}: has shape {frames.shape}, expected two dimensions (T, d){hint}")
    if frames.shape[0] == 0:
        raise DataError(f"{where}: is empty (0 frames); remove it or check how it was read")
    if frames.shape[1] == 0:
        raise DataError(f"{where}: has 0 features per frame; at least one is needed")
    require_finite(frames, where, gaps=gaps)
    return for_compiled(frames)


def for_compiled(array: FloatArray) -> FloatArray:
    """Return an array in the form compiled functions expect: C order and writable, though nothing writes to it.

    A read-only one, as joblib maps into its processes, is a type of its own, for which everything would be compiled anew.
    """
    return np.require(array, requirements=["C_CONTIGUOUS", "WRITEABLE"])


def require_finite(array: FloatArray, where: str, remedy: str = "", gaps: str = FILL_IN) -> None:
    """Raise :class:`DataError` that names the first entry of `array` that is NaN or infinite.

    `remedy` is what to do about it, if it is not that missing values are to be filled in; how that is done is `gaps`.
    """
    finite = np.isfinite(array)
    if not finite.all():
        place = tuple(int(i) for i in np.argwhere(~finite)[0])
        value = array[place]
        remedy = remedy or (gaps if np.isnan(value) else "remove or replace infinite values first")
        text = "NaN" if np.isnan(value) else value
        raise DataError(f"{where}: holds {text} at index {place} ({int((~finite).sum())} such values in all); {remedy}")


def column_names(table: Any) -> list[Any] | None:
    """Return column names of a table of pandas or the like; None if there are none, or they are numbers of columns."""
    if isinstance(table, np.ndarray) or getattr(table, "columns", None) is None:
        return None
    # In tables of pyarrow, `columns` holds the columns themselves.
    names = list(getattr(table, "column_names", table.columns))
    return None if names == list(range(len(names))) else names


def as_square(matrix: ArrayLike, where: str) -> FloatArray:
    """Return a finite ``(N, N)`` float64 matrix, or raise an error with the reason."""
    square = as_numbers(matrix, where)
    if square.ndim != 2 or square.shape[0] != square.shape[1]:
        raise DataError(f"{where}: has shape {square.shape}, expected a square matrix (N, N)")
    if square.shape[0] == 0:
        raise DataError(f"{where}: is empty; at least one item is needed")
    names, index = column_names(matrix), getattr(matrix, "index", None)
    if names is not None and index is not None and list(index) != names:
        raise DataError(f"{where}: its rows and columns are named differently; bring them into the same order first")
    require_finite(square, where, "a matrix over all pairs must be finite; check how it was computed")
    return square


def _is_symmetric(square: FloatArray, rows: int = 256) -> bool:
    """Return whether a square matrix equals its transpose to the last bit; by blocks of rows that fit in the cache."""
    ends = range(rows, len(square) + rows, rows)
    return all(np.array_equal(square[end - rows : end, :end], square[:end, end - rows : end].T) for end in ends)


def as_distance(matrix: ArrayLike, where: str = "distance") -> FloatArray:
    """Return a finite, symmetric ``(N, N)`` dissimilarity matrix, or raise an error with the reason.

    Asymmetry up to rounding (1e-8 of the largest entry) is averaged away. Negative entries are allowed: some printed
    "distances" are signed, and each clusterer states what it makes of them.
    """
    square = as_square(matrix, where)
    if _is_symmetric(square):
        return square.copy()
    # Halve first: the sum of two of the largest numbers overflows.
    half = 0.5 * square
    asymmetry = np.abs(half - half.T)
    scale = max(float(np.abs(half).max()), float(np.finfo(np.float64).tiny))
    if float(asymmetry.max()) > MAX_ASYMMETRY * scale:
        i, j = (int(k) for k in np.unravel_index(int(asymmetry.argmax()), square.shape))
        raise DataError(
            f"{where}: is not symmetric, entry ({i}, {j}) is {square[i, j]:g} but ({j}, {i}) is {square[j, i]:g};"
            " symmetrise it first, for example with (d + d.T) / 2"
        )
    return np.asarray(half + half.T)


def as_dissimilarity(matrix: ArrayLike, where: str = "distance") -> FloatArray:
    """Like :func:`as_distance`, but refuse similarities, for matrices computed by users.

    A matrix whose diagonal is positive and holds the largest entry of every row says that items are most alike where it
    is large.
    """
    square = as_distance(matrix, where)
    diagonal = np.diag(square)
    if len(square) > 1 and (diagonal > 0.0).all() and (diagonal >= square.max(axis=1)).all() and np.ptp(square) > 0.0:
        raise DataError(
            f"{where}: looks like a similarity, as every item has its largest entry ({diagonal[0]:g}, ...) with itself;"
            " turn it into a dissimilarity first, for example s.max() - s"
        )
    return square


def require_no_dissimilarities(rows: FloatArray, where: str, remedy: str) -> None:
    """Raise :class:`DataError` for rows that look like a matrix over all pairs.

    That is square and symmetric, with 0 on the diagonal (dissimilarities), or with the largest of all numbers all along it
    (similarities, correlations). `remedy` is what to do if they are.
    """
    n = len(rows)
    if rows.shape != (n, n) or n < 3 or not np.isfinite(rows).all():
        return
    diagonal, most = np.diag(rows), float(rows.max())
    near = MAX_ASYMMETRY * float(np.abs(rows).max())
    zero, peak = (
        not diagonal.any() and bool(rows.any()),
        bool((diagonal >= most - near).all() and rows.min() < most - near),
    )
    if not (zero or peak) or np.abs(0.5 * rows - 0.5 * rows.T).max() > 0.5 * near:
        return
    what = "a zero diagonal, as dissimilarities" if zero else "its largest number along the diagonal, as similarities"
    turned = "" if zero else "turn them into dissimilarities, s.max() - s, and "
    raise DataError(
        f"{where}: is square and symmetric with {what} are, but its rows would be read as {n}"
        f" {'vectors' if 'metric' in remedy else 'series'}; {turned}{remedy}"
    )


def without_negative(distance: FloatArray, where: str) -> FloatArray:
    """Set negative entries of dissimilarities to 0 if they are rounding errors (1e-8 of the largest); otherwise raise DataError.

    What is said of a cluster by its silhouette, its medoid or a new item would contradict what a kernel, which squares, made of a
    negative number.
    """
    least = float(distance.min(initial=0.0))
    if least >= 0.0:
        return distance
    if least < -MAX_ASYMMETRY * float(np.abs(distance).max()):
        place = tuple(int(i) for i in np.argwhere(distance == least)[0])
        raise DataError(
            f"{where}: holds negative numbers ({least:g} at index {place}), but a dissimilarity is at least 0; turn a similarity"
            " into one by s.max() - s, and take np.abs(d) where the size counts"
        )
    return np.maximum(distance, 0.0)


def as_real(value: Any, name: str, expected: str = "a finite number") -> float:
    """Return a finite real number as a float, or raise :class:`ParameterError`; refuse bool, text and arrays."""
    plain = value.item() if isinstance(value, (np.generic, np.ndarray)) and np.ndim(value) == 0 else value
    if isinstance(plain, (bool, complex)) or not isinstance(plain, Number):
        raise ParameterError(f"{name} is {_short_repr(value)}, expected {expected}")
    try:
        number = float(plain)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError) as error:
        raise ParameterError(f"{name} is {_short_repr(value)}, expected {expected}") from error
    if not np.isfinite(number):
        raise ParameterError(f"{name} is {_short_repr(value)}, expected {expected}")
    return number


def as_positive(value: Any, name: str) -> float:
    """Return a positive finite number as a float, or raise :class:`ParameterError`."""
    expected = "a positive finite number"
    number = as_real(value, name, expected)
    if number <= 0.0:
        raise ParameterError(f"{name} is {_short_repr(value)}, expected {expected}")
    return number


def _whole(value: Any, name: str, expected: str) -> int:
    number = as_real(value, name, expected)
    plain = value.item() if isinstance(value, (np.generic, np.ndarray)) else value
    if plain != int(number) and not isinstance(plain, int):
        raise ParameterError(f"{name} is {_short_repr(value)}, expected {expected}")
    return int(plain)


def _short_repr(value: Any) -> str:
    """Return a value for a message: short and on one line."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else f"{text[:57]}..."


def as_count(value: Any, name: str, least: int = 1) -> int:
    """Return `value` as an int that is at least `least`, or raise :class:`ParameterError`."""
    expected = f"a whole number of at least {least}"
    count = _whole(value, name, expected)
    if count < least:
        raise ParameterError(f"{name} is {_short_repr(value)}, expected {expected}")
    return count


def keep_checked(record: Any, check: Callable[..., Any], *names: str, **options: Any) -> None:
    """Check fields of a frozen record and store the returned values, so that 40.0 becomes 40."""
    for name in names:
        object.__setattr__(record, name, check(getattr(record, name), name, **options))


def as_flag(value: Any, name: str) -> bool:
    """Return `value` as a bool, or raise :class:`ParameterError`; only True and False are accepted."""
    if not isinstance(value, (bool, np.bool_)):
        raise ParameterError(f"{name} is {_short_repr(value)}, expected True or False")
    return bool(value)


def as_seed(value: Any, name: str = "seed") -> int:
    """Return the root of random streams as an int, or raise :class:`ParameterError`."""
    return _whole(value, name, "a whole number")


def as_whole_numbers(array: ArrayLike, where: str) -> IntArray:
    """Return an array of whole numbers as int64, or raise :class:`DataError`; refuse masks and fractions."""
    values = np.asarray(array)
    if values.size == 0:
        return np.zeros(values.shape, dtype=np.int64)
    if values.dtype.kind == "b":
        raise DataError(f"{where}: holds True and False, expected whole numbers; use np.flatnonzero to get positions")
    if values.dtype.kind in "iu":
        _require_unmasked(array, where)
        numbers = values.astype(np.float64)
    else:
        values = numbers = as_numbers(array, where)
    wrong = ~np.isfinite(numbers) | (numbers != np.floor(numbers)) | (np.abs(numbers) >= 2.0**63)
    if wrong.any():
        place = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise DataError(f"{where}: holds {values[place]} at index {place}, expected whole numbers")
    return values.astype(np.int64)


def require_clusters(n_items: int, n_clusters: Any, where: str = "clustering") -> int:
    """Check that `n_items` items can be split into `n_clusters` clusters and return the number as an int."""
    count = as_count(n_clusters, option_name("n_clusters"))
    if count > n_items:
        raise ParameterError(
            f"{where}: {option_name('n_clusters')} is {count} but there are only {n_items} items; give a smaller number"
        )
    return count


def as_names(values: Iterable[Any], where: str) -> list[str]:
    """Return a list of names, or raise :class:`DataError`; a single text is refused."""
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        raise DataError(f"{where}: is {_short_repr(values)}, expected a list of names")
    return [str(value) for value in values]
