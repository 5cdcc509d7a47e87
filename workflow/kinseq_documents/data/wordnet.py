"""Nouns of Open English WordNet: in which fields their senses lie, and which nouns are related to them."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from kinseq.core.errors import DataError

ARCHIVE = "oewn-nouns-yaml.zip"

_KEY = re.compile(r"([0-9]{8}-n):\s*$")
_LISTS = {"members": "members", "hypernym": "above", "instance_hypernym": "above"}

ENDINGS = (
    ("s", ""),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
)
"""How the plural is reduced, in the order of WordNet's own rules for nouns."""


@dataclass(frozen=True)
class Synset:
    """A sense: its field (the noun file), the nouns that have it, and the senses above it."""

    field: str
    members: tuple[str, ...]
    above: tuple[str, ...]


def _scalar(text: str) -> str:
    """Return a string of a list in YAML."""
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    if len(text) > 1 and text[0] == text[-1] == '"':
        return text[1:-1].replace('\\"', '"')
    return text


def _synsets(lines: Iterable[str], field: str) -> Iterator[tuple[str, Synset]]:
    """Senses of one file. Only two levels of its YAML are used, which a parser of all of YAML reads 20 times as slowly."""
    key = ""
    lists: dict[str, list[str]] = {"members": [], "above": []}
    into: list[str] | None = None
    for line in lines:
        if line.startswith("  - "):
            if into is not None:
                into.append(_scalar(line[4:]))
        elif line.startswith("  ") and line[2:3] not in (" ", ""):
            name = line.strip().partition(":")[0]
            into = lists[_LISTS[name]] if name in _LISTS else None
        elif match := _KEY.fullmatch(line):
            if key:
                yield key, Synset(field, tuple(lists["members"]), tuple(lists["above"]))
            key, lists, into = match[1], {"members": [], "above": []}, None
    if key:
        yield key, Synset(field, tuple(lists["members"]), tuple(lists["above"]))


@dataclass(frozen=True)
class Nouns:
    """Senses by their numbers.

    Attributes
    ----------
    synsets : mapping of str to Synset
    """

    synsets: Mapping[str, Synset]

    @cached_property
    def senses(self) -> dict[str, list[str]]:
        """Noun to the numbers of its senses."""
        senses_of: dict[str, list[str]] = {}
        for key, synset in self.synsets.items():
            for member in synset.members:
                senses_of.setdefault(member, []).append(key)
        return senses_of

    @cached_property
    def below(self) -> dict[str, list[str]]:
        """Sense to the senses right below it."""
        hyponyms: dict[str, list[str]] = {}
        for key, synset in self.synsets.items():
            for above in synset.above:
                hyponyms.setdefault(above, []).append(key)
        return hyponyms

    def lemma(self, form: str) -> str | None:
        """Return the noun that a form is of: the form as it stands, in small letters, or its singular; None if there is none."""
        for candidate in (form, form.lower()):
            if candidate in self.senses:
                return candidate
        lower = form.lower()
        for ending, instead in ENDINGS:
            singular = lower.removesuffix(ending) + instead
            if lower.endswith(ending) and len(lower) > len(ending) + 1 and singular in self.senses:
                return singular
        return None

    def field(self, lemma: str) -> str | None:
        """Return the field in which all senses of a noun lie; None if they lie in several."""
        fields = {self.synsets[key].field for key in self.senses[lemma]}
        return fields.pop() if len(fields) == 1 else None

    def synonyms(self, lemma: str) -> set[str]:
        """Nouns that share a sense with a noun."""
        return {member for key in self.senses[lemma] for member in self.synsets[key].members} - {lemma}

    def related(self, lemma: str) -> set[str]:
        """Synonyms, and the nouns of the senses right above and right below."""
        near = [other for key in self.senses[lemma] for other in (*self.synsets[key].above, *self.below.get(key, ()))]
        members = {member for key in near if key in self.synsets for member in self.synsets[key].members}
        return (members | self.synonyms(lemma)) - {lemma}


def read(path: Path) -> Nouns:
    """Return the nouns of an archive with one YAML file a field, ``noun.person.yaml`` and the like; each holds a sense."""
    synsets: dict[str, Synset] = {}
    try:
        with zipfile.ZipFile(path) as archive:
            names = sorted(name for name in archive.namelist() if re.search(r"noun\.\w+\.yaml$", name))
            for name in names:
                field = name.rsplit("noun.", 1)[1].removesuffix(".yaml")
                field_synsets = dict(_synsets(archive.read(name).decode("utf-8").splitlines(), field))
                if not field_synsets:
                    raise DataError(f"{path}: {name} holds no sense; fetch the archive again")
                synsets |= field_synsets
    except (OSError, zipfile.BadZipFile, UnicodeDecodeError, EOFError, NotImplementedError) as error:
        raise DataError(f"{path}: cannot be unpacked ({error}); fetch it again") from error
    if not synsets:
        raise DataError(f"{path}: holds no file noun.<field>.yaml; fetch it again")
    return Nouns(synsets)
