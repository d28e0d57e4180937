"""The API keeps what its OpenAPI document says: the short form of ``make fuzz``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_edge_cases_of_every_route_are_answered_as_documented() -> None:
    """Every check of schemathesis, with a key: statuses, shapes, headers, wrong types refused, right ones taken."""
    command = [sys.executable, str(ROOT / "scripts" / "fuzz.py"), "--short"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr[-2_000:]


def test_a_prompt_holds_the_search_that_is_tried_alone() -> None:
    """Of a search, the short form tries the conditions of two filters in a prompt: the others are the same."""
    api = json.loads((ROOT / "clients" / "openapi.json").read_text(encoding="utf-8"))
    alone = api["paths"]["/v1/long-term-memory/search"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    shapes = api["components"]["schemas"]
    assert alone in shapes["Prompt"]["properties"]["long_term_search"]["anyOf"]
    filters = shapes["RecordSearch"]["properties"]
    kinds = {name: each["$ref"] for name, shape in filters.items() for each in shape.get("anyOf", ()) if "$ref" in each}
    assert {kinds["user_id"], kinds["created_at"]} == set(kinds.values())
    for kind in (kinds["user_id"], kinds["created_at"]):
        alike = [filters[name]["anyOf"] for name in kinds if kinds[name] == kind]
        assert all(shape == alike[0] for shape in alike)
