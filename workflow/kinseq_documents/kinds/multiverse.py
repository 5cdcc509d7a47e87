"""Multiverse: every combination of the choices that print leaves open, and which of the printed numbers each reaches.

Axes have named levels; one level of each is a reading. A job fits the models of one data set under the levels that enter
them and keeps the matrices, a second passes over the widths of the kernel, and one puts all passes together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kinseq.clustering import registry as clusterer_registry
from kinseq.core.errors import ConfigError
from kinseq.measures import registry as measure_registry

from ..batches import batches, joined, trials_slug
from ..catalogue import require
from ..experiments import MultiverseExperiment
from . import matrices
from .base import FIGURE, Kind, figure_files, table_files

TABLES = ("readings", "cells", "held_out", "effects")
"""Tables of numbers that a multiverse leaves next to its figures."""


@dataclass(frozen=True)
class Job:
    """One job's worth of matrices, and of the pass over them."""

    experiment: str
    dataset: str
    levels: tuple[str, ...]
    trials: tuple[int, ...]

    def file(self, stage: str) -> str:
        """Return the file that a stage leaves, relative to the results."""
        return f"{stage}/{self.experiment}/{self.dataset}/{joined(self.levels)}/{trials_slug(self.trials)}.npz"


class Multiverse(Kind[MultiverseExperiment]):
    """All readings of some tables."""

    name = "multiverse"
    read = staticmethod(MultiverseExperiment.read)

    def check(self) -> None:
        """Refuse names that are not known, and levels that measures or models cannot take."""
        where, experiment = self.where, self.experiment
        if not experiment.axes.entering("models"):
            raise ConfigError(f"{where}: no axis enters the models; add one, which may have a single level")
        for table in experiment.tables:
            place = f"{where}, table {table['name']!r}"
            for part in table["parts"]:
                require(place, "dataset", part["datasets"], self.cat.datasets)
                require(place, "model", part["models"], self.cat.models)
                require(place, "measure", part["measures"], measure_registry.modules())
                require(place, "clusterer", part.get("clusterers", ()), clusterer_registry.modules())
                for measure in part["measures"]:
                    if not matrices.assigned(self.cat, [measure], part["models"]):
                        raise ConfigError(
                            f"{place}: measure {measure!r} needs a model of another kind; name one among the models"
                        )
            unknown = set(table.get("printed_as", {})) - set(self.datasets())
            if unknown:
                raise ConfigError(f"{place}: printed_as names {min(unknown)!r}, which is no data set of the experiment")
        for measure in self._measures():
            for entry in experiment.axes.computed(measure).values():
                require(where, "measure", [entry["measure"]], measure_registry.modules())
        require(where, "dataset", self._computed_datasets(), self.cat.datasets)

    @property
    def rule(self) -> str:
        """All passes together."""
        return "all_readings"

    @property
    def is_on_request(self) -> bool:
        """Whether only its own target makes it."""
        return bool(self.parsed.get("on_request", False))

    def datasets(self) -> list[str]:
        """Return data sets of all tables, in their order, and those that stand for them under some reading."""
        return list(dict.fromkeys([*self._printed_datasets(), *self._computed_datasets()]))

    def _printed_datasets(self) -> list[str]:
        return list(dict.fromkeys(name for part in self._parts() for name in part["datasets"]))

    def _computed_datasets(self) -> list[str]:
        return [each for name in self._printed_datasets() for each in self.experiment.axes.datasets_for(name)]

    def _parts(self, dataset: str | None = None) -> list[Mapping[str, Any]]:
        """Return the parts of all tables, or those that a data set is computed for."""
        parts = [part for table in self.experiment.tables for part in table["parts"]]
        if dataset is None:
            return parts
        stands = self.experiment.axes.datasets_for
        return [part for part in parts if any(dataset in stands(name) for name in part["datasets"])]

    def _measures(self) -> list[str]:
        return list(dict.fromkeys(name for part in self._parts() for name in part["measures"]))

    def _clusterers(self) -> list[str]:
        return list(dict.fromkeys(name for part in self._parts() for name in part.get("clusterers", ())))

    def labels(self) -> dict[str, str]:
        """Return the printed names of data sets, models and measures."""
        models = list(dict.fromkeys(name for part in self._parts() for name in part["models"]))
        return {
            **{name: self.cat.datasets[name]["title"] for name in self.datasets()},
            **{name: self.cat.models[name]["label"] for name in models},
            **{name: measure_registry.modules()[name].fields["label"] for name in self._measures()},
            **{name: clusterer_registry.modules()[name].fields["label"] for name in self._clusterers()},
        }

    def jobs(self) -> list[Job]:
        """Return its jobs on available data; the matrices of large sets are kept for few trials at a time."""
        return [
            Job(self.experiment.id, dataset, levels, tuple(some))
            for dataset in self.datasets()
            if dataset not in self.cat.missing
            for levels in self.experiment.axes.combined("models")
            for some in self._batches(dataset)
        ]

    def _batches(self, dataset: str) -> list[list[int]]:
        """Return trials of a data set by job: those of the table that has most, of the experiment where none says a number."""
        stands, scale = self.experiment.axes.datasets_for, self.cat.scale
        own = [
            table["trials"][scale]
            for table in self.experiment.tables
            if "trials" in table
            and any(dataset in stands(name) for part in table["parts"] for name in part["datasets"])
        ]
        if own:
            return batches(range(max(own)), self.cat.batch["trials"])
        return batches(range(self.experiment.trials[scale]), self.cat.batch.get("heavy_trials", 1))

    def specs(self, dataset: str, levels: tuple[str, ...]) -> dict[str, Any]:
        """``models``, with the parameters of some levels, and ``measures`` of a data set, as the stages take them."""
        axes = self.experiment.axes
        params = axes.combined("models")[levels]
        parts = self._parts(dataset)
        models = dict.fromkeys(name for part in parts for name in part["models"])
        measures: dict[str, Any] = {}
        for part in parts:
            for measure in part["measures"]:
                used = list(matrices.assigned(self.cat, [measure], part["models"])[measure]["models"])
                for name, entry in axes.computed(measure).items():
                    before = measures.setdefault(name, {**entry, "models": []})
                    before["models"] += [model for model in used if model not in before["models"]]
        return {"models": {name: {**self.cat.models[name], **params} for name in models}, "measures": measures}

    def modules(self) -> list[str]:
        """Return modules that register its measures and kinds of models."""
        names = {
            entry["measure"]
            for measure in self._measures()
            for entry in self.experiment.axes.computed(measure).values()
        }
        models = sorted({name for part in self._parts() for name in part["models"]})
        registered = {measure_registry.modules()[name].module for name in names}
        return sorted({*registered, *matrices.model_modules(self.cat, models)})

    def of_items(self, dataset: str) -> dict[str, dict[str, Any]]:
        """Return clusterers of the items of a data set, with the levels of the axis that is about them."""
        names = dict.fromkeys(name for part in self._parts(dataset) for name in part.get("clusterers", ()))
        return {
            level: {"clusterer": entry["measure"], "params": entry["params"]}
            for name in names
            for level, entry in self.experiment.axes.computed(name).items()
        }

    def clusterer_modules(self) -> list[str]:
        """Return modules that register its clusterers of items."""
        return sorted({clusterer_registry.modules()[name].module for name in self._clusterers()})

    def inputs(self) -> dict[str, list[str]]:
        """Return files of passes."""
        return {"passes": [job.file("passes") for job in self.jobs()]}

    def pass_axes(self) -> dict[str, Any]:
        """Return the dependencies of a pass: the axes that affect affinity, width and embedding."""
        entering = ("affinity", "width", "embedding")
        axes = [
            {
                "name": axis.name,
                "enters": axis.enters,
                "levels": {name: {"params": level.get("params", {})} for name, level in axis.levels.items()},
            }
            for axis in self.experiment.axes.axes
            if axis.enters in entering
        ]
        return {"axes": axes, "widths": self.experiment.given["widths"], "base": {}}

    def job_files(self) -> list[str]:
        """Return files of the jobs behind it."""
        return [job.file(stage) for job in self.jobs() for stage in ("multiverse", "passes")]

    def printed_files(self) -> list[str]:
        """Return names of the files of printed numbers that it is compared with."""
        return list(dict.fromkeys(str(table["file"]) for table in self.experiment.tables))

    def products(self) -> list[str]:
        """Return both figures, the table, and the numbers."""
        name = self.experiment.id
        cells = [f"figures/{name}_cells.{ending}" for ending in FIGURE]
        return [
            *figure_files(self),
            *cells,
            *table_files(self),
            *(f"multiverse/{name}/{table}.csv" for table in TABLES),
        ]
