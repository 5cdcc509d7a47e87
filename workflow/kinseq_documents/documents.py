"""Documents by name, and the current configuration of their items."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kinseq.core.errors import ConfigError, DataError, ParameterError

from . import plan
from .catalogue import at_scale
from .yaml_files import load

if TYPE_CHECKING:
    from .evaluation import causes

EVERY = "all"
"""Word for all documents."""


def experiments(config: Path) -> dict[str, Any]:
    """Parsed experiments of a configuration by their ids; `config` is its folder."""
    return {path.stem: load(path) for path in sorted((config / "experiments").glob("*.yaml"))}


def named(words: str, known: Iterable[str]) -> list[str]:
    """Documents that are named as ``V,S`` or ``all``, of those that are known.

    Raises
    ------
    ParameterError
        If one is not known, or none is named.
    """
    known = list(known)
    documents = list(dict.fromkeys(word.strip() for word in words.split(",") if word.strip()))
    if documents == [EVERY]:
        return known
    for word in documents or [words]:
        if word not in known:
            raise ParameterError(
                f"DOCUMENT is {word!r}, expected some of {', '.join(known)}, as DOCUMENT=V or DOCUMENT=V,S, or {EVERY}"
            )
    return documents


@dataclass(frozen=True)
class Cost:
    """Cost of a target at the quick scale.

    Attributes
    ----------
    seconds : float
        Processor time of its jobs; 0 where they are those of another target.
    more_with_data : bool
        Whether it takes longer where all of its data can be had.
    made_with : str
        The target whose jobs make it too; empty if there is none.
    """

    seconds: float
    more_with_data: bool = False
    made_with: str = ""

    def __str__(self) -> str:
        if self.made_with:
            return f"with `{self.made_with}`"
        return f"{self.seconds:.0f} s{' *' if self.more_with_data else ''}"


def costs(config: Path) -> dict[str, Cost]:
    """Costs by experiment, from ``costs.csv``; empty without that file. Items that no run makes are not included.

    Raises
    ------
    DataError
        If it cannot be read.
    """
    file = config / "costs.csv"
    if not file.is_file():
        return {}
    try:
        with file.open(encoding="utf-8", newline="") as rows:
            return {
                row["experiment"]: Cost(float(row["seconds"] or 0), bool(row["more_with_data"]), row["made_with"])
                for row in csv.DictReader(rows)
            }
    except (ValueError, KeyError, TypeError) as error:
        columns = "experiment, seconds, more_with_data, made_with"
        raise DataError(f"{file}: cannot be read ({error}); a table with the columns {columns}") from None


def costs_in_words(known: Mapping[str, Cost], names: Iterable[str]) -> str:
    """Return the total cost of some experiments, as shown next to a target; empty if unknown."""
    of_all = {name: known[name] for name in names if name in known}
    # Items made with another target count its cost once.
    needed = {cost.made_with or name for name, cost in of_all.items()}
    seconds = sum(known[name].seconds for name in needed if name in known)
    more = ", more with all data" if any(cost.more_with_data for cost in of_all.values()) else ""
    long = f"{seconds / 60:.0f} min" if seconds >= 120 else f"{seconds:.0f} s"
    return f"{long} of processor time{more}" if of_all else ""


LIST = re.compile(r"(?<=<!-- targets: begin -->\n)(.*?)(?=<!-- targets: end -->)", re.DOTALL)
"""The list of targets on a page."""
LINE = re.compile(r"^\|([^|]*)\| `(\w+)` \|([^|]*)\|", re.MULTILINE)
"""Title of a target there, its name, its cost."""


def with_costs(page: str, config: Path, places: Callable[[str, str], str]) -> str:
    """Return a page with a list of targets: contents of printed items, and costs of all targets.

    `places` gives the name of an item of a document; what is not in print keeps its own words.
    """
    parsed, known = experiments(config), costs(config)

    def line(found: re.Match[str]) -> str:
        one = parsed[found[2]]
        printed = ", ".join(places(source["document"], source["item"]) for source in one["sources"])
        what = f" {printed}: {one['title']} " if printed else found[1]
        return f"|{what}| `{found[2]}` | {known.get(found[2], 'not part of it')} |"

    return LIST.sub(lambda whole: LINE.sub(line, whole[0]), page)


def digests(config: Path, items: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Id of each record (``id``, ``scale``) whose item is still there, to the digest of its configuration as it is now."""
    items = list(items)
    if not items:
        return {}
    parsed = experiments(config)
    files = {name: load(config / f"{name}.yaml") for name in ("datasets", "models", "variants", "readings")}
    digest_of = {}
    for scale in sorted({str(one["scale"]) for one in items}):
        datasets = at_scale(files["datasets"], scale)
        cat = plan.catalogue(
            datasets, files["models"], files["variants"], parsed, readings=files["readings"], scale=scale
        )
        for one in items:
            printed = config / "published" / f"{one['id']}.csv"
            text = printed.read_text(encoding="utf-8") if printed.is_file() else ""
            if one["scale"] == scale and one["id"] in parsed:
                digest_of[one["id"]] = plan.configuration_digest(cat, one["id"], text)
    return digest_of


def left_out(config: Path, items: Iterable[Mapping[str, Any]]) -> dict[str, tuple[int, int]]:
    """Items of each document that are not among the published ones, and the numbers that are printed there; if there are any."""
    there = {one["id"] for one in items}
    counts = {}
    for document, members in plan.documents(experiments(config)).items():
        missing = [name for name in members if name not in there]
        files = [config / "published" / f"{name}.csv" for name in missing]
        lines = [line for file in files if file.is_file() for line in file.read_text(encoding="utf-8").splitlines()[1:]]
        if missing:
            counts[document] = len(missing), sum(line.partition(",")[0] == document for line in lines)
    return counts


def rules_of_causes(config: Path) -> list[causes.Rule]:
    """Return why numbers differ from print, as far as ``causes.yaml`` tells.

    Raises
    ------
    DataError
        If it cannot be read.
    """
    # Planning a run uses another function of this file, and should not wait for pandas.
    from .evaluation import causes

    file = config / "causes.yaml"
    try:
        return causes.rules(load(file), str(file))
    except (ConfigError, ValueError) as error:
        raise DataError(f"{file}: cannot be read ({error})") from None
