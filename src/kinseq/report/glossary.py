"""Terms of the page, explained on the page itself, since a wheel includes no other documentation.

The site fills its tables from the same texts: the first sentences in ``docs/explanation/can-i-believe-it.md``, the words in the
glossary, the settings in ``docs/reference/commands.md``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from ..analysis.verdict import Degree
from ..clustering.registry import get as get_clusterer
from ..options import COMMANDS
from .content import Content


class FirstSentence(NamedTuple):
    """A kind of first sentence: its wording, and how far to believe it."""

    reads: str
    meaning: str


FIRST: Mapping[Degree, FirstSentence] = {
    "clear": FirstSentence(
        "3 groups, clearly separated: 10 with load rising; 10 with load falling; 9 with neither",
        "One view or one property separates the groups clearly: on average, members are several times nearer to each other than to"
        " any other group. Such groups are reliable. Whether they are the groups you want is for you to judge.",
    ),
    "separated": FirstSentence(
        "3 groups, separated: ...",
        "Gaps separate the groups, and every sequence is clearly nearer to its own group than to the next. If the number of groups"
        " was chosen, they are clearer than in data without groups; if you gave it, that was not tested.",
    ),
    "overlapping": FirstSentence(
        "3 groups: ...; 2 sequences lie between them: ...",
        "Some sequences lie between the groups, so it is uncertain where the borders run. If the number of groups was chosen, they"
        " are clearer than in data without groups; if you gave it, that was not tested.",
    ),
    "unclear": FirstSentence(
        "2 groups, but data without groups look as clear: ...",
        "One view shows the groups, but data without groups look as clear under it, for instance by the"
        " moment at which they begin; or no such sequences could be compared. Do not rely on the groups without other evidence.",
    ),
    "continuum": FirstSentence(
        "3 groups without clear gaps between them, perhaps parts of a continuum: ...",
        "The sequences may vary smoothly, with no gaps between the groups. Rely on their order, not on the borders.",
    ),
    "lengths": FirstSentence(
        "2 groups that differ only in length: ...",
        "Only the lengths of the sequences separate these groups. If lengths do not matter, set the option length to stretch, which"
        " compares all sequences at one length.",
    ),
    "too_few": FirstSentence(
        "2 groups; 5 different sequences are too few to judge how well separated they are",
        "So few different sequences cannot show whether there are gaps between groups. More sequences would help.",
    ),
    "phase": FirstSentence(
        "no groups: apparent groups disappear when sequences start at another point of their cycle",
        "The sequences fall into groups, but only by the point of a cycle at which each of them begins: started"
        " elsewhere, they fall into other groups. On this evidence, they form one group.",
    ),
    "none": FirstSentence(
        "no groups found",
        "There is not enough evidence for more than one group: data without groups look as clear. Another measure may"
        " still find some.",
    ),
}
"""First sentences by degree, and their explanations."""

WORDS: Mapping[str, str] = {
    "adjusted Rand index": "How far two partitions agree, for instance clusters and labels: 1 if they are the same, 0 on average by"
    " chance.",
    "dissimilarity": "A number for each pair of sequences: 0 if they are equal, and larger the less similar they are.",
    "effect": "The probability that a member of a cluster has more of a property than a sequence outside it. It is written as"
    " “in 95 of 100 pairs”, or not at all if it is 100; 50 of 100 is chance.",
    "fusion": "Several views combined into one matrix. Two sequences are similar if several views find each among the other's"
    " nearest neighbours.",
    "medoid": "The most typical member of a cluster: the one with the smallest mean dissimilarity to the other members.",
    "membership": "How clearly a sequence belongs to its cluster, from 0 to 1. At 0.5 it is as near to another cluster as to its"
    " own.",
    "data without groups": "Simulated sequences that vary like yours, but come from one source. They show how clear groups look by"
    " chance.",
    "outlier": "A sequence that is far from all others.",
    "p-value": "The probability of a result at least this extreme if there were nothing to find. Small values speak against"
    " chance.",
    "silhouette": "How much nearer a sequence is to its own cluster than to the next one, from −1 to 1. Near 0 it lies between the"
    " two.",
    "stability": "How well a cluster is found again when the analysis is repeated on bootstrap samples, up to 1. From 0.75 on a"
    " cluster is stable; below 0.6 it should not be trusted.",
    "view": "One of the measures that a fusion combines. A view with a vote influences the clusters; a view without a vote is"
    " only shown for comparison.",
    "z-score": "A value minus the mean of its column, divided by the standard deviation.",
}
"""Terms on the page, and their definitions."""

PROPERTIES: Mapping[str, str] = {
    "length": "Number of frames, or the time that they take.",
    "level": "Mean over time, in the unit of the column.",
    "spread": "Standard deviation over time, in the unit of the column.",
    "trend": "Correlation of the values with time, from −1 to 1.",
    "period": "Time from one wave to the next, where one wave of the spectrum carries half of the power and comes twice; in"
    " frames or the unit of the time.",
    "dwell": "Typical time in each of two states, the mean of the upper and the lower one, in frames or the unit of the "
    "time; only where the values are of two states.",
    "time high": "Typical time at a stretch in the upper of two states, in frames or the unit of the time.",
    "time low": "Typical time at a stretch in the lower of two states, in frames or the unit of the time.",
    "form": "Kurtosis of the values, without a unit: 3 of normal noise, 1.5 of a sine, 1 of two values; the larger it is,"
    " the heavier the tails.",
    "roughness": "Root mean square step from frame to frame, divided by the spread of the sequence.",
    "regularity": "Standard deviation of the intervals between upward crossings of the mean, in per cent of their mean.",
    "quickening": "Root mean square step of the second half, divided by that of the first half.",
    "correlation": "Correlation of two columns over time, from −1 to 1.",
    "timing": "Mean time of the squared deviations from the mean, where these have one moment; in per cent of the length, "
    "or in the unit of the time.",
    "event time": "Edge of the largest step, or middle of the largest burst, where it explains half of the variance and more than"
    " a line with a bend does; in per cent of the length, or in the unit of the time.",
    "event size": "Largest distance from the median, in the unit of the column.",
    "events": "Number of stretches that go further than 7.5 median absolute deviations from the median, two that are nearer than"
    " twice their own length and a fiftieth of the sequence being one.",
    "silence": "Windows of 10 ms that lie less than 10 dB above the noise floor of the recording, in per cent of all.",
    "pauses": "Number of silent stretches of at least 50 ms between sounds.",
    "loudness": "Level of what sounds, in dB re full scale; gains of recorders may differ.",
    "overall loudness": "Level of the whole recording, in dB re full scale; gains of recorders may differ.",
    "rise of loudness": "Level of the last third of what sounds against that of the first, in dB.",
    "pulses": "Regular pulses a second.",
    "pitch": "Median frequency at which the sound repeats, over the frames that have one, in Hz.",
    "rise of pitch": "Pitch of the last third of these frames against that of the first, in semitones.",
    "range of pitch": "Distance of the lowest tenth of these frames from the highest tenth, in semitones.",
    "brightness": "Centre of the power spectrum of what sounds, above the noise floor, in Hz.",
    "bandwidth": "Standard deviation of that spectrum around its centre, in Hz.",
    "time in state": "Number of steps in a state, or the time that they take.",
    "entries": "Number of times that a sequence enters a state.",
    "changes": "Number of changes from one state to another.",
    "first state": "State of the first step.",
    "last state": "State of the last step.",
    "transition": "Whether a state is followed by another one at once.",
    "order": "Whether a state comes before another one for the first time.",
    "shape": "Course without its level and spread; the value is its correlation with the typical course of the group, from"
    " −1 to 1.",
}
"""Properties that explain groups, each in one sentence with its unit."""

_LINK = re.compile(r" \(\[[^\]]+\]\([^)]+\)\)| See \[[^\]]+\]\([^)]+\)\.")
"""Links in texts of options, which lead into the repository."""


def meaning(content: Content) -> str:
    """Explain the first sentence of a page; empty if it only confirms a given number."""
    number, result = content.result.n_clusters, content.result
    if content.degree is None or result.options.n_clusters == number == 1 or number == len(result.sequences):
        return ""
    clusterer = get_clusterer(result.options.clusterer)
    if clusterer.finds_n_clusters:
        return (
            f"{clusterer.label} found the groups where sequences lie dense, and their number with them; they were not compared with"
            " data without groups."
        )
    return FIRST[content.degree].meaning


class Setting(NamedTuple):
    """A setting: how to type it, and its meaning, as pieces of which every second one is code."""

    typed: str
    pieces: tuple[str, ...]


def settings() -> list[Setting]:
    """The settings of an analysis, from the table of options."""
    options = COMMANDS["cluster"].options
    return [
        Setting(typed, tuple(_LINK.sub("", entry.text).split("`")))
        for typed, entry in options.items()
        if typed[0] == "-"
    ]
