"""Tables of the reference, made from registries and schemas into the marked places of Markdown pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from kinseq.clustering import registry as clusterers
from kinseq.core.errors import DataError, unknown_name
from kinseq.measures import registry as measures
from kinseq.models.kinds import registry as kinds

from .data import registry as loaders
from .drawings import registry as drawings

Schema = Mapping[str, Any]

PLACE = re.compile(r"(<!-- table: (.+?) -->\n).*?(<!-- end of table -->)", re.DOTALL)
"""Place of a table, whose marks are kept."""


class Reference:
    """Sources of the tables.

    Parameters
    ----------
    schemas : Path
        Folder of the schemas of configuration files.
    settings : mapping
        Parsed ``config.yaml``, for defaults.
    """

    def __init__(self, schemas: Path, settings: Mapping[str, Any]) -> None:
        self._schemas, self._settings = schemas, settings
        self._tables: dict[str, Callable[[], str]] = {
            "settings": self._of_settings,
            "loaders": _of_loaders,
            "drawings": _of_drawings,
            "measures": _of_measures,
            "clusterers": _of_clusterers,
        }

    def fill(self, page: str) -> str:
        """Return a page with its tables made again.

        Raises
        ------
        DataError
            If it has a place for a table that there is not.
        """
        return PLACE.sub(lambda place: f"{place[1]}\n{self._table(place[2])}\n{place[3]}", page)

    def _table(self, name: str) -> str:
        kind, _, which = name.partition(" ")
        if kind == "schema" and (self._schemas / f"{which}.schema.yaml").is_file():
            return self._of_schema(which)
        if kind == "kind" and which in kinds.names():
            return _of_kind(which)
        if name not in self._tables:
            raise DataError(f"reference: {unknown_name('table', name, self._tables)}")
        return self._tables[name]()

    def _schema(self, name: str) -> Schema:
        schema: Schema = yaml.safe_load((self._schemas / f"{name}.schema.yaml").read_text(encoding="utf-8"))
        entries = schema.get("additionalProperties")
        return {**entries, "$defs": schema.get("$defs", {})} if isinstance(entries, dict) else schema

    def _of_schema(self, name: str) -> str:
        rows = [(_key(path, required), text) for path, required, text in leaves(self._schema(name))]
        return _lines(("key", "meaning"), rows)

    def _of_settings(self) -> str:
        whole = self._schema("config")
        rows = []
        for path, required, text in leaves(whole):
            value, has_value = _at(self._settings, path)
            rows.append((_key(path, required), _code(_inline(value)) if has_value else "", text))
        return _lines(("key", "default", "meaning"), rows)


def leaves(schema: Schema, whole: Schema | None = None, path: str = "") -> Iterator[tuple[str, bool, str]]:
    """Keys of a schema as dotted paths that end where nothing is prescribed any more, whether each is required, and its text."""
    whole = schema if whole is None else whole
    schema = _resolved(schema, whole)
    items = schema.get("items", {})
    if "properties" in items or "$ref" in items:
        yield from leaves(items, whole, f"{path}[]")
        return
    for key, entry in schema.get("properties", {}).items():
        inner = f"{path}.{key}" if path else key
        resolved = _resolved(entry, whole)
        row = (inner, key in schema.get("required", []), resolved.get("description", ""))
        each = resolved.get("additionalProperties")
        if isinstance(each, dict):
            yield row
            yield from leaves(each, whole, f"{inner}.*")
            continue
        below = list(leaves(entry, whole, inner))
        yield from below or [row]


def _resolved(schema: Schema, whole: Schema) -> Schema:
    reference = schema.get("$ref")
    return whole["$defs"][reference.rpartition("/")[2]] if reference else schema


def _at(settings: Mapping[str, Any], path: str) -> tuple[Any, bool]:
    value: Any = settings
    for step in path.split("."):
        if not isinstance(value, Mapping) or step not in value:
            return None, False
        value = value[step]
    return value, True


def _of_kind(name: str) -> str:
    rows = [(_code(key), entry.get("description", "")) for key, entry in kinds.get(name).schema.items()]
    return _lines(("key", "meaning"), rows)


def _of_loaders() -> str:
    entries = [loaders.get(name) for name in loaders.modules()]
    rows = [(_code(one.name), one.label, parameters(one.params, one.notes)) for one in entries]
    return _lines(("loader", "makes", "`params` with defaults"), rows)


def _of_drawings() -> str:
    entries = [drawings.get(name) for name in drawings.modules()]
    rows = [(_code(one.name), one.label, parameters(one.params, one.notes, needed=True)) for one in entries]
    return _lines(("drawing", "shows", "`params`"), rows)


def _of_measures() -> str:
    rows = []
    for name in measures.names():
        one = measures.get(name)
        rows.append((_code(name), one.label, one.source, _code(one.requires), _code(one.scope), parameters(one.params)))
    return _lines(("measure", "printed as", "source", "needs", "scope", "parameters"), rows)


def _of_clusterers() -> str:
    entries = [clusterers.get(name) for name in (*clusterers.modules(), *clusterers.segmenters())]
    rows = [(_code(one.name), one.source, _code(one.takes), parameters(one.params)) for one in entries]
    return _lines(("clusterer", "source", "takes", "parameters"), rows)


def parameters(params: Mapping[str, Any], notes: Mapping[str, str] | None = None, needed: bool = False) -> str:
    """Return parameters with their defaults and remarks on them; of `needed` ones, None is no default."""
    texts = []
    for key, value in params.items():
        text = _code(key if needed and value is None else f"{key}: {_inline(value)}")
        note = (notes or {}).get(key)
        texts.append(f"{text} ({note})" if note else text)
    return ", ".join(texts)


def _inline(value: Any) -> str:
    """Return a value as YAML, on one line."""
    plain = list(value) if isinstance(value, tuple) else value
    text: str = yaml.safe_dump(plain, default_flow_style=True, width=float("inf"), sort_keys=False)
    return text.removesuffix("...\n").strip()


def _key(path: str, required: bool) -> str:
    return f"{_code(path)}{'*' * required}"


def _code(text: str) -> str:
    return f"`{text}`"


def _lines(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    return "".join(map(_line, [head, ("---",) * len(head), *rows]))


def _line(cells: tuple[str, ...]) -> str:
    if set(cells) == {"---"}:
        return f"|{'|'.join(cells)}|\n"
    return "|" + "|".join(f" {cell} " if cell else " " for cell in cells) + "|\n"
