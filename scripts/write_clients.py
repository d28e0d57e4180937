"""Write what the clients are made of from the API itself: ``make client``.

``clients/openapi.json`` is the document that the server answers. From it come the types of the Python client: those
that ``asynchronous.py`` names, and what they are made of. ``synchronous.py`` is ``asynchronous.py`` without its
awaits. The types of the TypeScript client are written by ``npm run generate`` in its folder.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal, cast

from pydantic import BaseModel

from precis.app.inputs import GroupFilter, RowFilter
from precis.bootstrap import Runtime
from precis.rest.answers import RowBody
from precis.rest.server import build
from precis.settings import Settings

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "clients" / "openapi.json"
CLIENT = ROOT / "src" / "precis" / "client"
_TYPING = "from __future__ import annotations\n\n"
_TYPING += "from collections.abc import Mapping, Sequence\nfrom datetime import datetime\n"
_TYPING += "from typing import Any, Literal, NotRequired, TypeAlias, TypedDict\n\n"
_BANNER = '"""{}\n\nWritten by `make client`: change {} instead.\n"""\n\n'
_PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
#: What several of the document's shapes are made of, and how: as they are sent, or as they are answered.
_SHARED: tuple[tuple[type[BaseModel], Literal["validation", "serialization"]], ...] = (
    (GroupFilter, "validation"),
    (RowFilter, "validation"),
    (RowBody, "serialization"),
)
#: So many fields of another are worth inheriting.
_FIELDS = 4
#: What differs between the two clients, in the order in which it is replaced.
_SYNCHRONOUS = (
    (r"\bimport asyncio\b", "import time"),
    (r"\basyncio\.sleep\b", "time.sleep"),
    (r"\basync (def|with|for)\b", r"\1"),
    (r"\bawait ", ""),
    (r"__a(enter|exit)__", r"__\1__"),
    (r"\baclose\b", "close"),
    (r"\bAsync([A-Z])", r"\1"),
    (r"for (\w+) in (.+):\n\s+yield \1\n", r"yield from \2\n"),
    (r"\basynchronous\b", "synchronous"),
)


def openapi() -> str:
    """The document as the server answers it. No database is needed to describe one."""
    runtime = cast("Runtime", SimpleNamespace(app=str, settings=Settings()))
    return json.dumps(build(runtime).openapi(), indent=1, ensure_ascii=False) + "\n"


class Shapes:
    """The shapes of a document as TypedDicts."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._schemas: dict[str, Any] = document["components"]["schemas"]
        operations = [each for methods in document["paths"].values() for each in methods.values()]
        self._queries = {_query_name(each["operationId"]): each for each in operations}
        for model, mode in _SHARED:
            schema = self._schemas[model.__name__] = model.model_json_schema(mode=mode)
            if mode == "serialization":  # what is answered is all there
                schema["required"] = [*schema["properties"]]
        self._aliases: dict[str, str] = {}
        self._fields: dict[str, dict[str, str]] = {}
        self._sentences: dict[str, str] = {}
        #: Those that are sent; the others are answered.
        self._sent = {
            name for each in operations for name in _references(each.get("requestBody")) if name in self._schemas
        } | {model.__name__ for model, mode in _SHARED if mode == "validation"}

    def source(self, names: list[str]) -> str:
        """These, and what they are made of."""
        for name in [*names, *(model.__name__ for model, _ in _SHARED)]:
            self._write(name)
        classes: dict[str, str] = {}
        for name in sorted(self._fields.keys() - {model.__name__ for model, _ in _SHARED}):
            self._write_class(name, classes)
        banner = _BANNER.format("What is sent to precis and what it answers.", "the server")
        return banner + _TYPING + "\n".join(sorted(self._aliases.values())) + "\n\n" + "\n\n".join(classes.values())

    def _write(self, name: str) -> None:
        if name in self._fields or name in self._aliases:
            return
        self._aliases[name] = ""
        schema = self._schemas.get(name) or self._query(name)
        if "properties" not in schema:
            self._aliases[name] = f"{name}: TypeAlias = {self._type(schema, sent=False)}"
            return
        required, sent = set(schema.get("required", ())), name in self._sent or name in self._queries
        del self._aliases[name]
        self._sentences[name] = _sentence(schema["description"])
        fields = self._fields[name] = {}
        for field, part in schema["properties"].items():
            kind = self._type(part, sent=sent)
            fields[field] = kind if field in required else f"NotRequired[{kind}]"

    def _write_class(self, name: str, classes: dict[str, str]) -> None:
        """After those whose fields it has: it inherits them, the most first."""
        if name in classes:
            return
        fields, bases, shared = dict(self._fields[name]), [], {model.__name__ for model, _ in _SHARED}
        for base, inherited in sorted(self._fields.items(), key=lambda named: (-len(named[1]), named[0] not in shared)):
            if _FIELDS <= len(inherited) < len(self._fields[name]) and inherited.items() <= fields.items():
                self._write_class(base, classes)
                bases.append(base)
                fields = {field: kind for field, kind in fields.items() if field not in inherited}
        lines = [f"class {name}({', '.join(bases) or 'TypedDict'}):", f'    """{self._sentences[name]}"""', ""]
        classes[name] = "\n".join([*lines, *(f"    {field}: {kind}" for field, kind in fields.items())]) + "\n"

    def _query(self, name: str) -> dict[str, Any]:
        """The query of an operation as a schema."""
        operation = self._queries[name]
        parameters = [each for each in operation.get("parameters", ()) if each["in"] == "query"]
        return {
            "description": f"The query of {operation['operationId']}.",
            "properties": {each["name"]: each["schema"] for each in parameters},
            "required": [each["name"] for each in parameters if each["required"]],
        }

    def _type(self, schema: dict[str, Any], *, sent: bool) -> str:
        """As Python writes it."""
        match schema:
            case {"$ref": str(reference)}:
                name = reference.rpartition("/")[2]
                self._write(name)
                return name
            case {"const": value}:
                return f"Literal[{value!r}]"
            case {"enum": list(values)}:
                return f"Literal[{', '.join(map(repr, values))}]"
            case {"anyOf": list(parts)} | {"oneOf": list(parts)}:
                return _union(self._type(part, sent=sent) for part in parts)
        return self._plain(schema, sent=sent)

    def _plain(self, schema: dict[str, Any], *, sent: bool) -> str:
        match schema:
            case {"type": "array", "items": dict(items)}:
                return f"{'Sequence' if sent else 'list'}[{self._type(items, sent=sent)}]"
            case {"type": "object", "additionalProperties": dict(values)}:
                return f"{'Mapping' if sent else 'dict'}[str, {self._type(values, sent=sent)}]"
            case {"type": "object"}:
                return f"{'Mapping' if sent else 'dict'}[str, Any]"
            case {"type": "string", "format": "date-time"} if sent:
                return "str | datetime"
            case {"type": str(kind)}:
                return _PLAIN.get(kind, "Any")
        return "Any"


def _union(kinds: Iterable[str]) -> str:
    """A text may be a date as well, and is named once."""
    dated = {"str | datetime": ["str", "datetime"]}
    return " | ".join(dict.fromkeys(part for kind in kinds for part in dated.get(kind, [kind])))


def _query_name(operation_id: str) -> str:
    return "".join(part.title() for part in operation_id.split("_")) + "Query"


def _sentence(text: str) -> str:
    """The first, on one line."""
    return re.split(r"(?<=\.)\s", " ".join(text.replace("`", "").split()), maxsplit=1)[0]


def _references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if "$ref" in part:
            yield part["$ref"].rpartition("/")[2]
        part = list(part.values())
    if isinstance(part, list):
        for each in part:
            yield from _references(each)


def shapes(document: str, asynchronous: str) -> str:
    """The module ``shapes.py``: what ``asynchronous.py`` names of it."""
    used = {
        node.attr
        for node in ast.walk(ast.parse(asynchronous))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "shapes"
    }
    return formatted(Shapes(json.loads(document)).source(sorted(used)))


def synchronous(asynchronous: str) -> str:
    """The module ``synchronous.py``."""
    _, _, body = asynchronous.partition('"""\n\n')
    for pattern, replacement in _SYNCHRONOUS:
        body = re.sub(pattern, replacement, body)
    return formatted(_BANNER.format("Calls precis, and waits for its answers.", "`asynchronous.py`") + body)


def formatted(source: str) -> str:
    """As `make lint` wants it: imports in order, lines of one length."""
    for command in (["check", "--select", "I,F401", "--fix", "--quiet"], ["format"]):
        arguments = [sys.executable, "-m", "ruff", *command, "--stdin-filename", "src/precis/client/written.py", "-"]
        done = subprocess.run(arguments, cwd=ROOT, input=source, capture_output=True, text=True, check=True)  # noqa: S603
        source = done.stdout
    return source


def files() -> dict[Path, str]:
    """Every file that is written, with its text."""
    document, asynchronous = openapi(), (CLIENT / "asynchronous.py").read_text(encoding="utf-8")
    return {
        DOCUMENT: document,
        CLIENT / "shapes.py": shapes(document, asynchronous),
        CLIENT / "synchronous.py": synchronous(asynchronous),
    }


if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
