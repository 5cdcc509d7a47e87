"""Remove the locks that a killed run has left in this folder, unless something of it is still at work."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil


def at_work(folder: Path) -> list[psutil.Process]:
    """Return the processes of this machine that run the workflow, or one of its jobs, in a folder."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            words = process.cmdline()
            is_run = any(Path(word).name == "snakemake" for word in words[:4])
            is_job = any("/.snakemake/scripts/" in word for word in words)
            if (is_run or is_job) and Path(process.cwd()) == folder.resolve():
                found.append(process)
    return found


def main() -> int:
    """Unlock the current folder and return the exit status."""
    if living := at_work(Path.cwd()):
        numbers = " ".join(str(process.pid) for process in living)
        print(
            f"error: a run is still at work in this folder (processes {numbers}); wait until it is over, or end it with"
            f" kill {numbers}, and call make unlock again",
            file=sys.stderr,
        )
        return 1
    return subprocess.call([sys.executable, "-m", "snakemake", "--unlock"])


if __name__ == "__main__":
    sys.exit(main())
