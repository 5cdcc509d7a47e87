"""Links as the repository has them, from file to file, become links of the site.

The pages are Markdown that reads well where the repository is browsed: their links are paths of files, and anchors that must
not change are ``<a id="..."></a>``. Here paths of files that are pages under another name are turned into those, and such anchors
into labels of Sphinx, so that a wrong link is a warning, and a warning an error.
"""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
SHOWN = {
    "README.md": "docs/index.md",
    "CONTRIBUTING.md": "docs/development/contributing.md",
    "CHANGELOG.md": "docs/development/changelog.md",
    "config/README.md": "docs/reference/configuration.md",
}
"""Files of the repository that are pages of the site, and which."""
MADE = {
    "docs/gallery": "docs/examples/index",
    "src/kinseq": "docs/reference/api/index",
}
"""Folders of the repository from which the build makes pages, and the first of these pages."""
EXAMPLE = re.compile(r"docs/gallery/(plot_\w+)\.py")
"""A script from which the build makes a page of the gallery."""
ANCHOR = re.compile(r'^<a id="([^"]+)"></a>\n', flags=re.MULTILINE)
LINK = re.compile(r"^```.*?^```|`[^`\n]+`|(\]\(\s*)([^)\s>]+)(\))", flags=re.MULTILINE | re.DOTALL)
"""Code, which stays as it is, or where a link goes; the words of a link may hold code."""


def moved(text: str, folder: Path, page: Path) -> str:
    """Text of a file in a folder, to stand in a page elsewhere in the repository: relative links lead to the same files."""

    def link(match: re.Match[str]) -> str:
        if match[2] is None or re.match(r"#|[a-z][a-z0-9+.-]*:", match[2]):
            return match[0]
        return f"{match[1]}{os.path.relpath(folder / match[2], page.parent)}{match[3]}"

    return LINK.sub(link, text)


@cache
def labels(path: Path) -> frozenset[str]:
    """Anchors of a file that are written out."""
    return frozenset(ANCHOR.findall(path.read_text(encoding="utf-8"))) if path.suffix == ".md" else frozenset()


def rewritten(text: str, folder: Path, page: Path) -> str:
    """Text of a file in a folder, as a part of a page of the site."""

    def link(match: re.Match[str]) -> str:
        if match[2] is None:
            return match[0]
        name, mark, anchor = match[2].partition("#")
        if re.match(r"[a-z][a-z0-9+.-]*:", name) or not name:
            return match[0]
        file = Path(os.path.normpath(folder / name))
        if not file.is_relative_to(ROOT) or not file.exists():
            return match[0]
        if anchor and anchor in labels(file):
            return f"{match[1]}#{anchor}{match[3]}"
        inside = file.relative_to(ROOT).as_posix()
        shown = EXAMPLE.sub(r"docs/examples/\1", {**SHOWN, **MADE}.get(inside, inside))
        to = os.path.relpath(ROOT / shown, page.parent)
        return f"{match[1]}{to}{mark}{anchor}{match[3]}"

    return ANCHOR.sub(r"(\1)=\n", LINK.sub(link, text))


def read(app: Any, docname: str, source: list[str]) -> None:
    """A page."""
    path = Path(app.env.doc2path(docname))
    if path.suffix == ".md":
        source[0] = rewritten(source[0], path.parent, path)


def included(app: Any, relative: Path, docname: str, source: list[str]) -> None:
    """A file that is a part of a page."""
    path = Path(os.path.normpath(DOCS / relative))
    if path.suffix == ".md":
        # MyST gives the last part of the name of the page only.
        source[0] = rewritten(source[0], path.parent, Path(app.env.doc2path(app.env.docname)))


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx."""
    app.connect("source-read", read)
    app.connect("include-read", included)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
