"""Your own data in, clusters and a page of pictures out: defaults for users who want an answer before they read anything.

:func:`cluster` reads a folder (or takes arrays), chooses what nobody gave by stated rules, and returns a
:class:`Clustering`. Every choice, whoever made it, is kept with its reason and printed on the page.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from .affinity import choose_width
from .arrays import FloatArray, IntArray, as_count, require_clusters
from .clustering.graph import spectral
from .data.readers import UNLABELLED, Kind, Missing, read_folder
from .errors import DataError, ParameterError, unknown_name
from .evaluation.clustering import ari, clustering_error, confusion, nmi, purity
from .evaluation.pictures import block_order, maps, sample_items, tree
from .evaluation.unlabelled import (
    STABLE,
    STRUCTURE,
    Numbers,
    Stability,
    compare_numbers,
    rank_correlation,
    silhouettes,
    stability,
    typicality,
)
from .features.extraction import OnBadFile
from .features.frames import Scaling, fit_scaling
from .measures.evidence import FITTED
from .measures.registry import Evidence, Measure, get
from .models.selection import n_parameters, sweep_states
from .progress import Progress
from .seeds import derive_seed, stream
from .sequences import SequenceSet, as_sequence_set
from .store import PathLike, write_arrays, write_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .models.hmm import HMMBank

Scale = Literal["auto", "none", "zscore"]
Data = PathLike | SequenceSet | Sequence[ArrayLike]

STATES_COMMON = (2, 4, 8, 16, 24, 32)
"""Numbers of states tried for a model of all sequences."""
STATES_EACH = (1, 2, 3, 4)
"""Numbers of states tried for a model of one sequence."""
SWEEP_FRAMES = 20_000
"""Numbers of states are compared on sequences drawn at random until they hold this many frames."""
SWEEP_SEQUENCES = 100
"""The same for models of one sequence, in sequences."""
MANY = 1000
"""With more sequences than this, numbers of clusters, kernel widths and pictures use as many drawn at random."""
QUADRATIC = 3000
"""With more sequences than this, a measure that scores every sequence under every model is skipped."""
SAME = 1e-9
"""Dissimilarities below this are rounding."""
DISAGREE = 0.5
"""Adjusted Rand index between the partitions of two measures below which the page warns."""


@dataclass(frozen=True)
class Settings:
    """Everything that :func:`cluster` takes beside data, number of clusters, measure and seed; see there."""

    labels: str | None = "labels.csv"
    kind: Kind | None = None
    missing: Missing = "refuse"
    on_bad_file: OnBadFile = "skip"
    scale: Scale = "auto"
    features: str | Mapping[str, Any] = "speech"
    sample_rate: float | None = None
    trim: float | None = None
    n_states: int | None = None
    max_clusters: int = 10
    max_frames: int | None = 10_000
    n_resamples: int = 50

    def __post_init__(self) -> None:
        if self.scale not in get_args(Scale):
            raise ParameterError(unknown_name("scale", self.scale, get_args(Scale)))
        as_count(self.max_clusters, "max_clusters", 2)
        as_count(self.n_resamples, "n_resamples")
        if self.n_states is not None:
            as_count(self.n_states, "n_states")
        if self.max_frames is not None:
            as_count(self.max_frames, "max_frames", 2)

    def changed(self) -> dict[str, Any]:
        """What differs from the defaults."""
        return {entry.name: value for entry in fields(self) if (value := getattr(self, entry.name)) != entry.default}


@dataclass
class View:
    """What one measure makes of the sequences.

    Attributes
    ----------
    measure : Measure
    distance : ndarray, shape (N, N)
    labels : ndarray, shape (N,), int64
        Clusters from 0, the largest first.
    findings : dict
        What the measure reported.
    choice : str
        How its models were chosen, one sentence.
    fit : dict
        Arguments of the fit of its models.
    common : HMMBank or None
        The common model, where there is one.
    """

    measure: Measure
    distance: FloatArray
    labels: IntArray
    findings: dict[str, Any]
    choice: str
    fit: dict[str, Any]
    common: HMMBank | None = None


@dataclass
class Clustering:
    """Clusters of sequences, with what is needed to judge them; made by :func:`cluster`.

    Attributes
    ----------
    sequences : SequenceSet
        As they were compared: read, cut, scaled.
    views : list of View
        One a measure; the first one's partition is *the* partition.
    numbers : Numbers or None
        What speaks for each number of clusters; None for fewer than three sequences.
    notes : list of str
        One sentence for everything that was skipped, repaired or should be known.
    choices : list of (str, str, str)
        What was chosen, the value, and by whom or why.
    """

    sequences: SequenceSet
    views: list[View]
    numbers: Numbers | None
    settings: Settings
    scaling: Scaling
    seed: int
    asked: int | None
    source: str | None
    notes: list[str]
    choices: list[tuple[str, str, str]]
    threads: int = 1
    progress: bool = False
    command: str | None = None
    _banks: dict[str, HMMBank] = field(default_factory=dict)

    @property
    def distance(self) -> FloatArray:
        """Dissimilarities under the first measure, shape (N, N)."""
        return self.views[0].distance

    @property
    def labels(self) -> IntArray:
        """Cluster of each sequence under the first measure, shape (N,), from 0, the largest cluster first."""
        return self.views[0].labels

    @property
    def n_clusters(self) -> int:
        """Number of clusters found."""
        return int(self.labels.max()) + 1

    @cached_property
    def silhouettes(self) -> FloatArray:
        """Silhouette of each sequence, shape (N,)."""
        return silhouettes(self.distance, self.labels)

    @cached_property
    def typicality(self) -> FloatArray:
        """Mean dissimilarity of each sequence to its own cluster, shape (N,); the least is the most typical."""
        return typicality(self.distance, self.labels)

    @cached_property
    def stability(self) -> Stability | None:
        """What comes back in bootstrap samples; None for a single cluster or one of each sequence."""
        if not 1 < self.n_clusters < len(self.sequences):
            return None
        report = _report(self.progress, "bootstrap", self.settings.n_resamples, "resample")
        cut = _cutter(self.seed)
        return stability(
            self.distance, self.labels, cut, self.settings.n_resamples, 500, derive_seed(self.seed, "own"), report
        )

    def neighbours(self, count: int = 5) -> IntArray:
        """Positions of the nearest other sequences of each one, nearest first, shape (N, count)."""
        n = len(self.sequences)
        others = self.distance.copy()
        np.fill_diagonal(others, np.inf)
        count = min(count, n - 1)
        near = np.argpartition(others, count - 1, axis=1)[:, :count] if count else np.zeros((n, 0), dtype=np.int64)
        order = np.lexsort((near, np.take_along_axis(others, near, axis=1)), axis=1)
        return np.take_along_axis(near, order, axis=1).astype(np.int64)

    def typical(self, cluster: int, count: int = 1) -> IntArray:
        """Positions of the most typical members of a cluster, the medoid first."""
        members = np.flatnonzero(self.labels == cluster)
        return members[np.argsort(self.typicality[members], kind="stable")[:count]].astype(np.int64)

    @cached_property
    def labelled(self) -> IntArray:
        """Positions of the sequences whose true label is known."""
        if self.sequences.labels is None:
            return np.zeros(0, dtype=np.int64)
        return np.flatnonzero(self.sequences.labels.astype(str) != UNLABELLED)

    @cached_property
    def scores(self) -> dict[str, dict[str, float]]:
        """Scores of each measure's partition against the labels, by measure; empty without labels."""
        if not self.labelled.size or self.sequences.labels is None:
            return {}
        truth = self.sequences.labels[self.labelled].astype(str)
        found = {}
        for view in self.views:
            given = view.labels[self.labelled]
            found[view.measure.name] = {
                "clustering error (%)": clustering_error(truth, given),
                "adjusted Rand index": ari(truth, given),
                "normalised mutual information": nmi(truth, given),
                "purity": purity(truth, given),
            }
        return found

    def confusion(self) -> tuple[list[str], IntArray]:
        """Labels, and how many sequences of each are in each cluster, shape (labels, clusters)."""
        assert self.sequences.labels is not None
        truth = self.sequences.labels[self.labelled].astype(str)
        table = np.zeros((np.unique(truth).size, self.n_clusters), dtype=np.int64)
        table[:, np.unique(self.labels[self.labelled])] = confusion(truth, self.labels[self.labelled])
        return np.unique(truth).tolist(), table

    @cached_property
    def agreement(self) -> list[dict[str, Any]]:
        """How far each further measure agrees with the first: ARI of the partitions, rank correlation of distances."""
        first = self.views[0]
        return [
            {
                "measures": (first.measure.name, other.measure.name),
                "ari": ari(first.labels, other.labels),
                "correlation": rank_correlation(first.distance, other.distance, seed=self.seed),
            }
            for other in self.views[1:]
        ]

    def warnings(self) -> list[str]:
        """What a reader should not overlook."""
        found = []
        if self.stability is not None and (self.stability.jaccard < STABLE).any():
            weak = [str(k + 1) for k in np.flatnonzero(self.stability.jaccard < STABLE)]
            found.append(
                f"{'no cluster is' if len(weak) == self.n_clusters else 'not every cluster is'} stable: bootstrap samples"
                f" do not bring back {'any of them' if len(weak) == self.n_clusters else 'number ' + ', '.join(weak)}"
            )
        if 1 < self.n_clusters < len(self.sequences) and float(self.silhouettes.mean()) < STRUCTURE:
            found.append(
                f"the mean silhouette is {self.silhouettes.mean():.2f}; below {STRUCTURE} there is no substantial"
                " cluster structure, so do not read much into the borders"
            )
        for entry in self.agreement:
            if entry["ari"] < DISAGREE:
                pair = " and ".join(get(word).label for word in entry["measures"])
                found.append(
                    f"{pair} disagree (adjusted Rand index {entry['ari']:.2f}): what looks alike depends on the measure"
                )
        sizes = np.bincount(self.labels)
        if len(sizes) > 1 and len(self.labels) > 4 and (alone := np.flatnonzero(sizes == 1)).size:
            ids = [str(self.sequences.ids[int(self.typical(int(k))[0])]) for k in alone[:3]]
            more = f" and {len(alone) - 3} more" if len(alone) > 3 else ""
            which = (
                "is alone in a cluster; if it is an outlier, remove it,"
                if len(alone) == 1
                else ("are each alone in a cluster; if they are outliers, remove them,")
            )
            found.append(f"{', '.join(ids)}{more} {which} or ask for more clusters")
        return found

    def predict(self, sequences: Data) -> IntArray:
        """Nearest cluster of new sequences, under the first measure and the models already fitted.

        Parameters
        ----------
        sequences : path-like, SequenceSet or list of array_like, each of shape (T, d)
            New sequences of the same features, in the units of the originals; a path is read with the same settings.

        Returns
        -------
        ndarray, shape (M,), int64
            Cluster with the least mean dissimilarity. A sequence's answer does not depend on the others.

        Raises
        ------
        DataError
            If the number of features differs.
        ParameterError
            If the measure has no meaning for one sequence by itself (it selects models by the whole set).
        """
        if _is_path(sequences):
            new, _ = _read(sequences, replace(self.settings, labels=None), self.threads, False, None, self._rate())  # type: ignore[arg-type]
        else:
            new = as_sequence_set(sequences)  # type: ignore[arg-type]
        if new.n_features != self.sequences.n_features:
            raise DataError(
                f"{new.name}: has {new.n_features} features but the clusters were made from"
                f" {self.sequences.n_features}; give sequences of the same kind"
            )
        new = _cut_long(self.scaling.apply(new), self.settings.max_frames, [])
        cross = self._cross(new)
        means = np.stack([cross[:, self.labels == k].mean(axis=1) for k in range(self.n_clusters)], axis=1)
        return np.asarray(means.argmin(axis=1), dtype=np.int64)

    def _rate(self) -> float | None:
        features = self.sequences.provenance.get("features")
        return features.get("sample_rate") if isinstance(features, Mapping) else None

    def _cross(self, new: SequenceSet) -> FloatArray:
        """Dissimilarities between new sequences and the old ones, shape (M, N)."""
        view, old = self.views[0], self.sequences
        measure, n = view.measure, len(old)
        if measure.name == "kl_ll":
            from .measures.kl_ll import kl_ll
            from .measures.likelihood import length_normalised

            # Only the models of the old sequences take part, so that the answer for one new sequence is its own.
            bank = self._bank(view)
            scores = [length_normalised(bank.log_likelihood(s, threads=self.threads), s.lengths) for s in (old, new)]
            return kl_ll(np.concatenate(scores, axis=1))[n:, :n]
        if measure.scope == "task" and measure.needs != "global":
            raise ParameterError(
                f"measure {measure.name!r} depends on the whole set, so it has no answer for new sequences;"
                " cluster with ssd, kl_ll, dtw or another measure of pairs"
            )
        both = _join(old, new)
        evidence = Evidence(both, seed=derive_seed(self.seed, "measure"), n_clusters=self.n_clusters)
        if measure.needs == "global":
            evidence = replace(evidence, common=view.common)
        elif measure.needs in FITTED:
            bank = self._fit_each(both, view)
            evidence = (
                replace(evidence, bank=bank)
                if measure.needs == "bank"
                else replace(evidence, loglik=bank.log_likelihood(both, threads=self.threads))
            )
        return measure.compute(evidence)[0][n:, :n]

    def _fit_each(self, sequences: SequenceSet, view: View) -> HMMBank:
        from .models.hmm import fit_bank

        return fit_bank(sequences, seed=derive_seed(self.seed, "fit"), threads=self.threads, **view.fit)

    def _bank(self, view: View) -> HMMBank:
        if view.measure.name not in self._banks:
            self._banks[view.measure.name] = self._fit_each(self.sequences, view)
        return self._banks[view.measure.name]

    def plot(self) -> Figure:
        """Heat map, 2-D map, numbers of clusters and dendrogram in one figure."""
        from .render.own_page import overview

        return overview(self._content())

    def report(self, path: PathLike) -> Path:
        """Write the page, and beside it the distance matrix and the partition.

        Parameters
        ----------
        path : path-like
            A folder, made if need be, or the ``.html`` file to write.

        Returns
        -------
        Path
            The page. The folder also gets ``distance.npz``, ``distance.csv``, ``partition.csv`` and three pictures.
        """
        from .render.own_page import write, write_matrix

        target = Path(path)
        page = target if target.suffix.lower() in (".html", ".htm") else target / "index.html"
        folder = page.parent
        content = self._content()
        write_text(folder / "partition.csv", self.partition_table())
        ids = self.sequences.ids
        write_arrays(
            folder / "distance.npz",
            {**{view.measure.name: view.distance for view in self.views}, "ids": ids, "labels": self.labels},
            {"measures": [view.measure.name for view in self.views], "seed": self.seed},
        )
        write_matrix(folder / "distance.csv", ids.tolist(), self.distance)
        write(content, page)
        return page

    def partition_table(self) -> str:
        """The partition as CSV: id, cluster from 1, silhouette, typical, neighbours, clusters of further measures."""
        from .render.own_page import csv_text

        near = self.neighbours(3)
        medoids = {int(self.typical(k)[0]) for k in range(self.n_clusters)}
        ids = self.sequences.ids.tolist()
        header = ["id", "cluster", "silhouette", "typical", *(f"neighbour_{j + 1}" for j in range(near.shape[1]))]
        header += [f"cluster_{view.measure.name}" for view in self.views[1:]]
        header += ["label"] if self.sequences.labels is not None else []
        rows = []
        for i, name in enumerate(ids):
            row = [name, int(self.labels[i]) + 1, f"{self.silhouettes[i]:.4f}", "yes" if i in medoids else ""]
            row += [ids[j] for j in near[i]] + [int(view.labels[i]) + 1 for view in self.views[1:]]
            rows.append(row + ([str(self.sequences.labels[i])] if self.sequences.labels is not None else []))
        return csv_text(header, rows)

    @property
    def folder(self) -> Path | None:
        """Folder that ids are relative to; None for arrays."""
        if self.source is None:
            return None
        path = Path(self.source)
        return path if path.is_dir() else path.parent

    def repeat(self) -> str:
        """Command or call that repeats the analysis."""
        if self.command is not None:
            return self.command
        parts = [repr(self.source) if self.source is not None else "sequences"]
        parts += [f"n_clusters={self.asked}"] if self.asked is not None else []
        parts += [f"measure={','.join(view.measure.name for view in self.views)!r}", f"seed={self.seed}"]
        parts += [f"{name}={value!r}" for name, value in self.settings.changed().items()]
        return f"kinseq.cluster({', '.join(parts)})"

    def _content(self) -> Any:
        from .render.own_page import Content

        shown = sample_items(self.labels, MANY, self.seed)
        square = self.distance[np.ix_(shown, shown)]
        grown = tree(square)
        return Content(
            result=self,
            shown=shown,
            tree=grown,
            order=np.arange(shown.size) if grown is None else block_order(self.labels[shown], grown.leaves),
            maps=maps(square, self.seed),
        )


def cluster(
    data: Data,
    n_clusters: int | None = None,
    measure: str | Sequence[str] = "ssd",
    seed: int = 0,
    *,
    name: str | None = None,
    cache: PathLike | None = None,
    threads: int = 1,
    progress: bool = False,
    command: str | None = None,
    **settings: Any,
) -> Clustering:
    """Cluster sequences, with everything that is not given chosen by stated rules.

    Parameters
    ----------
    data : path-like, SequenceSet or list of array_like, each of shape (T, d)
        A folder or file as :func:`kinseq.data.readers.read_folder` reads it, or arrays.
    n_clusters : int, optional
        Number of clusters; without it, the least number whose mean silhouette comes within one standard
        error of the largest.
    measure : str or sequence of str
        Measures by name, in a list or separated by commas. The partition is that of the first, the others are compared
        with it.
    seed : int
        Root of every random stream.
    name : str, optional
        Title of the page; that of the folder if not given.
    cache : path-like, optional
        Folder in which features of audio files are remembered.
    threads : int
        Number of threads; no number depends on it.
    progress : bool
        Report long stages, with an estimate of the rest, to standard error.
    command : str, optional
        What the page names as the command that repeats it; a call of this function if not given.
    **settings
        ``labels``, ``kind``, ``missing``, ``on_bad_file``, ``features``, ``sample_rate``, ``trim``: see
        :func:`~kinseq.data.readers.read_folder`. ``scale``: ``"zscore"`` scales every column by its mean and deviation
        over the whole set, ``"none"`` does not, ``"auto"`` does so unless the columns are features of audio.
        ``n_states``: number of states of the models instead of the one with the least BIC. ``max_clusters``: largest
        number of clusters tried. ``max_frames``: longer sequences are represented by that many frames in their middle,
        None keeps all. ``n_resamples``: number of bootstrap samples.

    Returns
    -------
    Clustering
        With ``distance``, ``labels``, ``report(path)``, ``plot()`` and ``predict(new sequences)``.

    Raises
    ------
    DataError
        If nothing can be read, fewer than two sequences are left, or numbers are missing.
    ParameterError
        If an argument is unknown or out of range, for example more clusters than sequences.

    Examples
    --------
    >>> import kinseq
    >>> found = kinseq.cluster("my/recordings", n_clusters=5)  # doctest: +SKIP
    >>> found.report("my/page")  # doctest: +SKIP
    """
    chosen = [word.strip() for word in measure.split(",")] if isinstance(measure, str) else [str(m) for m in measure]
    if not chosen or len(set(chosen)) < len(chosen):
        raise ParameterError(f"measure is {measure!r}; name at least one, and none twice")
    measures = [get(word) for word in chosen]
    known = {entry.name for entry in fields(Settings)}
    for word in settings:
        if word not in known:
            raise ParameterError(unknown_name("setting", word, known))
    given = Settings(**settings)
    notes: list[str] = []
    choices: list[tuple[str, str, str]] = []
    if _is_path(data):
        sequences, said = _read(data, given, threads, progress, cache)  # type: ignore[arg-type]
        notes += said
        source: str | None = str(data)
    else:
        sequences, source = as_sequence_set(data), None  # type: ignore[arg-type]
    sequences = replace(sequences, name=name or sequences.name)
    sequences = _long_enough(sequences, measures, notes)
    if n_clusters is not None:
        n_clusters = require_clusters(len(sequences), n_clusters, sequences.name)
    sequences = _cut_long(sequences, given.max_frames, notes)
    sequences, scaling = _scaled(sequences, given.scale, choices)
    views: list[View] = []
    numbers: Numbers | None = None
    count = n_clusters
    for entry in measures:
        if views and entry.needs in ("loglik", "bank") and len(sequences) > QUADRATIC:
            notes.append(
                f"{entry.name} was skipped: it scores every sequence under the model of every other, and"
                f" {len(sequences)} sequences are more than {QUADRATIC}"
            )
            continue
        if entry.needs_n_clusters and count is None:
            raise ParameterError(f"measure {entry.name!r} needs the number of clusters; give it")
        view = _view(entry, sequences, count, given, seed, threads, progress, choices)
        if not views:
            if len(sequences) > 2:
                numbers = _numbers(view.distance, given, seed, progress)
            count = _settle(count, numbers, view.distance, choices, notes)
        view.labels = _partition(view.distance, count or 1, seed)
        views.append(view)
    return Clustering(
        sequences, views, numbers, given, scaling, seed, n_clusters, source, notes, choices, threads, progress, command
    )


def _is_path(data: Any) -> bool:
    return isinstance(data, (str, os.PathLike))


def _read(
    path: PathLike, settings: Settings, threads: int, progress: bool, cache: PathLike | None, rate: float | None = None
) -> tuple[SequenceSet, list[str]]:
    return read_folder(
        path,
        labels=settings.labels,
        missing=settings.missing,
        on_bad_file=settings.on_bad_file,
        features=settings.features,
        kind=settings.kind,
        sample_rate=rate or settings.sample_rate,
        trim=settings.trim,
        cache=cache,
        jobs=threads,
        progress=progress,
    )


def _long_enough(sequences: SequenceSet, measures: Sequence[Measure], notes: list[str]) -> SequenceSet:
    """Leave out sequences of one frame where a measure cannot use them."""
    short = sequences.lengths < 2
    if short.any() and not all(measure.one_frame for measure in measures):
        ids = sequences.ids[short].tolist()
        if short.all():
            raise DataError(
                f"{sequences.name}: every sequence has a single frame, so there are no dynamics to compare;"
                " give one file a sequence, its rows the frames, or several rows an id"
            )
        notes.append(f"left out {_plural(len(ids), 'sequence')} of a single frame: {', '.join(ids[:5])}")
        sequences = sequences.subset(np.flatnonzero(~short))
    if len(sequences) < 2:
        raise DataError(
            f"{sequences.name}: holds a single sequence ({sequences.ids[0]}), there is nothing to compare it with;"
            " give the folder of several, or cut it into pieces"
        )
    return sequences


def _cut_long(sequences: SequenceSet, most: int | None, notes: list[str]) -> SequenceSet:
    """Middle stretches of sequences that are longer than `most` frames."""
    long = np.flatnonzero(sequences.lengths > most) if most is not None else np.zeros(0, dtype=np.int64)
    if most is None or not long.size:
        return sequences
    ids = sequences.ids[long].tolist()
    notes.append(
        f"{_plural(long.size, 'sequence')} longer than {most} frames: the {most} in the middle stand for the whole, as"
        f" one model could not do justice to more; cut such recordings into pieces: {', '.join(ids[:5])}"
    )
    arrays = [a[(len(a) - most) // 2 :][:most] if len(a) > most else a for a in sequences]
    offsets = np.concatenate([[0], np.cumsum([len(a) for a in arrays])]).astype(np.int64)
    return replace(sequences, values=np.concatenate(arrays), offsets=offsets)


def _scaled(sequences: SequenceSet, scale: Scale, choices: list[tuple[str, str, str]]) -> tuple[SequenceSet, Scaling]:
    audio = sequences.provenance.get("kind") == "audio"
    method: Literal["none", "zscore"] = ("none" if audio else "zscore") if scale == "auto" else scale
    why = "given"
    if scale == "auto":
        why = "cepstral features share a scale" if audio else "columns may be in different units"
    choices.append(
        ("scale of the columns", "z-scores over the whole set" if method == "zscore" else "as they are", why)
    )
    scaling = fit_scaling(sequences, method)
    return scaling.apply(sequences) if method == "zscore" else sequences, scaling


def _view(
    measure: Measure,
    sequences: SequenceSet,
    n_clusters: int | None,
    settings: Settings,
    seed: int,
    threads: int,
    progress: bool,
    choices: list[tuple[str, str, str]],
) -> View:
    """Choose the models of a measure, fit them, and compute the matrix."""
    fit: dict[str, Any] = {}
    why = "needs no models"
    evidence = Evidence(sequences, n_clusters=n_clusters, seed=derive_seed(seed, "measure"))
    root, label = derive_seed(seed, "fit"), measure.name if progress else None
    if measure.needs == "global":
        from .models.hmm import fit_global

        fit, why = _common_states(sequences, settings.n_states, seed)
        common = fit_global(
            sequences, seed=root, threads=threads, progress=label and f"{label}: fit the common model", **fit
        )
        evidence = replace(evidence, common=common)
    elif measure.needs in FITTED:
        from .models.hmm import fit_bank

        fit, why = _own_states(sequences, settings.n_states, seed)
        bank = fit_bank(sequences, seed=root, threads=threads, progress=label and f"{label}: fit models", **fit)
        if measure.needs == "bank":
            evidence = replace(evidence, bank=bank)
        else:
            scores = bank.log_likelihood(sequences, threads=threads, progress=label and f"{label}: score sequences")
            evidence = replace(evidence, loglik=scores)
    elif measure.needs != "sequences":
        raise ParameterError(
            f"measure {measure.name!r} needs {measure.needs!r}, which is not made here; choose another"
        )
    if fit:
        kind = "common model" if measure.needs == "global" else "model of each sequence"
        value = _plural(fit["n_states"], "state") + (
            f", {fit['covariance']} covariances" if "covariance" in fit else ""
        )
        choices.append((f"{measure.name}: {kind}", value, why))
    else:
        choices.append((f"{measure.name}: models", "none", why))
    distance, findings = measure.compute(evidence)
    labels = np.zeros(len(sequences), dtype=np.int64)
    return View(measure, distance, labels, findings, why, fit, evidence.common)


def _common_states(sequences: SequenceSet, n_states: int | None, seed: int) -> tuple[dict[str, Any], str]:
    if n_states is not None:
        return {"n_states": n_states}, "given"
    part = _part(sequences, seed, frames=SWEEP_FRAMES)
    # A state needs some frames of its own.
    tried = [k for k in STATES_COMMON if k * 10 <= len(part.values)] or [min(2, len(part.values))]
    sweep = sweep_states(part, tried, seed=derive_seed(seed, "sweep"), n_init=1)
    return {"n_states": sweep.best}, _bic_sentence(sweep.best, tried, len(part), len(sequences))


def _own_states(sequences: SequenceSet, n_states: int | None, seed: int) -> tuple[dict[str, Any], str]:
    """States and covariance of one model a sequence: the least BIC, added up over sequences."""
    from .models.hmm import fit_bank

    if n_states is not None:
        return {"n_states": n_states}, "given"
    part = _part(sequences, seed, items=SWEEP_SEQUENCES)
    tried = [k for k in STATES_EACH if k <= int(sequences.lengths.min())]
    d, logs = sequences.n_features, float(np.log(part.lengths).sum())
    found = []
    for covariance in ("diag", "full") if 1 < d <= 30 else ("diag",):
        for k in tried:
            bank = fit_bank(part, k, covariance=covariance, seed=derive_seed(seed, "sweep"), n_init=1)
            assert bank.loglik is not None
            bic = -2.0 * float(bank.loglik.sum()) + n_parameters(k, d, bank.full) * logs
            found.append((bic, k, covariance))
    _, best, covariance = min(found)
    sentence = _bic_sentence(best, tried, len(part), len(sequences))
    return {"n_states": best, "covariance": covariance}, sentence


def _bic_sentence(best: int, tried: Sequence[int], looked: int, n: int) -> str:
    text = f"least BIC among {', '.join(map(str, tried))}"
    text += f", on {looked} sequences drawn at random" if looked < n else ""
    return text + ("; the largest tried, BIC was still falling" if best == tried[-1] and len(tried) > 1 else "")


def _part(sequences: SequenceSet, seed: int, frames: int | None = None, items: int | None = None) -> SequenceSet:
    """Some sequences drawn at random, at least one, within a number of frames or of sequences."""
    order = stream(seed, "part").permutation(len(sequences))
    if items is not None:
        return sequences.subset(np.sort(order[:items]))
    held = np.cumsum(sequences.lengths[order])
    return sequences.subset(np.sort(order[: max(1, int((held <= (frames or 0)).sum()))]))


def _numbers(distance: FloatArray, settings: Settings, seed: int, progress: bool) -> Numbers:
    square = distance
    if len(distance) > MANY:
        drawn = np.sort(stream(seed, "numbers").permutation(len(distance))[:MANY])
        square = distance[np.ix_(drawn, drawn)]
    # Clusters of fewer than three sequences on average are not worth suggesting.
    most = min(settings.max_clusters, max(2, len(square) // 3))
    report = _report(progress, "numbers of clusters", most - 1, "number")
    return compare_numbers(square, most, seed=seed, step=report)


def _settle(
    asked: int | None,
    numbers: Numbers | None,
    distance: FloatArray,
    choices: list[tuple[str, str, str]],
    notes: list[str],
) -> int:
    """The number of clusters, and why."""
    same = float(np.abs(distance).max()) < SAME
    if same:
        notes.append("all sequences are the same under this measure, there is nothing to tell them apart by")
    if asked is not None:
        choices.append(("number of clusters", str(asked), "given"))
        return asked
    if same:
        best, why = 1, "no two sequences differ"
    elif numbers is None:
        notes.append("two sequences are too few to choose a number of clusters; only their distance says something")
        best, why = 1, "fewer than three sequences"
    else:
        best = numbers.by_silhouette
        why = f"least of 2 to {numbers.n_clusters[-1]} within a standard error of the largest mean silhouette"
        if numbers.by_eigengap != best:
            why += f"; the eigengap would say {numbers.by_eigengap}"
    choices.append(("number of clusters", str(best), why))
    return best


def _cutter(seed: int) -> Callable[[FloatArray, int], IntArray]:
    return lambda distance, n_clusters: spectral(distance, n_clusters, seed=seed)


def _partition(distance: FloatArray, n_clusters: int, seed: int) -> IntArray:
    """Spectral clusters, numbered from the largest; the kernel width of many items is chosen on some of them."""
    n = len(distance)
    if n > MANY and n_clusters > 1:
        drawn = np.sort(stream(seed, "width").permutation(n)[:MANY])
        width = choose_width(distance[np.ix_(drawn, drawn)], n_clusters, "eigengap")
        labels = spectral(distance, n_clusters, width=width, seed=seed)
    else:
        labels = spectral(distance, n_clusters, seed=seed)
    sizes = np.bincount(labels)
    rank = np.empty(sizes.size, dtype=np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(sizes.size)
    return rank[labels]


def _join(old: SequenceSet, new: SequenceSet) -> SequenceSet:
    arrays = [*old, *new]
    return SequenceSet.from_arrays(arrays, name=old.name)


def _report(progress: bool, task: str, total: int, unit: str) -> Callable[[], None] | None:
    return Progress(task, total, unit=unit).step if progress and total > 0 else None


def _plural(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
