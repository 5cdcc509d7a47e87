"""Next steps of the page: each command is valid on the command line, and does what the sentence says."""

from __future__ import annotations

import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import kinseq
from kinseq.api.clustering import run
from kinseq.api.results import Clustering
from kinseq.cli import console
from kinseq.readers.reading import USUAL
from kinseq.report.advice import Step, next_steps, python
from kinseq.report.writing import content_of


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two levels in two columns, and a third in three sequences only."""
    folder = tmp_path_factory.mktemp("data") / "it's mine"
    folder.mkdir()
    rng = np.random.default_rng(3)
    for i, level in enumerate([0.0] * 5 + [9.0] * 5 + [30.0] * 3):
        values = rng.normal(size=(25, 2)) + level
        pd.DataFrame(values, columns=["a", "b"]).to_csv(folder / f"{i:02d}.csv", index=False)
    return folder


def found(data: Path, command: str | None = None) -> Clustering:
    result = run(data, 3, "dtw", 0, {"n_resamples": 2}, None, USUAL, command=command)
    assert isinstance(result, Clustering)
    return result


def steps(result: Clustering) -> list[Step]:
    return next_steps(content_of(result))


def step(result: Clustering, of: str) -> str:
    (command,) = (one.command for one in steps(result) if of in one.what)
    return command


def test_three_lines_of_python_repeat_the_result(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = found(data)
    lines = python(first)
    assert len(lines.splitlines()) == 3
    monkeypatch.chdir(tmp_path)
    names: dict[str, Clustering] = {}
    exec(lines, names)
    np.testing.assert_array_equal(names["found"].labels, first.labels)
    assert names["found"].options.changed() == first.options.changed()
    assert (tmp_path / "page" / "index.html").exists()


def test_commands_of_the_console_are_asked_anew(data: Path) -> None:
    command = f"kinseq cluster {shlex.quote(str(data))} -k 3 --measure dtw"
    for one in steps(found(data, command))[:-1]:
        words = shlex.split(one.command)
        assert words[0] == "kinseq"
        options = console.parser().parse_args(words[1:])
        assert (options.data, options.k) == (str(data), "3")
    options = console.parser().parse_args(shlex.split(step(found(data, command), "corrections"))[1:])
    assert options.labels == "labels.csv"


def test_what_has_no_such_command_is_called(data: Path) -> None:
    # The command line does not know settings of a configuration.
    result = found(data, "snakemake -c2 own --configfile results/own/mine/own.json")
    for one in steps(result)[1:-1]:
        assert one.command.startswith("kinseq.cluster(")
        compile(one.command, "page", "eval")
    assert "scale='none'" in step(result, "Another scale")
    assert "measure='fusion'" in step(result, "more views")


def test_corrections_of_sequences_in_memory_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sequences = [np.full((9, 1), 5.0 * (i % 2)) + np.random.default_rng(i).normal(size=(9, 1)) for i in range(8)]
    result = kinseq.cluster(sequences, 2, "dtw", n_resamples=2)
    assert isinstance(result, Clustering)
    corrected = pd.DataFrame({"id": result.sequences.ids, "label": list("abababaa")})
    corrected.to_csv(tmp_path / "labels.csv", index=False)
    monkeypatch.chdir(tmp_path)
    first, second = step(result, "corrections").splitlines()
    names = {"pandas": pd, "kinseq": kinseq, "sequences": sequences}
    exec(first, names)
    again = eval(second, names)
    assert again.sequences.labels.tolist() == list("abababaa")
    assert 0 < again.scores["dtw"]["clustering error (%)"] < 50


def test_small_clusters_ask_for_more(data: Path) -> None:
    assert any(one.what.startswith("Cluster 3: 3 sequences or fewer") for one in steps(found(data)))
    matrix = kinseq.cluster(found(data).distance, 2, measure="precomputed", n_resamples=2)
    assert isinstance(matrix, Clustering)
    assert all("scale" not in one.what for one in steps(matrix))
