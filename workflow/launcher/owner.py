"""One run at a time in a folder, and the work of a killed run taken up again.

A file names the run that holds the folder: host, process and when it started. A lock of the kernel on that file keeps
out a second run on the same host; the record keeps out those on other hosts of a shared file system, where such a lock
need not be seen.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, TextIO

import psutil

from kinseq.core.errors import KinseqError

CLOCK = 2.0
"""Seconds by which two readings of when a process started may differ."""


class Owner(NamedTuple):
    """The process that holds a folder, and when it started, in seconds since 1970."""

    host: str
    pid: int
    started: float

    @classmethod
    def this(cls) -> Owner:
        """The process that asks."""
        return cls(socket.gethostname(), os.getpid(), psutil.Process().create_time())

    @classmethod
    def parse(cls, text: str) -> Owner | None:
        """The owner that a record names; None where it names none."""
        try:
            record = json.loads(text)
            return cls(str(record["host"]), int(record["pid"]), float(record["started"]))
        except (ValueError, KeyError, TypeError):
            return None

    def text(self) -> str:
        """The record."""
        return json.dumps(self._asdict())

    def lives(self) -> bool:
        """Whether the process is still there, on this host; a later one of the same number is another."""
        with suppress(psutil.Error):
            return abs(psutil.Process(self.pid).create_time() - self.started) < CLOCK
        return False


def engine_at_work() -> bool:
    """Whether a live snakemake works in this folder, on this host."""
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            names = {Path(word).name for word in process.cmdline()[:4]}
            if "snakemake" in names and Path(process.cwd()) == Path.cwd():
                return True
    return False


def require_free(record: str, locks: bool, path: Path) -> bool:
    """Whether there is work of a killed run to take up; an error if another run is at work, or may be.

    `record` is what the file at `path` holds; `locks` is whether snakemake's own locks are in the folder.
    """
    owner = Owner.parse(record)
    if owner is not None and owner.host != socket.gethostname():
        raise KinseqError(
            f"a run on host {owner.host} (process {owner.pid}) holds this folder; wait for it, or delete {path} if it is"
            " over"
        )
    if (owner is not None and owner.lives()) or (locks and engine_at_work()):
        raise KinseqError(_busy(owner))
    if locks and owner is None:
        raise KinseqError(
            "this folder is locked by a snakemake that was not called by make, perhaps on another host; wait for it, or"
            " call snakemake --unlock if it is over"
        )
    return locks


@contextmanager
def ownership(path: Path, locks: Path) -> Iterator[bool]:
    """Hold the folder while the block runs; gives whether there is work of a killed run to take up.

    `path` is the file that names the owner, made if need be; `locks` the folder of snakemake's own locks. If any is
    left at the end, so is the record, for the next run to take up. An error if another run is at work, or the file
    cannot be written.
    """
    try:
        file = path.open("a+", encoding="utf-8")
    except OSError as error:
        raise KinseqError(
            f"{path}: cannot be written ({error.strerror}); check the folder and its permissions"
        ) from None
    with file:
        unfinished = require_free(_locked(file), _any(locks), path)
        try:
            _write(file, Owner.this().text())
        except OSError as error:
            raise KinseqError(f"{path}: cannot be written ({error.strerror}); free space or check the folder") from None
        try:
            yield unfinished
        finally:
            if not _any(locks):
                _write(file, "")


def _locked(file: TextIO) -> str:
    """Lock the file of the owner and give its record."""
    file.seek(0)
    try:
        # The kernel drops this lock when the process dies, however it dies.
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise KinseqError(_busy(Owner.parse(file.read()))) from None
    except OSError:
        pass  # a file system without locks; there is the record
    return file.read()


def _write(file: TextIO, record: str) -> None:
    file.truncate(0)  # opened to append, so that it is written from there
    file.write(record)
    file.flush()


def _any(locks: Path) -> bool:
    return locks.is_dir() and any(locks.iterdir())


def _busy(owner: Owner | None) -> str:
    who = f" (process {owner.pid} on {owner.host})" if owner is not None else ""
    return f"another run is at work in this folder{who}; wait for it or stop it first"
