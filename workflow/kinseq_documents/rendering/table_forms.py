"""One list of rows as a table of Markdown or LaTeX; :func:`kinseq.plotting.html.table` makes that of HTML."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]], numeric: Collection[int] = ()) -> list[str]:
    """Return lines of a table of GitHub's Markdown; cells are finished Markdown, columns in `numeric` are right-aligned."""
    rule = "".join("--:|" if k in numeric else "---|" for k in range(len(header)))
    return [_markdown_row(header), f"|{rule}", *map(_markdown_row, rows)]


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def latex_row(cells: Sequence[str]) -> str:
    """Return a row of finished cells."""
    return " & ".join(cells) + r" \\"


def latex_table(
    header: Sequence[str],
    rows: Sequence[str],
    columns: str,
    caption: str,
    label: str,
    setting: Sequence[str],
    *,
    wide: bool,
    below: Sequence[str] = (),
) -> list[str]:
    """Return lines of a table, which needs ``booktabs``.

    Parameters
    ----------
    header, rows : sequence of str
        Finished lines.
    columns : str
        How each column is aligned, ``"l"`` or ``"r"``.
    caption, label : str
        Finished LaTeX.
    setting : sequence of str
        Lines that set the size.
    wide : bool
        Whether the table takes both columns of a page.
    below : sequence of str
        Lines under the table.
    """
    environment = "table*" if wide else "table"
    return [
        f"\\begin{{{environment}}}",
        *setting,
        f"\\caption{{{caption}}}",
        f"\\label{{{label}}}",
        f"\\begin{{tabular}}{{@{{}}{columns}@{{}}}}",
        "\\toprule",
        *header,
        "\\midrule",
        *rows,
        "\\bottomrule",
        "\\end{tabular}",
        *below,
        f"\\end{{{environment}}}",
    ]
