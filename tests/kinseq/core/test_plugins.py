"""Measures and the like of other packages, which entry points name."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import kinseq
from kinseq import clustering, measures
from kinseq.core import plugins
from kinseq.core.errors import ParameterError
from kinseq_documents import fingerprint as prints
from kinseq_documents import jobs
from tests.sentences import Recorded

MEASURE = """
import numpy as np
from kinseq.measures.registry import Measure, MeasureInput
from .helping import gap

MEASURES = (Measure(name="length_gap_outside", label="gap", source="none", function=gap, requires="sequences"),)
"""
HELPER = """
import numpy as np

def gap(evidence):
    lengths = evidence.sequences.lengths.astype(float)
    return np.abs(lengths[:, None] - lengths)
"""
CLUSTERER = """
import numpy as np
from kinseq.clustering.registry import Clusterer

def halves(matrix, n_clusters, seed):
    return (matrix[0] > matrix[0].mean()).astype(np.int64)

CLUSTERERS = (Clusterer(name="halves_outside", label="halves", source="none", partition=halves, random=False),)
"""
UNRELATED = "WORD = 'nothing imports this'\n"


def forget() -> None:
    plugins.forget()
    prints.forget()


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of the search path with a package, and what pip writes next to it."""
    package = tmp_path / "away_from_kinseq"
    package.mkdir()
    for name, text in (
        ("__init__", ""),
        ("measuring", MEASURE),
        ("helping", HELPER),
        ("cutting", CLUSTERER),
        ("unrelated", UNRELATED),
    ):
        (package / f"{name}.py").write_text(text)
    declare(tmp_path, measures="away_from_kinseq.measuring", clusterers="away_from_kinseq.cutting")
    monkeypatch.syspath_prepend(str(tmp_path))
    forget()
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("away_from_kinseq")]:
        del sys.modules[name]
    monkeypatch.undo()
    forget()


def declare(folder: Path, **groups: str) -> None:
    """Write the entry points of the package again."""
    info = folder / "away_from_kinseq-1.0.dist-info"
    info.mkdir(exist_ok=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: away-from-kinseq\nVersion: 1.0\n")
    lines = [f"[kinseq.{group}]\nmine = {module}\n" for group, module in groups.items()]
    (info / "entry_points.txt").write_text("\n".join(lines))
    forget()


def test_what_an_installed_package_registers_is_used_by_its_name(installed: Path) -> None:
    measures.get("dtw")
    assert "away_from_kinseq" not in sys.modules, "what is in the table needs no other package"
    assert "length_gap_outside" in measures.names()
    sequences = [np.ones((n, 1)) * np.arange(n)[:, None] for n in (4, 5, 9, 10)]
    matrix = measures.compute("length_gap_outside", sequences)
    np.testing.assert_array_equal(matrix, np.abs(np.subtract.outer([4, 5, 9, 10], [4, 5, 9, 10])))
    result = kinseq.cluster(sequences, n_clusters=2, measure="length_gap_outside", clusterer="halves_outside")
    assert result.labels.tolist() in ([0, 0, 1, 1], [1, 1, 0, 0])
    assert "halves_outside" in clustering.names()


def test_fingerprints_see_its_files_and_no_others(installed: Path) -> None:
    def prints_of(*modules: str) -> list[str]:
        prints.forget()
        return [prints.fingerprint(module) for module in modules]

    modules = ("away_from_kinseq.measuring", "away_from_kinseq.cutting", "kinseq.measures.dtw")
    first = prints_of(*modules)
    assert set(prints.closure(modules[:1])) >= {"away_from_kinseq.helping", "kinseq.measures.registry"}
    package = installed / "away_from_kinseq"
    (package / "unrelated.py").write_text(UNRELATED + "# edited\n")
    assert prints_of(*modules) == first
    (package / "helping.py").write_text(HELPER + "# edited\n")
    assert [a == b for a, b in zip(prints_of(*modules), first, strict=True)] == [False, True, True]


@pytest.mark.parametrize(
    "groups",
    [
        {"measures": "away_from_kinseq.missing"},
        {"measures": "nowhere_at_all"},
        {"measures": "away_from_kinseq.measuring:MEASURES"},
    ],
)
def test_an_entry_point_that_names_no_module(installed: Path, groups: dict[str, str], recorded: Recorded) -> None:
    declare(installed, **groups)
    with recorded.raises(ParameterError):
        measures.names()


@pytest.mark.parametrize(
    "text",
    [
        MEASURE.replace('requires="sequences"', 'requires="models"'),
        "raise OSError('no\\n disk')",
        "MEASURES = 3",
    ],
)
def test_a_module_that_cannot_be_used_is_one_sentence(installed: Path, text: str, recorded: Recorded) -> None:
    (installed / "away_from_kinseq" / "measuring.py").write_text(text)
    forget()
    with recorded.raises(ParameterError) as caught:
        measures.names()
    assert "\n" not in str(caught.value)


def test_a_name_that_is_taken(installed: Path, recorded: Recorded) -> None:
    measuring = installed / "away_from_kinseq" / "measuring.py"
    measuring.write_text(MEASURE.replace("length_gap_outside", "dtw"))
    forget()
    with recorded.raises(ParameterError):
        measures.names()


def test_a_job_refuses_other_packages_than_the_plan_had(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorded: Recorded
) -> None:
    assert plugins.homes() == {"away_from_kinseq": installed.resolve()}
    home, beside = jobs.homes()
    monkeypatch.setenv(jobs.HOME, home)
    monkeypatch.setenv(jobs.BESIDE, beside)
    with jobs.job(str(tmp_path / "log")):
        pass
    monkeypatch.setenv(jobs.BESIDE, "")
    with pytest.raises(SystemExit), jobs.job(str(tmp_path / "log")):
        pass
    recorded.within((tmp_path / "log").read_text())
