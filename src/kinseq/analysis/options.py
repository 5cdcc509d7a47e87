"""Options of an analysis: one table, and :class:`Options`, the values of one call, which every step is given.

An option's name, type, default and meaning are said once, in the fields of :class:`Options`; the command line, schemas, tables
of the documentation and docstrings are made of them.
"""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from numbers import Real
from typing import Any, Literal, get_args

import numpy as np

from ..core.arrays import as_count, as_flag, as_positive, as_real, require_clusters
from ..core.circular import as_circles
from ..core.errors import ParameterError, is_one_of, unknown_name
from ..core.folders import LABELS_FILE, Animals, Annotations, Band, DateOrder, Kind, Missing, Rows
from ..core.inputs import Columns
from ..core.sequences import LAYOUTS, Layout, as_column
from ..core.table_options import OPTIONS as OF_TABLES
from ..core.table_options import TableOptions
from ..features.extraction import OnBadFile, audio_features, with_windows
from ..features.registry import get as get_feature
from ..measures.registry import MEASURE, Measure
from . import limits

Scale = Literal["zscore", "per_sequence", "none"]
Length = Literal["as_given", "stretch"]
STRETCH = "stretch"
Width = Literal["auto", "local", "eigengap", "tightness", "median"]
AUTO = "auto"
"""The sample that is drawn where there are many sequences; the measure that is usual for the data."""
SYNONYMS = {
    "K": "n_clusters",
    "k": "n_clusters",
    "num_clusters": "n_clusters",
    "n_components": "n_states",
    "metric": "measure",
    "distance": "measure",
    "affinity": "measure",
    "covariance_type": "covariance",
    "n_iter": "max_iter",
    "method": "clusterer",
    "algorithm": "clusterer",
    "seed": "random_state",
    "random_seed": "random_state",
    "threads": "n_jobs",
    "verbose": "progress",
    "normalize": "scale",
    "normalise": "scale",
    "standardize": "scale",
    "data": "X",
    "sequences": "X",
    "y": "labels",
    "id": "id_column",
    "time": "time_column",
    "fps": "rate",
    "frame_rate": "rate",
    "sampling_rate": "rate",
    "columns": "value_columns",
    "usecols": "value_columns",
    "drop": "drop_columns",
    "na_values": "missing_codes",
    "missing_code": "missing_codes",
    "skiprows": "skip_rows",
    "var_name": "variable_name",
    "n_samples": "sample",
    "sample_size": "sample",
    "subsample": "sample",
}
"""What is called otherwise elsewhere, in scikit-learn, tslearn, aeon or by hand."""


_NAMES: Mapping[str, Any] = {
    "anyOf": [{"type": "string", "minLength": 1}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]
}
"""Schema of names of columns."""
Of = Literal["arrays", "files"]
"""What of the data an option is about; None for all."""


@dataclass(frozen=True)
class Option:
    """One option.

    Attributes
    ----------
    name : str
    text : str
        What it means, in Markdown; the first sentence by itself.
    schema : mapping
        JSON schema of its values where they are written in a file; a value may be more than that in Python.
    default : object
        What holds without it; None where the data decide, or nothing does.
    word : str or None
        What ``make cluster`` calls it, and in small letters the command line; None if it is no word.
    of : {"arrays", "files"} or None
        What of the data it is about; None for all.
    required : bool
    in_files : bool
        Whether a configuration may hold it.
    """

    name: str
    text: str
    schema: Mapping[str, Any]
    default: Any = None
    word: str | None = None
    of: Of | None = None
    required: bool = False
    in_files: bool = True

    @property
    def choices(self) -> tuple[str, ...]:
        """The values that it may have, where they are listed; empty where not."""
        return tuple(self.schema.get("enum", ()))

    @property
    def nullable(self) -> bool:
        """Whether None has a meaning of its own."""
        return "null" in self.schema.get("type", ())

    @property
    def help(self) -> str:
        """The first sentence as a command line shows it, with the default."""
        first = re.split(r"(?<=[.;]) ", self.text)[0].rstrip(".;").replace("`", "")
        words = first[0].lower() + first[1:] if first[1:2].islower() else first
        listed = f": {', '.join(self.choices)}" if self.choices and not all(c in words for c in self.choices) else ""
        return f"{words}{listed}" + ("" if self.default is None else f" ({self.default})")


def option(
    default: Any,
    text: str,
    schema: Mapping[str, Any],
    word: str | None = None,
    of: Of | None = None,
    in_files: bool = True,
) -> Any:
    """Return a field of a dataclass of settings that is an option; see :class:`Option`."""
    return field(default=default, metadata={"option": (text, schema, word, of, in_files)})


def options_of(settings: type) -> dict[str, Option]:
    """Return the options of a dataclass of settings by name, in its order."""
    options = {}
    for entry in fields(settings):
        if "option" in entry.metadata:
            text, schema, word, of, in_files = entry.metadata["option"]
            default = None if entry.default is MISSING else entry.default
            options[entry.name] = Option(entry.name, text, schema, default, word, of, in_files=in_files)
    return options


Range = tuple[int, int]
"""Lowest and highest number of clusters, both included."""
RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
"""A range in words; not ``\\d``, which takes the digits of every script."""
EXPECTED = "a whole number of at least 1, or a range such as 3-6"


def as_number(value: Any, name: str = "n_clusters") -> tuple[int | None, Range | None]:
    """Return the number of clusters that was asked for, or the range as (lowest, highest); at most one of them.

    A range of at least 2 is two numbers or ``"3-6"``; one of a single number is that number. `name` is what the user
    calls it. ParameterError if it is none of these, or the ends are in the wrong order.
    """
    if value is None:
        return None, None
    ends: Any = value
    if isinstance(value, str):
        match = RANGE.fullmatch(value)
        if match is None:
            raise ParameterError(f"{name} is {value!r}, expected {EXPECTED}")
        ends = [int(text) for text in match.groups()]
    if not isinstance(ends, (tuple, list)):
        return as_count(value, name), None
    if len(ends) != 2:
        raise ParameterError(f"{name} is {value!r}, expected {EXPECTED}: its lowest and its highest number")
    low, high = (as_count(end, f"{where} of {name}", 2) for end, where in zip(ends, ("lowest", "highest"), strict=True))
    if low > high:
        raise ParameterError(f"{name} is {in_words((low, high))}, but the lowest number comes first; give {high}-{low}")
    return (low, None) if low == high else (None, (low, high))


def in_words(n_range: Range) -> str:
    """Return a range as on the command line: ``"3-6"``."""
    return f"{n_range[0]}-{n_range[1]}"


def require_reached(n_clusters: int | None, n_range: Range | None, n_items: int, where: str) -> None:
    """Refuse a number that the items cannot be cut into, and a range of which some numbers could not be compared."""
    if n_clusters is not None:
        require_clusters(n_items, n_clusters, where)
    if n_range is None:
        return
    beginning = f"{where}: n_clusters is {in_words(n_range)}"
    if n_range[1] > n_items:
        raise ParameterError(f"{beginning} but there are only {n_items} items; ask for fewer clusters")
    if n_items > limits.MAX_COUNTED_ON <= n_range[1]:
        raise ParameterError(
            f"{beginning}, but numbers of clusters are compared on {limits.MAX_COUNTED_ON} of the {n_items} items; end the range"
            f" below {limits.MAX_COUNTED_ON}, or give one number"
        )


@dataclass(frozen=True)
class Options:
    """Everything that is given to an analysis, checked as far as it can be before data are read.

    The first fields are the table of options; see their texts. The others:

    Attributes
    ----------
    params : mapping
        Parameters of the measures, their models and the clusterer by their names.
    measures : tuple of Measure
        The first one gives the clusters, the others are compared with it.
    n_clusters : int or None
        Number of clusters, if one was given.
    n_range : (int, int) or None
        Lowest and highest number of clusters, where one of these is to be chosen; `n_clusters` is None then.
    seed : int
        Root of every random stream.
    threads : int
        Number of threads; no number depends on it.
    progress : bool
        Whether long stages report to standard error.
    alternatives : bool
        Whether numbers of clusters are compared even if one was given, for a page that shows them.
    name : str or None
        Title of the page; that of the data if None.
    source : str or None
        Path of the data; None for arrays.
    command : str or None
        What the page names as the command that repeats the analysis.
    strict : bool
        Refuse sequences that a measure cannot use, instead of leaving them out.
    """

    labels: str | os.PathLike[str] | Sequence[Any] | None = option(
        LABELS_FILE,
        "File with the header `id,label` or `id,label,group`, and columns that the page can colour by, relative to the data"
        " (`'=1+1` stands for `=1+1`, so that spreadsheets do not compute it); `folders`: the first sub-folder is the label;"
        " `null`: none. In Python also a list with one label a sequence. Labels are for scores only.",
        {"type": ["string", "null"]},
        "LABELS",
    )
    kind: Kind | None = option(
        None,
        "What to read in a folder that holds several kinds: `audio`, `table`, `npz`, `ts` or `parquet`.",
        {"enum": list(get_args(Kind))},
        "KIND",
        of="files",
    )
    missing: Missing = option(
        "refuse",
        "Missing numbers: `refuse`, or `interpolate` within the sequence, by lines between the known ones.",
        {"enum": list(get_args(Missing))},
        "MISSING",
    )
    on_bad_file: OnBadFile = option(
        "skip",
        "A file that cannot be read: `skip` it and say so, or `refuse` to go on.",
        {"enum": list(get_args(OnBadFile))},
        of="files",
    )
    scale: Scale = option(
        "zscore",
        "Scale of the columns. `zscore`: every column by its mean and deviation over the whole set. `per_sequence`: over each"
        " sequence by itself, so that levels and spreads count for nothing. `none`: numbers as they are.",
        {"enum": list(get_args(Scale))},
        "SCALE",
    )
    length: Length = option(
        "as_given",
        "Whether lengths count: `as_given`, or `stretch` where they are chance. `stretch` interpolates all sequences to one length,"
        " their median, before anything is compared, and new sequences too; those of a single frame are left out. The page says"
        " when clusters follow the lengths.",
        {"enum": list(get_args(Length))},
        "LENGTH",
    )
    clusterer: str = option(
        "spectral",
        "What cuts the matrix: `spectral`, `hierarchical`, `kmedoids` or another that takes a matrix.",
        {"type": "string"},
        "CLUSTERER",
    )
    width: Width | float = option(
        "auto",
        "Kernel width of spectral clustering: `local` (one per item), `eigengap`, `tightness` or `median`, in Python also a number."
        " `auto`: none for `elastic` and `fusion`, whose affinity is used as it is, else `local`.",
        {"enum": list(get_args(Width))},
    )
    model: str | None = option(
        None,
        "Kind of the models of a measure that has some; the one that all measures share where it serves.",
        {"type": "string"},
        in_files=False,
    )
    n_states: int | None = option(
        None,
        "Number of states of the models; an error where no measure fits models, as by default. If not given, a few numbers are"
        " tried: one common model takes that of least BIC, models of each sequence that under which other sequences are most"
        " likely.",
        {"type": "integer", "minimum": 1},
        "STATES",
    )
    features: str | Mapping[str, Any] = option(
        "speech",
        "Features of audio: `speech`, `music`, `music_mar`, `chroma`, `plp`, `lpc`, `lpcepstra`, `several` (MFCC and these three"
        " side by side), `ultrasound` (MFCC above 10 kHz, of short windows), `low_sound` (MFCC up to 1 kHz, of long ones) or"
        " `words` (short recordings by the words in them, with an optional extra). Or a mapping with one of these"
        " as `recipe` and the settings that differ. See [words](../docs/reports/words.md).",
        {"type": ["string", "object"]},
        "FEATURES",
        of="files",
    )
    sample_rate: float | None = option(
        None,
        "Rate in Hz that every audio file is resampled to, 10 to 1e6. Half of it is the highest frequency that is compared. If not"
        " given: the lowest among the files, at most 16 000 (music: 22 050), unless a tenth of the power of a tenth of the"
        " recordings would be lost; then the lowest among the files.",
        {"type": "number", "exclusiveMinimum": 0},
        "SAMPLE_RATE",
        of="files",
    )
    window_seconds: float | None = option(
        None,
        "Seconds of sound that one frame of an audio file is computed from. If not given, that of the features (`speech`: 0.025),"
        " fitted to rates below 8000 Hz and above 48 000 Hz and to recordings of less than 0.1 s. Ultrasound takes some"
        " milliseconds, whales and earthquakes up to seconds.",
        {"type": "number", "exclusiveMinimum": 0},
        "WINDOW",
        of="files",
    )
    hop_seconds: float | None = option(
        None,
        "Seconds from one frame of an audio file to the next. If not given, in proportion to the window.",
        {"type": "number", "exclusiveMinimum": 0},
        "HOP",
        of="files",
    )
    trim: float | None = option(
        None,
        "Cut the ends of audio that are this many dB below the loudest part.",
        {"type": "number", "exclusiveMinimum": 0},
        of="files",
    )
    segments: str | os.PathLike[str] | None = option(
        None,
        "Cut recordings into segments, each a sequence. A table: a Raven selection table, labels of Audacity, a TextGrid of Praat,"
        " or a CSV with onset, offset, file and label; `beside`: the tables beside the recordings; `auto`: by energy. The table"
        " comes back with a column of clusters. See [files](../docs/reference/files.md).",
        {"type": "string", "minLength": 1},
        "SEGMENTS",
        of="files",
    )
    tier: str | None = option(
        None,
        "Tier of TextGrids whose intervals are the segments, where there are several.",
        {"type": "string"},
        "TIER",
        of="files",
    )
    band: Band = option(
        "all",
        "What of the frequencies of a segment is kept: `all`, or `selection`, between the low and the high frequency of its row.",
        {"enum": list(get_args(Band))},
        "BAND",
        of="files",
    )
    max_clusters: int = option(
        20, "Largest number of clusters tried where no range is given.", {"type": "integer", "minimum": 2}
    )
    max_frames: int | None = option(
        10_000,
        "Longer sequences are represented by that many frames in their middle; `null`: all.",
        {"type": ["integer", "null"], "minimum": 2},
    )
    n_resamples: int = option(
        50, "Number of bootstrap samples behind the stability.", {"type": "integer", "minimum": 1}
    )
    sample: int | Literal["auto"] | None = option(
        AUTO,
        "Number of sequences that are compared with each other; all others are assigned to their clusters. `auto`: all up to 3000,"
        " of more a sample of 1000 to 2000, by their lengths and features. A number, at least 2, or `null` (`--sample all`): all,"
        " which is refused where the memory does not suffice. See [many sequences](../docs/reports/many.md).",
        {"anyOf": [{"enum": [AUTO, None]}, {"type": "integer", "minimum": 2}]},
        "SAMPLE",
    )
    layout: Layout | None = option(
        None,
        "Layout of arrays: `channels_last` or `channels_first`.",
        {"enum": list(LAYOUTS)},
        of="arrays",
        in_files=False,
    )
    id_column: Any = option(
        None,
        "Column of a long table that says which sequence a row is of. If not given: a column `id`. In a folder, the rows of each"
        " file are divided by it, and an id is the file and the entry, as `day1.csv/left`.",
        {"type": "string", "minLength": 1},
        "ID",
    )
    time_column: Any = option(
        None,
        "Column of tables by which the rows of each sequence are sorted; it is not a feature. If not given: a column `time`, also"
        " with a unit (`time [ms]`), or else the only column that holds times, whatever its name: ISO 8601 dates, times of day that"
        " never decrease, or times since 1970 (seconds to nanoseconds) that increase in every sequence.",
        {"type": "string", "minLength": 1},
        "TIME",
    )
    circular: Mapping[str, float | None] | Sequence[str] | str | None = option(
        None,
        "Columns that go round, whose ends are one place, as `heading=360,hour=24` with the lengths of their rounds; the name alone"
        " where the range tells it (0 to 360, -180 to 180, 0 to 24, 0 to 2 pi). They are compared by cosine and sine.",
        {
            "anyOf": [
                {"type": "string", "minLength": 1},
                {"type": "object"},
                {"type": "array", "items": {"type": "string"}},
            ]
        },
        "CIRCULAR",
    )
    trim_padding: bool = option(
        False,
        "Cut rows of zeros, or of another constant in all columns, from the ends of sequences that were filled up to one length.",
        {"type": "boolean"},
        "TRIM_PADDING",
    )
    rate: float | None = option(
        None,
        "Frames per second of tables and arrays: the page and `explain` then give lengths and places in seconds. If not given, it"
        " is read from the time column and the unit in its header (`time [ms]`); without one, or with unequal steps, they are given"
        " in frames. Recordings bring their own. It changes no cluster.",
        {"type": "number", "exclusiveMinimum": 0},
        "RATE",
    )
    value_columns: Sequence[Any] | None = option(
        None,
        "Columns of tables that are features, as `x,y,z` or a list; channels of EDF and WFDB files. If not given, all columns of"
        " numbers. Columns without names are called by their numbers, from 1.",
        _NAMES,
        "COLUMNS",
    )
    drop_columns: Sequence[str] | None = option(
        None,
        "Columns of tables that are left out, as `battery,comment` or a list.",
        _NAMES,
        "DROP",
        of="files",
    )
    missing_codes: Sequence[str | float] | None = option(
        None,
        "Cells of tables that stand for a missing number, as `-200,bad` or a list (`--missing-code=-200`, since it begins with a"
        " dash). Empty cells, `NA`, `NaN`, `null`, `?`, `-`, `--` and `---` do anyway.",
        {
            "anyOf": [
                {"type": "string", "minLength": 1},
                {"type": "array", "items": {"type": ["string", "number"]}, "minItems": 1},
            ]
        },
        "MISSING_CODE",
        of="files",
    )
    value_name: str | None = option(
        None,
        "Column of the values of a tidy table, in which a row holds one value: sequence, time, kind of value, value. The kinds"
        " become columns.",
        {"type": "string", "minLength": 1},
        "VALUE",
        of="files",
    )
    variable_name: str | None = option(
        None,
        "Column of a tidy table that says what a value is of. If not given, the only column beside sequence, time and value.",
        {"type": "string", "minLength": 1},
        "VARIABLE",
        of="files",
    )
    skip_rows: int | None = option(
        None,
        "Number of lines at the beginning of each table that are not read. If not given, lines of another width above a table are"
        " passed over.",
        {"type": "integer", "minimum": 1},
        "SKIP_ROWS",
        of="files",
    )
    date_order: DateOrder | None = option(
        None,
        "What stands first in dates such as 5/6/2024. If not given, a number above 12 anywhere in the files tells; dates with"
        " points (5.6.2024) begin with the day.",
        {"enum": list(get_args(DateOrder))},
        "DATE_ORDER",
        of="files",
    )
    rows: Rows | None = option(
        None,
        "What the rows of a table are: `frames` of a sequence, or `series`, each row a sequence of one feature. If not given,"
        " frames; a single table without names that begins with a column of classes (UCR) has series.",
        {"enum": list(get_args(Rows))},
        "ROWS",
        of="files",
    )
    likelihood: float | None = option(
        None,
        "Positions in tables of poses (DeepLabCut, SLEAP, anipose) that are less likely than this are missing. If not given,"
        " likelihoods are left out.",
        {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
        "LIKELIHOOD",
        of="files",
    )
    relative_to: str | None = option(
        None,
        "Body part of tables of poses to which all positions are relative, so that the place in the arena does not count.",
        {"type": "string", "minLength": 1},
        "RELATIVE_TO",
        of="files",
    )
    heading: str | None = option(
        None,
        "Body part of tables of poses that lies ahead of `--relative-to`: positions are rotated with the animal, so that its"
        " direction does not count.",
        {"type": "string", "minLength": 1},
        "HEADING",
        of="files",
    )
    animals: Animals | None = option(
        None,
        "What several animals in one table of poses are: `sequences` of their own, or `columns` of one sequence. If not given,"
        " sequences.",
        {"enum": list(get_args(Animals))},
        "ANIMALS",
        of="files",
    )
    annotations: Annotations | None = option(
        None,
        "What annotations of EDF and WFDB files are taken for: `labels`, if those of a file have one text, or `segments`, each a"
        " sequence with its text as label. If not given, they are not read.",
        {"enum": list(get_args(Annotations))},
        "ANNOTATIONS",
        of="files",
    )
    params: Mapping[str, Any] = field(default_factory=dict)
    measures: tuple[Measure, ...] = ()
    n_clusters: int | None = None
    n_range: Range | None = None
    seed: int = 0
    threads: int = 1
    progress: bool = False
    alternatives: bool = True
    name: str | None = None
    source: str | None = None
    command: str | None = None
    strict: bool = False

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            if (value := getattr(self, name)) is not OPTIONS[name].default and not is_one_of(value, choices):
                raise ParameterError(unknown_name(name, value, choices))
        for name, (least, may_be_none) in COUNTS.items():
            if not ((value := getattr(self, name)) is None and may_be_none):
                object.__setattr__(self, name, as_count(value, name, least))
        if isinstance(self.width, str) or not isinstance(self.width, Real) or isinstance(self.width, bool):
            if not is_one_of(self.width, get_args(Width)):
                raise ParameterError(unknown_name("width", self.width, get_args(Width)))
        else:
            object.__setattr__(self, "width", as_positive(self.width, "width"))
        if isinstance(self.sample, str) and self.sample != AUTO:
            raise ParameterError(
                f"sample is {self.sample!r}, expected {AUTO!r}, a whole number, or None to compare all"
            )
        if self.sample is not None and not isinstance(self.sample, str):
            object.__setattr__(self, "sample", as_count(self.sample, "sample", 2))
        for name in ("sample_rate", "window_seconds", "hop_seconds"):
            if getattr(self, name) is not None:
                as_positive(getattr(self, name), name)
        if self.rate is not None:
            object.__setattr__(self, "rate", as_positive(self.rate, "rate"))
        if self.trim is not None:
            as_real(self.trim, "trim")
        as_flag(self.trim_padding, "trim_padding")
        as_circles(self.circular)
        if not isinstance(self.features, (str, Mapping)):
            raise ParameterError(f"features is {self.features!r}, expected a name or a dictionary")
        if self.features != Options.features:
            audio_features(self.features)
        with_windows(self.features, self.window_seconds, self.hop_seconds)
        if self.labels is not None and not isinstance(self.labels, (str, os.PathLike)):
            # A tuple compares as one, and cannot be changed under the feet of an analysis.
            object.__setattr__(self, "labels", tuple(as_column(self.labels, "labels").tolist()))

    def require_for(self, data: Any) -> None:
        """Raise :class:`ParameterError` for a setting that says nothing about the data that were given.

        Parameters
        ----------
        data : path-like, SequenceSet or list
        """
        on_disk = isinstance(data, (str, os.PathLike))
        idle = FOR_ARRAYS if on_disk else FOR_FILES
        for name in self.changed():
            if name in idle:
                of, data_are = ("arrays", "a path") if on_disk else ("files", "arrays")
                raise ParameterError(f"{name} is for {of}, but the data are {data_are}; leave it out")
        if on_disk:
            self.tables  # noqa: B018  raises where one of its options cannot be followed
        if on_disk and isinstance(self.labels, tuple):
            raise ParameterError("labels is a list, but the data are a path; give the name of a labels file")
        if not on_disk and isinstance(self.labels, (str, os.PathLike)) and str(self.labels) != LABELS_FILE:
            raise ParameterError(
                f"labels is {str(self.labels)!r}, but the data are arrays; give a list with one label a sequence"
            )

    def task(self, text: str) -> str | None:
        """Return the name of a stage for those who report it themselves; None without progress."""
        return text if self.progress else None

    @property
    def tables(self) -> TableOptions:
        """How tables in files are read."""
        given = {name: getattr(self, name) for name in OF_TABLES}
        return TableOptions(**{name: value for name, value in given.items() if value is not None})

    @property
    def columns(self) -> Columns:
        """What the columns of a table in memory mean."""
        return Columns(self.id_column, self.time_column, self.value_columns)

    @classmethod
    def of(
        cls,
        values: Mapping[str, Any],
        others: Iterable[str] = (),
        options: Collection[str] = (),
        kind: str = "setting",
        **how: Any,
    ) -> Options:
        """Return options by name.

        Parameters
        ----------
        values : mapping
        others : iterable of str
            What else might have been meant by a name that is misspelt.
        options : collection of str
            Names that are no settings but parameters of the measures, their models or the clusterer.
        kind : str
            What a name stands for, in messages.
        **how
            Fields that are no options.

        Raises
        ------
        ParameterError
            If a name is unknown (the message lists the valid ones) or a value out of range.
        """
        known = {*SETTINGS, *others, *options}
        for word in values:
            if word not in SETTINGS and word not in options:
                if word in SYNONYMS and SYNONYMS[word] in known:
                    raise ParameterError(f"unknown {kind} {word!r}; here it is called {SYNONYMS[word]!r}")
                raise ParameterError(unknown_name(kind, word, known))
        settings = {word: value for word, value in values.items() if word in SETTINGS}
        return cls(**settings, params={word: value for word, value in values.items() if word not in SETTINGS}, **how)

    def changed(self) -> dict[str, Any]:
        """Return what differs from the defaults."""
        entries = OPTIONS.items()
        changes = {name: value for name, entry in entries if differs(value := getattr(self, name), entry.default)}
        return {**changes, **self.params}


def usual_measure(features: str | Mapping[str, Any] | None) -> str:
    """Return the measure where none is named: that which the features of recordings name, else that of all data.

    Raises
    ------
    ParameterError
        If there are no such features, or an optional package that they need is missing.
    """
    if features is None or features == Options.features or not isinstance(features, (str, Mapping)):
        return MEASURE
    return get_feature(audio_features(features).feature).measure or MEASURE


def differs(value: Any, default: Any) -> bool:
    """Return whether a setting was changed; what compares elementwise was."""
    return value is not default and not (isinstance(same := value == default, bool) and same)


OPTIONS = options_of(Options)
"""All options by name."""
SETTINGS = tuple(OPTIONS)
"""Names of all options."""
CHOICES = {name: entry.choices for name, entry in OPTIONS.items() if entry.choices and name != "width"}
"""Values of options that have no others."""
COUNTS = {
    name: (entry.schema["minimum"], entry.default is None or entry.nullable)
    for name, entry in OPTIONS.items()
    if name not in CHOICES and "integer" in np.atleast_1d(entry.schema.get("type", ()))
}
"""Options that are whole numbers: the least, and whether None is one of their values."""
FOR_ARRAYS = tuple(name for name, entry in OPTIONS.items() if entry.of == "arrays")
"""Options that say how arrays and tables in memory are read."""
FOR_FILES = tuple(name for name, entry in OPTIONS.items() if entry.of == "files")
"""Options that say how files are read."""


def described(names: Iterable[str], indent: str) -> str:
    """Options as the section of parameters of a docstring lists them, in the order of `names`; the first line has no indent."""
    lines = []
    for name in names:
        if name in OPTIONS:
            # Links are for readers of the page, marks of code are doubled.
            text = re.sub(r" See \[[^]]*\]\([^)]*\)\.", "", OPTIONS[name].text)
            plain = text.replace("`null`", "`None`").replace("`", "``")
            lines += [f"{name} : default {OPTIONS[name].default!r}", _filled(plain, 116 - len(indent))]
    return textwrap.indent("\n".join(lines), indent).lstrip()


def _filled(text: str, width: int) -> str:
    return textwrap.fill(text, width, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)
