"""From parsed configuration to the outputs of a run: pure functions over dictionaries, no files, no workflow engine.

What differs between kinds of experiments stands in :mod:`kinseq_documents.kinds`; here is what all of them share.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
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
    :class:`~kinseq_documents.catalogue.Catalogue`, `readings`, and `missing` where it is known: see :func:`with_availability`.
    """
    scale = settings.get("scale", names.SCALES[0])
    kinds = {name: KINDS[kind_name(parsed, f"experiment {name!r}")] for name, parsed in experiments.items()}
    scaled = {name: kinds[name].at_scale(parsed, scale) for name, parsed in experiments.items()}
    missing = settings.pop("missing", {})
    resolved = names.resolve(datasets, models, variants, scaled, **settings)
    for experiment in experiments:
        planned(resolved, experiment).check()
    return with_availability(resolved, missing)


def with_availability(cat: Catalogue, missing: Mapping[str, str]) -> Catalogue:
    """Return the plan with unavailable data known: `missing` maps them to the reason.

    Files and settings of jobs depend on it; which experiments there are, what they leave, and the rules that make it do
    not.
    """
    updated = replace(cat, missing=dict(missing), shared={})
    every = [planned(updated, experiment) for experiment in cat.experiments]
    return replace(
        updated, shared=matrices.shared(updated, [wanted for one in every for wanted in one.wanted_matrices()])
    )


def planned(cat: Catalogue, experiment: str) -> Kind[Any]:
    """Return an experiment as its kind sees it, built once for each catalogue."""
    if experiment not in cat.kinds:
        parsed = cat.experiments[experiment]
        cat.kinds[experiment] = KINDS[kind_name(parsed, f"experiment {experiment!r}")](cat, parsed)
    one: Kind[Any] = cat.kinds[experiment]
    return one


def experiment_ids(cat: Catalogue, wanted: str | Sequence[str]) -> list[str]:
    """Return ids of the experiments of a run: all that are not kept apart, or those that are named."""
    if wanted == "all":
        return [name for name in cat.experiments if not planned(cat, name).is_on_request]
    names.require("config, experiments", "experiment", wanted, cat.experiments)
    return list(wanted)


def experiments_of_rule(cat: Catalogue, rule: str) -> list[str]:
    """Return ids of the experiments whose results a rule of the workflow makes, each in a job of its own."""
    together = {name for members in batched_experiments(cat).values() for name in members}
    return [name for name in cat.experiments if name not in together and planned(cat, name).rule == rule]


def batched_experiments(cat: Catalogue) -> dict[str, list[str]]:
    """Return experiments that share a job: name of the job to their ids."""
    every = [planned(cat, name) for name in cat.experiments]
    groups: dict[str, list[str]] = {}
    for kind in KINDS.values():
        groups |= kind.batched_experiments([one for one in every if isinstance(one, kind)])
    return groups


def drawing_jobs(cat: Catalogue) -> dict[str, list[str]]:
    """Job to the ids of the drawings that it makes; a job of one drawing is named after it."""
    return {name: [name] for name in experiments_of_rule(cat, "drawings")} | batched_experiments(cat)


def chapters(cat: Catalogue) -> dict[str, list[str]]:
    """Chapter to the ids of its experiments that are not kept apart, in the order of the names of the chapters."""
    experiments_of: dict[str, list[str]] = {}
    for name in experiment_ids(cat, "all"):
        experiments_of.setdefault(planned(cat, name).experiment.chapter, []).append(name)
    return dict(sorted(experiments_of.items()))


def items(cat: Catalogue) -> dict[str, list[str]]:
    """Printed item, as ``S_fig6``, to the experiments that regenerate it; those that are named so themselves are left out."""
    experiments_of: dict[str, list[str]] = {}
    for name in cat.experiments:
        for document, item in planned(cat, name).experiment.sources:
            experiments_of.setdefault(f"{document}_{item}", []).append(name)
    return {item: members for item, members in sorted(experiments_of.items()) if item not in cat.experiments}


def documents(experiments: Mapping[str, Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the document to the ids of the experiments that regenerate something of it, by the parsed experiments.

    One that is in no print belongs to the document that others of its chapter are first of; if there is none, to no
    document. One that is kept apart belongs to none either.
    """
    experiments = {name: parsed for name, parsed in experiments.items() if not parsed.get("on_request")}
    printed_in = {
        name: list(dict.fromkeys(str(source["document"]) for source in parsed.get("sources") or ()))
        for name, parsed in experiments.items()
    }
    of_chapter = {
        parsed.get("chapter"): printed_in[name][0] for name, parsed in experiments.items() if printed_in[name]
    }
    experiments_of: dict[str, list[str]] = {}
    for name, parsed in experiments.items():
        home = of_chapter.get(parsed.get("chapter"))
        for document in printed_in[name] or ([home] if home else []):
            experiments_of.setdefault(document, []).append(name)
    return dict(sorted(experiments_of.items()))


def configuration(cat: Catalogue, experiment: str) -> dict[str, Any]:
    """Collect the configuration of an experiment at the scale of the catalogue, by the kind of entry.

    It consists of the experiment's own file and every entry that is named there or in such an entry. Further trials do not count.
    """
    tables = {
        "datasets": cat.datasets,
        "models": cat.models,
        "measures": cat.measures,
        "clusterers": cat.clusterers,
        "problems": cat.problems,
        "estimators": cat.estimators,
        "readings": cat.readings,
    }
    own = {key: value for key, value in cat.experiments[experiment].items() if key != "further"}
    found: dict[str, Any] = {"scale": cat.scale, "experiment": _only(own, cat.scale)}
    waiting = _texts(found["experiment"])
    while waiting:
        name = waiting.pop()
        for kind, entries in tables.items():
            if name in entries and name not in found.setdefault(kind, {}):
                found[kind][name] = _only(entries[name], cat.scale)
                waiting += _texts(found[kind][name])
    return found


def _only(value: Any, scale: str) -> Any:
    """Return a parsed value, in which what is given by scale is that of one scale."""
    if isinstance(value, Mapping):
        if value and set(value) <= set(names.SCALES):
            return _only(value.get(scale), scale)
        return {str(key): _only(each, scale) for key, each in value.items()}
    return [_only(each, scale) for each in value] if isinstance(value, (list, tuple)) else value


def configuration_digest(cat: Catalogue, experiment: str, published: str = "") -> str:
    """Return the digest of :func:`configuration` and of the text of the printed numbers; code does not count."""
    text = json.dumps(configuration(cat, experiment), sort_keys=True, default=str)
    return hashlib.blake2b(f"{text}\0{published}".encode(), digest_size=8).hexdigest()


def shows_third_party(cat: Catalogue, experiment: str) -> bool:
    """Return whether the figure of an experiment shows items of data that are not generated here."""
    one = planned(cat, experiment)
    return one.shows_items and any(not names.generated(cat, name) for name in one.shown_datasets())


IN_PRINT, GENERATED, STAND_IN = "the documents' data", "generated", "stand-in"
"""Data that a claim is decided on."""


def data_kinds_of_claims(cat: Catalogue, experiment: str, in_print: Collection[str]) -> dict[str, str]:
    """Claim of an experiment to the data that it is decided on: one of :data:`IN_PRINT`, :data:`GENERATED`, :data:`STAND_IN`.

    Data sets that a claim names count, all of the experiment where it names none, as far as they can be had. One that stands in for
    another makes the whole a stand-in, and so does one that is not generated and not among those `in_print`, of which documents
    print numbers; of documents' and generated data the whole is generated. Problems of an estimation are generated.
    """
    one = planned(cat, experiment)
    had = [name for name in one.datasets() if name not in cat.missing and names.is_wanted(cat, name)]

    def kind(name: str) -> str:
        if cat.datasets.get(name, {}).get("stand_in_for"):
            return STAND_IN
        if names.generated(cat, name):
            return GENERATED
        return IN_PRINT if name in in_print else STAND_IN

    found = {}
    for claim in one.parsed.get("claims") or ():
        mentioned = set(_texts([claim.get("where", {}), claim["test"]]))
        kinds = {kind(name) for name in ([name for name in had if name in mentioned] or had)}
        found[str(claim["id"])] = next((each for each in (STAND_IN, GENERATED, IN_PRINT) if each in kinds), GENERATED)
    return found


def _texts(value: Any) -> list[str]:
    """Return every text in a parsed value, keys left out."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else ()
    return [text for each in inner for text in _texts(each)]


def home_document(cat: Catalogue, experiment: str) -> str:
    """Document that an experiment is shown with: the first of its own, or that of its chapter; empty if there is none."""
    sources = planned(cat, experiment).experiment.sources
    every = documents(cat.experiments)
    return sources[0][0] if sources else next((name for name, members in every.items() if experiment in members), "")


def with_table(cat: Catalogue) -> list[str]:
    """Return ids of the experiments whose scores are rendered as a table."""
    return [name for name in cat.experiments if planned(cat, name).is_scored]


def with_figure(cat: Catalogue) -> list[str]:
    """Return ids of the experiments whose scores or timings are rendered as a figure."""
    return [name for name in cat.experiments if planned(cat, name).has_figure]


def usage_files(files: Iterable[str]) -> list[str]:
    """Return the files in which jobs record their resources, one each, under the folder of the benchmarks."""
    return [str(PurePosixPath(file).with_suffix(".tsv")) for file in dict.fromkeys(files)]


def metric_modules(cat: Catalogue, experiments: Iterable[str]) -> list[str]:
    """Return modules that register the metrics that some experiments compute."""
    return metric_registry.modules_of(
        {name for experiment in experiments for name in planned(cat, experiment).metrics()}
    )


def modules(cat: Catalogue, experiments: Iterable[str]) -> list[str]:
    """Return modules that register the computations of the last jobs of some experiments."""
    return sorted({module for experiment in experiments for module in planned(cat, experiment).modules()})


def labels(cat: Catalogue, experiments: Iterable[str]) -> dict[str, str]:
    """Return the printed names of the entries that experiments use, so that a new entry does not change their jobs."""
    label_of: dict[str, str] = {}
    for experiment in experiments:
        label_of |= planned(cat, experiment).labels()
    return label_of


def readings(cat: Catalogue, experiments: Iterable[str]) -> dict[str, str]:
    """Return readings that experiments are shown under, to their printed names."""
    shown = dict.fromkeys(name for each in experiments for name in planned(cat, each).shown_readings)
    return {name: str(cat.readings[name].get("label", name)) for name in shown}


def families(cat: Catalogue, experiments: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return the family of each measure, clusterer, model and reading, by id.

    A family has variants of one measure or clusterer, settings of one model, or readings that change one.
    Only entries that the experiments use have a family. Clusterers that choose by the labels, and parts of a choice (a single
    run), are a family each.
    """
    used = labels(cat, experiments)
    sized = ("kind", "n_states", "n_components", "common")
    models = {
        name: " ".join(f"{key}={entry[key]}" for key in sized if key in entry) for name, entry in cat.models.items()
    }
    clusterers = {
        name: name if {"choose", "n_runs"} & set(entry.get("params", {})) else str(entry["clusterer"])
        for name, entry in cat.clusterers.items()
    }
    of_kind = {"model": models, "measure": {name: str(entry["measure"]) for name, entry in cat.measures.items()}}
    of_kind["clusterer"] = clusterers
    of_kind["reading"] = {name: str(entry.get("based_on", name)) for name, entry in cat.readings.items()}
    return {kind: {name: family for name, family in of.items() if name in used} for kind, of in of_kind.items()}


def listed(cat: Catalogue, experiments: Iterable[str]) -> list[dict[str, Any]]:
    """Return experiments as the front page of the results tells of them.

    Each is the arguments of :class:`~kinseq_documents.rendering.index.Entry`, and ``usage``: records of what its last
    jobs used, relative to the results.
    """
    shared = {name: job for job, members in batched_experiments(cat).items() for name in members}
    return [_listed(cat, planned(cat, name), shared.get(name, name)) for name in experiments]


def _listed(cat: Catalogue, one: Kind[Any], job: str) -> dict[str, Any]:
    experiment = one.experiment
    last = [f"drawings/{job}", f"tables/{experiment.id}", f"figures/{experiment.id}"]
    return {
        "id": experiment.id,
        "title": experiment.title,
        "chapter": experiment.chapter,
        "caption": str(one.parsed.get("render", {}).get("caption", "")),
        "sources": list(experiment.sources),
        "products": one.products(),
        "missing": {cat.datasets[name]["title"]: reason for name, reason in one.missing().items()},
        "stand_ins": one.stand_ins(),
        "nothing": bool(one.nothing_to_draw()),
        "usage": [f"benchmarks/{file}.tsv" for file in last],
    }
