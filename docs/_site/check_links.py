"""Whether every link, image and frame of the built site leads somewhere within it: ``check_links.py docs/_build/html``.

Sphinx checks what it resolves itself; raw HTML and live pages are checked here.
Nothing may be loaded from elsewhere. And what people look for most is two clicks from the front page.
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"script": "src", "img": "src", "iframe": "src", "link": "href", "source": "src"}
NEAR = (
    "tutorials/recordings.html",
    "tutorials/behaviour.html",
    "tutorials/sensor-logs.html",
    "tutorials/regenerate-a-table.html",
    "tutorials/on-a-cluster.html",
    "tutorials/from-python.html",
    "explanation/choosing-a-measure.html",
    "reference/api/made/kinseq.SequenceClustering.html",
)
"""Where somebody with bird songs, an engineer, a student, a group with a cluster and a user of scikit-learn want to go."""


class Page(HTMLParser):
    """Anchors of a page, what it links to, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag says."""
        given = dict(attrs)
        self.anchors |= {value for name in ("id", "name") if (value := given.get(name))}
        if tag == "a" and given.get("href"):
            self.links.append(str(given["href"]))
        kept = given.get("rel") in (None, "stylesheet", "preload", "icon", "shortcut icon")
        if tag in LOADED and kept and (value := given.get(LOADED[tag])):
            self.loaded.append(value)


def wrong(folder: Path) -> list[str]:
    """Broken links, a line each."""
    pages = {
        path: Page(path.read_text(encoding="utf-8"))
        for path in sorted(folder.rglob("*.html"))
        if "_static" not in path.parts
    }
    found = []
    for path, page in pages.items():
        here = path.relative_to(folder)
        for address in page.loaded:
            if urlsplit(address).scheme in ("http", "https") or address.startswith("//"):
                found.append(f"{here}: loads {address}")
        for address in [*page.links, *page.loaded]:
            parts = urlsplit(address)
            if parts.scheme or address.startswith("//"):
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                found.append(f"{here}: {address} does not exist")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                found.append(f"{here}: {address} is no anchor")
    return found


def far(folder: Path) -> list[str]:
    """Pages of :data:`NEAR` that are more than two clicks from the front page, a line each."""
    reached = {folder / "index.html"}
    for _ in range(2):
        texts = {path: Page(path.read_text(encoding="utf-8")) for path in reached}
        paths = {
            (path.parent / unquote(urlsplit(link).path)).resolve()
            for path, page in texts.items()
            for link in page.links
            if urlsplit(link).path and not urlsplit(link).scheme
        }
        reached |= {path for path in paths if path.suffix == ".html" and path.is_file()}
    return [f"{name} is more than two clicks away" for name in NEAR if folder / name not in reached]


if __name__ == "__main__":
    built = Path(sys.argv[1]).resolve()
    lines = [*wrong(built), *far(built)]
    print("\n".join(lines) or "all links lead somewhere")
    sys.exit(bool(lines))
