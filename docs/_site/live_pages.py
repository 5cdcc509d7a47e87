"""Pages that the product writes, made from tiny sets while the site is built, and shown live in the gallery."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import kinseq

ROOT = Path(__file__).resolve().parents[2]
TUTORIAL = ROOT / "docs" / "tutorials" / "first-folder.md"
TABLE = "V_tab4_1"
"""The experiment of the page of fidelity: seconds, and its data come with a dependency."""


def own(folder: Path) -> None:
    """The page of the first tutorial, on the folder that the tutorial makes."""
    code = next(re.finditer(r"^```python\n(.*?)^```", TUTORIAL.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL))[
        1
    ]
    with tempfile.TemporaryDirectory() as work:
        subprocess.run([sys.executable, "-c", code], cwd=work, check=True)
        kinseq.cluster(Path(work) / "pumps").report(folder)


def fidelity(folder: Path) -> None:
    """The page of fidelity of one table, made by the workflow."""
    with tempfile.TemporaryDirectory() as work:
        places = ", ".join(f"{name}: {work}/{name}" for name in ("results", "logs", "benchmarks"))
        command = [sys.executable, "-m", "snakemake", "--cores", "1", "--nolock", "--quiet", "all"]
        command += ["--config", f"experiments=[{TABLE}]", "offline=true", f"pathvars={{{places}}}"]
        command += ["--", TABLE, f"{work}/results/fidelity.html"]
        environment = {
            **os.environ,
            "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT / 'workflow'}",
            "PYTHONHASHSEED": "0",
        }
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"the page of fidelity could not be made:\n{done.stdout}{done.stderr}")
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(Path(work) / "results" / "fidelity.html", folder)


def make(app: Any) -> None:
    """Write the pages next to those of Sphinx, if they are not there."""
    if app.builder.format != "html":
        return
    live = Path(app.outdir) / "live"
    for maker, page in ((own, live / "own" / "index.html"), (fidelity, live / "fidelity" / "fidelity.html")):
        if not page.is_file():
            maker(page.parent)


def picture_first(app: Any, docname: str, source: list[str]) -> None:
    """Examples begin with their first picture, below the question."""
    name = docname.partition("examples/plot_")[2]
    picture = f"/examples/images/sphx_glr_plot_{name}_001.png"
    if not name or "<iframe" in source[0] or not (Path(app.srcdir) / picture[1:]).is_file():
        return
    heading = re.search(r"^(.+)\n=+\n", source[0], flags=re.MULTILINE)
    if heading is None:
        raise RuntimeError(f"{docname} has no heading")
    shown = f"\n.. image:: {picture}\n   :alt: {heading[1]}\n   :class: first-picture\n\n"
    # After the introduction, which is the question.
    end = source[0].index("\n\n", heading.end() + 1)
    source[0] = source[0][:end] + "\n" + shown + source[0][end:]


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx."""
    app.connect("builder-inited", make)
    app.connect("source-read", picture_first)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
