"""Steps of every job before and after its one library call: open the log, catch errors, check the code, record the use."""

from __future__ import annotations

import os
import resource
import sys
import time
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from kinseq.core import errors, plugins
from kinseq.core.errors import KinseqError
from kinseq.core.store import write_text

BRIEF = "KINSEQ_BRIEF"
"""Variable under which the terminal shows results and errors only."""


HOME, BESIDE = "KINSEQ_HOME", "KINSEQ_BESIDE"
"""Variables in which the workflow passes the :func:`homes` of its planning."""

INTERRUPTED = 130
"""Exit status of a job that Ctrl-C has ended, as shells have it."""


class _Tee:
    """Writes to the log and to the terminal."""

    def __init__(self, *streams: TextIO) -> None:
        self._streams = streams

    def write(self, text: str) -> int:
        for stream in self._streams:
            stream.write(text)
        return len(text)

    def flush(self) -> None:
        for stream in self._streams:
            stream.flush()

    def isatty(self) -> bool:
        return False


@contextmanager
def job(log: str, usage: str | None = None) -> Iterator[None]:
    """Run the body of a workflow script with a log file and, on success, store the result of :func:`used` in `usage`.

    Everything printed, and every warning, goes to the log and to the terminal; to the log alone if the variable
    ``KINSEQ_BRIEF`` is set. An error of kinseq's own is reported in its one sentence; any other leaves its traceback. Both
    go to log and terminal always, and end the process with status 1.

    The workflow names the folders that it has imported kinseq and this package from in the variable ``KINSEQ_HOME``, and those of
    packages that register something in ``KINSEQ_BESIDE``. A copy from anywhere else would be run under the fingerprints of
    that one, so it is refused.
    """
    Path(log).parent.mkdir(parents=True, exist_ok=True)
    terminal = sys.stderr
    with Path(log).open("w", encoding="utf-8") as file:
        aloud = _Tee(file, terminal)
        sys.stdout = sys.stderr = _Tee(file) if os.environ.get(BRIEF) else aloud
        warnings.showwarning = _show_warning
        try:
            _require_as_planned()
            yield
            if usage is not None:
                write_text(usage, used())
        except KinseqError as error:
            print(f"error: {error}", file=aloud)
            raise SystemExit(1) from None
        except KeyboardInterrupt:
            # Ctrl-C reaches every process of the terminal; Snakemake reports the end of the run.
            print("interrupted", file=file)
            raise SystemExit(INTERRUPTED) from None
        except Exception:
            traceback.print_exc(file=aloud)
            raise SystemExit(1) from None
        finally:
            sys.stdout, sys.stderr = sys.__stdout__, terminal


def homes() -> tuple[str, str]:
    """Folders that kinseq and this package are imported from, and those of packages that register something in addition to them."""
    own = Path(errors.__file__).resolve().parents[2], Path(__file__).resolve().parents[1]
    return os.pathsep.join(map(str, own)), os.pathsep.join(
        f"{name} in {home}" for name, home in sorted(plugins.homes().items())
    )


def _require_as_planned() -> None:
    """Refuse code other than that of the plan, which the workflow names in two variables."""
    home, beside = homes()
    planned, planned_beside = os.environ.get(HOME), os.environ.get(BESIDE)
    if planned not in (None, home):
        raise KinseqError(
            f"kinseq was imported from {home}, but the workflow was planned with that in {planned};"
            " take one of them away (pip uninstall kinseq, or PYTHONPATH)"
        )
    if planned_beside not in (None, beside):
        raise KinseqError(
            f"the workflow was planned with {planned_beside or 'nothing'} registered from outside, but this job finds"
            f" {beside or 'nothing'}; install the same packages where Snakemake and where its jobs run"
        )


def announce(*files: str) -> None:
    """Name results on the terminal as they appear; empty pictures of missing data are none."""
    terminal = sys.__stderr__
    if os.environ.get(BRIEF) and terminal is not None:
        print("made " + ", ".join(files), file=terminal, flush=True)


def used() -> str:
    """Return the resources used so far by this process and its children, as a table of one row.

    Seconds since the process began, seconds of processor time, and the largest resident memory in MB. The kernel counts
    them, so that nothing is missed between two looks at the process.
    """
    import psutil

    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    seconds = time.time() - psutil.Process().create_time()
    cpu = own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime
    # Kilobytes, but bytes on macOS.
    peak = max(own.ru_maxrss, children.ru_maxrss) / (2**20 if sys.platform == "darwin" else 2**10)
    return f"seconds\tcpu_seconds\tpeak_memory_mb\n{seconds:.2f}\t{cpu:.2f}\t{peak:.1f}\n"


def account(file: Path, began: float) -> None:
    """Add the resources of a whole run, its jobs and Snakemake itself, to the table that ``make benchmark`` reads.

    Parameters
    ----------
    file : Path
        Table of tab-separated values, which is made if it is not there; one that cannot be written is left as it is.
    began : float
        When the run began, in seconds since 1970.
    """
    rows = file.read_text(encoding="utf-8") if file.is_file() else "began\tended\tcpu_seconds\n"
    used_by = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    cpu = sum(each.ru_utime + each.ru_stime for each in used_by)
    # A failure to write this does not justify ending a run.
    with suppress(OSError):
        write_text(file, f"{rows}{began:.2f}\t{time.time():.2f}\t{cpu:.2f}\n")


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    print(f"warning: {message}", file=sys.stderr)
