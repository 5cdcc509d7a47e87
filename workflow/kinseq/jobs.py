"""What every job of the workflow does before and after its one library call: open the log, catch errors, check the code."""

from __future__ import annotations

import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from .errors import KinseqError


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
def job(log: str, workflow: str | Path) -> Iterator[None]:
    """Run the body of a workflow script.

    Everything printed, and every warning, goes to the log and to the terminal. An error of kinseq's own is told in its one
    sentence; any other leaves its traceback in the log. Both end the process with status 1.

    Parameters
    ----------
    log : str
        Path of the job's log file.
    workflow : str or Path
        Folder of the workflow. A copy of the library from anywhere else would be run under the fingerprint of this one,
        so it is refused.
    """
    Path(log).parent.mkdir(parents=True, exist_ok=True)
    terminal = sys.stderr
    with Path(log).open("w", encoding="utf-8") as file:
        sys.stdout = sys.stderr = _Tee(file, terminal)
        warnings.showwarning = _show_warning
        try:
            home = Path(__file__).resolve().parent
            if not home.is_relative_to(Path(workflow).resolve()):
                raise KinseqError(
                    f"kinseq was imported from {home}, not from the workflow in {workflow};"
                    " uninstall that copy from the environment that runs the workflow"
                )
            yield
        except KinseqError as error:
            print(f"error: {error}", file=sys.stderr)
            raise SystemExit(1) from None
        except Exception:
            traceback.print_exc(file=sys.stderr)
            raise SystemExit(1) from None
        finally:
            sys.stdout, sys.stderr = sys.__stdout__, terminal


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    print(f"warning: {message}", file=sys.stderr)
