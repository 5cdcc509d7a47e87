"""A digest of source files, for what is remembered on disk and must not outlive the code that made it."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterable
from pathlib import Path


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
