"""What `deploy/` has: only settings that exist, no secret, nobody's root, and time enough to stop."""

from __future__ import annotations

import configparser
import re
import tomllib
from pathlib import Path
from typing import Any

import yaml

from precis import __version__
from precis.rest.sockets import Limits
from precis.settings import Settings

DEPLOY = Path(__file__).parents[2] / "deploy"
FILES = [path for path in DEPLOY.rglob("*") if path.is_file() and path.suffix != ".json"]
CHART = DEPLOY / "helm" / "precis"


def _compose() -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    return document


def test_every_setting_exists() -> None:
    """A variable that nothing reads would be noticed by nobody."""
    settings = {f"PRECIS_{name.upper()}" for name in Settings.model_fields} | {"PRECIS_CONFIG", "PRECIS_IMAGE"}
    named = {name for path in FILES for name in re.findall(r"\bPRECIS_[A-Z_]+\b", path.read_text())} - {"PRECIS_"}
    assert named
    assert named - settings == set()


def test_no_secret_is_in_a_file() -> None:
    """Keys and passwords come in files at run time; the image takes only what it is built of."""
    for path in FILES:
        assert not re.search(r"(?i)(password|master_key|api_key)\s*[:=]\s*[\"']?\w", _without_comments(path)), path
    ignored = (DEPLOY.parent / ".dockerignore").read_text().splitlines()
    assert ignored[1] == "*"
    assert {line for line in ignored if line.startswith("!")} == {
        "!src", "!pyproject.toml", "!README.md", "!LICENSE", "!NOTICE", "!requirements",
    }  # fmt: skip


def _without_comments(path: Path) -> str:
    return "\n".join(line for line in path.read_text().splitlines() if not line.lstrip().startswith("#"))


def test_containers_have_few_rights() -> None:
    """A user, a root that is read only, no capabilities; API and workers are services of their own."""
    assert re.search(r"^USER 10001:10001$", (DEPLOY / "Containerfile").read_text(), re.MULTILINE)
    services = _compose()["services"]
    assert {"database", "migrate", "api", "worker"} == set(services)
    for name in ("migrate", "api", "worker"):
        service = services[name]
        assert (True, "10001:10001", ["ALL"]) == (service["read_only"], service["user"], service["cap_drop"])
        assert service["command"][0] == {"migrate": "migrate", "api": "serve", "worker": "worker"}[name]
    pod = (CHART / "templates" / "_pod.tpl").read_text()
    for line in (
        "runAsNonRoot: true",
        "readOnlyRootFilesystem: true",
        "allowPrivilegeEscalation: false",
        "drop: [ALL]",
    ):
        assert line in pod


def test_stopping_has_time() -> None:
    """Requests are finished before anybody is killed, and a unit's database as well."""
    values = yaml.safe_load((CHART / "values.yaml").read_text())
    assert values["terminationGracePeriodSeconds"] > Limits().grace
    assert all(
        int(_compose()["services"][name]["stop_grace_period"][:-1]) > Limits().grace for name in ("api", "worker")
    )
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(DEPLOY / "precis.service")
    assert int(unit["Service"]["TimeoutStopSec"]) > Limits().grace + 60
    assert ("mixed", "precis") == (unit["Service"]["KillMode"], unit["Service"]["User"])


def test_probes_are_routes() -> None:
    """Alive and ready are asked where they are answered; the chart is of this release."""
    api = (CHART / "templates" / "api.yaml").read_text()
    assert {"/healthz", "/readyz"} == set(re.findall(r"httpGet: \{path: (\S+),", api))
    assert "/readyz" in str(_compose()["services"]["api"]["healthcheck"])
    assert yaml.safe_load((CHART / "Chart.yaml").read_text())["appVersion"] == __version__


def test_the_chart_has_a_value_for_all_that_it_reads() -> None:
    """One that is misspelled would be empty for ever. Where nothing is shared there is no claim."""
    values = yaml.safe_load((CHART / "values.yaml").read_text())
    read = {
        name for path in (CHART / "templates").iterdir() for name in re.findall(r"\.Values\.([\w.]+)", path.read_text())
    }
    assert {"serviceAccount.name", "extraEnv", "extraVolumes", "storage.shared", "worker.metrics"} <= read
    for name in read:
        value = values
        for part in name.split("."):
            value = value[part]
    assert (CHART / "templates" / "storage.yaml").read_text().startswith("{{- if and .Values.storage.shared ")
    assert "{{- if .root.Values.storage.shared }}" in (CHART / "templates" / "_pod.tpl").read_text()


def test_the_image_takes_further_packages() -> None:
    """Those that the pages name are extras that there are; the default is what it always had."""
    extras = tomllib.loads((DEPLOY.parent / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    container = (DEPLOY / "Containerfile").read_text()
    assert "ARG EXTRAS=mcp\n" in container
    assert '"/source[${EXTRAS}]"' in container
    assert _compose()["x-precis"]["build"]["args"]["EXTRAS"] == "${EXTRAS:-mcp}"
    page = (DEPLOY.parent / "docs" / "howto" / "deploy.md").read_text()
    named = {name for line in re.findall(r"\| `(mcp,[\w,]+)` \|", page) for name in line.split(",")}
    assert {"aws", "vault", "opentelemetry"} <= named <= set(extras)


def test_workers_can_be_scraped() -> None:
    """At the port that the pages name; nobody else is told without a key, so the default is this computer."""
    assert _compose()["services"]["worker"]["command"] == [
        "worker", "--metrics-host", "${METRICS_HOST:-127.0.0.1}", "--metrics-port", "9101",
    ]  # fmt: skip
    worker = (CHART / "templates" / "worker.yaml").read_text()
    assert "containerPort: 9101" in worker
    assert "port: 9101" in (DEPLOY.parent / "docs" / "howto" / "deploy.md").read_text()


def test_alerts_ask_for_figures_that_there_are() -> None:
    """By the names and labels of the page that lists them."""
    page = (DEPLOY.parent / "docs" / "howto" / "watch-it.md").read_text()
    rules = [
        rule for group in yaml.safe_load((DEPLOY / "alerts.yaml").read_text())["groups"] for rule in group["rules"]
    ]
    named = {name for rule in rules for name in re.findall(r"precis_\w+", rule["expr"])}
    assert named
    assert [name for name in named if f"`{name}`" not in page] == []
