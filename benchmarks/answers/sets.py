"""Labelled sequences that anybody can have: bundled with a dependency, of the documents, or drawn from known processes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from kinseq import SequenceSet
from kinseq.data import registry
from kinseq.data.acquire import locate, why_missing
from kinseq.errors import DataError, ParameterError, unknown_name
from kinseq.seeds import stream
from numpy.typing import NDArray

CATALOGUE = Path(__file__).resolve().parents[2] / "config" / "datasets.yaml"
LARGEST = 200
"""Sequences of a set; of more, as many of each class are drawn."""

Load = Callable[[Sequence[Path]], SequenceSet]


@dataclass(frozen=True)
class BenchSet:
    """Sequences with labels that nobody but the scores may see.

    Attributes
    ----------
    name : str
    title : str
    kind : str
        What tells the classes apart, as far as is known beforehand; sets are grouped by it.
    load : callable
        ``load(roots) -> SequenceSet``, with folders that mirror data sets; raises DataError where the data are not there.
    """

    name: str
    title: str
    kind: str
    load: Load

    def sequences(self, roots: Sequence[Path] = (), largest: int = LARGEST) -> SequenceSet:
        """The sequences, of a large set as many of each class as make up `largest`.

        Raises
        ------
        DataError
            If the data are not there, or hold fewer than two classes.
        """
        return thinned(self.load(roots), largest, self.name)


def thinned(sequences: SequenceSet, largest: int, name: str) -> SequenceSet:
    """At most `largest` sequences in the order they had, as many of each class as there are, drawn at random."""
    classes = classes_of(sequences)
    if len(sequences) <= largest:
        return sequences
    share = largest // np.unique(classes).size
    random = stream(0, "bench", name)
    members = [np.flatnonzero(classes == label) for label in np.unique(classes)]
    chosen = [random.permutation(positions)[:share] for positions in members]
    return sequences.subset(np.sort(np.concatenate(chosen)))


def classes_of(sequences: SequenceSet) -> NDArray[np.str_]:
    """Labels as text, shape (N,)."""
    if sequences.labels is None or np.unique(sequences.labels).size < 2:
        raise DataError(f"{sequences.name}: needs labels of at least two classes to be scored by")
    return sequences.labels.astype(str)


def _aeon(name: str) -> Load:
    def load(roots: Sequence[Path]) -> SequenceSet:
        import aeon.datasets
        from aeon.datasets import load_classification

        # Asked for a set that is not bundled, aeon would download it.
        if not (Path(aeon.datasets.__file__).parent / "data" / name).is_dir():
            raise DataError(f"{name}: is not among the data of this aeon; install version 1.1 or newer")
        cases, labels = load_classification(name)
        return SequenceSet.from_arrays([np.asarray(case).T for case in cases], labels=labels, name=name)

    return load


def _catalogued(name: str, **params: Any) -> Load:
    """A data set of ``config/datasets.yaml``; `params` replace those of the entry."""

    def load(roots: Sequence[Path]) -> SequenceSet:
        entry = yaml.safe_load(CATALOGUE.read_text(encoding="utf-8"))[name]
        loader = registry.get(entry["loader"])
        folder = locate(name, entry, roots)
        if folder is None:
            raise DataError(f"{name}: {why_missing(name, entry)}")
        found = loader.function(folder, **loader.with_defaults({**entry.get("params", {}), **params}))
        assert isinstance(found, SequenceSet)
        return found

    return load


def _mixture(roots: Sequence[Path]) -> SequenceSet:
    from kinseq.data.mohmm import mixture

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
    """The process of Saito (1994): a plateau, a rise or a fall of random place, length and height, in noise."""
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
SHAPE, MOTION, SPECTRA, PROCESS = "shape of a curve", "movement", "spectra and images", "random process"

SETS = (
    BenchSet("unit_test", "Chinatown, pedestrians in a day (aeon's UnitTest)", SHAPE, _aeon("UnitTest")),
    BenchSet("italy_power_demand", "ItalyPowerDemand, a day of power", SHAPE, _aeon("ItalyPowerDemand")),
    BenchSet("hmm_mixture", "Mixture of two HMMs that differ in transitions", PROCESS, _mixture),
    BenchSet("autoregressive", "Four autoregressive processes of unit variance", PROCESS, _autoregressive),
    BenchSet("cylinder_bell_funnel", "Cylinder, bell, funnel in noise", SHAPE, _cylinder_bell_funnel),
    BenchSet("digits", "Handwritten digits, eight rows of pixels (scikit-learn)", SPECTRA, _digits),
    BenchSet("control_chart", "Control charts", SHAPE, _catalogued("control_chart_30")),
    BenchSet("japanese_vowels", "Japanese vowels of nine speakers", SPECTRA, _catalogued("japanese_vowels")),
    BenchSet("basic_motions", "BasicMotions, a watch on a wrist", MOTION, _aeon("BasicMotions")),
    BenchSet("pickup_gesture", "PickupGestureWiimoteZ", MOTION, _aeon("PickupGestureWiimoteZ")),
    BenchSet("gun_point", "GunPoint, a hand draws a gun or points", MOTION, _aeon("GunPoint")),
    BenchSet(
        "signs", "Ten signs of Australian sign language", MOTION, _catalogued("auslan_hot_cold", signs=list(SIGNS))
    ),
    BenchSet("characters", "Handwritten characters, 20 classes", MOTION, _catalogued("character_trajectories")),
    BenchSet("arrow_head", "ArrowHead, outlines of points", SHAPE, _aeon("ArrowHead")),
    BenchSet("osu_leaf", "OSULeaf, outlines of leaves", SHAPE, _aeon("OSULeaf")),
)
"""From cheap to dear, so that a run that is cut short has whole sets."""


def chosen(names: Sequence[str]) -> tuple[BenchSet, ...]:
    """Sets by name; all without names.

    Raises
    ------
    ParameterError
        If a name is unknown.
    """
    known: Mapping[str, BenchSet] = {entry.name: entry for entry in SETS}
    for name in names:
        if name not in known:
            raise ParameterError(unknown_name("set", name, known))
    return tuple(known[name] for name in names) or SETS
