"""Names and counts of verdicts on all pages: a summary to read aloud, colours, places."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import pandas as pd

from kinseq.core.errors import DataError
from kinseq.core.store import PathLike

from ..evaluation.claims import HELD, NOT_HELD, PROJECT, UNDECIDED
from ..evaluation.fidelity import AGREES, NOT_AVAILABLE, ONE_DRAW, ONE_RUN, PRINT, REPRODUCED, TOO_FEW, VERDICTS
from ..evaluation.summary import records

COLOURS = {
    "reproduced": "#1b7f4d",
    "held": "#1b7f4d",
    "yes": "#1b7f4d",
    "equal": "#1b7f4d",
    "close": "#4f7a12",
    "better": "#1f5fa8",
    "worse": "#b3401a",
    "not held": "#b3401a",
    "no": "#b3401a",
    "different": "#7a4b9d",
    "agrees": "#1b7f4d",
    "differs": "#b3401a",
    "cited": "#6b6b6b",
    "one run": "#7a6a00",
    "one draw": "#7a6a00",
    "print uncertain": "#7a6a00",
    "too few runs": "#7a6a00",
    "undecided": "#7a6a00",
    "not available": "#6b6b6b",
}


@dataclass(frozen=True)
class Document:
    """A document that is regenerated, and whether its items are numbered by chapter."""

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

BESIDE = Document("Outside the documents")

SAME_NUMBER = ("dataset", "model", "measure", "clusterer", "metric", "x", "published")
"""Columns that agree where a number is printed several times: the same quantity of the same data with the same value."""


def read(path: PathLike) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the rows of a ``fidelity.csv`` that are printed cells or claims, all columns as text; maybe none."""
    try:
        rows = pd.read_csv(path, dtype=str, keep_default_na=False)
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: cannot be read ({error}); make it anew with snakemake") from None
    if not {"kind", "experiment", "verdict"} <= set(rows.columns):
        raise DataError(f"{path}: is no table of verdicts; make it anew with snakemake")
    claims = rows[rows["kind"] == "claim"]
    if "claim" in claims:
        claims = claims.assign(claim_of=claims["experiment"] + "." + claims["claim"])
    return rows[rows["kind"] == "cell"], claims


def counted(verdicts: Sequence[str] | pd.Series, names: Sequence[str]) -> dict[str, int]:
    """Return how often each of `names` occurs, in their order; those that never do are left out."""
    counts = {name: int(sum(verdict == name for verdict in verdicts)) for name in names}
    return {name: count for name, count in counts.items() if count}


def of_cells(verdicts: Sequence[str] | pd.Series) -> dict[str, int]:
    """Return how many printed cells have each verdict."""
    return counted(verdicts, VERDICTS)


def of_claims(verdicts: Sequence[str] | pd.Series) -> dict[str, int]:
    """Return how many claims have each verdict."""
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
        # A missing value equals itself.
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


UNDECIDED_CELLS = (ONE_RUN, ONE_DRAW, PRINT, TOO_FEW, NOT_AVAILABLE)
"""Verdicts of cells of which nothing can be said, for a reason of each."""
DECIDED_CELLS = tuple(name for name in VERDICTS if name not in UNDECIDED_CELLS)


@dataclass(frozen=True)
class Choice:
    """How a reading was chosen: among how many, and on how many cells of which it agrees where it was chosen on others.

    `agree` of `judged` cells agree with it in `trials` runs, and `best` with the reading with which most do: more may have been
    tried since. `print` agree with print's own words, which it `contradicts` on some axes (separated by semicolons). Of the
    choices without a table, of which there are `folds`, `folds_alike` were this reading. `chosen_on` are the cells, as
    :func:`key_of_choice` gives them.
    """

    among: int
    held_out: int
    held_out_of: int
    folds: int
    folds_alike: int
    agree: int
    judged: int
    best: int
    print: int
    trials: int
    contradicts: str = ""
    chosen_on: frozenset[tuple[Any, ...]] = frozenset()

    def sentences(self, published: tuple[int, int] | None = None, outside: tuple[int, int] | None = None) -> list[str]:
        """Return the contradictions and agreement of a reading; `published` cells agree in the published run, of how many.

        `outside` are numbers that did not choose it: reproduced, and judged.
        """
        axes = [part.strip() for part in self.contradicts.split(";") if part.strip()]
        axes = [axis[0].lower() + axis[1:] for axis in axes]
        against = f"It contradicts print on {_many(len(axes), 'choice')} ({listed(axes)}). " if axes else ""
        run = f", {published[0]} of {published[1]} in the published run" if published and published[1] else ""
        first = (
            f"{against}It was chosen by agreement among {self.among}: of {self.judged} printed numbers {self.agree} agree with it"
            f" (in {_many(self.trials, 'run')}, their error allowed for){run}, {self.print} with print's own words and"
            f" {self.best} with the best reading."
        )
        verb = "are" if self.folds_alike > 1 else "is"
        same = f"{self.folds_alike or 'none'} of these {_many(self.folds, 'choice')} {verb}"
        second = (
            f"Chosen with all tables but one, readings agree with {self.held_out} of {self.held_out_of} numbers of the one left"
            f" out; {same} this reading."
        )
        if outside and outside[1]:
            second += f" Of {_many(outside[1], 'number')} that did not choose it, {outside[0]} are reproduced."
        return [first, second]


def key_of_choice(cell: Mapping[str, Any], printed: str = "published") -> tuple[Any, ...]:
    """Return what a cell is known by among those that chose a reading; data sets are drawn again there and have other names."""
    return (cell["model"], cell["measure"], cell["metric"], round(float(cell[printed]), 2))


def choices(table: str) -> dict[str, Choice]:
    """Return how readings were chosen, of the text of a CSV with the columns ``reading`` and those of :class:`Choice`.

    Raises
    ------
    DataError
        If it has other columns, or numbers are none.
    """
    counts = [field.name for field in fields(Choice) if field.name not in ("contradicts", "chosen_on")]
    try:
        rows = records(pd.read_csv(io.StringIO(table), keep_default_na=False))
        return {
            str(row["reading"]): Choice(
                **{name: int(row[name]) for name in counts}, contradicts=str(row["contradicts"]), chosen_on=frozenset()
            )
            for row in rows
        }
    except (ValueError, KeyError) as error:
        raise DataError(
            f"choices of readings: expected the columns reading, contradicts, {', '.join(counts)} ({error})"
        ) from None


def under_readings(
    cells: pd.DataFrame, labels: Mapping[str, str] | None = None, choices: Mapping[str, Choice] | None = None
) -> list[str]:
    """Return sentences for each reading that printed cells are judged under: how many are reproduced, and how it was chosen.

    Of `cells` the column ``reading`` names it; ``<other>_verdict`` is what another reading gets, and ``chose`` whether the cell
    took part in the choice: ``agrees`` or ``differs`` in the published run, else empty. `labels` are the names of readings to
    print, `choices` how they were chosen, as far as that is known.
    """
    if "reading" not in cells:
        return []
    names, sentences = dict(labels or {}), []
    for reading in (name for name in dict.fromkeys(cells["reading"]) if isinstance(name, str) and name):
        own = cells[cells["reading"] == reading]
        judged = own[own["verdict"].isin(DECIDED_CELLS)]
        if judged.empty:
            continue
        count = int((judged["verdict"] == REPRODUCED).sum())
        sentence = f"{count} of {_many(len(judged), 'printed number')} {'is' if count == 1 else 'are'} reproduced under"
        sentence += f" one reading of what print leaves open, {names.get(reading, reading)}"
        for column in (name for name in own if str(name).endswith("_verdict")):
            beside = own[own[column].isin(DECIDED_CELLS)]
            if len(beside):
                other = str(column).removesuffix("_verdict")
                same = int((beside[column] == REPRODUCED).sum())
                sentence += f"; with {names.get(other, other)} {same} of {len(beside)}"
        sentences.append(f"{sentence}.")
        if choices and reading in choices:
            chose = own["chose"] if "chose" in own else pd.Series("", index=own.index)
            took_part = (int((chose == AGREES).sum()), int((chose != "").sum()))
            outside = judged[chose[judged.index] == ""]["verdict"]
            others = (int((outside == REPRODUCED).sum()), len(outside)) if took_part[1] else None
            sentences += choices[reading].sentences(took_part, others)
    return sentences


def uncompared(cells: pd.DataFrame) -> str:
    """Return a sentence on the documents of which no number could be compared; empty if there is none."""
    if "documents" not in cells:
        return ""
    without, numbers = [], set()
    for document in DOCUMENTS:
        printed = cells.index[[document in names for names in cells["documents"]]]
        if len(printed) and (cells.loc[printed, "verdict"] == NOT_AVAILABLE).all():
            without.append(document)
            numbers |= set(printed)
    if not without:
        return ""
    return f"Of {listed(without)} no number could be compared (0 of {len(numbers)}): the data cannot be had."


def summary(
    cells: pd.DataFrame,
    claims: pd.DataFrame,
    labels: Mapping[str, str] | None = None,
    choices: Mapping[str, Choice] | None = None,
) -> list[str]:
    """Return the outcome of the printed numbers and of the claims, in sentences that can be read aloud.

    First the cells that were compared and those that were not, and the documents without any; then those of
    :func:`under_readings`; then the claims, see :func:`about_claims`. Either table has one row each, with a column ``verdict``. A
    number that two documents print counts once (:func:`once`).
    """
    cells = once(cells)
    counts, sentences = of_cells(cells["verdict"]), []
    total = sum(counts.values())
    compared = {name: count for name, count in counts.items() if name not in UNDECIDED_CELLS}
    if compared:
        phrase = listed([f"{count} {name}" for name, count in compared.items()])
        sentences.append(f"Of {_many(total, 'printed cell')}, {sum(compared.values())} could be judged: {phrase}.")
    elif total:
        sentences.append(f"None of {_many(total, 'printed cell')} could be judged.")
    one, draw, uncertain, few, gone = (counts.get(name, 0) for name in UNDECIDED_CELLS)
    single = "is a single run in print that cannot tell" if one == 1 else "are single runs in print that cannot tell"
    left = [
        (one, single),
        (draw, f"{'is' if draw == 1 else 'are'} of data that are one draw of many"),
        (uncertain, f"{'has' if uncertain == 1 else 'have'} a printed error that covers the difference"),
        (few, "had too few runs"),
        (gone, "was not available" if gone == 1 else "were not available"),
    ]
    # The number of those with too few runs is always given: more runs could decide them.
    phrase = listed([f"{count} {word}" for count, word in left if count or word == "had too few runs"])
    if total:
        sentences.append(f"Of the others, {phrase}." if compared else f"Of them, {phrase}.")
    if without := uncompared(cells):
        sentences.append(without)
    return [*sentences, *under_readings(cells, labels, choices), *about_claims(claims)]


WORDS_OF_DATA = {
    "the documents' data": "the documents' data",
    "generated": "generated data",
    "stand-in": "data that stand in",
}
"""Data that decided a claim, in a sentence; values of :func:`kinseq_documents.plan.data_kinds_of_claims`."""


def sentences_once(claims: pd.DataFrame) -> list[str]:
    """Return the verdict of each sentence: variants of one, on other data or by another choice, count together.

    One that did not hold decides, then one that is undecided.
    """
    found: dict[str, list[str]] = {}
    for row in records(claims):
        found.setdefault(str(row.get("variant_of") or row.get("claim_of") or len(found)), []).append(
            str(row["verdict"])
        )
    return [next(each for each in (NOT_HELD, UNDECIDED, HELD) if each in verdicts) for verdicts in found.values()]


def _became(verdicts: Sequence[str] | pd.Series) -> str:
    counts = of_claims(verdicts)
    words = {HELD: "held", NOT_HELD: "did not hold", UNDECIDED: "stayed undecided"}
    return listed([f"{counts.get(name, 0)} {word}" for name, word in words.items()])


def about_claims(claims: pd.DataFrame) -> list[str]:
    """Return the outcome of the claims, all together, and apart by their origin and by the data that decided them.

    Columns ``verdict``, and if they are known ``origin``, ``decided_on``, ``variant_of``, ``claim_of`` (experiment and claim) and
    ``by_construction``.
    """
    if claims.empty:
        return []
    sentences = [f"Of {_many(len(claims), 'claim')}, {_became(claims['verdict'])}."]
    if "origin" not in claims:
        return sentences
    text, own = claims[claims["origin"] != PROJECT], claims[claims["origin"] == PROJECT]
    if len(own):
        asked = "is a question" if len(own) == 1 else "are questions"
        sentences.append(
            f"{len(own)} of them {asked} of this project ({_became(own['verdict'])}); of the {len(text)} that the documents"
            f" make, {_became(text['verdict'])}."
        )
    once_each = sentences_once(text)
    if len(once_each) < len(text):
        sentences.append(f"Variants of a sentence counted once, these are {len(once_each)}: {_became(once_each)}.")
    held = text[text["verdict"] == HELD]
    by_data = counted(held.get("decided_on", []), tuple(WORDS_OF_DATA))
    if by_data:
        first, *others = [f"{count} on {WORDS_OF_DATA[kind]}" for kind, count in by_data.items()]
        rest = listed([first.replace(" on ", " rest on ", 1), *others])
        built = int((held["by_construction"].fillna("") != "").sum()) if "by_construction" in held else 0
        also = f"; {built} hold by construction" if built else ""
        sentences.append(f"Of those of the documents that held, {rest}{also}.")
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
