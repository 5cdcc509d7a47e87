"""Bad input to the functions that compute a measure by name."""

from __future__ import annotations

import numpy as np

from kinseq import clustering, measures

from .table import Case

PAIR = [np.zeros((5, 2)), np.ones((5, 2))]
LINE = np.abs(np.subtract.outer(np.arange(6.0), np.arange(6.0)))

CASES: tuple[Case, ...] = (
    Case("unknown measure", lambda _: measures.compute("sdd", PAIR)),
    Case("unknown parameter", lambda _: measures.compute("dtw", PAIR, widow=3)),
    Case("unknown property", lambda _: measures.compute("properties", PAIR, only=["size"])),
    Case("no list of properties", lambda _: measures.compute("properties", PAIR, only="length")),
    Case("unknown rows of SSD", lambda _: measures.compute("ssd", PAIR, n_states=1, rows="uniform")),
    Case("unknown diagonal of SYM", lambda _: measures.compute("sym", PAIR, n_states=1, diagonal="one")),
    Case("unknown preset", lambda _: measures.compute("kl_ll", PAIR, n_states=1, preset="tool")),
    Case("spectral: unknown kernel", lambda _: clustering.get("spectral")(LINE, 2, kernel="laplace")),
    Case("spectral: unknown starts", lambda _: clustering.get("spectral")(LINE, 2, starts="random")),
    Case("spectral: unknown embedding", lambda _: clustering.get("spectral")(LINE, 2, embedding="skip")),
    Case("spectral: a grid without an end", lambda _: clustering.get("spectral")(LINE, 2, grid={"low": 0.1, "n": 5})),
    Case("segmentation: unknown kernel", lambda _: clustering.get("spectral_segmentation")(LINE, 2, kernel="laplace")),
)
