"""Answers on a fixed collection of sets, to show that a change of the code's shape changes nothing that people see.

``python benchmarks/unchanged.py write FILE`` clusters every set of the collection and writes one line of JSON for each call:
labels, number of clusters, first sentence, all other sentences, and a digest of the dissimilarities to the last bit.
``python benchmarks/unchanged.py compare BEFORE AFTER`` compares two such files byte for byte, and ends with 1 where they differ;
``--without distance`` leaves out digests of numbers, which follow the last digits, and ``--without sentences`` all text.

The collection holds sets of the laboratory (planted groups, processes and continua), labelled sets that need no download, and small
made-up sets for what these do not have: copies, gaps, single frames, tables, folders, matrices, samples, measures with models.
It takes some minutes on one core. Labelled sets that are in ``KINSEQ_DATA`` are left out where they are not there.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import chdir
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

import kinseq
from answers.sets import sets_named
from kinseq.core.errors import KinseqError
from laboratory.grid import cases

LABELLED = (
    "unit_test",
    "italy_power_demand",
    "hmm_mixture",
    "digits",
    "autoregressive",
    "cylinder_bell_funnel",
    "japanese_vowels",
    "basic_motions",
)
"""Labelled sets, see :mod:`answers.sets`."""
MAX_LABELLED = 40
"""Sequences of each of these that are clustered."""
MAX_GENERATED = 12
"""Sequences of a set of the laboratory, of which one of each kind and number is taken."""

KINDS: Mapping[str, Sequence[str]] = {
    "distance": ("distance", "embedding", "places", "membership", "frame", "files", "page"),
    "sentences": (
        "verdict",
        "alternative_groupings",
        "warnings",
        "notes",
        "choices",
        "summary",
        "explanation",
        "repr",
        "call",
        "said",
        "text",
    ),
}
"""Entries of an answer that a comparison can leave out: digests of numbers and of files, and text."""

Answer = dict[str, Any]
Call = Callable[[], Answer]


def answer_of(found: Any) -> Answer:
    """Return the visible parts of a result, ready for JSON."""
    try:
        distance = digest(found.distance)
    except KinseqError:
        # A sample has no matrix of all sequences.
        distance = digest(found.sample.distance)
    return {
        "number": found.n_clusters,
        "labels": found.labels.tolist(),
        "verdict": found.verdict,
        "alternative_groupings": found.alternative_groupings,
        "warnings": found.warnings(),
        "notes": found.notes,
        "choices": [list(choice) for choice in found.choices],
        "distance": distance,
    }


def digest(array: Any) -> str:
    """Return the digest of an array of numbers, to the last bit."""
    return hashlib.blake2b(np.ascontiguousarray(array, dtype=np.float64).tobytes(), digest_size=8).hexdigest()


def clustered(data: Any, **options: Any) -> Call:
    """Return a call of :func:`kinseq.cluster`."""
    return lambda: answer_of(kinseq.cluster(data, **options))


def estimated(data: Any, new: Any, **options: Any) -> Call:
    """Return a fit of the estimator, and what it says of new sequences."""

    def call() -> Answer:
        fitted = kinseq.SequenceClustering(**options).fit(data)
        answer = {"number": fitted.n_clusters_, "labels": fitted.labels_.tolist(), "notes": list(fitted.notes_)}
        if fitted.distance_ is not None:
            answer["distance"] = digest(fitted.distance_)
        if hasattr(fitted, "analysis_"):
            answer |= {"new": fitted.predict(new).tolist(), "embedding": digest(fitted.embedding_)}
        return answer

    return call


def explained(data: Any, new: Any, **options: Any) -> Call:
    """Everything that a result computes when it is requested, its page, also after saving and loading the result."""

    def call() -> Answer:
        found = kinseq.cluster(data, **options)
        with tempfile.TemporaryDirectory() as folder:
            found.save(Path(folder, "saved"))
            again = kinseq.load(Path(folder, "saved"))
            page = found.report(Path(folder, "page"))
            files = {file.name: file.read_bytes() for file in sorted(page.parent.glob("*.csv"))}
            html = page.read_bytes()
        parts = {}
        for name, result in (("found", found), ("again", again)):
            parts[name] = {
                "summary": result.summary(),
                "frame": result.to_frame().to_csv(),
                "explanation": result.explain().to_csv(),
                "new": result.predict(new).tolist(),
                "places": digest(result.transform(new)),
                "repr": repr(result),
                "medoids": result.medoid_indices_.tolist(),
                "membership": digest(result.membership_),
            }
        return {
            **answer_of(found),
            **parts,
            "call": found.details.call(),
            "files": {name: hashlib.blake2b(text, digest_size=8).hexdigest() for name, text in files.items()},
            "page": hashlib.blake2b(html, digest_size=8).hexdigest(),
        }

    return call


def compared(a: Any, b: Any, **options: Any) -> Call:
    """Return a call of :func:`kinseq.compare`."""
    return lambda: {"text": str(kinseq.compare(a, b, **options))}


def commanded(*words: str) -> Call:
    """Return a call of the command line in a folder of made-up tables: the files that it writes."""

    def call() -> Answer:
        from contextlib import redirect_stdout
        from io import StringIO

        from kinseq.__main__ import main

        said, arguments = StringIO(), sys.argv
        with tempfile.TemporaryDirectory() as home, chdir(home):
            for i, frames in enumerate(made_up(8, 2, seed=3)):
                Path("data").mkdir(exist_ok=True)
                pd.DataFrame(frames, columns=["level", "speed"]).to_csv(f"data/item{i}.csv", index=False)
            try:
                sys.argv = ["kinseq", *words]
                with redirect_stdout(said):
                    code = main()
            finally:
                sys.argv = arguments
            texts = {
                str(path): path.read_text()
                for path in sorted(Path().rglob("results/**/*"))
                if path.suffix in (".csv", ".json")
            }
        return {"code": code, "said": said.getvalue(), "files": texts}

    return call


def made_up(n: int, n_columns: int, seed: int = 0, frames: tuple[int, int] = (25, 40), groups: int = 2) -> list[Any]:
    """Waves whose period says to which of some groups they belong, shape (T, n_columns) each."""
    random, sequences = np.random.default_rng(seed), []
    for i in range(n):
        time = np.arange(int(random.integers(*frames)))
        wave = np.sin(time[:, None] / (2.0 + 2.0 * (i % groups)) + random.uniform(0, 6, n_columns))
        sequences.append(wave + 0.1 * random.normal(size=wave.shape))
    return sequences


def small_calls() -> Iterator[tuple[str, Call]]:
    """Calls on made-up sets."""
    plain, new = made_up(14, 2), made_up(5, 2, seed=9)
    copies = [*plain[:9], plain[0], plain[3].copy()]
    gaps = [frames.copy() for frames in plain]
    gaps[2][4] = np.nan
    rng = np.random.default_rng(1)
    points = np.concatenate([rng.normal(size=(7, 2)), rng.normal(size=(8, 2)) + 5.0])
    matrix = np.sqrt(np.square(points[:, None] - points[None]).sum(axis=2))
    table = pd.concat([pd.DataFrame(x, columns=["a", "b"]).assign(id=f"s{i}") for i, x in enumerate(plain)])
    for measure in ("elastic", "fusion", "dtw", "ssd", "kl_ll", "sym", "pooled", "properties", "dtw,ssd"):
        for number in (None, 2):
            # This one needs the number, or chooses it from a few.
            if measure == "kl_ll" and number is None:
                continue
            yield f"made up, {measure}, {number}", clustered(plain, measure=measure, n_clusters=number)
    yield "a range", clustered(plain, n_clusters=(3, 5))
    yield "copies", clustered(copies)
    yield "copies, number given", clustered(copies, n_clusters=10)
    yield "gaps", clustered(gaps, missing="interpolate", measure="dtw", n_clusters=2)
    yield "stretched", clustered(plain, length="stretch", measure="dtw", n_clusters=2)
    yield "by themselves", clustered(plain, scale="per_sequence", measure="dtw")
    yield "labelled", clustered(plain, labels=[i % 2 for i in range(14)], rate=10.0, n_clusters=2)
    yield "short ones", clustered([*plain, np.zeros((1, 2))], measure="ssd", n_clusters=2)
    yield "a table", clustered(table, id_column="id", n_clusters=2)
    yield "an array", clustered(np.stack([x[:25] for x in plain]), layout="channels_last", measure="dtw", n_clusters=2)
    yield "a constant column", clustered([np.column_stack([x, np.ones(len(x))]) for x in plain], n_clusters=2)
    yield "a matrix", clustered(matrix, measure="precomputed")
    yield "a matrix, number given", clustered(matrix, measure="precomputed", n_clusters=3)
    yield "a function", clustered(plain, measure=lambda x, y: abs(x.std() - y.std()), n_clusters=2)
    yield "other clusterers", clustered(plain, clusterer="hierarchical", n_clusters=3, params={"linkage": "complete"})
    yield "states given", clustered(plain, measure="sym", n_clusters=2, n_states=2)
    yield "nothing to tell apart", clustered([np.ones((5, 1))] * 4)
    yield "two sequences", clustered(plain[:2])
    yield "a sample", explained(made_up(60, 1, groups=3), made_up(4, 1, seed=2), sample=30, measure="dtw")
    yield "a sample, number given", clustered(made_up(60, 1, groups=3), sample=20, measure="dtw", n_clusters=3)
    yield "everything of a result", explained(plain, new, n_clusters=2)
    yield "everything of a result, chosen", explained(copies, new)
    yield "everything of models", explained(plain, new, n_clusters=2, measure="kl_ll")
    yield "everything of a fusion", explained(plain, new, measure="fusion", n_clusters=2)
    yield "estimator", estimated(plain, new, n_clusters=2)
    yield "estimator, dtw", estimated(plain, new, measure="dtw", n_clusters=2)
    yield "estimator, matrix", estimated(matrix, matrix[:3], measure="precomputed", n_clusters=2)
    yield "estimator, items", estimated(plain, new, clusterer="sphere_packing", n_clusters=2)
    yield "estimator, in order", estimated(plain, new, clusterer="segmentation", measure="dtw", n_clusters=2)
    yield (
        "estimator, rows",
        estimated(np.stack([x[:25, 0] for x in plain]), np.stack([x[:25, 0] for x in new]), n_clusters=2),
    )
    yield "two samples", compared(plain[0], plain[1] + 0.2)
    yield "command", commanded("cluster", "data")
    yield (
        "command with options",
        commanded("cluster", "data", "-k", "2", "--measure", "dtw,ssd", "--scale", "none", "--seed", "4"),
    )
    yield (
        "command, a range",
        commanded("cluster", "data", "-k", "2-3", "--sample", "all", "--name", "mine", "--rate", "5"),
    )
    yield "command, two samples", commanded("compare", "data/item0.csv", "data/item1.csv", "--scale", "none")
    yield "command, an error", commanded("cluster", "data", "--measure", "nothing")


def calls() -> Iterator[tuple[str, Call]]:
    """Yield every call of the collection by its name."""
    yield from small_calls()
    seen = set()
    for case, _, _ in cases():
        if case.n <= MAX_GENERATED and (case.kind, case.n) not in seen:
            seen.add((case.kind, case.n))
            sequences = case.draw().sequences
            yield f"laboratory: {case.key}", clustered(sequences)
            yield f"laboratory: {case.key}, two", clustered(sequences, n_clusters=2)
    roots = [Path(os.environ["KINSEQ_DATA"])] if os.environ.get("KINSEQ_DATA") else []
    for entry in sets_named(LABELLED):
        try:
            sequences = entry.sequences(roots, MAX_LABELLED)
        except KinseqError:
            continue
        number = len(set(sequences.labels.tolist())) if sequences.labels is not None else 2
        yield f"labelled: {entry.name}", clustered(sequences)
        yield f"labelled: {entry.name}, number given", clustered(sequences, n_clusters=number)


def write(path: Path, only: str = "") -> None:
    """Write the answers of all calls whose name holds a text, in the order of the collection."""
    count = 0
    with warnings.catch_warnings(), threadpool_limits(1), path.open("w", encoding="utf-8") as file:
        warnings.simplefilter("ignore")
        for name, call in calls():
            if only in name:
                try:
                    answer = call()
                except KinseqError as error:
                    answer = {"error": f"{type(error).__name__}: {error}"}
                print(json.dumps({"call": name, **answer}, sort_keys=True), file=file, flush=True)
                count += 1
    print(f"{count} answers in {path}")


def differences(before: Path, after: Path, without: Sequence[str] = ()) -> list[str]:
    """Return one sentence for each call whose answers differ, or that only one file has, `without` some :data:`KINDS`."""
    left_out = {key for kind in without for key in KINDS[kind]}
    first, second = read(before, left_out), read(after, left_out)
    sentences = [f"{name}: only in {before}" for name in first if name not in second]
    sentences += [f"{name}: only in {after}" for name in second if name not in first]
    for name in first:
        if name in second and first[name] != second[name]:
            a, b = (json.loads(lines[name]) for lines in (first, second))
            keys = [key for key in sorted({*a, *b}) if a.get(key) != b.get(key)]
            shown = "; ".join(f"{key} was {_short(a.get(key))}, is {_short(b.get(key))}" for key in keys)
            sentences.append(f"{name}: {shown}")
    return sentences


def read(path: Path, left_out: Collection[str] = ()) -> Mapping[str, str]:
    """Return lines of a file by the names of their calls, some entries left out at any depth."""

    def kept(answer: Answer) -> Answer:
        entries = {key: value for key, value in answer.items() if key not in left_out}
        return {key: kept(value) if isinstance(value, dict) else value for key, value in entries.items()}

    lines = path.read_text(encoding="utf-8").splitlines()
    names = [json.loads(line)["call"] for line in lines]
    if left_out:
        lines = [json.dumps(kept(json.loads(line)), sort_keys=True) for line in lines]
    return dict(zip(names, lines, strict=True))


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) < 200 else text[:200] + " ..."


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    writing = commands.add_parser("write", help="cluster the collection and write the answers")
    writing.add_argument("file", type=Path)
    writing.add_argument("--only", default="", help="part of the names of the calls to make")
    comparing = commands.add_parser("compare", help="compare the answers of two files")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    comparing.add_argument("--without", action="append", choices=KINDS, default=[], help="entries that may differ")
    options = parser.parse_args(arguments)
    if options.command == "write":
        write(options.file, options.only)
        return 0
    sentences = differences(options.before, options.after, options.without)
    for sentence in sentences:
        print(sentence)
    print(f"{len(read(options.before))} answers, {len(sentences)} differ")
    return 1 if sentences else 0


if __name__ == "__main__":
    sys.exit(main())
