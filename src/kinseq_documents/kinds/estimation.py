"""Estimation: estimators against the truth of a problem, over sizes and trials; or the time that they take.

A part of such an experiment combines problems and estimators, and gives the sizes. A job is a batch of problems with
their estimators and a batch of trials; where seconds are recorded, one job measures the whole experiment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kinseq.core.errors import ConfigError, unknown_name
from kinseq_drawing import layout

from ..batches import batches, joined, trials_slug
from ..catalogue import Catalogue, n_trials, require
from ..evaluation import claims
from ..problems import registry
from . import products as files

RECORDS = ("estimates", "seconds")


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


def records(experiment: Mapping[str, Any]) -> str:
    """What an experiment records: ``"estimates"``, or the ``"seconds"`` that they take."""
    return str(experiment.get("records", RECORDS[0]))


def is_scored(experiment: Mapping[str, Any]) -> bool:
    """Whether an experiment leaves a table of scores; seconds do not repeat and are no scores."""
    return records(experiment) == "estimates"


def check(cat: Catalogue, experiment: Mapping[str, Any]) -> None:
    """Refuse names that are not known, estimators of what a problem does not have, and unreadable layouts and claims."""
    where = f"experiment {experiment.get('id', '?')!r}"
    require(where, "value of records", [records(experiment)], RECORDS)
    seen: set[tuple[str, str]] = set()
    for number, part in enumerate(experiment["parts"], start=1):
        for kind in ("problems", "estimators"):
            require(where, kind[:-1], part[kind], getattr(cat, kind))
        for problem in part["problems"]:
            for estimator in part["estimators"]:
                _require_quantity(cat, f"{where}, part {number}", problem, estimator, experiment)
                if (problem, estimator) in seen:
                    raise ConfigError(
                        f"{where}, part {number}: estimator {estimator!r} is run on problem {problem!r} by an earlier"
                        " part; put the sizes into one part"
                    )
                seen.add((problem, estimator))
    if is_scored(experiment) and "metric" not in experiment:
        raise ConfigError(f"{where}: the key 'metric' is missing; add it")
    layout.check(experiment)
    layout.require_files(experiment, ("scores", "published") if is_scored(experiment) else ("timings",))
    used = sorted({estimator for _, estimator in seen})
    for claim in experiment.get("claims", ()):
        claims.check_claim(claim, used, str(experiment["metric"]))


def _require_quantity(cat: Catalogue, where: str, problem: str, estimator: str, experiment: Mapping[str, Any]) -> None:
    """An estimator must estimate something that the problem has."""
    if not is_scored(experiment):
        return
    quantity = registry.estimators()[cat.estimators[estimator]["estimator"]].literals.get("estimates", "")
    has = registry.problems()[cat.problems[problem]["problem"]].literals.get("quantities", ())
    if not quantity:
        raise ConfigError(
            f"{where}: estimator {estimator!r} estimates nothing and can only be timed; set records: seconds"
        )
    if quantity not in has:
        raise ConfigError(
            f"{where}: estimator {estimator!r} does not suit problem {problem!r}:"
            f" {unknown_name('quantity', quantity, has)}"
        )


def datasets(experiment: Mapping[str, Any]) -> list[str]:
    """Problems are drawn here: no data set is needed."""
    return []


def labels(cat: Catalogue, experiment: Mapping[str, Any]) -> dict[str, str]:
    """Printed names of what an experiment uses, and of nothing else."""
    found: dict[str, str] = {}
    for part in experiment["parts"]:
        found |= {name: cat.problems[name]["label"] for name in part["problems"]}
        found |= {name: cat.estimators[name]["label"] for name in part["estimators"]}
    return found


def sizes(cat: Catalogue, experiment: Mapping[str, Any], problem: str) -> dict[str, list[int]]:
    """Sizes at which each estimator is run on a problem."""
    found: dict[str, list[int]] = {}
    for part in experiment["parts"]:
        if problem in part["problems"]:
            found |= {estimator: list(part["sizes"][cat.scale]) for estimator in part["estimators"]}
    return found


def jobs(cat: Catalogue, experiment: Mapping[str, Any]) -> list[Job]:
    """The jobs of an experiment that records estimates."""
    return [
        Job(experiment["id"], tuple(chosen), tuple(part["estimators"]), tuple(trials))
        for part in experiment["parts"]
        for chosen in batches(part["problems"], cat.batch.get("problems", 1))
        for trials in batches(list(range(n_trials(cat, experiment, part))), cat.batch["trials"])
    ]


def upstream(cat: Catalogue, experiment: Mapping[str, Any]) -> list[str]:
    """Files of the jobs behind the scores of an experiment, one a job."""
    return [job.file for job in jobs(cat, experiment)] if is_scored(experiment) else []


def products(experiment: Mapping[str, Any]) -> list[str]:
    """Every file that an experiment leaves, relative to the results."""
    made = [*files.of_scores(experiment), f"estimates/{experiment['id']}.csv"] if is_scored(experiment) else []
    return made + files.of_timings(experiment) + files.of_rendered_figure(experiment)


def problems(experiment: Mapping[str, Any]) -> list[str]:
    """Problems of an experiment, in its order."""
    return list(dict.fromkeys(name for part in experiment["parts"] for name in part["problems"]))


def estimators(experiment: Mapping[str, Any]) -> list[str]:
    """Estimators of an experiment, in its order."""
    return list(dict.fromkeys(name for part in experiment["parts"] for name in part["estimators"]))


def given(
    cat: Catalogue, experiment: Mapping[str, Any], problem: str, chosen: Sequence[str] | None = None
) -> dict[str, Any]:
    """Arguments of :func:`~kinseq_documents.stages.estimates.estimates`: a problem, its estimators (or those chosen), sizes."""
    at = sizes(cat, experiment, problem)
    names = list(at) if chosen is None else list(chosen)
    return {
        "problem": (problem, cat.problems[problem]),
        "estimators": {name: cat.estimators[name] for name in names},
        "sizes": {name: at[name] for name in names},
    }


def modules(cat: Catalogue, problems: Sequence[str], estimators: Sequence[str]) -> list[str]:
    """Modules that register some problems and estimators."""
    found = {registry.problems()[cat.problems[name]["problem"]].module for name in problems}
    found |= {registry.estimators()[cat.estimators[name]["estimator"]].module for name in estimators}
    return sorted(found)
