"""Compare two files or folders by their vectors: rows of a table, or frames of a recording."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Unpack, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..analysis.preparation import informative_columns
from ..core.arrays import FloatArray, IntArray, as_count, as_frames, as_numbers
from ..core.data_checks import remarks_on_data, remarks_on_times
from ..core.errors import DataError, ParameterError, is_one_of, unknown_name
from ..core.inputs import ID, TOLD, Columns, as_collection, as_symbol_set, from_long
from ..core.jobs import as_threads
from ..core.progress import Progress
from ..core.random_state import ROOT, RandomState, check_seed
from ..core.seeds import stream
from ..core.sequences import COLUMN_NUMBERS, SequenceSet, matched_by_name
from ..core.store import PathLike, remove_drafts, replacing_files, write_text
from ..core.streamed import SequenceParts
from ..core.wording import as_typed, count, listed, speaking
from ..divergences.checks import REPEATS, Repeats, as_choice
from ..divergences.columns import differences
from ..divergences.comparison import MAX_VECTORS, MIN_VECTORS, WHY_TOO_FEW, Comparison, too_few
from ..divergences.comparison import compare as compare_vectors
from ..features.column_names import column_labels
from ..features.extraction import Notes, as_made
from ..features.frames import fit_scaling, varies
from ..features.recordings import recording_info
from ..options import COMMAND_LINE
from ..readers.folder import Processing, read_files
from ..readers.reading import OPTIONS as OF_READING
from ..readers.reading import USUAL, Reading, ReadingOptions, reading_of
from ..report.result_names import SETTINGS, replaced, resolve_path
from .request import COLUMNS, FIGURE, PAGE, TABLE, TEXT, Dependent, Scale, data_of, require_apart

if TYPE_CHECKING:
    from ..report.comparison import ComparisonContent

_SUBSAMPLES, _PERMUTATIONS = 200, 999
_MIN_RESEMBLANCE = 0.1
"""Least correlation of neighbouring vectors for a remark on it; few vectors need a larger one."""
_MIN_MEAN_COPIES = 2.0
"""Mean frequency of a vector above which values count as having few levels."""


@dataclass(frozen=True, repr=False)
class Compared:
    """Result of :func:`compare`.

    Attributes
    ----------
    comparison : Comparison
        Estimates, intervals and p-values.
    content : Content
        The same with everything that has to be said with it.
    """

    comparison: Comparison
    content: ComparisonContent

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on omissions and repairs, one sentence each."""
        return self.content.notes

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.comparison!r})"

    def _repr_html_(self) -> str:
        """Return the table of estimates, for notebooks."""
        return self.comparison._repr_html_()

    def __str__(self) -> str:
        from ..report.comparison import text

        return text(self.content)

    def report(self, folder: PathLike, also: Mapping[str, str] | None = None) -> Path:
        """Write page, text, tables and figure to a folder, all or none, and return the path of the page.

        Texts `also` are written next to them, by the names of their files.
        """
        from ..report.comparison import columns_table, html, png, table, text

        with replacing_files(folder) as draft:
            write_text(draft / PAGE, html(self.content))
            write_text(draft / COLUMNS, columns_table(self.content))
            write_text(draft / TABLE, table(self.content))
            (draft / FIGURE).write_bytes(png(self.content))
            write_text(draft / TEXT, text(self.content))
            for name, content in (also or {}).items():
                write_text(draft / name, content)
        return Path(folder) / PAGE


def run_compare(request: Mapping[str, str], results: Path, seed: int, threads: int, command: str) -> Path:
    """Run a checked request: compare, print the answer, write the files, and return the page.

    The request is that of :func:`~kinseq.comparing.request.checked`. KinseqError as :func:`compare`; nothing is written then.
    """
    folder, threads = results / "compare" / request["name"], as_count(threads, "threads")
    how: Any = {key: request[key] for key in ("scale", "repeats", "dependent") if key in request}
    reading = {key: value for key, value in request.items() if key in OF_READING}
    with speaking(COMMAND_LINE):
        comparison = compare(
            request["a"],
            request["b"],
            **how,
            reading=reading,
            random_state=seed,
            n_jobs=threads,
            progress=True,
            command=command,
        )
        for note in replaced(folder, (request["a"], request["b"]), data_of):
            print(f"note: {note}")
        print(str(comparison), end="")
        remove_drafts(folder)
        return comparison.report(folder, {SETTINGS: json.dumps({"compare": dict(request), "seed": seed}, indent=1)})


Sample = PathLike | SequenceSet | ArrayLike | Sequence[ArrayLike]
"""Types that :func:`compare` accepts, in addition to a ``pandas.DataFrame``."""


def compare(
    a: Sample,
    b: Sample,
    *,
    scale: Scale = "auto",
    repeats: Repeats = "once",
    dependent: Dependent = "leave_out",
    random_state: RandomState = ROOT,
    n_jobs: int | None = None,
    progress: bool = False,
    command: str = "",
    reading: Reading | Mapping[str, Any] | None = None,
    **options: Unpack[ReadingOptions],
) -> Compared:
    """Compare the vectors of two files, folders or arrays.

    Parameters
    ----------
    a, b : path-like, array_like, pandas.DataFrame, SequenceSet or list of array_like
        A file or a folder each, see :func:`kinseq.read`; an array of shape (n, d), whose rows are the
        vectors, or (n,); a table with a row a vector; a set or list of sequences, each of shape (T, d). A table without a
        column ``id``, a recording or an NPY is a sample by itself, as an array is.
    scale : {"auto", "none", "zscore"}
        Z-scores over both samples together, or nothing; ``"auto"`` does nothing to features of recordings, which share a
        scale, and takes z-scores else.
    repeats : {"once", "each"}
        What a vector counts that one sample holds several times and the other does not; see
        :func:`kinseq.divergences.compare`.
    dependent : {"leave_out", "count"}
        Whether columns that follow from those before them (a multiple of one, a sum of multiples) are left out, with a
        note, or compared, where Wang-J counts each as a dimension.
    random_state : int, RandomState, Generator or None
        Names the random streams.
    n_jobs : int or None
        Threads that read files; no number depends on it.
    progress : bool
        Whether long stages report to standard error.
    command : str
        What the text names as the command that repeats it.
    reading : Reading or mapping, optional
        How files are read, see :func:`kinseq.read`: its options in one object. Both samples have the same features; where no
        rate is given, it is one that all recordings have. One table of `segments` may name recordings of both samples.
    **options
        The same, each by its name.

    Returns
    -------
    Compared

    Raises
    ------
    KinseqError
        If data cannot be read or do not fit together, or are too few.

    Notes
    -----
    Where both samples hold at least 8 sequences, sequences are drawn and permuted whole, since frames of one resemble each
    other. So they are of fewer, where neighbouring vectors do resemble each other and the sequences can be divided in 40 ways or
    more; else blocks as long as the vectors remember are. Where these are too few as well, there is no p-value. Of more vectors
    than ``kinseq.divergences.comparison.MAX_VECTORS`` together, some are drawn at random.
    """
    seed, threads = check_seed(random_state), as_threads(n_jobs)
    if not is_one_of(scale, get_args(Scale)):
        raise ParameterError(unknown_name("scale", scale, get_args(Scale)))
    as_choice("repeats", repeats, REPEATS)
    as_choice("dependent", dependent, get_args(Dependent))
    how = reading_of(reading, options, ("scale", "repeats", "dependent"), "option")
    for name in how.changed():
        if "compare" in OF_READING[name].not_for:
            raise ParameterError(f"{name} does not apply to a comparison of vectors; leave it out")
    how = how.altered(labels=None)
    first, second, of_reading = _both_samples(a, b, how, Processing(threads, progress))
    for sample in (first, second):
        if sample.alphabet is not None:
            raise _holds_symbols(sample.name)
    second, of_columns = _in_columns_of(second, first)
    for sample in (first, second):
        if len(sample.values) < MIN_VECTORS:
            raise DataError(
                f"{_path(sample)}: holds {count(len(sample.values), 'vector')}, at least {MIN_VECTORS} are needed; give more"
            )
    units = _units(first, second, repeats)
    of_vectors = _remarks(first, second, units, [*of_reading, *of_columns])
    (x, of_x, of_first), (y, of_y, of_second) = _vectors_of(first, second, units, seed)
    x, y, names, of_change = _changing(x, y, first, dependent)
    method, why = _scaling(scale, (first, second))
    both = fit_scaling(np.concatenate([x, y]), method).apply(np.concatenate([x, y]))
    settings = (
        f"{count(x.shape[1], 'feature')} {why}",
        f"{units.name} are drawn and permuted",
        f"{_SUBSAMPLES} subsamples, {_PERMUTATIONS} permutations, seed {seed}",
    )
    report = None
    if progress:
        size = len(both) ** 2 * 40 / 1e9
        print(f"comparing {len(x)} and {len(y)} vectors, {settings[0]}; {settings[2]}; about {size:.1g} GB of memory")
        report = Progress("compare", _SUBSAMPLES, unit="subsample").step
    comparison = compare_vectors(
        both[: len(x)],
        both[len(x) :],
        n_subsamples=_SUBSAMPLES,
        n_permutations=_PERMUTATIONS,
        random_state=seed,
        groups=(of_x, of_y),
        step=report,
        repeats=repeats,
    )
    from ..report.comparison import ComparisonContent

    notes = (*of_reading, *of_columns, *of_vectors, *of_first, *of_second, *of_change, *_notes_on(comparison, repeats))
    phrases = (_phrase(first, comparison.n), _phrase(second, comparison.m))
    groups = (of_x, of_y)
    chosen = {
        **{name: value for name, value in how.changed().items() if name != "labels"},
        **{
            name: value
            for name, value, usual in (
                ("scale", scale, "auto"),
                ("repeats", repeats, "once"),
                ("dependent", dependent, "leave_out"),
                ("random_state", seed, ROOT),
            )
            if value != usual
        },
    }
    of_a, of_b = (np.unique(of_one, return_inverse=True)[1].astype(np.int64) for of_one in groups)
    apart = differences(x, y, names, n_permutations=_PERMUTATIONS, random_state=seed, groups=groups, repeats=repeats)
    return Compared(
        comparison,
        ComparisonContent(
            comparison,
            phrases,
            settings,
            notes,
            command,
            apart,
            tuple(names),
            (x, y),
            _call(a, b, chosen),
            (of_a, of_b),
        ),
    )


def _call(a: Sample, b: Sample, how: Mapping[str, Any]) -> str:
    """Return the call that repeats a comparison of files, with the choices made; for other data, the names of the arguments."""
    arguments = [
        repr(os.fspath(one)) if isinstance(one, (str, os.PathLike)) else name for one, name in ((a, "a"), (b, "b"))
    ]
    written = {name: os.fspath(value) if isinstance(value, os.PathLike) else value for name, value in how.items()}
    return f"kinseq.compare({', '.join([*arguments, *(f'{name}={value!r}' for name, value in written.items())])})"


def _notes_on(comparison: Comparison, repeats: Repeats) -> list[str]:
    """Return missing results with reasons, and what counts once."""
    from ..report.comparison import LABELS

    notes = []
    for number, side in zip(comparison.repeated, "AB", strict=True):
        if number:
            notes.append(
                f"{count(number, 'vector')} of {side} repeat{'s' * (number == 1)} others of it, and none of the other"
                " sample: such vectors count once, as copies of one observation do; if each was observed by itself, take"
                f" {as_typed('repeats', 'each')}"
            )
    if repeats == "once" and not any(estimate.p_value is not None for estimate in comparison.estimates):
        notes.append(
            f"no interval and no p-value: {WHY_TOO_FEW}; if each was observed by itself, take {as_typed('repeats', 'each')}"
        )
        return notes
    by_reason: dict[tuple[str, str], list[str]] = {}
    for estimate in comparison.estimates:
        if estimate.why:
            missing = "interval" if estimate.low is None else "upper end"
            by_reason.setdefault((missing, estimate.why), []).append(LABELS[estimate.name])
    return notes + [f"no {missing} for {listed(names)}: {why}" for (missing, why), names in by_reason.items()]


def _path(sample: SequenceSet) -> str:
    return str(sample.provenance.get("path", sample.name))


def _phrase(sample: SequenceSet, used: int) -> str:
    n = len(sample.values)
    of = f"{used} of {count(n, 'vector')}" if used < n else count(n, "vector")
    return f"{_path(sample)}: {of} in {count(len(sample), 'sequence')}"


def _both_samples(a: Any, b: Any, how: Reading, work: Processing) -> tuple[SequenceSet, SequenceSet, Notes]:
    """Return both samples, from files or memory, and the notes of reading."""
    from_files = [isinstance(sample, (str, os.PathLike)) for sample in (a, b)]
    if all(from_files):
        require_apart(resolve_path(os.fspath(a)), resolve_path(os.fspath(b)))
        return _read(a, b, how, work)
    if not any(from_files):
        for name in how.altered(labels=USUAL.labels).changed():
            raise ParameterError(f"{name} is for files and folders, but both samples are arrays; leave it out")
    first, second = (
        _read_sample(sample, how, work) if is_file else _at_hand(sample, side)
        for sample, is_file, side in zip((a, b), from_files, "AB", strict=True)
    )
    return first, second, _notes_on_both(first, second)


def _notes_on_both(first: SequenceSet, second: SequenceSet) -> Notes:
    """Return notes on both samples, with the letter of each."""
    return tuple(f"{side}: {note}" for sample, side in ((first, "A"), (second, "B")) for note in sample.notes)


def _holds_symbols(name: str) -> DataError:
    return DataError(
        f"{name}: holds symbols, and two samples are compared in numbers; cluster both together, with the sample as the label of"
        " each sequence"
    )


def _at_hand(sample: Any, side: str) -> SequenceSet:
    """Return a sample given as an array, a table or sequences."""
    if (
        isinstance(sample, (list, tuple))
        and not isinstance(sample, str)
        and as_symbol_set(sample, Columns()) is not None
    ):
        raise _holds_symbols(side)
    if isinstance(sample, SequenceParts):
        sample = sample.load()
    if isinstance(sample, SequenceSet):
        return replace(sample, name=side)
    if hasattr(sample, "columns") and hasattr(sample, "iloc"):
        return from_long(sample if ID in sample.columns else sample.assign(**{ID: side}), name=side)[0]
    if isinstance(sample, (list, tuple)) and any(np.ndim(entry) == 1 and hasattr(entry, "dtype") for entry in sample):
        raise DataError(
            f"{side}: is a list of arrays with one axis; stack vectors to an array of shape (n, d), or give sequences as"
            " arrays of shape (T, d)"
        )
    several = isinstance(sample, (list, tuple)) and any(hasattr(entry, "shape") and np.ndim(entry) for entry in sample)
    if several or (isinstance(sample, np.ndarray) and (sample.ndim == 3 or sample.dtype == object)):
        tables = isinstance(sample, (list, tuple)) and all(hasattr(entry, "iloc") for entry in sample)
        # The time column of a table orders its rows, as everywhere, and is not a feature.
        return (
            replace(as_collection(sample, ordered=False)[0], name=side)
            if tables
            else SequenceSet.from_arrays(sample, name=side)
        )
    array = as_numbers(sample, side)
    return SequenceSet.from_arrays([as_frames(array[:, None] if array.ndim == 1 else array, side)], name=side)


def _read(a: PathLike, b: PathLike, how: Reading, work: Processing) -> tuple[SequenceSet, SequenceSet, Notes]:
    """Return both samples, and notes on skipped or repaired parts."""
    paths = (a, b)
    of_rate: Notes = ()
    read = [_read_sample(path, how, work) for path in paths]
    infos = [recording_info(sample) for sample in read]
    made = [info.features for info in infos]
    if all(made) and _frames_of(made[0]) != _frames_of(made[1]):
        # Features depend on the sample rate and the window, which are no difference between the recordings.
        rates = [float(entry["sample_rate"]) for entry in made]
        # The higher rate, which keeps more of the power, if all recordings have it.
        rate = min(max(rates), *(min(info.recorded_at) for info in infos))
        rate = rate if rate > min(rates) else min(rates)
        finest = min(made, key=lambda entry: entry["recipe"]["window_seconds"])
        fitted = how.altered(
            sample_rate=rate, features=as_made(how.features, finest), window_seconds=None, hop_seconds=None
        )
        for side, entry in enumerate(made):
            if (rates[side], _windows_of(entry)) != (rate, _windows_of(finest)):
                read[side] = _read_sample(paths[side], fitted, work)
        if rates[0] != rates[1]:
            side = rates.index(max(rates) if rate == min(rates) else min(rates))
            of_rate = (
                f"the recordings of {'AB'[side]} were brought from {rates[side]:g} Hz to the {rate:g} Hz of the others",
            )
    first, second = read
    return first, second, of_rate + _notes_on_both(first, second)


def _read_sample(path: PathLike, how: Reading, work: Processing) -> SequenceSet:
    """Return a sample of files with all frames; vectors are drawn at random if there are too many."""
    return read_files(path, how, work=work, alone=True, average=1)


def _windows_of(made: Mapping[str, Any]) -> tuple[float, float]:
    return float(made["recipe"]["window_seconds"]), float(made["recipe"]["hop_seconds"])


def _frames_of(made: Mapping[str, Any]) -> tuple[float, tuple[float, float]]:
    """Return settings that frames of recordings must share: rate and windows."""
    return float(made["sample_rate"]), _windows_of(made)


def _in_columns_of(new: SequenceSet, old: SequenceSet) -> tuple[SequenceSet, Notes]:
    """Return the second sample with its columns in the order of the first, and a note on names missing from one of them."""
    kinds = [recording_info(sample).from_files for sample in (old, new)]
    if kinds[0] != kinds[1]:
        raise DataError(
            f"{_path(old)} and {_path(new)}: only one of them holds recordings; give two samples of the same kind"
        )
    if new.n_features != old.n_features:
        raise DataError(
            f"{_path(new)}: has {count(new.n_features, 'feature')} but {_path(old)} has {old.n_features}; give samples with"
            " the same features"
        )
    names, wanted = (sample.provenance.get("columns") or () for sample in (new, old))
    said = f"{'A' if names else 'B'} has no names of columns; its columns were taken in the order of the other's"
    matched = matched_by_name(new, old)
    if matched is None:
        raise DataError(
            f"{_path(new)}: has the columns {', '.join(names[:5])} but {_path(old)} has {', '.join(wanted[:5])}; give samples"
            " with the same columns, each name once"
        )
    return matched, (said,) if bool(names) != bool(wanted) else ()


def _named_columns(sample: SequenceSet) -> dict[str, Any]:
    """Return entries of a sample's provenance on its columns."""
    return {key: sample.provenance[key] for key in ("columns", COLUMN_NUMBERS) if key in sample.provenance}


@dataclass(frozen=True)
class _NamedUnits:
    """Units that are drawn and permuted whole: their name, and the unit of each vector of both samples, shapes (n,) and (m,)."""

    name: str
    of: Sequence[IntArray]


def _units(first: SequenceSet, second: SequenceSet, repeats: Repeats) -> _NamedUnits:
    """Use sequences as units if both samples have many or neighbouring vectors are similar; of few, blocks of vectors."""
    samples = (first, second)
    sequences = [np.repeat(np.arange(len(one)), one.lengths).astype(np.int64) for one in samples]
    vectors = [np.arange(len(one.values), dtype=np.int64) for one in samples]
    # Rows with one id each are sequences of one frame.
    if max(first.lengths.max(), second.lengths.max()) == 1:
        return _NamedUnits("vectors", vectors)
    if min(len(first), len(second)) >= MIN_VECTORS:
        return _NamedUnits("sequences", sequences)
    frames = 0
    for one, other in (samples, samples[::-1]):
        if _resembles(one, other, repeats):
            frames = max(frames, _memory(one))
    if not frames:
        return _NamedUnits("vectors", vectors)
    if not too_few(len(first), len(second)):
        return _NamedUnits("sequences", sequences)
    return _NamedUnits(f"blocks of {frames} vectors", [_blocks(one, frames) for one in samples])


def _blocks(sample: SequenceSet, frames: int) -> IntArray:
    """Block number of each vector: parts of its sequence with this many frames, the last one longer."""
    number, of = 0, []
    for length in sample.lengths.tolist():
        blocks = max(1, length // frames)
        of.append(number + np.minimum(np.arange(length) // frames, blocks - 1))
        number += blocks
    return np.concatenate(of).astype(np.int64)


def _memory(sample: SequenceSet) -> int:
    """Length of a block in frames: doubled until vectors of a sequence are hardly similar any more."""
    peak = np.abs(sample.values).max(axis=0)
    centred = sample.values / np.where(peak > 0.0, peak, 1.0)
    centred = centred - centred.mean(axis=0)
    longest = int(sample.lengths.max())
    products, pairs = np.zeros((longest, sample.n_features)), np.zeros(longest)
    for begin, end in zip(sample.offsets[:-1], sample.offsets[1:], strict=True):
        n = int(end - begin)
        spectrum = np.square(np.abs(np.fft.rfft(centred[begin:end], 2 * n, axis=0)))
        products[:n] += np.fft.irfft(spectrum, 2 * n, axis=0)[:n]
        pairs[:n] += np.arange(n, 0, -1)
    alike = products / pairs[:, None]
    alike = alike[:, alike[0] > 0.0] / alike[0, alike[0] > 0.0]
    gone = np.flatnonzero((alike <= _least_resemblance(sample)).all(axis=1))
    return 2 * int(gone[0]) if gone.size else longest


def _remarks(first: SequenceSet, second: SequenceSet, units: _NamedUnits, known: Sequence[str]) -> list[str]:
    """Return notes on limitations of intervals and p-values, except those already `known`."""
    notes: list[str] = []
    keys = [[row.tobytes() for row in sample.values + 0.0] for sample in (first, second)]
    rows = [Counter(held) for held in keys]
    # Values of few levels repeat, and may have equal frequencies in two samples.
    discrete = min(held.total() / len(held) for held in rows) >= _MIN_MEAN_COPIES
    if rows[0] == rows[1] and not discrete:
        raise DataError(f"{_path(first)} and {_path(second)}: hold the same vectors; name two samples")
    shared = len(rows[0].keys() & rows[1].keys())
    if shared and not discrete:
        notes.append(
            f"{count(shared, 'vector')} of A and of B {'are' if shared > 1 else 'is'} the same, number for number: if they"
            " were copied, the samples are not independent, and look more similar than they are"
        )
    both = SequenceSet.from_arrays([*first, *second], provenance=_named_columns(first))
    at_hand = [sample for sample in (first, second) if "path" not in sample.provenance]
    for sample in at_hand:
        notes += [f"{sample.name}: {said}" for said in sample.provenance.get(TOLD, ())]
    # Each file was checked when it was read; two files show whether a column rises alike in all.
    seen = remarks_on_data(both) if at_hand else remarks_on_times(both)
    notes += [said for said in seen if not any(note.endswith(said) for note in (*known, *notes))]
    if units.name == "vectors":
        notes += [
            f"{side} has {count(len(sample), 'sequence')}, and not both samples have {MIN_VECTORS}: vectors count as"
            " independent of each other, also those of one sequence"
            for sample, side in ((first, "A"), (second, "B"))
            if len(sample) > 1
        ]
        return notes
    notes.append(
        f"{'frames of one sequence' if units.name == 'sequences' else 'neighbouring vectors'} resemble each other, so that "
        "samples of few sequences look more different than they are, most of all by NN risk, NN-J and Wang-J; p-values allow "
        "for that"
        + (
            ""
            if units.name == "sequences"
            else f", since {units.name} are permuted; if their order has no meaning, shuffle them"
        )
    )
    return notes


def _resembles(sample: SequenceSet, other: SequenceSet, repeats: Repeats) -> bool:
    """Whether neighbouring vectors of a sample are similar; always False if vectors are units."""
    held = {row.tobytes() for row in other.values + 0.0}
    counted = np.array([repeats == "each" or row.tobytes() in held for row in sample.values + 0.0])
    return _resemblance(sample, counted) > _least_resemblance(sample)


def _least_resemblance(sample: SequenceSet) -> float:
    return max(_MIN_RESEMBLANCE, 3.0 / float(np.sqrt(len(sample.values))))


def _resemblance(sample: SequenceSet, counted: NDArray[np.bool_] | None = None) -> float:
    """Return the correlation of a vector with the next one of its sequence, averaged over the features.

    An equal one, that does not count each time, is left out.
    """
    peak = np.abs(sample.values).max(axis=0)
    # Divide by the largest entry, so that squares stay in the range of float64.
    scaled = sample.values / np.where(peak > 0.0, peak, 1.0)
    centred = scaled - scaled.mean(axis=0)
    within = np.ones(len(centred) - 1, dtype=bool)
    within[sample.offsets[1:-1] - 1] = False
    if counted is not None:
        within &= counted[1:] | (sample.values[1:] != sample.values[:-1]).any(axis=1)
    variance = (centred**2).mean(axis=0)
    if not within.any() or not (variance > 0.0).any():
        return 0.0
    products = (centred[:-1] * centred[1:])[within].mean(axis=0)
    return float((products[variance > 0.0] / variance[variance > 0.0]).mean())


class Vectors(NamedTuple):
    """Vectors of a sample, shape (n, d), their units, shape (n,), and notes on them."""

    values: FloatArray
    unit_of: IntArray
    notes: Notes = ()


def _vectors_of(first: SequenceSet, second: SequenceSet, units: _NamedUnits, seed: int) -> tuple[Vectors, Vectors]:
    """Return vectors of both samples with their units; of too many, a random sample."""
    n, m = len(first.values), len(second.values)
    keep_n, keep_m = max(MAX_VECTORS // 2, MAX_VECTORS - m), max(MAX_VECTORS // 2, MAX_VECTORS - n)
    of_first, of_second = units.of
    return _subset(first, of_first, keep_n, "A", seed), _subset(second, of_second, keep_m, "B", seed)


def _subset(sample: SequenceSet, of: IntArray, keep: int, side: str, seed: int) -> Vectors:
    n = len(sample.values)
    if n <= keep:
        return Vectors(sample.values, of)
    rows = np.sort(stream(seed, "compare", side).permutation(n)[:keep])
    note = (
        f"{side}: {keep} of {n} vectors were drawn at random and represent all: all of them would take"
        f" {n * n * 40 / 1e9:.1f} GB and more"
    )
    return Vectors(sample.values[rows], of[rows], (note,))


def _changing(
    x: FloatArray, y: FloatArray, first: SequenceSet, dependent: Dependent
) -> tuple[FloatArray, FloatArray, list[str], list[str]]:
    """Return both samples without uninformative columns, the names of those, and notes.

    Estimators use the number of features.
    """
    both, names = np.concatenate([x, y]), column_labels(first)
    changing = varies(both)
    if not changing.any():
        return x, y, names, []
    values = both if dependent == "leave_out" else None
    mask, sentences = informative_columns(first, changing, "in both samples together", values)
    named = [name for name, is_kept in zip(names, mask, strict=True) if is_kept]
    return np.ascontiguousarray(x[:, mask]), np.ascontiguousarray(y[:, mask]), named, sentences


def _scaling(scale: Scale, samples: tuple[SequenceSet, SequenceSet]) -> tuple[Literal["none", "zscore"], str]:
    """Return the scale of the columns, and a note on it."""
    audio = all(recording_info(sample).from_files for sample in samples)
    if scale == "none" or (scale == "auto" and audio):
        return "none", "as they are"
    return "zscore", "in z-scores over both samples"
