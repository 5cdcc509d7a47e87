"""Contract of every drawing of the configuration; a new experiment is tested here without a new test."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from kinseq_documents.data import registry as loaders
from kinseq_documents.drawings import registry
from kinseq_documents.experiments import DrawingExperiment
from kinseq_documents.stages import drawings
from kinseq_documents.stages.sequences import make_sequences
from kinseq_documents.tasks import write_sequences

CONFIG = Path(__file__).resolve().parents[2] / "config"


@cache
def datasets() -> dict[str, Any]:
    return yaml.safe_load((CONFIG / "datasets.yaml").read_text(encoding="utf-8"))


def of_generated_sequences() -> dict[str, dict[str, Any]]:
    """Drawings of sequences alone whose last data set is made in code."""
    found = {}
    for path in sorted((CONFIG / "experiments").glob("*.yaml")):
        experiment = yaml.safe_load(path.read_text(encoding="utf-8"))
        if "drawing" in experiment and registry.requires(experiment["drawing"]) == ("sequences",):
            last = datasets()[experiment["datasets"][-1]]
            if loaders.get(last["loader"]).kind == "generated":
                found[experiment["id"]] = experiment
    return found


FOUND = of_generated_sequences()


@pytest.mark.parametrize("name", FOUND)
def test_it_can_be_drawn_of_what_everybody_has(name: str, tmp_path: Path) -> None:
    experiment = FOUND[name]
    dataset = experiment["datasets"][-1]
    write_sequences(tmp_path / "all.npz", *make_sequences(dataset, datasets()[dataset], [0], 1, None))
    made = drawings.make(DrawingExperiment.read(experiment), {"sequences": tmp_path / "all.npz"}, 1)
    assert made.arrays
    shown = [cell for grid in made.grids for row in grid.rows for cell in row]
    if made.figure is not None:
        assert made.figure.axes
        shown += [text.get_text() for axis in made.figure.axes for text in axis.texts]
    else:
        assert shown, "neither a figure nor a table"
    assert not any("t000/" in text for text in shown)
