"""Every check of schemathesis against a real server on an empty database, without keys and with them: ``make fuzz``.

``--short`` calls each route with the edge cases of its parameters alone, with a key; that is what the tests do.
Of the search that a prompt holds it tries the conditions of two filters, since the search has a route of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import structlog

from precis.bootstrap import Runtime, open_runtime
from precis.ids import new_id
from precis.rest.server import listening
from precis.settings import Settings

CONFIG = Path(__file__).with_name("fuzz.toml")
HOOKS = Path(__file__).with_name("fuzz_hooks.py")
#: Cases for each route and phase.
EXAMPLES = 10


async def fuzz(data_dir: Path, *, keyed: bool, short: bool) -> int:
    """One run on a database of its own; what schemathesis exits with."""
    async with open_runtime(Settings(data_dir=data_dir)) as runtime, listening(runtime) as url:
        options = ["--header", f"X-API-Key: {await _key(runtime)}"] if keyed else _KEYLESS
        options += _SHORT if short else ["--max-examples", str(EXAMPLES)]
        # Where it keeps what it found: not among the sources.
        env = os.environ | {"SCHEMATHESIS_HOOKS": str(HOOKS)} | ({"FUZZ_SHORT": "yes"} if short else {})
        process = await asyncio.create_subprocess_exec(*_command(url, options), cwd=data_dir, env=env)
        return await process.wait()


#: Nothing asks for a key where there are none, so nothing can ignore it.
_KEYLESS = ["--exclude-checks", "ignored_auth"]
#: Its command line, of this very environment. It makes much that stays, which is not looked through for garbage.
_SCHEMATHESIS = """
import gc
gc.disable()
from schemathesis.cli import schemathesis
gc.freeze()
gc.enable()
gc.set_threshold(20_000, 50, 50)
schemathesis()
"""
_SHORT = ["--phases", "examples,coverage"]


def _command(url: str, options: Sequence[str]) -> list[str]:
    return [
        sys.executable,
        "-c",
        _SCHEMATHESIS,
        "--config-file",
        str(CONFIG),
        "run",
        f"{url}/openapi.json",
        "--checks",
        "all",
        "--wait-for-schema",
        "60",
        *options,
    ]


async def _key(runtime: Runtime) -> str:
    tenant_id = f"fuzz-{new_id()}"
    await runtime.store.tenants.create(tenant_id, name="fuzz", now=runtime.engine.clock())
    return await runtime.store.tenants.create_key(tenant_id, name="fuzz", now=runtime.engine.clock())


def main() -> int:
    """Run; 0 where every check passed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true")
    short = parser.parse_args().short
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    gc.freeze()
    with tempfile.TemporaryDirectory(prefix="precis-fuzz-") as folder:
        Path(folder).chmod(0o755)
        runs = [
            fuzz(Path(folder) / str(keyed), keyed=keyed, short=short) for keyed in ([True] if short else [False, True])
        ]
        return max([asyncio.run(run) for run in runs])


if __name__ == "__main__":
    sys.exit(main())
