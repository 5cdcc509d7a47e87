"""Jobs of matrices: data set, models, measures and clusterers of each, inputs and outputs.

Experiments of several kinds need matrices; each is made by one job, whoever requires it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kinseq.clustering import registry as clusterer_registry
from kinseq.measures import registry as measure_registry
from kinseq.measures.requirements import REQUIREMENTS, serves
from kinseq.models.kinds import registry as kind_registry

from ..batches import batches, joined, parse_trials, trials_slug
from ..catalogue import Catalogue, base_files, same_items, sequences_file
from ..costs import COSTS, USUAL

NO_MODEL = NO_MEASURE = "none"

HEAVY = frozenset({"sic", "sic_ova"})
"""Measures of which one matrix takes so long that starting a process for it counts for nothing. No job depends on the list, as
all would on one in :mod:`kinseq_documents.costs`."""


Wanted = tuple[str, str, tuple[int, ...]]
"""Data set that a matrix is made of, measure, and trials that share a job."""


@dataclass(frozen=True)
class Job:
    """One job's worth of matrices, and of partitions if there are clusterers."""

    dataset: str
    models: tuple[str, ...]
    measures: tuple[str, ...]
    clusterers: tuple[str, ...]
    trials: tuple[int, ...]
    own_measures: tuple[str, ...]
    """Measures that the experiment requires; the others of the job are requested by other experiments."""
    items: str
    """Data set that the matrices are made of: another one of the same items where classes do not matter."""

    @property
    def stage(self) -> str:
        """Stage whose file it leaves."""
        return "partitions" if self.clusterers else "distances"

    @property
    def file(self) -> str:
        """The file it leaves, relative to the results."""
        how = f"{joined(self.models)}/{joined(self.measures)}"
        if not self.clusterers:
            return f"{self.stage}/{self.items}/{how}/{trials_slug(self.trials)}.npz"
        return f"{self.stage}/{self.dataset}/{how}/{joined(self.clusterers)}/{trials_slug(self.trials)}.npz"


def behind(cat: Catalogue, job: Job) -> list[str]:
    """Return files of a job and of those before it, relative to the results."""
    trials, files = trials_slug(job.trials), []
    for dataset in dict.fromkeys((job.dataset, job.items)):
        files += [*base_files(cat, dataset, trials), sequences_file(cat, dataset, trials)]
    if job.models != (NO_MODEL,):
        files.append(_fitted_file("models", job.dataset, job.models, trials))
    return [*files, job.file]


def _fitted_file(stage: str, dataset: str, models: Sequence[str], trials: str) -> str:
    """Return the outputs of a stage for some models, relative to the results."""
    return f"{stage}/{dataset}/{joined(models)}/{trials}.npz"


def clusterers_accepting(cat: Catalogue, what: str, clusterers: Sequence[str]) -> list[str]:
    """Return those of some clusterers that take a ``"matrix"``, or the ``"items"``."""
    entries = {**clusterer_registry.modules(), **clusterer_registry.segmenters()}
    return [name for name in clusterers if entries[cat.clusterers[name]["clusterer"]].fields["takes"] == what]


def shared(cat: Catalogue, wanted: Iterable[Wanted]) -> dict[Wanted, tuple[str, ...]]:
    """Return which matrices are made by one job since they share the long part of their work, whoever requires them.

    Of all matrices that have a file of their own, each that is not alone, to the measures of its job, in the order of
    the catalogue.
    """
    runs: dict[tuple[Any, ...], list[str]] = {}
    for dataset, measure, trials in dict.fromkeys(wanted):
        runs.setdefault((dataset, trials, run_of(cat, measure)), []).append(measure)
    order = {name: place for place, name in enumerate(cat.measures)}
    return {
        (dataset, measure, trials): tuple(sorted(measures, key=order.__getitem__))
        for (dataset, trials, _), measures in runs.items()
        for measure in measures
        if len(measures) > 1
    }


def run_of(cat: Catalogue, measure: str) -> tuple[str, ...]:
    """Settings that decide the costly part of a measure; the name of the measure if it shares this part with no other."""
    entry = cat.measures[measure]
    free = COSTS.get(entry["measure"], USUAL).same_run
    fixed = {key: value for key, value in entry["params"].items() if key not in free}
    return (entry["measure"], json.dumps(fixed, sort_keys=True)) if free else (measure,)


def grouped(cat: Catalogue, measures: Sequence[str], most: int) -> list[list[str]]:
    """Return measures cut into jobs of limited size, keeping those that share work together."""
    runs: dict[tuple[str, ...], list[str]] = {}
    for name in measures:
        runs.setdefault(run_of(cat, name), []).append(name)
    alone = [names[0] for names in runs.values() if len(names) == 1]
    return [*(names for names in runs.values() if len(names) > 1), *batches(alone, most)]


def by_file(
    cat: Catalogue, dataset: str, measures: Sequence[str], trials: Sequence[int]
) -> dict[tuple[str, ...], list[str]]:
    """Return all measures of a file of matrices to those of some measures that are in it."""
    groups: dict[tuple[str, ...], list[str]] = {}
    alone = tuple(name for name in measures if _together(cat, dataset, name, trials) is None)
    for name in measures:
        groups.setdefault(_together(cat, dataset, name, trials) or alone, []).append(name)
    return groups


def _together(cat: Catalogue, dataset: str, measure: str, trials: Sequence[int]) -> tuple[str, ...] | None:
    """Return the measures of the job that makes a matrix, if it makes others that experiments have not listed."""
    if measure == NO_MEASURE:
        return None
    return cat.shared.get((items_behind(cat, dataset, [measure]), measure, tuple(trials)))


def trials_a_job(cat: Catalogue, measures: Sequence[str], clusterers: Sequence[str]) -> int:
    """Return the number of trials per job, from the cost of one.

    Of measures where there are any, whatever clusters them: matrices are found again by their trials.
    """
    usual, named = cat.batch["trials"], [name for name in measures if name != NO_MEASURE]
    if any(cat.measures[name]["measure"] in HEAVY for name in named):
        return cat.batch.get("heavy_trials", usual)
    if not named and clusterers and all(_is_light(cat, name) for name in clusterers):
        return cat.batch.get("light_trials", usual)
    return usual


def _is_light(cat: Catalogue, clusterer: str) -> bool:
    """Return whether a clusterer is run once where it could be run several times."""
    entry = cat.clusterers[clusterer]
    entries = {**clusterer_registry.modules(), **clusterer_registry.segmenters()}
    runs = entries[entry["clusterer"]].fields["runs"]
    return bool(runs) and entry["params"].get(runs) == 1


def models_for(cat: Catalogue, measure: str, models: Sequence[str]) -> list[str]:
    """Return those of some models that serve a measure; :data:`NO_MODEL` if it needs none."""
    known = _known(cat, measure)
    if REQUIREMENTS[known["requires"]].models is None:
        return [NO_MODEL]
    return [
        name
        for name in models
        if name != NO_MODEL and serves(known["requires"], known["model_kinds"], cat.models[name])
    ]


def _known(cat: Catalogue, measure: str) -> Mapping[str, Any]:
    """Return the fields to plan with of the measure behind a name."""
    return measure_registry.modules()[cat.measures[measure]["measure"]].fields


def _stages(cat: Catalogue, measure: str) -> tuple[str, ...]:
    """Return the stages that prepare the input of a measure, in order; the last one writes it."""
    return REQUIREMENTS[_known(cat, measure)["requires"]].stages


def assigned(cat: Catalogue, measures: Sequence[str], models: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return each measure of a job with its entry, and the models of the job that it uses.

    Measures that none of the models fits are left out; ``["none"]`` are the models of one that needs none.
    """
    assignments: dict[str, dict[str, Any]] = {}
    for name in (name for name in measures if name != NO_MEASURE):
        entry, own_models = cat.measures[name], models_for(cat, name, models)
        if own_models:
            assignments[name] = {"measure": entry["measure"], "params": entry["params"], "models": own_models}
    return assignments


def needed(cat: Catalogue, dataset: str, models: Sequence[str], measures: Sequence[str], trials: str) -> dict[str, str]:
    """Return files that the matrices of a job are computed from, relative to the results, by the stage that makes them."""
    named = [measure for measure in measures if measure != NO_MEASURE]
    stages = sorted({_stages(cat, measure)[-1] for measure in named if _stages(cat, measure)})
    fitted_files = {stage: _fitted_file(stage, dataset, models, trials) for stage in stages}
    return {"sequences": sequences_file(cat, dataset, trials), **fitted_files}


def are_stored(cat: Catalogue, measures: Sequence[str]) -> bool:
    """Return whether the matrices of a job have a file of their own although they are clustered: those of costly measures."""
    return any(COSTS.get(cat.measures[name]["measure"], USUAL).stored for name in measures if name != NO_MEASURE)


def clustered(
    cat: Catalogue, dataset: str, models: Sequence[str], measures: Sequence[str], trials: str, keep: bool
) -> dict[str, str]:
    """Input files of clustering: stored matrices if they are kept or costly, otherwise the inputs of the matrices."""
    sources, stored = needed(cat, dataset, models, measures, trials), are_stored(cat, measures)
    if not keep and not stored:
        return sources
    items = items_behind(cat, dataset, measures) if stored else dataset
    files = list(by_file(cat, dataset, measures, parse_trials(trials))) if stored else []
    job_measures = files[0] if len(files) == 1 else measures
    before = Job(dataset, tuple(models), tuple(job_measures), (), tuple(parse_trials(trials)), tuple(measures), items)
    return {"sequences": sources["sequences"], before.stage: before.file}


def items_behind(cat: Catalogue, dataset: str, measures: Sequence[str]) -> str:
    """Return the data set whose matrices serve: that of the same items, if there is one and all measures use items only."""
    only = all(_looks_at_items_only(cat, name) for name in measures if name != NO_MEASURE)
    return same_items(cat, dataset) if only else dataset


def _looks_at_items_only(cat: Catalogue, measure: str) -> bool:
    """Return whether a measure looks neither at classes, nor at how many there are, nor at models, which may."""
    known = _known(cat, measure)
    if REQUIREMENTS[known["requires"]].models is not None or known["requires_n_clusters"]:
        return False
    return not measure_registry.sees_classes(known["classes_by"], cat.measures[measure]["params"])


def measure_modules(cat: Catalogue, measures: Sequence[str]) -> list[str]:
    """Return modules that register some measures."""
    entries = measure_registry.modules()
    return sorted({entries[cat.measures[name]["measure"]].module for name in measures if name != NO_MEASURE})


def model_modules(cat: Catalogue, models: Sequence[str]) -> list[str]:
    """Return modules that register the kinds of some models."""
    entries = kind_registry.modules()
    return sorted({entries[cat.models[name]["kind"]].module for name in models})


def clusterer_modules(cat: Catalogue, clusterers: Sequence[str]) -> list[str]:
    """Return modules that register some clusterers."""
    entries = {**clusterer_registry.modules(), **clusterer_registry.segmenters()}
    return sorted({entries[cat.clusterers[name]["clusterer"]].module for name in clusterers})
