"""What keeps the tables distributable by tenant: ``python scripts/lint_sql.py`` parses every query as PostgreSQL does.

Citus sends a statement to the one machine that has the tenant's rows if every table in it is constrained by the tenant
parameter itself; a join to a table that is constrained does not do. It refuses triggers, reads what an ``INSERT``
selects from no table of the tenant into a ``COPY``, which row-level security refuses, and so on:
docs/howto/distribute.md says all of it. This file needs pglast, the grammar of PostgreSQL, and no server.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from pglast import ast, parse_sql
from pglast.enums import JoinType
from pglast.parser import ParseError

from precis.database.queries import every_query

SCHEMA = Path(__file__).resolve().parent.parent / "src" / "precis" / "store" / "schema.sql"
KEY = "tenant_id"
#: Queries over rows of tenants that name no tenant on purpose, and why.
ACROSS: Mapping[str, str] = {
    "tenants.list_tenants": "the directory: a worker walks it, and it has no text",
    "tenants.key_marks": "the directory again: the doctor compares the keys of each tenant",
    "scan.count_rows_in_scan": "what row-level security shows of every table, to find what should not be there",
    "scan.columns_with": "the same",
}
#: Statements that set more than their transaction on purpose, and why.
SETTING: Mapping[str, str] = {}
#: Functions that answer the same whenever and wherever they are called; a test reads the server's catalog. With one
#: argument: the words of dates that to_timestamp() reads with two depend on the session.
IMMUTABLE = frozenset({"array_agg", "avg", "count", "max", "min", "position", "sum", "to_timestamp", "unnest"})
#: Reading these as a type depends on the session.
TEMPORAL = frozenset({"date", "time", "timetz", "timestamp", "timestamptz"})
_PARAMETER = re.compile(r"%\((\w+)\)s")
_FORMATTED = {
    "{table}": "memories",
    "{dimensions}": "256",
    "{name}": "a_name",
    "{columns}": "memory_id",
    "{role}": "a_role",
}
Node = Any


@dataclass(kw_only=True, slots=True)
class Level:
    """One SELECT, INSERT, UPDATE or DELETE: the tables in its FROM, and those of them that the parameter constrains."""

    #: Tables of tenants by what they are called here.
    tables: dict[str, str] = field(default_factory=dict)
    anchored: set[str] = field(default_factory=set)
    #: Other tables that are in the catalog of one machine only.
    local: set[str] = field(default_factory=set)


@dataclass(kw_only=True, slots=True)
class Reader:
    """Reads one statement; ``faults`` is what stands in the way."""

    tables: frozenset[str]
    #: The number of the tenant parameter; zero where the statement has none.
    parameter: int
    faults: list[str] = field(default_factory=list)
    of_tenants: bool = False
    local: set[str] = field(default_factory=set)

    def statement(self, node: Node, ctes: frozenset[str], *, within: bool = False) -> Level:
        """Read a statement with everything that it holds."""
        ctes = self._with(node, ctes)
        if isinstance(node, ast.SelectStmt) and node.larg is not None:
            level = self.statement(node.larg, ctes)
            self.statement(node.rarg, ctes)
            return level
        level = Level()
        for source in _sources(node):
            self._source(source, level, ctes)
        self._anchor(getattr(node, "whereClause", None), level, set(level.tables))
        for name, table in level.tables.items():
            if name not in level.anchored:
                self.faults.append(f"{table} ({name}) is not constrained by the tenant parameter itself")
        self.of_tenants |= bool(level.tables)
        self.local |= level.local
        if isinstance(node, ast.InsertStmt):
            self._insert(node, ctes)
        if isinstance(node, ast.UpdateStmt | ast.DeleteStmt):
            self._write(node)
        if within and getattr(node, "lockingClause", None):
            self.faults.append("FOR UPDATE in a common table expression")
        for below in _within(node):
            self.statement(below, ctes)
        return level

    def _with(self, node: Node, ctes: frozenset[str]) -> frozenset[str]:
        clause = getattr(node, "withClause", None)
        if clause is None:
            return ctes
        ctes |= {cte.ctename for cte in clause.ctes}
        for cte in clause.ctes:
            if isinstance(cte.ctequery, ast.InsertStmt):
                self.faults.append(f"INSERT in the common table expression {cte.ctename}")
            self.statement(cte.ctequery, ctes, within=True)
        return ctes

    def _source(self, source: Node, level: Level, ctes: frozenset[str]) -> None:
        """What stands in a FROM."""
        if isinstance(source, ast.RangeVar):
            name = source.alias.aliasname if source.alias else source.relname
            if source.relname in self.tables:
                level.tables[name] = source.relname
            elif source.relname not in ctes:
                level.local.add(source.relname)
        elif isinstance(source, ast.JoinExpr):
            sides = []
            for side in (source.larg, source.rarg):
                before = set(level.tables)
                self._source(side, level, ctes)
                sides.append(set(level.tables) - before)
            kept = {
                JoinType.JOIN_INNER: sides[0] | sides[1],
                JoinType.JOIN_LEFT: sides[1],
                JoinType.JOIN_RIGHT: sides[0],
            }
            self._anchor(source.quals, level, kept.get(source.jointype, set()))

    def _anchor(self, condition: Node, level: Level, among: set[str]) -> None:
        """Mark the tables that a condition constrains by the parameter."""
        for part in _conjuncts(condition):
            column = _compared(part, self.parameter)
            if column is None:
                continue
            if len(column) == 2:
                level.anchored |= {column[0]} & among
            elif len(level.tables) == 1:
                level.anchored |= among

    def _insert(self, node: Node, ctes: frozenset[str]) -> None:
        if node.relation.relname not in self.tables:
            self.local.add(node.relation.relname)
            if node.selectStmt is not None:
                self.statement(node.selectStmt, ctes)
            return
        self.of_tenants = True
        table = node.relation.relname
        columns = [column.name for column in node.cols or ()]
        if node.onConflictClause is not None:
            self._sets(node.onConflictClause.targetList or ())
        if KEY not in columns:
            self.faults.append(f"INSERT INTO {table} names no tenant_id among its columns")
            return
        at = columns.index(KEY)
        select = node.selectStmt
        if select.valuesLists:
            if not all(_is_parameter(row[at], self.parameter) for row in select.valuesLists):
                self.faults.append(f"INSERT INTO {table} gives another tenant_id than the parameter")
            return
        level = self.statement(select, ctes)
        if node.withClause:
            self.faults.append(f"INSERT INTO {table} selects from a common table expression")
        self.faults += [f"INSERT INTO {table} selects {how}" for how in _copied(select)]
        if select.larg is not None:
            return
        target = _column(select.targetList[at].val)
        names = {target[0]} if target and len(target) == 2 else set(level.tables) if target else set()
        if not (target and target[-1] == KEY and names & level.anchored):
            self.faults.append(f"INSERT INTO {table} selects its tenant_id from no table of the tenant")

    def _write(self, node: Node) -> None:
        self._sets(getattr(node, "targetList", None) or ())
        for part in [*(target.val for target in getattr(node, "targetList", None) or ()), node.whereClause]:
            for function in _functions(part, into_statements=False):
                if function not in IMMUTABLE:
                    self.faults.append(
                        f"{function}() in {type(node).__name__[:6].upper()} is not known to be immutable"
                    )
            for choice in _of(part, ast.CaseExpr, ast.CoalesceExpr):
                self._choice(choice)

    def _sets(self, targets: Any) -> None:
        for target in targets:
            if target.name == KEY:
                self.faults.append("tenant_id is updated: a row would have to move")

    def _choice(self, choice: Node) -> None:
        """CASE and COALESCE of what writes: Citus works them out before it knows the row."""
        for function in _functions(choice, into_statements=True):
            if function not in IMMUTABLE:
                self.faults.append(f"{function}() within CASE or COALESCE is not known to be immutable")
        for cast in _of(choice, ast.TypeCast):
            if cast.typeName.names[-1].sval in TEMPORAL and not isinstance(cast.arg, ast.ParamRef | ast.A_Const):
                self.faults.append("a date or time is made within CASE or COALESCE: that depends on the session")


def _copied(select: Node) -> Iterator[str]:
    """What makes a COPY of what an INSERT selects."""
    if select.withClause:
        yield "from a common table expression"
    if any(part.limitCount or part.limitOffset for part in _of(select, ast.SelectStmt)):
        yield "with LIMIT or OFFSET"
    if any(call.over for call in _of(select, ast.FuncCall)):
        yield "with a window function"
    if select.larg is not None:
        yield "from a union"


def _sources(node: Node) -> Iterator[Node]:
    if isinstance(node, ast.UpdateStmt | ast.DeleteStmt):
        yield node.relation
    yield from getattr(node, "fromClause", None) or ()
    yield from getattr(node, "usingClause", None) or ()


def _below(node: Node) -> Iterator[Node]:
    """What a node is made of."""
    if isinstance(node, ast.Node):
        for name in node:
            yield getattr(node, name)
    elif isinstance(node, tuple | list):
        yield from node


_STATEMENTS = (ast.SelectStmt, ast.InsertStmt, ast.UpdateStmt, ast.DeleteStmt)


def _statements(node: Node) -> Iterator[Node]:
    """The statements within a statement, but none within those."""
    for part in _below(node):
        if isinstance(part, _STATEMENTS):
            yield part
        else:
            yield from _statements(part)


def _within(node: Node) -> Iterator[Node]:
    """The statements within a statement that are read with it: no common table expression, nothing that it inserts."""
    clause = getattr(node, "withClause", None)
    besides = [cte.ctequery for cte in clause.ctes] if clause else []
    if isinstance(node, ast.InsertStmt):
        besides.append(node.selectStmt)
    return (below for below in _statements(node) if not any(below is other for other in besides))


def _of(node: Node, *kinds: type) -> Iterator[Node]:
    """Every node of a kind, at any depth."""
    if isinstance(node, kinds):
        yield node
    for part in _below(node):
        yield from _of(part, *kinds)


def _functions(node: Node, *, into_statements: bool) -> Iterator[str]:
    if isinstance(node, ast.FuncCall):
        yield node.funcname[-1].sval
    for part in _below(node):
        if into_statements or not isinstance(part, _STATEMENTS):
            yield from _functions(part, into_statements=into_statements)


def _conjuncts(condition: Node) -> Iterator[Node]:
    if isinstance(condition, ast.BoolExpr) and condition.boolop.name == "AND_EXPR":
        for part in condition.args:
            yield from _conjuncts(part)
    elif condition is not None:
        yield condition


def _column(node: Node) -> tuple[str, ...] | None:
    if isinstance(node, ast.ColumnRef) and all(isinstance(part, ast.String) for part in node.fields):
        return tuple(part.sval for part in node.fields)
    return None


def _is_parameter(node: Node, number: int) -> bool:
    while isinstance(node, ast.TypeCast):
        node = node.arg
    return isinstance(node, ast.ParamRef) and node.number == number


def _compared(node: Node, number: int) -> tuple[str, ...] | None:
    """The column tenant_id that is held equal to the parameter."""
    if not isinstance(node, ast.A_Expr) or node.kind.name != "AEXPR_OP" or node.name[-1].sval != "=":
        return None
    for side, other in ((node.lexpr, node.rexpr), (node.rexpr, node.lexpr)):
        column = _column(side)
        if column and column[-1] == KEY and _is_parameter(other, number):
            return column
    return None


def read(text: str) -> tuple[tuple[Node, ...], int]:
    """The statements of a query as PostgreSQL parses them, and the number of the tenant parameter."""
    names = list(dict.fromkeys(_PARAMETER.findall(text)))
    for place, value in _FORMATTED.items():
        text = text.replace(place, value)
    text = re.sub(r"\{\w+\}", "'x'", text)
    numbered = _PARAMETER.sub(lambda match: f"${names.index(match[1]) + 1}", text).replace("%%", "%")
    return tuple(raw.stmt for raw in parse_sql(numbered)), names.index(KEY) + 1 if KEY in names else 0


def faults_of(name: str, text: str, tables: frozenset[str]) -> list[str]:
    """What stands in the way of one query, each with the name of the query."""
    try:
        statements, parameter = read(text)
    except ParseError as error:
        return [f"{name}: {error}"]
    faults = []
    for node in statements:
        if "set_config" in _functions(node, into_statements=True) and name not in SETTING:
            faults.append("set_config() reaches no other machine; SET LOCAL does")
        if not isinstance(node, _STATEMENTS):
            continue
        reader = Reader(tables=tables, parameter=parameter)
        reader.statement(node, frozenset())
        if name in ACROSS:
            continue
        faults += reader.faults
        if reader.of_tenants and reader.local:
            faults.append(f"tables of tenants beside {', '.join(sorted(reader.local))}, which is not distributed")
    return [f"{name}: {fault}" for fault in dict.fromkeys(faults)]


@cache
def tables_of(schema: str) -> frozenset[str]:
    """The tables with a tenant."""
    return frozenset(
        node.relation.relname
        for node in (raw.stmt for raw in parse_sql(schema))
        if isinstance(node, ast.CreateStmt) and any(getattr(part, "colname", None) == KEY for part in node.tableElts)
    )


def faults_of_schema(schema: str) -> list[str]:
    """Triggers, and keys that do not begin with the tenant."""
    tables, faults = tables_of(schema), []
    for node in (raw.stmt for raw in parse_sql(schema)):
        if isinstance(node, ast.CreateTrigStmt) and node.relation.relname in tables:
            faults.append(f"schema: trigger {node.trigname} on {node.relation.relname}")
        elif isinstance(node, ast.IndexStmt) and node.unique and node.relation.relname in tables:
            if node.indexParams[0].name != KEY:
                faults.append(f"schema: unique index {node.idxname} does not begin with tenant_id")
        elif isinstance(node, ast.CreateStmt) and node.relation.relname in tables:
            faults += [f"schema: {node.relation.relname}: {fault}" for fault in _keys(node, tables)]
    return faults


def _keys(node: Node, tables: frozenset[str]) -> Iterator[str]:
    for part in node.tableElts:
        if isinstance(part, ast.ColumnDef):
            for constraint in part.constraints or ():
                if constraint.contype.name in {"CONSTR_PRIMARY", "CONSTR_UNIQUE"} and part.colname != KEY:
                    yield f"a key on {part.colname} alone"
                if constraint.contype.name == "CONSTR_FOREIGN":
                    yield f"a foreign key on {part.colname} alone"
        elif part.contype.name in {"CONSTR_PRIMARY", "CONSTR_UNIQUE"} and part.keys[0].sval != KEY:
            yield "a key that does not begin with tenant_id"
        elif part.contype.name == "CONSTR_FOREIGN":
            if part.fk_attrs[0].sval != KEY or (part.pk_attrs and part.pk_attrs[0].sval != KEY):
                yield "a foreign key that does not begin with tenant_id"
            if part.pktable.relname not in tables:
                yield f"a foreign key to {part.pktable.relname}, which has no tenant"


def all_faults() -> list[str]:
    """Everything that stands in the way, over the schema and every query; exceptions that nothing needs as well."""
    schema = SCHEMA.read_text(encoding="utf-8")
    tables, queries = tables_of(schema), every_query()
    faults = faults_of_schema(schema)
    for name, text in queries.items():
        faults += faults_of(name, text, tables)
    return faults + [f"{name}: an exception is named for a query that is not there"
                     for name in sorted({*ACROSS, *SETTING} - queries.keys())]  # fmt: skip


if __name__ == "__main__":
    lines = all_faults()
    print("\n".join(lines) or "every query can be sent to the machine of its tenant")
    sys.exit(bool(lines))
