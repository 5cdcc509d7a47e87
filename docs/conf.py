"""Settings of Sphinx for the site of the documentation; ``make docs`` builds it without a network."""

import os
import sys
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(HERE / "_site"), str(ROOT / "workflow")]
os.environ.setdefault("PYTHONHASHSEED", "0")

from gallery_order import GalleryOrder  # noqa: E402

import kinseq  # noqa: E402

project = "kinseq"
author = "The kinseq developers"
project_copyright = author
version = release = kinseq.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "api_pages",
    "links_of_repository",
    "live_pages",
]
templates_path = ["_templates"]
exclude_patterns = ["_build", "_site", "_templates", "gallery"]
nitpicky = True
# What follows in signatures and lists of base classes is of other libraries, whose pages are not read without a network.
nitpick_ignore_regex = [
    ("py:.*", r"(sklearn|aeon|sktime|numpy|pandas|matplotlib|scipy|collections|pathlib|typing)\..*"),
    # Internal modules have no page.
    (
        "py:.*",
        r"(kinseq\.core|kinseq\.analysis\.|kinseq\.api\.|kinseq\.(readers|report|comparing|cli|options|plotting)|kinseq\.models\.spheres|kinseq\.features\.registry|kinseq\.measures\.registry)\b.*",
    ),
    ("py:class", r"(object|BaseEstimator|ClusterMixin|TransformerMixin|Exception|ValueError)"),
]
suppress_warnings = ["config.cache"]

myst_enable_extensions = ["colon_fence", "deflist", "attrs_inline"]
myst_heading_anchors = 4

autodoc_typehints = "none"
autodoc_member_order = "bysource"
autosummary_generate = True
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
numpydoc_xref_param_type = False

warnings.filterwarnings("ignore", category=UserWarning, message=".*FigureCanvasAgg is non-interactive.*")
sphinx_gallery_conf = {
    "examples_dirs": ["gallery"],
    "gallery_dirs": ["examples"],
    "filename_pattern": r"/plot_",
    "within_subsection_order": GalleryOrder,
    "image_scrapers": ("matplotlib",),
    "download_all_examples": False,
    "show_memory": False,
    "write_computation_times": False,
    "show_signature": False,
    "remove_config_comments": True,
    "abort_on_example_error": True,
    "plot_gallery": True,
    "reset_modules": ("matplotlib",),
    "doc_module": ("kinseq",),
    "backreferences_dir": "reference/api/used",
    "default_thumb_file": str(HERE / "pictures" / "map.png"),
}

html_theme = "pydata_sphinx_theme"
html_title = "kinseq"
html_static_path = ["_static"]
html_css_files = ["kinseq.css"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "show_prev_next": True,
    "navbar_align": "left",
    "header_links_before_dropdown": 7,
    "secondary_sidebar_items": ["page-toc"],
    "navbar_end": ["theme-switcher"],
    "footer_start": ["copyright"],
    "footer_end": ["sphinx-version"],
    "navigation_with_keys": False,
    "pygments_light_style": "tango",
    "pygments_dark_style": "monokai",
}
html_sidebars = {"index": [], "glossary": []}
