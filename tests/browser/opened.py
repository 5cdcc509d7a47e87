"""A page that is open in a browser, and what a reader does with it."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

PATIENCE = 20.0
"""Seconds that a file may take to be saved."""


class Opened:
    """A page on a clustering in a browser."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(
        self, page: Path, width: int = 1400, height: int = 1000, dark: bool = False, medium: str = "screen"
    ) -> None:
        """Open a page in a window of some size."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": medium, "features": [scheme]})
        self.driver.get_log("browser"), self.driver.get_log("performance")
        self.driver.get(page.resolve().as_uri())

    def close(self) -> None:
        """Leave the page, whatever was changed on it."""
        self.run("window.addEventListener('beforeunload', e => e.stopImmediatePropagation(), true)")
        self._said = [entry["message"] for entry in self.driver.get_log("browser")]
        self._asked = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        self.driver.execute_cdp_cmd("Page.setWebLifecycleState", {"state": "active"})

    def complaints(self) -> list[str]:
        """Console messages of the browser on the page."""
        return self._said

    def loaded(self) -> list[str]:
        """Addresses that the page asked for, next to itself and what it holds."""
        sent = [entry["params"] for entry in self._asked if entry["method"] == "Network.requestWillBeSent"]
        asked = [entry["request"]["url"] for entry in sent if entry.get("type") != "Document"]
        return [address for address in asked if not address.startswith(("data:", "blob:"))]

    def run(self, script: str, *arguments: Any) -> Any:
        """Result of a script."""
        return self.driver.execute_script(script, *arguments)

    def one(self, selector: str) -> Any:
        """The first element of a selector."""
        return self.driver.find_element("css selector", selector)

    def all(self, selector: str) -> list[Any]:
        """All elements of a selector."""
        return list(self.driver.find_elements("css selector", selector))

    def texts(self, selector: str) -> list[str]:
        """Texts of these."""
        return [
            str(text)
            for text in self.run(
                "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", selector
            )
        ]

    def count(self, selector: str) -> int:
        """How many there are."""
        return len(self.all(selector))

    def press(self, *keys: str) -> None:
        """Press keys on what has the focus."""
        self.driver.switch_to.active_element.send_keys(*keys)

    def tap(self, element: Any) -> None:
        """Bring an element into view and tap it."""
        self.run("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def pick(self, item: int) -> None:
        """Choose the dot of a sequence by the keyboard: another one may lie on it."""
        self.run("arguments[0].focus()", self.one(f"#map [data-i='{item}']"))
        self.press("\ue007")

    def choose(self, selector: str, text: str) -> None:
        """Choose the entry of a list that begins with a text."""
        from selenium.webdriver.support.ui import Select

        chosen = Select(self.one(selector))
        chosen.select_by_visible_text(next(option.text for option in chosen.options if option.text.startswith(text)))

    def write(self, selector: str, text: str) -> None:
        """Replace the text of a field and leave it."""
        field = self.one(selector)
        self.run("arguments[0].value = ''", field)
        field.send_keys(text, "\t")

    def classes(self, item: int) -> dict[str, str]:
        """Class of a sequence on each figure."""
        return dict(
            self.run(
                "return Object.fromEntries(['map', 'heat', 'tree'].map(name => [name,"
                " document.querySelector(`#${name} [data-i='${arguments[0]}']`).getAttribute('class')]))",
                item,
            )
        )

    def saved(self, folder: Path, name: str) -> str:
        """Text of a file that is being saved."""
        path, end = folder / name, time.monotonic() + PATIENCE
        while not path.exists() or list(folder.glob("*.crdownload")):
            assert time.monotonic() < end, f"{name} was not saved"
            time.sleep(0.05)
        return path.read_bytes().decode("utf-8")
