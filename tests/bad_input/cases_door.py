"""Bad input to ``kinseq cluster``: options, names, results."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import kinseq
from kinseq.cli import console
from kinseq.cli.request import checked, default_name, from_texts
from kinseq.core.store import require_writable
from kinseq.readers import read_folder

from .table import Case, texts


def data(folder: Path, name: str = "data") -> Path:
    """A folder that could be data; nothing here reads it."""
    made = folder / name
    made.mkdir(parents=True)
    (made / "a.csv").write_text("1\n2\n", encoding="utf-8")
    return made


def words(*entries: str, at: str = "data") -> Callable[[Path], Any]:
    """Options as they are typed, by their names, beside the data."""
    return lambda folder: checked(from_texts({"data": str(data(folder, at)), **texts(entries)}), folder / "results")


def key(**own: Any) -> Callable[[Path], Any]:
    """Options in their types, by their names."""
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
    require_writable(folder / "results/own/it")


def in_the_way(folder: Path) -> None:
    """A file where the folder of results must go."""
    (folder / "results").write_text("")
    require_writable(folder / "results/own/it")


def no_folder(folder: Path) -> None:
    """A place that nobody can write to, not even the superuser."""
    require_writable(Path("/proc/nothing"))


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
    # Options as they are typed
    Case("blank data", lambda _: from_texts({"data": " "}), says=r"name the data: kinseq cluster path"),
    Case("K is empty", words("k="), says=r"-k is empty; give a value or leave it out"),
    Case("K is a blank", words("k= "), says=r"-k is empty"),
    Case("NAME is blank", words("name= "), says=r"--name is empty"),
    Case("MEASURE is empty", words("measure="), says=r"--measure is empty"),
    Case("K in letters", words("k=two"), says=r"-k is 'two', expected a whole number of at least 1"),
    Case("K zero", words("k=0"), says=r"-k is '0', expected"),
    Case("K negative", words("k=-3"), says=r"-k is '-3', expected"),
    Case("K superscript", words("k=²"), says=r"-k is '²', expected"),
    Case("K in digits of another script", words("k=٣"), says=r"-k is '٣', expected"),
    Case("K with an exponent", words("k=1e3"), says=r"-k is '1e3', expected"),
    Case("K with a point", words("k=2.0"), says=r"-k is '2.0', expected"),
    Case("K of five thousand digits", words("k=" + "9" * 5000), says=r"-k is '9+', expected"),
    Case("K with zeros in front", words("k=007"), gives=lambda own: own["k"] == 7),
    Case("K a range", words("k=3-6"), gives=lambda own: own["k"] == "3-6"),
    Case("K a range with zeros in front", words("k=03-06"), gives=lambda own: own["k"] == "3-6"),
    Case("K a range of one number", words("k=4-4"), gives=lambda own: own["k"] == 4),
    Case(
        "K a range the wrong way round", words("k=6-3"), says=r"-k is 6-3, but the lowest number comes first; give 3-6"
    ),
    Case("K a range from one on", words("k=1-3"), says=r"lowest of -k is 1, expected a whole number of at least 2"),
    Case(
        "K a range without an end",
        words("k=3-"),
        says=r"-k is '3-', expected a whole number .*, or a range such as 3-6",
    ),
    Case("K a range of three", words("k=3-4-5"), says=r"-k is '3-4-5', expected"),
    Case("K a range with a longer dash", words("k=3\u20136"), says=r"-k is '3.6', expected .* a range such as 3-6"),
    Case("K a range with dots", words("k=3..6"), says=r"-k is '3\.\.6', expected"),
    Case("K a range in digits of another script", words("k=\u0663-\u0666"), says=r"-k is .*, expected"),
    Case("K a range of five thousand digits", words("k=2-" + "9" * 5000), says=r"-k is '2-9+', expected"),
    Case("STATES a range", words("n_states=3-6"), says=r"--states is '3-6', expected a whole number of at least 1"),
    Case("STATES zero", words("n_states=0"), says=r"--states is '0', expected"),
    Case("STATES superscript", words("n_states=³"), says=r"--states is '³', expected"),
    Case("unknown measure at the door", words("measure=sdd"), says=r"measure 'sdd' \(did you mean 'ssd'"),
    Case("second measure unknown", words("measure=ssd,dwt"), says=r"measure 'dwt' \(did you mean 'dtw'"),
    Case("measure named twice at the door", words("measure=ssd, ssd"), says=r"ssd, ssd; name none twice"),
    Case("comma at the end of the measures", words("measure=ssd,"), says=r"unknown measure ''"),
    Case("unknown kind at the door", words("kind=pictures"), says=r"--kind 'pictures'.*valid names: audio"),
    Case("unknown way with missing numbers", words("missing=drop"), says=r"--missing 'drop'.*interpolate, refuse"),
    Case("unknown scale at the door", words("scale=z-score"), says=r"--scale 'z-score' \(did you mean 'zscore'"),
    Case(
        "unknown clusterer at the door",
        words("clusterer=spectrl"),
        says=r"--clusterer 'spectrl' \(did you mean 'spectral'",
    ),
    Case(
        "clusterer of sequences at the door",
        words("clusterer=kmeans_of_means"),
        says=r"valid names: hierarchical, ",
    ),
    Case("scale of each sequence", words("scale=per_sequence"), gives=lambda own: own["scale"] == "per_sequence"),
    Case(
        "unknown way with lengths at the door",
        words("length=streched"),
        says=r"--length 'streched' \(did you mean 'stretch'",
    ),
    Case(
        "number of frames as length at the door",
        words("length=50"),
        says=r"--length '50'.*valid names: as_given, stretch",
    ),
    Case("one length for all", words("length=stretch"), gives=lambda own: own["length"] == "stretch"),
    Case("labels file that is not there", words("labels=truth.csv"), says=r"truth\.csv: no such labels file"),
    Case("value with an equals sign", words("name=it", at="a=b"), gives=lambda own: own["data"].endswith("a=b")),
    # Names
    Case("name that climbs", words("name=../up"), says=r"the name '\.\./up' may hold letters"),
    Case("name of a dot", words("name=."), says=r"the name '\.' may hold letters"),
    Case("name of two dots", words("name=.."), says=r"the name '\.\.' may hold letters"),
    Case("name of a hidden folder", words("name=.features"), says=r"the name '\.features' may hold"),
    Case("name with a slash", words("name=a/b"), says=r"the name 'a/b' may hold"),
    Case("name with a line break at its end", key(name="it\n"), says=r"the name 'it\\n' may hold"),
    Case("name longer than a file name may be", words("name=" + "a" * 300), says=r"at most 100 characters"),
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
    Case("k a list of one", key(k=[3]), says=r"-k is \[3\], expected .*lowest and its highest"),
    Case("k a list the wrong way round", key(k=[6, 3]), says=r"-k is 6-3, .*give 3-6"),
    Case("k a list with a fraction", key(k=[2, 3.5]), says=r"highest of -k is 3\.5, expected"),
    Case("k in letters", key(k="some"), says=r"-k is 'some', expected"),
    Case("sample rate that is no number", key(sample_rate=float("nan")), says=r"sample-rate is nan, expected"),
    Case("sample rate without end", key(sample_rate=float("inf")), says=r"sample-rate is inf, expected"),
    Case("trim without end", key(trim=float("inf")), says=r"trim is inf, expected"),
    Case("list of measures with an unknown one", key(measure=["ssd", "sssd"]), says=r"measure 'sssd' \(did you"),
    Case("labels that are none", key(labels=None), gives=lambda own: own["labels"] is None),
    Case("labels that are blank", key(labels=" "), says=r"labels is ' '"),
    Case("unknown setting at the door", key(clusters=3), says=r"setting 'clusters'"),
    Case("way with bad files unknown", key(on_bad_file="ignore"), says=r"on_bad_file 'ignore'.*refuse, skip"),
    Case("way with lengths that is unknown", key(length="median"), says=r"--length 'median'.*as_given, stretch"),
    # What is written
    Case("results that lead nowhere", dangling, says=r"results: is a link to .*gone, which is not there; make"),
    Case("results that are a file", in_the_way, says=r"results: is a file where a folder .* must go; move it away"),
    Case("results that cannot be written", no_folder, says=r"cannot be written to .*permissions"),
)
