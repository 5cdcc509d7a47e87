"""Run the notebooks of the tutorials, and write them with their output; ``make docs`` calls this."""

from __future__ import annotations

import sys
from pathlib import Path

NOTEBOOKS = Path(__file__).resolve().parents[1] / "tutorials" / "notebooks"


def run(notebook: Path, folder: Path) -> Path:
    """Run a notebook from the top in an empty kernel, write it into a folder with its output, and return its path there.

    Raises
    ------
    nbclient.exceptions.CellExecutionError
        If a cell fails.
    """
    import nbclient
    import nbformat

    book = nbformat.read(notebook, as_version=4)
    nbclient.NotebookClient(book, timeout=300, kernel_name="python3").execute()
    folder.mkdir(parents=True, exist_ok=True)
    nbformat.write(book, folder / notebook.name)
    return folder / notebook.name


if __name__ == "__main__":
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        print(run(path, Path(sys.argv[1])))
