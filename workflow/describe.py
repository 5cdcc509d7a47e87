"""Write what pages tell of tables: ``docs/reference/data.md`` of the data sets, ``config/README.md`` of the options of own data."""

from pathlib import Path

import yaml

from kinseq_app.options import with_table
from kinseq_documents.rendering.datasets import page

ROOT = Path(__file__).resolve().parents[1]

if __name__ == "__main__":
    datasets = yaml.safe_load((ROOT / "config" / "datasets.yaml").read_text(encoding="utf-8"))
    (ROOT / "docs" / "reference" / "data.md").write_text(page(datasets), encoding="utf-8")
    reference = ROOT / "config" / "README.md"
    reference.write_text(with_table(reference.read_text(encoding="utf-8")), encoding="utf-8")
