"""Reasons for differences between regenerated and printed numbers: rules that name cells, and general ones.

Rules are written by hand, in ``config/causes.yaml``, once it is known which choice or data move a number. For a cell
that no rule names, another reading counts that the experiment computes and that comes near to print
(:mod:`kinseq_documents.evaluation.readings`), and then the errata. What is left has an unknown cause and says so, with the
number of
readings that were tried; a rule may say
of a cell that its cause is unknown although there is an erratum, where that does not explain the difference. Where nothing else is
known, the number of readings that agree is given (:func:`of_readings`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kinseq.core.errors import DataError

from .fidelity import CLOSE, EQUAL, NOT_AVAILABLE, ONE_DRAW, ONE_RUN, PRINT, REPRODUCED, TOO_FEW

KINDS = {
    "data": "the data differ",
    "document": "an error, a silence or a contradiction of the document (errata)",
    "choice": "a choice that print leaves open, and that moves the number",
    "runs": "too few runs, or one draw of the data, here or in print",
    "print": "the error of the printed mean covers the difference",
    "missing": "the data cannot be had",
    "not computed": "nothing here computes it",
    "unknown": "unknown",
}
"""Kinds of causes, and their names on pages, in order."""

OF_CELLS = (
    "experiment",
    "document",
    "item",
    "row",
    "column",
    "dataset",
    "model",
    "measure",
    "clusterer",
    "metric",
    "verdict",
)
"""Conditions of a rule on a cell."""
BY_HAND = ("data", "document", "choice", "runs", "unknown")
"""Kinds that a rule may give."""


@dataclass(frozen=True)
class Cause:
    """Kind of a cause, a key of :data:`KINDS` or empty if there is nothing to explain, and a sentence."""

    kind: str
    text: str = ""


@dataclass(frozen=True)
class Rule:
    """A cause, and the cells that it explains: those that have one of the values in every column that is named.

    One with a printed number is of the cells that print this number, and counts only where nothing else is known.
    """

    where: Mapping[str, frozenset[str]]
    cause: Cause
    printed: float | None = None

    def names(self, cell: Mapping[str, Any]) -> bool:
        """Return whether the rule explains a cell."""
        if self.printed is not None and cell.get("published") != self.printed:
            return False
        return all(str(cell.get(column, "")) in values for column, values in self.where.items())


def of(cell: Mapping[str, Any], rules: Sequence[Rule] = ()) -> Cause:
    """Return why a cell of the comparison with print is not reproduced."""
    verdict = cell["verdict"]
    if verdict in (REPRODUCED, EQUAL, CLOSE):
        return Cause("")
    if verdict == NOT_AVAILABLE:
        return Cause("missing" if str(cell.get("reason", "")).startswith("data not available") else "not computed")
    if verdict in (ONE_RUN, ONE_DRAW, TOO_FEW):
        return Cause("runs")
    if verdict == PRINT:
        return Cause("print")
    named = next((rule.cause for rule in rules if rule.printed is None and rule.names(cell)), None)
    near, tried = str(cell.get("reading", "")), int(cell.get("tried", 0))
    if named is None:
        named = Cause("choice" if near else "document" if cell.get("errata") else "unknown")
    elif near and named.kind == "unknown":
        named = Cause("choice", named.text)
    if not near and named == Cause("unknown"):
        named = next((rule.cause for rule in rules if rule.printed is not None and rule.names(cell)), named)
    if not near and named.kind == "unknown" and tried and cell.get("under"):
        near = f"none of {tried} single changes brings it to print"
    return Cause(named.kind, "; ".join(text for text in (named.text, near) if text))


def rules(entries: Any, file: str = "config/causes.yaml") -> list[Rule]:
    """Rules by the parsed entries of a `file`, in their order, of which the first that names a cell counts.

    Raises
    ------
    DataError
        If an entry is none.
    """
    if not isinstance(entries, list):
        raise DataError(f"{file}: expected a list of entries")
    return [_rule(entry, f"{file}, entry {number}") for number, entry in enumerate(entries, start=1)]


def of_readings(cells: Iterable[Mapping[str, Any]]) -> list[Rule]:
    """Return how many of all readings agree with printed numbers, by the published cells of a multiverse of spectral clustering.

    A cell has ``dataset``, ``model``, ``measure``, ``metric``, ``printed``, the counts ``readings_agree`` and ``readings``, and the
    ``least`` and ``most`` that any reading gives, in the unit of the metric.
    """
    found = []
    for cell in cells:
        agree, tried = int(cell["readings_agree"]), int(cell["readings"])
        reach = (
            f"of {tried} readings of what print leaves open ({float(cell['least']):.1f} to {float(cell['most']):.1f})"
        )
        cause = (
            Cause("choice", f"it agrees with {agree} {reach}")
            if agree
            else Cause("unknown", f"it agrees with none {reach}")
        )
        where = {column: frozenset({str(cell[column])}) for column in ("dataset", "model", "measure", "metric")}
        found.append(Rule({**where, "clusterer": frozenset({"spectral"})}, cause, float(cell["printed"])))
    return found


def _rule(entry: Any, where: str) -> Rule:
    if not isinstance(entry, Mapping) or set(entry) != {"where", "kind", "text"}:
        raise DataError(f"{where}: expected the keys where, kind and text")
    if entry["kind"] not in BY_HAND:
        raise DataError(f"{where}: kind is {entry['kind']!r}, expected one of {', '.join(BY_HAND)}")
    if not isinstance(entry["where"], Mapping) or not set(entry["where"]) <= set(OF_CELLS) or not entry["where"]:
        raise DataError(f"{where}: where maps some of {', '.join(OF_CELLS)} to a value or a list of values")
    values = {
        column: frozenset(str(value) for value in (each if isinstance(each, list) else [each]))
        for column, each in entry["where"].items()
    }
    return Rule(values, Cause(str(entry["kind"]), " ".join(str(entry["text"]).split())))
