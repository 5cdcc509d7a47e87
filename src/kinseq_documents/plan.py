"""From parsed configuration to what a run makes: pure functions over dictionaries, no files, no workflow engine.

What differs between kinds of experiments stands in :mod:`kinseq_documents.kinds`; here is what all of them share.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from types import ModuleType
from typing import Any

from kinseq.core.errors import ConfigError, unknown_name
from kinseq.metrics import registry as metric_registry
from kinseq_drawing import layout

from . import catalogue as names
from .catalogue import Catalogue
from .kinds import DEFAULT, KINDS, comparison, drawing


def kind_name(experiment: object, where: str) -> str:
    """Kind of an experiment, which its schema is called after.

    Raises
    ------
    ConfigError
        If there is no such kind; the message lists the valid names.
    """
    kind = experiment.get("kind", DEFAULT) if isinstance(experiment, Mapping) else DEFAULT
    if not isinstance(kind, str) or kind not in KINDS:
        raise ConfigError(f"{where}: {unknown_name('kind', kind, KINDS)}")
    return kind


def require_id(experiment: Mapping[str, Any], stem: str, where: str) -> None:
    """Raise :class:`ConfigError` unless an experiment is called like its file, as its results are."""
    if experiment["id"] != stem:
        raise ConfigError(
            f"{where}: has the id {experiment['id']!r}, but files of results are named {stem!r}; make them one"
        )


def kind_of(experiment: Mapping[str, Any]) -> ModuleType:
    """Module of the kind of an experiment."""
    return KINDS[kind_name(experiment, f"experiment {experiment.get('id', '?')!r}")]


def catalogue(
    datasets: Mapping[str, Any],
    models: Mapping[str, Any],
    variants: Mapping[str, Any],
    experiments: Mapping[str, Any],
    **settings: Any,
) -> Catalogue:
    """Resolve and check the parsed configuration.

    Parameters
    ----------
    datasets, models : mapping
        Contents of ``datasets.yaml`` and ``models.yaml``.
    variants : mapping
        Contents of ``variants.yaml``: ``measures``, ``clusterers``, ``problems`` and ``estimators``.
    experiments : mapping
        Experiment id to its parsed YAML.
    **settings
        `scale`, `batch` and `missing` of :class:`~kinseq_documents.catalogue.Catalogue`.

    Raises
    ------
    ConfigError
        If a name is not known; the message says where and lists the valid ones.
    """
    made = names.resolve(datasets, models, variants, experiments, **settings)
    for experiment in experiments.values():
        kind_of(experiment).check(made, experiment)
    return made


at_scale, base_files, sequences_file = names.at_scale, names.base_files, names.sequences_file


def chosen(cat: Catalogue, wanted: str | Sequence[str]) -> list[str]:
    """Ids of the experiments of a run: all of them, or those that are named."""
    if wanted == "all":
        return list(cat.experiments)
    names.require("config, experiments", "experiment", wanted, cat.experiments)
    return list(wanted)


def of_kind(cat: Catalogue, kind: str) -> list[str]:
    """Ids of the experiments of one kind."""
    return [name for name, experiment in cat.experiments.items() if kind_of(experiment) is KINDS[kind]]


def chapters(cat: Catalogue) -> dict[str, list[str]]:
    """Chapter to the ids of its experiments, in the order of the names of the chapters."""
    found: dict[str, list[str]] = {}
    for name, experiment in cat.experiments.items():
        found.setdefault(experiment["chapter"], []).append(name)
    return dict(sorted(found.items()))


def items(cat: Catalogue) -> dict[str, list[str]]:
    """Printed item, as ``S_fig6``, to the experiments that regenerate it; those that are named so themselves are left out."""
    found: dict[str, list[str]] = {}
    for name, experiment in cat.experiments.items():
        for source in experiment["sources"]:
            found.setdefault(f"{source['document']}_{source['item']}", []).append(name)
    return {item: members for item, members in sorted(found.items()) if item not in cat.experiments}


def is_scored(cat: Catalogue, experiment: str) -> bool:
    """Whether an experiment leaves a table of scores."""
    return bool(kind_of(cat.experiments[experiment]).is_scored(cat.experiments[experiment]))


def has_table(cat: Catalogue, experiment: str) -> bool:
    """Whether the results of an experiment are rendered as a table."""
    return is_scored(cat, experiment)


def has_figure(cat: Catalogue, experiment: str) -> bool:
    """Whether the results of an experiment are rendered as a figure; a drawing renders itself."""
    return bool(layout.figure_files(cat.experiments[experiment]))


def products(cat: Catalogue, experiment: str) -> list[str]:
    """Every file that an experiment leaves, relative to the results."""
    found: list[str] = kind_of(cat.experiments[experiment]).products(cat.experiments[experiment])
    return found


def rendered_files(cat: Catalogue, experiment: str) -> dict[str, Any]:
    """Files, or lists of files, that table and figure of an experiment are made from; printed numbers are not among them."""
    entry, wanted = cat.experiments[experiment], set(layout.figure_files(cat.experiments[experiment]))
    found: dict[str, Any] = {}
    if is_scored(cat, experiment):
        found["scores"] = f"scores/{experiment}.csv"
    if "timings" in wanted:
        found["timings"] = f"timings/{experiment}.csv"
    if "partitions" in wanted:
        found["sequences"] = comparison.sequences_of(cat, entry)
        found["partitions"] = [job.file for job in comparison.jobs(cat, entry)]
    return found


def upstream(cat: Catalogue, experiment: str) -> list[str]:
    """Files of the jobs that an experiment's results are made from, one a job, relative to the results."""
    found = kind_of(cat.experiments[experiment]).upstream(cat, cat.experiments[experiment])
    return list(dict.fromkeys(found))


def usage_files(files: Iterable[str]) -> list[str]:
    """Where jobs leave what they used: beside the file of each, under the folder of the benchmarks."""
    return [str(PurePosixPath(file).with_suffix(".tsv")) for file in files]


def metrics(cat: Catalogue, experiment: str) -> list[str]:
    """Metrics that an experiment computes."""
    return metric_registry.asked_for(cat.experiments[experiment])


def metric_modules(cat: Catalogue, experiments: Iterable[str]) -> list[str]:
    """Modules that register the metrics that some experiments compute."""
    return metric_registry.modules_of({name for experiment in experiments for name in metrics(cat, experiment)})


def labels(cat: Catalogue, experiments: Iterable[str]) -> dict[str, str]:
    """Printed names of what experiments use, and of nothing else: a new entry must not change their jobs."""
    found: dict[str, str] = {}
    for experiment in experiments:
        found |= kind_of(cat.experiments[experiment]).labels(cat, cat.experiments[experiment])
    return found


def datasets(cat: Catalogue, experiment: str) -> list[str]:
    """Data sets that an experiment names, in its order."""
    found: list[str] = kind_of(cat.experiments[experiment]).datasets(cat.experiments[experiment])
    return found


def missing(cat: Catalogue, experiment: str) -> dict[str, str]:
    """Data sets of an experiment that cannot be had, with the reason."""
    return {name: cat.missing[name] for name in datasets(cat, experiment) if name in cat.missing}


def nothing_to_draw(cat: Catalogue, experiment: str) -> dict[str, str]:
    """The reasons, if none of the data that an experiment needs can be had."""
    found = missing(cat, experiment)
    return found if set(found) == set(datasets(cat, experiment)) else {}


def stand_ins(cat: Catalogue, experiment: str) -> list[str]:
    """Titles of the data that stand in for missing ones in the figure of an experiment.

    A strip shows one data set, whatever the table beside it holds.
    """
    entry = cat.experiments[experiment]
    used = drawing.shown(cat, entry) if kind_of(entry) is drawing else datasets(cat, experiment)
    only = entry.get("render", {}).get("strip", {}).get("dataset")
    used = [name for name in used if only in (None, name)]
    named = [name for name in used if name not in cat.missing and names.is_wanted(cat, name)]
    return [cat.datasets[name]["title"] for name in named if cat.datasets[name].get("stand_in_for")]
