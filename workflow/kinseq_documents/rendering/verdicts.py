"""What verdicts are called and how they are counted, wherever pages tell of them: a summary to read aloud, colours, places."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import pandas as pd

from kinseq.core.errors import DataError
from kinseq.core.store import PathLike

from ..evaluation.claims import HELD, NOT_HELD, UNDECIDED
from ..evaluation.fidelity import NOT_AVAILABLE, ONE_DRAW, ONE_RUN, REPRODUCED, TOO_FEW, VERDICTS
from ..evaluation.summary import records

COLOURS = {
    "reproduced": "#1b7f4d",
    "held": "#1b7f4d",
    "yes": "#1b7f4d",
    "close": "#4f7a12",
    "better": "#1f5fa8",
    "worse": "#b3401a",
    "not held": "#b3401a",
    "no": "#b3401a",
    "different": "#7a4b9d",
    "one run": "#7a6a00",
    "one draw": "#7a6a00",
    "too few runs": "#7a6a00",
    "undecided": "#7a6a00",
    "not available": "#6b6b6b",
}


@dataclass(frozen=True)
class Document:
    """What is regenerated, and whether its items are numbered by chapter."""

    title: str
    by_chapter: bool = False


DOCUMENTS = {
    "T": Document("Thesis of 2011: similarity measures for sequential data", by_chapter=True),
    "P1": Document("Paper on the dynamics of the state space"),
    "P2": Document("Paper on the KL-LL distance"),
    "V": Document("Thesis of 2012: nearest-neighbour information theoretic clustering", by_chapter=True),
    "S": Document("Research report RR-8880: similarity by iterative classifications"),
}
"""Documents in the order in which they are shown; others follow by their names."""

BESIDE = Document("Beside the documents")

SAME_NUMBER = ("dataset", "model", "measure", "clusterer", "metric", "x", "published")
"""What printed numbers share that are one: the same quantity of the same data, printed as the same value."""


def read(path: PathLike) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the printed cells and claims of a ``fidelity.csv``: its rows of these kinds, all columns as text; empty where there
    are none.
    """
    try:
        rows = pd.read_csv(path, dtype=str, keep_default_na=False)
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: cannot be read ({error}); make it anew with snakemake") from None
    if not {"kind", "experiment", "verdict"} <= set(rows.columns):
        raise DataError(f"{path}: is no table of verdicts; make it anew with snakemake")
    return rows[rows["kind"] == "cell"], rows[rows["kind"] == "claim"]


def counted(verdicts: Sequence[str] | pd.Series, names: Sequence[str]) -> dict[str, int]:
    """Return how often each of `names` occurs, in their order; those that never do are left out."""
    counts = {name: int(sum(verdict == name for verdict in verdicts)) for name in names}
    return {name: count for name, count in counts.items() if count}


def of_cells(verdicts: Sequence[str] | pd.Series) -> dict[str, int]:
    """Return how many printed cells got which verdict."""
    return counted(verdicts, VERDICTS)


def of_claims(verdicts: Sequence[str] | pd.Series) -> dict[str, int]:
    """Return how many claims got which verdict."""
    return counted(verdicts, (HELD, NOT_HELD, UNDECIDED))


def once(cells: pd.DataFrame) -> pd.DataFrame:
    """Printed numbers, each once: a quantity with a value, by the columns :data:`SAME_NUMBER`, counts where it is printed first.

    Where it could be had in another experiment alone, the verdict is the one there. A column ``documents`` is added, all that
    print it. A table without these columns stays as it is.
    """
    if not {*SAME_NUMBER, "document", "verdict"} <= set(cells.columns):
        return cells
    ranks = {document: k for k, document in enumerate(DOCUMENTS)}
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for cell in sorted(records(cells), key=lambda cell: ranks.get(cell["document"], len(ranks))):
        # What is missing is equal to itself.
        key = tuple(None if cell[name] != cell[name] or cell[name] == "" else cell[name] for name in SAME_NUMBER)
        documents = found[key]["documents"] if key in found else []
        if key not in found:
            found[key] = {**cell, "documents": documents}
        elif found[key]["verdict"] == NOT_AVAILABLE != cell["verdict"]:
            # Another experiment computes the same quantity.
            found[key] = {**cell, "documents": documents, "document": found[key]["document"]}
        if cell["document"] not in documents:
            documents.append(cell["document"])
    return pd.DataFrame(list(found.values()), columns=[*cells.columns, "documents"])


def listed(parts: Sequence[str]) -> str:
    """Parts of an enumeration: ``a``, ``a and b``, ``a, b and c``."""
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts)


UNDECIDED_CELLS = (ONE_RUN, ONE_DRAW, TOO_FEW, NOT_AVAILABLE)
"""Verdicts of cells of which nothing can be said, for a reason of each."""


@dataclass(frozen=True)
class Choice:
    """How a reading was chosen: among how many, and on how many cells of which it agrees where it was chosen on others.

    `agree` of `judged` cells agree with it, and `best` with the reading with which most do: more may have been tried since.
    """

    among: int
    held_out: int
    held_out_of: int
    agree: int
    judged: int
    best: int

    def __str__(self) -> str:
        held_out = f"held out: {self.held_out} of {self.held_out_of}"
        if self.agree == self.best:
            return f"chosen by agreement among {self.among}; {held_out}"
        return (
            f"chosen by agreement, {self.agree} of {self.judged}, the best of {self.among} has {self.best}; {held_out}"
        )


def choices(table: str) -> dict[str, Choice]:
    """Return how readings were chosen, of the text of a CSV with the columns ``reading`` and those of :class:`Choice`.

    Raises
    ------
    DataError
        If it has other columns, or numbers are none.
    """
    columns = [field.name for field in fields(Choice)]
    try:
        rows = records(pd.read_csv(io.StringIO(table)))
        return {str(row["reading"]): Choice(*(int(row[name]) for name in columns)) for row in rows}
    except (ValueError, KeyError) as error:
        raise DataError(f"choices of readings: expected the columns reading, {', '.join(columns)} ({error})") from None


def under_readings(
    cells: pd.DataFrame, labels: Mapping[str, str] | None = None, choices: Mapping[str, Choice] | None = None
) -> list[str]:
    """Return a sentence for each reading that printed cells are judged under: how many are reproduced, and how many under others.

    Of `cells` the column ``reading`` names it; ``<other>_verdict`` is what another reading gets. `labels` are the names of
    readings to
    print, `choices` how they were chosen, as far as that is known.
    """
    if "reading" not in cells:
        return []
    names, sentences = dict(labels or {}), []
    for reading in (name for name in dict.fromkeys(cells["reading"]) if isinstance(name, str) and name):
        own = cells[cells["reading"] == reading]
        judged = own[~own["verdict"].isin(UNDECIDED_CELLS)]
        if judged.empty:
            continue
        count = int((judged["verdict"] == REPRODUCED).sum())
        chosen = f" ({choices[reading]})" if choices and reading in choices else ""
        sentence = f"{count} of {_many(len(judged), 'printed number')} {'is' if count == 1 else 'are'} reproduced under"
        sentence += f" one reading of what print leaves open, {names.get(reading, reading)}{chosen}"
        for column in (name for name in own if str(name).endswith("_verdict")):
            beside = own[own[column].isin([name for name in VERDICTS if name not in UNDECIDED_CELLS])]
            if len(beside):
                other = str(column).removesuffix("_verdict")
                same = int((beside[column] == REPRODUCED).sum())
                sentence += f"; with {names.get(other, other)} {same} of {len(beside)}"
        sentences.append(f"{sentence}.")
    return sentences


def summary(
    cells: pd.DataFrame,
    claims: pd.DataFrame,
    labels: Mapping[str, str] | None = None,
    choices: Mapping[str, Choice] | None = None,
) -> list[str]:
    """Return what became of the printed numbers and of the claims, in sentences that can be read aloud.

    First those of :func:`under_readings`. Then one of the cells that were compared, one of those that were not, one of the
    claims; those with nothing to tell are left out. Either table has one row each, with a column ``verdict``. A number that
    two documents print counts once (:func:`once`).
    """
    cells = once(cells)
    counts, sentences = of_cells(cells["verdict"]), under_readings(cells, labels, choices)
    total = sum(counts.values())
    compared = {name: count for name, count in counts.items() if name not in UNDECIDED_CELLS}
    if compared:
        phrase = listed([f"{count} {name}" for name, count in compared.items()])
        sentences.append(f"Of {_many(total, 'printed cell')}, {sum(compared.values())} could be judged: {phrase}.")
    elif total:
        sentences.append(f"None of {_many(total, 'printed cell')} could be judged.")
    one, draw, few, gone = (counts.get(name, 0) for name in UNDECIDED_CELLS)
    single = "is a single run in print that cannot tell" if one == 1 else "are single runs in print that cannot tell"
    left = [
        (one, single),
        (draw, f"{'is' if draw == 1 else 'are'} of data that are one draw of many"),
        (few, "had too few runs"),
        (gone, "was not available" if gone == 1 else "were not available"),
    ]
    phrase = listed([f"{count} {word}" for count, word in left if count])
    if phrase:
        sentences.append(f"Of the others, {phrase}." if compared else f"Of them, {phrase}.")
    decided = of_claims(claims["verdict"])
    if decided:
        words = {HELD: "held", NOT_HELD: "did not hold", UNDECIDED: "stayed undecided"}
        phrase = listed([f"{count} {words[name]}" for name, count in decided.items()])
        sentences.append(f"Of {_many(sum(decided.values()), 'claim')} in the text, {phrase}.")
        apart = claims[claims["data"] == "generated data alone"] if "data" in claims else claims.iloc[:0]
        alone = of_claims(apart["verdict"])
        if alone:
            phrase = listed([f"{count} {words[name]}" for name, count in alone.items()])
            sentences.append(f"On generated data alone, {_many(sum(alone.values()), 'claim')} of these: {phrase}.")
    return sentences


def _many(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def place(document: str, item: str, where: str = "") -> str:
    """Return a printed item as people call it: ``T Fig. 2.1``, with the place in it behind a comma."""
    kind = {"fig": "Fig.", "tab": "Table"}.get(item[:3], "")
    number = item[3:] if kind else item.removeprefix("text_")
    called = number.replace("_", ".") if kind or item.startswith("text_") else item
    name = kind or ("section" if item.startswith("text_") else "")
    text = " ".join(part for part in (document, name, called) if part)
    return f"{text}, {where}" if where else text


def source(row: Mapping[str, Any]) -> str:
    """Return the printed item of a row of claims."""
    return place(str(row["document"]), str(row["item"]), str(row["place"]))
