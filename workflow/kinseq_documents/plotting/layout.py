"""The ``render`` entry of an experiment, checked and completed.

Needs nothing but Python, so that a plan can be checked before anything runs.

A table::

    render:
      kind: table
      rows: [dataset, model]           # keys that make the rows (default)
      columns: measure                 # the key that makes the columns (default)
      sections: [clusterer, reading]   # one block for each combination (default)
      order: [sym, bp, yy, por, kl_ll] # optional: the order of ids; what is not named follows as it comes
      variants: [sym_neg, kl_ll_ms_third]           # optional: measures in a block of their own after each section
      controls: [true_labels, random_labels, dtw]   # optional: measures in a block of their own at the end
      decimals: 1                      # optional, of regenerated numbers; what the metric's unit has otherwise
      caption: Clustering error ...    # optional; the title otherwise
      clusterers: [spectral]           # optional: show these and no others
      readings: [authors, modern]      # optional: show these and no others; those of the experiment otherwise
      metrics: {spectral: error}       # optional: clusterers whose metric is not the experiment's
      strip: {dataset: japanese_vowels, panels: [spectral, hierarchical]}   # optional: a figure of all trials
      cells:                           # optional, instead of a strip: a figure of all trials of some cells
        panels: [gauss_sets, gauss_sets_outliers]         # data sets, left to right
        columns: [{clusterer: sphere_packing}, {measure: mmd, clusterer: spectral}]
        lines: [bayes_error, random_labels]               # optional: controls drawn as lines

Keys of rows, columns and sections are ``dataset``, ``model``, ``measure``, ``clusterer``,
``reading``, ``x``, ``metric``. With ``metric`` the table shows every metric of the experiment, each with the decimals of its
unit; `metrics` has no effect then. `strip` may name its `measures`; they come in the order of `order` otherwise. It may name
its `models` too; others are left out then. Blocks and panels are those of the experiment's readings, or of `readings`.

Curves::

    render:
      kind: curves
      x_label: Mean sequence length (frames)
      panels: [spectral, hierarchical]   # clusterers, left to right
      lines: [sym, bp, yy, por, kl_ll]   # measures, in the order of the legend
      controls: [true_labels, random_labels, dtw]   # optional: drawn thin and grey
      y_label: Clustering error (%)      # optional; the metric's name otherwise
      x_scale: linear                    # optional: linear or log
      panel_key: dataset                 # optional: what `panels` names, clusterers otherwise
      rows: [bias, nmse]                 # optional: metrics, a row of panels each; the experiment's metric otherwise
      y_log: [nmse]                      # optional: metrics whose axis is logarithmic
      caption: ...                       # optional; the title otherwise

Figures of other kinds (see :mod:`kinseq_documents.plotting.array_figures`)::

    render:
      kind: hinton          # confusion matrix over all trials; a table of the scores stands next to it
      names: {normal: Normal, cyclic: Cyclic}       # classes in the order wanted, with the names to print
      panels: [nn_j, wang_j, sphere_packing]        # optional: measures or clusterers, a panel each
      clusterers: [spectral, sphere_packing]        # optional: show partitions by these and no others
    render:
      kind: scatter         # one finding of a measure against the metric, a point a trial, a colour a model
      x: loglik_per_frame
      x_label: Log-likelihood (nats per frame)
      panels: [spectral]
    render:
      kind: costs           # processor time against the size of the data, of an experiment that records seconds
      x_label: Number of sequences   # optional
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kinseq.core.errors import ConfigError, unknown_name
from kinseq.metrics import registry
from kinseq.plotting.style import label

from ..experiments import RenderedExperiment

KEYS = ("dataset", "model", "measure", "clusterer", "reading", "x", "metric")
"""Columns of scores that can form rows, columns or sections of a table."""

_TABLE = {
    "kind",
    "rows",
    "columns",
    "sections",
    "order",
    "variants",
    "controls",
    "caption",
    "decimals",
    "clusterers",
    "metrics",
    "strip",
    "cells",
    "readings",
}
_CURVES = {
    "kind",
    "x_label",
    "y_label",
    "panels",
    "panel_key",
    "lines",
    "controls",
    "rows",
    "x_scale",
    "y_log",
    "caption",
}
_PANEL_KEYS = ("clusterer", "dataset")


@dataclass(frozen=True)
class FigureKind:
    """A kind of figure: the files it is drawn from, and the keys of ``render`` where they need no check of their own."""

    files: tuple[str, ...]
    required: frozenset[str] = frozenset()
    optional: frozenset[str] = frozenset()


FIGURES: Mapping[str, FigureKind] = {
    "table": FigureKind(("scores", "published")),
    "curves": FigureKind(("scores",)),
    "hinton": FigureKind(
        ("sequences", "partitions"), frozenset({"names"}), frozenset({"caption", "panels", "clusterers"})
    ),
    "scatter": FigureKind(("scores",), frozenset({"x", "x_label", "panels"}), frozenset({"y_label", "caption"})),
    "costs": FigureKind(("timings",), frozenset(), frozenset({"x_label", "caption"})),
}
"""Every ``kind`` of ``render``. A table has a figure where it has a `strip` or `cells`."""

_STRIP = {"dataset", "panels", "measures", "models"}
_CELLS = {"panels", "columns", "lines"}
_CELL = {"measure", "model", "clusterer"}


SECTIONS = ("clusterer", "reading")
"""Columns that separate the blocks of a table if ``render`` does not say."""


@dataclass(frozen=True)
class Content:
    """Data that an experiment can show, by its kind.

    Attributes
    ----------
    files : tuple of str
        Names of files that it leaves, as in :data:`FIGURES`.
    metrics : tuple of str
        That it computes.
    measures, clusterers : tuple of str
        That there are results of.
    """

    files: tuple[str, ...]
    metrics: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    clusterers: tuple[str, ...] = ()


def shown_metrics(experiment: RenderedExperiment) -> list[str]:
    """Return metrics that table or figure of an experiment show, but for rows of curves."""
    metrics = experiment.render.get("metrics", {})
    if not isinstance(metrics, Mapping):
        raise ConfigError(
            f"experiment {experiment.id!r}: render: metrics is {metrics!r}, expected a metric by clusterer:"
            " {spectral: error}"
        )
    return [*([] if experiment.metric is None else [experiment.metric]), *metrics.values()]


def check(experiment: RenderedExperiment, content: Content | None = None) -> dict[str, Any]:
    """Check the ``render`` of an experiment and fill its defaults in; see the module.

    Without `content`, which is what the experiment has to show, it is not checked whether what is shown is there. The
    error names the experiment, the key and the valid names.
    """
    where = f"experiment {experiment.id!r}: render"
    render = {"caption": experiment.title or experiment.id, **experiment.render}
    kind = render.get("kind")
    if not isinstance(kind, str) or kind not in FIGURES:
        raise ConfigError(f"{where}: {unknown_name('kind', kind, FIGURES)}")
    metric = experiment.shown_metric
    checked = {"table": _check_table, "curves": _check_curves}.get(kind, _check_figure)(render, metric, where)
    if content is not None:
        _require_content(checked, content, metric, where)
    return checked


def _check_figure(render: Mapping[str, Any], metric: str, where: str) -> dict[str, Any]:
    kind = render["kind"]
    keys = FIGURES[kind]
    _check_keys(render, {"kind"} | keys.required | keys.optional, where)
    for key in sorted(keys.required):
        if not render.get(key):
            raise ConfigError(f"{where}: lacks the key {key!r}; {kind} needs {', '.join(sorted(keys.required))}")
    if kind == "scatter" and not registry.is_known(render["x"]):
        raise ConfigError(f"{where}, x: {unknown_name('metric', render['x'], registry.names())}")
    return dict(render)


def _require_content(render: Mapping[str, Any], content: Content, metric: str, where: str) -> None:
    """Refuse a layout of results that the experiment lacks."""
    kind = render["kind"]
    suitable = [name for name, figure in FIGURES.items() if set(content.files).issuperset(figure.files)]
    if kind not in suitable:
        absent = [name for name in FIGURES[kind].files if name not in content.files]
        raise ConfigError(
            f"{where}: kind {kind!r} shows {' and '.join(absent)}, which the experiment does not leave; valid names:"
            f" {', '.join(sorted(suitable))}"
        )
    if kind == "hinton":
        for key, kinds in (("panels", ("measure", "clusterer")), ("clusterers", ("clusterer",))):
            if key in render:
                _check_content(content, render[key], kinds, f"{where}, {key}")
    if kind == "curves":
        computed = [metric, *content.metrics]
        for name in render["rows"]:
            if name not in computed:
                raise ConfigError(f"{where}, rows: {unknown_name('metric of the experiment', name, computed)}")


def _check_content(content: Content, names: Any, kinds: tuple[str, ...], where: str) -> None:
    """Refuse names without results in the experiment."""
    kind = " or ".join(kinds)
    if not isinstance(names, list) or not names:
        raise ConfigError(f"{where}: is {names!r}, expected a list, each entry a {kind}")
    valid = [name for one in kinds for name in getattr(content, f"{one}s")]
    for name in names:
        if name not in valid:
            raise ConfigError(f"{where}: {unknown_name(kind, name, valid)}")


def figure_files(experiment: RenderedExperiment) -> tuple[str, ...]:
    """Return the source of an experiment's figure; empty if nothing is drawn."""
    render = experiment.render
    if "kind" not in render or (render["kind"] == "table" and not {"strip", "cells"} & set(render)):
        return ()
    return FIGURES[render["kind"]].files


def of_table(experiment: RenderedExperiment, sections: Sequence[str] = SECTIONS) -> dict[str, Any]:
    """Layout of the table of any experiment: its own, or for curves one with the axis as rows and these sections."""
    render, metric = check(experiment), experiment.shown_metric
    if render["kind"] == "table":
        return render
    if render["kind"] != "curves":
        return _check_table({"kind": "table", "caption": render["caption"]}, metric, "render")
    rows = ["dataset", "x"] if render["panel_key"] == "dataset" else ["x"]
    blocks = [*sections, *(["metric"] if len(render.get("rows", ())) > 1 else [])]
    layout = {"kind": "table", "rows": rows, "sections": blocks, "order": [*render["panels"], *render["lines"]]}
    layout |= {key: render[key] for key in ("controls", "caption")}
    return _check_table(layout, metric, "render") | {"x_label": render["x_label"]}


def _check_keys(keys: Iterable[str], allowed: Iterable[str], where: str) -> None:
    for key in keys:
        if key not in allowed:
            raise ConfigError(f"{where}: {unknown_name('key', key, allowed)}")


def _lists(render: Mapping[str, Any], keys: Iterable[str], where: str) -> None:
    for key in keys:
        if key in render and not (
            isinstance(render[key], (list, tuple)) and all(isinstance(n, str) for n in render[key])
        ):
            raise ConfigError(f"{where}: {key} is {render[key]!r}, expected a list of names such as [sym, bp]")


def _check_table(render: Mapping[str, Any], metric: str, where: str) -> dict[str, Any]:
    _check_keys(render, _TABLE, where)
    _lists(render, ("rows", "sections", "order", "variants", "controls", "clusterers", "readings"), where)
    filled: dict[str, Any] = {
        "rows": ["dataset", "model"],
        "columns": "measure",
        "sections": list(SECTIONS),
        "decimals": registry.UNITS[registry.describe(metric).unit].decimals,
    }
    filled |= {"order": [], "variants": [], "controls": [], "clusterers": [], "metrics": {}, "readings": [], **render}
    used = [*filled["rows"], filled["columns"], *filled["sections"]]
    for key in used:
        if key not in KEYS:
            raise ConfigError(f"{where}: {unknown_name('key of rows, columns or sections', key, KEYS)}")
        if used.count(key) > 1:
            raise ConfigError(
                f"{where}: {key!r} is used {used.count(key)} times; it may make rows, columns or sections once"
            )
    if not filled["rows"]:
        raise ConfigError(f"{where}: rows is empty; name at least one of {', '.join(KEYS)}")
    if not isinstance(filled["decimals"], int) or not 0 <= filled["decimals"] <= 15:
        raise ConfigError(f"{where}: decimals is {filled['decimals']!r}, expected a whole number from 0 to 15")
    if "strip" in filled:
        strip = dict(filled["strip"])
        _check_keys(strip, _STRIP, f"{where}.strip")
        _lists(strip, ("panels", "measures", "models"), f"{where}.strip")
        for key in ("dataset", "panels"):
            if not strip.get(key):
                raise ConfigError(f"{where}.strip: lacks the key {key!r}; it needs dataset and panels")
    if "cells" in filled:
        if "strip" in filled:
            raise ConfigError(f"{where}: has both strip and cells; a table has one figure, leave one of them out")
        filled["cells"] = _check_cells(filled["cells"], f"{where}.cells")
    return filled


def _check_cells(cells: Any, where: str) -> dict[str, Any]:
    if not isinstance(cells, Mapping):
        raise ConfigError(f"{where}: is {cells!r}, expected panels and columns")
    _check_keys(cells, _CELLS, where)
    _lists(cells, ("panels", "lines"), where)
    columns = cells.get("columns")
    if not cells.get("panels") or not columns:
        raise ConfigError(f"{where}: lacks panels or columns; it needs both")
    if not isinstance(columns, (list, tuple)) or not all(isinstance(cell, Mapping) for cell in columns):
        raise ConfigError(
            f"{where}: columns is {columns!r}, expected cells such as {{measure: mmd, clusterer: spectral}}"
        )
    for cell in columns:
        _check_keys(cell, _CELL, f"{where}, columns")
        if "clusterer" not in cell:
            raise ConfigError(f"{where}: the column {dict(cell)!r} names no clusterer; add one")
    filled = [{"measure": "none", **cell} for cell in columns]
    return {"lines": [], **cells, "columns": filled}


def _check_curves(render: Mapping[str, Any], metric: str, where: str) -> dict[str, Any]:
    _check_keys(render, _CURVES, where)
    _lists(render, ("panels", "lines", "controls", "rows", "y_log"), where)
    for key in ("x_label", "panels", "lines"):
        if not render.get(key):
            raise ConfigError(f"{where}: lacks the key {key!r}; curves need x_label, panels and lines")
    if render.get("rows") == []:
        raise ConfigError(f"{where}: rows is an empty list; name at least one metric or leave it out")
    filled = {"controls": [], "x_scale": "linear", "panel_key": "clusterer", "rows": [metric], "y_log": [], **render}
    if filled["x_scale"] not in ("linear", "log"):
        raise ConfigError(f"{where}: {unknown_name('x_scale', filled['x_scale'], ('linear', 'log'))}")
    if filled["panel_key"] not in _PANEL_KEYS:
        raise ConfigError(f"{where}: {unknown_name('panel_key', filled['panel_key'], _PANEL_KEYS)}")
    for name in filled["y_log"]:
        if name not in filled["rows"]:
            raise ConfigError(f"{where}, y_log: {unknown_name('metric of the rows', name, filled['rows'])}")
    if "y_label" in filled and len(filled["rows"]) != 1:
        raise ConfigError(f"{where}: y_label is given but there are {len(filled['rows'])} rows; leave it out")
    return filled if len(filled["rows"]) != 1 else {"y_label": label(filled["rows"][0]), **filled}
