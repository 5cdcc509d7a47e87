"""From many audio files to one set of sequences: decoded block by block, in parallel, and cached on disk."""

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

from ..core.arrays import FloatArray, as_count, as_flag, as_positive, keep_checked
from ..core.clock import Clock
from ..core.code_digest import digest as digest_of_sources
from ..core.errors import DataError, KinseqError, ParameterError, is_one_of, printable, unknown_name
from ..core.jobs import as_threads
from ..core.progress import Progress
from ..core.sequences import SequenceSet
from ..core.store import PathLike, replacing
from ..core.wording import as_typed, in_seconds, listed, option_name, out_of
from .audio import AudioInfo, EnergyTrimmer, Excerpt, as_rate, audio_info, in_band, power_above, stream_audio
from .autoregression import mar
from .cepstral import CepstralRecipe, with_bins
from .frames import PerSequence, averaged, normalise
from .recordings import RecordingInfo
from .registry import FeatureRecipe, get, names
from .sound import Sound, SoundMeter, by_field, remarks_on_sound

Item = TypeVar("Item")
Result = TypeVar("Result")
OnBadFile = Literal["skip", "refuse"]
Notes = tuple[str, ...]
"""Sentences on omissions, repairs and other facts to know."""

# A recording of up to this many samples is kept while its ends are found; a longer one is decoded twice.
_KEEP_SAMPLES = 1 << 21
# Lower rates are resampled to this one, so that bands remain those of speech, unless most bands would be empty.
_LOWEST_RATE, _RARELY_LOWER = 8000.0, 4000.0
_HIGHEST_USUAL = 48000.0

REMOVED, OFTEN = 0.1, 0.1
"""Share of the power of a recording whose loss is noted, and share of recordings above which the rate is raised instead."""
SHORT_SECONDS = 0.1
"""Median length of recordings, in seconds, below which windows are shortened in proportion."""
LONG_FRAMES, LEAST_FRAMES = 9000, 300
"""Total frames of all recordings above which those of long ones are averaged, and least frames kept of each."""
AS_WRITTEN: Mapping[str, Any] = {"remove_mean": False, "follow_power": False, "fit_window": False, "average": 1}
"""Settings under which features depend on the recipe alone, as in published experiments."""

CODE = ("kinseq.core", "kinseq.features")
"""Packages with all code that computes features."""
COMPUTED_WITH = ("numpy", "scipy", "librosa", "soundfile", "soxr", "onnxruntime", "openwakeword")


@dataclass(frozen=True)
class AudioFeatures:
    """All settings that determine the features of an audio file.

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
    remove_mean : bool
        Take the mean of each recording off first: a constant offset of the recorder is no sound.
    follow_power : bool
        Where no rate is given, and at least a tenth of the power of at least a tenth of the recordings lies above what
        `highest_rate` keeps, take the lowest rate among the files instead.
    fit_window : bool
        Lengthen windows and hops at rates below 8000 Hz, and shorten them above 48 000 Hz, to as many samples as they
        have there; and shorten them where the median recording is shorter than 0.1 s, in proportion. Windows that are
        given stay as they are.
    average : int or None
        Consecutive frames whose mean is one frame of the sequence; None averages those of long recordings
        (``frames_to_average``).
    """

    recipe: FeatureRecipe
    feature: str = "speech"
    sample_rate: float | None = None
    highest_rate: float = 16000.0
    trim: float | None = None
    normalise: PerSequence = "none"
    mar: bool = False
    mar_order: int = 3
    mar_window: float = 2.0
    mar_hop: float = 1.0
    remove_mean: bool = True
    follow_power: bool = True
    fit_window: bool = True
    average: int | None = None

    def __post_init__(self) -> None:
        if not is_one_of(self.feature, names()):
            raise ParameterError(unknown_name("features", self.feature, names()))
        if not is_one_of(self.normalise, get_args(PerSequence)):
            raise ParameterError(unknown_name("normalisation", self.normalise, get_args(PerSequence)))
        for name in ("sample_rate", "highest_rate"):
            if getattr(self, name) is not None:
                as_rate(getattr(self, name), option_name(name))
        for name in ("trim", "mar_window", "mar_hop"):
            value = getattr(self, name)
            if value is not None and (isinstance(value, (bool, str)) or not (np.isfinite(value) and value > 0)):
                raise ParameterError(f"{name} is {value!r}, expected a positive number or None")
        keep_checked(self, as_count, "mar_order", *(["average"] if self.average is not None else []))
        keep_checked(self, as_flag, "remove_mean", "follow_power", "fit_window")
        if (ready := get(self.feature).ready) is not None:
            ready()

    def at(self, sample_rate: float, seconds: float = math.inf) -> AudioFeatures:
        """Return settings for a rate (Hz), with windows and hops that suit it and recordings of some duration (s)."""
        recipe: Any = self.recipe
        factor = max(_LOWEST_RATE / sample_rate, 1.0) * min(_HIGHEST_USUAL / sample_rate, 1.0)
        factor = min(factor, seconds / SHORT_SECONDS) if seconds < SHORT_SECONDS else factor
        names = {entry.name for entry in fields(recipe)}
        if self.fit_window and factor != 1.0 and {"window_seconds", "hop_seconds"} <= names:
            recipe = replace(
                recipe, window_seconds=recipe.window_seconds * factor, hop_seconds=recipe.hop_seconds * factor
            )
        if isinstance(recipe, CepstralRecipe):
            recipe = with_bins(recipe, sample_rate)
        return replace(self, recipe=recipe, sample_rate=sample_rate)

    @property
    def hop_seconds(self) -> float:
        """Seconds from one frame to the next, before averaging; for settings with a rate."""
        if self.mar:
            return self.mar_hop
        rate = self.sample_rate or self.highest_rate
        return self.recipe.samples(rate)[1] / rate


def with_windows(
    features: str | Mapping[str, Any], window_seconds: float | None = None, hop_seconds: float | None = None
) -> str | Mapping[str, Any]:
    """Return features with other windows (s): if only one of both is given, the other keeps its proportion.

    Raises
    ------
    ParameterError
        If a number is not positive, or the features have no windows.
    """
    given = {"window_seconds": window_seconds, "hop_seconds": hop_seconds}
    given = {name: as_positive(value, name) for name, value in given.items() if value is not None}
    if not given:
        return features
    recipe: Any = audio_features(features).recipe
    proportion = recipe.hop_seconds / recipe.window_seconds
    if "window_seconds" not in given:
        given["window_seconds"] = given["hop_seconds"] / proportion
    given.setdefault("hop_seconds", given["window_seconds"] * proportion)
    return {**({"recipe": features} if isinstance(features, str) else features), **given}


def as_made(features: str | Mapping[str, Any], made: Mapping[str, Any]) -> dict[str, Any]:
    """Return features as requested, with settings fitted to the recordings.

    Parameters
    ----------
    features : str or mapping
        What :func:`audio_features` takes.
    made : mapping
        What :func:`extract_features` keeps in the provenance under ``"features"``.
    """
    wanted = {"recipe": features} if isinstance(features, str) else dict(features)
    fitted = dict(made.get("recipe") or {})
    windows = {name: fitted.get(name) for name in ("window_seconds", "hop_seconds", "n_fft")}
    windows = {name: value for name, value in windows.items() if value is not None}
    return {**wanted, **windows, "average": made.get("average") or 1}


def audio_features(
    features: str | Mapping[str, Any] | CepstralRecipe | AudioFeatures = "speech", **settings: Any
) -> AudioFeatures:
    """Build :class:`AudioFeatures` from a name and deviations from it.

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
    if of_recipe.keys() & {"window_seconds", "hop_seconds"}:
        direct.setdefault("fit_window", False)
    return replace(base, recipe=replace(recipe, **of_recipe), **direct)


def features_of_file(
    path: PathLike | Excerpt, settings: AudioFeatures, sample_rate: float, meter: SoundMeter | None = None
) -> FloatArray:
    """Return features of one audio file, or of a part of it, decoded block by block.

    Parameters
    ----------
    path : path-like or Excerpt
        The file; an hour of it needs no more memory than its features and a few blocks.
    settings : AudioFeatures
        What to compute, with the windows that it has.
    sample_rate : float
        Rate to resample to (Hz).
    meter : SoundMeter, optional
        Takes the samples too, in the band of the part, at the rate of the recording.

    Returns
    -------
    ndarray, shape (T, d), float64
        Before any frames are averaged.

    Raises
    ------
    DataError
        If the file cannot be read, is silent, or is too short for one frame.
    """
    excerpt = path if isinstance(path, Excerpt) else Excerpt(Path(path))
    where, compute = str(excerpt), get(settings.feature).function
    trimmer = EnergyTrimmer(sample_rate, settings.trim if settings.trim is not None else 0.0)
    if settings.trim is None and not settings.remove_mean:
        stream: Iterable[FloatArray] = _metered(_samples(excerpt, sample_rate, meter), trimmer)
        frames = compute(stream, sample_rate, settings.recipe, where)
        if trimmer.silent:
            trimmer.bounds(where)
    else:
        pieces: list[FloatArray] | None = []
        for piece in _samples(excerpt, sample_rate, meter):
            trimmer.feed(piece)
            if pieces is not None:
                pieces.append(piece)
                pieces = pieces if trimmer.samples <= _KEEP_SAMPLES else None
        start, stop = trimmer.bounds(where)
        if settings.trim is None:
            start, stop = 0, trimmer.samples
        stream = _between(pieces if pieces is not None else _samples(excerpt, sample_rate), start, stop)
        if settings.remove_mean:
            stream = _less(stream, trimmer.mean)
        frames = compute(stream, sample_rate, settings.recipe, where)
    frames = normalise(frames, settings.normalise)
    if not settings.mar:
        return frames
    period = settings.recipe.samples(sample_rate)[1] / sample_rate
    try:
        return mar(frames, settings.mar_order, settings.mar_window, settings.mar_hop, period)
    except DataError as error:
        raise DataError(str(error).replace("sequence:", f"{where}:", 1)) from error


def _samples(excerpt: Excerpt, sample_rate: float, meter: SoundMeter | None = None) -> Iterable[FloatArray]:
    """Return the samples of a part of a recording in its band: in pieces, or in one piece for a band."""
    whole_band = excerpt.low <= 0.0 and not np.isfinite(excerpt.high)
    taken: list[FloatArray] = []
    tap = None if meter is None else meter.feed if whole_band else taken.append
    stream = stream_audio(excerpt.path, sample_rate, excerpt.start, excerpt.stop, channel=excerpt.channel, tap=tap)
    if whole_band:
        return stream
    samples = in_band(np.concatenate(list(stream)), sample_rate, excerpt.low, excerpt.high)
    if meter is not None:
        meter.feed(in_band(np.concatenate(taken), meter.sample_rate, excerpt.low, excerpt.high))
    return [samples]


def _less(pieces: Iterable[FloatArray], mean: float) -> Iterator[FloatArray]:
    for piece in pieces:
        yield piece - mean


def _metered(pieces: Iterable[FloatArray], trimmer: EnergyTrimmer) -> Iterator[FloatArray]:
    for piece in pieces:
        trimmer.feed(piece)
        yield piece


def _between(pieces: Iterable[FloatArray], start: int, stop: int) -> Iterator[FloatArray]:
    """Yield the samples from `start` to `stop` of a stream."""
    place = 0
    for piece in pieces:
        if place >= stop:
            return
        yield piece[max(0, start - place) : max(0, stop - place)]
        place += len(piece)


def extract_features(
    paths: Sequence[PathLike | Excerpt],
    features: str | Mapping[str, Any] | CepstralRecipe | AudioFeatures = "speech",
    *,
    ids: Sequence[str] | None = None,
    sample_rate: float | None = None,
    trim: float | None = None,
    average: int | None = None,
    normalise: PerSequence | None = None,
    on_bad_file: OnBadFile = "skip",
    cache: PathLike | None = None,
    n_jobs: int | None = None,
    progress: bool = False,
    name: str = "audio",
    sound: bool = False,
) -> tuple[SequenceSet, list[str]]:
    """Compute the features of many audio files.

    Parameters
    ----------
    paths : sequence of path-like or Excerpt
        The files, or parts of files, at least one.
    features : str, mapping, CepstralRecipe or AudioFeatures
        ``"speech"``, ``"music"``, ``"music_mar"`` or settings of one's own, see ``audio_features``.
    ids : sequence of str, optional
        Names of the sequences; the paths if not given.
    sample_rate, trim, average, normalise : optional
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
    sound : bool
        Measure the loudness, silence, spectrum, pulses and pitch of each recording too, by which `explain` describes clusters;
        they are no features.

    Returns
    -------
    sequences : SequenceSet
        One sequence per good file, in the order of `paths`. With `sound`, the provenance holds under ``"sound"`` the fields
        of ``kinseq.features.sound.Sound`` by their names, of each recording that has a value by its id.
    notes : list of str
        One sentence for each file left out, and one each if the rates differ, resampling removes much of the power, or
        frames of long recordings were averaged.

    Raises
    ------
    DataError
        If no file is good, or with ``on_bad_file="refuse"`` if one is bad; it is named.
    """
    require_on_bad_file(on_bad_file)
    parts = [path if isinstance(path, Excerpt) else Excerpt(Path(path)) for path in paths]
    names = [str(part) for part in parts] if ids is None else [str(entry) for entry in ids]
    if not parts:
        raise DataError(f"{name}: no audio file was given; give at least one")
    if len(names) != len(parts):
        raise DataError(f"{name}: {len(names)} ids were given for {len(parts)} files; give one each")
    settings = audio_features(features, sample_rate=sample_rate, trim=trim, average=average, normalise=normalise)
    notes: list[str] = []
    name_of = dict(zip(parts, names, strict=True))
    jobs = as_threads(n_jobs)
    known: dict[Path, AudioInfo] = {}
    infos, said = map_files(partial(_info, known=known), parts, name_of, on_bad_file=on_bad_file, jobs=jobs)
    notes += said
    good = {part: info for part, info in zip(parts, infos, strict=True) if info is not None}
    mixed = [info for part, info in good.items() if part.channel is None]
    rate, said = common_rate([*good.values()], settings, mixed)
    notes += said
    task = f"power of {name}" if progress else None
    rate, said = _rate_by_power(good, name_of, settings, rate, cache=cache, jobs=jobs, task=task)
    notes += said
    lowest = getattr(settings.recipe, "fmin", 0.0)
    if good and lowest >= rate / 2.0:
        raise DataError(
            f"{name}: at {rate:g} Hz nothing above {rate / 2.0:g} Hz is recorded, but the features {settings.feature!r} begin at"
            f" {lowest:g} Hz; take others"
        )
    usual = settings
    seconds = [_seconds(part, info) for part, info in good.items()]
    settings = usual.at(rate, float(np.median(seconds)) if seconds else math.inf)
    notes += _of_windows(usual, settings)
    average = frames_to_average(seconds, settings)
    settings = replace(settings, average=average)
    compute = partial(_averaged_features, settings=settings, cache=cache, sound=sound)
    task = f"features of {name}" if progress else None
    results, said = map_files(compute, [*good], name_of, on_bad_file=on_bad_file, jobs=jobs, task=task)
    notes += said
    usable = [(name_of[part], computed) for part, computed in zip(good, results, strict=True) if computed is not None]
    if not usable:
        reason = next(note for note in notes if note.startswith("skipped ")).removeprefix("skipped ")
        raise DataError(f"{name}: none of the {len(parts)} audio files can be used; the first reason: {reason}")
    if average > 1:
        notes.append(
            f"every {average} frames were averaged to one of {in_seconds(settings.hop_seconds * average)}, since the recordings are"
            f" long: shorter events are lost; cut the recordings into pieces ({as_typed('segments')}) if it should be"
        )
    measured = {entry: heard.sound for entry, heard in usable if heard.sound is not None} if sound else {}
    notes += remarks_on_sound(measured, settings.recipe) if sound else []
    info = RecordingInfo(
        features=asdict(settings),
        recorded_at=sorted({float(info.sample_rate) for info in good.values()}),
        # Features of several kinds list the columns of each kind.
        columns_of=settings.recipe.columns() if hasattr(settings.recipe, "columns") else None,
        sound=by_field(measured) if sound else {},
    )
    provenance: dict[str, Any] = {
        **info.as_provenance(),
        "files": len(parts),
        "skipped": len(parts) - len(usable),
        **Clock(settings.hop_seconds * average).as_provenance(),
    }
    sequences = SequenceSet.from_arrays(
        [heard.frames for _, heard in usable], ids=[entry for entry, _ in usable], name=name, provenance=provenance
    )
    return sequences, notes


def _info(part: Excerpt, known: dict[Path, AudioInfo]) -> AudioInfo:
    """Return the facts of a file's header, read once for all parts."""
    if part.path not in known:
        known[part.path] = audio_info(part.path)
    return known[part.path]


def _seconds(part: Excerpt, info: AudioInfo) -> float:
    return max(0.0, min(part.stop, info.seconds) - part.start)


def _of_windows(usual: AudioFeatures, settings: AudioFeatures) -> list[str]:
    """Return notes on windows fitted to the recordings."""
    recipe: Any = settings.recipe
    if usual.recipe == recipe:
        return []
    return [
        f"windows of {in_seconds(recipe.window_seconds)}, one every {in_seconds(recipe.hop_seconds)}, were taken to suit the rate"
        f" and the duration of the recordings; {as_typed('window_seconds')} and"
        f" {as_typed('hop_seconds')} set others"
    ]


def frames_to_average(seconds: Sequence[float], settings: AudioFeatures) -> int:
    """Return the number of frames averaged into one: 1 unless recordings are long.

    Parameters
    ----------
    seconds : sequence of float
        Duration of each recording.
    settings : AudioFeatures
        With a rate, see :meth:`AudioFeatures.at`.

    Returns
    -------
    int
        Least number by which all recordings together have no more than 9000 frames, but no more than leaves 300 frames to
        the median one; the attribute `average` of the settings if that is given.

    Notes
    -----
    The cost of aligning all pairs grows with the square of the frames in all. Measured: nine recordings of three kinds of calls, of
    30 s each and of 5 minutes each, fall into these kinds with the 1000 frames that are left of each.
    """
    if settings.average is not None:
        return settings.average
    frames = np.asarray(seconds, dtype=np.float64) / settings.hop_seconds
    most = float(np.median(frames)) // LEAST_FRAMES if frames.size else 1.0
    return int(max(1.0, min(np.ceil(frames.sum() / LONG_FRAMES), most)))


def _averaged_features(part: Excerpt, settings: AudioFeatures, cache: PathLike | None, sound: bool) -> Heard:
    assert settings.sample_rate is not None
    assert settings.average is not None
    heard = remembered_features(part, replace(settings, average=1), settings.sample_rate, cache, sound)
    return heard._replace(frames=averaged(heard.frames, settings.average))


def _rate_by_power(
    infos: Mapping[Excerpt, AudioInfo],
    name_of: Mapping[Excerpt, str],
    settings: AudioFeatures,
    rate: float,
    *,
    cache: PathLike | None,
    jobs: int,
    task: str | None,
) -> tuple[float, Notes]:
    """Return the rate, or a higher one if it would remove much of the recorded power, and notes on that."""
    if not settings.follow_power:
        return rate, ()
    higher = [part for part, info in infos.items() if info.sample_rate > rate]
    # An unreadable file is named where its features are requested.
    measure = partial(_cached_share, hertz=rate / 2.0, cache=cache)
    shares, _ = map_files(measure, higher, name_of, jobs=jobs, task=task)
    losing = [part for part, share in zip(higher, shares, strict=True) if share is not None and share >= REMOVED]
    if not losing:
        return rate, ()
    share = float(np.median([shares[higher.index(part)] or 0.0 for part in losing]))
    which = f"{out_of(len(losing), len(infos), 'recording')} ({listed([name_of[part] for part in losing])})"
    said = f"{share:.0%} of the power of {which} lies above {rate / 2.0:g} Hz"
    lowest = float(min(info.sample_rate for info in infos.values()))
    if settings.sample_rate is None and len(losing) >= OFTEN * len(infos) and lowest > rate:
        how = f"all were compared up to {lowest / 2.0:g} Hz, at {lowest:g} Hz; {as_typed('sample_rate')} sets another rate"
        return lowest, (f"{said}: {how}",)
    remedy = (
        f"{as_typed('sample_rate', lowest)} keeps it"
        if lowest > rate
        else "compare those of the higher rates by themselves"
    )
    return rate, (f"{said}, which the features do not see; {remedy}",)


def _cached_share(part: Excerpt, hertz: float, cache: PathLike | None) -> float:
    """Cached :func:`power_above`."""
    if cache is None:
        return power_above(part, hertz)
    entry = _entry(Path(cache), part, {"power_above": hertz}, ".npy")
    try:
        return float(np.load(entry, allow_pickle=False))
    except (OSError, ValueError, EOFError, TypeError):
        pass  # absent or damaged
    share = power_above(part, hertz)
    _keep(entry, np.array(share))
    return share


def require_on_bad_file(on_bad_file: str) -> None:
    """Raise :class:`ParameterError` unless `on_bad_file` is a known policy."""
    if not is_one_of(on_bad_file, get_args(OnBadFile)):
        raise ParameterError(unknown_name("on_bad_file", on_bad_file, get_args(OnBadFile)))


class Heard(NamedTuple):
    """Features of a recording, and its sound if requested."""

    frames: FloatArray
    sound: Sound | None = None


def remembered_features(
    path: Path | Excerpt, settings: AudioFeatures, rate: float, cache: PathLike | None, sound: bool = False
) -> Heard:
    """Return features of one file as in :func:`features_of_file`, from the cache if available."""
    part = path if isinstance(path, Excerpt) else Excerpt(path)
    return _heard(part, settings, rate, sound) if cache is None else _cached(Path(cache), part, settings, rate, sound)


def _heard(path: Excerpt, settings: AudioFeatures, rate: float, sound: bool) -> Heard:
    meter = SoundMeter(audio_info(path.path).sample_rate) if sound else None
    frames = features_of_file(path, settings, rate, meter)
    return Heard(frames) if meter is None else Heard(frames, meter.sound())


def common_rate(
    infos: Sequence[AudioInfo], settings: AudioFeatures, mixed: Sequence[AudioInfo] | None = None
) -> tuple[float, Notes]:
    """Return the rate (Hz) that all files are resampled to, and notes on it.

    `mixed` are the files whose channels are mixed, all if not given.
    """
    notes, mixed = [], infos if mixed is None else mixed
    rates = sorted({float(info.sample_rate) for info in infos})
    if settings.sample_rate is not None:
        rate = float(settings.sample_rate)
    elif rates:
        # A file cannot gain missing frequencies, so the others lose them: bands stay comparable.
        fitted = settings.remove_mean or settings.follow_power or settings.fit_window
        least = 0.0 if fitted and rates[0] < _RARELY_LOWER else min(_LOWEST_RATE, settings.highest_rate)
        rate = max(least, min(rates[0], settings.highest_rate))
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
            f" {highest:g} Hz; a lower rate ({as_typed('sample_rate', poor[0])}) compares them with the others fairly"
        )
    channels = sorted({info.channels for info in mixed})
    if len(channels) > 1:
        notes.append(f"the files have {channels[0]} to {channels[-1]} channels; each file was mixed down to one")
    elif channels and channels[0] > 1:
        notes.append(f"the files have {channels[0]} channels, which were mixed down to one")
    return rate, tuple(notes)


def map_files(
    function: Callable[[Item], Result],
    paths: Sequence[Item],
    names: Mapping[Item, str],
    *,
    on_bad_file: OnBadFile = "skip",
    jobs: int = 1,
    task: str | None = None,
) -> tuple[list[Result | None], Notes]:
    """Call `function` on every file, in threads; a bad file yields None and a note, or is refused.

    Parameters
    ----------
    function : callable
        Raises :class:`DataError` on a bad file. Decoding and transforms release the interpreter, so threads serve.
    paths : sequence
        The files, or parts of files; as text each is a path.
    names : mapping
        Short name of each file, used in notes.
    on_bad_file : {"skip", "refuse"}
        Whether a bad file is left out or raised.
    jobs : int
        Number of threads.
    task : str, optional
        Heading of the progress lines; none are written without it.

    Returns
    -------
    results : list
        In the order of `paths`, None where a file was bad.
    notes : tuple of str
        One sentence per bad file, in the order of `paths`.
    """
    notes: list[str] = []
    report = Progress(task, len(paths), unit="file") if task is not None else None

    results: list[Result | None] = []

    def take(path: Item, result: Result | DataError) -> None:
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
        return results, tuple(notes)
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        try:
            for path, result in zip(paths, pool.map(partial(attempted, function), paths), strict=True):
                take(path, result)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return results, tuple(notes)


def attempted(function: Callable[[Item], Result], path: Item) -> Result | DataError:
    """Return the result of a function for a file, or the error that makes it a bad file."""
    try:
        return function(path)
    except DataError as error:
        return error


@lru_cache
def code_stamp() -> str:
    """Return the digest of the code and packages that determine features, so that caches do not become stale."""
    return digest_of_sources(CODE, also="".join(f"{package} {_version(package)};" for package in COMPUTED_WITH))


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


def _cached(folder: Path, path: Excerpt, settings: AudioFeatures, rate: float, sound: bool) -> Heard:
    how = {**asdict(settings), "sample_rate": rate}
    entry, beside = (_entry(folder, path, how, ending) for ending in (".npy", ".sound.npy"))
    try:
        remembered = np.load(entry, allow_pickle=False)
        measured = Sound(*np.load(beside, allow_pickle=False).tolist()) if sound else None
        if remembered.ndim == 2 and remembered.dtype == np.float64 and np.isfinite(remembered).all():
            return Heard(np.asarray(remembered), measured)
    except (OSError, ValueError, EOFError, TypeError):
        pass  # absent or damaged: compute it (again)
    heard = _heard(path, settings, rate, sound)
    _keep(entry, heard.frames)
    if heard.sound is not None:
        _keep(beside, np.array(heard.sound))
    return heard


def _entry(folder: Path, part: Excerpt, how: Mapping[str, Any], ending: str) -> Path:
    """Return the cache path of a result for a part of a file: by content, settings and code."""
    try:
        status = part.path.stat()
        content = _content_of(str(part.path), status.st_size, status.st_mtime_ns)
    except OSError as error:
        raise DataError(f"{part}: cannot be opened ({error.strerror or error}); check its permissions") from error
    place = {} if part.whole else {"part": [part.start, part.stop, part.low, part.high, part.channel]}
    digest = hashlib.blake2b(digest_size=20)
    digest.update(json.dumps({**how, **place, "code": code_stamp()}, sort_keys=True).encode())
    digest.update(content)
    key = digest.hexdigest()
    return folder / key[:2] / f"{key}{ending}"


@lru_cache(maxsize=1 << 16)
def _content_of(path: str, size: int, modified: int) -> bytes:
    """Digest of a file, read once for all parts; identified by size and time of change."""
    digest = hashlib.blake2b(digest_size=20)
    with Path(path).open("rb") as stream:
        while chunk := stream.read(1 << 20):
            digest.update(chunk)
    return digest.digest()


def _keep(place: Path, values: FloatArray) -> None:
    try:
        with replacing(place) as temporary, temporary.open("wb") as stream:
            np.save(stream, values)
    except KinseqError as error:
        raise KinseqError(f"the cache of features cannot be written: {error}") from error
