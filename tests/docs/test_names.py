"""What we tell people to install is ours: ``precis`` on the package index is somebody else's."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import precis

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
#: Everything that people read or run.
PLACES = (
    "src", "docs", "scripts", "benchmarks", "requirements", ".ci", "README.md", "CONTRIBUTING.md", "Makefile",
    "CHANGELOG.md", "pyproject.toml",
)  # fmt: skip
#: `pip install precis`, `precis[langgraph]`, `precis==1`, `install precis`, however they are quoted.
_STRANGERS = re.compile(r"""(?:\b(?:pip|uv|pipx|poetry)\b[^\n|]*?\b(?:install|add)\b[^\n&;`|,]*?[\s'"])precis(?![\w./-])
                            |(?<![\w.-])precis(?:\[[a-z][a-z-]*\]|[=~>]=\s*\d)""", re.VERBOSE)  # fmt: skip
_OURS = re.compile(r"precis-memory\[([a-z-]+)\]")


def texts() -> dict[str, str]:
    """The texts by their names."""
    paths = [
        path for place in PLACES for path in ([ROOT / place] if (ROOT / place).is_file() else (ROOT / place).rglob("*"))
    ]
    return {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for path in paths
        if path.suffix in {".py", ".md", ".toml", ".lock", ".sql", ""} and path.is_file()
    }


def test_nobody_is_told_to_install_a_strangers_package() -> None:
    """Neither in a page, nor in an error, nor by a script."""
    wrong = {name: _STRANGERS.findall(text) for name, text in texts().items() if _STRANGERS.search(text)}
    assert {} == wrong


def test_the_search_would_see_it() -> None:
    """Every way in which it is usually written; and what is no such instruction passes."""
    for line in (
        "pip install precis", "pip install 'precis[langgraph]'", "needs it: install precis[onnx].", "uv add precis",
        'python -m pip install --quiet "precis"', "precis==0.1.0", "pip install -U precis  # the newest",
    ):  # fmt: skip
        assert _STRANGERS.search(line), line
    for line in (
        "pip install 'precis-memory[langgraph]'", "precis archive --pool chroma", "import precis", "precis.open()",
        "pip install --no-deps --editable . && precis demo",
    ):  # fmt: skip
        assert not _STRANGERS.search(line), line


def test_every_extra_that_is_named_exists() -> None:
    """An extra nobody defined installs nothing, with a warning that is easily missed."""
    named = {extra for text in texts().values() for extra in _OURS.findall(text)}
    assert {"langgraph", "chroma", "tokenizers", "onnx"} <= named
    assert named <= set(PROJECT["optional-dependencies"])


def test_the_version_stands_in_one_place() -> None:
    """In the source; the distribution takes it from there."""
    assert ["version"] == PROJECT["dynamic"]
    assert "version" not in PROJECT
    assert re.fullmatch(r"\d+\.\d+\.\d+", precis.__version__)
    assert "precis-memory" == PROJECT["name"]
