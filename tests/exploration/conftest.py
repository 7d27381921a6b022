"""The browser of the tests of interactive pages."""

from tests.drawing.page.conftest import browser as browser
from tests.drawing.page.conftest import opened as opened
