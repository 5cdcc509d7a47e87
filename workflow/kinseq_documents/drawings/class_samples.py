"""Some sequences of each class, a panel a class (thesis 2011, figure D.1; arXiv 1004.1982, figure 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kinseq.core.errors import DataError
from kinseq.core.sequences import SequenceSet

from ..plotting import array_figures
from ..tasks import Task
from .registry import Arrays, Drawing

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _compute(
    seed: int, sequences: SequenceSet, tasks: Sequence[Task], names: Mapping[str, str], n_samples: int, **_: Any
) -> Arrays:
    """Return the first feature of the first sequences of each class, one after another."""
    if sequences.labels is None:
        raise DataError(f"{sequences.name}: has no labels, so that there are no classes to draw")
    class_members = [np.flatnonzero(sequences.labels == name)[:n_samples] for name in names]
    for name, members in zip(names, class_members, strict=True):
        if not members.size:
            raise DataError(f"{sequences.name}: has no sequence of class {name!r}; see the names of the drawing")
    frames = [sequences[i][:, 0] for i in np.concatenate(class_members)]
    return {
        "titles": np.array(list(names.values())),
        "class": np.repeat(np.arange(len(class_members)), [len(members) for members in class_members]),
        "lengths": np.array([len(line) for line in frames]),
        "values": np.concatenate(frames),
    }


def _draw(arrays: Arrays, x_label: str, **_: Any) -> Figure:
    lines = np.split(arrays["values"], np.cumsum(arrays["lengths"])[:-1])
    panels = {
        str(title): [line[:, None] for line, at in zip(lines, arrays["class"], strict=True) if at == k]
        for k, title in enumerate(arrays["titles"])
    }
    return array_figures.samples(panels, x_label)


DRAWINGS = (
    Drawing(
        name="class_samples",
        label="some sequences of each class",
        notes={"names": "class to the name to print, in order"},
        source="thesis 2011, figure D.1",
        compute=_compute,
        draw=_draw,
        requires=("sequences",),
        params={"names": None, "n_samples": 3, "x_label": "Sample"},
    ),
)
