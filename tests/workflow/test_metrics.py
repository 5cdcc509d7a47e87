"""Jobs that requesting another metric runs again."""

from __future__ import annotations

import csv
import io

from .project import Project


def test_a_new_metric_reruns_the_scores_and_nothing_before_them(copied: Project) -> None:
    experiment = copied.read("experiments/demo.yaml")
    before = copied.result("scores/demo.csv").decode().splitlines()
    copied.change("experiments/demo.yaml", **{**experiment, "metrics": ["error", "ari", "nmi", "purity"]})
    waiting = copied.pending()
    assert "results/scores/demo.csv" in waiting
    made_before = ("results/sequences", "results/models", "results/loglik", "results/distances", "results/partitions")
    assert not [path for path in waiting if path.startswith(made_before)]
    copied.run("results/scores/demo.csv")
    after = copied.result("scores/demo.csv").decode().splitlines()
    assert [line for line in after if ",purity," not in line] == before
    purities = [
        float(row["value"]) for row in csv.DictReader(io.StringIO("\n".join(after))) if row["metric"] == "purity"
    ]
    assert len(purities) == sum(",error," in line for line in before)
    assert all(0.0 < value <= 1.0 for value in purities)
