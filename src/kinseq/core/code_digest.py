"""Caches on disk that are valid for one version of the code: digests of source files, folders named by them."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

KEPT_FOLDERS = 4
"""Number of newest folders of other digests that are kept, for example for checkouts that share a cache."""
KEPT_SECONDS = 24 * 3600.0
"""Folders used by a process within this time are kept too."""


def digest(packages: Iterable[str], also: str = "", only: re.Pattern[bytes] | None = None) -> str:
    """Digest (16 hexadecimal digits) of the source files of packages, and of `also`, as a version.

    Packages are given by their full names and are imported; what is no package, as a script, has no files. `only` takes
    the files in which it is found.
    """
    hasher = hashlib.blake2b(also.encode(), digest_size=8)
    for package in sorted(set(packages)):
        for folder in getattr(sys.modules.get(package), "__path__", ()):
            for path in sorted(Path(folder).rglob("*.py")):
                text = path.read_bytes()
                if only is None or only.search(text):
                    name = f"{package}/{path.relative_to(folder).as_posix()}"
                    hasher.update(b"\0" + name.encode() + b"\0" + text)
    return hasher.hexdigest()


def folder_for(name: str, parents: Iterable[Path]) -> Path | None:
    """Make the folder of a digest in the first writable one of some folders; None if none is.

    The last one is the user's cache folder. `name` is ``<kind>-<digest>``; a new folder takes the place of old ones of its kind.
    """
    home = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / __name__.partition(".")[0]
    for parent in (*parents, home):
        folder = parent / name
        try:
            is_new = not folder.exists()
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
            os.utime(folder)
        except OSError:
            continue
        if is_new:
            _remove_old(parent, name.partition("-")[0])
        return folder
    return None


def _remove_old(parent: Path, kind: str) -> None:
    """Remove folders of other digests. Other processes may do so too; one that misses its folder makes it again."""
    aged = []
    for folder in parent.glob(f"{kind}-{'[0-9a-f]' * 16}"):
        try:
            aged.append((folder.stat().st_mtime, folder))
        except OSError:  # removed in the meantime
            continue
    for used, folder in sorted(aged, reverse=True)[KEPT_FOLDERS + 1 :]:
        if used < time.time() - KEPT_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)
