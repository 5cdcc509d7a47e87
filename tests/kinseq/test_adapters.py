"""Estimators as those of other libraries, by the checks that these ship."""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import numpy as np
import pytest

from kinseq import SequenceClustering
from kinseq.core.errors import KinseqError
from tests.sentences import Recorded

RANDOM = np.random.default_rng(0)
TRUTH = np.arange(9) % 2
SERIES = [RANDOM.normal(3 * kind, 1, size=(2, 20 + i)) for i, kind in enumerate(TRUTH)]
"""(channels, time), of unequal lengths."""
EQUAL = np.stack([series[:, :20] for series in SERIES])
QUICK = SequenceClustering(2, "dtw", n_resamples=1)

AEON_FAILS = {
    # Coordinates and medoids are slow: they are computed on first use, as here, and cached.
    "check_non_state_changing_method": "changes __dict__ during get_fitted_params",
}
SKTIME_FAILS = {
    # sktime's base records the size of its input, in predict too. None of its clusterers accepts new series of unequal
    # lengths.
    "test_non_state_changing_method_contract": "_X_metadata",
}


def package(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        pytest.skip(f"the checks of {name.partition('.')[0]} need it to be installed: {error}")


def require_passed(results: dict[str, Any], fails: dict[str, str], least: int) -> None:
    failed = {name: str(found) for name, found in results.items() if found != "PASSED"}
    unknown = {name: text for name, text in failed.items() if not any(name.startswith(known) for known in fails)}
    assert not unknown
    for name, text in failed.items():
        assert fails[next(known for known in fails if name.startswith(known))] in text
    assert len(results) - len(failed) >= least


def test_aeon_checks_its_clusterer() -> None:
    checking = package("aeon.testing.estimator_checking")
    from kinseq.adapters import AeonClustering

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = checking.check_estimator(AeonClustering)
    require_passed(results, AEON_FAILS, least=24)


def test_sktime_checks_its_clusterer() -> None:
    checking = package("sktime.utils.estimator_checks")
    from kinseq.adapters import SktimeClustering

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = checking.check_estimator(SktimeClustering(QUICK), verbose=False)
    require_passed(results, SKTIME_FAILS, least=150)


@pytest.mark.parametrize("library, adapter", [("aeon", "AeonClustering"), ("sktime", "SktimeClustering")])
def test_adapters_cluster_as_the_estimator_that_they_hold(library: str, adapter: str) -> None:
    package(f"{library}.clustering")
    clustering = getattr(importlib.import_module("kinseq.adapters"), adapter)(QUICK)
    expected = SequenceClustering(2, "dtw", n_resamples=1, layout="channels_first").fit(list(EQUAL))
    # As many channels as time points would allow both layouts: here, an array is (cases, channels, time).
    np.testing.assert_array_equal(clustering.fit_predict(EQUAL), expected.labels_)
    np.testing.assert_array_equal(clustering.estimator_.distance_, expected.distance_)
    np.testing.assert_array_equal(clustering.predict_proba(EQUAL[:3]), np.eye(2)[expected.predict(EQUAL[:3])])
    assert clustering.n_clusters_ == 2
    assert QUICK.layout is None
    assert not hasattr(QUICK, "labels_")
    assert clustering.get_params()["estimator__measure"] == "dtw"


def test_aeon_gives_lists_of_unequal_lengths() -> None:
    package("aeon.clustering")
    from kinseq.adapters import AeonClustering

    labels = AeonClustering(QUICK).fit_predict(SERIES)
    np.testing.assert_array_equal(labels, TRUTH)


def test_a_wrong_estimator_and_a_wrong_layout_are_refused(recorded: Recorded) -> None:
    package("aeon.clustering")
    from kinseq.adapters import AeonClustering

    with recorded.raises(KinseqError):
        AeonClustering(3).fit(SERIES)
    with recorded.raises(KinseqError):
        AeonClustering(SequenceClustering(2, "dtw", layout="channels_last")).fit(SERIES)


def test_a_library_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch, recorded: Recorded) -> None:
    import sys

    for name in ("aeon.clustering", "sktime.clustering.base", "kinseq.adapters.for_aeon", "kinseq.adapters.for_sktime"):
        monkeypatch.setitem(sys.modules, name, None) if name.startswith(("aeon", "sktime")) else sys.modules.pop(
            name, 0
        )
    adapters = importlib.import_module("kinseq.adapters")
    with recorded.raises(KinseqError):
        adapters.AeonClustering  # noqa: B018
    with recorded.raises(KinseqError):
        adapters.SktimeClustering  # noqa: B018
