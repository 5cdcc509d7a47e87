"""Entries of the page of errata as pieces of HTML, so that a page that refers to them can carry them with it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from html import escape

_ANCHOR = re.compile(r'<a id="([^"]+)"></a>\n')
_ENTRY = re.compile(rf"^((?:{_ANCHOR.pattern})+)#+ (.+?)\n(.*?)(?=^<a id=|^#+ |\Z)", re.MULTILINE | re.DOTALL)


def _inline(text: str) -> str:
    """Escaped text with bold, code and the words of links."""
    text = escape(re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text), quote=False)
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    return re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", text)


def entries(markdown: str) -> dict[str, str]:
    """HTML of every entry by its anchors, in the order of the page; anchors of one entry share its HTML.

    Each entry is one anchor or several, a heading, and a list. Anchors within lists are left out.
    """
    entry_of: dict[str, str] = {}
    for place, _, title, body in _ENTRY.findall(markdown):
        anchors = _ANCHOR.findall(place)
        items = [" ".join(item.split()) for item in re.split(r"^- ", body, flags=re.MULTILINE)[1:]]
        listed = "".join(f"<li>{_inline(item)}</li>" for item in items)
        marks = "".join(f'<a id="{escape(anchor)}"></a>' for anchor in anchors)
        entry_of |= dict.fromkeys(anchors, f"{marks}<h3>{_inline(title)}</h3><ul>{listed}</ul>")
    return entry_of


def section(carried: Mapping[str, str], wanted: Collection[str]) -> list[str]:
    """Return lines of a section with the wanted entries, in the order of the page of errata."""
    texts = list(dict.fromkeys(text for anchor, text in carried.items() if anchor in wanted))
    return ["<h2>Errata referred to</h2>", *texts] if texts else []
