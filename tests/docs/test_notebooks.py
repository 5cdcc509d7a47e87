"""The notebooks of the tutorials run from the top, and show results as tables and figures as pictures."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "tutorials" / "notebooks").glob("*.ipynb"))


def outputs(book: Any, source: str) -> list[str]:
    """Kinds of output of the cell that ends with a line."""
    (cell,) = (cell for cell in book.cells if cell.cell_type == "code" and cell.source.splitlines()[-1] == source)
    return [kind for output in cell.outputs for kind in output.get("data", {})]


def test_there_are_two_and_they_are_committed_without_output() -> None:
    nbformat = pytest.importorskip("nbformat")
    assert [path.stem for path in NOTEBOOKS] == ["own-data", "recordings"]
    page = (ROOT / "docs" / "tutorials" / "index.md").read_text(encoding="utf-8")
    for path in NOTEBOOKS:
        book = nbformat.read(path, as_version=4)
        nbformat.validate(book)
        assert f"notebooks/{path.name}" in page
        for cell in book.cells:
            if cell.cell_type == "code":
                assert not cell.outputs
                ast.parse(cell.source)


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_tables_and_pictures(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("nbclient", reason="nbclient is not installed; make install-docs does it")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed; make install-docs does it")
    import nbformat

    monkeypatch.syspath_prepend(ROOT / "docs" / "_site")
    from run_notebooks import run

    book = nbformat.read(run(path, tmp_path), as_version=4)
    results, figures = {
        "own-data": (("result",), ("result.plot()",)),
        "recordings": (("segments", "calls"), ("segments.figure()", "calls.plot()")),
    }[path.stem]
    for source in results:
        assert "text/html" in outputs(book, source)
    for source in figures:
        assert "image/png" in outputs(book, source)
