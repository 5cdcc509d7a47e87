"""Next steps, each with its command or call."""

from __future__ import annotations

import shlex
from typing import Any, NamedTuple

from ..analysis.partition import sizes_of
from ..core.folders import LABELS_FILE
from ..core.wording import count
from ..features.recordings import recording_info
from ..options import OPTIONS, typed
from .content import Content

FEW_MEMBERS = 3
"""Number of members up to which a cluster needs more data."""
ARGUMENTS = {"k": "n_clusters"}
"""Command-line names that differ from those of the library."""


class Step(NamedTuple):
    """Next step: text and command."""

    what: str
    command: str


def python(result: Any) -> str:
    """Lines of Python that repeat the result."""
    source = "" if result.details.source is not None else "  # of your own"
    return f"import kinseq\nfound = {result.details.call()}{source}\nfound.report('page')"


def next_steps(content: Content) -> list[Step]:
    """Next steps: another number, scale or measure, more data, labels, new sequences."""
    result, steps = content.result, []
    small = [k + 1 for k, size in enumerate(sizes_of(content.everything.labels).tolist()) if size <= FEW_MEMBERS]
    if small and result.n_clusters > 1:
        which = f"Cluster{'s' * (len(small) > 1)} {', '.join(map(str, small[:8]))}"
        steps.append(
            Step(
                f"{which}: {FEW_MEMBERS} sequences or fewer; add more that are like them, and run it again.",
                result.details.repeat(),
            )
        )
    why = (
        "the evidence is about as good"
        if result.n_clusters > 1
        else "no number is clearer than chance, and this one comes closest"
    )
    for number in list(result.details.candidates)[:2]:
        steps.append(Step(f"{count(number, 'cluster')}: {why}.", _with(result, k=number)))
    if not result.details.has_content:
        return steps
    info = recording_info(content.everything.sequences)
    if info.from_files or not result.details.is_scaled:
        if result.options.scale != "per_sequence":
            text = (
                "Another scale: each sequence scaled by itself, if levels (of microphones or sensors) should not count."
            )
            steps.append(Step(text, _with(result, scale="per_sequence")))
    else:
        text = (
            "Another scale: values as they are, if all columns have the same unit and larger values should count more."
        )
        steps.append(Step(text, _with(result, scale="none")))
    first = result.views[0].measure.name
    if result.details.source is not None and info.feature == "speech":
        text = (
            "Other features: for short words, whoever says them. They need an optional extra (make install-speech, or pip"
            " install 'kinseq[speech]')."
        )
        steps.append(Step(text, _with(result, features="words")))
    if first != "fusion":
        text = "A measure with more views: models and statistics of each sequence vote too, alongside the alignments."
        steps.append(Step(text, _with(result, measure="fusion")))
    if first == "fusion" or result.views[0].measure.requires != "sequences":
        text = "A measure that sees something else: only the course of the values over time."
        steps.append(Step(text, _with(result, measure="elastic")))
    # If groups were found by another measure than the requested one, the command may be the same.
    steps = [step for step in steps if step.command != result.details.repeat() or step.what.startswith("Cluster")]
    held = "they are compared with the clusters that are found."
    if result.details.source is None:
        text = f"Your corrections: save labels.csv above, which has a row for each sequence in the given order; {held}"
        steps.append(
            Step(text, f"labels = pandas.read_csv({LABELS_FILE!r})['label'].tolist()\n{result.details.call(labels=())}")
        )
    else:
        text = f"Your corrections: save labels.csv above into the folder of the data; {held}"
        steps.append(Step(text, _with(result, labels=LABELS_FILE)))
    steps.append(Step("New sequences: which cluster each of them belongs to.", "found.predict(new_sequences)"))
    return steps


def _with(result: Any, **changes: Any) -> str:
    """The command that repeats an analysis with some options changed and a new name, or else a call."""
    words = result.options.command.split(" ", 2)[:2] if result.options.command else []
    suffix = "-".join(str(value).partition(".")[0] for value in changes.values())
    if words == ["kinseq", "cluster"]:
        tokens = shlex.split(result.options.command)
        for key, value in {**changes, "name": f"{result.sequences.name}-{suffix}"}.items():
            option = typed(OPTIONS[key])
            if option in tokens:
                tokens[tokens.index(option) + 1] = str(value)
            else:
                tokens += [option, str(value)]
        return shlex.join(tokens)
    return str(result.details.call(**{ARGUMENTS.get(key, key): value for key, value in changes.items()}))
