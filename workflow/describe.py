"""Write the tables of registries and the parts of pages that are made from them.

These are ``docs/reference/data.md`` (data sets), ``experiments.md`` (targets), the tables of ``config/README.md`` and of
``docs/reference/measures.md``, the published pages, and numbers of results wherever a page shows them.
"""

import sys
from pathlib import Path

import yaml

from kinseq_documents import documents, registry_tables
from kinseq_documents.reference import Reference
from kinseq_documents.rendering import publish
from kinseq_documents.rendering.datasets import page
from kinseq_documents.rendering.verdicts import place

ROOT = Path(__file__).resolve().parents[1]
PAGES = (ROOT / "config" / "README.md", ROOT / "docs" / "reference" / "measures.md")
"""Pages with tables that are made from registries and schemas."""


EXPERIMENTS = ROOT / "docs" / "reference" / "experiments.md"
"""The list of targets."""


def experiments(text: str) -> str:
    """The page of the experiments with their contents and costs, from the configuration."""
    return documents.with_costs(text, ROOT / "config", place)


def reference() -> Reference:
    """The tables of the reference, as the code has them."""
    settings = yaml.safe_load((ROOT / "config" / "config.yaml").read_text(encoding="utf-8"))
    return Reference(ROOT / "workflow" / "schemas", settings)


if __name__ == "__main__":
    registry_tables.write()
    datasets = yaml.safe_load((ROOT / "config" / "datasets.yaml").read_text(encoding="utf-8"))
    (ROOT / "docs" / "reference" / "data.md").write_text(page(datasets), encoding="utf-8")
    for path in PAGES:
        path.write_text(reference().fill(path.read_text(encoding="utf-8")), encoding="utf-8")
    EXPERIMENTS.write_text(experiments(EXPERIMENTS.read_text(encoding="utf-8")), encoding="utf-8")
    published = ROOT / "docs" / "results" / "documents"
    there = publish.published(published)
    present, left_out = documents.digests(ROOT / "config", there), documents.left_out(ROOT / "config", there)
    publish.write_pages(published, present, documents.rules_of_causes(ROOT / "config"), left_out)
    sys.path.insert(0, str(ROOT / "docs" / "_site"))
    from filled_pages import filled, pages
    from numbers_of_results import values

    known = values(ROOT)
    for path in pages(ROOT):
        path.write_text(filled(path.read_text(encoding="utf-8"), known), encoding="utf-8")
