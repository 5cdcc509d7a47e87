"""The site, and that pages of the product need neither it nor a file of the checkout."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = (ROOT / "src", ROOT / "workflow" / "kinseq_documents")
SOURCES = [path for folder in PACKAGES for path in sorted(folder.rglob("*.py"))]
TEMPLATES = [path for folder in PACKAGES for path in sorted(folder.rglob("*.jinja"))]
IN_THE_CHECKOUT = {
    "workflow/kinseq_documents/rendering/fidelity.py": "pages of a reproduction, which is run in the checkout",
    "workflow/kinseq_documents/publishing.py": "what is published lies in the checkout",
    "workflow/kinseq_documents/rendering/publish.py": "what is published lies in the checkout",
    "workflow/kinseq_documents/rendering/published_check.md.jinja": "the same",
    "src/kinseq/analysis/options.py": "links of config/README.md, which the help leaves out",
    "src/kinseq/options.py": "the same",
    "src/kinseq/readers/reading.py": "the same",
    "workflow/kinseq_documents/rendering/datasets.py": "the page on data sets, which is one of them",
}
"""Files whose texts may name pages of the checkout, and why."""

sys.path.insert(0, str(ROOT / "docs" / "_site"))

import check_links  # noqa: E402
import links_of_repository  # noqa: E402
from gallery_order import ORDER, GalleryOrder  # noqa: E402


def texts(path: Path) -> list[str]:
    """Strings of a module that are no docstrings and stand by themselves nowhere."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    idle = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in idle
    ]


def test_no_page_of_the_product_links_elsewhere() -> None:
    # The site has no address yet, and users of a wheel may read pages without a network.
    for path in TEMPLATES:
        links = re.findall(r'href="([^"]*)"', path.read_text(encoding="utf-8"))
        assert not [link for link in links if "//" in link], path.name


def test_no_text_of_the_product_names_a_file_of_the_checkout() -> None:
    pattern = re.compile(r"\bdocs/|CONTRIBUTING|\bREADME")
    naming = {path.relative_to(ROOT).as_posix() for path in SOURCES if any(map(pattern.search, texts(path)))}
    naming |= {
        path.relative_to(ROOT).as_posix() for path in TEMPLATES if pattern.search(path.read_text(encoding="utf-8"))
    }
    assert naming == set(IN_THE_CHECKOUT)


def test_the_gallery_has_an_order() -> None:
    scripts = {path.name.removeprefix("plot_").removesuffix(".py") for path in ORDER.parent.glob("plot_*.py")}
    order = ORDER.read_text(encoding="utf-8").split()
    assert len(order) == len(set(order)) >= 10
    assert set(order) == scripts
    assert GalleryOrder("")("plot_which_column.py") == order.index("which_column")


def test_links_of_the_repository_become_links_of_the_site() -> None:
    page = ROOT / "docs" / "reports" / "answers.md"

    def written(text: str) -> str:
        return links_of_repository.rewritten(text, page.parent, page)

    assert written("[a](../../config/README.md#configyaml)") == "[a](../reference/configuration.md#configyaml)"
    assert written("[a](../../CHANGELOG.md)") == "[a](../development/changelog.md)"
    assert written("[a](../reference/errata.md#sym-sign)") == "[a](#sym-sign)"
    assert written('<a id="x"></a>\n') == "(x)=\n"
    for same in ("[a](many.md#how)", "[a](https://a.org/b.md)", "[a](#here)", "`[a](../../CHANGELOG.md)`"):
        assert written(same) == same
    # Relative to the front page, which is elsewhere.
    front = links_of_repository.rewritten("[a](docs/glossary.md)", ROOT, ROOT / "docs" / "index.md")
    assert front == "[a](glossary.md)"


@pytest.mark.parametrize(
    "body, said",
    [
        ('<a href="b.html#there">', ""),
        ('<a href="b.html#nowhere">', "is no anchor"),
        ('<a href="c.html">', "does not exist"),
        ('<a href="https://elsewhere.org/x">', ""),
        ('<img src="https://elsewhere.org/x.png">', "loads https://elsewhere.org/x.png"),
        ('<script src="//elsewhere.org/x.js"></script>', "loads //elsewhere.org/x.js"),
        ('<iframe src="live/x.html"></iframe>', "does not exist"),
    ],
)
def test_links_of_the_built_site_are_followed(body: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(f"<html><body>{body}</body></html>")
    (tmp_path / "b.html").write_text('<html><body><p id="there"></p></body></html>')
    found = check_links.wrong(tmp_path)
    assert len(found) == bool(said)
    assert all(said in line for line in found)


def test_the_readme_leads_everybody_there_at_once() -> None:
    # Readers: someone with bird songs, an engineer, a student, a group with a cluster, a user of scikit-learn.
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    pages = ("recordings", "sensor-logs", "regenerate-a-table", "on-a-cluster", "from-python")
    assert all(f"](docs/tutorials/{page}.md)" in readme for page in pages)
