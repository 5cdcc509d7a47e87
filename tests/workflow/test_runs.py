"""The DAG end to end on a tiny configuration: what it leaves, that it is the same and that it is fresh."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.sentences import Recorded

from .project import EXPERIMENT, Project

CONTROLS = ("true_labels", "random_labels")


def rows_of(table: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(table.decode())))


def test_one_process_runs_all_that_shares_the_finished_project(
    finished: Project, request: pytest.FixtureRequest
) -> None:
    """Else each process of the suite would make one; pytest-xdist tells groups by what it puts behind the name of a test."""
    grouped = bool(request.config.getoption("loadgroup", False))
    assert request.node.nodeid.endswith("@finished") == grouped


def test_everything_is_left_where_the_readme_says(finished: Project) -> None:
    results = finished.folder / "results"
    for name in ("scores/demo.csv", "timings/demo.csv", "fidelity.csv", "fidelity.md", "data.csv"):
        assert (results / name).stat().st_size > 0
    for ending in (".csv", ".md", ".tex", "_full.tex", ".html"):
        assert (results / "tables" / f"demo{ending}").stat().st_size > 0
    assert not list(results.rglob(".*.npz")), "temporary files stayed behind"
    assert not (results / "distances").exists(), "matrices that are clustered are not stored unless asked for"


def test_scores_are_tidy_and_controls_score_what_they_must(finished: Project) -> None:
    rows = rows_of(finished.result("scores/demo.csv"))
    columns = [
        "experiment",
        "dataset",
        "task",
        "trial",
        "model",
        "measure",
        "clusterer",
        "metric",
        "value",
        "seed",
        "x",
        "reading",
    ]
    assert list(rows[0]) == columns
    errors = [row for row in rows if row["metric"] == "error"]
    true = [float(row["value"]) for row in errors if row["measure"] == "true_labels"]
    guessed = [float(row["value"]) for row in errors if row["measure"] == "random_labels"]
    assert len(true) == 3 * 3
    assert set(true) == {0.0}
    assert 15 < sum(guessed) / len(guessed) < 50
    for measure, models in (("yy", {"hmm2"}), ("kl_ll", {"hmm2"}), ("dtw", {"none"})):
        mine = [row for row in errors if row["measure"] == measure]
        assert {row["model"] for row in mine} == models
        # Three tasks (two of `tiny`, one of `tiny_other`), three trials, two clusterers.
        assert len(mine) == 3 * 3 * 2
        assert len({(row["task"], row["dataset"], row["trial"], row["clusterer"]) for row in mine}) == len(mine)


def test_timings_hold_what_every_job_used(finished: Project) -> None:
    rows = rows_of(finished.result("timings/demo.csv"))
    assert list(rows[0]) == ["job", "seconds", "cpu_seconds", "peak_memory_mb"]
    made = {row["job"].split("/benchmarks/")[1] for row in rows}
    # Two data sets: sequences, models, and partitions by two batches of measures.
    assert made == {
        f"{stage}/t000-002"
        for data in ("tiny", "tiny_other")
        for stage in (
            f"sequences/{data}",
            f"models/{data}/hmm2",
            f"partitions/{data}/hmm2/yy+kl_ll/spectral+hierarchical",
            f"partitions/{data}/none/dtw/spectral+hierarchical",
        )
    }
    for row in rows:
        assert float(row["cpu_seconds"]) > 0.05, "importing NumPy alone takes longer"
        assert float(row["peak_memory_mb"]) > 20


def test_missing_data_are_told_loudly_and_stop_nothing(finished: Project, recorded: Recorded) -> None:
    table = finished.result("tables/demo.md").decode()
    assert "data not available" in table
    recorded.within(table)
    status = {row["dataset"]: row["status"] for row in rows_of(finished.result("data.csv"))}
    assert status == {"tiny": "available", "tiny_other": "available", "lost": "not available"}


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Address under which the files of a folder can be downloaded."""
    folder.mkdir()
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def offer(project: Project, archive: Path, address: str) -> None:
    """Let the lost recordings be had from an archive, for one measure and two trials."""
    frames = np.random.default_rng(0).normal(size=(6, 20, 2))
    with zipfile.ZipFile(archive, "w") as content:
        for number, sequence in enumerate(frames + np.arange(6)[:, None, None] % 2 * 5):
            text = "\n".join(" ".join(f"{value:.4f}" for value in frame) for frame in sequence)
            content.writestr(f"{'ab'[number % 2]}/{number}.txt", text)
    datasets = project.read("datasets.yaml")
    datasets["lost"] |= {"download": [{"url": f"{address}/lost.zip", "file": "lost.zip"}]}
    del datasets["lost"]["gone"]
    project.write("datasets.yaml", datasets)
    experiment = project.read("experiments/demo.yaml")
    experiment["parts"][0]["datasets"] = ["tiny", "lost"]
    project.write("experiments/demo.yaml", experiment)
    project.change("config.yaml", offline=False)


LOOKED_AT = ("results/tables/demo.md", "results/data.csv")


def test_data_that_are_downloaded_are_used_by_the_same_call_and_missed_when_they_go(
    small: Project, tmp_path: Path, recorded: Recorded
) -> None:
    def scored() -> set[str]:
        return {row["dataset"] for row in rows_of(small.result("scores/demo.csv"))}

    def status() -> str:
        return next(row["status"] for row in rows_of(small.result("data.csv")) if row["dataset"] == "lost")

    with served(tmp_path / "store") as address:
        offer(small, tmp_path / "store/lost.zip", address)
        told = small.run("--dry-run", *LOOKED_AT).text
        recorded.within(told)
        assert "results/partitions" not in told
        small.run(*LOOKED_AT)
    assert scored() == {"tiny", "lost"}
    assert status() == "downloaded"
    # They stay where they were put, which is reported; nothing else is made again.
    scores = (small.folder / "results/scores/demo.csv").stat().st_mtime_ns
    small.run(*LOOKED_AT)
    assert status() == "available"
    assert (small.folder / "results/scores/demo.csv").stat().st_mtime_ns == scores
    assert small.pending(*LOOKED_AT) == []
    shutil.rmtree(small.folder / "data")
    small.run(*LOOKED_AT)
    assert status() == "not available"
    assert scored() == {"tiny"}
    assert "data not available" in small.result("tables/demo.md").decode()


def test_everything_is_planned_at_once_where_nothing_can_be_downloaded(small: Project) -> None:
    assert "results/partitions/tiny" in small.run("--dry-run").text


def test_a_second_call_does_nothing(finished: Project) -> None:
    assert finished.pending() == []


@pytest.mark.parametrize("cores, batch", [(1, 2), pytest.param(2, 1, marks=pytest.mark.slow)])
def test_scores_do_not_depend_on_cores_or_batches(finished: Project, fresh: Project, cores: int, batch: int) -> None:
    """Nor on what else is asked for: they are some of those of the finished project."""
    asked = {"datasets": ["tiny_other"], "measures": ["yy", "dtw"], "clusterers": ["hierarchical"]}
    experiment = fresh.read("experiments/demo.yaml")
    experiment["parts"][0] |= asked
    fresh.write("experiments/demo.yaml", experiment)
    scales = fresh.read("config.yaml")["scales"]
    scales["quick"]["batch"] = {"trials": batch, "models": 1, "measures": cores}
    fresh.change("config.yaml", scales=scales, keep_distances=cores == 1)
    fresh.run("results/scores/demo.csv", cores=cores)
    of_controls = {"datasets": ["tiny_other"], "measures": list(CONTROLS), "clusterers": ["control"]}
    expected = [
        row
        for row in rows_of(finished.result("scores/demo.csv"))
        if any(
            row["dataset"] in kept["datasets"]
            and row["measure"] in kept["measures"]
            and row["clusterer"] in kept["clusterers"]
            for kept in (asked, of_controls)
        )
    ]
    assert len(expected) == 3 * len({row["metric"] for row in expected}) * (2 + len(CONTROLS))
    assert rows_of(fresh.result("scores/demo.csv")) == expected
    assert (fresh.folder / "results/distances").exists() == (cores == 1)


def test_more_trials_keep_those_that_are_there(copied: Project) -> None:
    before = rows_of(copied.result("scores/demo.csv"))
    experiment = copied.read("experiments/demo.yaml")
    experiment["trials"]["quick"] = 6
    # The others would be extended in the same way; these measures share their jobs.
    experiment["parts"][0] |= {"datasets": ["tiny_other"], "measures": ["yy", "kl_ll"]}
    copied.write("experiments/demo.yaml", experiment)
    waiting = copied.pending("results/scores/demo.csv")
    assert waiting
    assert not [name for name in waiting if "t000-002" in name]
    copied.run("results/scores/demo.csv")
    after = rows_of(copied.result("scores/demo.csv"))
    kept = [row for row in before if row["dataset"] == "tiny_other" and row["measure"] in ("yy", "kl_ll", *CONTROLS)]
    assert [row for row in after if int(row["trial"]) < 3] == kept
    assert {int(row["trial"]) for row in after} == set(range(6))


MEASURE = '''"""A measure made for a test: the difference of the lengths."""

import numpy as np

from .registry import Measure, MeasureInput


def length_gap(evidence: MeasureInput) -> np.ndarray:
    lengths = evidence.sequences.lengths.astype(float)
    return np.abs(lengths[:, None] - lengths)


MEASURES = (Measure(name="length_gap", label="length gap", source="none", function=length_gap, requires="sequences"),)
'''


LINE = '{"name": "length_gap", "module": "length_gap", "label": "length gap"}\n'


def with_a_new_measure(project: Project) -> None:
    """A file, a line in the table of measures, and its name in the experiment."""
    folder = project.copy_source() / "kinseq/measures"
    (folder / "length_gap.py").write_text(MEASURE)
    (folder / "measures.jsonl").write_text((folder / "measures.jsonl").read_text() + LINE)
    assert project.pending() == []
    experiment = project.read("experiments/demo.yaml")
    experiment["parts"][0]["measures"].append("length_gap")
    project.write("experiments/demo.yaml", experiment)


def test_a_new_measure_is_one_file_with_one_line_and_reruns_nothing(copied: Project) -> None:
    """That it can be run is tested with the one of the tutorial, in test_readme.py."""
    with_a_new_measure(copied)
    waiting = copied.pending("results/scores/demo.csv")
    assert {name for name in waiting if "/partitions/" in name or "/distances/" in name}
    results = ("results/scores/demo.csv", "results/timings/demo.csv")
    assert not [name for name in waiting if "length_gap" not in name and name not in results]


@pytest.mark.slow
def test_a_new_measure_changes_no_other_score(copied: Project) -> None:
    before = rows_of(copied.result("scores/demo.csv"))
    with_a_new_measure(copied)
    copied.run("results/scores/demo.csv")
    after = rows_of(copied.result("scores/demo.csv"))
    assert [row for row in after if row["measure"] != "length_gap"] == before
    assert [row for row in after if row["measure"] == "length_gap"]


@pytest.mark.parametrize(
    "file, reruns, leaves",
    [
        ("src/kinseq/measures/kl_ll.py", ["/yy+kl_ll/"], ["/dtw/", "/models/", "/loglik/", "/sequences/"]),
        # Which fingerprints an edit changes is tested file by file in tests/kinseq/core/test_foundation.py.
        pytest.param(
            "src/kinseq/measures/dtw.py",
            ["/dtw/"],
            ["/yy+kl_ll/", "/models/", "/loglik/", "/sequences/"],
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "src/kinseq/clustering/agglomerative.py",
            ["/partitions/"],
            ["/models/", "/loglik/", "/sequences/"],
            marks=pytest.mark.slow,
        ),
        ("workflow/kinseq_documents/data/mohmm.py", ["/sequences/", "/models/", "/loglik/", "/partitions/"], []),
        ("workflow/kinseq_documents/rendering/tables.py", ["tables/"], ["/partitions/", "/scores/", "/models/"]),
    ],
)
def test_an_edit_reruns_what_depends_on_it(copied: Project, file: str, reruns: list[str], leaves: list[str]) -> None:
    if file.startswith("src/"):
        copied.copy_source()
    path = copied.folder / file
    path.write_text(path.read_text() + "\n\nEDITED = True\n")
    waiting = copied.pending()
    for part in reruns:
        assert [name for name in waiting if part in name], (part, waiting)
    for part in leaves:
        assert not [name for name in waiting if part in name], (part, waiting)


@pytest.mark.slow
def test_data_that_appear_later_fill_their_rows_and_rerun_nothing_else(copied: Project) -> None:
    for speaker in ("anna", "ben"):
        for k in range(3):
            path = copied.folder / "mirror/lost" / speaker / f"{k}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(f"{(t * (k + 2)) % 7} {t % 3 + (speaker == 'ben')}\n" for t in range(8 + k)))
    mirror = str(copied.folder / "mirror")
    planned = copied.planned(copied.run("--summary", KINSEQ_DATA=mirror))
    heavy = [name for name in planned if name.endswith(".npz")]
    assert heavy
    assert not [name for name in heavy if "/lost/" not in name]
    copied.run(KINSEQ_DATA=mirror)
    assert "data not available" not in copied.result("tables/demo.md").decode()
    assert {row["task"] for row in rows_of(copied.result("scores/demo.csv")) if row["dataset"] == "lost"} == {
        "anna-ben"
    }


def test_curves_give_figures_and_figures_are_the_same_every_time(copied: Project) -> None:
    experiment: dict[str, Any] = copied.read("experiments/demo.yaml")
    experiment["render"] = {
        "kind": "curves",
        "x_label": "Mean length (frames)",
        "panels": ["hierarchical"],
        "lines": ["yy"],
        "controls": ["true_labels", "random_labels"],
    }
    copied.write("experiments/demo.yaml", experiment)
    copied.run("results/figures/demo.svg")
    first = copied.result("figures/demo.svg")
    assert copied.result("figures/demo.png").startswith(b"\x89PNG")
    assert copied.result("figures/demo.pdf").startswith(b"%PDF")
    copied.run("--forcerun", "figures", "--", "results/figures/demo.svg")
    assert copied.result("figures/demo.svg") == first


@pytest.mark.slow
def test_drawings_made_by_one_job_are_those_made_alone(small: Project) -> None:
    entry = {"kind": "drawing", "title": "Moments", "chapter": "chapter0", "sources": [], "drawing": "equal_moments"}
    small.write("experiments/alone.yaml", {**entry, "id": "alone"})
    # Printed numbers belong to one of the drawings of a job.
    (small.config / "published" / "alone.csv").write_text("row,value,place\nentropy,1.4,text\n")
    small.run("alone")
    alone = [small.result(f"figures/alone.{end}") for end in ("npz", "svg", "png", "pdf")]
    small.write("experiments/beside.yaml", {**entry, "id": "beside", "drawing": "em_optima"})
    small.write("experiments/words.yaml", {**entry, "id": "words", "drawing": "symbols"})
    outcome = small.run("alone", "beside", "words")
    assert "Drawing alone, beside" in outcome.text
    # Text is a table and not a picture of one.
    assert "| Symbol | Meaning |" in small.result("tables/words.md").decode()
    assert not (small.folder / "results/figures/words.svg").exists()
    assert [small.result(f"figures/alone.{end}") for end in ("npz", "svg", "png", "pdf")] == alone
    with np.load(io.BytesIO(small.result("figures/beside.npz"))) as arrays:
        assert "loglik" in arrays
        assert "printed_row" not in arrays
    assert small.pending("alone", "beside") == []

    # Each figure of the report has its name, and the caption has the titles of the whole job.
    small.change("experiments/beside.yaml", title="Optima")
    small.run("alone", "beside", "--report", "report.html")
    page = (small.folder / "report.html").read_text()
    for word in ("alone.svg", "beside.svg", "Moments", "Optima"):
        assert word in page


def test_the_front_page_leads_to_what_a_run_left(finished: Project) -> None:
    page = finished.result("index.html").decode()
    assert page.count('<article id="demo">') == 1
    links = set(re.findall(r'href="([^"#]+)', page))
    assert links >= {"tables/demo.html", "scores/demo.csv", "fidelity.html"}
    for link in links:
        assert (finished.folder / "results" / link).is_file(), link
    assert "<b>lost recordings</b>: the recordings are lost" in page
    assert "processor time" in page


def test_the_report_shows_tables_and_fidelity(copied: Project) -> None:
    copied.run("--report", "report.html")
    page = (copied.folder / "report.html").read_text(encoding="utf-8")
    for word in ("Fidelity", "Tables", "demo.html"):
        assert word in page
    # Tables of all trials are left out: they grow with the number of trials, to tens of megabytes at the scale of the thesis.
    assert '"results/tables/demo.html": {"name"' in page
    assert '"results/scores/demo.csv": {"name"' not in page


def test_the_workflow_is_a_module_of_another_one_and_another_seed_gives_other_scores(
    finished: Project, tmp_path: Path
) -> None:
    shutil.copytree(finished.config, tmp_path / "settings")
    experiment = {**EXPERIMENT, "trials": {"quick": 2, "thesis": 2}}
    experiment["parts"] = [
        {**EXPERIMENT["parts"][0], "datasets": ["tiny"], "measures": ["yy"], "clusterers": ["hierarchical"]}
    ]
    host = object.__new__(Project)
    host.folder, host.config = tmp_path, tmp_path / "settings"
    host.write("experiments/demo.yaml", experiment)
    (tmp_path / "Snakefile").write_text(
        f"""
module kinseq:
    snakefile: "{finished.folder}/workflow/Snakefile"
    config: {{"config_dir": "{host.config}", "seed": 2}}


use rule * from kinseq as kinseq_*


rule mine:
    default_target: True
    input: "results/scores/demo.csv"
    output: "mine.txt"
    shell: "wc -l < {{input}} > {{output}}"
"""
    )
    host.run(PYTHONPATH=str(finished.source))
    assert int((tmp_path / "mine.txt").read_text()) > 10

    def values(project: Project) -> list[str]:
        return [
            row["value"]
            for row in rows_of(project.result("scores/demo.csv"))
            if (row["dataset"], row["measure"], row["clusterer"], row["metric"])
            == ("tiny", "yy", "hierarchical", "ari")
            and int(row["trial"]) < 2
        ]

    assert len(values(host)) == len(values(finished)) == 4
    assert values(host) != values(finished)


def test_a_document_is_published_and_marked_stale(copied: Project, recorded: Recorded) -> None:
    published = copied.config / "published" / "demo.csv"
    header = (
        "document,item,row,column,dataset,model,measure,clusterer,metric,value,std,n_runs,unit,place,errata,note,x\n"
    )
    published.write_text(f"{header}T,fig2_1,15,YY,tiny,hmm2,yy,spectral,error,20,1,9,percent,T Figure 2.1,,,15\n")
    (copied.config / "causes.yaml").write_text("[]\n")

    def publish() -> str:
        command = [sys.executable, "workflow/publish.py", "--document", "T"]
        done = subprocess.run(
            command, cwd=copied.folder, env=copied.environment(), capture_output=True, text=True, check=False
        )
        return f"{done.stdout}{done.stderr}"

    assert "results/documents/T.json is not there; make thesis DOCUMENT=T leaves it" in publish()
    assert not (copied.folder / "docs").exists()
    copied.run("T")
    recorded.within(publish())
    folder = copied.folder / "docs" / "results" / "documents"
    page = (folder / "T" / "demo.md").read_text(encoding="utf-8")
    assert "too few runs" in page
    recorded.within(page)
    (record,) = json.loads((copied.folder / "results" / "documents" / "T.json").read_text(encoding="utf-8"))
    digest = hashlib.sha256(copied.result("scores/demo.csv")).hexdigest()
    assert record["scores"] == {"scores/demo.csv": digest}
    assert f"results/scores/demo.csv,{digest}," in (folder / "manifest.csv").read_text(encoding="utf-8")
    copied.change("experiments/demo.yaml", trials={"quick": 4, "thesis": 5})
    recorded.within(publish())
    assert "**Stale" in (folder / "index.md").read_text(encoding="utf-8")
