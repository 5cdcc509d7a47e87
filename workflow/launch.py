"""Run the workflow from the Makefile: recover from a killed run, look for data, run, and keep the report up to date."""

from __future__ import annotations

import argparse
import fcntl
import json
import re
import subprocess
import sys
import time
from pathlib import Path

import psutil

RESULTS = Path("results")
STATE = Path(".snakemake")
EXAMPLE = "vowels"  # the worked example lies in results/own under this name


def is_running_here() -> bool:
    """Whether a live snakemake process works in this folder."""
    here = Path.cwd()
    for process in psutil.process_iter(["cmdline", "pid"]):
        try:
            words = process.info["cmdline"] or []
            if any(Path(word).name == "snakemake" for word in words[:4]) and Path(process.cwd()) == here:
                return True
        except (psutil.Error, OSError):
            continue
    return False


def snakemake(*arguments: str) -> int:
    """Call snakemake of this environment and return its exit status."""
    return subprocess.call([sys.executable, "-m", "snakemake", *arguments])


def recover() -> None:
    """Remove the lock of a run that was killed; a lock that a live process holds is left alone."""
    locks = list((STATE / "locks").glob("*")) if (STATE / "locks").is_dir() else []
    if not locks:
        return
    if is_running_here():
        sys.exit("error: another run is at work in this folder; wait for it or stop it first")
    print("an earlier run was killed; taking up its work", file=sys.stderr)
    snakemake("--unlock", "--quiet", "all")


def report_is_stale(report: Path) -> bool:
    """Whether any result is younger than the report."""
    if not report.exists():
        return True
    shown = [path for folder in ("tables", "figures", "scores", "own") for path in (RESULTS / folder).rglob("*.*")]
    shown += list(RESULTS.glob("fidelity.*"))
    return any(path.stat().st_mtime > report.stat().st_mtime for path in shown)


def own_settings(entries: list[str]) -> dict[str, str | int]:
    """The key `own` of the configuration from words of the command line, ``WORD=value`` each."""
    # The folder of this file is on the path; nothing else here needs the library.
    from kinseq.own.settings import WORDS

    usage = "make cluster DATA=path/to/folder [K=5] [MEASURE=ssd,kl_ll] [NAME=mine]"
    keys = {word: key for key, word in WORDS.items()}
    own: dict[str, str | int] = {}
    for word, _, value in (entry.partition("=") for entry in entries):
        if word not in keys:
            sys.exit(f"error: {word!r} is not known; valid words: {', '.join(keys)}")
        if value:
            own[keys[word]] = value
    if not own.get("data"):
        sys.exit(f"error: name the data: {usage}")
    path = Path(str(own["data"])).expanduser()
    if not path.exists():
        sys.exit(f"error: {path}: no such file or folder; check the path")
    for key in {"k", "n_states"} & set(own):
        value = str(own[key])
        if not value.isdigit() or int(value) == 0:
            sys.exit(f"error: {WORDS[key]} is {value!r}, expected a whole number of at least 1")
        own[key] = int(value)
    stem = path.resolve().name if path.is_dir() else path.stem
    name = str(own.get("name", "")) or re.sub(r"[^\w.-]+", "_", stem).strip("._-") or "own"
    if not re.fullmatch(r"\w[\w.-]*", name) or name == EXAMPLE:
        what = "is that of the example" if name == EXAMPLE else "may hold letters, digits, '_', '-' and '.'"
        sys.exit(f"error: NAME {name!r} {what}; give another one")
    return own | {"data": str(path), "name": name}


def cluster(options: argparse.Namespace) -> int:
    """Cluster a user's own data and return the exit status."""
    own = own_settings(options.set)
    # A file, as values on the command line of snakemake lose their types.
    settings = STATE / "own.json"
    settings.write_text(json.dumps({"own": own}), encoding="utf-8")
    wanted = ["own", "--cores", options.cores, "--configfile", str(settings)]
    status = snakemake(*wanted, "--quiet", "all")
    if status == 0:
        print(f"done: open {RESULTS / 'own' / str(own['name']) / 'index.html'}")
    else:
        tell_of_configuration(*wanted)
    return status


def tell_of_configuration(*arguments: str) -> None:
    """Say what is wrong with the configuration, if it is that: snakemake keeps it to itself when it is quiet."""
    command = [sys.executable, "-m", "snakemake", *arguments, "--dry-run"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        said = done.stdout.rpartition("WorkflowError")[2].splitlines()[1:]
        print(f"error: {said[0] if said else 'the configuration cannot be read'}", file=sys.stderr)


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", default="quick", choices=["quick", "thesis"])
    parser.add_argument("--cores", default="2")
    parser.add_argument("--own", action="store_true", help="cluster a folder or file of one's own instead")
    parser.add_argument("--set", action="append", default=[], metavar="WORD=value", help="a word of make cluster")
    parser.add_argument("targets", nargs="*", help="what to make; everything if nothing is named")
    options, rest = parser.parse_known_args()
    start = time.monotonic()
    STATE.mkdir(exist_ok=True)
    with (STATE / "kinseq.lock").open("w") as lock:
        try:
            # The kernel drops this lock when the process dies, however it dies.
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit("error: another run is at work in this folder; wait for it or stop it first")
        recover()
        if options.own:
            sys.exit(cluster(options))
        common = [
            "--cores",
            options.cores,
            "--config",
            f"scale={options.scale}",
            *rest,
            "--rerun-incomplete",
            "--quiet",
            "rules",
        ]
        # Downloads come first: which data are there decides what there is to do.
        status = snakemake("data", *common) or snakemake(*options.targets, *common)
        report = RESULTS / "report.html"
        if status == 0 and not options.targets:
            if report_is_stale(report):
                status = snakemake("--report", str(report), "--config", f"scale={options.scale}", "--quiet", "all")
            else:
                print("everything is up to date")
    if status == 0:
        print(
            f"done in {time.monotonic() - start:.0f} s: results/tables, results/figures, results/fidelity.md, {report}"
        )
    sys.exit(status)


if __name__ == "__main__":
    main()
