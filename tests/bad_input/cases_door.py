"""Bad input to ``make cluster``, to the key ``own`` of the configuration, and to the launcher around them."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import launch
import numpy as np
from launcher.owner import Owner, ownership, require_free

import kinseq
from kinseq_app import console
from kinseq_app.readers import read_folder
from kinseq_app.request import checked, default_name, from_words, repeating

from .table import Case


def data(folder: Path, name: str = "data") -> Path:
    """A folder that could be data; nothing here reads it."""
    made = folder / name
    made.mkdir(parents=True)
    (made / "a.csv").write_text("1\n2\n", encoding="utf-8")
    return made


def words(*entries: str, at: str = "data") -> Callable[[Path], Any]:
    """Words of the command line, after the data."""
    return lambda folder: checked(from_words([f"DATA={data(folder, at)}", *entries]), folder / "results")


def key(**own: Any) -> Callable[[Path], Any]:
    """The key ``own`` of a configuration."""
    return lambda folder: checked({"data": str(data(folder)), "name": "it", **own}, folder / "results")


def taken(folder: Path, by: str | None, name: str = "it") -> Path:
    """Results under a name, of some data or of nobody knows what."""
    home = folder / "results/own" / name
    home.mkdir(parents=True)
    (home / "index.html").write_text("an earlier page", encoding="utf-8")
    if by is not None:
        (home / "settings.json").write_text(json.dumps({"own": {"data": by, "name": name}}), encoding="utf-8")
    return folder / "results"


def asked(by: Callable[[Path], str | None], want: str = "it", name: str = "it") -> Callable[[Path], Any]:
    """Ask for a name that is taken."""

    def call(folder: Path) -> Any:
        own = data(folder)
        return checked({"data": str(own), "name": want}, taken(folder, by(folder), name))

    return call


def from_results(place: str, file: str = "") -> Callable[[Path], Any]:
    """Give a place among the results as data."""

    def call(folder: Path) -> Any:
        results = taken(folder, "elsewhere", "earlier")
        (results / "own/earlier/data").mkdir()
        (results / "own/earlier/distance.csv").write_text("id\n")
        return checked({"data": str(folder / place / file), "name": "it"}, results)

    return call


def linked(folder: Path) -> Any:
    """Data that lead to the folder of results by a link."""
    taken(folder, "elsewhere", "earlier")
    (folder / "link").symlink_to(folder / "results")
    return checked({"data": str(folder / "link"), "name": "it"}, folder / "results")


def without_home(folder: Path) -> Any:
    """A home of somebody who is not there."""
    return checked({"data": "~nobody-of-this-name/data", "name": "it"}, folder)


def unreadable(folder: Path) -> Any:
    """Settings beside a page that are broken."""
    results = taken(folder, None)
    (results / "own/it/settings.json").write_text("{half", encoding="utf-8")
    return checked({"data": str(data(folder)), "name": "it"}, results)


def dangling(folder: Path) -> None:
    """A folder of results that leads nowhere."""
    (folder / "results").symlink_to(folder / "gone")
    launch.require_writable(folder / "results/own/it")


def in_the_way(folder: Path) -> None:
    """A file where the folder of results must go."""
    (folder / "results").write_text("")
    launch.require_writable(folder / "results/own/it")


def no_folder(folder: Path) -> None:
    """A place that nobody can write to, not even the superuser."""
    launch.require_writable(Path("/proc/nothing"))


def configured(text: str) -> Callable[[Path], Any]:
    """Folder of results by a configuration."""

    def call(folder: Path) -> Any:
        (folder / "config.yaml").write_text(text, encoding="utf-8")
        return launch.results_folder(folder / "config.yaml")

    return call


def record(host: str, pid: int, started: float, locks: bool = True) -> Callable[[Path], Any]:
    """Start beside the record of another run."""
    return lambda folder: require_free(Owner(host, pid, started).text(), locks, folder / "kinseq.lock")


def twice(folder: Path) -> None:
    """Hold a folder that is held."""
    (folder / "locks").mkdir()
    with ownership(folder / "lock", folder / "locks"), ownership(folder / "lock", folder / "locks"):
        pass


def read_only(folder: Path) -> None:
    """Hold a folder in which nothing can be written."""
    with ownership(folder / "no/such/lock", folder):
        pass


HERE = socket.gethostname()
THIS = Owner.this()
DEAD = 2**22 - 1  # beyond what kernels give by default


def typed(*options: str) -> Callable[[Path], Any]:
    """Options of ``kinseq cluster``, of data that could not be clustered: what is wrong has to be told before."""
    return lambda folder: console.run(["cluster", str(data(folder)), "--results", str(folder / "results"), *options])


def held(**settings: Any) -> Callable[[Path], Any]:
    """A setting of ``kinseq.cluster``, of arrays."""
    return lambda _: kinseq.cluster([np.eye(3) + i for i in range(3)], 2, "mean_vector", **settings)


ARRAY = np.array([1, 2])
THREE = [np.eye(4, 2) + i for i in range(3)]
WILD = (
    *(
        Case(f"setting: an array as {name}", held(**{name: ARRAY}), says=rf"{name} .*array\(\[1, 2\]\)")
        for name in ("width", "kind", "scale", "missing", "on_bad_file", "layout")
    ),
    *(
        Case(
            f"reader: {value!r} as {name}",
            lambda folder, name=name, value=value: read_folder(data(folder), **{name: value}),
            says=rf"{name} (is |array)",
        )
        for name, value in (
            *((name, ARRAY) for name in ("name", "n_jobs", "features", "labels", "missing", "time_column")),
            ("labels", "a\0b"),
            ("labels", "\ud800"),
        )
    ),
    *(
        Case(
            f"setting: {value!r} as {name} of {measure}",
            lambda _, measure=measure, name=name, value=value: kinseq.measures.compute(measure, THREE, **{name: value}),
            says=says,
        )
        for measure, name, value, says in (
            ("mmd", "sigma", "", "sigma is '', expected a positive"),
            ("mmd", "squared", "no", "squared is 'no', expected True or False"),
            ("ppk", "pool", b"x", "pool: cannot be read as numbers"),
            ("ppk", "preset", ARRAY, r"unknown preset array\(\[1, 2\]\)"),
            ("ppk", "covariance", ARRAY, r"unknown covariance array\(\[1, 2\]\)"),
            ("ppk", "model", ARRAY, r"unknown model kind array\(\[1, 2\]\)"),
        )
    ),
    Case("setting: a number as labels", held(labels=np.array(2)), says="labels: are of type ndarray, expected a list"),
    Case(
        "kinseq: a name with the end of a line",
        lambda folder: console.run(["cluster", str(folder / "a\nb"), "--results", str(folder)]),
        says=r"a\\nb: no such file or folder",
    ),
)

CONSOLE = (
    *(
        Case(f"kinseq: results in {what}", typed("--results", place), says=says)
        for what, place, says in (
            ("a folder of the system", "/proc/x", "/proc.*: cannot be written to"),
            ("nothing", "", "--results is empty"),
            ("blanks", "  ", "--results is empty"),
            ("a file", __file__, "is a file where a folder of the results must go"),
            ("a name that is too long", "x" * 300, "cannot be written to"),
            ("a null byte", "a\0b", "cannot be written to .*null byte"),
        )
    ),
    Case(
        "kinseq: a sample below zero",
        typed("--sample", "-5"),
        says="--sample is '-5', expected .* or 'all' to compare all",
    ),
    Case(
        "kinseq: a sample of one", typed("--sample", "1"), says="--sample is '1', expected a whole number of at least 2"
    ),
    Case(
        "kinseq: a sample of many digits",
        typed("--sample", "9" * 30),
        says="--sample is '9+', expected .*nine digits at most",
    ),
    Case(
        "kinseq: clusters of many digits",
        typed("-k", "1" + "0" * 20),
        says="-k is .10+., expected .*nine digits at most",
    ),
    Case("kinseq: half a seed", typed("--seed", "0.5"), says="seed is '0.5', expected a whole number"),
    Case(
        "kinseq: a seed below zero is one",
        lambda _: console.parser().parse_args(["cluster", "data", "--seed", "-1"]).seed,
        gives=lambda seed: seed == -1,
    ),
)

CASES: tuple[Case, ...] = (
    *WILD,
    *CONSOLE,
    # Words of make cluster
    Case("no word at all", lambda _: from_words([]), says=r"name the data: make cluster DATA="),
    Case("blank data", lambda _: from_words(["DATA= "]), says=r"name the data: make cluster DATA="),
    Case("unknown word", words("MEASUER=ssd"), says=r"unknown word 'MEASUER' \(did you mean 'MEASURE'\?\).*STATES"),
    Case("word in lower case", words("k=3"), says=r"unknown word 'k'.*valid names: CLUSTERER, DATA, FEATURES, K"),
    Case("K is empty", words("K="), says=r"K is empty; give a value or leave it out"),
    Case("K is a blank", words("K= "), says=r"K is empty"),
    Case("NAME is blank", words("NAME= "), says=r"NAME is empty"),
    Case("MEASURE is empty", words("MEASURE="), says=r"MEASURE is empty"),
    Case("K in letters", words("K=two"), says=r"K is 'two', expected a whole number of at least 1"),
    Case("K zero", words("K=0"), says=r"K is '0', expected"),
    Case("K negative", words("K=-3"), says=r"K is '-3', expected"),
    Case("K superscript", words("K=²"), says=r"K is '²', expected"),
    Case("K in digits of another script", words("K=٣"), says=r"K is '٣', expected"),
    Case("K with an exponent", words("K=1e3"), says=r"K is '1e3', expected"),
    Case("K with a point", words("K=2.0"), says=r"K is '2.0', expected"),
    Case("K of five thousand digits", words("K=" + "9" * 5000), says=r"K is '9+', expected"),
    Case("K with zeros in front", words("K=007"), gives=lambda own: own["k"] == 7),
    Case("K a range", words("K=3-6"), gives=lambda own: own["k"] == "3-6"),
    Case("K a range with zeros in front", words("K=03-06"), gives=lambda own: own["k"] == "3-6"),
    Case("K a range of one number", words("K=4-4"), gives=lambda own: own["k"] == 4),
    Case(
        "K a range the wrong way round", words("K=6-3"), says=r"K is 6-3, but the lowest number comes first; give 3-6"
    ),
    Case("K a range from one on", words("K=1-3"), says=r"lowest of K is 1, expected a whole number of at least 2"),
    Case(
        "K a range without an end", words("K=3-"), says=r"K is '3-', expected a whole number .*, or a range such as 3-6"
    ),
    Case("K a range of three", words("K=3-4-5"), says=r"K is '3-4-5', expected"),
    Case("K a range with a longer dash", words("K=3\u20136"), says=r"K is '3.6', expected .* a range such as 3-6"),
    Case("K a range with dots", words("K=3..6"), says=r"K is '3\.\.6', expected"),
    Case("K a range in digits of another script", words("K=\u0663-\u0666"), says=r"K is .*, expected"),
    Case("K a range of five thousand digits", words("K=2-" + "9" * 5000), says=r"K is '2-9+', expected"),
    Case("STATES a range", words("STATES=3-6"), says=r"STATES is '3-6', expected a whole number of at least 1"),
    Case("STATES zero", words("STATES=0"), says=r"STATES is '0', expected"),
    Case("STATES superscript", words("STATES=³"), says=r"STATES is '³', expected"),
    Case("unknown measure at the door", words("MEASURE=sdd"), says=r"measure 'sdd' \(did you mean 'ssd'"),
    Case("second measure unknown", words("MEASURE=ssd,dwt"), says=r"measure 'dwt' \(did you mean 'dtw'"),
    Case("measure named twice at the door", words("MEASURE=ssd, ssd"), says=r"ssd, ssd; name none twice"),
    Case("comma at the end of the measures", words("MEASURE=ssd,"), says=r"unknown measure ''"),
    Case("unknown kind at the door", words("KIND=pictures"), says=r"KIND 'pictures'.*valid names: audio"),
    Case("unknown way with missing numbers", words("MISSING=drop"), says=r"MISSING 'drop'.*interpolate, refuse"),
    Case("unknown scale at the door", words("SCALE=z-score"), says=r"SCALE 'z-score' \(did you mean 'zscore'"),
    Case(
        "unknown clusterer at the door",
        words("CLUSTERER=spectrl"),
        says=r"CLUSTERER 'spectrl' \(did you mean 'spectral'",
    ),
    Case(
        "clusterer of sequences at the door",
        words("CLUSTERER=kmeans_of_means"),
        says=r"valid names: hierarchical, ",
    ),
    Case("scale of each sequence", words("SCALE=per_sequence"), gives=lambda own: own["scale"] == "per_sequence"),
    Case(
        "unknown way with lengths at the door",
        words("LENGTH=streched"),
        says=r"LENGTH 'streched' \(did you mean 'stretch'",
    ),
    Case(
        "number of frames as length at the door",
        words("LENGTH=50"),
        says=r"LENGTH '50'.*valid names: as_given, stretch",
    ),
    Case("one length for all", words("LENGTH=stretch"), gives=lambda own: own["length"] == "stretch"),
    Case("labels file that is not there", words("LABELS=truth.csv"), says=r"truth\.csv: no such labels file"),
    Case("value with an equals sign", words("NAME=it", at="a=b"), gives=lambda own: own["data"].endswith("a=b")),
    # Names
    Case("name that climbs", words("NAME=../up"), says=r"NAME '\.\./up' may hold letters"),
    Case("name of a dot", words("NAME=."), says=r"NAME '\.' may hold letters"),
    Case("name of two dots", words("NAME=.."), says=r"NAME '\.\.' may hold letters"),
    Case("name of a hidden folder", words("NAME=.features"), says=r"NAME '\.features' may hold"),
    Case("name with a slash", words("NAME=a/b"), says=r"NAME 'a/b' may hold"),
    Case("name with a line break at its end", key(name="it\n"), says=r"NAME 'it\\n' may hold"),
    Case("name longer than a file name may be", words("NAME=" + "a" * 300), says=r"at most 100 characters"),
    Case("name of the example", words("NAME=vowels"), says=r"'vowels' is that of the example"),
    Case("name of the example in capitals", words("NAME=Vowels"), says=r"'Vowels' is that of the example"),
    Case("data named like the example", words(at="vowels"), says=r"'vowels' is that of the example; give another"),
    Case("name taken by other data", asked(lambda f: str(f / "theirs")), says=r"of other data, .*theirs; give another"),
    Case("name taken by the same data", asked(lambda f: str(f / "data")), gives=lambda own: own["name"] == "it"),
    Case("name taken by the same with a slash", asked(lambda f: f"{f}/data/"), gives=lambda own: own["name"] == "it"),
    Case("name taken by files of nobody", asked(lambda _: None), says=r"no settings\.json says of which data; move it"),
    Case("name taken, its settings broken", unreadable, says=r"no settings\.json says of which data"),
    Case("name that differs by case", asked(lambda f: str(f / "data"), "It"), says=r"'It' differs from 'it'.*case"),
    Case(
        "name with an accent composed otherwise",
        asked(lambda f: str(f / "data"), "pie\u0300ce", "pi\u00e8ce"),
        says=r"may hold letters|by case only",
    ),
    Case("folder of a name without a letter", lambda f: default_name(str(data(f, "%%"))), gives=lambda n: n == "own"),
    Case("folder with a decomposed accent", lambda f: default_name(str(data(f, "e\u0301"))), gives=lambda n: n == "é"),
    Case(
        "folder with a very long name", lambda f: default_name(str(data(f, "x" * 250))), gives=lambda n: len(n) == 100
    ),
    Case("data with a slash at the end", lambda f: default_name(f"{data(f)}/"), gives=lambda name: name == "data"),
    # Data
    Case("data that are not there", lambda f: checked({"data": str(f / "no"), "name": "a"}, f), says=r"no such file"),
    Case("data blank in the configuration", key(data="  "), says=r"name the data"),
    Case("data with a null byte", key(data="a\0b"), says=r"no (such file|path)"),
    Case("data of a name that is not UTF-8", key(data="a\udcff"), says=r"not UTF-8; rename"),
    Case("data with a name too long", key(data="x" * 5000), says=r"no (such file|path)"),
    Case("home of nobody", without_home, says=r"cannot be resolved.*without '~'"),
    Case("data that are a device", key(data="/dev/null"), says=r"a pipe, a socket or a device"),
    Case("data that are an analysis", from_results("results/own/earlier"), says=r"is the result of an analysis"),
    Case("data that are all analyses", from_results("results/own"), says=r"holds the folder of results"),
    Case("data that are the results", from_results("results"), says=r"holds the folder of results"),
    Case("data around the results", from_results(""), says=r"holds the folder of results.*folder of their own"),
    Case("data that lead to the results", linked, says=r"holds the folder of results"),
    Case(
        "data that are a matrix made here", from_results("results/own/earlier", "distance.csv"), says=r"the result of"
    ),
    Case("data of the example", from_results("results/own/earlier/data"), gives=lambda own: own["name"] == "it"),
    # The key own of a configuration
    Case("k as a float", key(k=3.0), gives=lambda own: own["k"] == 3 and isinstance(own["k"], int)),
    Case("k a range as text", key(k="3-6"), gives=lambda own: own["k"] == "3-6"),
    Case("k a range as a list", key(k=[3, 6]), gives=lambda own: own["k"] == "3-6"),
    Case("k a list of one", key(k=[3]), says=r"own\.k is \[3\], expected .*lowest and its highest"),
    Case("k a list the wrong way round", key(k=[6, 3]), says=r"own\.k is 6-3, .*give 3-6"),
    Case("k a list with a fraction", key(k=[2, 3.5]), says=r"highest of own\.k is 3\.5, expected"),
    Case("k in letters", key(k="some"), says=r"own\.k is 'some', expected"),
    Case("sample rate that is no number", key(sample_rate=float("nan")), says=r"own\.sample_rate is nan, expected"),
    Case("sample rate without end", key(sample_rate=float("inf")), says=r"own\.sample_rate is inf, expected"),
    Case("trim without end", key(trim=float("inf")), says=r"own\.trim is inf, expected"),
    Case("list of measures with an unknown one", key(measure=["ssd", "sssd"]), says=r"measure 'sssd' \(did you"),
    Case("labels that are none", key(labels=None), gives=lambda own: own["labels"] is None),
    Case("labels that are blank", key(labels=" "), says=r"labels is ' '"),
    Case("unknown setting at the door", key(clusters=3), says=r"setting 'clusters'"),
    Case("way with bad files unknown", key(on_bad_file="ignore"), says=r"on_bad_file 'ignore'.*refuse, skip"),
    Case("way with lengths that is unknown", key(length="median"), says=r"LENGTH 'median'.*as_given, stretch"),
    # What is written
    Case("results that lead nowhere", dangling, says=r"results: is a link to .*gone, which is not there; make"),
    Case("results that are a file", in_the_way, says=r"results: is a file where a folder .* must go; move it away"),
    Case("results that cannot be written", no_folder, says=r"cannot be written to .*permissions"),
    Case("results named in the configuration", configured("pathvars: {results: r}"), gives=lambda r: r == Path("r")),
    Case("configuration that cannot be read", configured("a: [b"), gives=lambda r: r == Path("results")),
    Case("configuration that is a list", configured("[1, 2]"), gives=lambda r: r == Path("results")),
    *(
        Case(
            f"cores {given!r}", lambda _, given=given: launch.require_cores(given), says=r"CORES is .*expected a whole"
        )
        for given in ("0", "-1", "two", "", "1.5", "²")
    ),
    # Who holds the folder
    Case(
        "folder held on another host", record("elsewhere", os.getpid(), 0.0), says=r"on host elsewhere \(process \d+\)"
    ),
    Case("the same without locks", record("elsewhere", 1, 0.0, locks=False), says=r"holds this folder.*delete .*lock"),
    Case(
        "folder held by a live process", record(HERE, THIS.pid, THIS.started), says=r"another run is at work.*process"
    ),
    Case("folder held by a dead process", record(HERE, DEAD, 0.0), gives=lambda unfinished: unfinished is True),
    Case(
        "number of a process given anew", record(HERE, THIS.pid, THIS.started - 60), gives=lambda found: found is True
    ),
    Case("dead process, no locks", record(HERE, DEAD, 0.0, locks=False), gives=lambda unfinished: unfinished is False),
    Case("locks of nobody", lambda f: require_free("", True, f), says=r"locked by a snakemake.*--unlock"),
    Case("locks and a broken record", lambda f: require_free('{"host": 1}', True, f), says=r"locked by a snakemake"),
    Case("folder held twice", twice, says=r"another run is at work in this folder \(process \d+ on"),
    Case("lock that cannot be written", read_only, says=r"no/such/lock: cannot be written"),
    # The command that repeats it
    Case(
        "blank before the data",
        lambda _: repeating({"data": " a", "name": "a"}, 1),
        gives=lambda line: line == "make cluster DATA='./ a' NAME=a",
    ),
    Case(
        "a range of numbers, again",
        lambda _: repeating({"data": "a", "name": "a", "k": "3-6"}, 1),
        gives=lambda line: line == "make cluster DATA=a K=3-6 NAME=a",
    ),
    Case(
        "one length for all, again",
        lambda _: repeating({"data": "a", "name": "a", "length": "stretch"}, 1),
        gives=lambda line: line == "make cluster DATA=a NAME=a LENGTH=stretch",
    ),
    Case(
        "another seed",
        lambda _: repeating({"data": "a", "name": "a"}, 2),
        gives=lambda line: line.endswith("own --configfile results/own/a/settings.json"),
    ),
    Case(
        "a setting that has no word",
        lambda _: repeating({"data": "a", "name": "a", "trim": 30.0}, 1),
        gives=lambda line: line.startswith("snakemake"),
    ),
)
