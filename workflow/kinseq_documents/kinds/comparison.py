"""Comparison of measures: matrices, then partitions if clusterers are named.

A part of such an experiment combines data sets, models, measures and clusterers. Where it names no clusterers, the
matrices themselves are judged. A job is one data set and a batch of models, measures and trials.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import compress
from typing import Any

from kinseq.core.errors import ConfigError

from .. import readings as taken
from ..batches import batches, trials_slug
from ..catalogue import is_wanted, require, sequences_file
from ..evaluation import claims
from ..experiments import ComparisonExperiment, Part
from ..plotting import layout
from . import matrices
from .base import Rendered
from .matrices import NO_MEASURE, NO_MODEL, Job

NO_CLUSTERER = "none"

CONTROLS = {
    "true_labels": "true labels",
    "random_labels": "random labels",
    "random_distances": "random distances",
    "control": "control",
}


@dataclass(frozen=True)
class Shown:
    """Results of a job under a reading: the partitions by some of its clusterers, or the matrices if there are none."""

    reading: str
    clusterers: tuple[str, ...]


class Comparison(Rendered[ComparisonExperiment]):
    """Measures, or clusterers, on the same data."""

    name = "comparison"
    rule = "scores"
    read = staticmethod(ComparisonExperiment.read)

    def check(self) -> None:
        """Refuse names that are not known, parts without results, and claims and layouts that cannot be read."""
        cat, where = self.cat, self.where
        require(where, "reading", self.experiment.readings, cat.readings)
        for number, part in enumerate(self.experiment.parts, start=1):
            for kind in ("datasets", "models", "measures", "clusterers"):
                require(where, kind[:-1], getattr(part, kind), taken.own_names(getattr(cat, kind)))
            require(f"{where}, part {number}", "reading", part.readings, cat.readings)
            require(f"{where}, most_trials", "reading", part.most_trials, cat.readings)
            if not part.measures and not matrices.clusterers_accepting(cat, "items", part.clusterers):
                raise ConfigError(f"{where}, part {number}: names no measures; list at least one")
            for measure in part.measures:
                if not matrices.models_for(cat, measure, part.models):
                    raise ConfigError(
                        f"{where}, part {number}: measure {measure!r} needs models of another kind than"
                        f" {', '.join(part.models) or 'none'}; add one to models"
                    )
            needing = matrices.clusterers_accepting(cat, "matrix", part.clusterers)
            if not part.measures and needing:
                raise ConfigError(
                    f"{where}, part {number}: clusterer {needing[0]!r} takes a matrix, but there are no measures; list one"
                )
        layout.check(self.experiment, self.content())
        used = sorted({name for part in self.experiment.parts for name in part.measures})
        for claim in self.experiment.claims:
            claims.check_claim(claim, [*used, *CONTROLS], str(self.experiment.metric))

    @property
    def is_scored(self) -> bool:
        """Every comparison leaves a table of scores."""
        return True

    @property
    def shown_readings(self) -> tuple[str, ...]:
        """Those that it names."""
        return self.experiment.readings

    def datasets(self) -> list[str]:
        """Return data sets that it names, in its order."""
        return self._named("datasets")

    def _named(self, key: str) -> list[str]:
        """Return names in its parts, in order."""
        return list(dict.fromkeys(name for part in self.experiment.parts for name in getattr(part, key)))

    def labels(self) -> dict[str, str]:
        """Return the printed names of data sets, models, measures, clusterers and controls."""
        cat, label_of = self.cat, dict(CONTROLS)
        for part in self.experiment.parts:
            label_of |= {name: cat.datasets[name]["title"] for name in part.datasets}
            label_of |= {name: cat.models[name].get("label", name) for name in part.models}
            label_of |= {name: cat.measures[name]["label"] for name in part.measures}
            label_of |= {name: cat.clusterers[name]["label"] for name in part.clusterers}
            label_of |= {name: cat.readings[name].get("label", name) for name in part.readings}
        return label_of

    def judged(self) -> set[str]:
        """Return partitions where there are clusterers, matrices if there are none, and what measures report."""
        objects: set[str] = set()
        for part in self.experiment.parts:
            if part.clusterers:
                objects |= {"partition", "segmentation", "finding"}
            elif part.measures:
                objects |= {"matrix", "grouped_matrix", "finding"}
        return objects

    def content(self) -> layout.Content:
        """Scores, and partitions if there are any."""
        clusterers = self._named("clusterers")
        return layout.Content(
            files=("scores", "published", *(("sequences", "partitions") if clusterers else ())),
            metrics=tuple(self.metrics()),
            measures=tuple(self._named("measures")),
            clusterers=tuple(clusterers),
        )

    def _work(self, part: Part) -> list[tuple[list[str], list[str], tuple[str, ...]]]:
        """Models, measures and clusterers that share a job; a measure without models goes with the first models."""
        of_matrices, of_items = (
            tuple(matrices.clusterers_accepting(self.cat, what, part.clusterers)) for what in ("matrix", "items")
        )
        work = []
        for number, some_models in enumerate(batches(part.models, self.cat.batch["models"]) or [[]]):
            here = matrices.assigned(self.cat, part.measures, some_models)
            measures = [name for name in here if number == 0 or here[name]["models"] != [NO_MODEL]]
            for group in matrices.grouped(self.cat, measures, self.cat.batch["measures"]):
                fitted = any(here[name]["models"] != [NO_MODEL] for name in group)
                work.append((some_models if fitted else [NO_MODEL], group, of_matrices))
        return [*work, *([([NO_MODEL], [NO_MEASURE], of_items)] if of_items else [])]

    def _used(self, models: Sequence[str], measures: Sequence[str]) -> tuple[str, ...]:
        """Return those of some models that serve any of some measures."""
        served = {name for entry in matrices.assigned(self.cat, measures, models).values() for name in entry["models"]}
        return tuple(name for name in models if name in served)

    def _under(self, of: str, name: str, reading: str) -> str:
        """Return the name of an entry of the catalogue under a reading."""
        return taken.name_under(of, name, getattr(self.cat, f"{of}s"), reading, self.cat.readings)

    def _measure_under(self, measure: str, clusterer: str, reading: str) -> str:
        """Return the name of a measure under a reading, for a clusterer."""
        cat = self.cat
        if measure == NO_MEASURE or (
            clusterer != NO_CLUSTERER and not taken.goes_with(cat.measures[measure], cat.clusterers[clusterer])
        ):
            return measure
        return self._under("measure", measure, reading)

    def _pieces(self, part: Part) -> Iterator[tuple[Part, tuple[Shown, ...]]]:
        """Yield pieces of a part in which all entries are combined, and the entries that each reading shows.

        Without readings it is one piece. Readings share a piece where they take the same models and measures, with the clusterers
        of all of them.
        """
        cat = self.cat
        if not part.readings:
            yield replace(part, models=self._used(part.models, part.measures)), ()
            return
        groups: dict[tuple[Any, ...], dict[str, dict[str, list[str]]]] = {}
        for reading in part.readings:
            # Of the whole part, so that its pieces share the jobs of fits.
            models = tuple(self._under("model", name, reading) for name in self._used(part.models, part.measures))
            trials = part.trials_under(reading, cat.scale)
            for clusterer in part.clusterers or (NO_CLUSTERER,):
                by_items = bool(
                    matrices.clusterers_accepting(cat, "items", () if clusterer == NO_CLUSTERER else (clusterer,))
                )
                for measure in (NO_MEASURE,) if by_items else part.measures:
                    name = self._measure_under(measure, clusterer, reading)
                    fits = not by_items and matrices.models_for(cat, name, models) != [NO_MODEL]
                    of_measure = groups.setdefault((models if fits else (), trials), {}).setdefault(name, {})
                    of_measure.setdefault(reading, []).extend(
                        [] if clusterer == NO_CLUSTERER else [self._under("clusterer", clusterer, reading)]
                    )
        for (models_here, trials), shown_of in groups.items():
            alike: dict[tuple[Any, ...], list[str]] = {}
            for measure, lists in shown_of.items():
                key = (measure == NO_MEASURE, tuple((reading, tuple(names)) for reading, names in lists.items()))
                alike.setdefault(key, []).append(measure)
            for (of_items, lists_here), measures_here in alike.items():
                names = tuple(dict.fromkeys(name for _, some in lists_here for name in some))
                own = () if of_items else tuple(measures_here)
                shown = tuple(Shown(reading, some) for reading, some in lists_here)
                every = dict.fromkeys(part.trials, trials)
                yield (
                    replace(part, models=models_here, measures=own, clusterers=names, trials=every, readings=()),
                    shown,
                )

    def _cut(self) -> Iterator[tuple[str, list[str], list[str], tuple[str, ...], tuple[int, ...], tuple[Shown, ...]]]:
        """Yield data set, models, measures, clusterers and trials on available data, and the entries that readings show."""
        cat = self.cat
        for whole in (*self.experiment.parts, *self.experiment.further_parts(cat.scale)):
            for part, shown in self._pieces(whole):
                trials, work = range(part.first, part.trials[cat.scale]), self._work(part)
                for dataset in part.datasets:
                    if dataset in cat.missing or (part.is_stand_in and not is_wanted(cat, dataset)):
                        continue
                    for models, measures, clusterers in work:
                        for some_trials in batches(trials, matrices.trials_a_job(cat, measures, clusterers)):
                            yield dataset, models, measures, clusterers, tuple(some_trials), shown

    def shown(self) -> dict[Job, list[Shown]]:
        """Return its jobs on available data, with the entries that readings show; none if they name none."""
        cat = self.cat
        jobs: dict[Job, list[Shown]] = {}
        for dataset, models, measures, clusterers, trials, shown in self._cut():
            stored = not clusterers or matrices.are_stored(cat, measures)
            files = matrices.by_file(cat, dataset, measures, trials) if stored else {tuple(measures): measures}
            for every, own_measures in files.items():
                # Clusterers take the requested matrices out of a file that holds more.
                job_measures = tuple(own_measures) if clusterers else every
                items = matrices.items_behind(cat, dataset, job_measures) if stored else dataset
                job = Job(dataset, tuple(models), job_measures, clusterers, trials, tuple(own_measures), items)
                seen = jobs.setdefault(job, [])
                seen += [one for one in shown if one not in seen]
        return jobs

    def jobs(self) -> list[Job]:
        """Return its jobs on available data."""
        return list(self.shown())

    def wanted_matrices(self) -> list[matrices.Wanted]:
        """Return those that nothing clusters, and those that are stored before they are clustered."""
        return [
            (matrices.items_behind(self.cat, dataset, [measure]), measure, trials)
            for dataset, _, measures, clusterers, trials, _ in self._cut()
            if measures != [NO_MEASURE] and (not clusterers or matrices.are_stored(self.cat, measures))
            for measure in measures
        ]

    def job_files(self) -> list[str]:
        """Return files of the jobs behind its scores, one a job."""
        return [file for job in self.jobs() for file in matrices.behind(self.cat, job)]

    def _sequences(self) -> list[str]:
        """Return the file of sequences next to each job's file."""
        return [sequences_file(self.cat, job.dataset, trials_slug(job.trials)) for job in self.jobs()]

    def inputs(self) -> dict[str, list[str]]:
        """Return files that its scores are computed from, by stage; each once."""
        jobs = self.jobs()
        return {
            "sequences": list(dict.fromkeys(self._sequences())),
            **{stage: [job.file for job in jobs if job.stage == stage] for stage in ("distances", "partitions")},
        }

    def scored_jobs(self) -> list[dict[str, Any]]:
        """Return the scored results by job: data set, trials, measures, stage, and positions of its files in :meth:`inputs`.

        Where the job is taken under readings, ``readings`` lists each with the clusterers that it shows.
        """
        files = self.inputs()
        records = []
        for (job, shown), sequences in zip(self.shown().items(), self._sequences(), strict=True):
            at = {"file": files[job.stage].index(job.file), "sequences": files["sequences"].index(sequences)}
            record = {
                "dataset": job.dataset,
                "trials": list(job.trials),
                "measures": list(job.own_measures),
                "stage": job.stage,
            }
            under = {"readings": [asdict(one) for one in shown]} if shown else {}
            records.append({**record, **at, **under})
        return records

    def rendered_files(self) -> dict[str, Any]:
        """Return partitions and their sequences too, where they are drawn: those that the judged reading shows."""
        files = super().rendered_files()
        if "partitions" in layout.figure_files(self.experiment):
            first = next(iter(self.experiment.readings), "")
            shown = [not under or first in {one.reading for one in under} for under in self.shown().values()]
            files["sequences"] = list(compress(self._sequences(), shown))
            files["partitions"] = list(compress([job.file for job in self.jobs()], shown))
        return files
