"""The cluster that the tests run on, and a project on a file system that its nodes share."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import psutil
import pytest

from ..workflow.project import ROOT
from . import slurm

PLUGIN = "snakemake-executor-plugin-slurm"
FOLDER = ROOT / ".test-cluster"
"""In the folder of the repository, which the nodes of a cluster have to see anyway."""


@pytest.fixture(scope="session")
def shared() -> Path:
    """An empty folder that all nodes see; what is in it is left for a look where a test fails."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    return FOLDER


@pytest.fixture(scope="session")
def cluster() -> Iterator[str]:
    """A SLURM that works, and its versions; tests are left out with a reason if there is none."""
    way = slurm.way_of(os.environ.get(slurm.VARIABLE))
    if not way:
        pytest.skip("make test-cluster runs these")
    try:
        plugin = version(PLUGIN)
    except PackageNotFoundError:
        pytest.skip(f"{PLUGIN} is not installed; make install-cluster does it")
    if way == "found":
        if lacking := slurm.lacks():
            pytest.skip(f"{lacking}; {slurm.VARIABLE}=install starts one in a machine that can be thrown away")
        yield f"{slurm.answer('sinfo', '--version')}, {PLUGIN} {plugin}"
        return
    cpus, memory = os.cpu_count() or 1, psutil.virtual_memory().total // 2**20
    slurm.require_throwaway(cpus, memory)
    slurm.install()
    # Not on a shared file system: sockets and a database.
    place = Path("/var/tmp/kinseq-slurm")
    shutil.rmtree(place, ignore_errors=True)
    with slurm.one_node(place, cpus, memory):
        yield f"{slurm.answer('sinfo', '--version')} (one node, {cpus} CPUs), {PLUGIN} {plugin}"
    shutil.rmtree(place)
