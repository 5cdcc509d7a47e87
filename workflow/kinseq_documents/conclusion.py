"""Last lines of a run: missing data, pages to open, and how many printed numbers are reproduced."""

from __future__ import annotations

import csv
from pathlib import Path

from .data.acquire import NOT_AVAILABLE
from .rendering import verdicts
from .yaml_files import load

CHOSEN = Path("docs", "results", "readings.csv")
"""How readings were chosen, in a checkout."""
MOST_NAMED = 4
"""Data sets that are named of those that are missing."""


def missing_data(table: Path) -> str:
    """Return a line about unavailable data; empty if there are none.

    Parameters
    ----------
    table : Path
        ``data.csv`` of the results, with the columns ``dataset`` and ``status``.
    """
    try:
        with table.open(encoding="utf-8", newline="") as rows:
            status = {row["dataset"]: row["status"] for row in csv.DictReader(rows)}
    except (OSError, ValueError, KeyError):
        return ""  # for the run to report
    missing = [name for name, availability in status.items() if availability == NOT_AVAILABLE]
    named = ", ".join(missing[:MOST_NAMED]) + (" ..." if len(missing) > MOST_NAMED else "")
    text = f"not available: {len(missing)} of {len(status)} data sets ({named}); {table} has the reasons"
    return text if missing else ""


def conclusion(results: Path, checkout: Path | None = None) -> str:
    """Return the pages to open and the verdicts on printed numbers, as far as they exist.

    From a `checkout` come the printed names of readings and how they were chosen, as the front page says them.
    """
    page, fidelity = results / "index.html", results / "fidelity.csv"
    if not page.is_file():
        return f"done: open {results}"
    if not fidelity.is_file():
        return f"done: open {page}"
    readings, choices = ({}, {}) if checkout is None else _readings(checkout)
    sentences = verdicts.summary(*verdicts.read(fidelity), readings, choices)
    return f"done: open {page}\n{' '.join(sentences)}".rstrip()


def _readings(checkout: Path) -> tuple[dict[str, str], dict[str, verdicts.Choice]]:
    entries, chosen = load(checkout / "config" / "readings.yaml"), checkout / CHOSEN
    labels = {name: str(entry.get("label", name)) for name, entry in entries.items()}
    return labels, verdicts.choices(chosen.read_text(encoding="utf-8")) if chosen.is_file() else {}
