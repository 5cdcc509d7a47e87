"""Settings of jobs, one record for each rule: the rule passes the record on whole, and its script reads it.

Snakemake makes a job again when its record differs. A record therefore holds what the results follow from and nothing else, its
text is the same in every run (mappings keep the order of the configuration; there are no sets), and `code` stands for the sources
that the job depends on. A field that is added to a record makes every job of its rule again. Captions of the report read them too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    # Scripts that read other records should not wait for the reader of experiments.
    from .experiments import DrawingExperiment, MultiverseExperiment, RenderedExperiment

Entries = Mapping[str, Mapping[str, Any]]
"""Names to entries of the configuration."""


@dataclass(frozen=True, kw_only=True)
class JobSettings:
    """Settings of every job.

    Attributes
    ----------
    code : str
        Fingerprint of the code that the job depends on: an edit there, and only there, makes the job again.
    """

    code: str


@dataclass(frozen=True, kw_only=True)
class Seeded(JobSettings):
    """Settings of a job that draws random numbers from streams below the root `seed`."""

    seed: int


@dataclass(frozen=True, kw_only=True)
class SequencesSettings(Seeded):
    """A data set: its entry, and a stamp of files that no checksum vouches for."""

    entry: Mapping[str, Any]
    stamp: str


@dataclass(frozen=True, kw_only=True)
class AvailabilitySettings(JobSettings):
    """All data sets: their entries, the names of those that are here, and the folders of those that are read from files."""

    datasets: Entries
    available: Sequence[str]
    folders: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class ModelsSettings(Seeded):
    """Models to fit, by their entries, and the trials."""

    specs: Entries
    trials: Sequence[int]


@dataclass(frozen=True, kw_only=True)
class DistancesSettings(Seeded):
    """Measures, each with its parameters and the models that it is run on, and the trials."""

    measures: Entries
    trials: Sequence[int]


@dataclass(frozen=True, kw_only=True)
class PartitionsSettings(DistancesSettings):
    """The same with the clusterers of the matrices."""

    clusterers: Entries


@dataclass(frozen=True, kw_only=True)
class ScoresSettings(Seeded):
    """Jobs whose results are scored (:meth:`kinseq_documents.kinds.comparison.Comparison.scored_jobs`), and the metrics."""

    jobs: Sequence[Mapping[str, Any]]
    metrics: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class EstimatesSettings(Seeded):
    """Arguments of :func:`kinseq_documents.stages.estimates.estimates`, a mapping a problem, and the trials."""

    arguments: Sequence[Mapping[str, Any]]
    trials: Sequence[int]


@dataclass(frozen=True, kw_only=True)
class EstimationScoresSettings(Seeded):
    """Metrics that judge the estimates."""

    metrics: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class TimesSettings(Seeded):
    """Arguments of :func:`kinseq_documents.stages.estimates.times`, a mapping a problem."""

    arguments: Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class OneDrawing:
    """One drawing of a job.

    Attributes
    ----------
    experiment : DrawingExperiment
    kinds : sequence of str
        Names of the files that it leaves.
    labels : mapping
        Printed names.
    missing : mapping
        Data sets with the reason why they cannot be had, if that is so for all of them.
    stand_ins : sequence of str
        Titles of the data that stand in for missing ones.
    """

    experiment: DrawingExperiment
    kinds: Sequence[str]
    labels: Mapping[str, str]
    missing: Mapping[str, str]
    stand_ins: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class DrawingsSettings(Seeded):
    """Drawings by the ids of their experiments."""

    drawings: Mapping[str, OneDrawing]


@dataclass(frozen=True, kw_only=True)
class ExampleSettings(JobSettings):
    """Options of the worked example on the command line, and a digest of the templates of its page, which are not modules."""

    options: Sequence[str]
    templates: str


@dataclass(frozen=True, kw_only=True)
class MultiverseMatricesSettings(Seeded):
    """Models and measures under some levels, as the stages take them, and the trials."""

    models: Entries
    measures: Entries
    trials: Sequence[int]


@dataclass(frozen=True, kw_only=True)
class MultiversePassSettings(Seeded):
    """The axes that a pass follows from, as arguments of :func:`kinseq_documents.evaluation.axes.parsed`; clusterers of items."""

    axes: Mapping[str, Any]
    clusterers: Entries
    trials: Sequence[int]


@dataclass(frozen=True, kw_only=True)
class RenderSettings(JobSettings):
    """Settings of tables and figures: the experiment, printed names, and data that are not available, with the reason."""

    experiment: RenderedExperiment | MultiverseExperiment
    labels: Mapping[str, str]
    missing: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class TableSettings(RenderSettings):
    """The same with the metrics of the experiment, the keys that distinguish blocks, and whether all data are unavailable."""

    experiment: RenderedExperiment
    metrics: Sequence[str]
    sections: Sequence[str]
    is_empty: bool


@dataclass(frozen=True, kw_only=True)
class FigureSettings(RenderSettings):
    """The same with the titles of data that stand in for missing ones; here `missing` is empty where some data can be had."""

    experiment: RenderedExperiment
    stand_ins: Sequence[str]


@dataclass(frozen=True)
class Assessed:
    """An experiment whose printed numbers and claims are judged.

    Attributes
    ----------
    experiment : mapping
    is_printed : bool
        Whether there are printed numbers.
    missing : mapping
        Data sets that cannot be had, with the reason.
    decided_on : mapping
        Claim to what it is decided on (:func:`kinseq_documents.plan.data_kinds_of_claims`).
    """

    experiment: Mapping[str, Any]
    is_printed: bool
    missing: Mapping[str, str]
    decided_on: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class FidelitySettings(JobSettings):
    """Experiments in the order of their tables of scores, and the printed names of all."""

    experiments: Sequence[Assessed]
    labels: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class UndecidedSettings(FidelitySettings):
    """The same with the number of trials of the comparisons among them."""

    trials: Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class IndexSettings(JobSettings):
    """Experiments as listed on the front page, facts on the run, and a digest of its template."""

    listed: Sequence[Mapping[str, Any]]
    settings: Mapping[str, Any]
    template: str


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """An experiment as the record of its document is given it.

    Attributes
    ----------
    listed : mapping
        See :func:`kinseq_documents.plan.listed`.
    experiment : mapping or None
        None if it has no scores.
    printed : sequence of str
        The file of its printed numbers; empty if there is none.
    missing, decided_on : mapping
        As in :class:`Assessed`.
    home, configuration : str
        Document that it is shown with, and digest of all that the configuration says of it.
    shows_third_party : bool
        Whether its figure shows items of data that are not generated here.
    readings : mapping
        Readings that it is shown under, to their printed names.
    data : mapping
        Data sets that can be had, each with its title, whether it is generated or bundled, and what finds its files.
    """

    listed: Mapping[str, Any]
    experiment: Mapping[str, Any] | None
    printed: Sequence[str]
    missing: Mapping[str, str]
    decided_on: Mapping[str, str]
    home: str
    configuration: str
    shows_third_party: bool
    readings: Mapping[str, str]
    data: Entries


@dataclass(frozen=True, kw_only=True)
class RecordSettings(JobSettings):
    """Settings of a published document: experiments, names and families, folders of the data, and the run."""

    experiments: Sequence[Recorded]
    labels: Mapping[str, str]
    families: Mapping[str, Mapping[str, str]]
    roots: Sequence[str]
    settings: Mapping[str, Any]
