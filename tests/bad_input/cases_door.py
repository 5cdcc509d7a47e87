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
from tests.reading import read_folder

from .table import Case, texts


def data(folder: Path, name: str = "data") -> Path:
    """A folder that could be data; nothing here reads it."""
    made = folder / name
    made.mkdir(parents=True)
    (made / "a.csv").write_text("1\n2\n", encoding="utf-8")
    return made


def words(*entries: str, at: str = "data") -> Callable[[Path], Any]:
    """Options as typed, by their names, next to the data."""
    return lambda folder: checked(from_texts({"data": str(data(folder, at)), **texts(entries)}), folder / "results")


def key(**own: Any) -> Callable[[Path], Any]:
    """Options in their types, by their names."""
    return lambda folder: checked({"data": str(data(folder)), "name": "it", **own}, folder / "results")


def taken(folder: Path, by: str | None, name: str = "it") -> Path:
    """Results under a name, of some data or of unknown data."""
    home = folder / "results/own" / name
    home.mkdir(parents=True)
    (home / "index.html").write_text("an earlier page", encoding="utf-8")
    if by is not None:
        (home / "settings.json").write_text(json.dumps({"own": {"data": by, "name": name}}), encoding="utf-8")
    return folder / "results"


def asked(
    by: Callable[[Path], str | None], want: str = "it", name: str = "it", more: str = ""
) -> Callable[[Path], Any]:
    """Ask for a name that is taken, in whose folder one more file may lie."""

    def call(folder: Path) -> Any:
        own, results = data(folder), taken(folder, by(folder), name)
        if more:
            (results / "own" / name / more).write_text("")
        return checked({"data": str(own), "name": want}, results)

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
    """A home of an unknown user."""
    return checked({"data": "~nobody-of-this-name/data", "name": "it"}, folder)


def unreadable(folder: Path) -> Any:
    """Settings next to a page that are broken."""
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
    """A place that is not writable, not even the superuser."""
    require_writable(Path("/proc/nothing"))


def typed(*options: str) -> Callable[[Path], Any]:
    """Options of ``kinseq cluster``, of data that could not be clustered: what is wrong has to be reported before."""
    return lambda folder: console.run(["cluster", str(data(folder)), "--results", str(folder / "results"), *options])


def results_in_a_file(folder: Path) -> Any:
    """A file where the results must go."""
    (folder / "results").write_text("")
    return console.run(["cluster", str(data(folder)), "--results", str(folder / "results")])


def held(**settings: Any) -> Callable[[Path], Any]:
    """A setting of ``kinseq.cluster``, of arrays."""
    return lambda _: kinseq.cluster([np.eye(3) + i for i in range(3)], 2, "mean_vector", **settings)


ARRAY = np.array([1, 2])
THREE = [np.eye(4, 2) + i for i in range(3)]
WILD = (
    *(
        Case(f"setting: an array as {name}", held(**{name: ARRAY}))
        for name in ("width", "kind", "scale", "missing", "on_bad_file", "layout")
    ),
    *(
        Case(
            f"reader: {value!r} as {name}",
            lambda folder, name=name, value=value: read_folder(data(folder), **{name: value}),
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
        )
        for measure, name, value in (
            ("mmd", "sigma", ""),
            ("mmd", "squared", "no"),
            ("ppk", "pool", b"x"),
            ("ppk", "preset", ARRAY),
            ("ppk", "covariance", ARRAY),
            ("ppk", "model", ARRAY),
        )
    ),
    Case("setting: a number as labels", held(labels=np.array(2))),
    Case(
        "kinseq: a name with the end of a line",
        lambda folder: console.run(["cluster", str(folder / "a\nb"), "--results", str(folder)]),
    ),
)

CONSOLE = (
    *(
        Case(f"kinseq: results in {what}", typed("--results", place))
        for what, place in (
            ("a folder of the system", "/proc/x"),
            ("nothing", ""),
            ("blanks", "  "),
            ("a name that is too long", "x" * 300),
            ("a null byte", "a\0b"),
        )
    ),
    Case("kinseq: results in a file", results_in_a_file),
    Case("kinseq: a sample below zero", typed("--sample", "-5")),
    Case("kinseq: a sample of one", typed("--sample", "1")),
    Case("kinseq: a sample of many digits", typed("--sample", "9" * 30)),
    Case("kinseq: clusters of many digits", typed("-k", "1" + "0" * 20)),
    Case("kinseq: half a seed", typed("--seed", "0.5")),
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
    Case("blank data", lambda _: from_texts({"data": " "})),
    Case("K is empty", words("k=")),
    Case("K is a blank", words("k= ")),
    Case("NAME is blank", words("name= ")),
    Case("MEASURE is empty", words("measure=")),
    Case("K in letters", words("k=two")),
    Case("K zero", words("k=0")),
    Case("K negative", words("k=-3")),
    Case("K superscript", words("k=²")),
    Case("K in digits of another script", words("k=٣")),
    Case("K with an exponent", words("k=1e3")),
    Case("K with a point", words("k=2.0")),
    Case("K of five thousand digits", words("k=" + "9" * 5000)),
    Case("K with zeros in front", words("k=007"), gives=lambda own: own["k"] == 7),
    Case("K a range", words("k=3-6"), gives=lambda own: own["k"] == "3-6"),
    Case("K a range with zeros in front", words("k=03-06"), gives=lambda own: own["k"] == "3-6"),
    Case("K a range of one number", words("k=4-4"), gives=lambda own: own["k"] == 4),
    Case("K the first division", words("k=coarse"), gives=lambda own: own["k"] == "coarse"),
    Case("K a range the wrong way round", words("k=6-3")),
    Case("K a range from one on", words("k=1-3")),
    Case("K a range without an end", words("k=3-")),
    Case("K a range of three", words("k=3-4-5")),
    Case("K a range with a longer dash", words("k=3\u20136")),
    Case("K a range with dots", words("k=3..6")),
    Case("K a range in digits of another script", words("k=\u0663-\u0666")),
    Case("K a range of five thousand digits", words("k=2-" + "9" * 5000)),
    Case("STATES a range", words("n_states=3-6")),
    Case("STATES zero", words("n_states=0")),
    Case("STATES superscript", words("n_states=³")),
    Case("unknown measure at the door", words("measure=sdd")),
    Case("second measure unknown", words("measure=ssd,dwt")),
    Case("measure named twice at the door", words("measure=ssd, ssd")),
    Case("comma at the end of the measures", words("measure=ssd,")),
    Case("unknown kind at the door", words("kind=pictures")),
    Case("unknown way with missing numbers", words("missing=drop")),
    Case("unknown scale at the door", words("scale=z-score")),
    Case("unknown clusterer at the door", words("clusterer=spectrl")),
    Case("clusterer of sequences at the door", words("clusterer=kmeans_of_means")),
    Case("scale of each sequence", words("scale=per_sequence"), gives=lambda own: own["scale"] == "per_sequence"),
    Case("unknown way with lengths at the door", words("length=streched")),
    Case("number of frames as length at the door", words("length=50")),
    Case("one length for all", words("length=stretch"), gives=lambda own: own["length"] == "stretch"),
    Case("labels file that is not there", words("labels=truth.csv")),
    Case("value with an equals sign", words("name=it", at="a=b"), gives=lambda own: own["data"].endswith("a=b")),
    # Names
    Case("name that climbs", words("name=../up")),
    Case("name of a dot", words("name=.")),
    Case("name of two dots", words("name=..")),
    Case("name of a hidden folder", words("name=.features")),
    Case("name with a slash", words("name=a/b")),
    Case("name with a line break at its end", key(name="it\n")),
    Case("name longer than a file name may be", words("name=" + "a" * 300)),
    Case("name taken by other data", asked(lambda f: str(f / "theirs")), gives=lambda own: own["name"] == "it"),
    Case("name of the data taken by other data", asked(lambda f: str(f / "theirs"), "data", "data")),
    Case("name taken by other data, with more files", asked(lambda f: str(f / "theirs"), more="thesis.docx")),
    Case("name taken by the same data", asked(lambda f: str(f / "data")), gives=lambda own: own["name"] == "it"),
    Case("name taken by the same with a slash", asked(lambda f: f"{f}/data/"), gives=lambda own: own["name"] == "it"),
    Case("name taken by files of nobody", asked(lambda _: None)),
    Case("name taken, its settings broken", unreadable),
    Case("name that differs by case", asked(lambda f: str(f / "data"), "It")),
    Case("name with an accent composed otherwise", asked(lambda f: str(f / "data"), "pie\u0300ce", "pi\u00e8ce")),
    Case("folder of a name without a letter", lambda f: default_name(str(data(f, "%%"))), gives=lambda n: n == "own"),
    Case("folder with a decomposed accent", lambda f: default_name(str(data(f, "e\u0301"))), gives=lambda n: n == "é"),
    Case(
        "folder with a very long name", lambda f: default_name(str(data(f, "x" * 250))), gives=lambda n: len(n) == 100
    ),
    Case("data with a slash at the end", lambda f: default_name(f"{data(f)}/"), gives=lambda name: name == "data"),
    # Data
    Case("data that are not there", lambda f: checked({"data": str(f / "no"), "name": "a"}, f)),
    Case("data blank in the configuration", key(data="  ")),
    Case("data with a null byte", key(data="a\0b")),
    Case("data of a name that is not UTF-8", key(data="a\udcff")),
    Case("data with a name too long", key(data="x" * 5000)),
    Case("home of nobody", without_home),
    Case("data that are a device", key(data="/dev/null")),
    Case("data that are an analysis", from_results("results/own/earlier")),
    Case("data that are all analyses", from_results("results/own")),
    Case("data that are the results", from_results("results")),
    Case("data around the results", from_results("")),
    Case("data that lead to the results", linked),
    Case("data that are a matrix made here", from_results("results/own/earlier", "distance.csv")),
    Case("data of the example", from_results("results/own/earlier/data"), gives=lambda own: own["name"] == "it"),
    # The key own of a configuration
    Case("k as a float", key(k=3.0), gives=lambda own: own["k"] == 3 and isinstance(own["k"], int)),
    Case("k a range as text", key(k="3-6"), gives=lambda own: own["k"] == "3-6"),
    Case("k a range as a list", key(k=[3, 6]), gives=lambda own: own["k"] == "3-6"),
    Case("k the first division", key(k="coarse"), gives=lambda own: own["k"] == "coarse"),
    Case("k a list of one", key(k=[3])),
    Case("k a list the wrong way round", key(k=[6, 3])),
    Case("k a list with a fraction", key(k=[2, 3.5])),
    Case("k in letters", key(k="some")),
    Case("sample rate that is no number", key(sample_rate=float("nan"))),
    Case("sample rate without end", key(sample_rate=float("inf"))),
    Case("trim without end", key(trim=float("inf"))),
    Case("list of measures with an unknown one", key(measure=["ssd", "sssd"])),
    Case("labels that are none", key(labels=None), gives=lambda own: own["labels"] is None),
    Case("labels that are blank", key(labels=" ")),
    Case("unknown setting at the door", key(clusters=3)),
    Case("way with bad files unknown", key(on_bad_file="ignore")),
    Case("way with lengths that is unknown", key(length="median")),
    # What is written
    Case("results that lead nowhere", dangling),
    Case("results that are a file", in_the_way),
    Case("results that cannot be written", no_folder),
)
