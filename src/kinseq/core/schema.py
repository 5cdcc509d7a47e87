"""Check configuration against its schema, with messages for typing errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .errors import ConfigError, unknown_name


def check(document: Any, schema: Mapping[str, Any], where: str) -> None:
    """Check a parsed YAML against a JSON schema (draft 2020-12); `where` names the file in the message.

    A ConfigError for the most telling error: an unknown key comes with the valid ones, a wrong value with what was
    expected.
    """
    import jsonschema

    errors = sorted(jsonschema.Draft202012Validator(schema).iter_errors(document), key=_relevance)
    if not errors:
        return
    error = errors[0]
    place = ".".join(str(step) for step in error.absolute_path) or "top level"
    raise ConfigError(f"{where}, {place}: {_sentence(error)}")


def filled(document: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document with missing keys of mappings filled from the defaults of a JSON schema."""
    defaults = {
        key: entry["default"]
        for key, entry in schema["properties"].items()
        if isinstance(document.get(key), Mapping) and isinstance(entry.get("default"), Mapping)
    }
    return {**document, **{key: _merged(default, document[key]) for key, default in defaults.items()}}


def _merged(default: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Merge entries of both; given ones take precedence, also within mappings."""
    both = {**default, **given}
    inner = [key for key in default if isinstance(default[key], Mapping) and isinstance(both[key], Mapping)]
    return both | {key: _merged(default[key], both[key]) for key in inner}


def _relevance(error: Any) -> tuple[bool, list[str]]:
    """Report unknown keys first: a misspelt key is the reason for a missing required one."""
    return error.validator != "additionalProperties", [str(step) for step in error.absolute_path]


def _sentence(error: Any) -> str:
    if error.validator == "additionalProperties":
        valid = error.schema.get("properties", {})
        return "; ".join(unknown_name("key", key, valid) for key in error.instance if key not in valid)
    if error.validator == "required":
        missing = [key for key in error.validator_value if key not in error.instance]
        return f"the key {missing[0]!r} is missing; add it"
    if error.validator == "enum":
        return unknown_name("value", error.instance, map(str, error.validator_value))
    if error.validator == "type":
        valid = error.validator_value
        return f"is {error.instance!r}, expected {valid if isinstance(valid, str) else ' or '.join(valid)}"
    if error.validator in ("minimum", "exclusiveMinimum", "maximum"):
        bound = {"minimum": "at least", "exclusiveMinimum": "more than", "maximum": "at most"}[error.validator]
        return f"is {error.instance!r}, expected {bound} {error.validator_value}"
    if error.validator == "minItems":
        return "is an empty list; name at least one entry"
    if error.validator == "uniqueItems":
        twice = next(entry for i, entry in enumerate(error.instance) if entry in error.instance[:i])
        return f"names {twice!r} twice; name it once"
    if error.validator == "anyOf":
        return next((_sentence(one) for one in error.context if one.validator == "uniqueItems"), error.message)
    return f"{error.message}"
