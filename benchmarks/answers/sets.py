"""Labelled sequences that anybody can have: bundled with a dependency, of the documents, or drawn from known processes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from kinseq import SequenceSet
from kinseq.core.errors import ParameterError, unknown_name
from kinseq.core.seeds import stream

from .archive import ARCHIVED
from .channels import CHANNELS
from .kept_aside import ASIDE
from .loading import MOTION, PROCESS, SHAPE, SPECTRA, BenchSet, aeon, catalogued


def _mixture(roots: Sequence[Path]) -> SequenceSet:
    from kinseq_documents.data.mohmm import mixture

    arrays, labels = mixture(5, 60, 100, 40.0)
    return SequenceSet.from_arrays(arrays, labels=labels, name="hmm_mixture")


def _digits(roots: Sequence[Path]) -> SequenceSet:
    """Images read from top to bottom: eight frames of eight pixels."""
    from sklearn.datasets import load_digits

    images, labels = load_digits(return_X_y=True)
    return SequenceSet.from_arrays(images.reshape(-1, 8, 8), labels=labels, name="digits", layout="channels_last")


def _autoregressive(roots: Sequence[Path]) -> SequenceSet:
    """Four processes of second order and unit variance: they differ in dynamics alone, in no level and no shape."""
    random, arrays, warm_up = stream(0, "bench", "autoregressive"), [], 50
    coefficients = ((0.9, 0.0), (0.3, 0.5), (-0.6, 0.2), (1.2, -0.6))
    for i in range(80):
        a, b = coefficients[i % 4]
        noise = random.normal(size=warm_up + int(random.integers(80, 200)))
        x = np.zeros(noise.size)
        for t in range(2, noise.size):
            x[t] = a * x[t - 1] + b * x[t - 2] + noise[t]
        x = x[warm_up:]
        arrays.append((x / x.std())[:, None])
    return SequenceSet.from_arrays(arrays, labels=np.arange(80) % 4, name="autoregressive")


def _cylinder_bell_funnel(roots: Sequence[Path]) -> SequenceSet:
    """Return the process of Saito (1994): a plateau, a rise or a fall of random place, length and height, in noise."""
    random, arrays, time = stream(0, "bench", "cylinder_bell_funnel"), [], np.arange(128)
    for i in range(90):
        start = int(random.integers(16, 33))
        end = start + int(random.integers(32, 97))
        inside = (time >= start) & (time <= end)
        ramp = (time - start) / (end - start)
        shape = (np.ones(time.size), ramp, 1.0 - ramp)[i % 3] * inside
        arrays.append(((6.0 + random.normal()) * shape + random.normal(size=time.size))[:, None])
    return SequenceSet.from_arrays(arrays, labels=np.arange(90) % 3, name="cylinder_bell_funnel")


SIGNS = ("hot", "cold", "eat", "drink", "happy", "sad", "spend", "cost", "yes", "no")

SETS = (
    BenchSet("unit_test", "Chinatown, pedestrians in a day (aeon's UnitTest)", SHAPE, aeon("UnitTest")),
    BenchSet("italy_power_demand", "ItalyPowerDemand, a day of power", SHAPE, aeon("ItalyPowerDemand")),
    BenchSet("hmm_mixture", "Mixture of two HMMs that differ in transitions", PROCESS, _mixture),
    BenchSet("autoregressive", "Four autoregressive processes of unit variance", PROCESS, _autoregressive),
    BenchSet("cylinder_bell_funnel", "Cylinder, bell, funnel in noise", SHAPE, _cylinder_bell_funnel),
    BenchSet("digits", "Handwritten digits, eight rows of pixels (scikit-learn)", SPECTRA, _digits),
    BenchSet("control_chart", "Control charts", SHAPE, catalogued("control_chart_30")),
    BenchSet("japanese_vowels", "Japanese vowels of nine speakers", SPECTRA, catalogued("japanese_vowels")),
    BenchSet("basic_motions", "BasicMotions, a watch on a wrist", MOTION, aeon("BasicMotions")),
    BenchSet("pickup_gesture", "PickupGestureWiimoteZ", MOTION, aeon("PickupGestureWiimoteZ")),
    BenchSet("gun_point", "GunPoint, a hand draws a gun or points", MOTION, aeon("GunPoint")),
    BenchSet(
        "signs", "Ten signs of Australian sign language", MOTION, catalogued("auslan_hot_cold", signs=list(SIGNS))
    ),
    BenchSet("characters", "Handwritten characters, 20 classes", MOTION, catalogued("character_trajectories")),
    BenchSet("arrow_head", "ArrowHead, outlines of points", SHAPE, aeon("ArrowHead")),
    BenchSet("osu_leaf", "OSULeaf, outlines of leaves", SHAPE, aeon("OSULeaf")),
)
"""The open sets, from cheap to dear, so that a run that is cut short has whole sets."""


def sets_named(names: Sequence[str]) -> tuple[BenchSet, ...]:
    """Return sets by name; all without names, those of the archives last."""
    by_name: Mapping[str, BenchSet] = {entry.name: entry for entry in (*SETS, *ASIDE, *ARCHIVED, *CHANNELS)}
    for name in names:
        if name not in by_name:
            raise ParameterError(unknown_name("set", name, by_name))
    return tuple(by_name[name] for name in names) or tuple(by_name.values())
