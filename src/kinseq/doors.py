"""Where the library calls what is built on it: the one module that may import the application and what draws.

Public functions and methods that read people's files, draw or write pages are methods of the library's objects; what they
do is not the library's. It is imported when it is asked for, so that the library can be used without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from kinseq_app.comparing.run import compare as compare

    from .analysis.result import Result
    from .analysis.sampled import SampledAnalysis
    from .core.sequences import SequenceSet
    from .core.store import PathLike


def read_folder(data: PathLike, **how: Any) -> tuple[SequenceSet, list[str]]:
    """Sequences of a folder or a file, and what reading skipped or repaired; see :mod:`kinseq_app.readers`."""
    from kinseq_app.readers import read_folder

    return read_folder(data, **how)


def write_report(
    result: Result, path: PathLike, also: Mapping[str, str] | None = None, whole: SampledAnalysis | None = None
) -> Path:
    """The page on a result, or on the sample of a whole, and the files beside it."""
    from kinseq_app.report import write_report

    return write_report(result, path, also, whole)


def overview(result: Result) -> Figure:
    """Heat map, map, numbers of clusters and dendrogram in one figure."""
    from kinseq_app.page.figures import overview
    from kinseq_app.report import content_of

    return overview(content_of(result))


def small_map(result: Result, whole: SampledAnalysis | None = None) -> str:
    """The map of a result for a notebook."""
    from kinseq_app.page.parts import small_map
    from kinseq_app.report import small_content

    return small_map(small_content(result, whole))


def eigenmap(*arguments: Any) -> Figure:
    """Eigenvectors of a recording over time, with the boundaries of its segments."""
    from kinseq_drawing.array_figures import eigenmap

    return eigenmap(*arguments)


def main() -> int:
    """The command line."""
    from kinseq_app.console import main

    return main()


def __getattr__(name: str) -> Any:
    if name == "compare":
        from kinseq_app.comparing import compare

        return compare
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
