"""A SLURM to test with: the one that is there, or one of a single node that lives as long as the tests do."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from kinseq.core.errors import KinseqError, ParameterError

VARIABLE = "KINSEQ_TEST_SLURM"
WAYS = ("found", "install")
"""Use the cluster that is there, or install one into this machine."""
PACKAGES = ("slurmctld", "slurmd", "slurmdbd", "slurm-client", "munge", "mariadb-server")
"""Debian packages of a cluster. The plugin asks for the states of jobs by sacct, which asks a database."""
MUNGE = Path("/run/munge/munge.socket.2")
DATABASE = Path("/run/mysqld/mysqld.sock")
PATIENCE = 90.0
"""Seconds that a daemon gets until it answers."""
LEAST = {"CPUs": 2, "MB of memory": 4000}
"""Resources requested by the largest job of the tests."""

_CONTROLLER = """\
ClusterName=throwaway
SlurmctldHost={host}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
MpiDefault=none
ReturnToService=2
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=localhost
JobAcctGatherType=jobacct_gather/none
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory={memory} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
_ACCOUNTING = """\
DbdHost=localhost
SlurmUser=root
AuthType=auth/munge
StorageType=accounting_storage/mysql
StorageHost=localhost
StorageUser=root
PidFile={folder}/slurmdbd.pid
LogFile={folder}/slurmdbd.log
"""


def way_of(text: str | None) -> str:
    """Which cluster is asked for; empty where none is.

    Raises
    ------
    ParameterError
        If the variable says something else.
    """
    if text and text not in WAYS:
        raise ParameterError(
            f"{VARIABLE} is {text!r}, expected one of {', '.join(WAYS)}, or nothing to leave the tests out"
        )
    return text or ""


def answer(*command: str) -> str | None:
    """Output of a command; None if it is missing, fails or does not return."""
    if shutil.which(command[0]) is None:
        return None
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def lacks() -> str:
    """Why the cluster that is there cannot be used; empty if it can."""
    if not answer("sinfo", "--noheader", "--states", "idle,mixed,allocated"):
        return "no SLURM answers here (sinfo lists no node that works)"
    if answer("sacct", "--allusers", "--clusters", "all", "--starttime", "now", "--noheader") is None:
        return "this SLURM keeps no accounts of jobs (sacct fails), which the plugin of requirements-slurm.lock needs"
    return ""


def require_throwaway(cpus: int, memory: int) -> None:
    """Check that a cluster may and can be installed into this machine, which has so many CPUs and MB of memory.

    Raises
    ------
    KinseqError
        If not.
    """
    for (what, least), there in zip(LEAST.items(), (cpus, memory), strict=True):
        if there < least:
            raise KinseqError(f"{VARIABLE}=install needs {least} {what}, here are {there}; take a larger machine")
    if os.geteuid() != 0:
        raise KinseqError(f"{VARIABLE}=install needs root, in a container or machine that can be thrown away")
    if shutil.which("apt-get") is None:
        raise KinseqError(f"{VARIABLE}=install needs Debian's apt-get; use {VARIABLE}=found where a SLURM runs")
    if answer("sinfo") is not None:
        raise KinseqError(f"{VARIABLE}=install, but a SLURM runs here already; use {VARIABLE}=found")


def install() -> None:
    """Install what is not there yet; its services are not started.

    Raises
    ------
    KinseqError
        If the packages cannot be had.
    """
    if all(shutil.which(name) for name in ("slurmctld", "slurmd", "slurmdbd", "sbatch", "munged", "mariadbd")):
        return
    # RUNLEVEL keeps the services of the packages from being started.
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    for step in (["update"], ["install", "--yes", "--no-install-recommends", *PACKAGES]):
        done = subprocess.run(["apt-get", "-qq", *step], env=quiet, capture_output=True, text=True, check=False)
        if done.returncode:
            raise KinseqError(f"apt-get {step[0]} failed ({' '.join(done.stderr.split())[-300:]}); install it by hand")


@contextlib.contextmanager
def one_node(folder: Path, cpus: int, memory: int) -> Iterator[None]:
    """A cluster of one node while the block runs; commands find it by ``SLURM_CONF``.

    Parameters
    ----------
    folder : Path
        For its configuration, logs and database.
    cpus : int
        That the node has.
    memory : int
        Of the node, in MB.

    Raises
    ------
    KinseqError
        If a daemon does not come up.
    """
    for name in ("state", "spool", "database"):
        (folder / name).mkdir(parents=True)
    known = {"folder": folder, "host": socket.gethostname().split(".")[0], "cpus": cpus, "memory": memory}
    (folder / "slurm.conf").write_text(_CONTROLLER.format(**known), encoding="utf-8")
    (folder / "slurmdbd.conf").write_text(_ACCOUNTING.format(**known), encoding="utf-8")
    (folder / "slurmdbd.conf").chmod(0o600)
    before = os.environ.get("SLURM_CONF")
    os.environ["SLURM_CONF"] = str(folder / "slurm.conf")
    try:
        with contextlib.ExitStack() as stack:
            _start_services(stack, folder)
            _start_cluster(stack, folder)
            yield
    finally:
        if before is None:
            del os.environ["SLURM_CONF"]
        else:
            os.environ["SLURM_CONF"] = before


def _start_services(stack: contextlib.ExitStack, folder: Path) -> None:
    """Who asks (munge), and where the accounts are kept."""
    if answer("munge", "--no-input") is None:
        MUNGE.parent.mkdir(exist_ok=True)
        shutil.chown(MUNGE.parent, "munge", "munge")
        # A leftover socket is replaced.
        _daemon(stack, folder, "munged", "--foreground", "--force", user="munge")
    _until(lambda: answer("munge", "--no-input") is not None, "munged", folder)
    data = folder / "database"
    shutil.chown(data, "mysql", "mysql")
    DATABASE.parent.mkdir(exist_ok=True)
    shutil.chown(DATABASE.parent, "mysql", "mysql")
    made = subprocess.run(
        ["mariadb-install-db", "--user=mysql", f"--datadir={data}"], capture_output=True, text=True, check=False
    )
    if made.returncode:
        raise KinseqError(f"no database could be made ({made.stderr[-300:]}); see the packages of MariaDB")
    own = [f"--datadir={data}", f"--socket={DATABASE}", f"--pid-file={data}/pid"]
    _daemon(stack, folder, "mariadbd", "--no-defaults", "--skip-networking", *own, user="mysql")
    _until(lambda: answer("mariadb-admin", f"--socket={DATABASE}", "ping") is not None, "mariadbd", folder)


def _start_cluster(stack: contextlib.ExitStack, folder: Path) -> None:
    """The accounts, the controller and the node, in that order."""
    # Searched for next to slurm.conf.
    _daemon(stack, folder, "slurmdbd", "-D")
    _until(lambda: answer("sacctmgr", "--noheader", "list", "cluster") is not None, "slurmdbd", folder)
    _daemon(stack, folder, "slurmctld", "-D")
    _until(lambda: answer("sinfo") is not None, "slurmctld", folder)
    _daemon(stack, folder, "slurmd", "-D")
    _until(lambda: not lacks(), "slurmd", folder)


def _daemon(stack: contextlib.ExitStack, folder: Path, name: str, *options: str, user: str = "root") -> None:
    """Start a daemon in the foreground of a session of its own; it is ended with the stack."""
    command = ["runuser", "-u", user, "--", name, *options]
    out = stack.enter_context((folder / f"{name}.out").open("wb"))
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True)

    def end() -> None:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    stack.callback(end)


def _until(holds: Callable[[], bool], name: str, folder: Path) -> None:
    """Wait until a daemon answers."""
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            said = [path.read_text(errors="replace")[-600:] for path in sorted(folder.glob(f"{name}.*"))]
            raise KinseqError(f"{name} does not answer; its log ends with: {' '.join(' '.join(said).split())}")
        time.sleep(0.5)
