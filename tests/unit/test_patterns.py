"""Patterns that are compiled when they are first asked."""

import pkgutil
import re
from importlib import import_module

import pytest

from precis import patterns


def test_it_answers_what_re_answers() -> None:
    """Its text at once, without having been compiled; then whatever is asked of it."""
    expression = r"(?P<day>\d+)(?:st|nd|rd|th)?\s+of\s+(\w+)"
    deferred, compiled = patterns.compile(expression, patterns.IGNORECASE), re.compile(expression, re.IGNORECASE)
    assert deferred.pattern == expression
    text = "The 3rd of May, the 12 OF June"
    assert deferred.findall(text) == compiled.findall(text)
    assert [match.groupdict() for match in deferred.finditer(text)] == [{"day": "3"}, {"day": "12"}]
    assert deferred.sub("-", text) == compiled.sub("-", text)
    assert (deferred.flags, deferred.groups) == (compiled.flags, compiled.groups)
    assert deferred.fullmatch(text) is None


def test_a_wrong_one_raises_at_its_first_use() -> None:
    """What ``re`` raises."""
    wrong = patterns.compile("(")
    with pytest.raises(re.error):
        wrong.search("")


def test_every_one_of_precis_can_be_compiled() -> None:
    """Nobody has to ask it first to know."""
    kind, count = type(patterns.compile("")), 0
    for name in ("checks", "extractive", "finding", "language", "recall"):
        package = import_module(f"precis.{name}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for value in vars(import_module(module.name)).values():
                if isinstance(value, kind):
                    count += bool(re.compile(value.pattern, value.flags))
    assert count > 300
