"""Bad input to the doors of metrics: their names, what they judge, units of print, labels and matrices."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from kinseq.metrics import estimation, external, registry, retrieval
from kinseq_documents.catalogue import Catalogue
from kinseq_documents.evaluation import claims, fidelity, summary
from kinseq_documents.kinds.comparison import Comparison
from kinseq_documents.plotting import layout

from .table import Case

NOTHING = Catalogue({}, {}, {}, {}, {}, {}, {})
LABELS = [0, 0, 1, 1]
SQUARE = np.ones((4, 4)) - np.eye(4)
CLUSTERED = {"datasets": ["d"], "models": [], "measures": ["dtw"], "clusterers": ["spectral"]}
JUDGED = {**CLUSTERED, "clusterers": []}


def asked(part: dict[str, Any] = CLUSTERED, **keys: Any) -> Callable[[Path], Any]:
    """Ask for the metrics of an experiment with one part."""
    return lambda _: Comparison(NOTHING, {"id": "e", "parts": [part], "render": {"kind": "table"}, **keys}).metrics()


def shown(**render: Any) -> Callable[[Path], Any]:
    """Lay an experiment out."""
    experiment = {"id": "e", "parts": [CLUSTERED], "metric": "error", "render": render}
    return lambda _: layout.check((kind := Comparison(NOTHING, experiment)).experiment, kind.content())


def printed(**cell: str) -> Callable[[Path], Any]:
    """Read a table of printed numbers with one cell."""

    def read(folder: Path) -> Any:
        blank = dict.fromkeys(fidelity.PUBLISHED_COLUMNS, "") | {"metric": "error", "unit": "percent", "value": "1"}
        pd.DataFrame([{**blank, **cell}]).to_csv(folder / "p.csv", index=False)
        return fidelity.to_common_scale(fidelity.read_published(folder / "p.csv"))

    return read


def claimed(metric: str = "error", where: Any = None, **test: Any) -> Callable[[Path], Any]:
    """Check a claim."""
    claim = {"id": "c", "sentence": "s", "source": {"document": "T", "item": "i"}, "where": where or {}}
    given = {"kind": "better", "a": "x", "b": "y", **test}
    return lambda _: claims.check_claim({**claim, "test": given}, metric=metric)


CASES: tuple[Case, ...] = (
    Case("metric misspelt", asked(metric="eror")),
    Case("metric of matrices for partitions", asked(metric="map")),
    Case("metric of partitions for matrices", asked(JUDGED, metric="ari")),
    Case("metric of estimates for partitions", asked(metric="bias")),
    Case("list of metrics with a wrong one", asked(metrics=["error", "purty"])),
    Case("claim: near without a tolerance", claimed(kind="near")),
    Case("claim: near several", claimed(kind="near", within=5, of=["x"])),
    Case("table: metrics twice", shown(kind="table", rows=["metric"], columns="metric")),
    Case("metrics as one word", asked(metrics="error")),
    Case("metrics as an empty list", asked(metrics=[])),
    Case("metrics as numbers", asked(metrics=[1])),
    Case("ranked metric without its rank", asked(JUDGED, metric="p_at")),
    Case("rank of zero", asked(JUDGED, metric="p_at_0")),
    Case("rank with a leading zero", asked(JUDGED, metric="p_at_01")),
    Case("rank in other digits", asked(JUDGED, metric="p_at_\u0663")),
    Case("rank of a metric without ranks", asked(JUDGED, metric="map_10")),
    Case("rank beyond the items", lambda _: registry.function("p_at_4")(LABELS, SQUARE)),
    Case("metric that nobody can compute", lambda _: registry.function("models_kept")),
    Case("metric of a clusterer misspelt", shown(kind="table", metrics={"spectral": "eror"})),
    Case("metrics of clusterers as a list", shown(kind="table", metrics=["error"])),
    Case("finding of a scatter misspelt", shown(kind="scatter", x="loglik", x_label="x", panels=["s"])),
    Case("unit of print unknown", printed(unit="percents")),
    Case("unit of print that the metric cannot have", printed(unit="nats")),
    Case("unit of print missing", printed(unit="")),
    Case("metric of print unknown", printed(metric="errors")),
    Case("cell of text", printed(unit="text", metric="formula", value="1/pi"), gives=lambda cells: len(cells) == 0),
    Case(
        "fraction of a percentage",
        printed(unit="fraction", value="0.25"),
        gives=lambda cells: cells.loc[0, "published"] == 25.0,
    ),
    Case("claim on an unknown metric", claimed("eror")),
    Case("claim across units", claimed(where={"metric": ["error", "ari"]})),
    Case("claim of the better of two shares", claimed("models_kept")),
    Case("claim on a root mean square", claimed("rmse")),
    Case("labels of another length", lambda _: retrieval.roc_auc([0, 1], SQUARE)),
    Case("labels that are not finite", lambda _: retrieval.roc_auc([0, 1, 1, np.nan], SQUARE)),
    Case("one class only", lambda _: retrieval.roc_auc([0] * 4, SQUARE)),
    Case("every item a class", lambda _: retrieval.mean_average_precision(range(4), SQUARE)),
    Case("silhouette of one class", lambda _: retrieval.silhouette([0] * 4, SQUARE)),
    Case("matrix of one item", lambda _: retrieval.ranking([[0.0]])),
    Case("matrix that is not square", lambda _: retrieval.mean_average_precision(LABELS, np.ones((4, 3)))),
    Case("matrix with NaN", lambda _: retrieval.mean_average_precision(LABELS, np.where(np.eye(4), np.nan, 1.0))),
    Case("matrix that is not symmetric", lambda _: retrieval.mean_average_precision(LABELS, np.triu(SQUARE))),
    Case("clusters of other items", lambda _: external.balanced_accuracy([0, 1], [0])),
    Case("estimates of infinity", lambda _: estimation.bias([1.0, np.inf], 1.0)),
    Case("truth of infinity", lambda _: estimation.bias(1.0, np.inf)),
    Case("truth of zero", lambda _: estimation.nmse([1.0], 0.0)),
    Case("truths of another number", lambda _: estimation.rmse([1, 2, 3], [1, 2])),
    Case("estimates in words", lambda _: estimation.bias(["many"], 1.0)),
    Case("complex estimates", lambda _: estimation.bias([1j], 1.0)),
    Case("truth of words", lambda _: estimation.bias(1.0, "much")),
    Case("labels of mixed kinds", lambda _: external.ari(["a", None], [0, 1])),
    Case("labels in a ragged list", lambda _: external.ari([[0], [0, 1]], [0, 1])),
    Case("no estimates", lambda _: estimation.rmse([], 1.0)),
    Case("selection by an unknown column", lambda _: summary.select(pd.DataFrame({"x": [1]}), {"y": 1})),
)
