"""An interpreter in which nothing has been imported yet."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest


@pytest.fixture
def fresh_python() -> Callable[[str], str]:
    """Runs code in a new interpreter that can import this library, and returns what it printed."""

    def run(code: str) -> str:
        path = [entry for entry in sys.path if entry]
        script = f"import sys; sys.path[:0] = {path!r}\n{code}"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
