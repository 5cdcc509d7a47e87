"""Shared parts of all HTML pages: templates, one style sheet, one kind of table; self-contained."""

from __future__ import annotations

import base64
import re
from collections.abc import Collection, Sequence
from html import escape
from typing import Any

CSS = """
:root{color-scheme:light}
body{font:14px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;color:#1c1c1c;background:#fff;
margin:0 auto;max-width:1180px;padding:24px 28px 60px}
h1{font-size:22px;margin:0 0 4px}h2{font-size:16px;margin:28px 0 8px}
p.how{color:#555;max-width:86ch;margin:6px 0}
.scroll{overflow:auto;max-height:85vh;border-bottom:1px solid #bbb}
.scroll thead th{position:sticky;top:0;background:#fff}
table{border-collapse:collapse;font-size:13px;width:100%}
th{font-weight:600;text-align:left;border-bottom:1.5px solid #333;padding:4px 8px;vertical-align:bottom}
td{border-bottom:1px solid #e6e6e6;padding:4px 8px;vertical-align:top}
td.name{white-space:nowrap}
td:first-child{min-width:22ch}
td.num,th.num{text-align:right;font-variant-numeric:tabular-nums}td.num{white-space:nowrap}
td.note{color:#555;font-size:12px;min-width:16ch}
.v{font-weight:600;white-space:nowrap}
details{margin:10px 0;border:1px solid #ddd;border-radius:6px;padding:6px 12px}
summary{cursor:pointer;font-weight:600}
a{color:#1f5fa8}
@media (max-width:600px){body{padding:14px 12px 40px}td:first-child{min-width:12ch}}
@media print{.scroll{max-height:none;overflow:visible;border:0}
details{border:0;padding:0}body{max-width:none;padding:0;font-size:10px}}
"""

CLASSES = {"Note": "note", "What decided": "note", "Place": "name", "Cell": "name", "Row": "name", "Source": "name"}
"""Styles of columns that differ from the plain one."""


def table(header: Sequence[str], rows: Sequence[Sequence[str]], numeric: Collection[int] = ()) -> list[str]:
    """Return lines of a table; the header is plain text, rows hold finished HTML, `numeric` columns are right-aligned."""
    lines = ['<div class="scroll"><table>', "<thead><tr>"]
    lines += [f"<th{' class=num' if k in numeric else ''}>{escape(name)}</th>" for k, name in enumerate(header)]
    lines.append("</tr></thead><tbody>")
    for row in rows:
        cells = []
        for k, entry in enumerate(row):
            kind = "num" if k in numeric else CLASSES.get(header[k], "")
            kind = f' class="{kind}"' if kind else ""
            cells.append(f"<td{kind}>{entry}</td>")
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return [*lines, "</tbody></table></div>"]


def uri(data: bytes, mime: str) -> str:
    """Encode bytes as a data URL, so that pages are self-contained."""
    return f"data:{mime};base64,{base64.b64encode(data).decode('ascii')}"


def page(title: str, body: Sequence[str]) -> str:
    """Return a complete page; `body` holds finished HTML."""
    head = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f"<title>{escape(title)}</title>",
        '<meta name="viewport" content="width=device-width,initial-scale=1">',
        f"<style>{CSS}</style></head><body>",
    ]
    return "\n".join([*head, *body, "</body></html>"]) + "\n"


_BESIDE_CODE = re.compile(r"^\s*(?://.*\n|/\*.*\*/\n)?", re.MULTILINE)
"""Indentation of a line, and a line of comments."""


def render(package: str, folder: str, template: str, **context: Any) -> str:
    """Return a page from a template in a folder of a package.

    Every text is escaped that is not marked as finished.
    A template whose name ends in ``.md.jinja`` gives Markdown: nothing is escaped for HTML there, and the filter ``md``
    escapes what would be read as Markdown; ``compact`` takes the indentation and lines of comments from a script. A name of the
    template that `context` does not give is an error.
    """
    # Imported here, since drawing figures needs no templates.
    from jinja2 import Environment, PackageLoader, StrictUndefined

    from .style import markdown

    environment = Environment(
        loader=PackageLoader(package, folder),
        autoescape=not template.endswith(".md.jinja"),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters["md"] = lambda text: markdown(str(text))
    environment.filters["compact"] = lambda text: type(text)(_BESIDE_CODE.sub("", text))
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    return environment.get_template(template).render(**context) + "\n"
