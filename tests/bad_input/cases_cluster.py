"""Bad input to ``make test-cluster``."""

from __future__ import annotations

from ..cluster.slurm import LEAST, require_throwaway, way_of
from .table import Case

CPUS, MEMORY = LEAST.values()

CASES = (
    Case(
        "KINSEQ_TEST_SLURM of another word", lambda _: way_of("yes"), r"KINSEQ_TEST_SLURM is 'yes', expected .*install"
    ),
    Case("KINSEQ_TEST_SLURM in capitals", lambda _: way_of("INSTALL"), r"KINSEQ_TEST_SLURM is 'INSTALL', expected"),
    Case("KINSEQ_TEST_SLURM that is empty", lambda _: way_of(""), gives=lambda way: way == ""),
    Case("KINSEQ_TEST_SLURM that is not set", lambda _: way_of(None), gives=lambda way: way == ""),
    Case(
        "a cluster in a machine of one CPU", lambda _: require_throwaway(CPUS - 1, MEMORY), r"2 CPUs, here are 1; take"
    ),
    Case(
        "a cluster in a machine of little memory",
        lambda _: require_throwaway(CPUS, MEMORY - 1),
        r"4000 MB of memory, here are 3999; take",
    ),
)
