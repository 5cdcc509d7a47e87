"""The installed wheel alone; also run outside of the checkout, by ``make dist``."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.resources
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import kinseq

DOCUMENTS = re.compile(r"\bdocs/|config/README|CONTRIBUTING|\.md\b")
"""Parts found only in a checkout."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve logs of two kinds."""
    place = tmp_path_factory.mktemp("logs") / "pumps"
    place.mkdir()
    rng = np.random.default_rng(0)
    for number in range(12):
        course = np.sin(2 * np.pi * np.arange(50) / (5 if number % 2 else 25)) + 0.1 * rng.normal(size=50)
        rows = "\n".join(f"{value:.3f}" for value in course)
        (place / f"pump_{number:02d}.csv").write_text(f"pressure\n{rows}\n")
    return place


def kinseq_says(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A call of the command line."""
    command = [sys.executable, "-m", "kinseq", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_version_is_that_of_the_package() -> None:
    assert importlib.metadata.version("kinseq") == kinseq.__version__


def test_every_public_name_is_there() -> None:
    for name in kinseq.__all__:
        value = getattr(kinseq, name)
        for inner in getattr(value, "__all__", ()) if name != "adapters" else ():
            assert getattr(value, inner) is not None


def test_files_that_are_no_code_came_along() -> None:
    for package, names in {
        "kinseq": ["py.typed", "__init__.pyi"],
        "kinseq.report": ["page.html.jinja", "page.css", "page.js"],
    }.items():
        importlib.import_module(package)
        for name in names:
            assert importlib.resources.files(package).joinpath(name).is_file(), f"{package}: {name}"


def test_a_folder_from_the_command_line(folder: Path) -> None:
    done = kinseq_says("cluster", "pumps", "-k", "2", folder=folder.parent)
    assert done.returncode == 0, done.stderr
    results = folder.parent / "results" / "own" / "pumps"
    page = (results / "index.html").read_text(encoding="utf-8")
    assert "2 groups" in done.stdout
    # References on a page or in a message are on the page.
    assert not DOCUMENTS.search(page)
    assert not DOCUMENTS.search(done.stdout + done.stderr)
    assert '<details id="words">' in page
    assert '<details id="settings">' in page
    lines = (results / "partition.csv").read_text(encoding="utf-8").splitlines()
    clusters = [line.split(",")[1] for line in lines[1:]]
    assert len(set(clusters[::2])) == len(set(clusters[1::2])) == 1
    assert clusters[0] != clusters[1]


def test_help_needs_no_checkout() -> None:
    for words in ((), ("cluster",), ("compare",), ("completion",)):
        done = kinseq_says(*words, "--help", folder=Path())
        assert done.returncode == 0
        assert not DOCUMENTS.search(done.stdout), done.stdout


def test_two_samples(folder: Path) -> None:
    rng = np.random.default_rng(1)
    for name, level in (("before", 0.0), ("after", 1.0)):
        np.savetxt(
            folder.parent / f"{name}.csv", rng.normal(level, 1, (80, 2)), delimiter=",", header="a,b", comments=""
        )
    done = kinseq_says("compare", "before.csv", "after.csv", folder=folder.parent)
    assert done.returncode == 0, done.stderr
    assert "The samples differ" in done.stdout
    assert not DOCUMENTS.search(done.stdout)
    assert (folder.parent / "results" / "compare" / "before-after" / "index.html").is_file()


def test_python(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    sequences = [np.sin(np.arange(40)[:, None] / (1 + i % 2)) + 0.1 * rng.normal(size=(40, 1)) for i in range(10)]
    model = kinseq.SequenceClustering(measure="dtw", n_clusters=2, scale="none")
    truth = np.arange(10) % 2
    assert kinseq.metrics.clustering_error(truth, model.fit_predict(sequences)) == 0
    result = kinseq.cluster(sequences, measure="dtw", n_clusters=2)
    result.save(tmp_path / "waves.kinseq")
    np.testing.assert_array_equal(kinseq.load(tmp_path / "waves.kinseq").labels, result.labels)
    bank = kinseq.hmm.fit_each(sequences, n_components=2)
    assert kinseq.hmm.score_matrix(bank, sequences).shape == (10, 10)
