"""Mistakes in the configuration and the folder: one sentence, a status that is not 0, no traceback."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kinseq.core.errors import KinseqError
from kinseq.core.schema import check
from kinseq_documents.project import Project as Read
from kinseq_documents.yaml_files import load

from .project import ROOT, Configuration, Project

SCHEMAS = ROOT / "workflow" / "schemas"

Mistake = Callable[[Configuration], None]


def experiment(**changes: Any) -> Mistake:
    return lambda project: project.change("experiments/demo.yaml", **changes)


def part(**changes: Any) -> Mistake:
    def make(project: Configuration) -> None:
        document = project.read("experiments/demo.yaml")
        document["parts"][0] |= changes
        project.write("experiments/demo.yaml", document)

    return make


def settings(**changes: Any) -> Mistake:
    return lambda project: project.change("config.yaml", **changes)


def raw(name: str, text: str) -> Mistake:
    def make(project: Configuration) -> None:
        (project.config / name).write_text(text)

    return make


def both(*mistakes: Mistake) -> Mistake:
    def make(project: Configuration) -> None:
        for mistake in mistakes:
            mistake(project)

    return make


def dataset(**changes: Any) -> Mistake:
    def make(project: Configuration) -> None:
        document = project.read("datasets.yaml")
        document["tiny"] |= changes
        project.write("datasets.yaml", document)

    return make


MISTAKES: dict[str, tuple[Mistake, list[str]]] = {
    "misspelt key": (experiment(measurs=["yy"]), ["demo.yaml", "measurs", "valid names", "metric"]),
    "missing key": (lambda p: p.write("experiments/demo.yaml", {"id": "demo"}), ["demo.yaml", "missing"]),
    "unknown measure": (part(measures=["kl_l"]), ["demo", "unknown measure 'kl_l'", "did you mean 'kl_ll'", "dtw"]),
    "unknown metric": (experiment(metric="eror"), ["experiment 'demo': unknown metric 'eror' (did you mean 'error'?)"]),
    "unknown clusterer": (part(clusterers=["spectra"]), ["unknown clusterer 'spectra'", "spectral"]),
    "unknown model": (part(models=["hmm9"]), ["unknown model 'hmm9'", "hmm2"]),
    "unknown data set": (part(datasets=["tinny"]), ["unknown dataset 'tinny'", "tiny_other"]),
    "no measures": (part(measures=[]), ["'demo', part 1", "names no measures"]),
    "negative number of trials": (experiment(trials={"quick": -3, "thesis": 5}), ["demo.yaml", "-3", "at least 1"]),
    "trials in words": (experiment(trials={"quick": "five", "thesis": 5}), ["demo.yaml", "'five'", "integer"]),
    "unknown kind of experiment": (experiment(kind="compare"), ["demo.yaml", "unknown kind 'compare'", "comparison"]),
    "unknown drawing": (
        lambda p: p.write(
            "experiments/sketch.yaml",
            {"kind": "drawing", "id": "sketch", "title": "", "chapter": "c", "sources": [], "drawing": "bel"},
        ),
        ["experiment 'sketch'", "unknown drawing 'bel'", "class_samples"],
    ),
    "unknown document": (experiment(sources=[{"document": "X", "item": "1"}]), ["unknown value 'X'", "P1"]),
    "unknown render kind": (experiment(render={"kind": "pie"}), ["pie"]),
    "unknown claim": (experiment(claims=[{"id": "a", "sentence": "b", "tset": {}}]), ["claim"]),
    "unknown scale": (settings(scale="huge"), ["unknown value 'huge'", "quick", "thesis"]),
    "unknown experiment": (settings(experiments=["dmeo"]), ["unknown experiment 'dmeo'", "demo"]),
    "negative seed": (settings(seed=-1), ["seed", "-1", "at least 0"]),
    "misspelt setting": (settings(sede=3), ["sede", "did you mean 'seed'"]),
    "batch of zero": (
        settings(
            scales={
                "quick": {"batch": {"trials": 0, "models": 1, "measures": 1}},
                "thesis": {"batch": {"trials": 1, "models": 1, "measures": 1}},
            }
        ),
        ["batch.trials", "at least 1"],
    ),
    "unknown loader": (dataset(loader="mohm"), ["unknown loader 'mohm'", "mohmm"]),
    "misspelt data set key": (dataset(licens="x"), ["licens", "did you mean 'licence'"]),
    "unknown loader parameter": (dataset(params={"n_sequence": [5]}), ["n_sequence", "did you mean 'n_sequences'"]),
    "more classes than sequences": (dataset(params={"n_sequences": [1], "mean_length": [9]}), ["n_sequences is 1"]),
    "unknown model kind": (
        lambda p: p.write("models.yaml", {"hmm2": {"kind": "hm", "n_states": 2}}),
        ["'hm'", "hmm"],
    ),
    "zero states": (
        lambda p: p.write("models.yaml", {"hmm2": {"kind": "hmm", "n_states": 0}}),
        ["n_states", "at least 1"],
    ),
    "more states than frames": (
        lambda p: p.write("models.yaml", {"hmm2": {"kind": "hmm", "n_states": 400}}),
        ["400", "frames"],
    ),
    "variant of nothing": (
        lambda p: p.write("variants.yaml", {"measures": {"mine": {"measure": "nothing"}}}),
        ["mine", "unknown measure 'nothing'"],
    ),
    "variant with a taken name": (
        lambda p: p.write("variants.yaml", {"measures": {"kl_ll": {"measure": "yy"}}}),
        ["kl_ll", "another name"],
    ),
    "variant with an unknown parameter": (
        both(
            lambda p: p.write("variants.yaml", {"measures": {"mine": {"measure": "mmd", "params": {"sgima": 3}}}}),
            part(measures=["mine"]),
        ),
        ["unknown parameter 'sgima'", "sigma"],
    ),
    "broken YAML": (raw("experiments/demo.yaml", "id: [demo\n"), ["demo.yaml", "cannot be read"]),
    "a key twice": (
        lambda p: (p.config / "models.yaml").write_text("hmm2: {kind: hmm, n_states: 2, n_states: 3}\n"),
        ["models.yaml", "the key 'n_states' is given twice"],
    ),
    "not UTF-8": (
        lambda p: (p.config / "experiments/demo.yaml").write_bytes(b"title: caf\xe9\n"),
        ["demo.yaml", "is not UTF-8; save it as that"],
    ),
    "an id unlike the name of the file": (experiment(id="demmo"), ["demo.yaml", "the id 'demmo'", "named 'demo'"]),
    "a measure twice": (part(measures=["yy", "yy"]), ["demo.yaml, parts.0.measures", "names 'yy' twice"]),
    "an experiment twice": (settings(experiments=["demo", "demo"]), ["experiments", "names 'demo' twice"]),
    "empty YAML": (raw("models.yaml", ""), ["models.yaml", "expected object"]),
    "a file in place of the results folder": (
        lambda p: p.write("../results", "I am a file"),
        ["results: is a file", "move it away"],
    ),
}


IN_A_RUN = {
    # Found while reading the settings, the files next to them, and YAML: one of each, as the run reports it.
    "misspelt setting",
    "misspelt key",
    "broken YAML",
    # Found by the rules, or by a job.
    "more classes than sequences",
    "more states than frames",
    "variant with an unknown parameter",
    "a file in place of the results folder",
}
"""Mistakes that are made in a run. The others are found while the configuration is read, and tried without Snakemake."""
OF_A_JOB = {"unknown loader parameter"}
"""Found by the job that makes sequences, as "more classes than sequences" is; run by make test-all."""


def read(project: Configuration) -> None:
    """Read the configuration of a project as a run does before it makes anything."""
    settings = load(project.config / "config.yaml")
    check(settings, load(SCHEMAS / "config.schema.yaml"), "config")
    Read.read({"documents": None, **settings}, project.config, SCHEMAS).planned("demo").job_files()


@pytest.mark.parametrize("name", sorted(set(MISTAKES) - IN_A_RUN - OF_A_JOB))
def test_a_mistake_is_found_when_the_configuration_is_read(tmp_path: Path, name: str) -> None:
    project = Configuration(tmp_path)
    make, words = MISTAKES[name]
    make(project)
    with pytest.raises(KinseqError) as said:
        read(project)
    assert "\n" not in str(said.value)
    for word in words:
        assert word in str(said.value)


@pytest.mark.parametrize(
    "name", [*sorted(IN_A_RUN), *(pytest.param(name, marks=pytest.mark.slow) for name in sorted(OF_A_JOB))]
)
def test_a_mistake_ends_a_run_in_one_sentence(small: Project, name: str) -> None:
    make, words = MISTAKES[name]
    make(small)
    outcome = small.snakemake(cores=1)
    assert outcome.status != 0
    assert "Traceback" not in outcome.text, outcome.text[-3000:]
    for word in words:
        assert word in outcome.text, (word, outcome.text[-3000:])
    left = [path for path in Path(small.folder).rglob("*.npz") if path.name.startswith(".")]
    assert not left, "a half-written file stayed"
