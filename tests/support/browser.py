"""A headless Chromium for the tests of interactive pages; without one they are skipped."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    binary = shutil.which("chromium") or shutil.which("chromium-browser")
    driver_path = shutil.which("chromedriver")
    if binary is None or driver_path is None:
        pytest.skip("chromium or chromedriver is not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for argument in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage"):
        options.add_argument(f"--{argument}")
    options.add_argument("--window-size=1200,800")
    folder = tmp_path_factory.mktemp("downloads")
    options.add_experimental_option("prefs", {"download.default_directory": str(folder)})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(executable_path=driver_path)
    driver = webdriver.Chrome(options=options, service=service)
    driver.downloads = folder
    yield driver
    driver.quit()


@pytest.fixture
def opened(browser: Any) -> Iterator[Callable[[Path], Any]]:
    """Return how to open a file; afterwards nothing was complained of and nothing was fetched."""
    browser.get_log("browser")
    browser.get_log("performance")

    def open_file(path: Path) -> Any:
        browser.get(path.as_uri())
        return browser

    yield open_file
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert browser.get_log("browser") == []
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    fetched = {
        message["params"]["request"]["url"].split(":")[0]
        for message in messages
        if message["method"] == "Network.requestWillBeSent"
    }
    assert fetched <= {"file", "blob", "data"}
