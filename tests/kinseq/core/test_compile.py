"""Compilation in advance covers all that the default analysis needs."""

from __future__ import annotations

import subprocess
import sys

import pytest

from kinseq import compile as ahead
from kinseq.core import compiled
from tests.sentences import Recorded

SCRIPT = """
import numpy as np
from numba.core.event import Listener, register
from kinseq.compile import compile_ahead

class Counting(Listener):
    names = []
    def on_start(self, event):
        self.names.append(str(event.data["dispatcher"].py_func))
    def on_end(self, event):
        pass

compile_ahead()
register("numba:compile", Counting())
import kinseq
rng = np.random.default_rng(0)
sequences = [np.sin(np.arange(30) / (1 + i % 2))[:, None] + 0.3 * rng.normal(size=(30, 1)) for i in range(10)]
found = kinseq.cluster(sequences)
found.details.carriers, found.summary(), found.place(sequences[:2])
kinseq.cluster(sequences, 2, "fusion")
print(Counting.names)
"""


@pytest.mark.slow
def test_nothing_is_left_to_compile() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_where_nothing_can_be_kept_it_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], recorded: Recorded
) -> None:
    monkeypatch.setattr(compiled, "cache_folder", lambda package: None)
    assert ahead.main() == 1
    recorded.within(capsys.readouterr().err)
