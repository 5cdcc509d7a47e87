"""The compiled kernels are cached, in a folder that can be written, and never stale."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import kinseq
from kinseq.models.hmm import jit, packing

SCRIPT = """
import numpy as np
from kinseq.models.hmm.packing import pack
from kinseq.models.hmm.lanes import LANES
x, lengths = np.empty((5, 1, LANES)), np.empty(LANES)
members = np.array([0, 1] + [-1] * (LANES - 2))
pack(np.arange(9.0)[:, None], np.array([0, 4, 9]), members, 0, 5, x, lengths)
assert x[:, 0, 1].tolist() == [4, 5, 6, 7, 8] and lengths[:3].tolist() == [4, 5, 0]
print(sum(pack.stats.cache_hits.values()), pack.stats.cache_path)
"""


@pytest.fixture
def copy(tmp_path):
    """The library in a folder of its own, beside an empty home."""
    root = tmp_path / "library"
    shutil.copytree(Path(kinseq.__file__).parent, root / "kinseq", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "home").mkdir()
    return root


def run(root, home, script):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "XDG_"))}
    environment = {**kept, "HOME": str(home), "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    found = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    return found.stdout


PART = """
from {module} import {part}

SCALE = {scale}

{part_mark}
def shifted(x):
    return x + {shift}
"""
KERNEL = """
from {module} import {kernel}
from .probe_part import SCALE, shifted

{kernel_mark}
def probe(x):
    return SCALE * shifted(x)
"""
WAYS = {
    "models/hmm": {"module": ".jit", "part": "part", "part_mark": "@part", "kernel": "kernel", "kernel_mark": "@kernel"},
    "divergences": {
        "module": "..core.compiled", "part": "compiled", "part_mark": "@compiled()",
        "kernel": "compiled", "kernel_mark": "@compiled()",
    },
}  # fmt: skip


@pytest.mark.parametrize("place", sorted(WAYS))
def test_an_edit_of_another_file_is_compiled_into_the_functions_that_use_it(copy, tmp_path, place):
    """Numba by itself looks at the file of the function only, and would go on with the machine code it has."""
    folder = copy / "kinseq" / place
    (folder / "probe.py").write_text(KERNEL.format(**WAYS[place]))
    script = (
        f"from kinseq.{place.replace('/', '.')}.probe import probe\n"
        "print(probe(1.0), sum(probe.stats.cache_hits.values()), probe.stats.cache_path)"
    )

    def result_and_hits(scale, shift):
        (folder / "probe_part.py").write_text(PART.format(scale=scale, shift=shift, **WAYS[place]))
        result, hits, path = run(copy, tmp_path / "home", script).split()
        assert path == str(folder / "__pycache__")
        return float(result), int(hits)

    assert result_and_hits(2.0, 1.0) == (4.0, 0)
    assert result_and_hits(2.0, 1.0) == (4.0, 1), "an unchanged function comes from the cache"
    assert result_and_hits(2.0, 2.0) == (6.0, 0), "a part is stale"
    assert result_and_hits(3.0, 2.0) == (9.0, 0), "a constant is stale"


def test_nothing_is_cached_without_a_stamp():
    for path in Path(kinseq.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            cached = isinstance(node, ast.keyword) and node.arg == "cache" and ast.unparse(node.value) == "True"
            assert not cached or path.name == "compiled.py", (
                f"{path}, line {node.value.lineno}: use kinseq.core.compiled"
            )


@pytest.mark.slow
def test_cache_of_a_package_that_cannot_be_written(copy, tmp_path):
    # A file where the cache folder would be stands in for a read-only package: that stops a privileged user too.
    (copy / "kinseq/models/hmm/__pycache__").touch()
    hits, path = run(copy, tmp_path / "home", SCRIPT).split()
    assert hits == "0"
    assert path.startswith(str(tmp_path / "home"))
    assert run(copy, tmp_path / "home", SCRIPT).split() == ["1", path]
    (tmp_path / "file").touch()
    assert run(copy, tmp_path / "file", SCRIPT).split() == ["0", "None"]


def test_stamp_covers_every_file_of_the_package():
    folder = Path(jit.__file__).parent
    assert packing.pack._cache._cache_file._source_stamp == jit._digest_of_sources()
    assert len(list(folder.glob("*.py"))) > 10


@pytest.mark.slow
def test_import_is_light():
    code = "import sys, kinseq.models.hmm as h; h.fit_bank, h.HMMBank, h.induced_transitions; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env={
        **os.environ, "PYTHONPATH": str(Path(kinseq.__file__).parents[1]),
    })  # fmt: skip
    assert not {"sklearn", "pandas", "librosa", "matplotlib", "aeon"} & set(found.stdout.split())


@pytest.mark.slow
def test_two_processes_may_compile_at_once(copy, tmp_path):
    script = """
import numpy as np
from kinseq.models.hmm import fit_bank, log_likelihood
rng = np.random.default_rng(0)
data = [rng.normal(size=(n, 2)) for n in range(8, 28)]
print(log_likelihood(fit_bank(data, 2, max_iter=5), data).tobytes().hex())
"""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "XDG_"))}
    environment = {**kept, "HOME": str(tmp_path / "home"), "PYTHONPATH": str(copy), "OMP_NUM_THREADS": "1"}

    def start():
        command = [sys.executable, "-c", script]
        return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    at_once = [process.communicate() for process in [start(), start()]]
    later = start().communicate()
    assert [errors for _, errors in at_once] == ["", ""]
    assert at_once[0][0] == at_once[1][0] == later[0] != ""
