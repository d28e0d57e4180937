"""Doors whose packages the other tests do not install: ``make doors`` runs these in an environment of their own."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from precis.app import App, app_over
from precis.bootstrap import Runtime

# Nothing of a test is sent to anybody.
os.environ |= {"CREWAI_DISABLE_TELEMETRY": "true", "CREWAI_TRACING_ENABLED": "false", "OTEL_SDK_DISABLED": "true"}
sys.path.append(str(Path(__file__).parents[1] / "doors"))


@pytest.fixture
def app(runtime: Runtime, tenant: str) -> App:
    """precis for that tenant; what is said in conversations is found again."""
    parts = runtime.app(tenant).parts
    return app_over(replace(parts, settings=parts.settings.model_copy(update={"conversations_in_recall": True})))
