"""The configuration as a run reads it: files checked, names resolved, what jobs are told."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest
import yaml

from kinseq.analysis.options import Options
from kinseq.cli.request import FILES
from kinseq.core.errors import ConfigError, DataError, ParameterError
from kinseq_documents import plan
from kinseq_documents.fingerprint import closure
from kinseq_documents.job_settings import JobSettings
from kinseq_documents.project import EXAMPLE_CLUSTERER, EXAMPLE_FILES, Project, digest_of
from kinseq_documents.yaml_files import load
from tests.sentences import Recorded

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "workflow" / "schemas"
BATCH = {"batch": {"trials": 2, "models": 2, "measures": 2}}
SETTINGS: dict[str, Any] = {
    "scale": "quick",
    "seed": 1,
    "experiments": "all",
    "documents": None,
    "data_dir": None,
    "offline": False,
    "keep_distances": False,
    "scales": {"quick": BATCH, "thesis": BATCH},
}
DATASETS = {
    "tiny": {"title": "tiny mixture", "loader": "mohmm", "params": {"n_sequences": [12], "mean_length": [15]}},
    "lost": {
        "title": "lost recordings",
        "loader": "speaker_folders",
        "params": {"name": "lost"},
        "folder": "lost",
        "files": ["*/*.txt"],
        "gone": "the recordings are lost",
    },
    "far": {
        "title": "recordings elsewhere",
        "loader": "speaker_folders",
        "params": {"name": "far"},
        "folder": "far",
        "files": ["*/*.txt"],
        "download": [{"url": "https://example.org/far.zip", "file": "far.zip"}],
    },
}
DEMO = {
    "id": "demo",
    "title": "A demonstration",
    "chapter": "chapter0",
    "sources": [{"document": "T", "item": "fig2_1"}],
    "metric": "error",
    "trials": {"quick": 2, "thesis": 2},
    "parts": [
        {"datasets": ["tiny", "lost"], "models": ["hmm2"], "measures": ["yy"], "clusterers": ["spectral"]},
    ],
    "render": {"kind": "table", "rows": ["dataset", "x"], "columns": "measure", "sections": ["clusterer"]},
}
DRAWING = {"kind": "drawing", "title": "Moments", "chapter": "chapter1", "sources": [{"document": "V", "item": "fig1"}]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small configuration."""
    (tmp_path / "experiments").mkdir()
    (tmp_path / "published").mkdir()
    write(tmp_path / "datasets.yaml", DATASETS)
    write(tmp_path / "models.yaml", {"hmm2": {"kind": "hmm", "n_states": 2, "n_init": 1, "max_iter": 5}})
    write(tmp_path / "variants.yaml", {"measures": {}, "clusterers": {}})
    write(tmp_path / "readings.yaml", {})
    write(tmp_path / "experiments/demo.yaml", DEMO)
    write(tmp_path / "experiments/moments.yaml", {**DRAWING, "id": "moments", "drawing": "equal_moments"})
    write(tmp_path / "experiments/optima.yaml", {**DRAWING, "id": "optima", "drawing": "em_optima"})
    write(tmp_path / "experiments/symbols.yaml", {**DRAWING, "id": "symbols", "drawing": "symbols"})
    return tmp_path


def write(path: Path, document: Any) -> None:
    path.write_text(yaml.safe_dump(document), encoding="utf-8")


def read(folder: Path, **changes: Any) -> Project:
    return Project.read({**SETTINGS, **changes}, folder, SCHEMAS)


def test_what_is_there_is_told_from_what_may_be_downloaded(folder: Path) -> None:
    project = read(folder)
    assert project.here == ["tiny"]
    assert set(project.absent) == {"lost", "far"}
    assert project.can_be_downloaded == ["far"]
    assert read(folder, offline=True).can_be_downloaded == []
    assert project.folders() == {}


def test_chosen_experiments_and_documents(folder: Path, recorded: Recorded) -> None:
    project = read(folder)
    assert project.chosen == ("demo", "moments", "optima", "symbols")
    assert project.scored == ["demo"]
    assert project.documents == {"T": ["demo"], "V": ["moments", "optima", "symbols"]}
    assert project.chosen_documents == []
    assert read(folder, documents="V,T").chosen_documents == ["V", "T"]
    assert read(folder, documents="all").chosen_documents == ["T", "V"]
    assert read(folder, experiments=["optima"]).documents == {"T": [], "V": ["optima"]}
    for wrong in ("X", "", "T,x", " ,", "all,V"):
        with recorded.raises(ParameterError):
            _ = read(folder, documents=wrong).chosen_documents


@pytest.mark.parametrize(
    "name, text",
    [
        ("models.yaml", "hmm2: {kind: hmm, n_states: 2, n_states: 3}"),
        ("models.yaml", ""),
        ("experiments/demo.yaml", "id: [demo"),
        ("experiments/demo.yaml", "{kind: pie, id: demo}"),
        ("experiments/moments.yaml", yaml.safe_dump({**DRAWING, "id": "other", "drawing": "symbols"})),
    ],
)
def test_mistakes_are_one_sentence(folder: Path, name: str, text: str, recorded: Recorded) -> None:
    (folder / name).write_text(text, encoding="utf-8")
    with recorded.raises(ConfigError) as said:
        read(folder)
    assert "\n" not in str(said.value)


def test_a_file_in_another_encoding_is_refused(tmp_path: Path, recorded: Recorded) -> None:
    (tmp_path / "a.yaml").write_bytes(b"title: caf\xe9\n")
    with recorded.raises(ConfigError):
        load(tmp_path / "a.yaml")


def test_drawings_name_the_files_that_they_leave(folder: Path) -> None:
    project = read(folder)
    jobs = plan.drawing_jobs(project.catalogue)
    assert sorted(sorted(members) for members in jobs.values()) == [["moments", "optima"], ["symbols"]]
    assert set(project.planned("moments").files) == {"arrays", "svg", "png", "pdf"}
    assert set(project.planned("symbols").files) == {"arrays", "md", "tex", "full", "csv", "html"}
    assert project.planned("symbols").files["full"] == "tables/symbols_full.tex"
    assert set(project.products(["symbols"])) == set(project.planned("symbols").files.values())
    drawing = project.drawings_job(project.catalogue, ["moments"]).drawings["moments"]
    assert set(drawing.kinds) == {"arrays", "svg", "png", "pdf"}
    assert drawing.experiment.drawing == "equal_moments"


def test_an_experiment_is_built_once_for_what_is_known_of_the_data(folder: Path) -> None:
    project = read(folder)
    assert project.planned("demo") is project.planned("demo")
    known = plan.with_availability(project.catalogue, project.absent)
    assert plan.planned(known, "demo") is plan.planned(known, "demo")
    assert plan.planned(known, "demo") is not project.planned("demo")
    assert list(plan.planned(known, "demo").missing()) == ["lost"]
    assert project.planned("demo").missing() == {}


def test_records_are_told_what_is_printed_and_what_is_missing(folder: Path) -> None:
    project = read(folder)
    known = plan.with_availability(project.catalogue, project.absent)
    (before,) = project.record_job(known, ["demo"]).experiments
    assert before.missing == {"lost": project.absent["lost"]}
    assert list(before.data) == ["tiny"]
    assert before.printed == []
    (folder / "published/demo.csv").write_text("value\n1\n", encoding="utf-8")
    (after,) = project.record_job(known, ["demo"]).experiments
    assert after.printed == [str(folder / "published/demo.csv")]
    assert after.configuration != before.configuration


def test_code_of_a_job_is_that_of_what_it_names(folder: Path) -> None:
    def matrices(project: Project, measures: str) -> str:
        return project.distances_job(measures, "hmm2", "t000-001").code

    def clusters(project: Project, measures: str) -> str:
        return project.partitions_job(measures, "hmm2", "spectral", "t000-001").code

    def drawings(project: Project, name: str) -> str:
        return project.drawings_job(project.catalogue, [name]).code

    project = read(folder)
    assert matrices(project, "yy") != matrices(project, "dtw")
    assert matrices(project, "yy+dtw") == matrices(project, "dtw+yy")
    kept = read(folder, keep_distances=True)
    # If matrices are read, the code of the measures does not matter.
    assert clusters(kept, "yy") == clusters(kept, "dtw")
    assert clusters(project, "yy") != clusters(project, "dtw")
    assert drawings(project, "moments") == drawings(project, "optima")
    assert drawings(project, "moments") != drawings(project, "symbols")


def settings_of(project: Project) -> dict[str, JobSettings]:
    """Inputs of the jobs of the small configuration, by their rules."""
    known = plan.with_availability(project.catalogue, project.absent)
    trials = "t000-001"
    return {
        "sequences": project.sequences_job("tiny"),
        "availability": project.availability_job(),
        "models": project.models_job("hmm2", trials),
        "distances": project.distances_job("yy", "hmm2", trials),
        "partitions": project.partitions_job("yy", "hmm2", "spectral", trials),
        "scores": project.scores_job(known, "demo"),
        "tables": project.table_job(known, "demo"),
        "figures": project.figure_job(known, "demo"),
        "drawings": project.drawings_job(known, ["moments", "optima"]),
        "fidelity": project.fidelity_job(known),
        "index": project.index_job(known, "1.0", project.folder / "readings.csv"),
        "record": project.record_job(known, ["demo", "symbols"]),
    }


def test_settings_of_jobs_are_the_same_in_every_run(folder: Path) -> None:
    """Snakemake compares their texts, and sends them to the jobs by pickle."""
    once, again = settings_of(read(folder)), settings_of(read(folder))
    assert {rule: repr(one) for rule, one in once.items()} == {rule: repr(one) for rule, one in again.items()}
    assert not [rule for rule, one in once.items() if " object at 0x" in repr(one)]
    assert {rule: pickle.loads(pickle.dumps(one, protocol=4)) for rule, one in once.items()} == once


def test_a_change_of_the_configuration_changes_the_jobs_that_it_concerns(folder: Path) -> None:
    before = {rule: repr(one) for rule, one in settings_of(read(folder)).items()}
    write(folder / "models.yaml", {"hmm2": {"kind": "hmm", "n_states": 2, "n_init": 2, "max_iter": 5}})
    after = {rule: repr(one) for rule, one in settings_of(read(folder)).items()}
    # A record holds a digest of the configuration of its experiments.
    assert {rule for rule in before if before[rule] != after[rule]} == {"models", "record"}


def test_the_example_leaves_what_the_command_leaves() -> None:
    assert EXAMPLE_FILES == FILES
    assert Options.clusterer == EXAMPLE_CLUSTERER


def test_a_plan_imports_no_command_line() -> None:
    """Nor what analyses: a dry run would wait for half of the library."""
    modules = closure(["kinseq_documents.project"])
    assert not [
        name for name in modules if name.startswith(("kinseq.cli", "kinseq.api", "kinseq.analysis", "kinseq.report"))
    ]


def test_files_that_are_no_modules_have_a_digest(tmp_path: Path) -> None:
    for name, text in (("a", "x"), ("b", "y")):
        (tmp_path / name).write_text(text)
    assert digest_of(tmp_path / "a") != digest_of(tmp_path / "b")
    assert digest_of(tmp_path / "a", tmp_path / "b") != digest_of(tmp_path / "a")


def test_defaults_of_the_schema_are_those_of_the_shipped_file() -> None:
    schema = load(SCHEMAS / "config.schema.yaml")
    defaults = {key: entry["default"] for key, entry in schema["properties"].items() if "default" in entry}
    assert load(ROOT / "config" / "config.yaml") == defaults


def test_what_a_target_costs_is_told_before_it_is_run(folder: Path, recorded: Recorded) -> None:
    def project() -> Project:
        return Project.read(SETTINGS, folder, SCHEMAS)

    assert project().about(["demo"]) == "A demonstration"
    rows = ["experiment,seconds,more_with_data,made_with", "demo,130,yes,", "moments,20,,", "optima,,,moments"]
    (folder / "costs.csv").write_text("\n".join(rows))
    known = project()
    recorded(known.about(["demo"]))
    # Items made with another target count its cost once.
    recorded(known.about(["optima"]))
    recorded(known.about(["moments", "optima"]))
    (folder / "costs.csv").write_text("experiment,seconds\ndemo,many\n")
    with recorded.raises(DataError):
        project().about(["demo"])


def test_the_report_calls_things_by_their_names_in_print(folder: Path) -> None:
    known = Project.read(SETTINGS, folder, SCHEMAS)
    assert known.report_labels("demo") == {"in print": "T Fig. 2.1", "title": "A demonstration", "target": "demo"}
    assert known.report_labels("demo", "cells")["title"] == "A demonstration (cells)"
