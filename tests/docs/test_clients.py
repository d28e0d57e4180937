"""The clients are those of this API, and the Python one needs nothing of the server."""

from __future__ import annotations

import ast
import hashlib
import runpy
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "src" / "precis" / "client"
TYPESCRIPT = ROOT / "clients" / "typescript"
_OUTDATED = "{} is not what the API says: run `make client`, which writes it, and commit what it changes"

#: Imports the client from its wheel where nothing but httpx and what it needs can be imported.
_ALONE = """
import sys
ALLOWED = {"precis_client", "httpx", "httpcore", "h11", "anyio", "sniffio", "idna", "certifi", "truststore"}

class Only:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in ALLOWED and top not in sys.stdlib_module_names:
            raise ModuleNotFoundError(name, name=name)

sys.meta_path.insert(0, Only())
sys.path.insert(0, sys.argv[1])
import precis_client
with precis_client.Client("http://127.0.0.1:1", retries=precis_client.Retries(times=0)) as client:
    try:
        client.memories.list()
    except precis_client.ApiError as error:
        print(error.code)
"""


def test_what_is_written_from_the_api_is_up_to_date() -> None:
    """The document, the types and the client without await."""
    for path, text in runpy.run_path(str(ROOT / "scripts" / "write_clients.py"))["files"]().items():
        assert path.read_text(encoding="utf-8") == text, _OUTDATED.format(path.relative_to(ROOT))


def test_the_types_of_typescript_are_written_from_this_document() -> None:
    """They say of which; writing them takes node, which is not needed here."""
    digest = hashlib.sha256((ROOT / "clients" / "openapi.json").read_bytes()).hexdigest()
    path = TYPESCRIPT / "src" / "schema.ts"
    assert digest in path.read_text(encoding="utf-8")[:500], _OUTDATED.format(path.relative_to(ROOT))


def test_the_lock_file_names_no_address() -> None:
    """Packages come from where npm is told to look."""
    assert '"resolved"' not in (TYPESCRIPT / "package-lock.json").read_text(encoding="utf-8")


def _imported(path: Path) -> Iterator[str]:
    """The packages that a file imports; a dot is its own."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * min(node.level, 2) or (node.module or "").partition(".")[0]


def test_the_client_imports_httpx_and_itself() -> None:
    """By relative names, so that it works under the name of its own distribution as well."""
    packages = {name for path in CLIENT.glob("*.py") for name in _imported(path)} - sys.stdlib_module_names
    assert {".", "httpx"} == packages


def test_the_wheel_of_the_client_stands_alone(tmp_path: Path) -> None:
    """Built from this tree, and imported where nothing of the server is."""
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path)]
    subprocess.run([*command, str(ROOT / "clients" / "python")], check=True, capture_output=True, text=True)
    (wheel,) = tmp_path.glob("precis_client-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        archive.extractall(tmp_path / "site")
    modules = {f"precis_client/{path.name}" for path in CLIENT.glob("*.py")}
    assert modules | {"precis_client/py.typed"} <= set(names)
    done = subprocess.run(
        [sys.executable, "-c", _ALONE, str(tmp_path / "site")], check=False, capture_output=True, text=True
    )
    assert ("unreachable\n", "") == (done.stdout, done.stderr)
