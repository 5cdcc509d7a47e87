"""From parsed configuration to the jobs of an experiment: pure functions over dictionaries, no files, no workflow engine.

The unit of work is a :class:`Point`: one data set, some models, one measure, some clusterers, some trials. How many
models and trials share a point is a matter of cost only; no number depends on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .clustering import registry as clusterer_registry
from .data import registry as data_registry
from .errors import ConfigError, unknown_name
from .evaluation import claims
from .measures import needs as needed
from .measures import registry as measure_registry
from .models.kinds import registry as kind_registry
from .render import layout

NO_MODEL = "none"
SCALES = ("quick", "thesis")


@dataclass(frozen=True)
class Catalogue:
    """Everything that experiments may name, parsed and checked.

    Attributes
    ----------
    datasets, models, measures, clusterers, experiments : mapping
        Name to entry. Measures and clusterers hold every registered name and every named variant, each resolved to
        ``{"measure" or "clusterer": registered name, "params": {...}, "label": ...}``.
    """

    datasets: Mapping[str, Mapping[str, Any]]
    models: Mapping[str, Mapping[str, Any]]
    measures: Mapping[str, Mapping[str, Any]]
    clusterers: Mapping[str, Mapping[str, Any]]
    experiments: Mapping[str, Mapping[str, Any]]


def at_scale(datasets: Mapping[str, Mapping[str, Any]], scale: str) -> dict[str, dict[str, Any]]:
    """Entries of ``datasets.yaml`` as they are at a scale: what an entry has under ``quick`` counts at that scale only."""
    return {
        name: {key: value for key, value in entry.items() if key != "quick"}
        | (dict(entry.get("quick", {})) if scale == "quick" else {})
        for name, entry in datasets.items()
    }


def _variants(kind: str, entries: Mapping[str, Any], found: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Registered names as they are, and the named variants of them."""
    resolved = {
        name: {kind: name, "params": {}, "label": entry.literals.get("label", name)} for name, entry in found.items()
    }
    for name, entry in entries.items():
        if name in found:
            raise ConfigError(f"{kind} variant {name!r} has the name of a registered {kind}; give it another name")
        base = entry.get(kind)
        if base not in found:
            raise ConfigError(f"{kind} variant {name!r}: {unknown_name(kind, base, found)}")
        resolved[name] = {kind: base, "params": dict(entry.get("params", {})), "label": entry.get("label", name)}
    return resolved


DRAWN_FROM_DATA = ("samples", "costs")
"""Kinds of figures that no measure takes part in."""


def _require_measures(identifier: str, experiment: Mapping[str, Any]) -> None:
    """An experiment that is scored must say what it scores."""
    if experiment.get("render", {}).get("kind") in DRAWN_FROM_DATA:
        return
    for number, part in enumerate(experiment["parts"], start=1):
        for kind in ("measures", "clusterers"):
            if not part[kind]:
                raise ConfigError(f"experiment {identifier!r}, part {number}: names no {kind}; list at least one")


def catalogue(
    datasets: Mapping[str, Any],
    models: Mapping[str, Any],
    variants: Mapping[str, Any],
    experiments: Mapping[str, Any],
) -> Catalogue:
    """Resolve and cross-check the parsed configuration.

    Parameters
    ----------
    datasets, models : mapping
        Contents of ``datasets.yaml`` and ``models.yaml``.
    variants : mapping
        Contents of ``variants.yaml``: ``measures`` and ``clusterers``.
    experiments : mapping
        Experiment id to its parsed YAML.

    Raises
    ------
    ConfigError
        If a name is not known; the message says where and lists the valid ones.
    """
    loaders = data_registry.modules()
    for name, entry in datasets.items():
        if entry["loader"] not in loaders:
            raise ConfigError(f"data set {name!r}: {unknown_name('loader', entry['loader'], loaders)}")
    for name, entry in models.items():
        kind_registry.check_entry(name, entry)
    made = Catalogue(
        datasets=datasets,
        models=models,
        measures=_variants("measure", variants.get("measures", {}), measure_registry.modules()),
        clusterers=_variants(
            "clusterer",
            variants.get("clusterers", {}),
            {**clusterer_registry.modules(), **clusterer_registry.segmenters()},
        ),
        experiments=experiments,
    )
    for identifier, experiment in experiments.items():
        for part in experiment["parts"]:
            for kind in ("datasets", "models", "measures", "clusterers"):
                valid = getattr(made, kind)
                for name in part[kind]:
                    if name not in valid:
                        raise ConfigError(f"experiment {identifier!r}: {unknown_name(kind[:-1], name, valid)}")
        layout.check(experiment)
        _require_measures(identifier, experiment)
        used = {name for part in experiment["parts"] for name in part["measures"]}
        for claim in experiment.get("claims", ()):
            claims.check_claim(claim, sorted(used), str(experiment["metric"]))
    return made


def trials_slug(trials: Sequence[int]) -> str:
    """``t000-004`` for trials 0 to 4."""
    return f"t{trials[0]:03d}-{trials[-1]:03d}"


def parse_trials(slug: str) -> list[int]:
    """Inverse of :func:`trials_slug`; ``all`` is the empty list."""
    if slug == "all":
        return []
    first, last = slug.removeprefix("t").split("-")
    return list(range(int(first), int(last) + 1))


def batches(items: Sequence[Any], size: int) -> list[list[Any]]:
    """Cut a list into runs of at most `size`."""
    return [list(items[start : start + size]) for start in range(0, len(items), max(1, size))]


def draws_per_trial(cat: Catalogue, dataset: str) -> bool:
    """Whether the data or the tasks of a data set differ between trials."""
    loader = data_registry.modules()[cat.datasets[dataset]["loader"]]
    return loader.literals.get("kind") == "generated" or "tasks" in loader.arguments


def needs(cat: Catalogue, measure: str) -> str:
    """What the measure behind an entry must be given; see :class:`kinseq.measures.registry.Measure`."""
    return measure_registry.needs_of(measure_registry.modules()[cat.measures[measure]["measure"]])


def stages_before(cat: Catalogue, measure: str) -> tuple[str, ...]:
    """Stages that make what the measure behind an entry needs, in their order."""
    return needed.NEEDS[needs(cat, measure)].stages


def models_for(cat: Catalogue, part: Mapping[str, Any], measure: str) -> list[str]:
    """Those models of a part of an experiment that serve a measure; :data:`NO_MODEL` if it needs none."""
    registered = measure_registry.modules()[cat.measures[measure]["measure"]]
    need, kinds = measure_registry.needs_of(registered), measure_registry.model_kinds_of(registered)
    if needed.NEEDS[need].models is None:
        return [NO_MODEL]
    return [name for name in part["models"] if needed.serves(need, kinds, cat.models[name])]


def code_of_models(cat: Catalogue, models: Iterable[str]) -> list[str]:
    """Modules that fit some models: the stage, and the file of each kind."""
    kinds = kind_registry.modules()
    return ["kinseq.stages.models", *sorted({kinds[cat.models[name]["kind"]].module for name in models})]


@dataclass(frozen=True)
class Point:
    """One job's worth of partitions."""

    dataset: str
    models: tuple[str, ...]
    measure: str
    clusterers: tuple[str, ...]
    trials: tuple[int, ...]
    stored: bool = field(default=False, compare=False)

    @property
    def wildcards(self) -> dict[str, str]:
        """Values of the path's wildcards."""
        return {
            "dataset": self.dataset,
            "models": "+".join(self.models),
            "measure": self.measure,
            "clusterers": "+".join(self.clusterers),
            "trials": trials_slug(self.trials),
        }


def n_trials(experiment: Mapping[str, Any], part: Mapping[str, Any], scale: str) -> int:
    """Number of trials of a part of an experiment at a scale."""
    if scale not in SCALES:
        raise ConfigError(f"config: {unknown_name('scale', scale, SCALES)}")
    return int(part.get("trials", experiment["trials"])[scale])


def points(
    cat: Catalogue, experiment: str, scale: str, available: Iterable[str], batch: Mapping[str, int]
) -> list[Point]:
    """The jobs of an experiment on the data that are there.

    Parameters
    ----------
    cat : Catalogue
    experiment : str
    scale : {"quick", "thesis"}
    available : iterable of str
        Data sets that can be had.
    batch : mapping
        ``trials`` and ``models``: how many of each share a job.
    """
    there = set(available)
    entry = cat.experiments[experiment]
    found: list[Point] = []
    for part in entry["parts"]:
        trials = list(range(n_trials(entry, part, scale)))
        for dataset in part["datasets"]:
            stood_for = cat.datasets[dataset].get("stand_in_for")
            if dataset not in there or (part.get("instead") and stood_for in there):
                continue
            for measure in part["measures"]:
                for models in batches(models_for(cat, part, measure), batch["models"]):
                    for chosen in batches(trials, batch["trials"]):
                        point = Point(dataset, tuple(models), measure, tuple(part["clusterers"]), tuple(chosen))
                        if point not in found:
                            found.append(point)
    return found


def datasets(cat: Catalogue, experiment: str) -> list[str]:
    """Data sets that an experiment names, in its order."""
    return list(dict.fromkeys(name for part in cat.experiments[experiment]["parts"] for name in part["datasets"]))
