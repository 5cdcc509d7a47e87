"""Write what pages tell of tables: ``docs/reference/data.md`` of the data sets, ``config/README.md`` of the options of own data,
and the pages of what is published.
"""

from pathlib import Path

import yaml
from launcher import documents

from kinseq_app.options import with_table
from kinseq_documents.rendering import publish
from kinseq_documents.rendering.datasets import page

ROOT = Path(__file__).resolve().parents[1]

if __name__ == "__main__":
    datasets = yaml.safe_load((ROOT / "config" / "datasets.yaml").read_text(encoding="utf-8"))
    (ROOT / "docs" / "reference" / "data.md").write_text(page(datasets), encoding="utf-8")
    reference = ROOT / "config" / "README.md"
    reference.write_text(with_table(reference.read_text(encoding="utf-8")), encoding="utf-8")
    published = ROOT / "docs" / "results" / "documents"
    present = documents.digests(ROOT / "config", publish.published(published))
    publish.write_pages(published, present, documents.rules_of_causes(ROOT / "config"))
