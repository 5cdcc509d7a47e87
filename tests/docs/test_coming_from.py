"""The page for those who come from other libraries says what works: its expressions are run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import kinseq
import kinseq.hmm.estimator
from tests.sentences import Recorded

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "coming-from.md"
rng = np.random.default_rng(0)
SERIES = [rng.normal(3 * (i % 2), 1, size=(length, 2)) for i, length in enumerate((9, 12, 10, 11))]


def rows() -> dict[str, str]:
    """Right-hand cells of all tables by the left-hand ones."""
    cells = re.findall(r"^\| (.+?) \| (.+?) \|$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(cells)


def code(start: str) -> str:
    """The first piece of code next to the row that begins so."""
    (cell,) = [right for left, right in rows().items() if left.startswith(start)]
    found = re.search(r"`([^`]+)`", cell)
    assert found, cell
    return found[1]


def padded() -> np.ndarray:
    stack = np.full((4, 12, 2), np.nan)
    for i, frames in enumerate(SERIES):
        stack[i, : len(frames)] = frames
    return stack


def long_table(who: str, when: str) -> pd.DataFrame:
    ids = np.repeat(["b", "a", "d", "c"], [len(frames) for frames in SERIES])
    times = np.concatenate([np.arange(len(frames)) for frames in SERIES])
    table = pd.DataFrame(np.concatenate(SERIES), columns=["x", "y"])
    return table.assign(**{who: ids, when: times})


ROWS = np.stack([frames[:9, 0] for frames in SERIES])
FORMS: dict[str, dict[str, Any]] = {
    "tslearn, `(n, T, d)`": {"X": padded()},
    "aeon or sktime": {"X": [frames.T for frames in SERIES]},
    "`(n, T)`": {"X": ROWS},
    "a dict of": {"sequences": {f"m{i}": frames for i, frames in enumerate(SERIES)}},
    "series of unequal": {"X": [frames[:, 0] for frames in SERIES]},
    "a long table with a column": {"table": long_table("id", "time")},
    "a long table with other": {"table": long_table("who", "t")},
    "tables in a list": {"tables": [pd.DataFrame(frames, columns=["x", "y"]) for frames in SERIES]},
    "hmmlearn, stacked": {"X": np.concatenate(SERIES), "lengths": [len(frames) for frames in SERIES]},
    "a matrix of": {"D": kinseq.measures.compute("dtw", SERIES)},
}


@pytest.mark.parametrize("start", FORMS)
def test_forms_are_taken_as_the_page_says(start: str) -> None:
    names: dict[str, Any] = {"kinseq": kinseq, "np": np, **FORMS[start]}
    written, scale = code(start), "" if "precomputed" in code(start) else ', measure="dtw", scale="none"'
    found = eval(f"kinseq.cluster({written}, n_clusters=2{scale})", names)
    univariate = [frames[:, :1] for frames in SERIES]
    univariate = [frames[:9] for frames in univariate] if start.startswith("`(n, T)`") else univariate
    expected = univariate if start.startswith(("`(n, T)`", "series")) else SERIES
    np.testing.assert_allclose(found.distance, kinseq.measures.compute("dtw", expected), atol=1e-12)


def test_every_form_on_the_page_is_tried() -> None:
    text = PAGE.read_text(encoding="utf-8")
    part = text[text.index("## Data") : text.index("## Calls")]
    named = re.findall(r"^\| (?!you have)(.+?) \| ", part, flags=re.MULTILINE)
    untried = [name for name in named if not any(name.startswith(start) for start in FORMS) and name != "files"]
    assert not untried


@pytest.mark.parametrize(
    "start",
    [
        "`tslearn.metrics.cdist_dtw(X)`, ",
        "`tslearn.metrics.cdist_dtw(X)` exactly",
        "`aeon.distances.dtw_pairwise_distance(X, window=0.1)` exactly",
        "`tslearn.metrics.cdist_dtw(new",
        "`TimeSeriesKMeans",
        "`TimeSeriesKMedoids",
        "`distance=my_function",
        '`metric="precomputed',
        "`TimeSeriesScaler",
        "`model.predict",
        "`model.cluster_centers_",
        "a map by",
        "try some",
    ],
)
def test_calls_work(start: str) -> None:
    def my_function(x: np.ndarray, y: np.ndarray) -> float:
        return float(np.abs(x.mean(axis=0) - y.mean(axis=0)).sum())

    names: dict[str, Any] = {"kinseq": kinseq, "X": SERIES, "new": SERIES[:2], "my_function": my_function}
    expression = code(start)
    if "SequenceClustering" in expression and "fit_predict" not in expression:
        given = "D" if "precomputed" in expression else "X"
        expression += f".fit_predict({given})"
    names["D"] = kinseq.measures.compute("dtw", SERIES)
    assert eval(expression, names) is not None


def test_words_of_others_are_known() -> None:
    from kinseq.core.settings import SYNONYMS

    for left, right in (("metric", "measure"), ("n_components", "n_states"), ("seed", "random_state")):
        assert SYNONYMS[left] == right
        assert any(f"`{left}`" in there and f"`{right}`" in here for there, here in rows().items())


def section(title: str) -> tuple[str, str]:
    """A section of the page, and its piece of code."""
    found = re.search(
        rf"^{re.escape(title)}\n(.*?)(?=^## )", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    assert found
    (block,) = re.findall(r"```python\n(.*?)```", found[1], flags=re.DOTALL)
    return found[1], block


def test_adapters_of_other_libraries() -> None:
    pytest.importorskip("aeon.clustering", reason="needs aeon")
    names: dict[str, Any] = {"kinseq": kinseq, "collection": [frames.T for frames in SERIES]}
    # The other adapter needs a package that is rarely installed.
    exec(section("## aeon's and sktime's clusterers")[1].replace(", SktimeClustering", ""), names)
    assert names["labels"].tolist() in ([0, 1, 0, 1], [1, 0, 1, 0])


def test_parallel_backends() -> None:
    names: dict[str, Any] = {"kinseq": kinseq, "X": SERIES}
    exec(section("## Parallel backends")[1], names)
    np.testing.assert_array_equal(names["distance"], kinseq.measures.compute("kl_ll", SERIES, n_states=2))


def test_models_of_hmmlearn() -> None:
    import kinseq.models.hmm

    names: dict[str, Any] = {"kinseq": kinseq, "X": SERIES}
    names["bank"] = eval(code("`GaussianHMM(3)"), names)
    assert eval(code("`[[m.score"), names).shape == (4, 4)
    common = code("`GaussianHMM(40)").replace("40", "2")
    assert eval(common, names).n_states == 2


def test_the_estimator_of_hmmlearn() -> None:
    """The code of its section runs, and the table of defaults says what they are."""
    part, block = section("## hmmlearn's estimator")
    names: dict[str, Any] = {"X": np.concatenate(SERIES), "lengths": [len(frames) for frames in SERIES]}
    names["list_of_arrays"] = SERIES
    exec(block, names)
    assert names["scores"].shape == (4, 4)
    assert names["states"].shape == (42,)
    ours, theirs = kinseq.hmm.GaussianHMM().get_params(), kinseq.hmm.HMMLEARN
    table = {
        name: values
        for names, values in re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| (.+? \| .+?) \|$", part, flags=re.MULTILINE)
        for name in re.findall(r"\w+", names)
    }
    changed = {name for name, value in theirs.items() if ours[name] != value}
    assert changed == set(table)
    assert table["covars_prior"].startswith("1e-2, in squared units of the data, and 1 | None: one frame more of half ")
    assert (theirs["covars_prior"], theirs["covars_weight"]) == (1e-2, 1.0)
    assert kinseq.hmm.estimator.SHARE_OF_POOLED == 0.5
    assert table["transmat_prior"] == f"{theirs['transmat_prior']:g} | {ours['transmat_prior']}"
    assert (theirs["startprob_prior"], ours["startprob_prior"]) == (theirs["transmat_prior"], ours["transmat_prior"])
    assert table["n_iter"] == f"{theirs['n_iter']} | {ours['n_iter']}"
    assert f"| {ours['n_init']}, the best" in table["n_init"]
    assert f"below {kinseq.hmm.estimator.COVARIANCE_FLOOR:.0e}".replace("e-0", "e-") in table["min_covar"]


def test_few_data_are_not_explained_by_themselves_alone(recorded: Recorded) -> None:
    """By the defaults; likelihoods of new sequences of the same source show it, in five draws together."""
    hmm = pytest.importorskip("hmmlearn.hmm")
    recorded.within(" ".join(PAGE.read_text(encoding="utf-8").split()))
    gain = 0.0
    for seed in range(5):
        random = np.random.default_rng(seed)
        means = random.normal(size=(3, 4))
        known, new = (
            [means[(i + np.arange(30) // 5) % 3] + random.normal(size=(30, 4)) for i in range(4)] for _ in "ab"
        )
        lengths = [30] * 4
        of_new = [
            estimator(n_components=4, covariance_type="full", random_state=seed)
            .fit(np.concatenate(known), lengths)
            .score(np.concatenate(new), lengths)
            for estimator in (kinseq.hmm.GaussianHMM, hmm.GaussianHMM)
        ]
        gain += of_new[0] - of_new[1]
    assert gain > 0.0
