"""Drawing: a figure without scores. One registered file computes its arrays, saves and draws them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kinseq.core.errors import ConfigError, ParameterError

from .. import readings as taken
from ..batches import trials_slug
from ..catalogue import params_at_scale, require, sequences_file
from ..drawings import registry
from ..experiments import DrawingExperiment
from . import matrices
from .base import FIGURE, Kind, figure_files, table_files

FIRST_TRIAL = (0,)
TABLE_NAMES = ("md", "tex", "full", "csv", "html")
"""Names of the files of a table, in the order of :data:`kinseq_documents.kinds.base.TABLE`."""


class Drawing(Kind[DrawingExperiment]):
    """A figure, a table, or both, of one registered drawing."""

    name = "drawing"
    read = staticmethod(DrawingExperiment.read)

    @classmethod
    def at_scale(cls, parsed: Mapping[str, Any], scale: str) -> Mapping[str, Any]:
        """Without ``quick``, whose parameters count at that scale before the others."""
        if "quick" not in parsed:
            return parsed
        rest = {key: value for key, value in parsed.items() if key != "quick"}
        return {**rest, "params": params_at_scale(parsed, scale)}

    def check(self) -> None:
        """Refuse unknown names, and missing inputs of a drawing."""
        cat, where, experiment = self.cat, self.where, self.experiment
        require(where, "drawing", [experiment.drawing], registry.modules())
        require(where, "dataset", self.datasets(), cat.datasets)
        require(where, "reading", [experiment.reading] if experiment.reading else [], cat.readings)
        require(where, "model", experiment.models, taken.own_names(cat.models))
        require(
            where, "measure", [] if experiment.measure is None else [experiment.measure], taken.own_names(cat.measures)
        )
        defaults = registry.modules()[experiment.drawing].fields["params"]
        try:
            registry.completed(experiment.drawing, experiment.params, defaults)
        except ParameterError as error:
            raise ConfigError(f"{where}: {error}") from error
        requires = registry.requires(experiment.drawing)
        for key, value, needed in (
            ("datasets", experiment.datasets, bool(requires)),
            ("measure", experiment.measure, "distances" in requires),
        ):
            if needed and value is None:
                raise ConfigError(f"{where}: drawing {experiment.drawing!r} needs the key {key!r}; add it")
            if value is not None and not needed:
                raise ConfigError(f"{where}: drawing {experiment.drawing!r} takes no {key}; leave the key out")
        if experiment.measure is not None and not matrices.assigned(cat, [experiment.measure], experiment.models):
            raise ConfigError(
                f"{where}: measure {experiment.measure!r} needs a model of another kind; name one as model"
            )

    @property
    def models(self) -> list[str]:
        """The model under its reading, as a list that is empty if none is named."""
        cat, reading = self.cat, self.experiment.reading
        return [taken.name_under("model", name, cat.models, reading, cat.readings) for name in self.experiment.models]

    @property
    def forms(self) -> tuple[str, ...]:
        """Files that it makes: a ``figure``, a ``page``, a ``table``, in this order."""
        has = {"figure": registry.has_figure, "page": registry.has_page, "table": registry.has_table}
        return tuple(form for form, has_form in has.items() if has_form(self.experiment.drawing))

    @property
    def rule(self) -> str:
        """The rule of all drawings."""
        return "drawings"

    @property
    def shows_items(self) -> bool:
        """Of data, unless the drawing says that it shows none."""
        return registry.shows_items(self.experiment.drawing)

    def datasets(self) -> list[str]:
        """Return candidate data sets, of which the first available one is drawn."""
        return list(self.experiment.datasets or ())

    def shown_datasets(self) -> list[str]:
        """Return the data set to draw, as a list that is empty if none is needed or available."""
        return [name for name in self.datasets() if name not in self.cat.missing][:1]

    def labels(self) -> dict[str, str]:
        """Return the printed names of data sets."""
        return {name: self.cat.datasets[name]["title"] for name in self.datasets()}

    def inputs(self) -> dict[str, str]:
        """Return its input files, by requirement."""
        cat, experiment = self.cat, self.experiment
        files: dict[str, str] = {}
        for dataset in self.shown_datasets():
            if experiment.measure:
                (entry,) = matrices.assigned(cat, [experiment.measure], self.models).values()
                ((every, own_measures),) = matrices.by_file(cat, dataset, [experiment.measure], FIRST_TRIAL).items()
                items = matrices.items_behind(cat, dataset, every)
                job = matrices.Job(dataset, tuple(entry["models"]), every, (), FIRST_TRIAL, tuple(own_measures), items)
                files["distances"] = job.file
            files["sequences"] = sequences_file(cat, dataset, trials_slug(FIRST_TRIAL))
        return files

    def wanted_matrices(self) -> list[matrices.Wanted]:
        """Return the one that it shows, if it does."""
        measure = self.experiment.measure
        if measure is None:
            return []
        return [
            (matrices.items_behind(self.cat, name, [measure]), measure, FIRST_TRIAL) for name in self.shown_datasets()
        ]

    @property
    def files(self) -> dict[str, str]:
        """Every file that it leaves, by the name that the job of drawings gives it: each of its forms, and the arrays."""
        name, forms = self.experiment.id, self.forms
        figure = dict(zip(FIGURE, figure_files(self), strict=True)) if "figure" in forms else {}
        page = {"page": f"figures/{name}.html"} if "page" in forms else {}
        table = dict(zip(TABLE_NAMES, table_files(self), strict=True)) if "table" in forms else {}
        return figure | page | table | {"arrays": f"figures/{name}.npz"}

    def products(self) -> list[str]:
        """Return each of its forms, and the arrays that it shows."""
        return list(self.files.values())

    def modules(self) -> list[str]:
        """Return the module that registers the drawing, and the one that writes tables if it makes one."""
        tables = ["kinseq_documents.rendering.tables"] if "table" in self.forms else []
        return sorted([registry.modules()[self.experiment.drawing].module, *tables])

    @classmethod
    def batched_experiments(cls, experiments: Sequence[Drawing]) -> dict[str, list[str]]:
        """Figures of one chapter and one module that are computed from the same files, or from none.

        Half of the time of such a job goes into imports. A drawing that makes a page or a table has a job of its own.
        """
        groups: dict[tuple[Any, ...], list[str]] = {}
        for drawing in experiments:
            if drawing.forms == ("figure",):
                experiment = drawing.experiment
                module = registry.modules()[experiment.drawing].module.rpartition(".")[2]
                # Dependencies of the files, whichever data are available.
                sources = (*drawing.datasets(), *drawing.models, experiment.measure)
                groups.setdefault((experiment.chapter, module, sources), []).append(experiment.id)
        return {f"drawings_{ids[0]}_and_{len(ids) - 1}_more": ids for ids in groups.values() if len(ids) > 1}
