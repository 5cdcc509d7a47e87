"""Options of the reading of tables, checked before any file is opened."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from numbers import Real
from typing import Any, get_args

from .arrays import as_count
from .errors import ParameterError, is_one_of, unknown_name
from .folders import Animals, Annotations, DateOrder, Rows
from .wording import as_typed

_WORDS = {
    "id_column": "ID",
    "time_column": "TIME",
    "value_columns": "COLUMNS",
    "drop_columns": "DROP",
    "missing_codes": "MISSING_CODE",
    "value_name": "VALUE",
    "variable_name": "VARIABLE",
}
"""What options are called on the command line, where that is not their name."""


def table_option(name: str, value: Any = None) -> str:
    """Return an option of tables as its reader writes it, see :func:`kinseq.core.wording.as_typed`."""
    return as_typed(name, value, _WORDS.get(name))


@dataclass(frozen=True)
class TableOptions:
    """How tables in files are read; their meaning stands with the options of the same names.

    Attributes
    ----------
    id_column, time_column : str or None
        Columns of the sequence and the time of a row.
    value_columns : tuple of str or None
        The columns that are features, in this order; None for all.
    drop_columns : tuple of str
        Columns that are left out.
    missing_codes : tuple of str
        Cells that stand for a missing number.
    value_name, variable_name : str or None
        Columns of the value and of what it is a value of, where a row is one value.
    skip_rows : int or None
        Lines at the beginning of each file that are not read.
    date_order : {"day_first", "month_first"} or None
    rows : {"frames", "series"} or None
        What a row is; None if the table tells.
    likelihood : float or None
        Positions of poses that are less likely are missing, 0 to 1.
    relative_to, heading : str or None
        Body parts: positions are relative to the first, and rotated so that the second lies ahead of it.
    animals : {"sequences", "columns"} or None
        What several animals in one table are; None is sequences.
    annotations : {"labels", "segments"} or None
        What annotations of EDF and WFDB files are taken for; None if they are not read.
    label_column : str or None
        Column of labels: a name, or ``first``, ``last`` or ``none`` where rows are series; given as the labels of an analysis.
    """

    id_column: str | None = None
    time_column: str | None = None
    value_columns: tuple[str, ...] | None = None
    drop_columns: tuple[str, ...] = ()
    missing_codes: tuple[str, ...] = ()
    value_name: str | None = None
    variable_name: str | None = None
    skip_rows: int | None = None
    date_order: DateOrder | None = None
    rows: Rows | None = None
    likelihood: float | None = None
    relative_to: str | None = None
    heading: str | None = None
    animals: Animals | None = None
    annotations: Annotations | None = None
    label_column: str | None = None

    def __post_init__(self) -> None:
        if isinstance(self.id_column, (list, tuple)):
            object.__setattr__(self, "id_column", ",".join(map(str, self.id_column)))
        for name in ("id_column", "time_column", "value_name", "variable_name", "relative_to", "heading"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, str) or not value.strip()):
                what = "a body part" if name in ("relative_to", "heading") else "a column"
                raise ParameterError(f"{name} is {value!r:.80}, expected the name of {what}")
        for name in ("value_columns", "drop_columns", "missing_codes"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, _texts(value, name))
        if self.skip_rows is not None:
            as_count(self.skip_rows, "skip_rows")
        for name, kind in (
            ("date_order", DateOrder),
            ("rows", Rows),
            ("animals", Animals),
            ("annotations", Annotations),
        ):
            value = getattr(self, name)
            if value is not None and not is_one_of(value, get_args(kind)):
                raise ParameterError(unknown_name(name, value, get_args(kind)))
        if self.likelihood is not None:
            real = isinstance(self.likelihood, Real) and not isinstance(self.likelihood, bool)
            if not real or not 0.0 < float(self.likelihood) <= 1.0:
                raise ParameterError(f"likelihood is {self.likelihood!r}, expected a number above 0, at most 1")
        if self.heading is not None and self.relative_to is None:
            raise ParameterError(
                "heading is given without relative_to, the body part that stays in its place; give both"
            )
        if self.heading is not None and self.heading == self.relative_to:
            raise ParameterError(f"heading and relative_to are both {self.heading!r}; name two body parts")
        if self.variable_name is not None and self.value_name is None:
            raise ParameterError("variable_name is given without value_name, the column of the values; give both")

    @property
    def given(self) -> tuple[str, ...]:
        """Names of the options that differ from their defaults."""
        return tuple(name for name in OPTIONS if getattr(self, name) != getattr(USUAL, name))

    def as_typed(self, name: str) -> str:
        """Return one that was given, as its reader writes it."""
        return table_option(name, getattr(self, name))


OPTIONS = tuple(entry.name for entry in fields(TableOptions) if entry.name != "label_column")
"""Names of all options of tables."""
OF_POSES = ("likelihood", "relative_to", "heading", "animals")
"""Those that only tables of poses can follow."""
BY_NAME = ("id_column", "time_column", "value_name", "variable_name")
"""Those that need names of columns."""


def _texts(value: Any, name: str) -> tuple[str, ...]:
    """Return names or codes as a tuple; commas separate them in a text."""
    entries: Iterable[Any] = value.split(",") if isinstance(value, str) else value
    if not isinstance(entries, (list, tuple)):
        raise ParameterError(f"{name} is {value!r:.80}, expected a list, or a text with commas between its entries")
    texts = []
    for entry in entries:
        number = isinstance(entry, Real) and not isinstance(entry, bool)
        text = f"{entry:.17g}" if number and name == "missing_codes" else str(entry).strip()
        if not (isinstance(entry, str) or number) or not text:
            raise ParameterError(
                f"{name} holds {entry!r:.80}, expected text{' or numbers' * (name == 'missing_codes')}"
            )
        texts.append(text)
    if len(set(texts)) < len(texts):
        raise ParameterError(
            f"{name} names {next(text for text in texts if texts.count(text) > 1)!r} twice; name it once"
        )
    return tuple(texts)


USUAL = TableOptions()
"""What holds if nothing is given."""
