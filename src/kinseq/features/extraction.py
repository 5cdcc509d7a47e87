"""From many audio files to one set of sequences: decoded block by block, in parallel, and remembered on disk."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar, get_args

import numpy as np

from ..core.arrays import FloatArray, as_count, keep_checked
from ..core.clock import Clock
from ..core.errors import DataError, KinseqError, ParameterError, is_one_of, printable, unknown_name
from ..core.jobs import as_threads
from ..core.progress import Progress
from ..core.sequences import SequenceSet
from ..core.sources import digest as digest_of_sources
from ..core.store import PathLike, replacing
from .audio import AudioInfo, EnergyTrimmer, as_rate, audio_info, stream_audio
from .autoregression import mar
from .cepstral import CepstralRecipe
from .frames import PerSequence, normalise
from .pitch import PitchMeter
from .registry import Recipe, get, names

Item = TypeVar("Item")
Result = TypeVar("Result")
OnBadFile = Literal["skip", "refuse"]

# A recording up to this many samples is kept while its ends are found; a longer one is decoded a second time.
_KEEP_SAMPLES = 1 << 21
_LOWEST_RATE = 8000.0

CODE = ("kinseq.core", "kinseq.features")
"""Packages that hold everything that features are computed with."""
COMPUTED_WITH = ("numpy", "scipy", "librosa", "soundfile", "soxr", "onnxruntime", "openwakeword")


@dataclass(frozen=True)
class AudioFeatures:
    """Everything that decides what the features of an audio file are.

    Attributes
    ----------
    recipe : Recipe
        Parameters of the feature, for example :class:`~kinseq.features.cepstral.CepstralRecipe`.
    feature : str
        The registered feature that the recipe belongs to, one of :func:`kinseq.features.registry.names`.
    sample_rate : float or None
        Rate that every file is resampled to (Hz); None takes the lowest rate among the files, but no more than
        `highest_rate` and no less than 8000 Hz.
    highest_rate : float
        Upper limit of the rate chosen (Hz).
    trim : float or None
        Cut the ends that lie this many dB below the loudest window, see :func:`kinseq.features.trim`; None keeps them.
    normalise : {"none", "mean", "mean_variance"}
        Per file, of the cepstral frames (before `mar`).
    mar : bool
        Integrate the frames by :func:`kinseq.features.mar`.
    mar_order : int
        Its order.
    mar_window, mar_hop : float
        Its window and hop in seconds.
    """

    recipe: Recipe
    feature: str = "speech"
    sample_rate: float | None = None
    highest_rate: float = 16000.0
    trim: float | None = None
    normalise: PerSequence = "none"
    mar: bool = False
    mar_order: int = 3
    mar_window: float = 2.0
    mar_hop: float = 1.0

    def __post_init__(self) -> None:
        if not is_one_of(self.feature, names()):
            raise ParameterError(unknown_name("features", self.feature, names()))
        if not is_one_of(self.normalise, get_args(PerSequence)):
            raise ParameterError(unknown_name("normalisation", self.normalise, get_args(PerSequence)))
        for name in ("sample_rate", "highest_rate"):
            if getattr(self, name) is not None:
                as_rate(getattr(self, name), name)
        for name in ("trim", "mar_window", "mar_hop"):
            value = getattr(self, name)
            if value is not None and (isinstance(value, (bool, str)) or not (np.isfinite(value) and value > 0)):
                raise ParameterError(f"{name} is {value!r}, expected a positive number or None")
        keep_checked(self, as_count, "mar_order")
        if (ready := get(self.feature).ready) is not None:
            ready()


def audio_features(
    features: str | Mapping[str, Any] | CepstralRecipe | AudioFeatures = "speech", **settings: Any
) -> AudioFeatures:
    """Build :class:`AudioFeatures` from a name and what differs from it.

    Parameters
    ----------
    features : str, mapping, CepstralRecipe or AudioFeatures
        A registered feature, as ``"speech"``, ``"music"`` or ``"music_mar"``; or a mapping with one of these under
        ``"recipe"`` (speech if it is left out) and any attribute of :class:`AudioFeatures` or of its recipe to replace.
    **settings
        Further attributes of either; those that are None are ignored.

    Raises
    ------
    ParameterError
        If a name is unknown; the message lists the valid ones.
    """
    own = {entry.name for entry in fields(AudioFeatures)} - {"recipe", "feature"}
    values: dict[str, Any] = {name: value for name, value in settings.items() if value is not None}
    if isinstance(features, Mapping):
        changes = dict(features)
        features = changes.pop("recipe", "speech")
        values = {**changes, **values}
    if isinstance(features, AudioFeatures):
        base = features
    elif isinstance(features, CepstralRecipe):
        base = AudioFeatures(features)
    elif isinstance(features, str) and features in names():
        feature = get(features)
        base = AudioFeatures(feature.recipe, feature=feature.name, **feature.settings)
    else:
        raise ParameterError(unknown_name("features", features, names()))
    recipe: Any = base.recipe
    of_recipe = {name: value for name, value in values.items() if name not in own}
    valid = own | {entry.name for entry in fields(recipe)}
    for name in of_recipe:
        if name not in valid:
            raise ParameterError(unknown_name("setting of the features", name, valid | {"recipe"}))
    direct = {name: value for name, value in values.items() if name in own}
    return replace(base, recipe=replace(recipe, **of_recipe), **direct)


def features_of_file(
    path: PathLike, settings: AudioFeatures, sample_rate: float, pitch: PitchMeter | None = None
) -> FloatArray:
    """Features of one audio file, decoded block by block.

    Parameters
    ----------
    path : path-like
        The file; an hour of it needs no more memory than its features and a few blocks.
    settings : AudioFeatures
        What to compute.
    sample_rate : float
        Rate to resample to (Hz).
    pitch : PitchMeter, optional
        Takes the same samples.

    Returns
    -------
    ndarray, shape (T, d), float64

    Raises
    ------
    DataError
        If the file cannot be read, is silent, or is too short for one frame.
    """
    where, compute = str(path), get(settings.feature).function
    meter = EnergyTrimmer(sample_rate, settings.trim if settings.trim is not None else 0.0)
    also = () if pitch is None else (pitch,)
    if settings.trim is None:
        stream: Iterable[FloatArray] = _metered(stream_audio(path, sample_rate), meter, *also)
        frames = compute(stream, sample_rate, settings.recipe, where)
        if meter.silent:
            meter.bounds(where)
    else:
        pieces: list[FloatArray] | None = []
        for piece in stream_audio(path, sample_rate):
            meter.feed(piece)
            if pieces is not None:
                pieces.append(piece)
                pieces = pieces if meter.samples <= _KEEP_SAMPLES else None
        start, stop = meter.bounds(where)
        stream = _between(pieces if pieces is not None else stream_audio(path, sample_rate), start, stop)
        frames = compute(_metered(stream, *also), sample_rate, settings.recipe, where)
    frames = normalise(frames, settings.normalise)
    if not settings.mar:
        return frames
    period = settings.recipe.samples(sample_rate)[1] / sample_rate
    try:
        return mar(frames, settings.mar_order, settings.mar_window, settings.mar_hop, period)
    except DataError as error:
        raise DataError(str(error).replace("sequence:", f"{where}:", 1)) from error


def _metered(pieces: Iterable[FloatArray], *meters: EnergyTrimmer | PitchMeter) -> Iterator[FloatArray]:
    for piece in pieces:
        for meter in meters:
            meter.feed(piece)
        yield piece


def _between(pieces: Iterable[FloatArray], start: int, stop: int) -> Iterator[FloatArray]:
    """The samples from `start` to `stop` of a stream."""
    place = 0
    for piece in pieces:
        if place >= stop:
            return
        yield piece[max(0, start - place) : max(0, stop - place)]
        place += len(piece)


def extract_features(
    paths: Sequence[PathLike],
    features: str | Mapping[str, Any] | CepstralRecipe | AudioFeatures = "speech",
    *,
    ids: Sequence[str] | None = None,
    sample_rate: float | None = None,
    trim: float | None = None,
    normalise: PerSequence | None = None,
    on_bad_file: OnBadFile = "skip",
    cache: PathLike | None = None,
    n_jobs: int | None = None,
    progress: bool = False,
    name: str = "audio",
    pitch: bool = False,
) -> tuple[SequenceSet, list[str]]:
    """Compute the features of many audio files.

    Parameters
    ----------
    paths : sequence of path-like
        The files, at least one.
    features : str, mapping, CepstralRecipe or AudioFeatures
        ``"speech"``, ``"music"``, ``"music_mar"`` or settings of one's own, see ``audio_features``.
    ids : sequence of str, optional
        Names of the sequences; the paths if not given.
    sample_rate, trim, normalise : optional
        Override the attribute of :class:`AudioFeatures` of that name.
    on_bad_file : {"skip", "refuse"}
        What to do about a file that is broken, empty, silent or too short: leave it out with a note, or raise.
    cache : path-like, optional
        Folder that remembers features by the content of the file, the settings and the code that computes them; delete
        it at any time.
    n_jobs : int or None
        Number of threads; None is 1, -1 all processors. The result is the same for any number.
    progress : bool
        Report the count, the time taken and an estimate of the rest to standard error.
    name : str
        Name of the set.
    pitch : bool
        Look for the pitch of each recording too, which `explain` then speaks of; it is no feature.

    Returns
    -------
    sequences : SequenceSet
        One sequence per good file, in the order of `paths`. With `pitch`, the provenance holds under ``"pitch"`` the typical
        one (Hz) of each recording that has one, by its id.
    notes : list of str
        One sentence for each file left out, and one if the rates differ.

    Raises
    ------
    DataError
        If no file is good, or with ``on_bad_file="refuse"`` if one is bad; it is named.
    """
    require_on_bad_file(on_bad_file)
    files = [Path(path) for path in paths]
    names = [str(path) for path in paths] if ids is None else [str(entry) for entry in ids]
    if not files:
        raise DataError(f"{name}: no audio file was given; give at least one")
    if len(names) != len(files):
        raise DataError(f"{name}: {len(names)} ids were given for {len(files)} files; give one each")
    settings = audio_features(features, sample_rate=sample_rate, trim=trim, normalise=normalise)
    notes: list[str] = []
    name_of = dict(zip(files, names, strict=True))
    jobs = as_threads(n_jobs)
    infos = map_files(audio_info, files, name_of, notes, on_bad_file=on_bad_file, jobs=jobs)
    good = [path for path, info in zip(files, infos, strict=True) if info is not None]
    rate = common_rate([info for info in infos if info is not None], settings, notes)
    compute = partial(remembered_features, settings=settings, rate=rate, cache=cache, pitch=pitch)
    task = f"features of {name}" if progress else None
    results = map_files(compute, good, name_of, notes, on_bad_file=on_bad_file, jobs=jobs, task=task)
    usable = [(name_of[path], computed) for path, computed in zip(good, results, strict=True) if computed is not None]
    if not usable:
        reason = next(note for note in notes if note.startswith("skipped ")).removeprefix("skipped ")
        raise DataError(f"{name}: none of the {len(files)} audio files can be used; the first reason: {reason}")
    provenance: dict[str, Any] = {
        "features": {**asdict(settings), "sample_rate": rate},
        "files": len(files),
        "skipped": len(files) - len(usable),
        **Clock(settings.mar_hop if settings.mar else settings.recipe.samples(rate)[1] / rate).as_provenance(),
    }
    # Features of several kinds say which columns are whose.
    if hasattr(settings.recipe, "columns"):
        provenance["columns_of"] = settings.recipe.columns()
    if pitch:
        provenance["pitch"] = {entry: heard.pitch for entry, heard in usable if np.isfinite(heard.pitch)}
    sequences = SequenceSet.from_arrays(
        [heard.frames for _, heard in usable], ids=[entry for entry, _ in usable], name=name, provenance=provenance
    )
    return sequences, notes


def require_on_bad_file(on_bad_file: str) -> None:
    """Raise :class:`ParameterError` unless `on_bad_file` is a known policy."""
    if not is_one_of(on_bad_file, get_args(OnBadFile)):
        raise ParameterError(unknown_name("on_bad_file", on_bad_file, get_args(OnBadFile)))


class Heard(NamedTuple):
    """Features of a recording, and its pitch (Hz): NaN if it has none, or nobody asked."""

    frames: FloatArray
    pitch: float


def remembered_features(
    path: Path, settings: AudioFeatures, rate: float, cache: PathLike | None, pitch: bool = False
) -> Heard:
    """Features of one file as :func:`features_of_file` has them, from the cache if there is one and it has them."""
    return _heard(path, settings, rate, pitch) if cache is None else _cached(Path(cache), path, settings, rate, pitch)


def _heard(path: Path, settings: AudioFeatures, rate: float, pitch: bool) -> Heard:
    meter = PitchMeter(rate) if pitch else None
    frames = features_of_file(path, settings, rate, meter)
    return Heard(frames, math.nan if meter is None else meter.pitch)


def common_rate(infos: Sequence[AudioInfo], settings: AudioFeatures, notes: list[str]) -> float:
    """The rate (Hz) that all files are resampled to; what a user should know of it joins the notes."""
    rates = sorted({float(info.sample_rate) for info in infos})
    if settings.sample_rate is not None:
        rate = float(settings.sample_rate)
    elif rates:
        # A file cannot gain the frequencies it lacks, so the others give them up: bands stay comparable.
        rate = max(_LOWEST_RATE, min(rates[0], settings.highest_rate))
    else:
        rate = settings.highest_rate
    if len(rates) > 1:
        notes.append(
            f"the files have {len(rates)} sampling rates from {rates[0]:g} to {rates[-1]:g} Hz; all were resampled to"
            f" {rate:g} Hz"
        )
    highest = min(rate / 2, getattr(settings.recipe, "fmax", None) or np.inf)
    poor = [low for low in rates if low / 2 < highest]
    if poor:
        notes.append(
            f"files recorded at {poor[0]:g} Hz hold nothing above {poor[0] / 2:g} Hz, though features go up to"
            f" {highest:g} Hz; a lower sample_rate compares them with the others fairly"
        )
    channels = sorted({info.channels for info in infos})
    if len(channels) > 1:
        notes.append(f"the files have {channels[0]} to {channels[-1]} channels; each file was mixed down to one")
    return rate


def map_files(
    function: Callable[[Path], Result],
    paths: Sequence[Path],
    names: Mapping[Path, str],
    notes: list[str],
    *,
    on_bad_file: OnBadFile = "skip",
    jobs: int = 1,
    task: str | None = None,
) -> list[Result | None]:
    """Call `function` on every file, in threads; a bad file yields None and a note, or is refused.

    Parameters
    ----------
    function : callable
        Raises :class:`DataError` on a bad file. Decoding and transforms release the interpreter, so threads serve.
    paths : sequence of Path
        The files.
    names : mapping
        Short name of each file, used in notes.
    notes : list of str
        Extended by one sentence per bad file, in the order of `paths`.
    on_bad_file : {"skip", "refuse"}
        Whether a bad file is left out or raised.
    jobs : int
        Number of threads.
    task : str, optional
        Heading of the progress lines; none are written without it.

    Returns
    -------
    list
        Results in the order of `paths`, None where a file was bad.
    """
    report = Progress(task, len(paths), unit="file") if task is not None else None

    results: list[Result | None] = []

    def take(path: Path, result: Result | DataError) -> None:
        if isinstance(result, DataError):
            if on_bad_file == "refuse":
                raise result
            notes.append(f"skipped {str(result).replace(printable(str(path)), names[path], 1)}")
        results.append(None if isinstance(result, DataError) else result)
        if report is not None:
            report.step()

    if jobs == 1 or len(paths) < 2:
        for path in paths:
            take(path, attempted(function, path))
        return results
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        try:
            for path, result in zip(paths, pool.map(partial(attempted, function), paths), strict=True):
                take(path, result)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return results


def attempted(function: Callable[[Path], Result], path: Path) -> Result | DataError:
    """What a function says of a file, or the error that makes it a bad file."""
    try:
        return function(path)
    except DataError as error:
        return error


@lru_cache
def code_stamp() -> str:
    """Digest of the code and of the packages that features depend on, so that a cache never outlives them."""
    return digest_of_sources(CODE, also="".join(f"{package} {_version(package)};" for package in COMPUTED_WITH))


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


def _cached(folder: Path, path: Path, settings: AudioFeatures, rate: float, pitch: bool) -> Heard:
    digest = hashlib.blake2b(digest_size=20)
    digest.update(json.dumps({**asdict(settings), "sample_rate": rate, "code": code_stamp()}, sort_keys=True).encode())
    try:
        with path.open("rb") as stream:
            while chunk := stream.read(1 << 20):
                digest.update(chunk)
    except OSError as error:
        raise DataError(f"{path}: cannot be opened ({error.strerror or error}); check its permissions") from error
    key = digest.hexdigest()
    entry, beside = (folder / key[:2] / f"{key}{ending}" for ending in (".npy", ".pitch.npy"))
    try:
        remembered = np.load(entry, allow_pickle=False)
        pitch_value = float(np.load(beside, allow_pickle=False)) if pitch else math.nan
        if remembered.ndim == 2 and remembered.dtype == np.float64 and np.isfinite(remembered).all():
            return Heard(np.asarray(remembered), pitch_value)
    except (OSError, ValueError, EOFError, TypeError):
        pass  # absent or damaged: compute it (again)
    heard = _heard(path, settings, rate, pitch)
    try:
        for place, values in ((entry, heard.frames), (beside, np.array(heard.pitch)))[: 1 + pitch]:
            with replacing(place) as temporary, temporary.open("wb") as stream:
                np.save(stream, values)
    except KinseqError as error:
        raise KinseqError(f"the cache of features cannot be written: {error}") from error
    return heard
