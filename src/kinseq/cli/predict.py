"""Request of ``kinseq predict``, checked and run: as a whole, one shard, or all shards gathered."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ..core.errors import DataError, ParameterError, unknown_name
from ..core.progress import waiting
from ..core.shard import Part, as_part
from ..core.store import read_arrays, remove_drafts, write_arrays
from ..core.wording import count
from ..options import PREDICTING, parsed, shown
from ..readers.reading import OPTIONS as OF_READING
from ..readers.segments.segmentation import AUTO, BESIDE
from ..readers.segments.segmentation import segment_table as table_of
from ..report.result_names import SETTINGS, replaced, require_free, require_name, resolve_path, stem_of
from .request import RESULT

USAGE = "kinseq predict results/own/mine path/to/new [--name tuesday]"
FOLDER, PAGE, PARTS = "predict", "index.html", "parts"
FILES = (PAGE, "partition.csv", "summary.csv", SETTINGS)
"""Output files for new sequences, in their folder."""


def from_texts(texts: Mapping[str, str]) -> dict[str, Any]:
    """Return the request as typed, by option name; ParameterError if a value is blank, or a position not named."""
    for name in ("result", "data"):
        if not texts.get(name, "").strip():
            raise ParameterError(f"name the result and the new data: {USAGE}")
    return {key: parsed(PREDICTING[key], text) for key, text in texts.items()}


def checked(request: Mapping[str, Any], results: Path = Path("results")) -> dict[str, Any]:
    """Check a request without reading the data: set the name, and require existing paths.

    ParameterError or DataError if something is not there, a choice or the name is unknown, or the name is taken by other data.
    """
    for key, entry in PREDICTING.items():
        if key in request and entry.choices and request[key] not in entry.choices:
            raise ParameterError(unknown_name(shown(entry), request[key], entry.choices))
    if "part" in request:
        as_part(request["part"], shown(PREDICTING["part"]))
        if "gather" in request:
            raise ParameterError("--part and --gather are given; make the parts first, then put them together")
    found, data = result_file(request["result"]), resolve_path(request["data"])
    home = Path(os.path.realpath(results / FOLDER))
    if home.is_relative_to(os.path.realpath(data)):
        raise DataError(f"{data}: holds the folder of results, {results}; put the sequences into a folder of their own")
    usual = stem_of(data) or "new"
    name = request.get("name") or usual
    require_name(name)
    require_free(results / FOLDER, name, usual, FILES, (found, data), data_of, also=(PARTS,))
    options = dict(request)
    if options.get("segments") not in (None, AUTO, BESIDE):
        options["segments"] = str(table_of(data if data.is_dir() else data.parent, options["segments"]))
    return {**options, "result": str(found), "data": str(data), "name": name}


def data_of(settings: Any) -> list[str]:
    """Return result and new data of a prediction, from the parsed file next to it."""
    return [settings["predict"][key] for key in ("result", "data")]


def result_file(path: str) -> Path:
    """Find the file of a result, given directly or by its folder."""
    place = resolve_path(path)
    if not place.is_dir():
        return place
    if not (place / RESULT).is_file():
        raise DataError(
            f"{place}: holds no {RESULT}, which kinseq cluster leaves; name the folder of its page, or the file"
        )
    return place / RESULT


def run_predict(request: Mapping[str, Any], results: Path, threads: int, command: str) -> Path:
    """Place new sequences as :func:`checked` describes, print the answer, and return the page, or the file of a shard.

    `command` is what the page names as the command that repeats it. KinseqError as
    :meth:`~kinseq.api.results.Clustering.place`; nothing is written then.
    """
    from ..api.assignment import ARRAYS, Assignment, joined

    folder = results / FOLDER / request["name"]
    stamp = {
        "result": hashlib.blake2b(Path(request["result"]).read_bytes(), digest_size=8).hexdigest(),
        "data": os.path.realpath(request["data"]),
        "reading": {name: value for name, value in request.items() if name in OF_READING},
    }
    if "gather" in request:
        parts = [Part(number, request["gather"]) for number in range(1, request["gather"] + 1)]
        placed = joined([Assignment(**_read_part(folder, part, stamp)) for part in parts])
    else:
        from ..api.loading import load

        with waiting(f"load {request['result']}"):
            analysis = load(request["result"])
        placed = analysis.place(
            request["data"],
            part=request.get("part"),
            n_jobs=threads,
            progress=True,
            cache=folder / ".features",
            **stamp["reading"],
        )
    others = [] if "part" in request else replaced(folder, (request["result"], request["data"]), data_of)
    for note in (*others, *placed.notes):
        print(f"note: {note}")
    what = f" (part {request['part']})" if "part" in request else ""
    print(f"{request['name']}{what}: {count(len(placed.labels), 'sequence')}: {placed.verdict}")
    if "part" in request:
        file = _file(folder, as_part(request["part"]))
        meta = {"of": stamp, "name": placed.name, "notes": placed.notes}
        write_arrays(file, {name: getattr(placed, name) for name in ARRAYS}, meta)
        return file
    remove_drafts(folder)
    given = {name: value for name, value in request.items() if name not in ("part", "gather")}
    settings = json.dumps({"predict": given}, indent=1)
    page = Path(request["result"]).parent / PAGE
    link = quote(Path(os.path.relpath(page, folder)).as_posix()) if page.is_file() else ""
    described = replace(placed, command=command, call=_call(request, stamp["reading"]), page=link)
    return described.report(folder, {SETTINGS: settings})


def _file(folder: Path, part: Part) -> Path:
    return folder / PARTS / f"{part.number}-of-{part.parts}.npz"


def _read_part(folder: Path, part: Part, stamp: Mapping[str, Any]) -> dict[str, Any]:
    """Return the results of a shard, by field name."""
    file = _file(folder, part)
    if not file.is_file():
        raise DataError(f"{file}: is not there; make it with --part {part}")
    arrays, meta = read_arrays(file)
    if meta["of"] != stamp:
        raise DataError(f"{file}: is of another result, other data or other options; make it again with --part {part}")
    return {**arrays, "name": meta["name"], "notes": meta["notes"]}


def _call(request: Mapping[str, Any], reading: Mapping[str, Any]) -> str:
    reading_options = "".join(f", {name}={value!r}" for name, value in reading.items())
    return f"placed = kinseq.load({request['result']!r}).place({request['data']!r}{reading_options})\nplaced.report('page')"
