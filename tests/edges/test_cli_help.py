"""The command line before any database: help, usage and errors a newcomer meets."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import pytest
from cli_room import environment, one_line, precis, warm_precis
from typer.testing import CliRunner

from precis import cli as command_line
from precis.cli import cli

#: The modules of the verbs, but for the one that serves.
MODULES = sorted(
    {path.stem for path in Path(command_line.__file__).parent.glob("*.py")} - {"__init__", "__main__", "serving"}
)

VERBS = tuple(
    "demo serve import recall summaries views plan clusters costs keys worker migrate forget verify-forgotten".split()
)


def test_help_lists_every_verb() -> None:
    """Whoever types --help sees what there is."""
    done = precis("--help")
    assert done.returncode == 0
    for verb in VERBS:
        assert f" {verb} " in done.stdout


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_explains_itself(verb: str) -> None:
    """Each verb can be loaded and has a help of its own."""
    done = CliRunner().invoke(cli, [verb, "--help"], env={"COLUMNS": "200"})
    assert done.exit_code == 0
    assert f"{verb} [OPTIONS]" in done.output
    assert "--data-dir" in done.output or "COMMAND" in done.output


@pytest.mark.parametrize("group", ["summaries", "clusters", "keys"])
def test_a_group_lists_its_verbs_with_the_same_options(group: str) -> None:
    """Sub-verbs have --data-dir and --json as well."""
    verbs = {"summaries": ["list", "show", "expand", "refresh", "delete"], "clusters": ["stats", "retune"]}
    for verb in verbs.get(group, ["create", "list", "revoke"]):
        done = CliRunner().invoke(cli, [group, verb, "--help"], env={"COLUMNS": "200"})
        assert done.exit_code == 0
        assert "--data-dir" in done.output
        assert "--json" in done.output


def test_garbage_is_not_looked_for_in_what_a_verb_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is imported is left out of every later look for garbage; what comes after it is not, nor after an error."""
    (tmp_path / "verb_that_keeps.py").write_text("kept = [[number] for number in range(5_000)]")
    (tmp_path / "verb_that_fails.py").write_text("1 / 0")
    monkeypatch.syspath_prepend(tmp_path)
    before = gc.get_freeze_count()
    module = command_line._read("verb_that_keeps")
    assert gc.get_freeze_count() >= before + 5_000
    assert gc.isenabled()
    assert module is command_line._read("verb_that_keeps")
    with pytest.raises(ZeroDivisionError):
        command_line._read("verb_that_fails")
    assert gc.isenabled()


def test_help_loads_no_verb() -> None:
    """The modules behind the verbs are read when they are used, so that help is quick."""
    program = "import sys, precis.cli; print([m for m in sys.modules if m.startswith(('precis.cli.', 'precis.rest'))])"
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=True)
    assert done.stdout.strip() == "[]"


def test_no_verb_loads_a_server() -> None:
    """Only serving needs what serves: it takes longer to read than most verbs take."""
    imports = ", ".join(f"precis.cli.{module}" for module in MODULES)
    program = f"import sys, {imports}; print([m for m in ('fastapi', 'uvicorn', 'openai') if m in sys.modules])"
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=True)
    assert done.stdout.strip() == "[]"


def test_the_version_is_printed() -> None:
    """For whoever reports a bug."""
    assert precis("--version").stdout.startswith("precis ")


def test_an_unknown_verb_is_a_usage_error_with_a_suggestion() -> None:
    """Exit code 2, and the word that was meant."""
    done = precis("recal", "x")
    assert done.returncode == 2
    assert "'recall'" in done.stderr
    assert done.stdout == ""


def test_a_missing_file_is_named() -> None:
    """Exit code 2, one line, the path and the reason."""
    done = warm_precis("import", "/nonexistent/memories.jsonl")
    assert done.returncode == 2
    assert one_line(done) == (
        "precis: /nonexistent/memories.jsonl: cannot be read (No such file or directory); "
        "check the path and its permissions."
    )


def test_a_file_that_is_no_json_is_refused(tmp_path: Path) -> None:
    """Before anything is started."""
    file = tmp_path / "letter.txt"
    file.write_text("Dear precis,\n")
    assert "line 1 starts with 'Dear precis,'" in one_line(warm_precis("import", file))
    assert not (tmp_path / ".precis").exists()


def test_a_database_that_does_not_answer_is_said_at_once() -> None:
    """Not after half a minute of waiting for a pool."""
    url = "postgresql://somebody@127.0.0.1:1/nothing"
    done = warm_precis("recall", "x", PRECIS_DATABASE_URL=url)
    assert done.returncode == 3
    assert one_line(done).startswith("precis: the database cannot be reached: ")


def test_a_bad_setting_is_named() -> None:
    """The setting and what is wrong with it, without a stack."""
    done = warm_precis("plan", PRECIS_CLUSTER_DISTANCE="9")
    assert done.returncode == 2
    assert one_line(done) == (
        "precis: setting cluster_distance (PRECIS_CLUSTER_DISTANCE): Input should be less than or equal to 2"
    )


def test_a_folder_is_named_in_utf_8(tmp_path: Path) -> None:
    """The programs of the database print the names of their files; nothing is made under another name."""
    done = warm_precis("recall", "tea", "--data-dir", f"{tmp_path}/a\udcff")
    assert done.returncode == 2
    assert "is not UTF-8" in one_line(done)
    assert list(tmp_path.iterdir()) == []


def test_the_demo_does_not_empty_a_folder_that_is_not_its_own(tmp_path: Path) -> None:
    """A typing mistake must not cost anybody a home directory."""
    treasure = tmp_path / "letters.txt"
    treasure.write_text("dear")
    done = warm_precis("demo", "--data-dir", tmp_path)
    assert done.returncode == 2
    assert "is not a data folder of precis" in one_line(done)
    assert treasure.read_text() == "dear"


def test_forget_wants_ids_or_a_user() -> None:
    """Neither is a usage error, and so are options of words without a user."""
    for arguments in ([], ["m1", "--yes"]):
        done = warm_precis("forget", *arguments)
        assert done.returncode == 2
        assert "--user-id" in done.stderr
