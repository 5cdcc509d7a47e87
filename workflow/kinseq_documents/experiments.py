"""Typed experiments, as their files describe them; plans and jobs read them.

:mod:`kinseq_documents.kinds`, which no job depends on, plans them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from .evaluation import axes as every_axis
from .evaluation.axes import Axes, Reading
from .evaluation.looks import LOOKS, NAMES
from .readings import named

DEFAULT_METRIC = "error"
"""The metric of an experiment that names none."""

RECORDS = ("estimates", "seconds")

NONE = "none"
"""Stands in scores for a model, a measure or a clusterer that takes no part."""


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """Settings that experiments of every kind have.

    Attributes
    ----------
    id, title, chapter : str
    sources : tuple of tuple
        Document and item of each table or figure that it regenerates.
    """

    id: str
    title: str
    chapter: str
    sources: tuple[tuple[str, str], ...]

    @staticmethod
    def common(parsed: Mapping[str, Any]) -> dict[str, Any]:
        """Return arguments of this class, from the parsed YAML."""
        sources = tuple((str(each["document"]), str(each["item"])) for each in parsed.get("sources", ()))
        texts = {key: str(parsed.get(key, default)) for key, default in (("id", "?"), ("title", ""), ("chapter", ""))}
        return {**texts, "sources": sources}


@dataclass(frozen=True, kw_only=True)
class RenderedExperiment(Experiment):
    """An experiment over trials whose numbers are rendered as its ``render`` says.

    Attributes
    ----------
    metric : str or None
        The one that table and figure show; None of an experiment without scores.
    metrics : Any
        Those that are to be computed, as they are listed; None if they are not.
    trials : mapping
        Number of trials by scale.
    claims : tuple of mapping
    readings : tuple of str
        Readings that it is shown under, the judged one first; empty if it is as it stands.
    render : mapping
        How its table and figure are laid out (:mod:`kinseq_documents.plotting.layout`).
    """

    metric: str | None
    metrics: Any
    trials: Mapping[str, int]
    claims: tuple[Mapping[str, Any], ...]
    readings: tuple[str, ...]
    render: Mapping[str, Any]

    @staticmethod
    def common(parsed: Mapping[str, Any]) -> dict[str, Any]:
        """Return arguments of this class, from the parsed YAML."""
        own = {"metric": parsed.get("metric"), "metrics": parsed.get("metrics"), "trials": parsed.get("trials", {})}
        own |= {
            "claims": tuple(parsed.get("claims", ())),
            "readings": named(parsed),
            "render": parsed.get("render") or {},
        }
        return {**Experiment.common(parsed), **own}

    @property
    def shown_metric(self) -> str:
        """The metric that it shows, or the default one."""
        return self.metric or DEFAULT_METRIC

    @property
    def parts_on_data(self) -> tuple[Part, ...]:
        """Parts that are combined with data sets."""
        return ()

    @property
    def shows_estimates(self) -> bool:
        """Whether its numbers are errors of estimates, not of clusters or matrices."""
        return False


@dataclass(frozen=True)
class Part:
    """Names of models, measures and clusterers that are combined with each other.

    Attributes
    ----------
    datasets, models, measures, clusterers : tuple of str
    trials : mapping
        Number of trials by scale.
    is_stand_in : bool
        Whether a data set is run only where the one that it stands in for is missing.
    readings : tuple of str
        Readings that all of it is taken under; empty if it is as it stands.
    most_trials : mapping
        Reading to the largest number of trials by scale.
    first : int
        Number of its first trial; not 0 where trials are added to those of another part.
    """

    datasets: tuple[str, ...]
    models: tuple[str, ...]
    measures: tuple[str, ...]
    clusterers: tuple[str, ...]
    trials: Mapping[str, int]
    is_stand_in: bool
    readings: tuple[str, ...] = ()
    most_trials: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    first: int = 0

    def trials_under(self, reading: str, scale: str) -> int:
        """Return the number of trials at a scale under one of its readings, or none (``""``)."""
        own = self.trials[scale]
        return min(own, self.most_trials[reading][scale]) if reading in self.most_trials else own


@dataclass(frozen=True, kw_only=True)
class ComparisonExperiment(RenderedExperiment):
    """A comparison of measures, or clusterers, on the same data.

    Attributes
    ----------
    parts : tuple of Part
    further : tuple of mapping
        Cells that are given further trials (:mod:`.evaluation.settling`), each with the number that there are then.
    """

    parts: tuple[Part, ...]
    further: tuple[Mapping[str, Any], ...] = ()

    @classmethod
    def read(cls, parsed: Mapping[str, Any]) -> ComparisonExperiment:
        """Return the typed experiment of a parsed one."""
        common = RenderedExperiment.common(parsed)
        parts = [
            Part(
                datasets=tuple(part.get("datasets", ())),
                models=tuple(part.get("models", ())),
                measures=tuple(part.get("measures", ())),
                clusterers=tuple(part.get("clusterers", ())),
                trials=part.get("trials", common["trials"]),
                is_stand_in=bool(part.get("fallback", False)),
                readings=named(parsed, part),
                most_trials=part.get("most_trials", parsed.get("most_trials", {})),
            )
            for part in parsed.get("parts", ())
        ]
        return cls(**common, parts=tuple(parts), further=tuple(parsed.get("further", ())))

    def further_parts(self, scale: str) -> list[Part]:
        """Return parts with the further trials of some cells, cut at the looks at undecided results.

        A part that has them keeps its files when more are added later.
        """
        cells: dict[tuple[Any, ...], list[str]] = {}
        for entry in self.further:
            dataset, model, measure, clusterer = (str(entry[name]) for name in NAMES)
            own = next(
                (
                    number
                    for number, part in enumerate(self.parts)
                    if dataset in part.datasets
                    and all(
                        name in names or name == NONE
                        for name, names in (
                            (model, part.models),
                            (measure, part.measures),
                            (clusterer, part.clusterers),
                        )
                    )
                ),
                None,
            )
            if own is None:
                continue
            part = self.parts[own]
            ends = [part.trials_under(next(iter(part.readings), ""), scale), *LOOKS]
            for first, last in pairwise(sorted({end for end in ends if ends[0] <= end <= int(entry["until"])})):
                cells.setdefault((own, dataset, model, clusterer, first, last), []).append(measure)
        found = []
        for (own, dataset, model, clusterer, first, last), measures in cells.items():
            part = self.parts[own]
            found.append(
                replace(
                    part,
                    datasets=(dataset,),
                    # A measure without models is run with the first ones.
                    models=part.models[:1] if model == NONE else (model,),
                    measures=tuple(name for name in part.measures if name in measures),
                    clusterers=() if clusterer == NONE else (clusterer,),
                    trials={scale: last},
                    first=first,
                    readings=part.readings[:1],
                    most_trials={},
                )
            )
        return found

    @property
    def parts_on_data(self) -> tuple[Part, ...]:
        """Parts that are combined with data sets."""
        return self.parts


@dataclass(frozen=True)
class EstimationPart:
    """Names of models, measures and clusterers that are combined with each other.

    Attributes
    ----------
    problems, estimators : tuple of str
    sizes : mapping
        Sizes of the data by scale.
    trials : mapping
        Number of trials by scale.
    """

    problems: tuple[str, ...]
    estimators: tuple[str, ...]
    sizes: Mapping[str, Sequence[int]]
    trials: Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class EstimationExperiment(RenderedExperiment):
    """An experiment of this kind; it `records` either of :data:`RECORDS`."""

    records: str
    parts: tuple[EstimationPart, ...]

    @classmethod
    def read(cls, parsed: Mapping[str, Any]) -> EstimationExperiment:
        """Return the typed experiment of a parsed one."""
        common = RenderedExperiment.common(parsed)
        parts = [
            EstimationPart(
                tuple(part["problems"]),
                tuple(part["estimators"]),
                part.get("sizes", {}),
                part.get("trials", common["trials"]),
            )
            for part in parsed.get("parts", ())
        ]
        return cls(**common, records=str(parsed.get("records", RECORDS[0])), parts=tuple(parts))

    @property
    def shows_estimates(self) -> bool:
        """Whether its numbers are errors of estimates."""
        return True


@dataclass(frozen=True, kw_only=True)
class DrawingExperiment(Experiment):
    """An experiment of this kind.

    Attributes
    ----------
    drawing : str
        A registered drawing.
    params : mapping
        Its parameters, where they differ from the defaults.
    datasets : tuple of str or None
        Of which the first that can be had is drawn; None if the key is left out.
    model, measure : str or None
        Of a matrix.
    reading : str
        Reading that the model is taken under; empty if it is as it stands.
    """

    drawing: str
    params: Mapping[str, Any]
    datasets: tuple[str, ...] | None
    model: str | None
    measure: str | None
    reading: str

    @property
    def models(self) -> list[str]:
        """The model, as a list that is empty if none is named."""
        return [] if self.model is None else [self.model]

    @classmethod
    def read(cls, parsed: Mapping[str, Any]) -> DrawingExperiment:
        """Return the typed experiment of a parsed one."""
        return cls(
            **Experiment.common(parsed),
            drawing=parsed["drawing"],
            params=parsed.get("params", {}),
            datasets=tuple(parsed["datasets"]) if "datasets" in parsed else None,
            model=parsed.get("model"),
            measure=parsed.get("measure"),
            reading=str(parsed.get("reading", "")),
        )


@dataclass(frozen=True, kw_only=True)
class MultiverseExperiment(Experiment):
    """An experiment of this kind.

    Attributes
    ----------
    trials : mapping
        Number of trials by scale.
    axes : Axes
    readings : mapping
        Readings that are marked by name.
    tables : tuple of mapping
        What is computed, and what it is compared with.
    corrected : tuple
        What of the print is corrected before it is compared.
    given : mapping
        ``axes``, ``widths``, ``base`` and ``readings`` as they are given. The text of the record shows them, not what is made
        of them, since the text of an array is cut short.
    """

    trials: Mapping[str, int]
    axes: Axes = field(repr=False, compare=False)
    readings: Mapping[str, Reading] = field(repr=False)
    tables: tuple[Mapping[str, Any], ...]
    corrected: tuple[Any, ...]
    given: Mapping[str, Any]

    @classmethod
    def read(cls, parsed: Mapping[str, Any]) -> MultiverseExperiment:
        """Return the typed experiment of a parsed one."""
        where = f"experiment {parsed.get('id', '?')!r}"
        axes = every_axis.parsed(parsed["axes"], parsed["widths"], parsed.get("base", {}), where)
        readings = {
            name: axes.reading(levels, f"{where}, reading {name!r}") for name, levels in parsed["readings"].items()
        }
        return cls(
            **Experiment.common(parsed),
            trials=parsed["trials"],
            axes=axes,
            readings=readings,
            tables=tuple(parsed["tables"]),
            corrected=tuple(parsed.get("corrected", ())),
            given={key: parsed[key] for key in ("axes", "widths", "base", "readings") if key in parsed},
        )
