"""Build source archive and wheel, check them, and try the wheel in an empty environment of every Python that is here.

``make dist`` calls it. A Python that the packages kinseq needs cannot be had for is named and left out, unless it is the one that
runs this.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
OLDEST = (3, 11)
PROBE = "import sys; print(*sys.version_info[:2], sys.base_prefix)"
WHERE = "import kinseq, kinseq.cli.console; print(kinseq.__file__, kinseq.__version__)"


def environment(**extra: str) -> dict[str, str]:
    """The environment of this process without what leads to the checkout."""
    kept = {
        name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    }
    return {**kept, "PYTHONHASHSEED": "0", **extra}


def run(*command: str | Path, folder: Path = ROOT, quiet: bool = False) -> subprocess.CompletedProcess[str]:
    """Run a command; what it says is kept if it is to be quiet."""
    return subprocess.run(
        [str(part) for part in command], cwd=folder, env=environment(), text=True, check=False, capture_output=quiet
    )


def must(*command: str | Path, folder: Path = ROOT) -> str:
    """Run a command that has to succeed, and return what it said."""
    done = run(*command, folder=folder, quiet=True)
    if done.returncode:
        sys.exit(f"error: {' '.join(map(str, command))}\n{done.stdout[-6000:]}{done.stderr[-6000:]}")
    return done.stdout


def candidates() -> Iterator[Path]:
    """Programs that may be a Python: this one, those on the path, those of pyenv."""
    yield Path(sys.executable)
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        if folder and Path(folder).is_dir():
            yield from sorted(path for path in Path(folder).iterdir() if re.fullmatch(r"python3\.\d+", path.name))
    yield from sorted((Path.home() / ".pyenv" / "versions").glob("*/bin/python"))


def pythons() -> dict[tuple[int, int], Path]:
    """One Python of each minor version that is new enough."""
    found: dict[tuple[int, int], Path] = {}
    for path in candidates():
        done = run(path, "-c", PROBE, quiet=True)
        if done.returncode == 0:
            major, minor, *_ = done.stdout.split()
            version = (int(major), int(minor))
            if version >= OLDEST:
                found.setdefault(version, path)
    return dict(sorted(found.items()))


def build() -> Path:
    """Both archives, the wheel from the source archive, checked; the wheel."""
    shutil.rmtree(DIST, ignore_errors=True)
    must(sys.executable, "-m", "build", "--no-isolation", "--outdir", DIST, ROOT)
    # What setuptools leaves would be taken for sources by the next build.
    shutil.rmtree(ROOT / "build", ignore_errors=True)
    archives = sorted(DIST.iterdir())
    if [path.suffix for path in archives] != [".whl", ".gz"]:
        sys.exit(f"error: {DIST} holds {[path.name for path in archives]}, expected a wheel and a source archive")
    must(sys.executable, "-m", "twine", "check", "--strict", *archives)
    print("built and checked:", ", ".join(path.name for path in archives), flush=True)
    return archives[0]


def constraints(folder: Path) -> Path:
    """The pinned versions without their hashes."""
    pinned = re.findall(r"^[\w.-]+==[^\s\\]+", (ROOT / "requirements.lock").read_text(encoding="utf-8"), re.MULTILINE)
    file = folder / "constraints.txt"
    file.write_text("\n".join(pinned) + "\n", encoding="utf-8")
    return file


def installed(python: Path, wheel: Path, folder: Path) -> str:
    """Install into an empty environment, with the pinned versions if they can be had; why not, or nothing."""
    must(python, "-m", "venv", folder)
    pip = [
        folder / "bin" / "python",
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--only-binary",
        ":all:",
    ]
    wanted = [str(wheel), "pytest"]
    first = run(*pip, "--constraint", constraints(folder), *wanted, quiet=True)
    if first.returncode == 0:
        return ""
    second = run(*pip, *wanted, quiet=True)
    lines = [line for line in second.stderr.splitlines() if line.startswith("ERROR")]
    return "" if second.returncode == 0 else (lines or second.stderr.splitlines() or ["pip failed"])[-1]


def tried(version: tuple[int, int], python: Path, wheel: Path) -> bool:
    """Whether the tests of the wheel were run under a Python; one that fails ends everything once the others are through."""
    name = ".".join(map(str, version))
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work) / "venv"
        why = installed(python, wheel, folder)
        if why:
            print(f"Python {name}: not tried, {why}", flush=True)
            return False
        inside = folder / "bin" / "python"
        where, number = must(inside, "-c", WHERE, folder=Path(work)).split()
        if not Path(where).is_relative_to(folder) or f"-{number}-" not in wheel.name:
            sys.exit(f"error: Python {name} found kinseq {number} at {where}, expected that of the wheel")
        shutil.copytree(ROOT / "tests" / "wheel", Path(work) / "wheel", ignore=shutil.ignore_patterns("__pycache__"))
        tests = run(inside, "-m", "pytest", "-q", "-p", "no:cacheprovider", "wheel", folder=Path(work), quiet=True)
        print(f"Python {name}:\n{tests.stdout}{tests.stderr}", flush=True)
        if tests.returncode:
            sys.exit(f"error: the tests of the wheel fail under Python {name}")
    return True


def main() -> None:
    """Build, check, try."""
    wheel = build()
    found = pythons()
    # Two side by side: most of the time of each is one thread's, that of pip or of the compiler.
    with ThreadPoolExecutor(2) as pool:
        works = pool.map(lambda version: tried(version, found[version], wheel), found)
        done = {version for version, worked in zip(found, works, strict=True) if worked}
    if sys.version_info[:2] not in done:
        sys.exit("error: the wheel could not be tried under the Python of this environment")
    print("the wheel works under Python", ", ".join(".".join(map(str, version)) for version in sorted(done)))


if __name__ == "__main__":
    main()
