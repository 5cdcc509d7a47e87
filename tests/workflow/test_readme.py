"""The examples of the README are complete: they are cut out of it and run."""

from __future__ import annotations

import csv
import io
import re

import yaml

from .project import ROOT, Project

README = (ROOT / "README.md").read_text(encoding="utf-8")


def examples() -> dict[str, str]:
    """Code blocks that say in their first line which file they are, by that path."""
    blocks = re.findall(r"^```\w+\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)
    named = {}
    for block in blocks:
        first, _, rest = block.partition("\n")
        if first.startswith("# ") and "/" in first:
            named[first.removeprefix("# ").strip()] = rest
    return named


def test_a_measure_a_data_set_and_an_experiment_as_the_readme_adds_them(small: Project) -> None:
    found = examples()
    assert set(found) == {
        "workflow/kinseq/measures/length_gap.py",
        "workflow/kinseq/data/noise.py",
        "workflow/kinseq/evaluation/homogeneity.py",
        "config/datasets.yaml",
        "config/experiments/noise_demo.yaml",
    }
    for path in found:
        if path.endswith(".py"):
            (small.folder / path).write_text(found[path])
    small.change("datasets.yaml", **yaml.safe_load(found["config/datasets.yaml"]))
    (small.config / "experiments/noise_demo.yaml").write_text(found["config/experiments/noise_demo.yaml"])
    small.run("noise_demo")
    rows = list(csv.DictReader(io.StringIO(small.result("scores/noise_demo.csv").decode())))
    errors = {row["measure"]: float(row["value"]) for row in rows if row["metric"] == "error"}
    assert set(errors) == {"length_gap", "yy", "true_labels", "random_labels"}
    assert {row["metric"] for row in rows} >= {"error", "homogeneity"}
    assert not {"ari", "nmi"} & {row["metric"] for row in rows}
    homogeneous = {row["value"] for row in rows if (row["measure"], row["metric"]) == ("true_labels", "homogeneity")}
    assert homogeneous == {"1.0"}
    assert "length gap" in small.result("tables/noise_demo.md").decode()


def test_the_python_example_runs() -> None:
    code = next(
        b for b in re.findall(r"^```python\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL) if "import kinseq" in b
    )
    names: dict[str, object] = {}
    exec(code, names)
    assert names["error"] == 0
    assert list(names["labels"]) == [0] * 10 + [1] * 10  # type: ignore[call-overload]


def test_every_target_of_the_readme_exists_and_every_experiment_is_listed() -> None:
    table = README.split("<!-- targets: begin -->")[1].split("<!-- targets: end -->")[0]
    targets = set(re.findall(r"^\|[^|]*\| `(\w+)` \|", table, flags=re.MULTILINE))
    assert targets == {path.stem for path in (ROOT / "config/experiments").glob("*.yaml")}
