"""Everything that experiments may name, resolved and checked: pure functions over parsed dictionaries, no files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from kinseq.clustering import registry as clusterer_registry
from kinseq.core.errors import ConfigError, unknown_name
from kinseq.core.registries import Registered, completed
from kinseq.measures import registry as measure_registry
from kinseq.models.kinds import registry as kind_registry

from . import readings as taken
from .batches import parse_trials, trials_slug
from .data import registry as data_registry
from .problems import registry as estimation_registry

SCALES = ("quick", "thesis")


@dataclass(frozen=True)
class Catalogue:
    """Entries that experiments may name, and the settings of a run that decide which jobs there are.

    Attributes
    ----------
    datasets, models, measures, clusterers, problems, estimators, experiments : mapping
        Name to entry. Measures, clusterers, problems and estimators hold every registered name and every named variant,
        each resolved to ``{kind: registered name, "params": {...}, "label": ...}``, where the kind is ``"measure"``,
        ``"clusterer"``, ``"problem"`` or ``"estimator"``. Models, measures and clusterers also hold those that experiments
        take under a reading (:mod:`kinseq_documents.readings`).
    scale : {"quick", "thesis"}
    batch : mapping
        How many ``trials``, ``models``, ``measures`` and ``problems`` (1 if not given) share a job, and how many trials do of
        what takes long (``heavy_trials``) or hardly any time (``light_trials``), as many as others if not given. No number
        depends on it.
    missing : mapping
        Data set that cannot be had to the reason.
    shared : mapping
        Data set, measure and trials to the measures whose matrices one job makes together with it, whichever experiments
        require them; see :func:`kinseq_documents.kinds.matrices.shared`.
    readings : mapping
        Name to reading, each with all that it takes over from another (:func:`kinseq_documents.readings.settled`).
    """

    datasets: Mapping[str, Mapping[str, Any]]
    models: Mapping[str, Mapping[str, Any]]
    measures: Mapping[str, Mapping[str, Any]]
    clusterers: Mapping[str, Mapping[str, Any]]
    problems: Mapping[str, Mapping[str, Any]]
    estimators: Mapping[str, Mapping[str, Any]]
    experiments: Mapping[str, Mapping[str, Any]]
    scale: str = "quick"
    batch: Mapping[str, int] = field(default_factory=lambda: {"trials": 10, "models": 4, "measures": 8, "problems": 8})
    missing: Mapping[str, str] = field(default_factory=dict)
    shared: Mapping[tuple[str, str, tuple[int, ...]], tuple[str, ...]] = field(default_factory=dict)
    readings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    # Experiments of a catalogue by their kinds, built once by kinseq_documents.plan.planned.
    kinds: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)


def at_scale(datasets: Mapping[str, Mapping[str, Any]], scale: str) -> dict[str, dict[str, Any]]:
    """Return entries of ``datasets.yaml`` at a scale: keys under ``quick`` apply to that scale only."""
    return {
        name: {key: value for key, value in entry.items() if key != "quick"}
        | (dict(entry.get("quick", {})) if scale == "quick" else {})
        for name, entry in datasets.items()
    }


def merged(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return a mapping with the values of another put before its own; where both have a mapping, these are merged alike."""
    both = {key: merged(base[key], own[key]) for key in own if _maps(base.get(key)) and _maps(own[key])}
    return {**base, **own, **both}


def _maps(value: Any) -> bool:
    return isinstance(value, Mapping)


def params_at_scale(entry: Mapping[str, Any], scale: str) -> dict[str, Any]:
    """Return parameters of an entry; at the scale quick those under ``quick`` count before the others."""
    quick = entry.get("quick", {}).get("params", {}) if scale == "quick" else {}
    return merged(entry.get("params", {}), quick)


def _taken_over(where: str, name: str, variants: Mapping[str, Any]) -> dict[str, Any]:
    """Return a variant completed by the one that it is based on, recursively."""
    chain = [name]
    while (base := variants[chain[-1]].get("based_on")) is not None:
        if base not in variants:
            raise ConfigError(f"{where} {chain[-1]!r}, based_on: {unknown_name('variant', base, variants)}")
        if base in chain:
            raise ConfigError(f"{where} {name!r}: is based on itself ({' on '.join([*chain, base])}); cut the circle")
        chain.append(base)
    entry: dict[str, Any] = {}
    for each in reversed(chain):
        entry = merged(entry, {key: value for key, value in variants[each].items() if key != "based_on"})
    return entry


def _variants(
    kind: str, variants: Mapping[str, Any], entries: Mapping[str, Any], scale: str
) -> dict[str, dict[str, Any]]:
    """Registered names as they are, and the named variants of them."""
    resolved = {name: {kind: name, "params": {}, "label": entry.fields["label"]} for name, entry in entries.items()}
    of_kind = variants.get(f"{kind}s", {})
    for name in of_kind:
        entry = _taken_over(f"{kind} variant", name, of_kind)
        if name in entries:
            raise ConfigError(f"{kind} variant {name!r} has the name of a registered {kind}; give it another name")
        base = entry.get(kind)
        if base not in entries:
            raise ConfigError(f"{kind} variant {name!r}: {unknown_name(kind, base, entries)}")
        params = params_at_scale(entry, scale)
        resolved[name] = {kind: base, "params": params, "label": of_kind[name].get("label", name)}
    return resolved


def resolve(
    datasets: Mapping[str, Any],
    models: Mapping[str, Any],
    variants: Mapping[str, Any],
    experiments: Mapping[str, Any],
    **settings: Any,
) -> Catalogue:
    """Resolve names in the parsed configuration; refuse unknown loaders, and unknown bases of variants.

    Arguments are the contents of the files of ``config/``, experiments by their ids and as they are at the scale.
    `settings` are `scale`, `batch` and `missing` of :class:`Catalogue`, and `readings`, the content of ``readings.yaml``.
    """
    readings = taken.settled(settings.pop("readings", {}))
    scale = settings.get("scale", SCALES[0])
    if scale not in SCALES:
        raise ConfigError(f"config: {unknown_name('scale', settings['scale'], SCALES)}")
    loaders = data_registry.modules()
    for name, entry in datasets.items():
        if entry["loader"] not in loaders:
            raise ConfigError(f"data set {name!r}: {unknown_name('loader', entry['loader'], loaders)}")
    for name in datasets:
        _require_chain(datasets, name)
        _require_base(datasets, loaders, name)
        _require_same_items(datasets, loaders, name)
    for name, entry in models.items():
        kind_registry.check_entry(name, entry)
    problems, estimators = estimation_registry.problems(), estimation_registry.estimators()
    for kind, entries in (("problem", problems), ("estimator", estimators)):
        for name, entry in variants.get(f"{kind}s", {}).items():
            if entry[kind] in entries:
                completed(f"{kind} variant", name, entry.get("params", {}), entries[entry[kind]].fields["params"])
    own = {
        "model": models,
        "measure": _variants("measure", variants, measure_registry.modules(), scale),
        "clusterer": _variants(
            "clusterer", variants, {**clusterer_registry.modules(), **clusterer_registry.segmenters()}, scale
        ),
    }
    pairs = taken.used(experiments.values())
    under = {of: taken.with_readings(of, entries, pairs[of], readings) for of, entries in own.items()}
    return Catalogue(
        datasets=datasets,
        models=under["model"],
        measures=under["measure"],
        clusterers=under["clusterer"],
        problems=_variants("problem", variants, problems, scale),
        estimators=_variants("estimator", variants, estimators, scale),
        experiments=experiments,
        readings=readings,
        **settings,
    )


def _require_chain(datasets: Mapping[str, Any], name: str) -> None:
    """Refuse a data set that stands in for one that is not known, or, over others, for itself."""
    chain = [name]
    while (stood_for := datasets[chain[-1]].get("stand_in_for")) is not None:
        if stood_for not in datasets:
            raise ConfigError(f"data set {chain[-1]!r}, stand_in_for: {unknown_name('data set', stood_for, datasets)}")
        if stood_for in chain:
            raise ConfigError(
                f"data set {name!r}: stands in for itself ({' for '.join([*chain, stood_for])}); cut the circle"
            )
        chain.append(stood_for)


def _require_base(datasets: Mapping[str, Any], loaders: Mapping[str, Registered], name: str) -> None:
    """Refuse derived data of data that are not generated, and other data that name some."""
    base, kind = datasets[name].get("derived_from"), _kind(loaders, datasets[name])
    if kind == "derived" and base is None:
        raise ConfigError(f"data set {name!r}: its loader makes data of other data; name them under 'derived_from'")
    if base is None:
        return
    if kind != "derived":
        raise ConfigError(
            f"data set {name!r}: loader {datasets[name]['loader']!r} takes no other data; leave 'derived_from' out"
        )
    if base not in datasets:
        raise ConfigError(f"data set {name!r}, derived_from: {unknown_name('data set', base, datasets)}")
    if _kind(loaders, datasets[base]) != "generated":
        raise ConfigError(f"data set {name!r}: is derived from {base!r}, which is not generated; name data that are")


def _require_same_items(datasets: Mapping[str, Any], loaders: Mapping[str, Registered], name: str) -> None:
    """Refuse data that are said to be the same items as others and differ from them in more than their classes."""
    other = datasets[name].get("same_items_as")
    if other is None:
        return
    if other not in datasets:
        raise ConfigError(f"data set {name!r}, same_items_as: {unknown_name('data set', other, datasets)}")
    free = loaders[datasets[name]["loader"]].fields["labelling"]

    def fixed(entry: Mapping[str, Any]) -> dict[str, Any]:
        """Return the dependencies of the items of an entry."""
        params = {key: value for key, value in entry.get("params", {}).items() if key not in free}
        return {key: entry.get(key) for key in ("loader", "folder", "files")} | params

    mine, others = fixed(datasets[name]), fixed(datasets[other])
    differing = sorted(key for key in {**mine, **others} if mine.get(key) != others.get(key))
    if differing:
        raise ConfigError(
            f"data set {name!r}: is said to have the same items as {other!r}, but differs in {differing[0]!r}; only"
            f" {', '.join(free) or 'nothing'} may differ with this loader, or leave 'same_items_as' out"
        )
    if _kind(loaders, datasets[name]) != "files" or "same_items_as" in datasets[other]:
        raise ConfigError(
            f"data set {name!r}, same_items_as: names {other!r}, which is generated or has itself the same items as another;"
            " name data in files that stand for themselves"
        )


def same_items(cat: Catalogue, dataset: str) -> str:
    """Return the data set that holds the same items, if one is named; itself otherwise."""
    return str(cat.datasets[dataset].get("same_items_as", dataset))


def _kind(loaders: Mapping[str, Registered], entry: Mapping[str, Any]) -> str:
    return str(loaders[entry["loader"]].fields["kind"])


def is_wanted(cat: Catalogue, dataset: str) -> bool:
    """Return whether the data that a data set stands in for are missing, and those that these stand in for.

    True of one that stands in for nothing.
    """
    stood_for = cat.datasets[dataset].get("stand_in_for")
    return stood_for is None or (stood_for in cat.missing and is_wanted(cat, stood_for))


def require(where: str, kind: str, names: Iterable[str], valid: Iterable[str]) -> None:
    """Refuse a name that is not known, with the valid ones."""
    known = list(valid)
    for name in names:
        if name not in known:
            raise ConfigError(f"{where}: {unknown_name(kind, name, known)}")


def draws_per_trial(cat: Catalogue, dataset: str) -> bool:
    """Return whether the data or the tasks of a data set differ between trials."""
    loader = data_registry.modules()[cat.datasets[dataset]["loader"]]
    return generated(cat, dataset) or bool(loader.fields["tasks"] and loader.fields["draws"])


def generated(cat: Catalogue, dataset: str) -> bool:
    """Return whether a data set is made here rather than read from files."""
    return _kind(data_registry.modules(), cat.datasets[dataset]) != "files"


def base_files(cat: Catalogue, dataset: str, trials: str) -> list[str]:
    """Return files that derived data are made of, one a trial, relative to the results: each is shared by all that need it."""
    base = cat.datasets[dataset].get("derived_from")
    return [f"sequences/{base}/{trials_slug([trial])}.npz" for trial in parse_trials(trials)] if base else []


def sequences_file(cat: Catalogue, dataset: str, trials: str) -> str:
    """Return which file of sequences serves some trials of a data set, relative to the results."""
    return f"sequences/{dataset}/{trials if draws_per_trial(cat, dataset) else 'all'}.npz"
