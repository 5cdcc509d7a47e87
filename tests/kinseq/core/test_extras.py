"""A package that is missing names the extra that installs it."""

import sys
from pathlib import Path

import numpy as np
import pytest

import kinseq
from kinseq.core.errors import ParameterError
from kinseq.core.extras import from_extra
from tests.sentences import Recorded

PACKAGES = ("librosa", "soundfile", "soxr", "pyarrow", "openpyxl", "praatio", "edfio", "wfdb")


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if no extra were installed."""
    for name in [name for name in sys.modules if name.partition(".")[0] in PACKAGES]:
        monkeypatch.delitem(sys.modules, name)

    class Missing:
        def find_spec(self, name: str, *rest: object) -> None:
            if name.partition(".")[0] in PACKAGES:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(sys, "meta_path", [Missing(), *sys.meta_path])


def test_other_errors_pass() -> None:
    with pytest.raises(ZeroDivisionError), from_extra("audio", "this"):
        _ = 1 / 0


@pytest.mark.parametrize(
    "name, package",
    [
        ("a.parquet", "pyarrow"),
        ("a.xlsx", "openpyxl"),
        ("a.edf", "edfio"),
        ("a.wav", "soundfile"),
    ],
)
def test_a_file_names_the_extra(bare: None, tmp_path: Path, name: str, package: str, recorded: Recorded) -> None:
    # A Parquet file is a set of its own.
    for number in range(1 if package == "pyarrow" else 2):
        (tmp_path / f"{number}{name}").write_bytes(b"x" * (300 + number))
    with recorded.raises(ParameterError):
        kinseq.cluster(tmp_path)


def test_text_tables_and_pages_need_no_extra(bare: None, tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    place = tmp_path / "logs"
    place.mkdir()
    for i in range(8):
        np.savetxt(place / f"{i}.csv", random.normal(5 * (i % 2), 1, (20, 2)), delimiter=",", header="a,b", comments="")
    result = kinseq.cluster(place, 2, "dtw")
    result.report(tmp_path / "page")
    assert sorted(np.bincount(result.labels)) == [4, 4]
    assert (tmp_path / "page" / "index.html").is_file()
