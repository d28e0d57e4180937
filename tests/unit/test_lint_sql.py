"""Every query can be sent to the machine of its tenant; and the lint finds each kind of query that cannot."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
TABLES = frozenset({"memories", "members", "groups", "tenants"})


def lint() -> ModuleType:
    """scripts/lint_sql.py, which is no part of the package."""
    if (loaded := sys.modules.get("lint_sql")) is not None:
        return loaded
    spec = importlib.util.spec_from_file_location("lint_sql", ROOT / "scripts" / "lint_sql.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["lint_sql"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_query_can_be_sent_to_the_machine_of_its_tenant() -> None:
    """And the schema has no trigger, and no key that does not begin with the tenant."""
    assert lint().all_faults() == []


#: What an @ in an example stands for.
ANCHOR = "tenant_id = %(tenant_id)s"
UNANCHORED = "is not constrained by the tenant parameter itsel"
ELSEWHERE = "selects its tenant_id from no table of the tenant"
QUERIES = {
    "SELECT user_id FROM memories": UNANCHORED,
    "SELECT user_id FROM memories WHERE tenant_id = 'acme'": UNANCHORED,
    "SELECT user_id FROM memories WHERE tenant_id = %(other)s AND user_id = %(tenant_id)s": UNANCHORED,
    "SELECT user_id FROM memories WHERE @ OR pinned": UNANCHORED,
    "SELECT 1 FROM members b JOIN memories m ON m.tenant_id = b.tenant_id WHERE b.@": "memories (m) is not",
    "SELECT 1 FROM members JOIN memories m USING (tenant_id, memory_id) WHERE @": UNANCHORED,
    "SELECT 1 FROM members b LEFT JOIN memories m ON m.@ AND b.@": "members (b) is not",
    (
        "SELECT 1 FROM members b, LATERAL (SELECT 1 FROM memories m WHERE m.memory_id = b.memory_id "
        "OFFSET 0) x WHERE b.@"
    ): UNANCHORED,
    "SELECT ARRAY(SELECT 1 FROM members b WHERE b.memory_id = m.memory_id) FROM memories m WHERE m.@": UNANCHORED,
    "SELECT 1 FROM groups g WHERE g.@ AND EXISTS (SELECT 1 FROM members b WHERE b.tenant_id = g.tenant_id)": UNANCHORED,
    "SELECT 1 FROM groups WHERE @ UNION SELECT 1 FROM members": "members (members) is not",
    "WITH x AS (SELECT user_id FROM memories) SELECT user_id FROM x": UNANCHORED,
    "UPDATE memories m SET pinned = true FROM members b WHERE m.@ AND b.memory_id = m.memory_id": "members (b) is not",
    "DELETE FROM memories WHERE memory_id = %(memory_id)s": UNANCHORED,
    "SELECT memory_id FROM memories m JOIN members b USING (memory_id) WHERE m.@ FOR UPDATE": UNANCHORED,
    "WITH x AS (SELECT memory_id FROM memories WHERE @ FOR UPDATE) SELECT memory_id FROM x": "FOR UPDATE in a common",
    "INSERT INTO members (tenant_id, memory_id) SELECT %(tenant_id)s, unnest(%(ids)s::text[])": ELSEWHERE,
    "INSERT INTO members (tenant_id, memory_id) SELECT %(tenant_id)s, memory_id FROM memories WHERE @": ELSEWHERE,
    "INSERT INTO members (tenant_id, memory_id) SELECT m.tenant_id, 'x' FROM groups g, memories m WHERE g.@": ELSEWHERE,
    "INSERT INTO members (tenant_id, memory_id) SELECT tenant_id, memory_id FROM groups WHERE @ LIMIT 1": "LIMIT or",
    (
        "INSERT INTO members (tenant_id, memory_id) SELECT m.tenant_id, m.memory_id FROM memories m WHERE m.@ "
        "AND EXISTS (SELECT 1 FROM members b WHERE b.@ OFFSET 0)"
    ): "LIMIT or OFFSET",
    (
        "INSERT INTO members (tenant_id, memory_id) SELECT tenant_id, max(memory_id) OVER () FROM memories "
        "WHERE @"
    ): "with a window function",
    "INSERT INTO members (tenant_id, memory_id) VALUES ('acme', %(memory_id)s)": "another tenant_id than the parameter",
    "INSERT INTO members SELECT * FROM members": "names no tenant_id",
    (
        "WITH x AS (SELECT * FROM members WHERE @) INSERT INTO members (tenant_id) SELECT tenant_id "
        "FROM x"
    ): "from a common table",
    (
        "WITH x AS (INSERT INTO members (tenant_id) VALUES (%(tenant_id)s) RETURNING tenant_id) SELECT "
        "1 FROM x"
    ): "INSERT in the common",
    "UPDATE memories SET tenant_id = %(other)s WHERE @": "tenant_id is updated",
    (
        "INSERT INTO members (tenant_id) VALUES (%(tenant_id)s) ON CONFLICT (tenant_id) DO UPDATE SET "
        "tenant_id = 'x'"
    ): "is updated",
    "UPDATE memories SET importance = random() WHERE @": "random() in UPDATE",
    "DELETE FROM memories WHERE @ AND clock_timestamp() > %(now)s": "clock_timestamp() in DELETE",
    "UPDATE groups SET due_at = CASE WHEN lost THEN now() END WHERE @": "now() within CASE or COALESCE",
    "UPDATE groups SET n = coalesce((SELECT to_char(max(at), 'x') FROM members b WHERE b.@), '') WHERE @": "to_char()",
    "UPDATE groups SET due_at = CASE WHEN lost THEN error::timestamptz END WHERE @": "depends on the session",
    "SELECT set_config('work_mem', '1GB', true)": "set_config()",
    "SELECT 1 FROM memories, pg_index WHERE @": "beside pg_index, which is not distributed",
    "SELECT FROM WHERE": "syntax error",
}  # fmt: skip


@pytest.mark.parametrize("text", QUERIES)
def test_a_query_that_cannot_is_found(text: str) -> None:
    """One of each kind, with what stands in its way."""
    assert QUERIES[text] in " ".join(lint().faults_of("an.example", text.replace("@", ANCHOR), TABLES))


@pytest.mark.parametrize("text", [
    "SELECT 1 AS one",
    "SELECT 1 FROM members b LEFT JOIN memories m ON m.@ AND m.memory_id = b.memory_id WHERE b.@",
    "SELECT 1 FROM members b, LATERAL (SELECT 1 FROM memories m WHERE m.@ OFFSET 0) x WHERE b.@",
    ("WITH RECURSIVE x AS (SELECT memory_id FROM memories WHERE @ UNION SELECT b.memory_id FROM x "
    "JOIN members b ON b.@) SELECT memory_id FROM x"),
    ("INSERT INTO members (memory_id, tenant_id) SELECT w.id, g.tenant_id FROM groups g, unnest(%(ids)s) w (id) "
    "WHERE g.@ ON CONFLICT DO NOTHING"),
    "INSERT INTO members (tenant_id, memory_id) VALUES (%(tenant_id)s::text, %(memory_id)s)",
    ("WITH gone AS (DELETE FROM members WHERE @ RETURNING group_id) UPDATE groups g SET lost = true FROM gone "
    "WHERE g.@ AND g.group_id = gone.group_id"),
    "UPDATE groups SET due_at = CASE WHEN lost THEN %(now)s::timestamptz END WHERE @",
    "SELECT memory_id FROM memories WHERE @ ORDER BY memory_id FOR UPDATE",
    "SET LOCAL work_mem = '1GB'",
])  # fmt: skip
def test_a_query_that_can_is_left_alone(text: str) -> None:
    """The lint refuses nothing that need not be refused."""
    assert lint().faults_of("an.example", text.replace("@", ANCHOR), TABLES) == []


SCHEMA = "CREATE TABLE a (tenant_id text, b text, PRIMARY KEY (tenant_id, b)); CREATE TABLE others (b text);"


@pytest.mark.parametrize(("text", "fault"), [
    ("CREATE TRIGGER t AFTER INSERT ON a EXECUTE FUNCTION f();", "trigger t on a"),
    ("CREATE UNIQUE INDEX i ON a (b);", "unique index i does not begin"),
    ("CREATE TABLE c (tenant_id text, b text PRIMARY KEY);", "c: a key on b alone"),
    ("CREATE TABLE c (tenant_id text, b text, UNIQUE (b, tenant_id));", "c: a key that does not begin"),
    ("CREATE TABLE c (tenant_id text, b text REFERENCES a (b));", "c: a foreign key on b alone"),
    ("CREATE TABLE c (tenant_id text, b text, FOREIGN KEY (b) REFERENCES a (b));", "c: a foreign key that does not"),
    ("CREATE TABLE c (tenant_id text, b text, FOREIGN KEY (tenant_id) REFERENCES others (b));", "which has no tenant"),
])  # fmt: skip
def test_a_schema_that_cannot_is_found(text: str, fault: str) -> None:
    """Triggers and keys, in the definitions themselves."""
    assert lint().faults_of_schema(SCHEMA) == []
    assert fault in " ".join(lint().faults_of_schema(SCHEMA + text))
