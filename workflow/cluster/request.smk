import shlex
from functools import cache
from pathlib import Path

from kinseq.analysis.options import Options
from kinseq.cli import memory
from kinseq.cli.console import parser, texts
from kinseq.cli.request import PAGE, checked, default_name, from_texts
from kinseq.core.errors import KinseqError
from kinseq.core.wording import speaking
from kinseq.options import COMMAND_LINE
from kinseq.readers.discovery import LABELS_FILE
from kinseq.readers.file_stamp import content, extent, files_read
from kinseq.report.result_names import resolve_path

RESULTS = Path(config["results"]).expanduser()
STAMP = ".made"
"""File that only a run that succeeded leaves; as long as it is not there, the next call runs again."""
GIVEN = {"--name": "name", "--results": "results", "--threads": "threads"}
"""Options of the command that rules give, and what says them here: elsewhere, files would not be those of the rules."""


def words_of_options():
    """The options of the command, one by one."""
    try:
        words = shlex.split(config["options"])
    except ValueError as error:
        raise WorkflowError(
            f"options {config['options']!r} cannot be read ({error}); quote them as for a shell"
        ) from None
    for word in words:
        if (name := word.split("=")[0]) in GIVEN:
            here = "--cores" if name == "--threads" else f"--config {GIVEN[name]}="
            raise WorkflowError(f"options has {name}; leave it out there, and say it by {here}")
    return words


def asked_for():
    """Request for the command, checked as the command checks it."""
    name = config["name"] or default_name(config["data"])
    words = ["cluster", *WORDS, "--name", name, "--", str(resolve_path(config["data"]))]
    try:
        return checked(from_texts(texts(parser().parse_args(words))), RESULTS)
    except SystemExit:
        raise WorkflowError(f"options {config['options']!r} are not those of kinseq cluster, as said above") from None


WORDS = words_of_options()
try:
    with speaking(COMMAND_LINE):
        OWN = asked_for()
        NEW = config["new"] and str(resolve_path(config["new"]))
        PLACE = NEW and default_name(NEW)
except KinseqError as error:
    raise WorkflowError(str(error)) from None

NAME, DATA = OWN["name"], OWN["data"]
LABELS, SEGMENTS = OWN.get("labels", LABELS_FILE), OWN.get("segments")
CLUSTERS, PLACING = f"{RESULTS}/own/{NAME}", f"{RESULTS}/predict/{PLACE}"


def files_of_data(wildcards):
    """Every file that is read; those that another rule makes are made first. Their dates do not count, but their content does."""
    warn_of_triggers()
    return [ancient(str(file)) for file in files_read(DATA, LABELS, segments=SEGMENTS) if file.is_file()]


def files_of_new(wildcards):
    """Every file of the new sequences that is read."""
    return [ancient(str(file)) for file in files_read(NEW) if file.is_file()]


@cache
def content_of_data():
    """Digest of all that is read."""
    return content(DATA, LABELS, SEGMENTS, kept=Path(".snakemake", "kinseq", f"own-{NAME}.json"))


@cache
def content_of_new():
    """Digest of all new sequences that are read."""
    return content(NEW, kept=Path(".snakemake", "kinseq", f"predict-{PLACE}.json"))


def memory_of_data(wildcards, attempt):
    """Memory (MB) by the size of the data, and more when it is tried again."""
    return memory.estimate(extent(DATA, LABELS, segments=SEGMENTS), Options.sample) * attempt


def mark_outdated(folder):
    """Say on the page of an earlier run, which a run that failed leaves, that it is older than the data or the options."""
    page = Path(folder, PAGE)
    sentence = f"This page is older than the data or the options: the last run failed. Its log is in {RESULTS}/logs."
    mark = f'<section class="warn" role="status">{sentence}</section>'
    text = page.read_text(encoding="utf-8") if page.is_file() else mark
    if mark not in text:
        page.write_text(text.replace("<body>", f"<body>{mark}", 1), encoding="utf-8")
