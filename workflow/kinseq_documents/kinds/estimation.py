"""Estimation: estimators against the truth of a problem, over sizes and trials; or the time that they take.

A part of such an experiment combines problems and estimators, and gives the sizes. A job is a batch of problems with
their estimators and a batch of trials; where seconds are recorded, one job measures the whole experiment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kinseq.core.errors import ConfigError, unknown_name

from ..batches import batches, joined, trials_slug
from ..catalogue import Catalogue, require
from ..evaluation import claims
from ..experiments import RECORDS, EstimationExperiment
from ..plotting import layout
from ..problems import registry
from .base import Rendered, figure_files, scores_file, table_files, timings_file


@dataclass(frozen=True)
class Job:
    """One job's worth of estimates."""

    experiment: str
    problems: tuple[str, ...]
    estimators: tuple[str, ...]
    trials: tuple[int, ...]

    @property
    def file(self) -> str:
        """The file it leaves, relative to the results."""
        where = f"{self.experiment}/{joined(self.problems)}/{joined(self.estimators)}"
        return f"estimates/{where}/{trials_slug(self.trials)}.csv"


class Estimation(Rendered[EstimationExperiment]):
    """Estimators on problems whose truth is known."""

    name = "estimation"
    read = staticmethod(EstimationExperiment.read)

    @property
    def rule(self) -> str:
        """Scores are put together of estimates; seconds are measured by one job."""
        return "estimation_scores" if self.is_scored else "times"

    @property
    def is_scored(self) -> bool:
        """Whether the experiment records estimates, which are scored; seconds are not, since they vary from run to run."""
        return self.experiment.records == "estimates"

    def check(self) -> None:
        """Refuse names that are not known, estimators of what a problem does not have, and unreadable layouts and claims."""
        where, experiment = self.where, self.experiment
        require(where, "value of records", [experiment.records], RECORDS)
        problem_pairs: set[tuple[str, str]] = set()
        for number, part in enumerate(experiment.parts, start=1):
            require(where, "problem", part.problems, self.cat.problems)
            require(where, "estimator", part.estimators, self.cat.estimators)
            for problem in part.problems:
                for estimator in part.estimators:
                    if self.is_scored:
                        _require_quantity(self.cat, f"{where}, part {number}", problem, estimator)
                    if (problem, estimator) in problem_pairs:
                        raise ConfigError(
                            f"{where}, part {number}: estimator {estimator!r} is run on problem {problem!r} by an earlier"
                            " part; put the sizes into one part"
                        )
                    problem_pairs.add((problem, estimator))
        if self.is_scored and experiment.metric is None:
            raise ConfigError(f"{where}: the key 'metric' is missing; add it")
        layout.check(experiment, self.content())
        used = sorted({estimator for _, estimator in problem_pairs})
        for claim in experiment.claims:
            claims.check_claim(claim, used, str(experiment.metric))

    def datasets(self) -> list[str]:
        """Return none: problems are drawn in the workflow, no data set is needed."""
        return []

    def labels(self) -> dict[str, str]:
        """Return the printed names of problems and estimators."""
        label_of: dict[str, str] = {}
        for part in self.experiment.parts:
            label_of |= {name: self.cat.problems[name]["label"] for name in part.problems}
            label_of |= {name: self.cat.estimators[name]["label"] for name in part.estimators}
        return label_of

    def judged(self) -> set[str]:
        """Estimates."""
        return {"estimate"}

    @property
    def sections(self) -> tuple[str, ...]:
        """There are neither clusterers nor models."""
        return ()

    def content(self) -> layout.Content:
        """Scores, or timings."""
        files = ("scores", "published") if self.is_scored else ("timings",)
        return layout.Content(files=files, metrics=tuple(self.metrics()))

    def sizes(self, problem: str) -> dict[str, list[int]]:
        """Sizes at which each estimator is run on a problem."""
        sizes_of: dict[str, list[int]] = {}
        for part in self.experiment.parts:
            if problem in part.problems:
                sizes_of |= {estimator: list(part.sizes[self.cat.scale]) for estimator in part.estimators}
        return sizes_of

    def jobs(self) -> list[Job]:
        """Return its jobs, where it records estimates."""
        batch = self.cat.batch
        return [
            Job(self.experiment.id, tuple(some_problems), part.estimators, tuple(trials))
            for part in self.experiment.parts
            for some_problems in batches(part.problems, batch.get("problems", 1))
            for trials in batches(range(part.trials[self.cat.scale]), batch["trials"])
        ]

    def job_files(self) -> list[str]:
        """Return files of the jobs behind its scores, one a job."""
        return [job.file for job in self.jobs()] if self.is_scored else []

    def inputs(self) -> dict[str, list[str]]:
        """Return files of estimates."""
        return {"estimates": self.job_files()}

    def products(self) -> list[str]:
        """Return estimates too, where there are scores."""
        scores = [scores_file(self), *table_files(self), f"estimates/{self.experiment.id}.csv"]
        rest = [timings_file(self), *(figure_files(self) if self.has_figure else [])]
        return [*(scores if self.is_scored else []), *rest]

    def problems(self) -> list[str]:
        """Return problems that it names, in its order."""
        return list(dict.fromkeys(name for part in self.experiment.parts for name in part.problems))

    def arguments(self, problem: str, estimators: Sequence[str] | None = None) -> dict[str, Any]:
        """Arguments of :func:`~kinseq_documents.stages.estimates.estimates`: a problem, its estimators (or those chosen), sizes."""
        at = self.sizes(problem)
        names = list(at) if estimators is None else list(estimators)
        return {
            "problem": (problem, self.cat.problems[problem]),
            "estimators": {name: self.cat.estimators[name] for name in names},
            "sizes": {name: at[name] for name in names},
        }

    def modules(self, problems: Sequence[str] | None = None, estimators: Sequence[str] | None = None) -> list[str]:
        """Return modules that register its problems and estimators, or those of one job."""
        if problems is None or estimators is None:
            problems, estimators = self.problems(), [name for part in self.experiment.parts for name in part.estimators]
        module_names = {registry.problems()[self.cat.problems[name]["problem"]].module for name in problems}
        module_names |= {registry.estimators()[self.cat.estimators[name]["estimator"]].module for name in estimators}
        return sorted(module_names)


def _require_quantity(cat: Catalogue, where: str, problem: str, estimator: str) -> None:
    """An estimator must estimate something that the problem has."""
    quantity = registry.estimators()[cat.estimators[estimator]["estimator"]].fields["estimates"]
    has = registry.problems()[cat.problems[problem]["problem"]].fields["quantities"]
    if not quantity:
        raise ConfigError(
            f"{where}: estimator {estimator!r} estimates nothing and can only be timed; set records: seconds"
        )
    if quantity not in has:
        raise ConfigError(
            f"{where}: estimator {estimator!r} does not suit problem {problem!r}:"
            f" {unknown_name('quantity', quantity, has)}"
        )
