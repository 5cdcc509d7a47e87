"""Listings of users' folders, and the stamps by which a change of a file is seen."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kinseq.core.errors import DataError, ParameterError
from kinseq.core.folders import walk
from kinseq.readers import files_read, stamp
from kinseq_documents.data import acquire
from tests.reading import read_folder
from tests.sentences import Recorded


def _file(path: Path, text: str = "x\n1\n2\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def _change(path: Path) -> None:
    """The same size at another time."""
    status = path.stat()
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1_000_000_000))


@pytest.mark.parametrize("changed", ["a.csv", "sub/b.csv", "linked/c.csv", "labels.csv", "readme.txt"])
def test_a_change_of_any_file_changes_the_stamp(tmp_path: Path, changed: str) -> None:
    data, elsewhere = tmp_path / "data", tmp_path / "elsewhere"
    for name in ("a.csv", "sub/b.csv", "labels.csv", "readme.txt"):
        _file(data / name)
    _file(elsewhere / "c.csv")
    (data / "linked").symlink_to(elsewhere, target_is_directory=True)
    (elsewhere / "back").symlink_to(data, target_is_directory=True)
    before = stamp(data)
    assert stamp(data) == before
    _change(data / changed)
    assert stamp(data) != before


def test_what_appears_disappears_or_leads_elsewhere_changes_the_stamp(tmp_path: Path) -> None:
    data = tmp_path / "data"
    kept = _file(data / "a.csv")
    one, two = _file(tmp_path / "one.csv"), _file(tmp_path / "two.csv")
    os.utime(two, ns=(one.stat().st_mtime_ns, one.stat().st_mtime_ns))
    (data / "b.csv").symlink_to(one)
    stamps = [stamp(data)]
    (data / "b.csv").unlink()
    (data / "b.csv").symlink_to(two)
    stamps.append(stamp(data))
    _file(data / "labels.csv")
    stamps.append(stamp(data))
    kept.unlink()
    stamps.append(stamp(data))
    assert len(set(stamps)) == 4


def test_labels_outside_the_data_are_stamped(tmp_path: Path) -> None:
    table = _file(tmp_path / "data/all.csv", "id,x\na,1\nb,2\n")
    beside, outside = tmp_path / "data/labels.csv", tmp_path / "classes.csv"
    assert files_read(table) == [table, beside]  # it may appear
    before = [stamp(table), stamp(table, outside), stamp(table, None), stamp(table, "folders")]
    _file(beside)
    _file(outside)
    after = [stamp(table), stamp(table, outside), stamp(table, None), stamp(table, "folders")]
    assert [a != b for a, b in zip(before, after, strict=True)] == [True, True, False, False]
    _change(outside)
    assert stamp(tmp_path / "data", "../classes.csv") != stamp(tmp_path / "data")


def test_listing_prefers_a_folder_to_a_link_to_it(tmp_path: Path, recorded: Recorded) -> None:
    _file(tmp_path / "z/deep/x.csv")
    _file(tmp_path / "b/y.csv")
    (tmp_path / "a").symlink_to(tmp_path / "z/deep", target_is_directory=True)
    (tmp_path / "z/loop").symlink_to(tmp_path, target_is_directory=True)
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "nowhere.csv").symlink_to(tmp_path / "gone")
    found = walk(tmp_path)
    named = {kind: [path.relative_to(tmp_path).as_posix() for path in paths] for kind, paths in vars(found).items()}
    assert named == {
        "files": ["b/y.csv", "nowhere.csv", "z/deep/x.csv"],
        "special": ["pipe.csv"],
        "repeated": ["a", "z/loop"],
    }
    _, notes = read_folder(tmp_path)
    recorded(notes)
    recorded(notes)
    assert any(note.startswith("skipped nowhere.csv") for note in notes)


def test_what_cannot_be_stamped_is_refused(tmp_path: Path, recorded: Recorded) -> None:
    with recorded.raises(DataError):
        stamp(tmp_path / "gone")
    with recorded.raises(ParameterError):
        stamp("")


def test_data_that_somebody_holds_are_stamped_unless_a_checksum_vouches_for_them(tmp_path: Path) -> None:
    held = _file(tmp_path / "gpm/speaker/a.csv")
    entry = {"folder": "gpm", "files": ["*/*.csv"]}
    before = acquire.stamp("gpm", entry, [tmp_path])
    assert len(before) == 16
    _change(held)
    assert acquire.stamp("gpm", entry, [tmp_path]) != before
    assert acquire.stamp("gpm", {**entry, "sha256": "0" * 64}, [tmp_path]) == ""
    assert acquire.stamp("gpm", entry, [tmp_path / "nowhere"]) == ""
