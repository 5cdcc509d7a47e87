"""Claims of the documents about their figures, as predicates on scores, decided by paired intervals over trials.

A claim is a mapping (one entry of an experiment's ``claims``)::

    id: kl_best_everywhere
    sentence: With spectral clustering, KL-LL has the lowest error at every mean length.
    source: {document: T, item: fig2_1, place: section 2.4.1}
    where: {clusterer: spectral}
    test: {kind: lowest, a: kl_ll, among: [sym, bp, yy, por, kl_ll], each: x, within: 1}

`where` (optional) and the sides `a`, `b` select scores: a measure's name, or a mapping of columns to a value, a list,
or ``{min: ..., max: ...}``. Names are those of the configuration, whatever the reading. What is left free is averaged within
a trial. Kinds:

========= ================================== =====================================================================
kind      keys                               holds if
========= ================================== =====================================================================
lower     a, b (one side or several)         mean(a) < mean(b), for every b
lowest    a, among (list of measures)        mean(a) < mean(b), for every other measure of the list
better    a, b (one side or several)         as `lower`, or higher for a metric of which more is better
best      a, among (list of measures)        as `lowest`, or highest for such a metric
not_worse a, b, within (required)            a is worse than b by less than `within`, for every b
falls     of, along                          the values fall along the axis (least squares)
rises     of, along                          they rise
stable    of, along, within (required)       they change by less than `within` over the whole axis
gap       a, b, at, than                     a is better than b by more at `at` than at `than` (two selections)
alike     of (list of sides), within         every two of them differ by less than `within`
near      a, b, within                       a differs from every b by less than `within` percent of b
========= ================================== =====================================================================

Every kind takes ``each: column`` (or a list of columns): the claim must then hold for each of their values. ``lower``,
``lowest``, ``better`` and ``best`` take ``within`` too (a tolerance, 0 by default; negative requires a margin). `within`
is in the unit of the metric, points where that is percent, but for ``near``. Which side is better, the metric says.
`along` is ``x`` or one column with its values in order, ``{model: [hmm2, hmm3]}``.

A test is thus a list of comparisons, each a number per trial whose mean has to lie on one side of a bound. It is *held*
if the 95 % interval of every comparison (Student's t) lies on the right side, *not held* if that of at least one lies on the
wrong side (at a level corrected for the number of comparisons, since the worst of many counts), and *undecided*
otherwise, or with fewer than five trials. A claim may carry a `note`.

Its `origin` is ``text`` unless this project asks it (``project``). `variant_of` names the claim (``experiment.claim`` if it is of
another experiment) that has the same sentence on other data or by another choice: both count as one sentence. `by_construction`
says why it could hardly fail.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from kinseq.core.arrays import FloatArray
from kinseq.core.errors import ConfigError, unknown_name
from kinseq.metrics import registry

from .looks import LOOKS, NAMES, has_further

if TYPE_CHECKING:
    import pandas as pd

    from .summary import Contrast

MIN_TRIALS = 5
"""With fewer trials nothing is decided."""

HELD, NOT_HELD, UNDECIDED = "held", "not held", "undecided"

KEYS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "lower": (frozenset({"a", "b"}), frozenset({"within", "each"})),
    "lowest": (frozenset({"a", "among"}), frozenset({"within", "each"})),
    "better": (frozenset({"a", "b"}), frozenset({"within", "each"})),
    "best": (frozenset({"a", "among"}), frozenset({"within", "each"})),
    "not_worse": (frozenset({"a", "b", "within"}), frozenset({"each"})),
    "falls": (frozenset({"of", "along"}), frozenset({"each"})),
    "rises": (frozenset({"of", "along"}), frozenset({"each"})),
    "stable": (frozenset({"of", "along", "within"}), frozenset({"each"})),
    "gap": (frozenset({"a", "b", "at", "than"}), frozenset({"each"})),
    "alike": (frozenset({"of", "within"}), frozenset({"each"})),
    "near": (frozenset({"a", "b", "within"}), frozenset({"each"})),
}
"""Kind of test to its required and its optional keys."""

SHARE_UNIT = registry.Unit("%", 1, 2, {})
"""Unit of differences that are shares of a value."""

DIRECTED = frozenset({"better", "best", "not_worse", "gap"})
"""Kinds that ask which side is better."""

TEXT, PROJECT = "text", "project"
"""Origins of claims: a document says it, or this project asks it."""

_CLAIM_KEYS = {"id", "sentence", "source", "where", "test", "note", "origin", "variant_of", "by_construction"}
_COLUMNS = ("dataset", "task", "model", "measure", "clusterer", "metric", "x")


@dataclass(frozen=True)
class _Comparison:
    """One number per trial whose mean has to lie below `bound`, or above it."""

    label: str
    per_trial: FloatArray
    bound: float
    above: bool = False

    def margins(self, level: float) -> tuple[Contrast, float, float]:
        """Return the interval, and how far its two ends lie on the wrong side of the bound (negative: on the right side)."""
        from .summary import contrast

        interval = contrast(self.per_trial, level)
        sign = -1.0 if self.above else 1.0
        ends = sorted((sign * (interval.low - self.bound), sign * (interval.high - self.bound)))
        return interval, ends[0], ends[1]


def check_claim(claim: Mapping[str, Any], measures: Sequence[str] | None = None, metric: str = "error") -> None:
    """Check the form of a claim, which the module describes; the error names the claim, the key and the valid names.

    `measures` are the valid names of measures, which are not checked without them; `metric` is meant unless the claim
    names another.
    """
    name = claim.get("id", "without id")
    where = f"claim {name!r}"
    for key in claim:
        if key not in _CLAIM_KEYS:
            raise ConfigError(f"{where}: {unknown_name('key', key, _CLAIM_KEYS)}")
    for key in ("id", "sentence", "source", "test"):
        if key not in claim:
            raise ConfigError(f"{where}: lacks the key {key!r}; a claim has {', '.join(sorted(_CLAIM_KEYS))}")
    if claim.get("origin", TEXT) not in (TEXT, PROJECT):
        raise ConfigError(f"{where}: {unknown_name('origin', claim['origin'], (TEXT, PROJECT))}")
    if not {"document", "item"} <= set(claim["source"]) <= {"document", "item", "place"}:
        raise ConfigError(
            f"{where}: its source needs document and item, and may have place; it has {dict(claim['source'])}"
        )
    test = claim["test"]
    kind = test.get("kind")
    if kind not in KEYS:
        raise ConfigError(f"{where}: {unknown_name('kind of test', kind, KEYS)}")
    required, optional = KEYS[kind]
    for key in test:
        if key != "kind" and key not in required | optional:
            raise ConfigError(f"{where}: {unknown_name(f'key of test {kind}', key, required | optional)}")
    for key in sorted(required):
        if key not in test:
            raise ConfigError(f"{where}: test {kind!r} lacks the key {key!r}; it needs {', '.join(sorted(required))}")
    selections = [claim.get("where", {}), *(test[key] for key in ("at", "than") if key in test)]
    selections += [side for key in ("a", "b", "of", "among") for side in _as_list(test.get(key, []))]
    for selection in selections:
        conditions = {"measure": selection} if isinstance(selection, str) else selection
        if not isinstance(conditions, Mapping):
            raise ConfigError(
                f"{where}: {selection!r} selects nothing; give a measure or a mapping of columns to values"
            )
        for column in conditions:
            if column not in _COLUMNS:
                raise ConfigError(f"{where}: {unknown_name('column', column, _COLUMNS)}")
        if measures is not None:
            for measure in _as_list(conditions.get("measure", [])):
                if measure not in measures:
                    raise ConfigError(f"{where}: {unknown_name('measure', measure, measures)}")
    _measured_in(claim, metric)
    for column in _as_list(test.get("each", [])):
        if column not in _COLUMNS:
            raise ConfigError(f"{where}: {unknown_name('column', column, _COLUMNS)}")
    if "along" in test:
        _axis(test["along"], where)


@dataclass(frozen=True)
class _Scale:
    """Unit of the numbers of a claim, and which are better: -1 for lower, 1 for higher, 0 unknown."""

    unit: registry.Unit
    sign: float

    def difference(self, value: float) -> str:
        """Return a difference with its sign and unit."""
        return " ".join([f"{value:+.{self.unit.fine_decimals}f}", self.unit.word]).rstrip()


def _measured_in(claim: Mapping[str, Any], metric: str) -> _Scale:
    """Return the unit and direction that all metrics of a claim share, and that the test requires."""
    where, test = f"claim {claim.get('id', 'without id')!r}", claim["test"]
    sides = [side for key in ("a", "b", "of", "at", "than") for side in _as_list(test.get(key, []))]
    selections = [claim.get("where", {}), *(side for side in sides if isinstance(side, Mapping))]
    named = [name for selection in selections for name in _as_list(selection.get("metric", []))]
    descriptions = {}
    for name in dict.fromkeys(named or [metric]):
        if not registry.is_known(name):
            raise ConfigError(f"{where}: {unknown_name('metric', name, registry.names())}")
        descriptions[name] = registry.describe(name)
    first, *others = descriptions.values()
    for other in others:
        if (other.unit, other.direction) != (first.unit, first.direction):
            raise ConfigError(
                f"{where}: {first.name!r} ({first.unit}, {first.direction} is better) and {other.name!r} ({other.unit},"
                f" {other.direction} is better) cannot be compared; name metrics of one unit and direction"
            )
    if first.pooled != "mean":
        raise ConfigError(f"{where}: {first.name!r} is no mean over trials and cannot be tested; name another metric")
    if test["kind"] in DIRECTED and first.direction == "none":
        raise ConfigError(f"{where}: {first.name!r} has no better side; use the kinds lower, rises, falls or alike")
    unit = SHARE_UNIT if test["kind"] == "near" else registry.UNITS[first.unit]
    return _Scale(unit, {"lower": -1.0, "higher": 1.0, "none": 0.0}[first.direction])


def evaluate(
    claims: Sequence[Mapping[str, Any]],
    scores: pd.DataFrame,
    experiment: str = "",
    metric: str = "error",
    labels: Mapping[str, str] | None = None,
    readings: Sequence[str] = (),
    level: float = 0.95,
    further: Sequence[Mapping[str, Any]] = (),
) -> pd.DataFrame:
    """Decide claims, as the module describes them, by tidy scores: one row per claim.

    `experiment` is for the first column, `metric` is meant unless a claim's `where` names another, and `labels` maps
    names of measures to those that the documents print, for the column ``numbers``. Of the `readings` the first decides, and
    each of the others gets columns of its own. A claim on cells that were given `further` trials is decided at the level of one of
    several looks.

    Columns are experiment, claim, document, item, place, sentence, test (its kind), verdict, n (trials), comparisons,
    numbers (the comparison that decided, in words), difference, low, high, bound (of that comparison, in the unit of
    the metric), ``<reading>_verdict`` and ``<reading>_numbers`` where anything was run under it (else empty), note,
    origin, variant_of (with its experiment) and by_construction.
    """
    import pandas as pd

    from .summary import reading_view, select

    names = dict(labels or {})
    first, *others = readings or ("",)
    rows = []
    for claim in claims:
        check_claim(claim, metric=metric)
        scale = _measured_in(claim, metric)
        where = {"metric": metric, **claim.get("where", {})}
        row: dict[str, Any] = {
            "experiment": experiment,
            "claim": claim["id"],
            "document": claim["source"]["document"],
            "item": claim["source"]["item"],
            "place": claim["source"].get("place", ""),
            "sentence": " ".join(str(claim["sentence"]).split()),
            "test": claim["test"]["kind"],
            "note": " ".join(str(claim.get("note", "")).split()),
            "origin": claim.get("origin", TEXT),
            "variant_of": _of_experiment(str(claim.get("variant_of", "")), experiment),
            "by_construction": " ".join(str(claim.get("by_construction", "")).split()),
        }
        view = select(reading_view(scores, first), where)
        shared = any(has_further(further, dict(zip(NAMES, cell, strict=True))) for cell in _cells(claim["test"], view))
        own_level = 1.0 - (1.0 - level) / len(LOOKS) if shared else level
        row |= _decide(_comparisons(claim["test"], view, names, scale.sign), scale, own_level)
        for reading in others:
            beside = select(reading_view(scores, reading), where)
            comparisons = _comparisons(claim["test"], beside, names, scale.sign) if len(beside) else []
            decided = _decide(comparisons, scale, level) if len(beside) else {}
            row[f"{reading}_verdict"] = decided.get("verdict", "")
            row[f"{reading}_numbers"] = decided.get("numbers", "")
        rows.append(row)
    columns = ["experiment", "claim", "document", "item", "place", "sentence", "test", "verdict", "n", "comparisons"]
    columns += ["numbers", "difference", "low", "high", "bound"]
    columns += [f"{reading}_{part}" for reading in others for part in ("verdict", "numbers")]
    columns += ["note", "origin", "variant_of", "by_construction"]
    return pd.DataFrame(rows, columns=columns)


def cells_behind(claim: Mapping[str, Any], scores: pd.DataFrame, metric: str = "error") -> list[tuple[str, ...]]:
    """Return data set, model, measure and clusterer of all that a claim compares, in the order of the scores of one reading."""
    from .summary import select

    return _cells(claim["test"], select(scores, {"metric": metric, **claim.get("where", {})}))


def _cells(test: Mapping[str, Any], scores: pd.DataFrame) -> list[tuple[str, ...]]:
    from .summary import select

    sides = [side for key in ("a", "b", "of", "among") for side in _as_list(test.get(key, []))]
    # A gap is between two places, and looks at no other.
    places = [test[key] for key in ("at", "than") if isinstance(test.get(key), Mapping)] or [{}]
    of_sides = [select(scores, {**place, **_side(side)}) for side in sides for place in places]
    if not of_sides:
        return []
    rows = scores.loc[sorted({index for side in of_sides for index in side.index}), list(NAMES)]
    return [tuple(map(str, row)) for row in rows.drop_duplicates().itertuples(index=False)]


def _of_experiment(claim: str, experiment: str) -> str:
    """Return a claim with its experiment in front; one without is of this experiment."""
    return claim if "." in claim or not claim else f"{experiment}.{claim}"


def _as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _axis(along: Any, where: str) -> tuple[str, list[Any] | None]:
    """Return the column of an axis and its values in order (None: the numbers that occur)."""
    if along == "x":
        return "x", None
    if isinstance(along, Mapping) and len(along) == 1:
        column, values = next(iter(along.items()))
        if column in _COLUMNS and isinstance(values, (list, tuple)) and len(values) > 1:
            return str(column), list(values)
    raise ConfigError(f"{where}: along is {along!r}; give x, or one column with at least two values in order")


def _side(side: Any) -> dict[str, Any]:
    return {"measure": side} if isinstance(side, str) else dict(side)


def _name(side: Any, names: Mapping[str, str]) -> str:
    parts = []
    for value in _side(side).values():
        entries = [names.get(str(entry), str(entry)) for entry in _as_list(value)]
        parts.append(entries[0] if len(entries) == 1 else f"the mean of {', '.join(entries)}")
    return ", ".join(parts)


def _comparisons(
    test: Mapping[str, Any], scores: pd.DataFrame, names: Mapping[str, str], sign: float
) -> list[_Comparison]:
    """Reduce a test to numbers per trial with bounds; `sign` is 1 where more is better."""
    columns = [str(column) for column in _as_list(test.get("each", []))]
    if not columns:
        return _one(test, scores, names, "", sign)
    all_comparisons = []
    for key, group in scores.groupby(columns, sort=True, dropna=False):
        place = ", ".join(
            f"{column} = {entry:g}" if isinstance(entry, (int, float)) else names.get(str(entry), str(entry))
            for column, entry in zip(columns, key, strict=True)
        )
        comparisons = _one(test, group, names, f" at {place}", sign)
        # A value at which no side occurs (the clusterer "control") is irrelevant to the claim.
        if any(comparison.per_trial.size for comparison in comparisons):
            all_comparisons += comparisons
    return all_comparisons


def _one(
    test: Mapping[str, Any], scores: pd.DataFrame, names: Mapping[str, str], place: str, sign: float
) -> list[_Comparison]:
    from .summary import paired_differences, select

    kind = test["kind"]
    within = float(test.get("within", 0.0))
    if kind in ("lower", "lowest", "better", "best", "not_worse"):
        others = [side for side in test["among"] if side != test["a"]] if "among" in test else _as_list(test["b"])
        above = kind in DIRECTED and sign > 0
        return [
            _Comparison(
                f"{_name(test['a'], names)} minus {_name(other, names)}{place}",
                _per_trial(scores, test["a"], other),
                -within if above else within,
                above,
            )
            for other in others
        ]
    comparisons = []
    if kind == "near":
        for other in _as_list(test["b"]):
            label = f"{_name(test['a'], names)} minus {_name(other, names)}{place}"
            difference = _per_trial(scores, test["a"], other, relative=True)
            comparisons += [_Comparison(label, difference, within), _Comparison(label, difference, -within, above=True)]
        return comparisons
    if kind == "alike":
        for one, other in combinations(test["of"], 2):
            label = f"{_name(one, names)} minus {_name(other, names)}{place}"
            difference = _per_trial(scores, one, other)
            comparisons += [_Comparison(label, difference, within), _Comparison(label, difference, -within, above=True)]
        return comparisons
    if kind == "gap":
        at, than = (
            paired_differences(select(scores, test[key]), _side(test["b"]), _side(test["a"])) for key in ("at", "than")
        )
        values = -sign * (at - than).dropna().to_numpy(dtype=np.float64)
        places = f"at {_range(test['at'], names)} minus at {_range(test['than'], names)}"
        label = f"advantage of {_name(test['a'], names)} over {_name(test['b'], names)}{place}, {places}"
        return [_Comparison(label, values, 0.0, above=True)]
    for side in _as_list(test["of"]):
        change = _change_per_trial(scores, _side(side), test["along"])
        label = f"change of {_name(side, names)} along {_axis(test['along'], 'along')[0]}{place}"
        if kind in ("falls", "stable"):
            comparisons.append(_Comparison(label, change, within))
        if kind in ("rises", "stable"):
            comparisons.append(_Comparison(label, change, -within, above=True))
    return comparisons


def _range(selection: Mapping[str, Any], names: Mapping[str, str]) -> str:
    parts = []
    for column, wanted in selection.items():
        if isinstance(wanted, Mapping):
            ends = [
                f">= {wanted['min']:g}" if "min" in wanted else "",
                f"<= {wanted['max']:g}" if "max" in wanted else "",
            ]
            parts.append(f"{column} {' and '.join(end for end in ends if end)}")
        else:
            parts.append(" and ".join(names.get(str(entry), str(entry)) for entry in _as_list(wanted)))
    return ", ".join(parts)


def _per_trial(scores: pd.DataFrame, a: Any, b: Any, relative: bool = False) -> FloatArray:
    from .summary import paired_differences

    return paired_differences(scores, _side(a), _side(b), relative).to_numpy(dtype=np.float64)


def _change_per_trial(scores: pd.DataFrame, side: Mapping[str, Any], along: Any) -> FloatArray:
    """Least-squares change over the whole axis in each trial that has every point of it."""
    from .summary import select

    column, order = _axis(along, "along")
    selected_scores = select(scores, side)
    if order is not None:
        selected_scores = select(selected_scores, {column: order})
    grid = (
        selected_scores.pivot_table(index="trial", columns=column, values="value", aggfunc="mean").dropna().sort_index()
    )
    positions = list(grid.columns) if order is None else [value for value in order if value in grid.columns]
    if len(positions) < 2:
        return np.zeros(0)
    at = np.asarray(positions if order is None else [order.index(p) for p in positions], dtype=np.float64)
    centred = at - at.mean()
    weights = centred / (centred**2).sum() * (at.max() - at.min())
    return np.asarray((grid[positions].to_numpy(dtype=np.float64) * weights).sum(axis=1))


def _decide(comparisons: Sequence[_Comparison], scale: _Scale, level: float) -> dict[str, Any]:
    """Verdict and the numbers behind it."""
    nothing = {
        "n": 0,
        "comparisons": len(comparisons),
        "difference": np.nan,
        "low": np.nan,
        "high": np.nan,
        "bound": np.nan,
    }
    empty = [comparison.label for comparison in comparisons if comparison.per_trial.size == 0]
    if not comparisons or empty:
        missing = f"no scores for: {empty[0]}" if empty else "no scores"
        return {"verdict": UNDECIDED, "numbers": missing, **nothing}
    judged = [comparison.margins(level) for comparison in comparisons]
    n = min(interval.n for interval, _, _ in judged)
    # The comparison nearest to failing, or failing most, decides; the first of several in the order of the claim.
    worst = max(range(len(judged)), key=lambda k: (np.nan_to_num(judged[k][2], nan=np.inf), -k))
    passed = sum(far < 0 for _, _, far in judged)
    if n < MIN_TRIALS:
        verdict = UNDECIDED
    elif passed == len(comparisons):
        verdict = HELD
    else:
        strict = 1.0 - (1.0 - level) / len(comparisons)
        near = [comparison.margins(strict)[1] for comparison in comparisons]
        verdict = NOT_HELD if max(near) > 0 else UNDECIDED
        if verdict == NOT_HELD:
            worst = int(np.argmax(near))
    interval, comparison = judged[worst][0], comparisons[worst]
    claimed = f"claimed: {'above' if comparison.above else 'below'} {comparison.bound + 0.0:g}"  # no -0
    decimals = scale.unit.fine_decimals
    ends = f"{interval.low:+.{decimals}f} to {interval.high:+.{decimals}f}"
    spread = f"{100 * level:.3g} % {ends}; " if interval.n > 1 else ""
    text = f"{comparison.label}: {scale.difference(interval.mean)} ({spread}{claimed}), n = {interval.n}"
    if len(comparisons) > 1:
        text += f"; {passed} of {len(comparisons)} comparisons hold"
    if n < MIN_TRIALS:
        text += f"; fewer than {MIN_TRIALS} trials"
    return {
        "verdict": verdict,
        "n": n,
        "comparisons": len(comparisons),
        "numbers": text,
        "difference": interval.mean,
        "low": interval.low,
        "high": interval.high,
        "bound": comparison.bound,
    }
