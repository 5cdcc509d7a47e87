"""Write ``docs/data.md`` from ``config/datasets.yaml``; the Makefile calls it."""

from pathlib import Path

import yaml

from kinseq_documents.rendering.datasets import page

ROOT = Path(__file__).resolve().parents[1]

if __name__ == "__main__":
    datasets = yaml.safe_load((ROOT / "config" / "datasets.yaml").read_text(encoding="utf-8"))
    (ROOT / "docs" / "data.md").write_text(page(datasets), encoding="utf-8")
