"""Bad input to ``make test-cluster``."""

from __future__ import annotations

from ..cluster.slurm import LEAST, require_throwaway, way_of
from .table import Case

CPUS, MEMORY = LEAST.values()

CASES = (
    Case("KINSEQ_TEST_SLURM of another word", lambda _: way_of("yes")),
    Case("KINSEQ_TEST_SLURM in capitals", lambda _: way_of("INSTALL")),
    Case("KINSEQ_TEST_SLURM that is empty", lambda _: way_of(""), gives=lambda way: way == ""),
    Case("KINSEQ_TEST_SLURM that is not set", lambda _: way_of(None), gives=lambda way: way == ""),
    Case("a cluster in a machine of one CPU", lambda _: require_throwaway(CPUS - 1, MEMORY)),
    Case("a cluster in a machine of little memory", lambda _: require_throwaway(CPUS, MEMORY - 1)),
)
