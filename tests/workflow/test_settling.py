"""Further trials of what is undecided: of which cells, added to what is there, and kept by later runs."""

from __future__ import annotations

import subprocess

import pandas as pd
import pytest
import yaml

from tests.sentences import Recorded

from .project import Project

HEADER = "document,item,row,column,dataset,model,measure,clusterer,metric,value,std,n_runs,unit,place,errata,note,x\n"
CLAIM = {
    "id": "alike",
    "sentence": "Both measures have about the same error.",
    "source": {"document": "T", "item": "fig2_1"},
    "where": {"clusterer": "spectral"},
    "test": {"kind": "lower", "a": "yy", "b": "dtw"},
}


def settle(project: Project, *words: str) -> str:
    """Call make settle in a project, and return what it prints."""
    done = subprocess.run(
        project.make("settle", "SCALE=quick", *words),
        cwd=project.folder,
        env=project.environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout + done.stderr


@pytest.mark.xdist_group("settling")
def test_further_trials_are_run_of_what_is_undecided_and_of_nothing_else(fresh: Project, recorded: Recorded) -> None:
    experiment = fresh.read("experiments/demo.yaml")
    part = {**experiment["parts"][0], "datasets": ["tiny_other", "lost"], "measures": ["yy", "dtw"]}
    scales = {scale: {"batch": {"trials": 25, "models": 4, "measures": 2}} for scale in ("quick", "thesis")}
    fresh.change("config.yaml", scales=scales)
    fresh.write(
        "experiments/demo.yaml",
        {**experiment, "trials": {"quick": 5, "thesis": 5}, "parts": [part], "claims": [CLAIM]},
    )
    fresh.run("results/undecided.csv")
    scores = pd.read_csv(fresh.folder / "results/scores/demo.csv", keep_default_na=False)
    of_dtw = scores[(scores["measure"] == "dtw") & (scores["clusterer"] == "spectral") & (scores["metric"] == "error")]
    # Print gives the mean that five trials have here, so that these cannot tell.
    value = round(of_dtw["value"].mean(), 2)
    line = f"T,fig2_1,20,DTW,tiny_other,none,dtw,spectral,error,{value},,,percent,T Figure 2.1,,,20\n"
    (fresh.config / "published" / "demo.csv").write_text(HEADER + line)
    fresh.run()
    before = {path: path.stat().st_mtime_ns for path in (fresh.folder / "results" / "partitions").rglob("*.npz")}
    text = settle(fresh, "BUDGET=20")
    recorded.within(text)
    further = yaml.safe_load((fresh.folder / "results/further.yaml").read_text(encoding="utf-8"))
    assert further["scale"] == "quick"
    assert all(entry["until"] in (20, 50, 100) for entry in further["further"]["demo"])
    scores = pd.read_csv(fresh.folder / "results/scores/demo.csv", keep_default_na=False)
    errors = scores[(scores["metric"] == "error") & (scores["dataset"] == "tiny_other")]
    trials = errors.groupby(["measure", "clusterer"])["trial"].nunique()
    assert trials["dtw", "spectral"] >= 20
    assert trials["yy", "hierarchical"] == trials["dtw", "hierarchical"] == 5
    assert not errors.duplicated(["measure", "clusterer", "model", "task", "trial", "x"]).any()
    assert all(path.stat().st_mtime_ns == time for path, time in before.items())
    fidelity = pd.read_csv(fresh.folder / "results/fidelity.csv", keep_default_na=False)
    cell = fidelity[(fidelity["kind"] == "cell") & (fidelity["measure"] == "dtw")].iloc[0]
    assert int(cell["n"]) == trials["dtw", "spectral"]

    assert fresh.pending() == fresh.pending("results/undecided.csv") == []


def test_a_list_that_is_none_is_refused(fresh: Project, recorded: Recorded) -> None:
    file = fresh.folder / "results" / "further.yaml"
    file.parent.mkdir()
    file.write_text("scale: quick\nfurther: {demo: [{dataset: tiny, until: 30}]}\n", encoding="utf-8")
    outcome = fresh.snakemake("-n")
    assert outcome.status != 0
    recorded.within(outcome.text)
    file.write_text("scale: thesis\nfurther: {}\n", encoding="utf-8")
    assert fresh.snakemake("-n").status == 0
