"""Readings of what print leaves open, in a run: what shares a job, what scores say, and what a change of one entry reruns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from .project import Project

pytestmark = pytest.mark.xdist_group("readings")

OLD: dict[str, Any] = {"label": "old", "training": {"preset": "classic"}, "diagonal": "one", "ppk": {"rho": 2.0}}
READINGS = {
    "old": OLD,
    "new": {"label": "new", "diagonal": "zero"},
    "wide": {"label": "wide", "based_on": "old", "width": "median"},
}


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project that was run under readings; treat it as read-only."""
    project = Project(tmp_path_factory.mktemp("readings") / "project")
    project.write("readings.yaml", READINGS)
    project.change(
        "config.yaml",
        scales={scale: {"batch": {"trials": 2, "models": 1, "measures": 1}} for scale in ("quick", "thesis")},
    )
    experiment = project.read("experiments/demo.yaml")
    part = {
        "datasets": ["tiny_other"],
        "models": ["hmm2"],
        "measures": ["yy", "ppk"],
        "clusterers": ["spectral", "hierarchical"],
    }
    changes = {**part, "clusterers": ["spectral"], "readings": ["wide"]}
    experiment |= {"readings": ["old", "new"], "parts": [part, changes], "trials": {"quick": 2, "thesis": 2}}
    experiment |= {"most_trials": {"new": {"quick": 1, "thesis": 2}}, "render": {"kind": "table"}}
    project.write("experiments/demo.yaml", experiment)
    project.run("demo")
    return project


def test_scores_are_told_by_reading_under_the_names_of_the_experiment(read: Project) -> None:
    scores = pd.read_csv(read.folder / "results/scores/demo.csv", keep_default_na=False)
    errors = scores[scores["metric"] == "error"]
    assert set(errors["model"]) == {"hmm2", "none"}
    assert errors.loc[errors["clusterer"] == "control", "reading"].unique().tolist() == [""]
    own = errors[errors["clusterer"] != "control"].groupby(["reading", "measure", "clusterer"])["trial"].count()
    both = {("yy", "spectral"), ("yy", "hierarchical"), ("ppk", "spectral"), ("ppk", "hierarchical")}
    expected = {("old", *cell): 2 for cell in both} | {("new", *cell): 1 for cell in both}
    assert own.to_dict() == expected | {("wide", measure, "spectral"): 2 for measure in ("yy", "ppk")}


def test_nothing_is_made_anew_where_nothing_changed(read: Project) -> None:
    assert read.pending("demo") == []


def test_readings_share_what_does_not_differ(read: Project) -> None:
    models = {path.parent.name for path in (read.folder / "results/models/tiny_other").glob("*/*.npz")}
    assert models == {"hmm2", "hmm2@old"}
    tables = (read.folder / "results/tables/demo.md").read_text()
    assert "old" in tables
    assert "new" in tables
    assert "wide" not in tables


@pytest.mark.parametrize(
    ("change", "reruns", "leaves"),
    [
        ({"ppk": {"rho": 0.5}}, ["/ppk@old/"], ["/models/", "/yy/", "/ppk/"]),
        ({"diagonal": "zero"}, ["spectral", "/yy/", "/ppk@old/"], ["/models/", "/ppk/", "/partitions/tiny_other/hmm2/"]),
        ({"training": {"preset": "classic", "covariance": "diag"}},
         ["/models/tiny_other/hmm2@old/", "/partitions/tiny_other/hmm2@old/"], ["/tiny_other/hmm2/", "/sequences/"]),
    ],
)  # fmt: skip
def test_a_change_of_one_entry_reruns_what_depends_on_it(
    read: Project, tmp_path: Path, change: dict[str, Any], reruns: list[str], leaves: list[str]
) -> None:
    copied = read.copy(tmp_path / "project")
    copied.write("readings.yaml", {**READINGS, "old": OLD | change})
    waiting = copied.pending("demo")
    for part in reruns:
        assert [name for name in waiting if part in name], (part, waiting)
    for part in leaves:
        assert not [name for name in waiting if part in name], (part, waiting)
