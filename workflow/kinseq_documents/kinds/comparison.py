"""Comparison of measures: matrices, then partitions if clusterers are named.

A part of such an experiment combines data sets, models, measures and clusterers. Where it names no clusterers, the
matrices themselves are judged. A job is one data set and a batch of models, measures and trials.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from kinseq.core.errors import ConfigError
from kinseq.plotting import layout

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
    """

    datasets: tuple[str, ...]
    models: tuple[str, ...]
    measures: tuple[str, ...]
    clusterers: tuple[str, ...]
    trials: Mapping[str, int]
    instead: bool


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
                **{key: tuple(part.get(key, ())) for key in ("datasets", "models", "measures", "clusterers")},
                trials=part.get("trials", common["trials"]),
                instead=bool(part.get("instead", False)),
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
            needing = matrices.that_take(cat, "matrix", part.clusterers)
            if not part.measures and needing:
                raise ConfigError(
                    f"{where}, part {number}: clusterer {needing[0]!r} takes a matrix, but there are no measures; list one"
                )
        layout.check(self.experiment.parsed, self.content())
        used = sorted({name for part in self.experiment.parts for name in part.measures})
        for claim in self.experiment.claims:
            claims.check_claim(claim, [*used, *CONTROLS], str(self.experiment.metric))

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
        cat, label_of = self.cat, dict(CONTROLS)
        for part in self.experiment.parts:
            label_of |= {name: cat.datasets[name]["title"] for name in part.datasets}
            label_of |= {name: cat.models[name].get("label", name) for name in part.models}
            label_of |= {name: cat.measures[name]["label"] for name in part.measures}
            label_of |= {name: cat.clusterers[name]["label"] for name in part.clusterers}
        return label_of

    def judged(self) -> set[str]:
        """Partitions where there are clusterers, matrices where there are none, and what measures report."""
        objects: set[str] = set()
        for part in self.experiment.parts:
            if part.clusterers:
                objects |= {"partition", "segmentation", "finding"}
            elif part.measures:
                objects |= {"matrix", "grouped_matrix", "finding"}
        return objects

    def content(self) -> layout.Content:
        """Scores, and partitions where there are any."""
        clusterers = self._named("clusterers")
        return layout.Content(
            files=("scores", "published", *(("sequences", "partitions") if clusterers else ())),
            metrics=tuple(self.metrics()),
            measures=tuple(self._named("measures")),
            clusterers=tuple(clusterers),
        )

    def _work(self, part: Part) -> list[tuple[list[str], list[str], tuple[str, ...]]]:
        """Models, measures and clusterers that share a job; a measure without models goes with the first models."""
        used = matrices.assigned(self.cat, part.measures, part.models)
        models = [model for model in part.models if any(model in entry["models"] for entry in used.values())]
        of_matrices, of_items = (
            tuple(matrices.that_take(self.cat, what, part.clusterers)) for what in ("matrix", "items")
        )
        work = []
        for number, some_models in enumerate(batches(models, self.cat.batch["models"]) or [[]]):
            here = matrices.assigned(self.cat, part.measures, some_models)
            measures = [name for name in here if number == 0 or here[name]["models"] != [NO_MODEL]]
            for group in matrices.grouped(self.cat, measures, self.cat.batch["measures"]):
                fitted = any(here[name]["models"] != [NO_MODEL] for name in group)
                work.append((some_models if fitted else [NO_MODEL], group, of_matrices))
        return [*work, *([([NO_MODEL], [NO_MEASURE], of_items)] if of_items else [])]

    def _cut(self) -> Iterator[tuple[str, list[str], list[str], tuple[str, ...], tuple[int, ...]]]:
        """Data set, models, measures, clusterers and trials, on the data that can be had."""
        cat = self.cat
        for part in self.experiment.parts:
            trials, work = range(part.trials[cat.scale]), self._work(part)
            for dataset in part.datasets:
                if dataset in cat.missing or (part.instead and not is_wanted(cat, dataset)):
                    continue
                for models, measures, clusterers in work:
                    for some_trials in batches(trials, matrices.trials_a_job(cat, measures, clusterers)):
                        yield dataset, models, measures, clusterers, tuple(some_trials)

    def jobs(self) -> list[Job]:
        """Its jobs on the data that can be had."""
        cat = self.cat
        jobs: dict[Job, None] = {}
        for dataset, models, measures, clusterers, trials in self._cut():
            stored = not clusterers or matrices.are_stored(cat, measures)
            files = matrices.by_file(cat, dataset, measures, trials) if stored else {tuple(measures): measures}
            for every, own_measures in files.items():
                # Clusterers take what they are asked for out of a file that holds more.
                job_measures = tuple(own_measures) if clusterers else every
                items = matrices.items_behind(cat, dataset, job_measures) if stored else dataset
                jobs[Job(dataset, tuple(models), job_measures, clusterers, trials, tuple(own_measures), items)] = None
        return list(jobs)

    def wanted_matrices(self) -> list[matrices.Wanted]:
        """Those that nothing clusters, and those that are stored before they are clustered."""
        return [
            (matrices.items_behind(self.cat, dataset, [measure]), measure, trials)
            for dataset, _, measures, clusterers, trials in self._cut()
            if measures != [NO_MEASURE] and (not clusterers or matrices.are_stored(self.cat, measures))
            for measure in measures
        ]

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
        records = []
        for job, sequences in zip(self.jobs(), self._sequences(), strict=True):
            at = {"file": files[job.stage].index(job.file), "sequences": files["sequences"].index(sequences)}
            record = {
                "dataset": job.dataset,
                "trials": list(job.trials),
                "measures": list(job.own_measures),
                "stage": job.stage,
            }
            records.append({**record, **at})
        return records

    def rendered_files(self) -> dict[str, Any]:
        """Partitions and their sequences too, where they are drawn."""
        files = super().rendered_files()
        if "partitions" in layout.figure_files(self.experiment.parsed):
            files["sequences"] = self._sequences()
            files["partitions"] = [job.file for job in self.jobs()]
        return files
