"""Names of columns that say which sequence a row is of."""

from __future__ import annotations

import re

_WORDS = frozenset(
    word
    for words in (
        "id lclid uuid case user client visitor account subject participant patient person pupil rider driver",
        "animal bird fish mouse rat specimen individual particle cell agent object player",
        "unit machine engine device sensor mote node meter tag collar station site house household customer vehicle truck car",
        "trip track run trial session recording series sequence sample symbol ticker name item batch",
    )
    for word in words.split()
)
_NUMBERED = re.compile(r"(id|no|nr|num|number|code|name|key|\d+)")


def names_ids(name: str) -> bool:
    """Return whether a name denotes ids."""
    words = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name)]
    plain = re.sub(r"[^a-z]", "", name.lower())
    if plain in _WORDS or (words and words[-1] == "id"):
        return True
    return bool(words) and words[0] in _WORDS and all(_NUMBERED.fullmatch(word) or word in _WORDS for word in words[1:])
