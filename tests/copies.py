"""Copies of the library that may be edited, with the code that was compiled for the checkout."""

from __future__ import annotations

import shutil
from pathlib import Path

from numba.core.caching import UserProvidedCacheLocator

import kinseq
from kinseq.core import compiled

HOME = Path(kinseq.__file__).resolve().parents[1]
IGNORED = shutil.ignore_patterns(".*", "*.egg-info", "numba-*")


def copy_library(folder: Path) -> Path:
    """Copy the folder that kinseq lies in, times of files included.

    Numba keeps compiled code by the place of its source, and would compile everything anew in a copy, for half a minute. What
    is there is put where it looks; it compares times, sizes and the digest in the name of the folder, as it does in the checkout.
    """
    shutil.copytree(HOME, folder, ignore=IGNORED, dirs_exist_ok=True)
    cache = compiled.cache_folder("kinseq")
    if cache is not None and cache.is_relative_to(HOME):
        for part in {path.parent for path in HOME.glob("kinseq/**/*.py")}:
            kept = cache / UserProvidedCacheLocator.get_suitable_cache_subpath(str(part / "a.py"))
            if kept.is_dir():
                there = folder / part.relative_to(HOME) / "a.py"
                name = UserProvidedCacheLocator.get_suitable_cache_subpath(str(there))
                shutil.copytree(kept, folder / cache.relative_to(HOME) / name)
    return folder
