"""Drawing: a figure without scores. What it shows is computed, saved beside it and drawn by one registered file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kinseq.core.errors import ConfigError, ParameterError

from ..catalogue import Catalogue, require, sequences_file
from ..drawings import registry
from . import products as files
from .comparison import Job, assigned, matrices_of

FIRST_TRIAL = (0,)


def check(cat: Catalogue, experiment: Mapping[str, Any]) -> None:
    """Refuse unknown names, and what a drawing needs and is not given."""
    where = f"experiment {experiment.get('id', '?')!r}"
    require(where, "drawing", [experiment["drawing"]], registry.modules())
    require(where, "dataset", experiment.get("datasets", ()), cat.datasets)
    require(where, "model", [experiment["model"]] if "model" in experiment else [], cat.models)
    require(where, "measure", [experiment["measure"]] if "measure" in experiment else [], cat.measures)
    defaults = registry.modules()[experiment["drawing"]].literals.get("params", {})
    try:
        registry.completed(experiment["drawing"], experiment.get("params", {}), defaults)
    except ParameterError as error:
        raise ConfigError(f"{where}: {error}") from error
    needs = registry.needs(experiment["drawing"])
    wanted = {"datasets": bool(needs), "measure": "distances" in needs}
    for key, needed in wanted.items():
        if needed and key not in experiment:
            raise ConfigError(f"{where}: drawing {experiment['drawing']!r} needs the key {key!r}; add it")
        if key in experiment and not needed:
            raise ConfigError(f"{where}: drawing {experiment['drawing']!r} takes no {key}; leave the key out")
    if "measure" in experiment:
        models = [experiment["model"]] if "model" in experiment else []
        if not assigned(cat, [experiment["measure"]], models):
            raise ConfigError(
                f"{where}: measure {experiment['measure']!r} needs a model of another kind; name one as model"
            )


def is_scored(experiment: Mapping[str, Any]) -> bool:
    """A drawing has no scores."""
    return False


def datasets(experiment: Mapping[str, Any]) -> list[str]:
    """Data sets of which the first that can be had is drawn."""
    return list(experiment.get("datasets", ()))


def labels(cat: Catalogue, experiment: Mapping[str, Any]) -> dict[str, str]:
    """Printed names of what an experiment uses."""
    return {name: cat.datasets[name]["title"] for name in datasets(experiment)}


def shown(cat: Catalogue, experiment: Mapping[str, Any]) -> list[str]:
    """The data set that is drawn, as a list that is empty if none is needed or none can be had."""
    return [name for name in datasets(experiment) if name not in cat.missing][:1]


def inputs(cat: Catalogue, experiment: Mapping[str, Any]) -> dict[str, str]:
    """Files that a drawing is computed from, relative to the results, by what it needs."""
    found: dict[str, str] = {}
    for dataset in shown(cat, experiment):
        measure = experiment.get("measure")
        if measure:
            model = assigned(cat, [measure], [experiment["model"]] if "model" in experiment else [])[measure]["models"]
            items = matrices_of(cat, dataset, [measure])
            found["distances"] = Job(dataset, tuple(model), (measure,), (), FIRST_TRIAL, (measure,), items).file
        found["sequences"] = sequences_file(cat, dataset, "t000-000")
    return found


def made_together(cat: Catalogue) -> dict[str, list[str]]:
    """Drawings that one job makes: name of the job to their ids.

    Half of the time of such a job goes into imports, so that drawings of one chapter and one module that are computed from
    the same files, or from none, share them. A drawing that makes a page or a table has a job of its own.
    """
    found: dict[tuple[Any, ...], list[str]] = {}
    for name, experiment in cat.experiments.items():
        if "drawing" in experiment and forms(experiment) == ("figure",):
            module = registry.modules()[experiment["drawing"]].module.rpartition(".")[2]
            given = [*datasets(experiment), *(experiment[key] for key in ("model", "measure") if key in experiment)]
            files = tuple(sorted(inputs(cat, experiment).items()))
            found.setdefault((experiment["chapter"], module, *given, files), []).append(name)
    return {f"drawings_{ids[0]}_and_{len(ids) - 1}_more": ids for ids in found.values() if len(ids) > 1}


def products(experiment: Mapping[str, Any]) -> list[str]:
    """Every file that a drawing leaves, relative to the results: the arrays that it shows, and each of its forms."""
    left = {
        "figure": files.of_figure(experiment),
        "page": [f"figures/{experiment['id']}.html"],
        "table": files.of_table(experiment),
    }
    return [*(file for form in forms(experiment) for file in left[form]), f"figures/{experiment['id']}.npz"]


def forms(experiment: Mapping[str, Any]) -> tuple[str, ...]:
    """What a drawing makes: a ``figure``, a ``page``, a ``table``, in this order."""
    name = experiment["drawing"]
    has = {"figure": registry.has_figure, "page": registry.has_page, "table": registry.has_table}
    return tuple(form for form, known in has.items() if known(name))


def upstream(cat: Catalogue, experiment: Mapping[str, Any]) -> list[str]:
    """A drawing has no table of timings, so that nothing stands behind one."""
    return []


def modules(experiment: Mapping[str, Any]) -> list[str]:
    """The module that registers the drawing."""
    return [registry.modules()[experiment["drawing"]].module]
