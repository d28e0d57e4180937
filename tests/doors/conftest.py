"""What the doors have in common: an app whose conversations are short, and a model that says what it is told to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from precis.app import App, app_over
from precis.policies.conversations import Limits
from precis.sizes import Size
from precis.testing.fakes import Quoting


@pytest.fixture
def limits() -> Limits:
    """Over six messages; two stay."""
    return Limits(triggers=(Size.parse("6 messages"),), keep=Size.parse("2 messages"))


@pytest.fixture
def quoting() -> Quoting:
    """A summarizer that quotes all it reads."""
    return Quoting()


@pytest.fixture
def quoted(app: App, quoting: Quoting) -> App:
    """The app with that summarizer."""
    return app_over(replace(app.parts, engine=replace(app.parts.engine, summarizer=quoting)))
