"""The command ``kinseq read``: a first look at data."""

from __future__ import annotations

from collections.abc import Mapping

from ..core.errors import ParameterError
from ..core.overview import overview
from ..core.sequences import heading
from ..options import LOOKING, parsed
from ..readers.folder import Processing, open_large, read_files
from ..readers.reading import Reading
from ..report.result_names import resolve_path

USAGE = "kinseq read path/to/folder"


def describe(texts: Mapping[str, str], threads: int) -> str:
    """Describe how data would be read; `texts` are options as typed, by name.

    KinseqError as :func:`kinseq.read`.
    """
    if not texts.get("data", "").strip():
        raise ParameterError(f"name the data: {USAGE}")
    given = {name: parsed(LOOKING[name], text) for name, text in texts.items() if name != "data"}
    how, path, work = Reading(**given), resolve_path(texts["data"]), Processing(threads, progress=True)
    large = open_large(path, how, work=work)
    sequences = read_files(path, how, work=work, alone=True) if large is None else large
    return f"{sequences.name}: {heading(sequences)}\n{overview(sequences)}"
