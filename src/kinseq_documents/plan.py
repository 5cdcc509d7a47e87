"""From parsed configuration to what a run makes: pure functions over dictionaries, no files, no workflow engine.

What differs between kinds of experiments stands in :mod:`kinseq_documents.kinds`; here is what all of them share.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from kinseq.core.errors import ConfigError, unknown_name
from kinseq.metrics import registry as metric_registry

from . import catalogue as names
from .catalogue import Catalogue
from .kinds import DEFAULT, KINDS, matrices
from .kinds.base import Kind


def kind_name(experiment: object, where: str) -> str:
    """Kind of an experiment, which its schema is called after; one that is not known is refused."""
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


def catalogue(
    datasets: Mapping[str, Any],
    models: Mapping[str, Any],
    variants: Mapping[str, Any],
    experiments: Mapping[str, Any],
    **settings: Any,
) -> Catalogue:
    """Resolve and check the parsed configuration; a name that is not known is refused, with where and the valid ones.

    Arguments are the contents of the files of ``config/``, experiments by their ids; ``variants.yaml`` holds
    ``measures``, ``clusterers``, ``problems`` and ``estimators``. `settings` are `scale` and `batch` of
    :class:`~kinseq_documents.catalogue.Catalogue`, and `missing` where it is known: see :func:`knowing`.
    """
    scale = settings.get("scale", names.SCALES[0])
    kinds = {name: KINDS[kind_name(parsed, f"experiment {name!r}")] for name, parsed in experiments.items()}
    scaled = {name: kinds[name].at_scale(parsed, scale) for name, parsed in experiments.items()}
    missing = settings.pop("missing", {})
    resolved = names.resolve(datasets, models, variants, scaled, **settings)
    for experiment in experiments:
        planned(resolved, experiment).check()
    return knowing(resolved, missing)


def knowing(cat: Catalogue, missing: Mapping[str, str]) -> Catalogue:
    """The same, where it is known which data cannot be had: `missing` maps them to the reason.

    Files and settings of jobs depend on it; which experiments there are, what they leave, and the rules that make it do
    not.
    """
    updated = replace(cat, missing=dict(missing), shared={})
    every = [planned(updated, experiment) for experiment in cat.experiments]
    return replace(
        updated, shared=matrices.shared(updated, [wanted for one in every for wanted in one.wanted_matrices()])
    )


def planned(cat: Catalogue, experiment: str) -> Kind[Any]:
    """An experiment as its kind sees it."""
    parsed = cat.experiments[experiment]
    return KINDS[kind_name(parsed, f"experiment {experiment!r}")](cat, parsed)


at_scale, base_files, sequences_file = names.at_scale, names.base_files, names.sequences_file


def experiment_ids(cat: Catalogue, wanted: str | Sequence[str]) -> list[str]:
    """Ids of the experiments of a run: all of them, or those that are named."""
    if wanted == "all":
        return list(cat.experiments)
    names.require("config, experiments", "experiment", wanted, cat.experiments)
    return list(wanted)


def made_by(cat: Catalogue, rule: str) -> list[str]:
    """Ids of the experiments whose results a rule of the workflow makes, each in a job of its own."""
    together = {name for members in made_together(cat).values() for name in members}
    return [name for name in cat.experiments if name not in together and planned(cat, name).rule == rule]


def made_together(cat: Catalogue) -> dict[str, list[str]]:
    """Experiments that share a job: name of the job to their ids."""
    every = [planned(cat, name) for name in cat.experiments]
    groups: dict[str, list[str]] = {}
    for kind in KINDS.values():
        groups |= kind.made_together([one for one in every if isinstance(one, kind)])
    return groups


def chapters(cat: Catalogue) -> dict[str, list[str]]:
    """Chapter to the ids of its experiments, in the order of the names of the chapters."""
    experiments_of: dict[str, list[str]] = {}
    for name in cat.experiments:
        experiments_of.setdefault(planned(cat, name).experiment.chapter, []).append(name)
    return dict(sorted(experiments_of.items()))


def items(cat: Catalogue) -> dict[str, list[str]]:
    """Printed item, as ``S_fig6``, to the experiments that regenerate it; those that are named so themselves are left out."""
    experiments_of: dict[str, list[str]] = {}
    for name in cat.experiments:
        for document, item in planned(cat, name).experiment.sources:
            experiments_of.setdefault(f"{document}_{item}", []).append(name)
    return {item: members for item, members in sorted(experiments_of.items()) if item not in cat.experiments}


def is_scored(cat: Catalogue, experiment: str) -> bool:
    """Whether an experiment leaves a table of scores."""
    return planned(cat, experiment).is_scored


def rendered_as(cat: Catalogue, table: bool, figure: bool) -> list[str]:
    """Ids of the experiments whose results are rendered as a table, a figure, or both."""
    every = {name: planned(cat, name) for name in cat.experiments}
    return [name for name, one in every.items() if (one.is_scored, one.has_figure) == (table, figure)]


def products(cat: Catalogue, experiment: str) -> list[str]:
    """Every file that an experiment leaves, relative to the results."""
    return planned(cat, experiment).products()


def rendered_files(cat: Catalogue, experiment: str) -> dict[str, Any]:
    """Files, or lists of files, that table and figure of an experiment are made from; printed numbers are not among them."""
    return planned(cat, experiment).rendered_files()


def upstream(cat: Catalogue, experiment: str) -> list[str]:
    """Files of the jobs that an experiment's results are made from, one a job, relative to the results."""
    return list(dict.fromkeys(planned(cat, experiment).upstream()))


def usage_files(files: Iterable[str]) -> list[str]:
    """Where jobs leave what they used: beside the file of each, under the folder of the benchmarks."""
    return [str(PurePosixPath(file).with_suffix(".tsv")) for file in files]


def metrics(cat: Catalogue, experiment: str) -> list[str]:
    """Metrics that an experiment computes."""
    return planned(cat, experiment).metrics()


def metric_modules(cat: Catalogue, experiments: Iterable[str]) -> list[str]:
    """Modules that register the metrics that some experiments compute."""
    return metric_registry.modules_of({name for experiment in experiments for name in metrics(cat, experiment)})


def modules(cat: Catalogue, experiments: Iterable[str]) -> list[str]:
    """Modules that register what the last jobs of some experiments compute."""
    return sorted({module for experiment in experiments for module in planned(cat, experiment).modules()})


def labels(cat: Catalogue, experiments: Iterable[str]) -> dict[str, str]:
    """Printed names of what experiments use, and of nothing else: a new entry must not change their jobs."""
    label_of: dict[str, str] = {}
    for experiment in experiments:
        label_of |= planned(cat, experiment).labels()
    return label_of


def missing(cat: Catalogue, experiment: str) -> dict[str, str]:
    """Data sets of an experiment that cannot be had, with the reason."""
    return planned(cat, experiment).missing()


def nothing_to_draw(cat: Catalogue, experiment: str) -> dict[str, str]:
    """The reasons, if none of the data that an experiment needs can be had."""
    return planned(cat, experiment).nothing_to_draw()


def stand_ins(cat: Catalogue, experiment: str) -> list[str]:
    """Titles of the data that stand in for missing ones in the figure of an experiment."""
    return planned(cat, experiment).stand_ins()


def listed(cat: Catalogue, experiments: Iterable[str]) -> list[dict[str, Any]]:
    """Experiments as the front page of the results tells of them.

    Each is the arguments of :class:`~kinseq_documents.rendering.index.Entry`, and ``usage``: records of what its last
    jobs used, relative to the results.
    """
    shared = {name: job for job, members in made_together(cat).items() for name in members}
    return [_listed(cat, planned(cat, name), shared.get(name, name)) for name in experiments]


def _listed(cat: Catalogue, one: Kind[Any], job: str) -> dict[str, Any]:
    experiment = one.experiment
    last = [f"drawings/{job}", f"tables/{experiment.id}", f"figures/{experiment.id}"]
    return {
        "id": experiment.id,
        "title": experiment.title,
        "chapter": experiment.chapter,
        "caption": str(experiment.parsed.get("render", {}).get("caption", "")),
        "sources": list(experiment.sources),
        "products": one.products(),
        "missing": {cat.datasets[name]["title"]: reason for name, reason in one.missing().items()},
        "stand_ins": one.stand_ins(),
        "nothing": bool(one.nothing_to_draw()),
        "usage": [f"benchmarks/{file}.tsv" for file in last],
    }
