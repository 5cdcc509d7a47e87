"""Interface to CRFsuite: train a field, and read the parameters of the model file.

The model is read as CRFsuite defines its file. The text that ``pycrfsuite.Tagger.dump`` and ``info`` write is not requested:
they close the number of a file twice, and by the second time it may be that of another file of the same process.
"""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.arrays import FloatArray
from ..core.errors import KinseqError

WEIGHT_DECIMALS = 6
"""Number of significant decimals of a weight: convergence leaves further ones to the processor."""

_STATE, _TRANSITION = 0, 1
_FEATURE = np.dtype([("type", "<u4"), ("source", "<u4"), ("target", "<u4"), ("weight", "<f8")])


class Learnt(NamedTuple):
    """Parameters of a trained field: their endpoints, as positions among the names, and weights."""

    attributes: list[str]
    labels: list[str]
    state: tuple[NDArray[np.uint32], NDArray[np.uint32], FloatArray]
    """Attribute, label, weight"""
    transitions: tuple[NDArray[np.uint32], NDArray[np.uint32], FloatArray]
    """Label before, label after, weight"""


def trained(pieces: Iterable[tuple[list[list[str]], list[str]]], **settings: float) -> Learnt:
    """Return parameters of a field trained by L-BFGS, with ``c1``, ``c2`` and ``max_iterations``.

    `pieces` hold the names of the attributes of each token, and its label. A KinseqError if the package is missing, or
    writes a model of another form.
    """
    trainer = _quiet_trainer()
    trainer.set_params(settings)
    for names, labels in pieces:
        trainer.append(names, labels)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "field.crf"
        trainer.train(str(path))
        return learnt(path.read_bytes())


def _quiet_trainer() -> Any:
    """Return a trainer without log parsing, which takes longer than a small field."""
    try:
        import pycrfsuite
    except ImportError as error:
        raise KinseqError(
            "conditional random fields need python-crfsuite, which is not installed; make install, or pip install"
            " 'kinseq[crf]', brings it"
        ) from error

    class Quiet(pycrfsuite.Trainer):
        def message(self, message: str) -> None:
            pass

    return Quiet(algorithm="lbfgs", verbose=False)


def learnt(model: bytes) -> Learnt:
    """Return parameters from a CRFsuite model file; a KinseqError for an unknown format."""
    try:
        magic, _, kind, version, _, _, _, features, labels, attributes, _, _ = struct.unpack_from("<4sI4s9I", model)
        if (magic, kind, version) != (b"lCRF", b"FOMC", 100):
            raise ValueError("unknown header")
        chunk, _, number = struct.unpack_from("<4sII", model, features)
        if chunk != b"FEAT":
            raise ValueError("no features")
        records = np.frombuffer(model, _FEATURE, number, features + 12)
        names = _names(model, attributes), _names(model, labels)
    except (struct.error, ValueError) as error:
        raise KinseqError(
            "the model that CRFsuite wrote has another form; install the required version of python-crfsuite"
        ) from error
    state, transitions = (
        (part["source"], part["target"], np.round(part["weight"], WEIGHT_DECIMALS))
        for part in (records[records["type"] == which] for which in (_STATE, _TRANSITION))
    )
    return Learnt(*names, state, transitions)


def _names(model: bytes, start: int) -> list[str]:
    """Return names by number, from one of the two tables of a model."""
    chunk, _, _, _, number, places = struct.unpack_from("<4s5I", model, start)
    if chunk != b"CQDB":
        raise ValueError("no names")
    names = []
    for place in struct.unpack_from(f"<{number}I", model, start + places):
        _, size = struct.unpack_from("<II", model, start + place)
        first = start + place + 8
        # The last byte is 0.
        names.append(model[first : first + size - 1].decode("utf-8"))
    return names
