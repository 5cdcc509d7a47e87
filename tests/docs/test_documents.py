"""Links of the documents lead somewhere, and what they say of names, keys and defaults is what the code has."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
import tomllib
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

import kinseq
from kinseq.clustering import registry as clusterers
from kinseq.core.errors import ConfigError, DataError
from kinseq.core.schema import check
from kinseq.measures import registry as measures
from kinseq.models.kinds import registry as kinds
from kinseq_documents import catalogue, documents
from kinseq_documents.data import registry as loaders
from kinseq_documents.drawings import registry as drawings
from kinseq_documents.evaluation import claims
from kinseq_documents.evaluation.fidelity import OPTIONAL_COLUMNS, PUBLISHED_COLUMNS
from kinseq_documents.experiments import ComparisonExperiment
from kinseq_documents.plotting import layout
from kinseq_documents.reference import PLACE, Reference, leaves, parameters
from kinseq_documents.rendering.datasets import page
from kinseq_documents.rendering.verdicts import place
from kinseq_documents.yaml_files import load
from tests.sentences import Recorded

ROOT = Path(__file__).resolve().parents[2]
CONFIG = ROOT / "config"
NAMED = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "config/README.md"]
DOCUMENTS = [ROOT / name for name in NAMED if (ROOT / name).is_file()] + sorted((ROOT / "docs").rglob("*.md"))
PUBLISHED = sorted((CONFIG / "published").glob("*.csv"))
EXPERIMENTS = sorted((CONFIG / "experiments").glob("*.yaml"))


@cache
def parsed(path: Path) -> Any:
    """Content of a YAML file; there are more than a hundred, and many are asked for again and again."""
    return load(path)


def text_of(path: Path) -> str:
    """Markdown without what is code."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "`code`", text)


@cache
def anchors(path: Path) -> frozenset[str]:
    """Targets of a Markdown file: explicit ones, and headings as GitHub names them."""
    whole = path.read_text(encoding="utf-8")
    found = re.findall(r'<a id="([^"]+)"></a>', whole)
    plain = re.sub(r"^```.*?^```", "", whole, flags=re.MULTILINE | re.DOTALL)
    for heading in re.findall(r"^#+ +(.+?) *$", plain, flags=re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("\\", "").lower()
        slug = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        number = 0
        while (name := slug + (f"-{number}" if number else "")) in found:
            number += 1
        found.append(name)
    return frozenset(found)


def links(path: Path) -> list[str]:
    """Relative targets of the links and images of a Markdown file."""
    text = text_of(path)
    found = re.findall(r"\]\(\s*<?([^)\s>]+)>?[^)]*\)", text) + re.findall(r"^\[[^\]]+\]:\s*(\S+)", text, re.MULTILINE)
    return [target for target in found if not re.match(r"[a-z][a-z0-9+.-]*:", target)]


def sections(path: Path) -> dict[str, str]:
    """Text below each heading of any level, up to the next heading."""
    parts = re.split(r"^#+ +(.+?) *$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def rows(section: str) -> list[list[str]]:
    """Cells of the tables of a section, headers and rules left out."""
    found = []
    lines = section.splitlines()
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if line.startswith("|") and not re.match(r"\|[-:| ]+\|$", line) and not re.match(r"\|[-:| ]+\|$", following):
            found.append([cell.strip() for cell in line.strip("|").split("|")])
    assert found, "there is no table in this section, or it is written so that the tests do not see it"
    return found


def code(cell: str) -> list[str]:
    """Contents of code marks in a cell."""
    return re.findall(r"`([^`]+)`", cell)


def readme(section: str) -> list[list[str]]:
    return rows(sections(CONFIG / "README.md")[section])


def test_links_are_found() -> None:
    assert "docs/reference/errata.md" in links(ROOT / "README.md")
    assert "../gallery/plot_which_column.py" in links(ROOT / "docs" / "tutorials" / "sensor-logs.md")
    assert sum(len(links(document)) for document in DOCUMENTS) > 50


def made_from(file: Path) -> Path:
    """Sources of a page of the site that are not in the repository; other files unchanged."""
    place = file.relative_to(ROOT).as_posix() if file.is_relative_to(ROOT) else ""
    if place.startswith("docs/examples/images/sphx_glr_"):
        file = ROOT / "docs" / "gallery" / f"{file.stem.removeprefix('sphx_glr_').rpartition('_')[0]}.py"
    elif place == "docs/examples/index":
        file = ROOT / "docs" / "gallery" / "GALLERY_HEADER.rst"
    elif place.startswith("docs/examples/"):
        file = ROOT / "docs" / "gallery" / f"{file.name}.py"
    elif place.startswith("docs/reference/api/"):
        file = ROOT / "docs" / "_site" / "api_pages.py"
    return file


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_relative_links_lead_somewhere(document: Path) -> None:
    for target in links(document):
        name, _, anchor = target.partition("#")
        file = made_from((document.parent / name).resolve()) if name else document
        assert file.exists(), f"{document.name}: {target} does not exist"
        assert file.is_relative_to(ROOT), f"{document.name}: {target} leads out of the repository"
        if anchor:
            assert anchor in anchors(file), f"{document.name}: {target}: there is no such anchor"


def test_anchors_of_the_errata_are_unique() -> None:
    found = re.findall(r'<a id="([^"]+)"></a>', (ROOT / "docs" / "reference" / "errata.md").read_text(encoding="utf-8"))
    assert len(found) == len(set(found))


def test_entries_of_the_errata_say_all_four_things() -> None:
    text = (ROOT / "docs" / "reference" / "errata.md").read_text(encoding="utf-8").partition('<a id="later"></a>')[0]
    entries = re.split(r"^### ", text, flags=re.MULTILINE)
    assert len(entries) > 40
    for before, entry in pairwise(entries):
        title = entry.partition("\n")[0]
        assert re.search(r'<a id="[^"]+"></a>\n\Z', before), f"{title}: has no anchor above it"
        said = re.findall(r"^- \*\*(\w+)\*\*:", entry, re.MULTILINE)
        assert said == ["Printed", "Problem", "Reading", "Option"], title


@pytest.mark.parametrize("published", PUBLISHED, ids=lambda path: path.stem)
def test_errata_of_published_numbers_exist(published: Path) -> None:
    known = anchors(ROOT / "docs" / "reference" / "errata.md")
    with published.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            for slug in row["errata"].split():
                assert slug in known, f"{published.name}: {slug} is no anchor in docs/reference/errata.md"


def test_columns_of_published_numbers_are_explained() -> None:
    assert tuple(code(row[0])[0] for row in readme(r"published/\<id\>.csv")) == (
        *PUBLISHED_COLUMNS,
        *OPTIONAL_COLUMNS,
    )
    for published in PUBLISHED:
        columns = tuple(published.read_text(encoding="utf-8").splitlines()[0].split(","))
        assert columns in (PUBLISHED_COLUMNS, (*PUBLISHED_COLUMNS, *OPTIONAL_COLUMNS))


SCHEMAS = {path.name.split(".")[0] for path in (ROOT / "workflow" / "schemas").glob("*.yaml")}
TABLES = {
    "config/README.md": {"settings", "loaders", "drawings"}
    | {f"schema {name}" for name in SCHEMAS - {"config"}}
    | {f"kind {name}" for name in kinds.names()},
    "docs/reference/measures.md": {"measures", "clusterers"},
}


@pytest.mark.parametrize("page", sorted(TABLES))
def test_tables_of_the_reference_are_those_of_the_code(page: str) -> None:
    written = (ROOT / page).read_text(encoding="utf-8")
    reference = Reference(ROOT / "workflow" / "schemas", parsed(CONFIG / "config.yaml"))
    assert reference.fill(written) == written, "call make pages"
    assert {place[2] for place in PLACE.finditer(written)} == TABLES[page]


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_every_key_of_a_schema_is_explained(name: str) -> None:
    whole = parsed(ROOT / "workflow" / "schemas" / f"{name}.schema.yaml")
    entries = whole.get("additionalProperties")
    schema = {**entries, "$defs": whole.get("$defs", {})} if isinstance(entries, dict) else whole
    rows = list(leaves(schema))
    assert len(rows) > 2
    for path, _, text in rows:
        assert text, f"{name}: {path} has no description in its schema"


def test_parameters_stand_with_their_defaults_and_what_is_said_of_them(recorded: Recorded) -> None:
    params = {"shape": "a", "most": None, "sizes": (1, 2), "open": True}
    recorded(parameters(params, {"most": "all"}))
    assert parameters({"names": None, "n": 3}, {"names": "in order"}, needed=True) == "`names` (in order), `n: 3`"


def test_a_place_for_a_table_that_there_is_not_is_refused(recorded: Recorded) -> None:
    reference = Reference(ROOT / "workflow" / "schemas", {})
    with recorded.raises(DataError):
        reference.fill("<!-- table: loader -->\n<!-- end of table -->\n")


def test_what_is_explained_in_a_table_has_words() -> None:
    for name in loaders.modules():
        entry = loaders.get(name)
        assert entry.label, name
        assert set(entry.notes) <= set(entry.params), name
    for name in drawings.modules():
        assert set(drawings.get(name).notes) <= set(drawings.get(name).params), name


def test_files_of_the_configuration_fit_their_schemas() -> None:
    # An analysis of one's own data is requested on the command line, and has no file here.
    for name in SCHEMAS - {"cluster"}:
        schema = parsed(ROOT / "workflow" / "schemas" / f"{name}.schema.yaml")
        of_kind = [path for path in EXPERIMENTS if parsed(path).get("kind", "comparison") == name]
        for path in of_kind or [CONFIG / f"{name}.yaml"]:
            check(parsed(path), schema, path.name)


def valid_names(message: str) -> set[str]:
    """Names that a message about an unknown one lists."""
    return set(message.rpartition("valid names: ")[2].split(", "))


def test_keys_of_render_are_explained() -> None:
    for section, kind in (("render, tables", "table"), ("render, curves", "curves")):
        with pytest.raises(ConfigError) as caught:
            layout.check(ComparisonExperiment.read({"id": "x", "render": {"kind": kind, "no_such_key": 1}}))
        assert {code(row[0])[0] for row in readme(section)} == valid_names(str(caught.value)), section


def test_defaults_of_render_are_explained() -> None:
    needed = {"x_label": "x", "panels": ["spectral"], "lines": ["sym"]}
    for section, render in (
        ("render, tables", {"kind": "table"}),
        ("render, curves", {"kind": "curves", **needed}),
    ):
        filled = layout.check(ComparisonExperiment.read({"id": "x", "title": "the title", "render": render}))
        for key, default, *_ in readme(section):
            if code(default):
                assert filled[code(key)[0]] == yaml.safe_load(code(default)[0]), key


def test_keys_of_claims_are_explained() -> None:
    with pytest.raises(ConfigError) as caught:
        claims.check_claim({"no_such_key": 1})
    general = [row for row in readme("claims") if len(row) == 2]
    assert {code(row[0])[0] for row in general} == valid_names(str(caught.value))
    kinds = {code(row[0])[0]: row for row in readme("claims") if len(row) == 4}
    assert set(kinds) == set(claims.KEYS)
    for name, (required, optional) in claims.KEYS.items():
        assert set(code(kinds[name][1])) == required, name
        assert set(code(kinds[name][2])) == optional, name


def test_the_page_on_data_is_that_of_the_configuration() -> None:
    entries = parsed(CONFIG / "datasets.yaml")
    assert (ROOT / "docs" / "reference" / "data.md").read_text(encoding="utf-8") == page(entries), "call make pages"
    read = {name: entry for name, entry in entries.items() if entry.get("folder") and not entry.get("gone")}
    assert not [name for name, entry in read.items() if not (entry.get("licence") and entry.get("citation"))]
    # Every data set has a row, whatever the section.
    text = page(entries)
    for name in entries:
        assert text.count(f"\n| `{name}` |") == 1


def test_the_list_of_targets_says_what_each_shows_and_costs() -> None:
    text = (ROOT / "docs" / "reference" / "experiments.md").read_text(encoding="utf-8")
    assert documents.with_costs(text, CONFIG, place) == text, "call make pages"
    assert "| T Table 2.1, P2 Table 1: Likelihood-matrix distances on real data | `tab2_1` |" in text
    known = documents.costs(CONFIG)
    made = {path.stem for path in EXPERIMENTS if not parsed(path).get("on_request")}
    assert set(known) == made, "a target needs a row in config/costs.csv"
    assert all(cost.seconds > 0 or known[cost.made_with].seconds > 0 for cost in known.values())


def test_experiments_name_measures_and_clusterers_that_are_registered() -> None:
    variants = parsed(CONFIG / "variants.yaml")

    def registered(name: str) -> str:
        entry = variants["measures"].get(name, {})
        return registered(entry["based_on"]) if "based_on" in entry else entry.get("measure", name)

    for experiment in EXPERIMENTS:
        for part in parsed(experiment).get("parts", ()):
            for name in part.get("measures", ()):
                assert registered(name) in measures.names()
    known = {*clusterers.modules(), *clusterers.segmenters()}
    assert {entry["clusterer"] for entry in variants["clusterers"].values()} <= known


def test_options_name_parameters_and_entries_that_exist() -> None:
    config = parsed(CONFIG / "variants.yaml")
    resolved = catalogue.resolve({}, {}, config, {}, scale="thesis")
    entries = {name: resolved.measures[name] for name in config["measures"]}
    entries |= {name: resolved.clusterers[name] for name in config["clusterers"]}
    explained: set[str] = set()
    for option, owners, values, offered, _ in rows(sections(ROOT / "docs" / "reference" / "measures.md")["Options"]):
        names = code(option)
        for owner in code(owners):
            params = (measures if owner in measures.names() else clusterers).get(owner).params
            for name, value in zip(names, code(values), strict=False):
                assert name in params, f"{owner} has no option {name}"
                assert params[name] == yaml.safe_load(value), f"{owner}: the default of {name} is not {value}"
        for entry in code(offered):
            if entry in entries:
                assert names[0] in entries[entry]["params"], f"{entry} does not set {names[0]}"
                explained.add(entry)
            else:
                models = parsed(CONFIG / "models.yaml")
                assert any(Path(model).match(entry) for model in models), f"{entry} is no entry of config/"
    assert explained == set(entries), "every variant stands in the table of options"


def houses() -> dict[str, list[set[str]]]:
    """Floors of each package, from the top, as its contract states them."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    return {
        contract["containers"][0]: [set(re.split(" [|:] ", layer)) for layer in contract["layers"]]
        for contract in contracts
        if "containers" in contract
    }


def test_imports_keep_the_contracts() -> None:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"]
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT / 'workflow'}"}
    done = subprocess.run(
        [*command, "--no-cache"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:]
    assert "5 kept, 0 broken" in done.stdout


def test_the_floors_of_the_design_are_those_of_the_contracts() -> None:
    told = [set(code(names)) for names, _ in rows(sections(ROOT / "docs" / "design.md")["Layers"])]
    stated = houses()
    assert len(stated) == 2
    assert told == [floor for floors in stated.values() for floor in floors]
    for package, floors in stated.items():
        folder = ROOT / ("src" if package == "kinseq" else "workflow") / package
        rooms = {path.stem for path in folder.glob("[a-z]*.py")} | {
            path.parent.name for path in folder.glob("*/__init__.py")
        }
        assert rooms == set().union(*floors), package


def test_versions_agree() -> None:
    citation = parsed(ROOT / "CITATION.cff")
    # The version is in one place; citations use `kinseq.__version__`.
    assert "version" not in citation
    assert citation["license"] == "BSD-3-Clause"
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    released = f"## [{kinseq.__version__}]" in changes
    assert released or f"To become {kinseq.__version__}." in changes
    catalogue = parsed(ROOT / ".snakemake-workflow-catalog.yml")["usage"]
    assert catalogue["report"] is True


def test_the_hosted_build_calls_targets_that_exist_and_is_marked_as_never_run() -> None:
    file = ROOT / ".github" / "workflows" / "test.yml"
    text = file.read_text(encoding="utf-8")
    assert "Never run" in text.splitlines()[0]
    assert len(text.splitlines()) <= 40
    called = {step["run"] for job in parsed(file)["jobs"].values() for step in job["steps"] if "run" in step}
    assert called == {"make lint", "make test"}
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for command in called:
        assert re.search(rf"^{command.removeprefix('make ')}:", makefile, flags=re.MULTILINE)
