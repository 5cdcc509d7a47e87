"""Pieces of one source: drawn, permuted and combined by whole sources."""

from __future__ import annotations

import numpy as np
import pytest

import kinseq
from kinseq.analysis.piece_sources import dependent_sources, permutable_sources, share_of_sources, sources_of
from kinseq.analysis.surrogates import Sets
from kinseq.core.arrays import FloatArray
from kinseq.metrics.group_differences import contrasts, whole_blocks_permuted
from kinseq.metrics.internal import stability
from tests.sentences import Recorded

DAYS, HOURS = 12, 24


def meters(n: int, level: float, noise: float = 1.0, seed: int = 0) -> dict[str, FloatArray]:
    """Logs of some days each, whose levels are Gaussian."""
    rng = np.random.default_rng(seed)
    wave = np.tile(np.sin(2 * np.pi * np.arange(HOURS) / HOURS), DAYS)
    return {
        f"m{i}": (wave + level * rng.normal() + noise * rng.normal(size=len(wave)))[:, None] for i in reversed(range(n))
    }


def cut(logs: dict[str, FloatArray]) -> kinseq.SequenceSet:
    return kinseq.cluster(logs, 1, "statistics", cut=HOURS, scale="none").sequences


def test_pieces_are_known_by_their_source_in_the_order_of_time() -> None:
    whole = cut(meters(6, 1.0))
    order = np.random.default_rng(0).permutation(len(whole))
    mixed = whole.subset(order)
    for own in sources_of(mixed):
        names = mixed.ids[own].tolist()
        assert len(names) == DAYS
        assert len({name.split(" @ ")[0] for name in names}) == 1
        begins = [int(name.split(" @ ")[1]) for name in names]
        assert begins == sorted(begins)
    assert len(dependent_sources(mixed)) == 6
    # Fewer sources, and sequences that are not pieces, are independent.
    assert not dependent_sources(cut(meters(5, 1.0)))
    assert not sources_of(kinseq.SequenceSet.from_arrays(list(whole)))


def test_labels_are_permuted_by_whole_sources() -> None:
    blocks = [np.array([3, 0, 4]), np.array([1, 5]), np.array([2])]
    labels = np.array([10, 20, 30, 11, 12, 21])
    seen = set()
    for seed in range(200):
        moved = labels[whole_blocks_permuted(blocks, np.random.default_rng(seed))]
        assert sorted(moved) == sorted(labels)
        # Rotated within and between sources, pieces of a source remain consecutive.
        line = moved[np.concatenate(blocks)].tolist()
        for run in ([11, 10, 12], [20, 21]):
            at = sorted(line.index(entry) for entry in run)
            assert at == list(range(at[0], at[0] + len(run)))
            assert (run * 2)[run.index(line[at[0]]) :][: len(run)] == line[at[0] : at[0] + len(run)]
        seen.add(tuple(line))
    # Three sources in any order, begun at three pieces and at two.
    assert len(seen) == 6 * 3 * 2


def test_levels_of_sources_are_no_difference_between_clusters_drawn_by_source() -> None:
    rng = np.random.default_rng(1)
    n, pieces = 12, 10
    blocks = [np.arange(i * pieces, (i + 1) * pieces) for i in range(n)]
    small = {"pieces": 0, "sources": 0}
    for draw in range(20):
        values = (np.repeat(rng.normal(size=n), pieces) + 0.1 * rng.normal(size=n * pieces))[:, None]
        labels = np.repeat(rng.permutation(np.arange(n) % 2), pieces)
        courses = np.zeros((1, n * pieces, 2))
        small["pieces"] += contrasts(values, courses, labels, 0.02, draw).higher_p.min() <= 0.02
        small["sources"] += contrasts(values, courses, labels, 0.02, draw, blocks).higher_p.min() <= 0.02
    # Treated as independent, ten pieces per source make levels of sources significant far too often.
    assert small["pieces"] >= 6
    assert small["sources"] <= 1


def test_sets_without_groups_keep_what_pieces_of_a_source_share() -> None:
    logs = meters(8, 2.0, noise=0.3)
    for whole, share in ((cut(logs), 0.9), (kinseq.SequenceSet.from_arrays(list(cut(logs))), 0.0)):
        sources = sources_of(cut(logs))
        for number in (0, 2):
            drawn = Sets(whole, number).surrogate(number)
            means = np.array([frames.mean() for frames in drawn])
            own = np.mean([means[source].var() for source in sources])
            between = 1.0 - own / means.var()
            assert between > 0.9 if share else between < 0.5


def test_a_bootstrap_sample_holds_whole_sources() -> None:
    blocks = [np.arange(i * 5, (i + 1) * 5) for i in range(6)]
    points = np.repeat(np.arange(6.0), 5) + 0.01 * np.arange(30)
    distance = np.abs(points[:, None] - points[None])
    sizes = []

    def halves(square: FloatArray, count: int) -> np.ndarray:
        sizes.append(len(square))
        assert np.isclose(np.sort(np.partition(square, 4, axis=1)[:, :5].max(axis=1)).max(), 0.04)
        return (square[0] > 2.5).astype(np.int64)

    stability(distance, (points > 2.5).astype(np.int64), halves, 20, 500, 0, None, blocks)
    assert all(size % 5 == 0 for size in sizes)
    assert len(set(sizes)) > 1


def test_levels_of_few_sources_are_no_groups(recorded: Recorded) -> None:
    found = [kinseq.cluster(meters(6, 1.0, 0.3, seed), cut=HOURS, n_resamples=2, n_jobs=1) for seed in range(4)]
    assert not any(result.degree == "clear" for result in found)
    two_kinds = {name: log + 6.0 * (int(name[1:]) % 2) for name, log in meters(12, 0.1, 0.3).items()}
    kinds = kinseq.cluster(two_kinds, cut=HOURS, n_resamples=2, n_jobs=1)
    assert kinds.degree == "clear"
    assert kinds.n_clusters == 2
    recorded.within("\n".join(kinds.warnings()))
    assert not any("independent" in warning for warning in kinds.warnings())
    assert kinds.explain()["property"].iloc[0] == "level"


@pytest.mark.parametrize(("n", "enough"), [(6, False), (12, True)])
def test_clusters_that_are_few_sources_are_not_permuted_by_source(n: int, enough: bool) -> None:
    whole = cut(meters(n, 1.0))
    labels = np.zeros(len(whole), dtype=np.int64)
    for source in sources_of(whole)[: n // 2]:
        labels[source] = 1
    assert share_of_sources(sources_of(whole), labels) == 1.0
    assert bool(permutable_sources(whole, labels, 0.02)) == enough
    labels[::2] = 1 - labels[::2]
    assert permutable_sources(whole, labels, 0.02)
