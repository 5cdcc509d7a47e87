"""Make the pictures of the README anew: ``.venv/bin/python docs/pictures/renew.py``; needs Chromium.

``page.png`` is the first screen of the page of the first tutorial, as a browser shows it: the answer, and how sure it is.
``map.png``, the thumbnail of examples that draw nothing, is the map that lies next to that page.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "_site"))

from live_pages import own  # noqa: E402

WIDTH, HEIGHT = 1200, 880


def main() -> None:
    """Write the page, photograph it, and keep few colours."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        sys.exit("error: no chromium on the path")
    with tempfile.TemporaryDirectory() as work:
        own(Path(work) / "page")
        shot, page = Path(work) / "shot.png", Path(work) / "page" / "index.html"
        address = page.as_uri()
        options = ["--headless=new", "--no-sandbox", "--hide-scrollbars", f"--window-size={WIDTH},{HEIGHT}"]
        subprocess.run([browser, *options, f"--screenshot={shot}", address], check=True, capture_output=True)
        for source, name in ((shot, "page.png"), (page.with_name("map.png"), "map.png")):
            picture = Image.open(source).convert("RGB").quantize(128, dither=Image.Dither.NONE)
            picture.save(HERE / name, optimize=True)


if __name__ == "__main__":
    main()
