"""Digests of files change with what they contain, and files that have not changed are not opened."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kinseq.core import digests
from kinseq.core.digests import content_of


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    made = [tmp_path / f"{name}.csv" for name in "abc"]
    for number, path in enumerate(made):
        path.write_text(f"{number}\n", encoding="utf-8")
    return made


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the files whose contents are read, in a world where each change is an hour old."""
    found: list[str] = []
    read = digests.hashlib.file_digest

    def noted(stream: Any, digest: Callable[[], Any]) -> Any:
        found.append(Path(stream.name).name)
        return read(stream, digest)

    monkeypatch.setattr(digests.hashlib, "file_digest", noted)
    monkeypatch.setattr(digests.time, "time_ns", lambda: 2**62)
    return found


def test_a_file_that_has_not_changed_is_not_opened(files: list[Path], opened: list[str], tmp_path: Path) -> None:
    kept = tmp_path / "folder" / "kept.json"
    first = content_of(files, kept)
    assert sorted(opened) == ["a.csv", "b.csv", "c.csv"]
    opened.clear()
    assert content_of(reversed(files), kept) == first
    assert opened == []
    os.utime(files[1])
    assert content_of(files, kept) == first
    assert opened == ["b.csv"]


@pytest.mark.parametrize("shift", [0, -86_400, 86_400])
def test_another_content_is_seen_whatever_the_date(
    files: list[Path], opened: list[str], tmp_path: Path, shift: int
) -> None:
    kept, status = tmp_path / "kept.json", files[0].stat()
    first = content_of(files, kept)
    files[0].write_text("9\n", encoding="utf-8")
    os.utime(files[0], ns=(status.st_atime_ns, status.st_mtime_ns + shift * 10**9))
    assert content_of(files, kept) != first
    os.utime(files[0], ns=(status.st_atime_ns, status.st_mtime_ns - 3 * 86_400 * 10**9))
    back = content_of(files, kept)
    assert back != first
    os.utime(files[0])
    assert content_of(files, kept) == back


def test_names_count_and_files_that_come_and_go(files: list[Path], opened: list[str], tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    whole = content_of(files, kept)
    files[2].rename(tmp_path / "d.csv")
    renamed = content_of([*files[:2], tmp_path / "d.csv"], kept)
    gone = content_of(files, kept)
    assert len({whole, renamed, gone, content_of(files[:2], kept)}) == 4


def test_what_has_just_changed_is_read_again(
    files: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within a step of the clock of the file system, a second change would leave the same times."""
    kept = tmp_path / "kept.json"
    monkeypatch.setattr(digests.time, "time_ns", lambda: files[0].stat().st_ctime_ns)
    first = content_of(files, kept)
    found: list[str] = []
    read = digests.hashlib.file_digest
    monkeypatch.setattr(digests.hashlib, "file_digest", lambda *given: found.append("read") or read(*given))
    assert content_of(files, kept) == first
    assert len(found) == 3


def test_a_pipe_is_not_opened_and_a_broken_store_is_replaced(
    files: list[Path], opened: list[str], tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe")
    kept = tmp_path / "kept.json"
    kept.write_text("{", encoding="utf-8")
    first = content_of([*files, tmp_path / "pipe"], kept)
    opened.clear()
    assert content_of([*files, tmp_path / "pipe"], kept) == first
    assert opened == []
