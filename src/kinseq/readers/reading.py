"""The options of reading: one class with an entry for each, used by :func:`kinseq.read` and all readers.

An option is one entry of :class:`Reading`, with its name, text, schema, check and word on the command line, and one line of
:class:`ReadingOptions` with its type, for those who complete calls. Signatures, the command line, its help and completion, schemas
and tables of the documentation are made of the entries.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from numbers import Real
from typing import Any, TypedDict, get_args

from ..core.arrays import as_flag, as_real
from ..core.circular import as_circles
from ..core.cutting import Arrangement
from ..core.errors import ParameterError
from ..core.folders import LABELS_FILE, Animals, Annotations, Band, DateOrder, Kind, Missing, Rows
from ..core.inputs import Columns
from ..core.overview import overview
from ..core.sequences import LAYOUTS, Layout, SequenceSet, as_column
from ..core.settings import Option, Settings, option, options_of, unknown_option
from ..core.spans import Span, as_span
from ..core.store import PathLike
from ..core.streamed import SequenceParts
from ..core.wording import as_typed, option_name
from ..features.extraction import OnBadFile, audio_features, with_windows

ColumnName = Hashable
"""Name of a column: text in files, anything that can be one in a table in memory."""
Circular = Mapping[str, float | None] | Sequence[str] | str
"""Circular columns, see :func:`kinseq.core.circular.as_circles`."""
_NAMES: Mapping[str, Any] = {
    "anyOf": [{"type": "string", "minLength": 1}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]
}
"""Schema of names of columns."""

_OF_ALL = ("labels", "kind", "on_bad_file", "layout", "drop_columns", "value_columns", "trim_padding")
_OF_SYMBOLS = frozenset((*_OF_ALL, "id_column", "time_column", "symbols", "rate", "every"))
"""Options that sequences of symbols take."""
_SPANS: Mapping[str, Any] = {"anyOf": [{"type": "string", "minLength": 1}, {"type": "number", "exclusiveMinimum": 0}]}
"""Schema of times in words, or of numbers."""


def _labels(value: Any, name: str) -> Any:
    """Return labels, with a list converted to a tuple, which compares as one value and is immutable."""
    return os.fspath(value) if isinstance(value, (str, os.PathLike)) else tuple(as_column(value, name).tolist())


def _path(value: Any, name: str) -> Any:
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def _features(value: Any, name: str) -> Any:
    if not isinstance(value, (str, Mapping)):
        raise ParameterError(f"{name} is {value!r}, expected a name or a dictionary")
    audio_features(value)
    return value


def _text(value: Any, name: str, kind: str) -> Any:
    if not isinstance(value, str) or not value.strip():
        raise ParameterError(f"{name} is {value!r:.80}, expected the name of {kind}")
    return value


def _column(value: Any, name: str) -> Any:
    return _text(value, name, "a column")


def _body_part(value: Any, name: str) -> Any:
    return _text(value, name, "a body part")


def _likelihood(value: Any, name: str) -> Any:
    if not isinstance(value, Real) or isinstance(value, bool) or not 0.0 < float(value) <= 1.0:
        raise ParameterError(f"{name} is {value!r}, expected a number above 0, at most 1")
    return value


def as_length(value: Any, name: str) -> Span:
    """Return the length of a piece: a duration, or a whole number of frames."""
    span = as_span(value, name)
    if not isinstance(span, (str, int)):
        raise ParameterError(f"{name} is {value!r}, expected a time such as 1d or 30s, or a whole number of frames")
    return span


def _circular(value: Any, name: str) -> Any:
    as_circles(value)
    return value


def as_texts(value: Any, name: str, codes: bool = False) -> tuple[str, ...]:
    """Return names, or codes, which may be numbers, as a tuple; texts are split at commas."""
    entries: Iterable[Any] = value.split(",") if isinstance(value, str) else value
    if not isinstance(entries, (list, tuple)):
        raise ParameterError(f"{name} is {value!r:.80}, expected a list, or a text with commas between its entries")
    texts = []
    for entry in entries:
        number = isinstance(entry, Real) and not isinstance(entry, bool)
        text = f"{entry:.17g}" if number and codes else str(entry).strip()
        if not (isinstance(entry, str) or number) or not text:
            raise ParameterError(f"{name} holds {entry!r:.80}, expected text{' or numbers' * codes}")
        texts.append(text)
    if len(set(texts)) < len(texts):
        raise ParameterError(
            f"{name} names {next(text for text in texts if texts.count(text) > 1)!r} twice; name it once"
        )
    return tuple(texts)


@dataclass(frozen=True)
class Reading(Settings):
    """How data are read; the fields are the options, see their texts.

    Parameters
    ----------
    {options}

    Raises
    ------
    ParameterError
        If a value is none of its option's, or two contradict each other.

    Examples
    --------
    >>> from kinseq.readers.reading import Reading
    >>> Reading(time_column="t", missing="interpolate").changed()
    {'missing': 'interpolate', 'time_column': 't'}
    """

    labels: PathLike | Sequence[Hashable] | None = option(
        LABELS_FILE,
        "Label file with the columns `id,label` or `id,label,group`, relative to the data; `folders`: the first sub-folder is"
        " the label; `null`: none. Further columns can colour the page. A leading `'` keeps spreadsheets from computing"
        " `'=1+1`. In Python also a list with one label a sequence. Labels are for scores only.",
        {"type": ["string", "null"]},
        "LABELS",
        check=_labels,
        not_for=("compare", "predict"),
    )
    kind: Kind | None = option(
        None,
        "Kind of files to read in a folder with several kinds: `audio`, `table`, `npz`, `ts` or `parquet`.",
        {"enum": list(get_args(Kind))},
        "KIND",
        of="files",
    )
    missing: Missing = option(
        "refuse",
        "Treatment of missing numbers: `refuse` them, `interpolate` linearly within the sequence, or `cut` the sequence there.",
        {"enum": list(get_args(Missing))},
        "MISSING",
    )
    on_bad_file: OnBadFile = option(
        "skip",
        "A file that cannot be read: `skip` it and say so, or `refuse` to go on.",
        {"enum": list(get_args(OnBadFile))},
        of="files",
        not_for=("predict",),
    )
    features: str | Mapping[str, Any] = option(
        "speech",
        "Features of audio: `speech`, `music`, `music_mar`, `chroma`, `plp`, `lpc`, `lpcepstra`, `several` (MFCC and these three"
        " side by side), `ultrasound` (MFCC above 10 kHz, of short windows), `low_sound` (MFCC up to 1 kHz, of long ones) or"
        " `words` (short recordings by the words in them, with an optional extra). Or a mapping with one of these"
        " as `recipe` and the settings that differ. See [words](../docs/reports/words.md).",
        {"type": ["string", "object"]},
        "FEATURES",
        of="recordings",
        check=_features,
        not_for=("predict",),
    )
    sample_rate: float | None = option(
        None,
        "Rate in Hz that every audio file is resampled to, 10 to 1e6. Half of it is the highest frequency that is compared. If not"
        " given: the lowest among the files, at most 16 000 (music: 22 050), unless a tenth of the power of a tenth of the"
        " recordings would be lost; then the lowest among the files.",
        {"type": "number", "exclusiveMinimum": 0},
        "SAMPLE_RATE",
        of="recordings",
    )
    window_seconds: float | None = option(
        None,
        "Seconds of sound that one frame of an audio file is computed from. If not given, that of the features (`speech`: 0.025),"
        " fitted to rates below 8000 Hz and above 48 000 Hz and to recordings of less than 0.1 s. Ultrasound takes some"
        " milliseconds, whales and earthquakes up to seconds.",
        {"type": "number", "exclusiveMinimum": 0},
        "WINDOW",
        of="recordings",
        not_for=("predict",),
    )
    hop_seconds: float | None = option(
        None,
        "Seconds from one frame of an audio file to the next. If not given, in proportion to the window.",
        {"type": "number", "exclusiveMinimum": 0},
        "HOP",
        of="recordings",
        not_for=("predict",),
    )
    trim: float | None = option(
        None,
        "Cut the ends of audio that are this many dB below the loudest part.",
        {"type": "number", "exclusiveMinimum": 0},
        of="recordings",
        check=as_real,
        not_for=("predict",),
    )
    segments: PathLike | None = option(
        None,
        "Cut recordings into segments, each a sequence. A table: a Raven selection table, labels of Audacity, a TextGrid of Praat,"
        " or a CSV with onset, offset, file and label, which cuts tables with times too; `beside`: the tables next to the"
        " recordings; `auto`: by energy. The table comes back with a column of clusters. See [files](../docs/reference/files.md).",
        {"type": "string", "minLength": 1},
        "SEGMENTS",
        of="recordings",
        check=_path,
    )
    tier: str | None = option(
        None,
        "Tier of TextGrids whose intervals are the segments, if there are several tiers.",
        {"type": "string"},
        "TIER",
        of="recordings",
    )
    band: Band = option(
        "all",
        "Frequencies of a segment to keep: `all`, or `selection`, those between the low and the high frequency of its row.",
        {"enum": list(get_args(Band))},
        "BAND",
        of="recordings",
    )
    layout: Layout | None = option(
        None,
        "Layout of arrays: `channels_last` or `channels_first`.",
        {"enum": list(LAYOUTS)},
        in_files=False,
        of="arrays",
        not_for=("compare", "predict"),
    )
    id_column: ColumnName | None = option(
        None,
        "Column of a long table that identifies the sequence of each row. If not given: a column `id`. In a folder, the rows of"
        " each file are divided by it, and an id is the file and the entry, as `day1.csv/left`.",
        {"type": "string", "minLength": 1},
        "ID",
        of="columns",
    )
    time_column: ColumnName | None = option(
        None,
        "Column of tables by which the rows of each sequence are sorted; it is not a feature. If not given: a column `time`, also"
        " with a unit (`time [ms]`), or else the only column that holds times, whatever its name: ISO 8601 dates, times of day that"
        " never decrease, or times since 1970 (seconds to nanoseconds) that increase in every sequence.",
        {"type": "string", "minLength": 1},
        "TIME",
        of="columns",
    )
    symbols: ColumnName | None = option(
        None,
        "Column of symbols, for sequences of symbols instead of numbers; `characters` or `words`: each line of text is a sequence."
        " Tables without numbers other than times and ids are read as symbols without this option.",
        {"type": "string", "minLength": 1},
        "SYMBOLS",
    )
    circular: Circular | None = option(
        None,
        "Circular columns with their periods, as `heading=360,hour=24`; the name alone if the range of the values shows the period"
        " (0 to 360, -180 to 180, 0 to 24, 0 to 2 pi). They are compared by cosine and sine.",
        {
            "anyOf": [
                {"type": "string", "minLength": 1},
                {"type": "object"},
                {"type": "array", "items": {"type": "string"}},
            ]
        },
        "CIRCULAR",
        check=_circular,
        not_for=("predict",),
    )
    trim_padding: bool = option(
        False,
        "Remove padding at the ends of sequences: rows of zeros, or of another constant in all columns.",
        {"type": "boolean"},
        "TRIM_PADDING",
        check=as_flag,
        not_for=("predict",),
    )
    rate: float | None = option(
        None,
        "Frames per second of tables and arrays: the page and `explain` then give lengths and places in seconds. If not given, it"
        " is read from the time column and the unit in its header (`time [ms]`); without one, or with unequal steps, they are given"
        " in frames. Recordings bring their own. It changes no cluster.",
        {"type": "number", "exclusiveMinimum": 0},
        "RATE",
        of="time",
        not_for=("compare", "predict"),
    )
    every: Span | None = option(
        None,
        "Resample rows to regular steps of this length, as `10s`, `1min`, `1h` or `1d`, or a number in the unit of the time: the"
        " mean of the rows of a step, linear interpolation where a step has none.",
        _SPANS,
        "EVERY",
        of="clock",
        check=as_span,
    )
    max_gap: Span | None = option(
        None,
        "Longest gap that is interpolated with `--every`, as `5min`. If not given, three steps. A longer gap is missing, see"
        " `--missing`, or cuts the sequence (`--missing cut`).",
        _SPANS,
        "MAX_GAP",
        of="clock",
        check=as_span,
    )
    cut: Span | None = option(
        None,
        "Cut sequences into pieces of this length, each a sequence: a time, as `1d`, `8h` or `30s`, or a number of frames, as"
        " `256`. Days, weeks and parts of days begin as the calendar has them. Incomplete pieces at the ends are left out.",
        _SPANS,
        "CUT",
        of="clock",
        check=as_length,
    )
    step: Span | None = option(
        None,
        "Step from the start of one piece of `--cut` to the start of the next, in time or frames like its length. If not given,"
        " its length; with a smaller step, pieces overlap.",
        _SPANS,
        "STEP",
        of="clock",
        check=as_length,
    )
    cut_at: ColumnName | None = option(
        None,
        "Cut sequences where this column changes, such as the number of a cycle; the column is no feature.",
        {"type": "string", "minLength": 1},
        "CUT_AT",
        of="clock",
    )
    value_columns: Sequence[ColumnName] | None = option(
        None,
        "Columns of tables to use as features, as `x,y,z` or a list; channels of EDF and WFDB files. If not given, all columns of"
        " numbers. Columns without names are called by their numbers, from 1.",
        _NAMES,
        "COLUMNS",
        of="columns",
    )
    drop_columns: Sequence[str] = option(
        (),
        "Columns of tables to leave out, as `battery,comment` or a list.",
        _NAMES,
        "DROP",
        of="tables",
        check=as_texts,
    )
    missing_codes: Sequence[str] = option(
        (),
        "Codes for missing numbers in tables, as `-200,bad` or a list (write `--missing-code=-200`, since it begins with a dash)."
        " Empty cells, `NA`, `NaN`, `null`, `?`, `-`, `--` and `---` are always missing.",
        {
            "anyOf": [
                {"type": "string", "minLength": 1},
                {"type": "array", "items": {"type": ["string", "number"]}, "minItems": 1},
            ]
        },
        "MISSING_CODE",
        of="tables",
        check=partial(as_texts, codes=True),
    )
    value_name: str | None = option(
        None,
        "Value column of a tidy table, which has one value in each row: sequence, time, variable, value. The variables become"
        " columns.",
        {"type": "string", "minLength": 1},
        "VALUE",
        of="tables",
        check=_column,
    )
    variable_name: str | None = option(
        None,
        "Column of a tidy table that names the variable of each value. If not given, the only column other than sequence, time and"
        " value.",
        {"type": "string", "minLength": 1},
        "VARIABLE",
        of="tables",
        check=_column,
    )
    skip_rows: int | None = option(
        None,
        "Number of lines to skip at the beginning of each table. If not given, lines of another width above a table are skipped.",
        {"type": "integer", "minimum": 1},
        "SKIP_ROWS",
        of="tables",
    )
    date_order: DateOrder | None = option(
        None,
        "Order of day and month in dates such as 5/6/2024. If not given, a number above 12 anywhere in the files decides; dates"
        " with points (5.6.2024) begin with the day.",
        {"enum": list(get_args(DateOrder))},
        "DATE_ORDER",
        of="tables",
    )
    rows: Rows | None = option(
        None,
        "Meaning of the rows of a table: `frames` of a sequence; `series`, each row a sequence of one feature; or `moments`, each"
        " column a sequence of one feature, with a time first. If not given, frames; a single table without names that begins"
        " with a column of classes (UCR) has series, and one of a time and numbered columns (`MT_001`, `MT_002`) moments.",
        {"enum": list(get_args(Rows))},
        "ROWS",
        of="tables",
    )
    likelihood: float | None = option(
        None,
        "Smallest likelihood of positions in pose tables (DeepLabCut, SLEAP, anipose); less likely ones are missing. If not given,"
        " likelihoods are ignored.",
        {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
        "LIKELIHOOD",
        of="poses",
        check=_likelihood,
    )
    relative_to: str | None = option(
        None,
        "Body part of pose tables that is the origin of all positions, so that the place in the arena does not count.",
        {"type": "string", "minLength": 1},
        "RELATIVE_TO",
        of="poses",
        check=_body_part,
    )
    heading: str | None = option(
        None,
        "Body part of pose tables that lies ahead of `--relative-to`: positions are rotated with the animal, so that its direction"
        " does not count.",
        {"type": "string", "minLength": 1},
        "HEADING",
        of="poses",
        check=_body_part,
    )
    animals: Animals | None = option(
        None,
        "How several animals in one pose table are read: `sequences` of their own, or `columns` of one sequence. If not given,"
        " sequences.",
        {"enum": list(get_args(Animals))},
        "ANIMALS",
        of="poses",
    )
    annotations: Annotations | None = option(
        None,
        "Use of the annotations of EDF and WFDB files: `labels`, if those of a file have one text, or `segments`, each a"
        " sequence with its text as label. If not given, they are not read.",
        {"enum": list(get_args(Annotations))},
        "ANNOTATIONS",
        of="tables",
    )

    label_column: str | None = None
    """Label column of a table, or its position, if `labels` names one of the data; found by the reader."""
    idle_columns: tuple[str, ...] = ()
    """Columns that new data are read without, if they have them, as the reference data were."""

    def __post_init__(self) -> None:
        super().__post_init__()
        with_windows(self.features, self.window_seconds, self.hop_seconds)
        if self.heading is not None and self.relative_to is None:
            raise ParameterError(
                f"heading is given without {option_name('relative_to')}, the body part that stays in its place; give both"
            )
        if self.heading is not None and self.heading == self.relative_to:
            raise ParameterError(
                f"heading and {option_name('relative_to')} are both {self.heading!r}; name two body parts"
            )
        if self.variable_name is not None and self.value_name is None:
            raise ParameterError(
                f"{option_name('variable_name')} is given without {option_name('value_name')}, the column of the values; give both"
            )

        self._require_lengths()

    def _require_lengths(self) -> None:
        """Refuse lengths of pieces and gaps that contradict each other."""
        if self.max_gap is not None and self.every is None:
            raise ParameterError(f"max_gap is given without {option_name('every')}, the step of the clock; give both")
        if self.step is not None and self.cut is None:
            raise ParameterError(f"step is given without {option_name('cut')}, the length of a piece; give both")
        if self.cut is not None and self.cut_at is not None:
            raise ParameterError(f"cut and {option_name('cut_at')} are given; give one of them")
        if self.step is not None and isinstance(self.step, str) != isinstance(self.cut, str):
            raise ParameterError(
                f"{option_name('cut')} is {self.cut!r} and {option_name('step')} is {self.step!r}; give both as times, or both as"
                " numbers of frames"
            )

    @property
    def arrangement(self) -> Arrangement:
        """Settings for putting long logs on a clock and cutting them."""
        return Arrangement(self.every, self.max_gap, self.cut, self.step, self.cut_at, self.missing, self.rate)

    def changed(self) -> dict[str, Any]:
        """Return the non-default options, with names in lists."""
        changes = super().changed()
        return {n: list(v) if isinstance(v, tuple) and n != "labels" else v for n, v in changes.items()}

    def given(self, *of: str) -> list[str]:
        """Names of non-default options about a part of the data."""
        return [name for name in self.changed() if OPTIONS[name].of in of]

    @property
    def given_of_tables(self) -> list[str]:
        """Names of non-default options of tables in files."""
        return self.given("columns", "tables", "poses")

    @property
    def labels_file(self) -> PathLike | None:
        """Source of the labels of files; None for none."""
        return self.labels if isinstance(self.labels, (str, os.PathLike)) else None

    def as_typed(self, name: str) -> str:
        """Return a given option as its reader writes it."""
        return as_typed(name, getattr(self, name))

    def overview(self, sequences: SequenceSet | SequenceParts) -> str:
        """Return the text of ``kinseq read`` on sequences read this way."""
        return overview(sequences)

    def of_files(self) -> Reading:
        """Return the options for files, with text column names; refuse options of arrays."""
        idle = self.given("arrays")
        if idle:
            raise ParameterError(f"{idle[0]} is for arrays, but the data are a path; leave it out")
        if isinstance(self.labels, tuple):
            raise ParameterError("labels is a list, but the data are a path; give the name of a labels file")
        columns: dict[str, Any] = {}
        if isinstance(self.id_column, (list, tuple)):
            # Several columns together form an id.
            columns["id_column"] = ",".join(map(str, self.id_column))
        for name in ("id_column", "time_column"):
            if (value := columns.get(name, getattr(self, name))) is not None:
                _column(value, option_name(name))
        if self.cut_at is not None:
            _column(self.cut_at, option_name("cut_at"))
        if self.value_columns is not None:
            columns["value_columns"] = as_texts(self.value_columns, option_name("value_columns"))
        return self.altered(**columns)

    def require_arrays(self) -> None:
        """Refuse options without a meaning for arrays and tables in memory."""
        idle = [name for name in self.given("files", "recordings", "tables", "poses") if name != "drop_columns"]
        if idle:
            raise ParameterError(f"{idle[0]} is for files, but the data are arrays; leave it out")
        if isinstance(self.labels, os.PathLike):
            raise ParameterError(
                f"labels is {str(self.labels)!r}, but the data are arrays; give a list with one label a sequence"
            )

    def require_symbols(self) -> None:
        """Refuse options without a meaning for sequences of symbols."""
        idle = [name for name in self.changed() if name not in _OF_SYMBOLS]
        if idle:
            raise ParameterError(
                f"{option_name(idle[0])} is for numbers, but the data are sequences of symbols; leave it out"
                + (
                    f", or cut into one sequence per id ({as_typed('id_column')})"
                    if idle[0] in ("cut", "cut_at")
                    else ""
                )
            )

    @property
    def columns(self) -> Columns:
        """Roles of the columns of tables in memory."""
        label = self.labels if isinstance(self.labels, str) and self.labels != LABELS_FILE else None
        return Columns(
            self.id_column,
            self.time_column,
            self.value_columns,
            label,
            tuple(self.drop_columns),
            self.idle_columns,
            self.symbols,
        )


OPTIONS: Mapping[str, Option] = options_of(Reading)
"""All options by name."""
USUAL = Reading()
"""Default options."""


class ReadingOptions(TypedDict, total=False):
    """Types of the options of :class:`Reading`, for calls that take them as keywords."""

    labels: PathLike | Sequence[Hashable] | None
    kind: Kind | None
    missing: Missing
    on_bad_file: OnBadFile
    features: str | Mapping[str, Any]
    sample_rate: float | None
    window_seconds: float | None
    hop_seconds: float | None
    trim: float | None
    segments: PathLike | None
    tier: str | None
    band: Band
    layout: Layout | None
    id_column: ColumnName | None
    time_column: ColumnName | None
    symbols: ColumnName | None
    circular: Circular | None
    trim_padding: bool
    rate: float | None
    every: Span | None
    max_gap: Span | None
    cut: Span | None
    step: Span | None
    cut_at: ColumnName | None
    value_columns: Sequence[ColumnName] | None
    drop_columns: Sequence[str] | None
    missing_codes: Sequence[str | float] | None
    value_name: str | None
    variable_name: str | None
    skip_rows: int | None
    date_order: DateOrder | None
    rows: Rows | None
    likelihood: float | None
    relative_to: str | None
    heading: str | None
    animals: Animals | None
    annotations: Annotations | None


def reading_of(
    reading: Reading | Mapping[str, Any] | None,
    options: Mapping[str, Any],
    others: Iterable[str] = (),
    kind: str = "setting",
) -> Reading:
    """Return reading options from an object or a mapping, and additional keywords.

    Parameters
    ----------
    reading : Reading, mapping or None
    options : mapping
        Further options by name.
    others : iterable of str
        Other names that a misspelt one might stand for.
    kind : str
        The word for an option, in messages.

    Raises
    ------
    ParameterError
        If a name is unknown (the message has the nearest one), an option is given twice, or a value is out of range.
    """
    if reading is not None and not isinstance(reading, (Reading, Mapping)):
        raise ParameterError(f"reading is {reading!r:.80}, expected a Reading or a dictionary of its options")
    first = reading.changed() if isinstance(reading, Reading) else dict(reading or {})
    for name in (*first, *options):
        if name not in OPTIONS:
            raise ParameterError(unknown_option(kind, name, {*OPTIONS, *others}))
    both = first.keys() & options.keys()
    if both:
        raise ParameterError(f"{min(both)} is given in reading and by itself; give it once")
    if isinstance(reading, Reading) and not options:
        return reading
    return Reading(**{**first, **options})
