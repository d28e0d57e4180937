"""The prompts, one Markdown file each; the digest of a prompt is part of a summary's definition."""

import hashlib
from functools import cache
from importlib.resources import files

from precis.errors import NotFound


@cache
def load(name: str) -> str:
    """The text of a prompt, e.g. ``load("cluster")``. Raises NotFound."""
    path = files(__name__) / f"{name}.md"
    if not name.isidentifier() or not path.is_file():
        raise NotFound(f"There is no prompt named {name!r}.")
    return path.read_text(encoding="utf-8").strip()


@cache
def digest(name: str) -> str:
    """Sixteen hex digits that change when the prompt does (SHA-256, shortened)."""
    return hashlib.sha256(load(name).encode()).hexdigest()[:16]
