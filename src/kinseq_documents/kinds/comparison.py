"""Comparison of measures: matrices, then partitions if clusterers are named.

A part of such an experiment combines data sets, models, measures and clusterers. Where it names no clusterers, the
matrices themselves are judged. A job is one data set and a batch of models, measures and trials.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kinseq.clustering import registry as clusterer_registry
from kinseq.core.errors import ConfigError
from kinseq.measures import registry as measure_registry
from kinseq.measures.needs import NEEDS, serves
from kinseq.models.kinds import registry as kind_registry
from kinseq_drawing import layout

from ..batches import batches, joined, trials_slug
from ..catalogue import Catalogue, base_files, is_wanted, items_of, n_trials, require, sequences_file
from ..evaluation import claims
from . import products as files

NO_MODEL = NO_MEASURE = "none"

CONTROLS = {
    "true_labels": "true labels",
    "random_labels": "random labels",
    "random_distances": "random distances",
    "control": "control",
}


@dataclass(frozen=True)
class Job:
    """One job's worth of matrices, and of partitions if there are clusterers."""

    dataset: str
    models: tuple[str, ...]
    measures: tuple[str, ...]
    clusterers: tuple[str, ...]
    trials: tuple[int, ...]
    shown: tuple[str, ...]
    """Measures that the experiment asks for; the others of the job are asked for elsewhere."""
    items: str
    """Data set that the matrices are made of: another one of the same items where classes do not matter."""

    @property
    def file(self) -> str:
        """The file it leaves, relative to the results."""
        how = f"{joined(self.models)}/{joined(self.measures)}"
        if not self.clusterers:
            return f"distances/{self.items}/{how}/{trials_slug(self.trials)}.npz"
        return f"partitions/{self.dataset}/{how}/{joined(self.clusterers)}/{trials_slug(self.trials)}.npz"


def check(cat: Catalogue, experiment: Mapping[str, Any]) -> None:
    """Refuse names that are not known, parts without results, and claims and layouts that cannot be read."""
    where = f"experiment {experiment.get('id', '?')!r}"
    for number, part in enumerate(experiment["parts"], start=1):
        for kind in ("datasets", "models", "measures", "clusterers"):
            require(where, kind[:-1], part.get(kind, ()), getattr(cat, kind))
        if not part["measures"] and not _that_take(cat, "items", part):
            raise ConfigError(f"{where}, part {number}: names no measures; list at least one")
        for measure in part["measures"]:
            if not models_for(cat, measure, part["models"]):
                raise ConfigError(
                    f"{where}, part {number}: measure {measure!r} needs models of another kind than"
                    f" {', '.join(part['models']) or 'none'}; add one to models"
                )
        if "run" in part:
            _check_run(cat, part, f"{where}, part {number}")
        if not part["measures"] and _that_take(cat, "matrix", part):
            needing = _that_take(cat, "matrix", part)[0]
            raise ConfigError(
                f"{where}, part {number}: clusterer {needing!r} takes a matrix, but there are no measures; list one"
            )
    layout.check(experiment)
    clustered = any(part.get("clusterers") for part in experiment["parts"])
    layout.require_files(experiment, ("scores", "published", *(("sequences", "partitions") if clustered else ())))
    used = sorted({name for part in experiment["parts"] for name in part["measures"]})
    for claim in experiment.get("claims", ()):
        claims.check_claim(claim, [*used, *CONTROLS], str(experiment["metric"]))


def _check_run(cat: Catalogue, part: Mapping[str, Any], where: str) -> None:
    """Refuse a run that lacks a measure of its part, that needs models, or whose matrices have no file of their own."""
    require(f"{where}, run", "measure", part["run"], cat.measures)
    require(f"{where}, run", "measure", part["measures"], part["run"])
    for name in part["run"]:
        if models_for(cat, name, part["models"]) != [NO_MODEL]:
            raise ConfigError(f"{where}: measure {name!r} of the run needs models; leave 'run' out")
        if part.get("clusterers") and not are_stored(cat, [name]):
            raise ConfigError(
                f"{where}: measure {name!r} of the run has no file of its own that is clustered; leave 'run' out"
            )


def _that_take(cat: Catalogue, what: str, part: Mapping[str, Any]) -> list[str]:
    """Those clusterers of a part that take a matrix, or the items."""
    found = {**clusterer_registry.modules(), **clusterer_registry.segmenters()}
    named = part.get("clusterers", ())
    return [name for name in named if clusterer_registry.takes_of(found[cat.clusterers[name]["clusterer"]]) == what]


def datasets(experiment: Mapping[str, Any]) -> list[str]:
    """Data sets that an experiment names, in its order."""
    return list(dict.fromkeys(name for part in experiment["parts"] for name in part["datasets"]))


def labels(cat: Catalogue, experiment: Mapping[str, Any]) -> dict[str, str]:
    """Printed names of what an experiment uses, and of nothing else: a new entry must not change its jobs."""
    found = dict(CONTROLS)
    for part in experiment["parts"]:
        found |= {name: cat.datasets[name]["title"] for name in part["datasets"]}
        found |= {name: cat.models[name].get("label", name) for name in part["models"]}
        found |= {name: cat.measures[name]["label"] for name in part["measures"]}
        found |= {name: cat.clusterers[name]["label"] for name in part.get("clusterers", ())}
    return found


def models_for(cat: Catalogue, measure: str, models: Sequence[str]) -> list[str]:
    """Those of some models that serve a measure; :data:`NO_MODEL` if it needs none."""
    registered = measure_registry.modules()[cat.measures[measure]["measure"]]
    need, kinds = measure_registry.needs_of(registered), measure_registry.model_kinds_of(registered)
    if NEEDS[need].models is None:
        return [NO_MODEL]
    return [name for name in models if name != NO_MODEL and serves(need, kinds, cat.models[name])]


def _stages(cat: Catalogue, measure: str) -> tuple[str, ...]:
    """Stages that make what a measure needs, in their order; the files of the last one hold it."""
    return NEEDS[measure_registry.needs_of(measure_registry.modules()[cat.measures[measure]["measure"]])].stages


def assigned(cat: Catalogue, measures: Sequence[str], models: Sequence[str]) -> dict[str, dict[str, Any]]:
    """What each measure of a job is: its entry, and the models of the job that it is run on.

    Measures that none of the models fits are left out; ``["none"]`` are the models of one that needs none.
    """
    found: dict[str, dict[str, Any]] = {}
    for name in (name for name in measures if name != NO_MEASURE):
        entry, chosen = cat.measures[name], models_for(cat, name, models)
        if chosen:
            found[name] = {"measure": entry["measure"], "params": entry["params"], "models": chosen}
    return found


def _batches_of(cat: Catalogue, part: Mapping[str, Any]) -> list[tuple[list[str], list[str]]]:
    """Models and measures that share a job; a measure without models goes with the first models.

    Measures of a part that is kept together share one, however many a job has otherwise: they share work too. So do those
    of a run, which a part may show only some of.
    """
    if "run" in part:
        return [([NO_MODEL], list(part["run"]))]
    used = assigned(cat, part["measures"], part["models"])
    models = [model for model in part["models"] if any(model in entry["models"] for entry in used.values())]
    found = []
    for number, chosen in enumerate(batches(models, cat.batch["models"]) or [[]]):
        here = assigned(cat, part["measures"], chosen)
        measures = [name for name in here if number == 0 or here[name]["models"] != [NO_MODEL]]
        for group in batches(measures, len(measures) if part.get("together") else cat.batch["measures"]):
            fitted = any(here[name]["models"] != [NO_MODEL] for name in group)
            found.append((chosen if fitted else [NO_MODEL], group))
    return found


def jobs(cat: Catalogue, experiment: Mapping[str, Any]) -> list[Job]:
    """The jobs of an experiment on the data that can be had."""
    found: dict[Job, None] = {}
    for part in experiment["parts"]:
        trials = list(range(n_trials(cat, experiment, part)))
        of_matrices, of_items = (tuple(_that_take(cat, what, part)) for what in ("matrix", "items"))
        work = [(models, measures, of_matrices) for models, measures in _batches_of(cat, part)]
        if of_items:
            work.append(([NO_MODEL], [NO_MEASURE], of_items))
        for dataset in part["datasets"]:
            if dataset in cat.missing or (part.get("instead") and not is_wanted(cat, dataset)):
                continue
            for models, measures, clusterers in work:
                kept = not clusterers or are_stored(cat, measures)
                items = matrices_of(cat, dataset, measures) if kept else dataset
                for chosen in batches(trials, part.get("batch", cat.batch["trials"])):
                    shown = tuple(name for name in measures if name in part["measures"] or name == NO_MEASURE)
                    job = Job(dataset, tuple(models), tuple(measures), clusterers, tuple(chosen), shown, items)
                    found[job] = None
    return list(found)


def inputs(cat: Catalogue, dataset: str, models: Sequence[str], measures: Sequence[str], trials: str) -> dict[str, str]:
    """Files that the matrices of a job are computed from, relative to the results, by the stage that makes them."""
    named = [measure for measure in measures if measure != NO_MEASURE]
    stages = sorted({_stages(cat, measure)[-1] for measure in named if _stages(cat, measure)})
    made = {stage: f"{stage}/{dataset}/{joined(models)}/{trials}.npz" for stage in stages}
    return {"sequences": sequences_file(cat, dataset, trials), **made}


def are_stored(cat: Catalogue, measures: Sequence[str]) -> bool:
    """Whether the matrices of a job have a file of their own although they are clustered: those of costly measures."""
    found = measure_registry.modules()
    return any(
        found[cat.measures[name]["measure"]].literals.get("stored", False) for name in measures if name != NO_MEASURE
    )


def matrices_of(cat: Catalogue, dataset: str, measures: Sequence[str]) -> str:
    """The data set whose matrices serve: that of the same items, if there is one and all measures look at items only."""
    only = all(_looks_at_items_only(cat, name) for name in measures if name != NO_MEASURE)
    return items_of(cat, dataset) if only else dataset


def _looks_at_items_only(cat: Catalogue, measure: str) -> bool:
    """Whether a measure looks neither at classes, nor at how many there are, nor at models, which may."""
    entry = cat.measures[measure]
    registered = measure_registry.modules()[entry["measure"]]
    if NEEDS[measure_registry.needs_of(registered)].models is not None:
        return False
    given = registered.literals
    by_number = bool(given.get("needs_n_clusters", False))
    return not by_number and not measure_registry.sees_classes(given.get("classes_by", {}), entry["params"])


def upstream(cat: Catalogue, experiment: Mapping[str, Any]) -> list[str]:
    """Files of the jobs behind the scores of an experiment, one a job."""
    found = []
    for job in jobs(cat, experiment):
        trials = trials_slug(job.trials)
        for dataset in dict.fromkeys((job.dataset, job.items)):
            found += [*base_files(cat, dataset, trials), sequences_file(cat, dataset, trials)]
        if job.models != (NO_MODEL,):
            found.append(f"models/{job.dataset}/{joined(job.models)}/{trials}.npz")
        found.append(job.file)
    return found


def sequences_of(cat: Catalogue, experiment: Mapping[str, Any]) -> list[str]:
    """The file of sequences beside each job's file."""
    return [sequences_file(cat, job.dataset, trials_slug(job.trials)) for job in jobs(cat, experiment)]


def scored_files(cat: Catalogue, experiment: Mapping[str, Any]) -> dict[str, list[str]]:
    """Files that the scores of an experiment are computed from, by stage; each once."""
    made = [job.file for job in jobs(cat, experiment)]
    return {
        "sequences": list(dict.fromkeys(sequences_of(cat, experiment))),
        "distances": [file for file in made if file.startswith("distances/")],
        "partitions": [file for file in made if file.startswith("partitions/")],
    }


def scored_jobs(cat: Catalogue, experiment: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What is scored, job by job: data set, trials, measures, stage, and the places of its files in :func:`scored_files`."""
    files = scored_files(cat, experiment)
    found = []
    for job, sequences in zip(jobs(cat, experiment), sequences_of(cat, experiment), strict=True):
        stage = "partitions" if job.clusterers else "distances"
        at = {"file": files[stage].index(job.file), "sequences": files["sequences"].index(sequences)}
        told = {"dataset": job.dataset, "trials": list(job.trials), "measures": list(job.shown), "stage": stage}
        found.append({**told, **at})
    return found


def is_scored(experiment: Mapping[str, Any]) -> bool:
    """Every comparison leaves a table of scores."""
    return True


def products(experiment: Mapping[str, Any]) -> list[str]:
    """Every file that an experiment leaves, relative to the results."""
    made = files.of_scores(experiment) + files.of_timings(experiment)
    return made + files.of_rendered_figure(experiment)


def measure_modules(cat: Catalogue, measures: Sequence[str]) -> list[str]:
    """Modules that register some measures."""
    found = measure_registry.modules()
    return sorted({found[cat.measures[name]["measure"]].module for name in measures if name != NO_MEASURE})


def model_modules(cat: Catalogue, models: Sequence[str]) -> list[str]:
    """Modules that register the kinds of some models."""
    found = kind_registry.modules()
    return sorted({found[cat.models[name]["kind"]].module for name in models})


def clusterer_modules(cat: Catalogue, clusterers: Sequence[str]) -> list[str]:
    """Modules that register some clusterers."""
    found = {**clusterer_registry.modules(), **clusterer_registry.segmenters()}
    return sorted({found[cat.clusterers[name]["clusterer"]].module for name in clusterers})
