"""The wheel alone is precis: SQL, migrations, prompts, tables and the demo's conversation are in it."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

#: What a caller does with an installed precis, far from its sources.
CALLER = """
import asyncio, json, sys
from importlib.resources import files
from pathlib import Path

import precis
from precis.prompts import load
from precis.database.migrate import migrations
from precis.database.queries import every_query
from precis.bootstrap import open as open_precis

TEXTS = (
    "Ana drinks green tea every morning.",
    "Ana keeps her oolong in a tin from Kyoto.",
    "Ana buys tea at the harbor market.",
)

async def main():
    async with open_precis(data_dir=Path(sys.argv[1])) as app:
        for text in TEXTS:
            written = await app.memories.add([{"text": text, "user_id": "ana", "type": "preference", "key": "tea"}])
        summary = await app.summaries.get(written.summaries[0])
        found = await app.recall.search("green tea", user_id="ana")
    return {
        "text": summary.text,
        "made_by": summary.made_by,
        "sources": len(summary.parent_id),
        "recalled": len(found),
        "where": str(Path(precis.__file__).resolve()),
        "migrations": [name for name, _ in migrations()],
        "queries": len(every_query()),
        "prompt": load("cluster"),
        "demo": len((files("precis") / "demo" / "conversation.jsonl").read_text().splitlines()),
    }

print(json.dumps(asyncio.run(main())))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this tree, built without a network."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel: Path, rooms_folder: Path) -> Path:
    """A fresh environment with the wheel in it, and what it depends on beside it."""
    place = rooms_folder / "fresh"
    venv.create(place, with_pip=False, symlinks=True)
    interpreter = place / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(interpreter), "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--quiet", "--no-deps", "--no-index", str(wheel)], check=True, capture_output=True)
    # Its own folder comes first; a line in a .pth file does not run the .pth files of the folder it names,
    # so the editable installation of the sources there stays unseen.
    (_site(place) / "dependencies.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    return interpreter


def _site(place: Path) -> Path:
    (folder,) = place.glob("lib/python3.*/site-packages")
    return folder


def test_everything_that_is_not_code_is_in_the_wheel(wheel: Path) -> None:
    """Each tracked file of the package but caches, and nothing beside it."""
    package = ROOT / "src" / "precis"
    tree = {f"precis/{path.relative_to(package)}" for path in package.rglob("*") if path.is_file()}
    wanted = {name for name in tree if "__pycache__" not in name}
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {name for name in wanted if not name.endswith(".py")} - names == set()
    assert wanted - names == set()
    assert {name.partition("/")[0] for name in names if not name.startswith("precis_memory-")} == {"precis"}
    for part in ("precis/py.typed", "precis/store/schema.sql", "precis/demo/conversation.jsonl"):
        assert part in names


def test_a_stranger_gets_a_summary(python: Path, rooms_folder: Path, tmp_path: Path) -> None:
    """Installed in a fresh environment and run from an empty folder: three memories in, their summary out."""
    command = [str(python), "-c", CALLER, str(rooms_folder / "stranger")]
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout.splitlines()[-1])
    assert Path(said["where"]).is_relative_to(python.parents[1].resolve())
    assert (said["sources"], said["recalled"], said["made_by"]) == (3, 4, "extractive@2")
    assert "green tea" in said["text"]
    assert said["migrations"][0] == "0001_foundation.sql"
    assert said["queries"] > 50
    assert said["prompt"]
    assert said["demo"] > 100


def test_the_command_is_installed(python: Path) -> None:
    """``precis`` is a program of the environment."""
    assert (python.parent / "precis").is_file()
    metadata = next(_site(python.parents[1]).glob("precis_memory-*.dist-info/entry_points.txt")).read_text()
    assert "precis = precis.__main__:main" in metadata
