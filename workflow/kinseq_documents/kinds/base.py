"""Base class of the kinds of experiments, which plan, rules and pages use; each kind is a subclass."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from kinseq.metrics import registry as metric_registry

from ..catalogue import Catalogue, is_wanted
from ..experiments import Experiment, RenderedExperiment
from ..plotting import layout
from .matrices import Wanted

TABLE = (".md", ".tex", "_full.tex", ".csv", ".html")
FIGURE = ("svg", "png", "pdf")


E = TypeVar("E", bound=Experiment)
R = TypeVar("R", bound=RenderedExperiment)


class Kind(ABC, Generic[E]):
    """A kind of experiment; an instance is one experiment of the kind among everything that it may name.

    Files are relative to the results. What the jobs do stands in :mod:`kinseq_documents.stages`.

    Parameters
    ----------
    cat : Catalogue
    parsed : mapping
        The experiment, which fits the schema of the kind.

    Attributes
    ----------
    name : str
        The ``kind`` of its experiments; their schema is ``workflow/schemas/<name>.schema.yaml``.
    parsed : mapping
        The experiment as its file says it.
    experiment : Experiment
        The same, typed.
    """

    name: ClassVar[str]

    def __init__(self, cat: Catalogue, parsed: Mapping[str, Any]) -> None:
        self.cat, self.parsed = cat, parsed
        self.experiment: E = self.read(parsed)

    @property
    def where(self) -> str:
        """The experiment, as messages name it."""
        return f"experiment {self.experiment.id!r}"

    @staticmethod
    @abstractmethod
    def read(parsed: Mapping[str, Any]) -> E:
        """Return the typed experiment of a parsed one."""

    @classmethod
    def at_scale(cls, parsed: Mapping[str, Any], scale: str) -> Mapping[str, Any]:
        """Return a parsed experiment as it is at a scale; another one only where keys of it are for one scale."""
        return parsed

    @abstractmethod
    def check(self) -> None:
        """Raise :class:`ConfigError` if the experiment uses unknown names, or cannot be run or rendered."""

    @property
    @abstractmethod
    def rule(self) -> str:
        """Rule of the workflow that makes its results."""

    @abstractmethod
    def datasets(self) -> list[str]:
        """Return data sets that it names, in its order."""

    @abstractmethod
    def labels(self) -> dict[str, str]:
        """Return the printed names of the entries it uses only, so that a new entry does not change its jobs."""

    @abstractmethod
    def products(self) -> list[str]:
        """Return every file that it leaves."""

    @property
    def files(self) -> dict[str, str]:
        """Files of its last job by their names there, of a kind whose experiments leave different ones."""
        return {}

    @property
    def is_scored(self) -> bool:
        """Whether it leaves a table of scores."""
        return False

    @property
    def is_on_request(self) -> bool:
        """Whether it is made where it is named only, and not with all others."""
        return False

    @property
    def has_figure(self) -> bool:
        """Whether its results are rendered as a figure, by the rule that renders."""
        return False

    @property
    def shows_items(self) -> bool:
        """Whether its figure shows items of the data themselves (a picture, a curve, a word), not only scores of them."""
        return False

    def inputs(self) -> dict[str, Any]:
        """Files, or lists of files, that its results are made of, by name."""
        return {}

    def wanted_matrices(self) -> list[Wanted]:
        """Return matrices that it needs and that have a file of their own."""
        return []

    @property
    def shown_readings(self) -> tuple[str, ...]:
        """Entries of ``readings.yaml`` that it is shown under, the judged one first."""
        return ()

    def job_files(self) -> list[str]:
        """Return files of the jobs behind its timings, one a job."""
        return []

    def modules(self) -> list[str]:
        """Return modules that register the computations of its last job, and enter the job's fingerprint."""
        return []

    def metrics(self) -> list[str]:
        """Return metrics that it computes."""
        return []

    def rendered_files(self) -> dict[str, Any]:
        """Files, or lists of files, that its table and figure are made from; printed numbers are not among them."""
        return {}

    @property
    def sections(self) -> tuple[str, ...]:
        """Columns that separate the blocks of a table next to curves."""
        return layout.SECTIONS

    def shown_datasets(self) -> list[str]:
        """Return data sets that its figure shows."""
        return self.datasets()

    def missing(self) -> dict[str, str]:
        """Return its unavailable data sets with reasons."""
        return {name: self.cat.missing[name] for name in self.datasets() if name in self.cat.missing}

    def nothing_to_draw(self) -> dict[str, str]:
        """Return the reasons if all data that it needs are unavailable."""
        missing = self.missing()
        return missing if set(missing) == set(self.datasets()) else {}

    def stand_ins(self) -> list[str]:
        """Titles of the data that stand in for missing ones in its figure."""
        there = [name for name in self.shown_datasets() if name not in self.cat.missing and is_wanted(self.cat, name)]
        return [self.cat.datasets[name]["title"] for name in there if self.cat.datasets[name].get("stand_in_for")]

    @classmethod
    def batched_experiments(cls, experiments: Sequence[Any]) -> dict[str, list[str]]:
        """Map names of jobs that make several experiments of the kind to the ids of these; the others have a job each."""
        return {}


class Rendered(Kind[R]):
    """A kind whose experiments leave scores, or timings, that become a table or a figure."""

    @abstractmethod
    def judged(self) -> set[str]:
        """Return the results that metrics can judge: some of :data:`kinseq.metrics.registry.JUDGES`."""

    @abstractmethod
    def content(self) -> layout.Content:
        """Return the results that a table or figure of it can show."""

    @property
    def has_figure(self) -> bool:
        """Whether ``render`` requires a figure."""
        return bool(layout.figure_files(self.experiment))

    def metrics(self) -> list[str]:
        """Return listed metrics, or else the default ones, and those that are shown."""
        shown_metrics = layout.shown_metrics(self.experiment)
        return metric_registry.computed(self.judged(), self.experiment.metrics, shown_metrics, self.where)

    def products(self) -> list[str]:
        """Return scores and their table, timings, the figure."""
        scores = [scores_file(self), *table_files(self)] if self.is_scored else []
        return [*scores, timings_file(self), *(figure_files(self) if self.has_figure else [])]

    def rendered_files(self) -> dict[str, Any]:
        """Return scores if there are any, timings where they are drawn."""
        files: dict[str, Any] = {"scores": scores_file(self)} if self.is_scored else {}
        if "timings" in layout.figure_files(self.experiment):
            files["timings"] = timings_file(self)
        return files

    def shown_datasets(self) -> list[str]:
        """Return the data set of a strip, which shows one whatever the table next to it holds; all where there is no strip."""
        only = self.experiment.render.get("strip", {}).get("dataset")
        return [name for name in self.datasets() if only in (None, name)]


def scores_file(kind: Kind[Any]) -> str:
    """Return the table of scores."""
    return f"scores/{kind.experiment.id}.csv"


def timings_file(kind: Kind[Any]) -> str:
    """Return the costs of the jobs, or the recorded seconds."""
    return f"timings/{kind.experiment.id}.csv"


def table_files(kind: Kind[Any]) -> list[str]:
    """Return the table in its formats."""
    return [f"tables/{kind.experiment.id}{ending}" for ending in TABLE]


def figure_files(kind: Kind[Any]) -> list[str]:
    """Return the figure in its formats."""
    return [f"figures/{kind.experiment.id}.{ending}" for ending in FIGURE]
