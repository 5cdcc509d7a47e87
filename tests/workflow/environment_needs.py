"""Imports of the jobs of a rule, found in the source text."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from kinseq.clustering import registry as clusterers
from kinseq.core.registries import Registered
from kinseq.features import registry as features
from kinseq.measures import registry as measures
from kinseq.metrics import registry as metrics
from kinseq.models.kinds import registry as kinds
from kinseq_documents import fingerprint
from kinseq_documents.data import registry as loaders
from kinseq_documents.drawings import registry as drawings
from kinseq_documents.problems import registry as problems

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENTS = sorted((ROOT / "envs").glob("*.yaml"))

# Names of packages in the Python package index that differ from what is imported.
INDEX_NAME = {"PIL": "pillow", "pycrfsuite": "python-crfsuite", "sklearn": "scikit-learn"}
# Named in a message when missing: extras that are off by default, because of their terms of use or because few need
# them.
ASKED_FOR = {"onnxruntime", "praatio", "openpyxl", "edfio", "wfdb", "mne", "fitdecode"}

# Dynamic imports of a job, which cannot be followed, are found from the function that describes its inputs: any entry
# of these registries.
REGISTRIES: dict[str, tuple[Callable[[], dict[str, Registered]], ...]] = {
    "sequences_job": (loaders.modules,),
    "availability_job": (),
    "models_job": (kinds.modules,),
    "distances_job": (measures.modules,),
    "partitions_job": (clusterers.modules, clusterers.segmenters, measures.modules),
    "scores_job": (metrics.modules,),
    "estimates_job": (problems.problems, problems.estimators),
    "estimation_scores_job": (metrics.modules,),
    "times_job": (problems.problems, problems.estimators),
    "drawings_job": (drawings.modules,),
    "example_data_job": (),
    "example_job": (measures.modules, clusterers.modules, kinds.modules, features.modules),
    "multiverse_matrices_job": (measures.modules, kinds.modules),
    "multiverse_pass_job": (),
    "all_readings_job": (),
    "table_job": (metrics.modules,),
    "figure_job": (metrics.modules,),
    "fidelity_job": (metrics.modules,),
    "undecided_job": (metrics.modules,),
    "index_job": (),
    "record_job": (metrics.modules,),
}


@dataclass(frozen=True)
class Rule:
    """A rule that runs a script: its name, or the file of one without, its environment and script, and what says its settings."""

    name: str
    environment: Path
    script: Path
    settings: str


def rules() -> list[Rule]:
    """Every rule of the workflow that runs a script; rules that use another one with other files are not told apart."""
    found = []
    for file in sorted((ROOT / "workflow" / "rules").glob("*.smk")):
        blocks = re.split(r"^(?= *(?:rule|checkpoint)\b)", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
        for block in blocks:
            script = re.search(r'script:\s*"([^"]+)"', block)
            if script:
                environment = re.search(r'conda:\s*"([^"]+)"', block)
                settings = re.search(r"\bsettings=lambda .*?PROJECT\.(\w+_job)\b", block, flags=re.DOTALL)
                name = re.match(r" *(?:rule|checkpoint) (\w+):", block)
                assert environment, f"{file.name}: {block.split(':')[0]} has no conda:"
                assert settings, f"{file.name}: {block.split(':')[0]} has no settings="
                there, run = ((file.parent / path[1]).resolve() for path in (environment, script))
                found.append(Rule(name[1] if name else file.stem, there, run, settings[1]))
    return found


def outside(text: ast.Module) -> set[str]:
    """Packages other than ours and the standard library that a text imports anywhere, but not for the type checker."""
    found: set[str] = set()
    for node in fingerprint.nodes_of(text, typing=False):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found - set(sys.stdlib_module_names) - set(fingerprint.HOMES)


@cache
def outside_of_module(module: str) -> frozenset[str]:
    """Imports between modules of this project."""
    return frozenset(outside(fingerprint.tree_of(module)))


def ours(text: ast.Module) -> set[str]:
    """Modules of our packages that the text of a script imports."""
    found: set[str] = set()
    for node in ast.walk(text):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] in fingerprint.HOMES:
                    found.update(fingerprint.modules_of_package(alias.name))
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in fingerprint.HOMES:
            found.update(fingerprint.modules_of_names(node.module, (alias.name for alias in node.names)))
    return found


def packages(names: Iterable[str]) -> set[str]:
    """Names in the Python package index of what is imported by some names."""
    return {INDEX_NAME.get(name, name) for name in names}


def bundled() -> set[str]:
    """Packages that data sets come inside of."""
    entries = yaml.safe_load((ROOT / "config" / "datasets.yaml").read_text(encoding="utf-8")).values()
    return {entry["bundled"]["package"] for entry in entries if "bundled" in entry}


@cache
def needed(rule: Rule) -> set[str]:
    """Packages, as the Python package index names them, that the jobs of a rule import or read data of."""
    assert rule.settings in REGISTRIES, (
        f"{rule.name}: say in REGISTRIES what jobs with {rule.settings} may import by a name"
    )
    registered = {entry.module for registry in REGISTRIES[rule.settings] for entry in registry().values()}
    text = ast.parse(rule.script.read_text(encoding="utf-8"))
    modules = fingerprint.closure([*ours(text), *registered])
    # Data that a job reads from a package need no import.
    read = bundled() if rule.settings == "sequences_job" else set()
    return packages(outside(text).union(read, *map(outside_of_module, modules))) - ASKED_FOR
