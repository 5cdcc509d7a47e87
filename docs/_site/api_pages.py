"""Pages of the reference of Python: one a module, made of what its ``__all__`` names, so that nothing public is left out."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path
from types import ModuleType
from typing import Any

MODULES = {
    "kinseq": "Clustering, comparing, and what is in every other module's hands.",
    "kinseq.api": "What clustering returns.",
    "kinseq.measures": "Dissimilarities between sequences.",
    "kinseq.clustering": "Clusterers of matrices and of items; affinities, widths of kernels; segments of a recording.",
    "kinseq.metrics": "How good clusters are, against labels.",
    "kinseq.divergences": "How far apart two sets of vectors are.",
    "kinseq.features": "Features of recordings, scaling, lengths.",
    "kinseq.hmm": "Hidden Markov models with the names of hmmlearn.",
    "kinseq.models.hmm": "Many hidden Markov models at once.",
    "kinseq.models.kinds": "Kinds of models, by name.",
    "kinseq.models.left_to_right": "Models of words.",
    "kinseq.models.selection": "How many states.",
    "kinseq.sic": "Similarities that classifiers induce.",
    "kinseq.adapters": "The estimators as those of aeon and sktime.",
}
"""Public modules in the order of their pages, and what each is for."""
RETURNED = {"kinseq.api": ("Clustering", "SampledClustering")}
"""Modules that are internal but for the classes of what public functions return."""
FOREIGN = ("kinseq.adapters",)
"""Modules whose classes have bases in other libraries, which need not be installed; their page tells of them in words."""


def module(name: str) -> ModuleType:
    """A public module by the name that it is called by."""
    above, _, last = name.rpartition(".")
    return getattr(importlib.import_module(above), last) if above else importlib.import_module(name)


def page(name: str) -> str:
    """A page on a module, in reStructuredText."""
    room = module(name)
    title = f"``{name}``"
    lines = [title, "=" * len(title), "", MODULES[name], ""]
    if name in FOREIGN:
        lines += [f"``{entry}``: see :ref:`aeon-sktime`.\n" for entry in room.__all__]
        return "\n".join(lines)
    values = {entry: getattr(room, entry) for entry in RETURNED.get(name, room.__all__)}
    # A name that another public module shows too has its page there.
    values = {
        entry: value
        for entry, value in values.items()
        if not inspect.ismodule(value)
        and not (name != "kinseq" and getattr(importlib.import_module("kinseq"), entry, None) is value)
    }
    real = room.__name__
    lines += [f".. currentmodule:: {real}", "", ".. autosummary::", "   :toctree: made", ""]
    lines += [f"   {entry}" for entry, value in values.items() if callable(value)]
    lines += ["", *(f".. autodata:: {entry}\n" for entry, value in values.items() if not callable(value))]
    return "\n".join(lines) + "\n"


def foreign(app: Any, what: str, name: str, value: Any, skip: bool, options: Any) -> bool | None:
    """Whether a member of a class is of another library's base, and so left out."""
    function = getattr(value, "fget", value)
    module = getattr(function, "__module__", None) or ""
    return True if module.startswith(("sklearn", "builtins")) or name.endswith("_request") else None


def make(app: Any, config: Any) -> None:
    """Write the pages before Sphinx looks for them."""
    folder = Path(app.srcdir) / "reference" / "api"
    folder.mkdir(parents=True, exist_ok=True)
    title = "Python"
    entries = "\n".join(f"   {name}" for name in MODULES)
    table = "\n".join(f"   * - :doc:`{name}`\n     - {words}" for name, words in MODULES.items())
    index = (
        f"{title}\n{'=' * len(title)}\n\nEvery public name, from its docstring. What is public, and for how long, says"
        " :doc:`/reference/versions`.\n\n"
        f".. list-table::\n   :widths: 35 65\n\n{table}\n\n.. toctree::\n   :hidden:\n\n{entries}\n"
    )
    pages = {"index": index, **{name: page(name) for name in MODULES}}
    for name, text in pages.items():
        file = folder / f"{name}.rst"
        if not file.is_file() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx; before autosummary looks for what it has to make."""
    app.connect("config-inited", make)
    app.connect("autodoc-skip-member", foreign)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
