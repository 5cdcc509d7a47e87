"""Publishing what runs have left: records and small files of documents go into docs/results, and pages are written again.

What multiverses have left tells how readings were chosen; that is written next to them. Paths are relative to the checkout.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import subprocess
import tarfile
from collections.abc import Iterable, Sequence
from pathlib import Path

import pandas as pd

from kinseq.core.errors import DataError
from kinseq.core.store import replacing, require_writable, write_text

from . import documents, plan
from .evaluation import choices
from .rendering import publish, records

CONFIG = Path("config")

PUBLISHED_READINGS = 2000
"""Readings of a multiverse that are published at most: those that agree best."""

FOLDER = Path("docs/results/documents")
COUNTS = ("config", "src", "workflow", "requirements.lock")
"""Files that decide the results; a commit stands for the results if none of them has changed since."""


def commit_here() -> str:
    """Return the commit that is checked out, and whether files that count were changed since."""

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], capture_output=True, text=True, check=True).stdout.strip()

    try:
        changed = git("status", "--short", "--untracked-files=no", "--", *COUNTS)
        return git("rev-parse", "--short=12", "HEAD") + (" with changes" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def publish_choices(results: Path, folder: Path, commit: str) -> None:
    """Write how readings were chosen next to the published `folder`, if the deciding multiverses are in the results.

    Their tables are copied too, so that the row can be checked.
    """
    found = choices.chosen(documents.experiments(CONFIG).values(), results, commit)
    if found.empty:
        return
    file = folder.parent / publish.CHOICES
    before = pd.read_csv(file) if file.is_file() else found.iloc[:0]
    write_text(file, choices.kept(found, before).to_csv(index=False))
    for name in found["experiment"]:
        record = folder.parent / "multiverse" / name
        record.mkdir(parents=True, exist_ok=True)
        for table in choices.TABLES:
            # The readings are sorted by agreement.
            lines = (
                (results / "multiverse" / name / f"{table}.csv").read_text(encoding="utf-8").splitlines(keepends=True)
            )
            write_text(record / f"{table}.csv", "".join(lines[: PUBLISHED_READINGS + 1]))
    print(f"how readings were chosen: {file}, from {', '.join(dict.fromkeys(found['experiment']))}")


def pack_scores(items: Iterable[records.Record], results: Path) -> Path:
    """Pack the tables of scores behind some items, so that claims can be decided again; the manifest has their checksums.

    The archive stays in the results, outside the repository. Its bytes follow from the tables alone.
    """
    archive = results / "scores.tar.gz"

    def plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.mtime = member.uid = member.gid = 0
        member.uname = member.gname = ""
        member.mode = 0o644
        return member

    names = sorted({name for one in items for name in one["scores"] if (results / name).is_file()})
    with (
        replacing(archive) as draft,
        draft.open("wb") as stream,
        gzip.GzipFile("", "wb", mtime=0, fileobj=stream) as packed,
        tarfile.open(fileobj=packed, mode="w") as tar,
    ):
        for name in names:
            tar.add(results / name, name, filter=plain)
    return archive


def run(arguments: Sequence[str] | None = None) -> int:
    """Publish the documents that are named, and return the exit status.

    Raises
    ------
    DataError
        If their results are not there.
    """
    parser = argparse.ArgumentParser(description="Publish what make thesis has left.")
    parser.add_argument("--document", default=documents.EVERY, help="documents, as V,S; all of them if none is named")
    parser.add_argument("--results", default="results", type=Path, help="folder of the results")
    options = parser.parse_args(arguments)
    named = documents.named(options.document, plan.documents(documents.experiments(CONFIG)))
    results = options.results
    items: dict[str, records.Record] = {}
    for document in named:
        file = results / "documents" / f"{document}.json"
        if not file.is_file():
            raise DataError(f"{file} is not there; make thesis DOCUMENT={document} leaves it")
        items |= {one["id"]: one for one in records.read_records(file)}
    require_writable(FOLDER)
    lock = Path("requirements.lock")
    locks = {lock.name: hashlib.sha256(lock.read_bytes()).hexdigest()} if lock.is_file() else {}
    commit = commit_here()
    publish.publish(items.values(), results, FOLDER, commit, locks)
    print(f"scores behind it, with checksums in {FOLDER / 'manifest.csv'}: {pack_scores(items.values(), results)}")
    publish_choices(results, FOLDER, commit)
    there = publish.published(FOLDER)
    present, left_out = documents.digests(CONFIG, there), documents.left_out(CONFIG, there)
    rules = documents.rules_of_causes(CONFIG)
    outdated = publish.write_pages(FOLDER, present, rules, left_out)
    print(f"published {len(items)} item{'s' if len(items) != 1 else ''}: open {FOLDER / 'index.md'}")
    if outdated:
        print(f"stale, since their configuration was changed: {', '.join(outdated)}; publish their documents again")
    return 0
