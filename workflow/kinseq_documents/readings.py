"""Readings of open choices in print: pure functions over parsed dictionaries, no files.

A reading is one entry of ``readings.yaml``. It says how models are trained, and with which parameters some measures and
clusterers are used. An experiment names the readings that it is shown under, the one that is judged first. Whatever a part of
it names is then taken under each: an entry that a reading gives other parameters gets a name of its own, ``hmm2@authors``,
and everything else keeps its name, so that readings share all jobs that do not differ. Parameters that an entry gives itself count
before those of the reading.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from kinseq.core.errors import ConfigError, unknown_name
from kinseq.models.kinds import registry as kind_registry

from .batches import AT

Reading = Mapping[str, Any]
Readings = Mapping[str, Reading]
Entry = Mapping[str, Any]


@dataclass(frozen=True)
class Setting:
    """Meaning of a key of a reading.

    Attributes
    ----------
    of : {"model", "measure", "clusterer"}
        Kind of entries that it concerns.
    entries : tuple of str
        Kinds of models, or registered measures or clusterers, that take it.
    default : Any
        What they do where no reading says anything. A key with this value changes no entry.
    param : str
        Parameter that the value is given to; empty where the value is a mapping of parameters.
    clusterers : tuple of str
        Registered clusterers that a measure is taken so for; all of them if empty. For the others it stays as it is.
    """

    of: str
    entries: tuple[str, ...]
    default: Any
    param: str = ""
    clusterers: tuple[str, ...] = ()

    def params(self, value: Any) -> dict[str, Any]:
        """Return the parameters of a value, without default ones."""
        given = {self.param: value} if self.param else dict(value)
        defaults = {self.param: self.default} if self.param else self.default
        return {name: each for name, each in given.items() if name not in defaults or defaults[name] != each}


SPECTRAL = ("spectral", "spectral_segmentation")
TRANSITIONS = ("ssd", "ssd_st", "ssd_diffusion", "ssd_noself")

SETTINGS: Mapping[str, Setting] = {
    "training": Setting("model", ("hmm",), {"preset": "default"}),
    "embedding": Setting("clusterer", SPECTRAL, "njw", "embedding"),
    "diagonal": Setting("clusterer", SPECTRAL, "zero", "diagonal"),
    "kernel": Setting("clusterer", SPECTRAL, "gaussian", "kernel"),
    "width": Setting("clusterer", SPECTRAL, "eigengap", "width"),
    "grid": Setting("clusterer", SPECTRAL, None, "grid"),
    "starts": Setting("clusterer", ("spectral",), "k-means++", "starts"),
    # Only these look at the diagonal of a matrix.
    "sym": Setting("measure", ("sym",), {"diagonal": "zero"}, clusterers=SPECTRAL),
    "pool": Setting(
        "measure",
        ("kl_ll_ms", "kl_ll_ms_length"),
        {"norm": "exp", "min_pool": 0, "pool_step": "N/20", "width": "eigengap", "diagonal": "zero"},
    ),
    "ppk": Setting("measure", ("ppk",), {"rho": 1.0, "start": "stationary", "normalised": True}),
    "ssd": Setting("measure", TRANSITIONS, {"rows": "limit"}),
}
"""Keys of a reading by name; ``label``, ``source`` and ``of`` stand next to them."""


def settled(readings: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return readings completed by the one that they name under ``of``; their own keys replace whole values.

    Raises
    ------
    ConfigError
        If one is of a reading that is not known, or, over others, of itself; or trains models as no kind can.
    """
    full: dict[str, dict[str, Any]] = {}

    def settle(name: str, behind: tuple[str, ...]) -> dict[str, Any]:
        if name in behind:
            circle = " on ".join([*behind, name])
            raise ConfigError(f"reading {name!r}: is based on itself ({circle}); cut the circle")
        if name not in full:
            base = readings[name].get("based_on")
            if base is not None and base not in readings:
                raise ConfigError(f"reading {name!r}, based_on: {unknown_name('reading', base, readings)}")
            taken = {} if base is None else settle(base, (*behind, name))
            full[name] = {key: value for key, value in taken.items() if key in SETTINGS} | dict(readings[name])
        return full[name]

    for name in readings:
        for kind in SETTINGS["training"].entries:
            kind_registry.check_entry(f"reading {name}", {"kind": kind, **settle(name, ()).get("training", {})})
    return {name: full[name] for name in readings}


def under(of: str, entry: Entry, reading: Reading) -> Entry:
    """Return an entry of the catalogue, of a ``"model"``, ``"measure"`` or ``"clusterer"``, as it is under a reading."""
    params: dict[str, Any] = {}
    for key, setting in SETTINGS.items():
        if key in reading and setting.of == of and entry["kind" if of == "model" else of] in setting.entries:
            params |= setting.params(reading[key])
    if of == "model":
        return {**entry, **{name: value for name, value in params.items() if name not in entry}}
    own = entry.get("params", {})
    return {**entry, "params": {**{name: value for name, value in params.items() if name not in own}, **own}}


def name_under(of: str, name: str, entries: Mapping[str, Entry], reading: str, readings: Readings) -> str:
    """Name of an entry under a reading: its own if that changes nothing, else with the first reading that changes it alike."""
    if not reading:
        return name
    wanted = _key(under(of, entries[name], readings[reading]))
    if wanted == _key(entries[name]):
        return name
    alike = next(each for each in readings if _key(under(of, entries[name], readings[each])) == wanted)
    return f"{name}{AT}{alike}"


def _key(entry: Entry) -> str:
    return json.dumps(entry, sort_keys=True, default=str)


def goes_with(measure: Entry, clusterer: Entry) -> bool:
    """Return whether a measure is taken under a reading for a clusterer, or stays as it is."""
    settings = [one for one in SETTINGS.values() if one.of == "measure" and measure["measure"] in one.entries]
    return all(not one.clusterers or clusterer["clusterer"] in one.clusterers for one in settings)


def with_readings(
    of: str, entries: Mapping[str, Entry], wanted: Iterable[tuple[str, str]], readings: Readings
) -> dict[str, Entry]:
    """Entries, and after them those that names stand for under readings; names that are not known are passed over."""
    every = dict(entries)
    for name, reading in wanted:
        if name in entries and reading in readings:
            every[name_under(of, name, entries, reading, readings)] = under(of, entries[name], readings[reading])
    return every


def own_names(entries: Iterable[str]) -> list[str]:
    """Return names that an experiment may use: those of the configuration, without those under readings."""
    return [name for name in entries if AT not in name]


def named(parsed: Mapping[str, Any], part: Mapping[str, Any] | None = None) -> tuple[str, ...]:
    """Return readings that a parsed experiment is shown under, the judged one first, or those of a part of it."""
    own = parsed.get("readings", ())
    return tuple(own if part is None else part.get("readings", own))


def used(experiments: Iterable[Mapping[str, Any]]) -> dict[str, dict[tuple[str, str], None]]:
    """Return entries that parsed experiments take under readings: kind of entry to names and readings, in their order."""
    pairs: dict[str, dict[tuple[str, str], None]] = {"model": {}, "measure": {}, "clusterer": {}}
    for parsed in experiments:
        drawn = {"models": [parsed.get("model")], "readings": [parsed.get("reading")]}
        for part in (*parsed.get("parts", ()), drawn):
            for of, into in pairs.items():
                into |= {(name, each): None for each in named(parsed, part) for name in part.get(f"{of}s", ())}
    return pairs
