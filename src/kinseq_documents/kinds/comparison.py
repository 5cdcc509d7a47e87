"""Comparison of measures: matrices, then partitions if clusterers are named.

A part of such an experiment combines data sets, models, measures and clusterers. Where it names no clusterers, the
matrices themselves are judged. A job is one data set and a batch of models, measures and trials.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kinseq.core.errors import ConfigError
from kinseq_drawing import layout

from ..batches import batches, trials_slug
from ..catalogue import is_wanted, require, sequences_file
from ..evaluation import claims
from . import matrices
from .base import Rendered, RenderedExperiment
from .matrices import NO_MEASURE, NO_MODEL, Job

CONTROLS = {
    "true_labels": "true labels",
    "random_labels": "random labels",
    "random_distances": "random distances",
    "control": "control",
}


@dataclass(frozen=True)
class Part:
    """What is combined with each other.

    Attributes
    ----------
    datasets, models, measures, clusterers : tuple of str
    trials : mapping
        Number of trials by scale.
    instead : bool
        Whether a data set is run only where the one that it stands in for is missing.
    batch : int or None
        How many trials share a job.
    together : bool
        Whether its measures share a job.
    run : tuple of str
        Measures that share a job, of which the part shows its own.
    """

    datasets: tuple[str, ...]
    models: tuple[str, ...]
    measures: tuple[str, ...]
    clusterers: tuple[str, ...]
    trials: Mapping[str, int]
    instead: bool = False
    batch: int | None = None
    together: bool = False
    run: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ComparisonExperiment(RenderedExperiment):
    """An experiment of this kind."""

    parts: tuple[Part, ...]


class Comparison(Rendered[ComparisonExperiment]):
    """Measures, or clusterers, on the same data."""

    name = "comparison"
    rule = "scores"

    @staticmethod
    def read(parsed: Mapping[str, Any]) -> ComparisonExperiment:
        """The typed experiment of a parsed one."""
        common = RenderedExperiment.common(parsed)
        parts = [
            Part(
                **{key: tuple(part.get(key, ())) for key in ("datasets", "models", "measures", "clusterers", "run")},
                trials=part.get("trials", common["trials"]),
                instead=bool(part.get("instead", False)),
                batch=part.get("batch"),
                together=bool(part.get("together", False)),
            )
            for part in parsed.get("parts", ())
        ]
        return ComparisonExperiment(**common, parts=tuple(parts))

    def check(self) -> None:
        """Refuse names that are not known, parts without results, and claims and layouts that cannot be read."""
        cat, where = self.cat, self.where
        for number, part in enumerate(self.experiment.parts, start=1):
            for kind in ("datasets", "models", "measures", "clusterers"):
                require(where, kind[:-1], getattr(part, kind), getattr(cat, kind))
            if not part.measures and not matrices.that_take(cat, "items", part.clusterers):
                raise ConfigError(f"{where}, part {number}: names no measures; list at least one")
            for measure in part.measures:
                if not matrices.models_for(cat, measure, part.models):
                    raise ConfigError(
                        f"{where}, part {number}: measure {measure!r} needs models of another kind than"
                        f" {', '.join(part.models) or 'none'}; add one to models"
                    )
            if part.run:
                self._check_run(part, f"{where}, part {number}")
            needing = matrices.that_take(cat, "matrix", part.clusterers)
            if not part.measures and needing:
                raise ConfigError(
                    f"{where}, part {number}: clusterer {needing[0]!r} takes a matrix, but there are no measures; list one"
                )
        layout.check(self.experiment.parsed, self.content())
        used = sorted({name for part in self.experiment.parts for name in part.measures})
        for claim in self.experiment.claims:
            claims.check_claim(claim, [*used, *CONTROLS], str(self.experiment.metric))

    def _check_run(self, part: Part, where: str) -> None:
        """Refuse a run that lacks a measure of its part, that needs models, or whose matrices have no file of their own."""
        require(f"{where}, run", "measure", part.run, self.cat.measures)
        require(f"{where}, run", "measure", part.measures, part.run)
        for name in part.run:
            if matrices.models_for(self.cat, name, part.models) != [NO_MODEL]:
                raise ConfigError(f"{where}: measure {name!r} of the run needs models; leave 'run' out")
            if part.clusterers and not matrices.are_stored(self.cat, [name]):
                raise ConfigError(
                    f"{where}: measure {name!r} of the run has no file of its own that is clustered; leave 'run' out"
                )

    @property
    def is_scored(self) -> bool:
        """Every comparison leaves a table of scores."""
        return True

    def datasets(self) -> list[str]:
        """Data sets that it names, in its order."""
        return self._named("datasets")

    def _named(self, key: str) -> list[str]:
        """What its parts name, in its order."""
        return list(dict.fromkeys(name for part in self.experiment.parts for name in getattr(part, key)))

    def labels(self) -> dict[str, str]:
        """Printed names of data sets, models, measures, clusterers and controls."""
        cat, found = self.cat, dict(CONTROLS)
        for part in self.experiment.parts:
            found |= {name: cat.datasets[name]["title"] for name in part.datasets}
            found |= {name: cat.models[name].get("label", name) for name in part.models}
            found |= {name: cat.measures[name]["label"] for name in part.measures}
            found |= {name: cat.clusterers[name]["label"] for name in part.clusterers}
        return found

    def judged(self) -> set[str]:
        """Partitions where there are clusterers, matrices where there are none, and what measures report."""
        found: set[str] = set()
        for part in self.experiment.parts:
            if part.clusterers:
                found |= {"partition", "segmentation", "finding"}
            elif part.measures:
                found |= {"matrix", "grouped_matrix", "finding"}
        return found

    def content(self) -> layout.Content:
        """Scores, and partitions where there are any."""
        clusterers = self._named("clusterers")
        return layout.Content(
            files=("scores", "published", *(("sequences", "partitions") if clusterers else ())),
            metrics=tuple(self.metrics()),
            measures=tuple(self._named("measures")),
            clusterers=tuple(clusterers),
        )

    def _batches_of(self, part: Part) -> list[tuple[list[str], list[str]]]:
        """Models and measures that share a job; a measure without models goes with the first models.

        Measures of a part that is kept together share one, however many a job has otherwise: they share work too. So do
        those of a run, which a part may show only some of.
        """
        if part.run:
            return [([NO_MODEL], list(part.run))]
        used = matrices.assigned(self.cat, part.measures, part.models)
        models = [model for model in part.models if any(model in entry["models"] for entry in used.values())]
        found = []
        for number, chosen in enumerate(batches(models, self.cat.batch["models"]) or [[]]):
            here = matrices.assigned(self.cat, part.measures, chosen)
            measures = [name for name in here if number == 0 or here[name]["models"] != [NO_MODEL]]
            for group in batches(measures, len(measures) if part.together else self.cat.batch["measures"]):
                fitted = any(here[name]["models"] != [NO_MODEL] for name in group)
                found.append((chosen if fitted else [NO_MODEL], group))
        return found

    def jobs(self) -> list[Job]:
        """Its jobs on the data that can be had."""
        cat = self.cat
        found: dict[Job, None] = {}
        for part in self.experiment.parts:
            trials = list(range(part.trials[cat.scale]))
            of_matrices, of_items = (
                tuple(matrices.that_take(cat, what, part.clusterers)) for what in ("matrix", "items")
            )
            work = [(models, measures, of_matrices) for models, measures in self._batches_of(part)]
            if of_items:
                work.append(([NO_MODEL], [NO_MEASURE], of_items))
            for dataset in part.datasets:
                if dataset in cat.missing or (part.instead and not is_wanted(cat, dataset)):
                    continue
                for models, measures, clusterers in work:
                    kept = not clusterers or matrices.are_stored(cat, measures)
                    items = matrices.items_behind(cat, dataset, measures) if kept else dataset
                    for chosen in batches(trials, part.batch or cat.batch["trials"]):
                        shown = tuple(name for name in measures if name in part.measures or name == NO_MEASURE)
                        job = Job(dataset, tuple(models), tuple(measures), clusterers, tuple(chosen), shown, items)
                        found[job] = None
        return list(found)

    def upstream(self) -> list[str]:
        """Files of the jobs behind its scores, one a job."""
        return [file for job in self.jobs() for file in matrices.behind(self.cat, job)]

    def _sequences(self) -> list[str]:
        """The file of sequences beside each job's file."""
        return [sequences_file(self.cat, job.dataset, trials_slug(job.trials)) for job in self.jobs()]

    def inputs(self) -> dict[str, list[str]]:
        """Files that its scores are computed from, by stage; each once."""
        jobs = self.jobs()
        return {
            "sequences": list(dict.fromkeys(self._sequences())),
            **{stage: [job.file for job in jobs if job.stage == stage] for stage in ("distances", "partitions")},
        }

    def scored_jobs(self) -> list[dict[str, Any]]:
        """What is scored, job by job: data set, trials, measures, stage, and the places of its files in :meth:`inputs`."""
        files = self.inputs()
        found = []
        for job, sequences in zip(self.jobs(), self._sequences(), strict=True):
            at = {"file": files[job.stage].index(job.file), "sequences": files["sequences"].index(sequences)}
            told = {"dataset": job.dataset, "trials": list(job.trials), "measures": list(job.shown), "stage": job.stage}
            found.append({**told, **at})
        return found

    def rendered_files(self) -> dict[str, Any]:
        """Partitions and their sequences too, where they are drawn."""
        found = super().rendered_files()
        if "partitions" in layout.figure_files(self.experiment.parsed):
            found["sequences"] = self._sequences()
            found["partitions"] = [job.file for job in self.jobs()]
        return found
