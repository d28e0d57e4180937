"""The house stays as it is drawn: small folders, short functions, no circle, and names that can be searched for."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

import precis

ROOT = Path(precis.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
#: Words that say nothing of what a variable holds. Nobody can search for them.
RIDDLES = frozenset("one found made said told held there here given wanted chosen asked whole left come gone".split())
#: Share of all names that may still be such a word; a new one is refused.
MOST_RIDDLES = 0.01
#: What parameters are called that are whole texts of a memory.
TEXTS = frozenset("text texts sentence sentences part parts message".split())
MOST_FILES, MOST_LINES, MOST_LONG_FILES, MOST_PIPELINE = 20, 60, 10, 130


@cache
def nodes() -> dict[Path, list[ast.AST]]:
    """All that each file says, parsed and walked through once for all tests."""
    return {path: [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))] for path in FILES}


@cache
def module_of(path: Path) -> str:
    """The dotted name of a file."""
    return ".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__")


@cache
def modules() -> frozenset[str]:
    """All that precis has."""
    return frozenset(map(module_of, FILES))


def names_bound(walked: Iterable[ast.AST]) -> Iterator[str]:
    """Every parameter and every variable that is written, as often as it is."""
    for node in walked:
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def imports_of(path: Path) -> set[str]:
    """The modules of precis that a file imports, for its types as well."""
    names = set()
    for node in nodes()[path]:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names.add(node.value)  # loaded by its name in quotes, which hides a circle from nobody but this test
    own = module_of(path)
    return {name for name in names & modules() if name != own and not own.startswith(f"{name}.")}


def test_a_folder_can_be_overlooked() -> None:
    """At most twenty files in each."""
    files = Counter(path.parent for path in FILES if path.name != "__init__.py")
    assert {folder.name: number for folder, number in files.items() if number > MOST_FILES} == {}


def test_a_function_fits_a_screen() -> None:
    """None is longer than sixty lines, and few files are longer than three hundred."""
    functions = (
        (path.name, node.name, (node.end_lineno or 0) - node.lineno + 1)
        for path, walked in nodes().items()
        for node in walked
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    assert [function for function in functions if function[2] > MOST_LINES] == []
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in FILES}
    assert len([path for path, length in lengths.items() if length > 300]) <= MOST_LONG_FILES
    assert lengths[ROOT / "engine" / "pipeline.py"] <= MOST_PIPELINE


def test_no_modules_import_each_other() -> None:
    """Neither directly nor around corners, nor for types alone."""
    TopologicalSorter({module_of(path): imports_of(path) for path in FILES}).prepare()


def test_a_circle_is_found() -> None:
    """The check itself."""
    with pytest.raises(CycleError):
        TopologicalSorter({"a": {"b"}, "b": {"c"}, "c": {"a"}}).prepare()


def test_names_can_be_searched_for() -> None:
    """A variable is a noun that says what it holds."""
    names = Counter(name.strip("_") for walked in nodes().values() for name in names_bound(walked))
    riddles = {name: names[name] for name in RIDDLES & names.keys()}
    assert sum(riddles.values()) <= MOST_RIDDLES * names.total(), riddles


def test_a_riddle_is_found() -> None:
    """The check itself: a parameter, a loop, an assignment."""
    names = Counter(names_bound(ast.walk(ast.parse("def f(given): \n  for one in given: found = one"))))
    assert {"given": 1, "one": 1, "found": 1} == {name: names[name] for name in RIDDLES & names.keys()}


def test_what_is_forgotten_is_in_no_cache_of_its_own() -> None:
    """Readings of whole texts are kept by ``words.kept``, which lets go of them when something is forgotten."""
    cached = [
        (path.name, node.name)
        for path in FILES
        for node in nodes()[path]
        if isinstance(node, ast.FunctionDef)
        and any("lru_cache" in ast.unparse(decorator) for decorator in node.decorator_list)
        and not TEXTS.isdisjoint(argument.arg for argument in node.args.args)
    ]
    assert cached == []


def test_lists_of_words_are_joined_once() -> None:
    """And not at each word that is looked for in them: that took a sixth of what a title takes."""
    joined = [
        f"{path.name}:{node.lineno}: {ast.unparse(node)}"
        for path in FILES
        if {"checks", "engine", "extractive", "facts", "finding", "language", "recall"} & set(path.parts)
        for function in nodes()[path]
        if isinstance(function, ast.FunctionDef)
        for statement in function.body
        for node in ast.walk(statement)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr) and _is_long(node, path)
    ]
    assert joined == []


def _is_long(node: ast.BinOp, path: Path) -> bool:
    """Whether both sides are lists of words of the module, one of which has more than a hundred."""
    sizes = [_size(side, path) for side in (node.left, node.right)]
    return None not in sizes and any((size or 0) > 100 for size in sizes)


def _size(node: ast.expr, path: Path) -> int | None:
    """How many words the list has that an expression names; None where it names no list of a module."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "keys":
        return _size(node.func.value, path)
    if isinstance(node, ast.BinOp):
        sizes = [_size(side, path) for side in (node.left, node.right)]
        return None if None in sizes else max(size or 0 for size in sizes)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr.isupper():
        value = getattr(getattr(import_module(module_of(path)), node.value.id, None), node.attr, None)
    else:
        value = getattr(import_module(module_of(path)), node.id, None) if isinstance(node, ast.Name) else None
    return len(value) if isinstance(value, set | frozenset | dict) else None
