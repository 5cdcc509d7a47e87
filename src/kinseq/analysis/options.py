"""Options of an analysis: :class:`Options` holds the values of one call for all steps.

An option's name, type, default, meaning and check are said once, in the fields of :class:`Options`. How data are read is the
matter of :class:`kinseq.readers.reading.Reading`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, Literal, get_args

from ..core.arrays import as_count, as_positive, require_clusters
from ..core.errors import ParameterError, is_one_of, unknown_name
from ..core.settings import Settings, option, options_of
from ..core.wording import option_name
from ..features.extraction import audio_features
from ..features.registry import get as get_feature
from ..measures.registry import MEASURE, MEASURE_OF, Measure
from ..readers.reading import Reading
from . import limits

Scale = Literal["zscore", "per_sequence", "none"]
Length = Literal["as_given", "stretch"]
STRETCH = "stretch"
Width = Literal["auto", "local", "eigengap", "tightness", "median"]
AUTO = "auto"
"""Default sample for many sequences; default measure for the data."""
Range = tuple[int, int]
"""Smallest and largest number of clusters, inclusive."""
RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
r"""A range in words; not ``\d``, which accepts the digits of every script."""
COARSE = "coarse"
"""Number of clusters that stands for the first division of the tree of groups."""
EXPECTED = f"a whole number of at least 1, a range such as 3-6, or {COARSE!r}"


def as_number(value: Any, name: str | None = None) -> tuple[int | None, Range | None]:
    """Return the requested number of clusters, or the range (lowest, highest); at most one of them is set.

    Neither is set of None and of ``"coarse"``.

    A range of at least 2 is two numbers or ``"3-6"``; one of a single number is that number. `name` is what the user
    calls it. ParameterError if it is none of these, or the ends are in the wrong order.
    """
    if value is None or is_coarse(value):
        return None, None
    name = option_name("n_clusters") if name is None else name
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


def is_coarse(value: Any) -> bool:
    """Whether a requested number of clusters stands for the first division of the tree of groups."""
    return isinstance(value, str) and value == COARSE


def in_words(n_range: Range) -> str:
    """Return a range in command-line form: ``"3-6"``."""
    return f"{n_range[0]}-{n_range[1]}"


def require_reached(n_clusters: int | None, n_range: Range | None, n_items: int, where: str) -> None:
    """Refuse a number that the items cannot be cut into, and a range with numbers that cannot be compared."""
    if n_clusters is not None:
        require_clusters(n_items, n_clusters, where)
    if n_range is None:
        return
    beginning = f"{where}: {option_name('n_clusters')} is {in_words(n_range)}"
    if n_range[1] > n_items:
        raise ParameterError(f"{beginning} but there are only {n_items} items; give a smaller number")
    if n_items > limits.MAX_COUNTED_ON <= n_range[1]:
        raise ParameterError(
            f"{beginning}, but numbers of clusters are compared on {limits.MAX_COUNTED_ON} of the {n_items} items; end the range"
            f" below {limits.MAX_COUNTED_ON}, or give one number"
        )


def _width(value: Any, name: str) -> Any:
    """Return a valid rule for the kernel width, or a width."""
    if isinstance(value, Real) and not isinstance(value, bool):
        return as_positive(value, name)
    if not is_one_of(value, get_args(Width)):
        raise ParameterError(unknown_name(name, value, get_args(Width)))
    return value


def _sample(value: Any, name: str) -> int | None:
    if isinstance(value, str):
        raise ParameterError(f"{name} is {value!r}, expected {AUTO!r}, a whole number, or None to compare all")
    return None if value is None else as_count(value, name, 2)


@dataclass(frozen=True)
class Options(Settings):
    """All options of an analysis of sequences, checked as far as possible without data.

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
    coarse : bool
        Whether clusters are the first division of the tree of groups and not its leaves, where the number is chosen.
    seed : int
        Root of every random stream.
    threads : int
        Number of threads; no number depends on it.
    progress : bool
        Whether long stages report to standard error.
    alternatives : bool
        Whether numbers of clusters are compared even if one was given, for a page that shows them.
    chooses : bool
        Whether other families of measures may take the place of the first one; see :mod:`.families`.
    columns : tuple of int or None
        Columns that are compared, by their places from 0; all where it is None.
    name : str or None
        Title of the page; that of the data if None.
    command : str or None
        What the page names as the command that repeats the analysis.
    """

    scale: Scale = option(
        "zscore",
        "Scale of the columns. `zscore`: every column by its mean and deviation over the whole set. `per_sequence`: over each"
        " sequence by itself, so that levels and spreads do not count. `none`: numbers as they are.",
        {"enum": list(get_args(Scale))},
        "SCALE",
    )
    length: Length = option(
        "as_given",
        "Whether lengths count: `as_given`, or `stretch` if they are arbitrary. `stretch` interpolates all sequences, new ones too,"
        " to one length, their median, before anything is compared; sequences of a single frame are left out. The page says when"
        " clusters follow the lengths.",
        {"enum": list(get_args(Length))},
        "LENGTH",
    )
    clusterer: str = option(
        "spectral",
        "Clusterer for the matrix: `spectral`, `hierarchical`, `kmedoids`, `hdbscan` (which finds the number of clusters itself and"
        " leaves some sequences without a cluster) or another that takes a matrix.",
        {"type": "string"},
        "CLUSTERER",
    )
    width: Width | float = option(
        "auto",
        "Kernel width of spectral clustering: `local` (one per item), `eigengap`, `tightness` or `median`, in Python also a number."
        " `auto`: none for `elastic` and `fusion`, whose affinity is used as it is, else `local`.",
        {"enum": list(get_args(Width))},
        check=_width,
    )
    model: str | None = option(
        None,
        "Kind of models for a measure that fits models. If not given, the one that all measures share, if it suits.",
        {"type": "string"},
        in_files=False,
    )
    n_states: int | None = option(
        None,
        "Number of states of the models; an error if no measure fits models, as by default. If not given, a few numbers are"
        " compared: by BIC for one common model, by the likelihood of the other sequences for models of each sequence.",
        {"type": "integer", "minimum": 1},
        "STATES",
    )
    max_clusters: int = option(
        20, "Largest number of clusters to try if no range is given.", {"type": "integer", "minimum": 2}
    )
    max_frames: int | None = option(
        10_000,
        "Largest number of frames of a sequence of median length for alignments and models; longer sequences are averaged over"
        " neighbouring frames. Properties and spectra use every frame. `null`: no averaging, except for the fusions of alignments,"
        " which take at most 1000.",
        {"type": ["integer", "null"], "minimum": 2},
    )
    n_resamples: int = option(
        50, "Number of bootstrap samples behind the stability.", {"type": "integer", "minimum": 1}
    )
    sample: int | Literal["auto"] | None = option(
        AUTO,
        "Number of sequences that are compared with each other; all others are assigned to their clusters. `auto`: all up to 3000,"
        " of more than that a sample of 1000 to 2000, depending on their lengths and features. A number, at least 2, or `null`"
        " (`--sample all`): all, which is refused if the memory does not suffice. See [many sequences](../docs/reports/many.md).",
        {"anyOf": [{"enum": [AUTO, None]}, {"type": "integer", "minimum": 2}]},
        "SAMPLE",
        check=_sample,
    )
    params: Mapping[str, Any] = field(default_factory=dict)
    measures: tuple[Measure, ...] = ()
    n_clusters: int | None = None
    n_range: Range | None = None
    coarse: bool = False
    seed: int = 0
    threads: int = 1
    progress: bool = False
    alternatives: bool = True
    chooses: bool = False
    columns: tuple[int, ...] | None = None
    name: str | None = None
    command: str | None = None

    @property
    def by_leaves(self) -> bool:
        """Whether clusters are the leaves of the tree of groups: their number is chosen without a range."""
        return self.n_clusters is None and self.n_range is None and not self.coarse

    def task(self, text: str) -> str | None:
        """Return the name of a stage for progress messages; None without progress."""
        return text if self.progress else None


def usual_measure(features: str | Mapping[str, Any] | None, kind: str = "numbers") -> str:
    """Return the default measure: that of the features of recordings, or else of the kind of data.

    Raises
    ------
    ParameterError
        If there are no such features, or an optional package that they need is missing.
    """
    if features is None or features == Reading.features or not isinstance(features, (str, Mapping)):
        return MEASURE_OF[kind]
    return get_feature(audio_features(features).feature).measure or MEASURE


OPTIONS = options_of(Options)
"""All options by name."""
