"""What the stages before clustering cost: processor time against the number of sequences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import process_time
from typing import Any

import numpy as np
import pandas as pd

from ..data.mohmm import mixture
from ..measures import ppk, ssd
from ..models.hmm import fit_bank, fit_common, induced_transitions, log_likelihood
from ..progress import Progress
from ..seeds import derive_seed
from ..sequences import SequenceSet

# The same work for every size of data: as many iterations, whether or not EM would stop earlier.
EM: dict[str, Any] = {"n_init": 1, "max_iter": 10, "tol": -float("inf")}
MEAN_LENGTH = 100


def _ssd(sequences: SequenceSet) -> Any:
    return ssd.features(induced_transitions(fit_common(sequences, 4, **EM), sequences))


def _ssd_matrix(sequences: SequenceSet) -> Any:
    return ssd.ssd(induced_transitions(fit_common(sequences, 4, **EM), sequences))


def _loglik(sequences: SequenceSet) -> Any:
    return log_likelihood(fit_bank(sequences, 2, **EM), sequences)


def _ppk(sequences: SequenceSet) -> Any:
    return ppk.ppk(fit_bank(sequences, 2, **EM))


METHODS: Mapping[str, tuple[Any, bool]] = {
    "SSD: common model, induced transitions": (_ssd, False),
    "SSD: with the matrix of distances": (_ssd_matrix, True),
    "PPK: models, matrix of kernels": (_ppk, True),
    "KL-LL, YY, BP, SYM: models, matrix of likelihoods": (_loglik, True),
}
"""What is timed, and whether it compares all pairs."""


def costs(n_sequences: Sequence[int], quadratic_up_to: int, seed: int) -> pd.DataFrame:
    """Processor time of the stages before clustering against the number of sequences, on mixtures of two HMMs.

    Parameters
    ----------
    n_sequences : sequence of int
        Sizes of data sets, rising.
    quadratic_up_to : int
        Largest size for methods that compare all pairs.
    seed : int
        Root seed of the data.

    Returns
    -------
    DataFrame
        Columns method, n_sequences, cpu_seconds (the least of three runs for data sets of up to 1000), and slope: of
        the logarithm of the time against that of the number over the upper decade of the method.
    """
    sizes = sorted(n_sequences)
    arrays, _ = mixture(derive_seed(seed, "costs"), sizes[-1], MEAN_LENGTH, 40.0)
    sequences = SequenceSet.from_arrays(arrays, name="costs")
    for method, _ in METHODS.values():
        method(sequences.subset(np.arange(20)))
    progress = Progress("costs", len(sizes), unit="size")
    rows = []
    for size in sizes:
        part = sequences.subset(np.arange(size))
        for name, (method, pairs) in METHODS.items():
            if pairs and size > quadratic_up_to:
                continue
            times = []
            for _ in range(3 if size <= 1000 else 1):
                start = process_time()
                method(part)
                times.append(process_time() - start)
            rows.append({"method": name, "n_sequences": size, "cpu_seconds": min(times)})
        progress.step()
    table = pd.DataFrame(rows)
    table["slope"] = 0.0
    for method_name, group in table.groupby("method"):
        upper = group[group["n_sequences"] >= group["n_sequences"].max() / 10]
        x, y = np.log(upper["n_sequences"]), np.log(np.maximum(upper["cpu_seconds"], 1e-9))
        slope = float(np.polyfit(x, y, 1)[0]) if len(upper) > 1 else float("nan")
        table.loc[table["method"] == method_name, "slope"] = slope
    return table.sort_values(["method", "n_sequences"], ignore_index=True)
