"""The captions of the report can be written for every experiment that is shipped, of whatever kind."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jinja2
import pytest
import yaml

from kinseq_documents.experiments import Experiment
from kinseq_documents.kinds import KINDS
from kinseq_documents.plan import kind_name

ROOT = Path(__file__).resolve().parents[3]
EXPERIMENTS = sorted((ROOT / "config" / "experiments").glob("*.yaml"))
CAPTIONS = sorted((ROOT / "workflow" / "report").glob("*.rst"))


def typed(parsed: Mapping[str, Any]) -> Experiment:
    return KINDS[kind_name(parsed, "here")].read(parsed)


def written(caption: str, **settings: Any) -> str:
    """A caption as Snakemake writes it."""
    params = SimpleNamespace(settings=[SimpleNamespace(**settings)])
    job = SimpleNamespace(params=params, config={"scale": "quick", "seed": 1})
    return jinja2.Template((ROOT / "workflow" / "report" / caption).read_text(encoding="utf-8")).render(snakemake=job)


def read(caption: str) -> str:
    """A caption as the report shows it; whatever docutils would complain of is an error."""
    from docutils.core import publish_parts

    options = {"halt_level": 2, "output_encoding": "unicode", "smart_quotes": False}
    return str(publish_parts(caption, writer="html5", settings_overrides=options)["html_body"])


CAPTIONS_OF = {"drawing": ["drawing.rst"], "multiverse": ["multiverse.rst"]}
"""Captions of the results of a kind, of others those of tables and figures."""


@pytest.mark.parametrize(
    ("path", "caption"),
    [
        pytest.param(path, caption, id=f"{path.stem}-{caption}")
        for path in EXPERIMENTS
        for caption in CAPTIONS_OF.get(
            yaml.safe_load(path.read_text(encoding="utf-8")).get("kind", ""), ["figure.rst", "table.rst"]
        )
    ],
)
def test_every_experiment_has_a_caption(path: Path, caption: str) -> None:
    experiment = yaml.safe_load(path.read_text(encoding="utf-8"))
    one = typed(experiment)
    told = {"missing": {"lost": "it is gone"}, "labels": {"lost": "Lost data"}}
    page = read(written(caption, experiment=one, drawings={path.stem: SimpleNamespace(experiment=one)}, **told))
    text = re.sub(r"<[^>]*>", "", page)
    assert f"<strong>{html.escape(experiment['title'], quote=False)}</strong>" in page
    text = html.unescape(text)
    for source in experiment["sources"]:
        assert f"{source['document']} {source['item']}" in text or caption == "multiverse.rst"
    assert " ".join(str(experiment.get("render", {}).get("caption", "")).split()) in " ".join(text.split()) or (
        caption == "table.rst"
    )
    assert ("Lost data: " in text) == (caption == "table.rst")


@pytest.mark.parametrize(
    ("render", "judged", "says", "says_not"),
    [
        ({"kind": "curves"}, "partition", "controls", "diamond"),
        ({"kind": "curves"}, "estimate", "estimators", "random labels"),
        ({"kind": "table", "strip": {}}, "partition", "diamond", "controls"),
        ({"kind": "hinton"}, "partition", "A title", "diamond"),
    ],
)
def test_a_caption_explains_the_kind_of_figure(render: dict[str, Any], judged: str, says: str, says_not: str) -> None:
    kind = "estimation" if judged == "estimate" else "comparison"
    experiment = {"kind": kind, "id": "some", "title": "A title", "sources": [], "render": render}
    text = written("figure.rst", experiment=typed(experiment))
    assert says in text
    assert says_not not in text


def test_drawings_of_one_job_are_all_told() -> None:
    def told(*names: str) -> str:
        source = [{"document": "T", "item": "fig1"}]
        drawn = {name: typed({"id": name, "title": f"Title of {name}", "sources": source}) for name in names}
        made = {name: SimpleNamespace(experiment=experiment) for name, experiment in drawn.items()}
        return written("drawing.rst", drawings=made)

    text = told("some", "other")
    for word in ("some.npz", "other.npz", "**Title of some**", "**Title of other**", "T fig1", "makes together"):
        assert word in text
    assert "makes together" not in told("some")


def test_every_caption_is_used() -> None:
    rules = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "workflow").rglob("*.smk"))
    rules += (ROOT / "workflow" / "Snakefile").read_text(encoding="utf-8")
    assert CAPTIONS
    for path in CAPTIONS:
        assert f"report/{path.name}" in rules


def test_words_are_read_as_they_are() -> None:
    hostile = r"put */*.*, *_*_*.txt, |a| or red_patch_*.jpg, blue_patch_ and a\b of `it` into <folder>/lost_/"
    sources = [{"document": "T_", "item": "fig_"}]
    experiment = typed({"title": hostile, "sources": sources, "render": {"caption": hostile}})
    made = {"name": SimpleNamespace(experiment=experiment)}
    for caption, told in (
        ("table.rst", {"experiment": experiment, "missing": {"lost_": hostile}, "labels": {}}),
        ("figure.rst", {"experiment": experiment}),
        ("drawing.rst", {"drawings": made}),
    ):
        page = read(written(caption, **told))
        assert page.count(html.escape(hostile, quote=False)) == (1 if caption == "drawing.rst" else 2), caption
        assert "T_ fig_" in page
