"""The browser that pages are opened in: Chromium with its driver, without a window and without a network."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .opened import Opened

VARIABLE = "KINSEQ_TEST_BROWSER"
"""Whether pages are opened, which ``make test-browser`` sets."""


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A browser; tests are left out with a reason if there is none."""
    if not os.environ.get(VARIABLE):
        pytest.skip("make test-browser runs these")
    program, steered = (shutil.which(name) for name in ("chromium", "chromedriver"))
    if program is None or steered is None:
        pytest.skip("chromium and chromedriver are not installed (Debian: chromium, chromium-driver)")
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    # As root there is no sandbox; only our own pages are opened. Requests of the browser itself are ignored.
    for flag in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
    ):
        options.add_argument(flag)
    options.add_experimental_option(
        "prefs",
        {
            "download.default_directory": str(tmp_path_factory.mktemp("downloads")),
            "download.prompt_for_download": False,
        },
    )
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    started = webdriver.Chrome(options=options, service=webdriver.ChromeService(steered))
    yield started
    started.quit()


@pytest.fixture
def downloads(driver: Any, tmp_path: Path) -> Path:
    """An empty folder that the browser saves files to."""
    driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    return tmp_path


@pytest.fixture
def opened(driver: Any) -> Iterator[Opened]:
    """Opener of pages; no page may leave a message, or ask for anything but its own file."""
    page = Opened(driver)
    yield page
    page.close()
    assert page.complaints() == []
    assert page.loaded() == []
