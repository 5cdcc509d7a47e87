"""Compiled functions are cached, in a folder that can be written, and never stale."""

import ast
import importlib.util
import os
import shutil
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import numba
import pytest

import kinseq
from kinseq.core import compiled as compiling
from kinseq.core.progress import COMPILING

SCRIPT = """
import numpy as np
from kinseq.models.hmm.packing import pack
from kinseq.models.hmm.simd import LANES
x, lengths = np.empty((5, 1, LANES)), np.empty(LANES)
members = np.array([0, 1] + [-1] * (LANES - 2))
pack(np.arange(9.0)[:, None], np.array([0, 4, 9]), members, 0, 5, x, lengths)
assert x[:, 0, 1].tolist() == [4, 5, 6, 7, 8] and lengths[:3].tolist() == [4, 5, 0]
print(sum(pack.stats.cache_hits.values()), pack.stats.cache_path)
"""


@pytest.fixture
def copy(tmp_path):
    """The library in a folder of its own, next to an empty home."""
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
from kinseq.core.compiled import {how}

SCALE = {scale}

@{how}{called}
def shifted(x):
    return x + {shift}
"""
KERNEL = """
from kinseq.core.compiled import compiled
from .probe_part import SCALE, shifted

@compiled()
def probe(x):
    return SCALE * shifted(x)
"""


@pytest.mark.parametrize("how", ["part", pytest.param("compiled", marks=pytest.mark.slow)])
def test_an_edit_of_another_file_is_compiled_into_the_functions_that_use_it(copy, tmp_path, how):
    """Numba by itself looks at the file of the function only, and would go on with the machine code it has."""
    folder = copy / "kinseq/divergences"
    (folder / "probe.py").write_text(KERNEL)
    script = (
        "from kinseq.divergences.probe import probe\n"
        "print(probe(1.0), sum(probe.stats.cache_hits.values()), probe.stats.cache_path)"
    )

    def result_and_hits(scale, shift):
        called = "()" if how == "compiled" else ""
        (folder / "probe_part.py").write_text(PART.format(scale=scale, shift=shift, how=how, called=called))
        result, hits, path = run(copy, tmp_path / "home", script).split()
        assert Path(path).parents[1] == copy / "kinseq/__pycache__"
        return float(result), int(hits)

    assert result_and_hits(2.0, 1.0) == (4.0, 0)
    assert result_and_hits(2.0, 1.0) == (4.0, 1), "an unchanged function comes from the cache"
    assert result_and_hits(2.0, 2.0) == (6.0, 0), "a part is stale"
    assert result_and_hits(3.0, 2.0) == (9.0, 0), "a constant is stale"


def test_nothing_is_cached_but_in_the_folder_of_the_digest():
    for path in Path(kinseq.__file__).parents[1].rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            cached = isinstance(node, ast.keyword) and node.arg == "cache" and ast.unparse(node.value) == "True"
            assert not cached or path.name == "compiled.py", (
                f"{path}, line {node.value.lineno}: use kinseq.core.compiled"
            )


MARKS = {"compiled", "part", "inner", "inlined", "intrinsic"}


def foreign(path, package):
    """Names that compiled functions of a file take from files of ours that the digest leaves out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    outside = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").startswith("kinseq")):
            module = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
            source = Path(importlib.util.find_spec(module).origin)
            if not compiling.COMPILES.search(source.read_bytes()):
                outside |= {alias.asname or alias.name: module for alias in node.names}
    found = set()
    for node in ast.walk(tree):
        marks = {ast.unparse(mark).partition("(")[0] for mark in getattr(node, "decorator_list", ())}
        if isinstance(node, ast.FunctionDef) and marks & MARKS:
            names = {part.id for line in node.body for part in ast.walk(line) if isinstance(part, ast.Name)}
            found |= {f"{node.name}: {name} of {outside[name]}" for name in names & set(outside)}
    return found


def test_compiled_functions_use_nothing_that_the_digest_leaves_out(tmp_path):
    root = Path(kinseq.__file__).parents[1]
    seen = 0
    for path in sorted(root.rglob("*.py")):
        if compiling.COMPILES.search(path.read_bytes()):
            seen += 1
            package = ".".join(path.relative_to(root).parent.parts)
            assert not foreign(path, package), (
                f"{path}: add the file to those that the digest covers, or move what is used"
            )
    assert seen > 25
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        "from kinseq.core.compiled import compiled\nfrom kinseq.core.epochs import x\n@compiled()\ndef f():\n    return x\n"
    )
    assert foreign(wrong, "kinseq.core") == {"f: x of kinseq.core.epochs"}


@pytest.fixture
def chosen(tmp_path, monkeypatch):
    """A cache folder that the user chose."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    compiling.cache_folder.cache_clear()
    yield tmp_path
    compiling.cache_folder.cache_clear()


def twice(x):
    return 2 * x


def test_the_cache_lies_in_the_folder_that_the_user_chose_and_leaves_it_chosen(chosen):
    function = compiling.compiled()(twice)
    assert function(2) == 4
    folder = Path(function.stats.cache_path).parent
    assert (folder.parent, folder.name.partition("-")[0]) == (chosen, "numba")
    assert list(chosen.rglob("*.nbi"))
    assert str(chosen) == numba.config.CACHE_DIR


def test_without_a_folder_that_can_be_written_functions_are_compiled_and_not_cached(chosen, monkeypatch):
    monkeypatch.setattr(compiling, "cache_folder", cache(lambda package: None))
    function = compiling.compiled()(twice)
    assert function(2) == 4
    assert function.stats.cache_path is None


def test_old_folders_go_when_a_new_one_begins_but_neither_recent_ones_nor_other_files(chosen):
    now = time.time()

    def folder(name, days):
        (chosen / name).mkdir()
        (chosen / name / "code.nbc").touch()
        os.utime(chosen / name, (now - 86400 * days,) * 2)
        return name

    recent = [folder(f"numba-{i:016x}", 0.5) for i in range(3)]
    old = [folder(f"numba-{i + 16:016x}", i + 2) for i in range(4)]
    others = [folder("numba-mine", 100), folder("kinseq", 100)]
    used = compiling.cache_folder("kinseq").name
    assert sorted(path.name for path in chosen.iterdir()) == sorted([*recent, old[0], *others, used])


def test_a_folder_in_use_counts_as_new(chosen):
    used = compiling.cache_folder("kinseq")
    os.utime(used, (0, 0))
    compiling.cache_folder.cache_clear()
    assert compiling.cache_folder("kinseq") == used
    assert used.stat().st_mtime > time.time() - 3600


@pytest.mark.slow
def test_cache_of_a_package_that_cannot_be_written(copy, tmp_path):
    # A file in place of the cache folder imitates a read-only package, even for a privileged user.
    (copy / "kinseq/__pycache__").touch()
    hits, path = run(copy, tmp_path / "home", SCRIPT).split()
    assert hits == "0"
    assert path.startswith(str(tmp_path / "home/.cache/kinseq/numba-"))
    assert run(copy, tmp_path / "home", SCRIPT).split() == ["1", path]
    (tmp_path / "file").touch()
    assert run(copy, tmp_path / "file", SCRIPT).split() == ["0", "None"]


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
    assert {errors.replace(f"{COMPILING}\n", "") for _, errors in at_once} == {""}
    assert at_once[0][0] == at_once[1][0] == later[0] != ""


def test_compiling_is_told_once_and_not_where_there_is_nothing_to_compile(copy, tmp_path):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "XDG_"))}
    environment = {**kept, "HOME": str(tmp_path / "home"), "PYTHONPATH": str(copy)}
    told = []
    for _ in range(2):
        found = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True
        )
        told.append(found.stderr.count(COMPILING))
    assert told == [1, 0]
