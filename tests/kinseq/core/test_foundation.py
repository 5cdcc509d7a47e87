"""Floors 0 and 1: seeds, arrays, sequences, tasks, files, fingerprints, progress, jobs."""

from __future__ import annotations

import ast
import functools
import importlib
import io
import os
import pydoc
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kinseq
from kinseq.clustering import registry as clusterers
from kinseq.core.arrays import as_count, as_distance, as_frames
from kinseq.core.content_cache import ContentCache
from kinseq.core.errors import ConfigError, DataError, KinseqError, ParameterError, unknown_name
from kinseq.core.progress import Progress
from kinseq.core.schema import check, filled
from kinseq.core.seeds import content_key, derive_seed, stream
from kinseq.core.sequences import SequenceSet, as_sequence_set
from kinseq.core.store import read_arrays, replacing, write_arrays, write_text
from kinseq.divergences.nearest import Integral
from kinseq.features.cepstral import CepstralRecipe
from kinseq.features.extraction import AudioFeatures
from kinseq.features.linear_prediction import PredictionRecipe
from kinseq.features.stacked import StackedRecipe
from kinseq.measures import registry as measures
from kinseq.models.hmm.presets import resolve
from kinseq.models.kinds import registry as kinds
from kinseq.sic import CRF, Forest, WordHMMs
from kinseq_documents import fingerprint as prints
from kinseq_documents.data import registry as loaders
from kinseq_documents.jobs import job
from kinseq_documents.tasks import Task, read_sequences, write_sequences
from tests.sentences import Recorded

ROOT = Path(__file__).resolve().parents[3]
SOURCE, WORKFLOW = ROOT / "src", ROOT / "workflow"


# Seeds


def test_last_results_are_found_by_content_and_settings() -> None:
    recent: ContentCache[float] = ContentCache(2)
    made = []

    def total(array: np.ndarray, scale: float = 1.0) -> float:
        def make() -> float:
            made.append(scale * float(array.sum()))
            return made[-1]

        return recent.get((array,), make, scale)

    x = np.arange(3.0)
    assert total(x) == total(x.copy()) == 3.0
    assert made == [3.0]
    # Other settings, another type, another shape: other results.
    assert total(x, 2.0) == 6.0
    assert total(x.astype(np.int64)) == total(x[None]) == 3.0
    assert made == [3.0, 6.0, 3.0, 3.0]
    # The two used last are kept; a repeated request counts as use.
    total(x.astype(np.int64))
    total(x)
    total(x.astype(np.int64))
    assert made == [3.0, 6.0, 3.0, 3.0, 3.0]
    # A changed array is not taken for itself.
    x[0] = 1.0
    assert total(x) == 4.0
    recent.clear()
    assert total(x) == 4.0
    assert made == [3.0, 6.0, 3.0, 3.0, 3.0, 4.0, 4.0]


def test_a_result_that_could_not_be_made_is_not_kept() -> None:
    recent: ContentCache[int] = ContentCache()
    array = np.zeros(2)
    assert recent.get((array,), lambda: 1) == 1
    with pytest.raises(DataError):
        recent.get((array + 1.0,), lambda: as_distance([[np.nan]]) and 0)
    assert recent.get((array + 1.0,), lambda: 2) == 2


def test_seeds_are_fixed_for_good() -> None:
    # Pinned: a change of the derivation would silently change every number of every experiment.
    assert derive_seed(1, "data", "mohmm", 0) == 8438790265335260796
    assert derive_seed(0) == 17563181186795651822


def test_axes_do_not_run_into_each_other() -> None:
    made = [
        derive_seed(1, *axes) for axes in (("a", "bc"), ("ab", "c"), ("abc",), ("a", "b", "c"), (3,), ("3",), (b"3",))
    ]
    assert len(set(made)) == len(made)


def test_streams_of_the_same_name_are_the_same() -> None:
    assert (stream(5, "x").random(4) == stream(5, "x").random(4)).all()
    assert (stream(5, "x").random(4) != stream(6, "x").random(4)).all()


def test_content_keys_follow_values_and_shape() -> None:
    a = np.arange(6.0)
    assert content_key(a.reshape(2, 3)) != content_key(a.reshape(3, 2))
    assert content_key(a.reshape(2, 3)) == content_key(np.asfortranarray(a.reshape(2, 3)))


# Arrays and sequences


@pytest.mark.parametrize(
    "array, words",
    [
        ([1.0, 2.0], ["two dimensions", "x[:, None]"]),
        (np.empty((0, 2)), ["empty", "0 frames"]),
        (np.empty((2, 0)), ["0 features"]),
        ([[1.0, np.nan]], ["NaN", "(0, 1)"]),
        ([[np.inf], [1.0]], ["inf", "(0, 0)"]),
        ([["a"], ["b"]], ["cannot be read as numbers"]),
        ([[1.0, 2.0], [3.0]], ["cannot be read as numbers"]),
        (np.zeros((2, 2, 2)), ["(2, 2, 2)"]),
    ],
)
def test_bad_frames_are_refused_with_their_place(array: object, words: list[str]) -> None:
    with pytest.raises(DataError) as caught:
        as_frames(array, "sequence 'x'")  # type: ignore[arg-type]
    for word in ["sequence 'x'", *words]:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    "matrix, words",
    [
        (np.zeros((2, 3)), ["square"]),
        (np.zeros((0, 0)), ["empty"]),
        ([[0.0, 1.0], [2.0, 0.0]], ["not symmetric", "(0, 1)"]),
        ([[0.0, np.nan], [np.nan, 0.0]], ["NaN"]),
    ],
)
def test_bad_distances_are_refused(matrix: object, words: list[str]) -> None:
    with pytest.raises(DataError) as caught:
        as_distance(matrix)  # type: ignore[arg-type]
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize("value", [0, -1, 1.5, "two", None, True])
def test_counts_are_whole_and_large_enough(value: object) -> None:
    with pytest.raises(ParameterError, match="n_states"):
        as_count(value, "n_states")


def some_sequences() -> SequenceSet:
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=(length, 2)) for length in (3, 1, 5)]
    return SequenceSet.from_arrays(arrays, labels=["a", "b", "a"], ids=["x", "y", "z"], groups=[1, 1, 2])


def test_a_set_gives_back_what_it_was_made_of() -> None:
    made = some_sequences()
    assert len(made) == 3
    assert made.n_features == 2
    assert made.lengths.tolist() == [3, 1, 5]
    assert [len(x) for x in made] == [3, 1, 5]
    assert made[-1].shape == (5, 2)
    with pytest.raises(IndexError):
        made[3]


def test_a_subset_is_the_set_of_the_chosen() -> None:
    made = some_sequences()
    part = made.subset([2, 0])
    assert part.ids.tolist() == ["z", "x"]
    assert part.labels is not None
    assert part.labels.tolist() == ["a", "a"]
    np.testing.assert_array_equal(part[0], made[2])
    np.testing.assert_array_equal(part[1], made[0])
    assert made.subset([0, 1, 2]) is made


def test_other_frames_of_the_same_sequences() -> None:
    """All else stays as it is, and what is not a number is refused as ever."""
    some = SequenceSet.from_arrays(
        [np.ones((2, 1)), np.ones((3, 1))], labels=["a", "b"], groups=[1, 2], ids=["x", "y"], name="set"
    )
    other = some.with_frames(np.arange(8.0).reshape(4, 2), np.array([0, 1, 4]))
    assert [len(frames) for frames in other] == [1, 3]
    assert (other.n_features, other.name, other.ids.tolist()) == (2, "set", ["x", "y"])
    assert other.labels is some.labels
    assert some.with_frames(some.values * 2.0).lengths.tolist() == [2, 3]
    with pytest.raises(DataError, match="'y'"):
        some.with_frames(np.array([[0.0], [1.0], [np.inf], [2.0], [3.0]]))


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"arrays": []}, ["no sequence"]),
        ({"arrays": [np.zeros((2, 1)), np.zeros((2, 2))]}, ["s00001", "2 features", "has 1"]),
        ({"arrays": [np.zeros((2, 1)), np.zeros((0, 1))]}, ["s00001", "empty"]),
        ({"arrays": [np.zeros((2, 1))] * 2, "labels": [1]}, ["labels", "2 sequences"]),
        ({"arrays": [np.zeros((2, 1))] * 2, "ids": ["a", "a"]}, ["'a'", "more than once"]),
        ({"arrays": [np.zeros((2, 1))] * 2, "ids": ["a"]}, ["ids", "2 sequences"]),
        ({"arrays": [np.zeros((2, 1))] * 2, "groups": [1, 2, 3]}, ["groups"]),
        ({"arrays": np.zeros((4, 2))}, ["(4, 2)", "list of (T, d) arrays"]),
    ],
)
def test_bad_sets_are_refused(arguments: dict[str, object], words: list[str]) -> None:
    with pytest.raises(DataError) as caught:
        SequenceSet.from_arrays(**arguments)  # type: ignore[arg-type]
    for word in words:
        assert word in str(caught.value)


def test_nan_names_its_sequence() -> None:
    values = np.zeros((5, 1))
    values[3] = np.nan
    with pytest.raises(DataError, match=r"sequence 's00001'.*NaN.*\(1, 0\)"):
        SequenceSet(values=values, offsets=np.array([0, 2, 5]))


def test_lists_and_stacks_become_sets() -> None:
    assert len(as_sequence_set([np.zeros((2, 1)), np.zeros((3, 1))])) == 2
    assert len(as_sequence_set(np.zeros((4, 3, 1)))) == 4  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "indices, n_clusters, error",
    [
        ([], 1, DataError),
        ([[0, 1]], 1, DataError),
        ([1, 1], 1, DataError),
        ([0, 1], 3, ParameterError),
        ([0], 0, ParameterError),
    ],
)
def test_bad_tasks_are_refused(indices: list[int], n_clusters: int, error: type[Exception], recorded: Recorded) -> None:
    with recorded.raises(error):
        Task("some", np.array(indices, dtype=np.int64), n_clusters)


# Files


def test_sequences_survive_the_file(tmp_path: Path) -> None:
    made = some_sequences()
    tasks = [Task("all", np.arange(3), 2), Task("few", np.array([2, 0]), 1, trial=4, x=2.5)]
    write_sequences(tmp_path / "s.npz", made, tasks)
    again, read = read_sequences(tmp_path / "s.npz")
    np.testing.assert_array_equal(again.values, made.values)
    assert again.ids.tolist() == made.ids.tolist()
    assert again.labels is not None
    assert again.labels.tolist() == ["a", "b", "a"]
    assert again.groups is not None
    assert [(t.name, t.indices.tolist(), t.n_clusters, t.trial) for t in read] == [
        ("all", [0, 1, 2], 2, None),
        ("few", [2, 0], 1, 4),
    ]
    assert np.isnan(read[0].x)
    assert read[1].x == 2.5


def test_a_write_that_fails_half_way_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    write_text(path, "old")

    def write_half() -> None:
        with replacing(path) as temporary:
            temporary.write_text("ne")
            raise RuntimeError("half-way")

    with pytest.raises(RuntimeError, match="half-way"):
        write_half()
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["table.csv"]


def test_a_disk_that_is_full_is_told(tmp_path: Path, recorded: Recorded) -> None:
    with recorded.raises(KinseqError), replacing(tmp_path / "table.csv"):
        raise OSError(28, "No space left on device")
    assert not list(tmp_path.iterdir())


def test_a_file_in_place_of_a_folder_is_told(tmp_path: Path, recorded: Recorded) -> None:
    (tmp_path / "results").write_text("I am a file")
    with recorded.raises(KinseqError):
        write_text(tmp_path / "results" / "table.csv", "x")


def test_files_get_the_usual_permissions(tmp_path: Path) -> None:
    write_text(tmp_path / "a", "x")
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o666 & ~mask


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 truncated", b"not an archive"])
def test_broken_files_are_named(tmp_path: Path, content: bytes, recorded: Recorded) -> None:
    (tmp_path / "x.npz").write_bytes(content)
    with recorded.raises(DataError):
        read_arrays(tmp_path / "x.npz")


def test_truncated_and_missing_files_are_named(tmp_path: Path, recorded: Recorded) -> None:
    write_arrays(tmp_path / "x.npz", {"a": np.arange(1000)})
    whole = (tmp_path / "x.npz").read_bytes()
    (tmp_path / "x.npz").write_bytes(whole[: len(whole) // 2])
    with recorded.raises(DataError):
        read_arrays(tmp_path / "x.npz")
    with recorded.raises(DataError):
        read_arrays(tmp_path / "y.npz")
    with pytest.raises(DataError, match="Python objects"):
        write_arrays(tmp_path / "z.npz", {"a": np.array([None, 1], dtype=object)})


# Fingerprints


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Folder of a package called like this one, empty yet, that fingerprints are taken of."""
    monkeypatch.setattr(prints, "HOMES", {"kinseq": tmp_path})
    prints.forget()
    yield tmp_path / "kinseq"
    prints.forget()


def write_modules(root: Path, sources: dict[str, str]) -> None:
    for name, source in sources.items():
        suffix = ".pyi" if name.endswith(".pyi") else ".py"
        path = root.joinpath(*name.removesuffix(suffix).split(".")).with_suffix(suffix)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
        for folder in path.relative_to(root.parent).parents[:-1]:
            (root.parent / folder / "__init__.py").touch()
    prints.forget()


SOURCES = {
    "errors": "",
    "seeds": "",
    "lazy_ones.__init__": "from ..lazy import attach_stub\na, b, c = attach_stub(__name__, __file__)",
    "lazy_ones.__init__.pyi": "from . import one as one\nfrom .one import f as f\nfrom .two import g as g",
    "lazy_ones.one": "from ..seeds import s",
    "lazy_ones.two": "",
    "eager.__init__": "from .four import y",
    "eager.three": "",
    "eager.four": "from .. import errors",
}


@pytest.mark.parametrize(
    "source, used",
    [
        ("from .errors import KinseqError", "errors"),
        ("from kinseq.errors import KinseqError", "errors"),
        ("import kinseq.errors", "errors"),
        ("from . import errors, seeds as s", "errors seeds"),
        ("def f():\n    from .errors import KinseqError", "errors"),
        ("import os, numpy\nfrom collections import abc", ""),
        ("from .lazy_ones import f", "lazy_ones.one seeds"),
        ("from .lazy_ones import g", "lazy_ones.two"),
        ("from .lazy_ones import one", "lazy_ones.one seeds"),
        ("from .lazy_ones.two import anything", "lazy_ones.two"),
        ("from . import lazy_ones", "lazy_ones.one lazy_ones.two seeds"),
        ("import kinseq.lazy_ones as all_of_them", "lazy_ones.one lazy_ones.two seeds"),
        ("from .lazy_ones import *", "lazy_ones.one lazy_ones.two seeds"),
        ("from .eager.three import x", "eager eager.three eager.four errors"),
        ("if TYPE_CHECKING:\n    from .errors import KinseqError", ""),
        ("if TYPE_CHECKING:\n    from .lazy_ones import f", ""),
        ("if typing.TYPE_CHECKING:\n    from .errors import KinseqError\nelse:\n    from . import seeds", "seeds"),
    ],
)
def test_closures_follow_every_kind_of_import(library: Path, source: str, used: str) -> None:
    write_modules(library, {**SOURCES, "main": source})
    found = set(prints.closure(["kinseq.main"])) - {"kinseq"}
    assert found == {f"kinseq.{name}" for name in ["main", *used.split()]}


@pytest.mark.parametrize(
    "source",
    [
        "import importlib\nimportlib.import_module(name)",
        "from importlib import import_module\ndef f():\n    return import_module('.errors', __package__)",
        "__import__('kinseq.core.errors')",
    ],
)
def test_imports_that_a_fingerprint_cannot_see_are_refused(library: Path, source: str, recorded: Recorded) -> None:
    write_modules(library, {"errors": "", "main": source, "above": "from .main import x"})
    with recorded.raises(ParameterError):
        prints.fingerprint("kinseq.above")


def test_a_lazy_package_without_a_stub_is_refused(library: Path, recorded: Recorded) -> None:
    write_modules(
        library, {"lazy_ones.__init__": "attach_stub(__name__, __file__)", "main": "from .lazy_ones import f"}
    )
    with recorded.raises(ParameterError):
        prints.fingerprint("kinseq.main")


def test_a_fingerprint_changes_with_its_closure_only(library: Path) -> None:
    write_modules(library, {"main": "from . import used", "used": "", "unused": ""})
    before = prints.fingerprint("kinseq.main")
    write_modules(library, {"unused": "x = 1", "new": ""})
    assert prints.fingerprint("kinseq.main") == before
    write_modules(library, {"used": "x = 1"})
    assert prints.fingerprint("kinseq.main") != before


def all_modules() -> list[str]:
    files = [(SOURCE, SOURCE / "kinseq"), (WORKFLOW, WORKFLOW / "kinseq_documents")]
    paths = [path.relative_to(home).with_suffix("") for home, folder in files for path in sorted(folder.rglob("*.py"))]
    return [".".join(path.parts).removesuffix(".__init__") for path in paths]


def test_no_modules_import_in_a_circle() -> None:
    graph = {module: prints.imports(module, typing=True) for module in all_modules()}
    assert sum(map(len, graph.values())) > len(graph) > 100
    list(TopologicalSorter(graph).static_order())  # raises CycleError, which names the circle


def test_every_module_has_a_fingerprint() -> None:
    # An import by a name in a string, or a lazy package with a computed table, would stop here.
    assert len({prints.fingerprint(module) for module in all_modules()}) > 100


def test_lazy_packages_do_nothing_else() -> None:
    """Their text is no part of a fingerprint, so it may not hold anything that a result depends on."""
    found = 0
    for path in SOURCE.rglob("__init__.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if not any(isinstance(node, ast.Name) and node.id == "attach_stub" for node in ast.walk(tree)):
            continue
        found += 1
        for statement in tree.body:
            if isinstance(statement, ast.Assign):
                stored = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
                assert stored <= {"__version__", "__all__", "__getattr__", "__dir__"}, path
            elif isinstance(statement, ast.ImportFrom):
                assert {alias.name for alias in statement.names} == {"attach_stub"}, path
            else:
                assert isinstance(statement, ast.Expr), path
                assert isinstance(statement.value, ast.Constant), path
    assert found > 5


def test_the_package_shows_what_it_promises() -> None:
    assert dir(kinseq) == sorted(kinseq.__all__)
    for name in kinseq.__all__:
        assert getattr(kinseq, name) is not None
    assert callable(kinseq.sic.similarity)
    assert dir(kinseq.hmm) == sorted(kinseq.hmm.__all__)
    told = pydoc.render_doc(kinseq, renderer=pydoc.plaintext)
    # For missing files, help() shows nothing else.
    shown = re.findall(r"^    (?:class )?(\w+)(?:\(| = )", told, flags=re.MULTILINE)
    assert "SequenceClustering" in shown
    assert set(shown) <= {*kinseq.__all__, "__all__"}, shown


def jobs() -> dict[str, list[str]]:
    """Modules whose fingerprint each job of the workflow carries: the stage, and what is registered and asked for."""
    found = {stage: [f"kinseq_documents.stages.{stage}"] for stage in ("loglik", "scores")}
    found["tables"] = ["kinseq_documents.rendering.tables", "kinseq_documents.evaluation.fidelity"]
    for stage, registry in (
        ("sequences", loaders),
        ("models", kinds),
        ("distances", measures),
        ("partitions", clusterers),
    ):
        for name, entry in registry.modules().items():
            found[f"{stage}/{name}"] = [f"kinseq_documents.stages.{stage}", entry.module]
    return found


def needing(*requires: str) -> set[str]:
    return {f"distances/{name}" for name, entry in measures.modules().items() if entry.fields["requires"] in requires}


def rerun(edited: str) -> set[str]:
    """Jobs that an edit of a module runs again."""
    assert edited in all_modules()
    return {name for name, modules in jobs().items() if edited in prints.closure(modules)}


BY_EM = {"models/hmm", "models/gaussian", "models/gmm"}
"""Kinds of models that the EM of the HMMs fits."""
FITTING = {"distances/balanced", "distances/elastic", "distances/fusion", "distances/pooled_dtw", "distances/symbolic"}
"""Measures that fit models of their own."""
WORDS = {"distances/sic", "distances/sic_ova"}
"""Measures that may fit left-to-right models of words."""
FITTERS = ["em_state", "initialisation", "maximisation", "linalg", "presets"]


@pytest.mark.parametrize("module", FITTERS)
def test_an_edit_of_a_fitter_fits_again_and_computes_nothing_else(module: str) -> None:
    # Steps after the fit are rerun through their input, if the models have changed.
    assert rerun(f"kinseq.models.hmm.{module}") == BY_EM | FITTING | WORDS


def test_an_edit_of_the_fit_of_one_model_reruns_what_fits_one_and_that_of_many_what_fits_many() -> None:
    assert rerun("kinseq.models.hmm.training") == BY_EM
    assert rerun("kinseq.models.hmm.shared_model") == {"models/hmm"} | FITTING | WORDS


def test_an_edit_of_a_file_changes_the_fingerprints_of_the_jobs_that_it_reruns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(SOURCE, tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(prints, "HOMES", {**prints.HOMES, "kinseq": tmp_path / "src"})

    def stamps() -> dict[str, str]:
        prints.forget()
        return {name: prints.fingerprint(*modules) for name, modules in jobs().items()}

    before = stamps()
    with (tmp_path / "src/kinseq/models/hmm/linalg.py").open("a") as stream:
        stream.write("# edited\n")
    after = stamps()
    prints.forget()
    assert {name for name in after if after[name] != before[name]} == BY_EM | FITTING | WORDS


def test_an_edit_of_the_engine_reruns_what_uses_it() -> None:
    without = needing("sequences", "tokens", "items", "loglik", "bank") - FITTING - WORDS
    transitions = {name for name in jobs() if name.startswith("distances/")} - without
    assert transitions
    assert {"distances/dtw", "distances/kl_ll", "distances/ppk"} <= without
    assert rerun("kinseq.models.hmm.scoring") == {"loglik"} | FITTING | WORDS
    assert rerun("kinseq.models.hmm.smoothing") == transitions
    assert rerun("kinseq.models.hmm.simd") == rerun("kinseq.models.hmm.recursions") == {*BY_EM, "loglik"} | transitions


def test_an_edit_of_one_measure_computes_matrices_only() -> None:
    for name, entry in measures.modules().items():
        found = rerun(entry.module)
        assert f"distances/{name}" in found
        assert all(job.startswith("distances/") for job in found), found
    assert rerun("kinseq.measures.fisher") == {"distances/fisher"}
    assert rerun("kinseq.measures.statistics") == {"distances/statistics"} | FITTING


def test_an_edit_of_a_clusterer_or_loader_computes_no_matrix() -> None:
    for registry, stage in ((clusterers, "partitions/"), (loaders, "sequences/")):
        for name, entry in registry.modules().items():
            found = rerun(entry.module)
            assert f"{stage}{name}" in found
            assert all(job.startswith(stage) for job in found), found


def test_the_closure_is_at_least_what_python_loads() -> None:
    for modules in (
        ["kinseq_documents.stages.partitions", "kinseq.clustering.graph"],
        ["kinseq_documents.stages.models"],
        ["kinseq.analysis"],
    ):
        script = (
            "import sys, importlib\n"
            f"for name in {modules!r}: importlib.import_module(name)\n"
            "print(*sorted(m for m in sys.modules if m.startswith('kinseq') and m != 'kinseq'))"
        )
        env = {**os.environ, "PYTHONPATH": f"{SOURCE}{os.pathsep}{WORKFLOW}"}
        done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True)
        lazy = {name for name in done.stdout.split() if prints.lazy_table(name) is not None}
        lazy.add("kinseq.core.lazy")
        assert {*modules} <= set(done.stdout.split()) - lazy <= set(prints.closure(modules))


def test_an_unknown_module_has_no_fingerprint() -> None:
    with pytest.raises(ParameterError, match=r"kinseq\.nothing"):
        prints.fingerprint("kinseq.nothing")


def test_an_unknown_name_of_the_package_is_an_attribute_error(recorded: Recorded) -> None:
    with recorded.raises(AttributeError):
        kinseq.nothing  # noqa: B018
    # Modules have a single name, and none from before a move.
    for old in ("kinseq.evaluation", "kinseq.own"):
        with pytest.raises(ModuleNotFoundError):
            importlib.import_module(old)


def test_importing_kinseq_is_light() -> None:
    script = (
        "import sys, kinseq; print(*[m for m in ('numpy', 'scipy', 'numba', 'sklearn', 'pandas') if m in sys.modules])"
    )
    env = {**os.environ, "PYTHONPATH": f"{SOURCE}{os.pathsep}{WORKFLOW}"}
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_arrays_need_no_page_and_nothing_that_draws() -> None:
    script = (
        "import sys, numpy, kinseq\n"
        "X = [numpy.random.default_rng(i).normal(size=(9, 1)) + 4 * (i % 2) for i in range(6)]\n"
        "kinseq.cluster(X, n_clusters=2, measure='mean_vector')\n"
        "kinseq.SequenceClustering(n_clusters=2, measure='mean_vector').fit(X)\n"
        "above = ('kinseq.report', 'kinseq.plotting', 'kinseq.cli', 'kinseq.comparing', 'kinseq.options')\n"
        "print(*[m for m in sys.modules if m.startswith(above) or m in ('matplotlib', 'jinja2', 'PIL')])"
    )
    env = {**os.environ, "PYTHONPATH": str(SOURCE)}
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_planning_needs_numpy_and_nothing_else_that_a_job_imports() -> None:
    """Snakemake may run where only NumPy is, and every call pays for what its rules import."""
    rules = ROOT / "workflow" / "rules"
    imports = [
        line.strip()
        for path in [*rules.glob("*.smk"), rules.parent / "Snakefile"]
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.match(r" *(from|import) kinseq", line)
    ]
    assert len(imports) > 10
    packages = ("scipy", "numba", "sklearn", "pandas", "matplotlib", "librosa", "joblib", "jinja2")
    script = "\n".join(["import sys", *imports, f"print(*[name for name in {packages!r} if name in sys.modules])"])
    env = {**os.environ, "PYTHONPATH": f"{SOURCE}{os.pathsep}{WORKFLOW}"}
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def imported_packages(source: str) -> set[str]:
    """Top-level packages that a text imports, in whatever form."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.split(".")[0])
    return found


@pytest.mark.parametrize(
    "source",
    [
        "import snakemake",
        "import os, snakemake.api as api",
        "from snakemake import shell",
        "from snakemake.exceptions import WorkflowError",
        "def f():\n    from snakemake import shell",
    ],
)
def test_every_form_of_import_is_seen(source: str) -> None:
    assert "snakemake" in imported_packages(source)


def test_nothing_in_the_library_knows_the_workflow_engine() -> None:
    files = [*SOURCE.rglob("*.py"), *(WORKFLOW / "kinseq_documents").rglob("*.py")]
    assert len(files) > 100
    for path in files:
        # Interfaces of the engine are packages of their own, snakemake_interface_common and the like.
        engine = {name for name in imported_packages(path.read_text(encoding="utf-8")) if name.startswith("snakemake")}
        assert not engine, path


def test_a_package_imports_its_own_modules_by_relative_names() -> None:
    for home, name in ((SOURCE, "kinseq"), (WORKFLOW, "kinseq_documents")):
        for path in (home / name).rglob("*.py"):
            assert name not in imported_packages(path.read_text(encoding="utf-8")), path


# Progress, jobs, schemas


def test_progress_tells_count_time_and_rest(recorded: Recorded) -> None:
    now = [0.0]
    out = io.StringIO()
    progress = Progress("fit hmm2", 4, every=10, out=out, clock=lambda: now[0])
    for seconds in (2, 4, 15, 20):
        now[0] = seconds
        progress.step()
    recorded(out.getvalue().splitlines())


def test_a_job_logs_its_error_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], recorded: Recorded
) -> None:

    def fail() -> None:
        print("at work")
        raise DataError("x.csv: is empty; remove it")

    with pytest.raises(SystemExit) as caught, job(str(tmp_path / "a.log")):
        fail()
    assert caught.value.code == 1
    recorded((tmp_path / "a.log").read_text())


def test_a_job_logs_the_traceback_of_a_defect(tmp_path: Path) -> None:
    with pytest.raises(SystemExit), job(str(tmp_path / "a.log")):
        raise ZeroDivisionError("a defect")
    log = (tmp_path / "a.log").read_text()
    assert "Traceback" in log
    assert "ZeroDivisionError: a defect" in log


def test_a_job_refuses_a_library_from_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recorded: Recorded
) -> None:
    monkeypatch.setenv("KINSEQ_HOME", str(tmp_path))
    with pytest.raises(SystemExit), job(str(tmp_path / "a.log")):
        raise AssertionError("the body has run")
    log = (tmp_path / "a.log").read_text()
    recorded.within(log)
    assert "the body has run" not in log


SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name"],
    "properties": {
        "name": {"type": "string"},
        "kind": {"enum": ["a", "b"]},
        "n": {"type": "integer", "minimum": 1},
        "k": {"type": ["integer", "string"]},
    },
}


@pytest.mark.parametrize(
    "document, words",
    [
        ({"nmae": "x"}, ["'nmae'", "did you mean 'name'", "k, kind, n, name"]),
        ({}, ["'name' is missing"]),
        ({"name": 3}, ["name", "expected string"]),
        ({"name": "x", "kind": "c"}, ["unknown value 'c'", "a, b"]),
        ({"name": "x", "n": 0}, ["at least 1"]),
        ({"name": "x", "k": 2.5}, ["k: is 2.5, expected integer or string"]),
    ],
)
def test_schema_messages_help(document: object, words: list[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        check(document, SCHEMA, "file.yaml")
    for word in ["file.yaml", *words]:
        assert word in str(caught.value)


def test_mappings_take_what_they_leave_out_from_the_defaults() -> None:
    schema = {"properties": {"a": {"default": {"x": {"p": 1, "q": 2}, "y": 3}}, "b": {"default": 4}, "c": {}}}
    assert filled({"a": {"x": {"q": 5}}, "c": {"z": 6}}, schema) == {
        "a": {"x": {"p": 1, "q": 5}, "y": 3},
        "c": {"z": 6},
    }
    assert filled({"a": None, "b": 7}, schema) == {"a": None, "b": 7}


def test_unknown_names_come_with_the_valid_ones(recorded: Recorded) -> None:
    recorded(unknown_name("measure", "kl_l", ["yy", "kl_ll"]))


COUNTED: list[tuple[Any, dict[str, int]]] = [
    (CepstralRecipe, {"n_mels": 26, "n_mfcc": 9, "lifter": 20, "deltas": 1, "delta_width": 3, "n_fft": 512}),
    (PredictionRecipe, {"order": 8, "n_cepstra": 9, "lifter": 20, "deltas": 1, "delta_width": 3}),
    (StackedRecipe, {"delta_width": 3}),
    (functools.partial(AudioFeatures, CepstralRecipe()), {"mar_order": 2}),
    (Forest, {"n_trees": 4, "leaf": 3, "min_per_label": 3}),
    (CRF, {"window": 1, "context": 2, "max_iterations": 9, "min_per_label": 2}),
    (WordHMMs, {"n_viterbi": 3, "n_baum_welch": 2, "min_per_label": 4}),
    (Integral, {"n_priors": 50}),
    (functools.partial(resolve, "default"), {"n_init": 2, "max_iter": 7}),
]


@pytest.mark.parametrize("record, counts", COUNTED, ids=lambda entry: getattr(entry, "__name__", ""))
@pytest.mark.parametrize("form", [float, np.float64, np.array])
def test_whole_numbers_of_any_type_are_kept_as_counts(record: Any, counts: dict[str, int], form: Any) -> None:
    made = record(**{name: form(count) for name, count in counts.items()})
    for name, count in counts.items():
        assert type(getattr(made, name)) is int
        assert getattr(made, name) == count
