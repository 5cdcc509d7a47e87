"""The examples of CONTRIBUTING.md are complete: they are cut out of it, put into a copy of the library and run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ..copies import copy_library

ROOT = Path(__file__).resolve().parents[2]
FILES = {
    "src/kinseq/measures/mean_difference.py",
    "src/kinseq/clustering/by_length.py",
    "src/kinseq/models/kinds/spherical.py",
    "src/kinseq/features/loudness.py",
}
SCRIPT = """
import sys
from pathlib import Path

sys.path.insert(0, str(Path.cwd()))

import kinseq
import numpy as np
import soundfile
from kinseq.models.hmm import log_likelihood
from kinseq.models.kinds import registry as kinds
from scipy.stats import multivariate_normal

assert Path(kinseq.__file__).is_relative_to(Path.cwd())
rng = np.random.default_rng(0)
sets = [rng.normal(3.0 * (i % 2), 1.0 + i, (20 + 5 * (i % 2), 2)) for i in range(6)]

means = np.array([x.mean(axis=0) for x in sets])
expected = np.linalg.norm(means[:, None] - means, axis=2)
np.testing.assert_allclose(kinseq.measures.compute("mean_difference", sets), expected)

labels = kinseq.SequenceClustering(clusterer="by_length", n_clusters=2).fit_predict(sets)
assert labels.tolist() == [0, 1, 0, 1, 0, 1]

kinds.check_entry("ball", {"kind": "spherical", "floor": 0.1})
bank = kinds.get("spherical").fit(sets)
density = multivariate_normal(means[1], sets[1].var(axis=0).mean())
np.testing.assert_allclose(log_likelihood(bank, sets)[1, 4], density.logpdf(sets[4]).sum())
DISTANCE
assert distance.shape == (6, 6) and distance.any()

Path("recordings").mkdir()
for i in range(6):
    time = np.arange(8000) / 8000
    soundfile.write(f"recordings/{i}.wav", 0.5 * np.sin(440 * time) * np.sin((3 + 40 * (i % 2)) * time), 8000)
FOUND
assert found.sequences.n_features == 1
assert found.sequences.lengths.tolist() == [20] * 6
"""


def test_the_examples_of_contributing(tmp_path: Path) -> None:
    pytest.importorskip("soundfile")
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    files, calls = {}, {}
    for block in re.findall(r"^```python\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL):
        first, _, rest = block.partition("\n")
        if first.startswith(("# src/", "# workflow/")):
            files[first.removeprefix("# ")] = rest
        else:
            calls[first.partition(" ")[0]] = block
    assert set(files) >= FILES
    copy_library(tmp_path)
    shutil.copytree(ROOT / "workflow" / "kinseq_documents", tmp_path / "workflow" / "kinseq_documents")
    for path in FILES:
        (tmp_path / path.removeprefix("src/")).write_text(files[path], encoding="utf-8")
    # As make pages writes them.
    write = "import sys; sys.path.insert(0, '.'); from kinseq_documents import registry_tables; registry_tables.write()"
    env = {**os.environ, "PYTHONPATH": str(tmp_path / "workflow")}
    subprocess.run([sys.executable, "-c", write], cwd=tmp_path, env=env, check=True)
    script = SCRIPT.replace("DISTANCE", calls["distance"]).replace("FOUND", calls["found"])
    command = [sys.executable, "-W", "ignore", "-c", script]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
