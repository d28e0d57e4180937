"""The command line over a database: import, recall, summaries, plan, clusters, keys, costs, serve, worker."""

from __future__ import annotations

import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from cli_room import Room, environment, one_line, room
from prometheus_client.parser import text_string_to_metric_families

import warm
from precis.database.connections import open_database
from precis.keys.forgotten_log import ForgottenLog
from precis.keys.keyring import Keyring
from precis.keys.tenants import PostgresTenants
from precis.keys.vault import Vault

COFFEE = [
    "My favorite coffee is a flat white.",
    "I switched to decaf coffee because of my sleep.",
    "My coffee order these days is an oat cortado.",
    "I drink filter coffee now, black, from a thermos.",
]


def _row(number: int, text: str, **more: Any) -> dict[str, Any]:
    return {
        "id": f"c{number}", "text": text, "user_id": "mara", "created_at": f"2026-03-0{number + 1}T09:00:00Z",
        "metadata": {"speaker": "Mara"},
    } | more  # fmt: skip


@pytest.fixture(scope="module")
def here() -> Iterator[Room]:
    """A database that holds Mara's coffees."""
    with room() as made:
        file = made.write("coffee.jsonl", [_row(number, text) for number, text in enumerate(COFFEE)])
        told = made.json("import", file)
        assert told["created"] == len(COFFEE)
        assert told["refreshed"] == told["summaries"] == 1
        yield made


def test_moving_in_counts_and_names_what_did_not_fit(here: Room) -> None:
    """Exit code 1 where something was refused, 0 where all that is left out should stay; nothing is written twice."""
    notes = here.folder / "2024-05-07.md"
    notes.write_text("- Nils mended the weir.\n\n![[weir.png]]\n")
    arguments = ("import", "--from", "markdown", notes, "--user-id", "nils")
    dry = here.json(*arguments, "--dry-run")
    assert (True, 1, 0, 0) == (dry["dry_run"], dry["memories"]["written"], dry["in_precis"], dry["refreshed"])
    document = here.json(*arguments)
    assert (1, 1, 1) == (document["memories"]["written"], document["in_precis"], document["users"])
    assert [(1, False, ["2024-05-07.md"])] == [
        (entry["count"], entry["refused"], entry["examples"]) for entry in document["left_out"]
    ]
    notes.write_text(f"- Nils mended the weir.\n- {'x' * 200_001}\n")
    out = here.run(*arguments, code=1).stdout
    assert "0 written, 1 were there already, 1 refused." in out
    assert "Refused: 1 · text: … characters; the limit is 200000" in out


@pytest.fixture(scope="module")
def summary_id(here: Room) -> str:
    """Mara's one summary."""
    (summary,) = here.json("summaries", "list", "--user-id", "mara")["summaries"]
    return str(summary["id"])


def test_importing_again_changes_nothing(here: Room) -> None:
    """Everything is there already and nothing is refreshed."""
    told = here.json("import", here.folder / "coffee.jsonl")
    assert (told["read"], told["already_there"], told["created"], told["refreshed"]) == (4, 4, 0, 0)


def test_memories_without_id_or_date_are_known_again(here: Room) -> None:
    """Their ids follow from what they say; the same line twice is two memories."""
    file = here.write("bare.jsonl", [{"text": "It rains."}, {"text": "It rains."}, {"text": "It pours."}])
    first = here.json("import", file, "--user-id", "weather")
    again = here.json("import", file, "--user-id", "weather")
    assert (first["created"], first["already_there"]) == (3, 0)
    assert (again["created"], again["already_there"]) == (0, 3)


def test_words_mean_what_stands_before_them_in_the_same_file(here: Room) -> None:
    """Where they replace nothing, that is said once."""
    rows = [
        {"id": "o1", "text": "Odile lives at 4 Elm Road.", "created_at": "2024-03-01T09:00:00Z"},
        {"id": "o2", "text": "Odile found a place in Ghent.", "created_at": "2024-05-09T09:00:00Z",
         "supersedes": "Odile's old address"},
        {"id": "o3", "text": "The moon is far.", "created_at": "2024-05-10T09:00:00Z", "supersedes": "the tractor"},
    ]  # fmt: skip
    file = here.write("odile.jsonl", rows)
    printed = here.run("import", file, "--user-id", "odile").stdout
    assert "o3 replaces nothing: no memory is surely meant by its words. Name one by its id." in printed
    assert "o2 replaces" not in printed
    (first, *_) = here.json("recall", "where Odile lives", "--user-id", "odile")["results"]
    assert first["memory"]["supersedes"] == ["o1"]
    assert "replaces nothing" not in here.run("import", file, "--user-id", "odile").stdout


@pytest.mark.parametrize(
    ("field", "value", "advice"),
    [
        (
            "speaker",
            "Ana",
            "speaker: a memory has no such field; what is your own goes into metadata, and so does speaker",
        ),
        ("metadata", None, "metadata: an object belongs here, as"),
        ("user_id", 7, "user_id: a text belongs here; write it in quotes"),
        ("created_at", "2025-03-01", "created_at: give a time with its zone, as 2025-03-01T09:00:00Z or"),
        ("created_at", "2025-02-30T10:00:00Z", "created_at: there is no such day;"),
        ("created_at", "2025-13-01T10:00:00Z", "created_at: there is no such month;"),
    ],
)
def test_what_a_memory_lacks_is_said_with_what_to_do(here: Room, field: str, value: str, advice: str) -> None:
    """A field that newcomers try, a day without a time, and one that no calendar has."""
    file = here.write("lacking.jsonl", [_row(0, "one", id="lack") | {field: value}])
    assert f"line 1: {advice}" in one_line(here.run("import", file, code=2))


def test_a_bad_memory_is_named_by_its_line_and_its_batch_is_not_written(here: Room) -> None:
    """Line 4 of the file, blank lines counted; the batch before it is in, its own is not."""
    rows: list[Any] = [_row(0, "one", id="b0"), "", _row(1, "two", id="b1"), _row(2, "three", id="b2", importance=7)]
    file = here.write("bad.jsonl", rows)
    done = here.run("import", file, "--batch", "1", "--user-id", "bad", code=2)
    assert one_line(done) == (
        f"precis: {file}: line 4: importance: Input should be less than or equal to 1; "
        "the 2 memories before this batch are in"
    )
    whole = here.run("import", here.write("bad2.jsonl", [r | {"id": r["id"] + "x"} for r in rows if r != ""]), code=2)
    assert one_line(whole).endswith("line 3: importance: Input should be less than or equal to 1; nothing was written")
    assert (
        here.json("recall", "two", "--user-id", "mara", "--summaries", "without")["results"][0]["memory"]["id"][0]
        == "c"
    )


def test_a_broken_line_is_named(here: Room) -> None:
    """Bad JSON, with line and column."""
    done = here.run("import", here.write("broken.jsonl", [_row(0, COFFEE[0]), '{"text": "half']), code=2)
    assert "bad JSON at line 2" in one_line(done)


@pytest.mark.parametrize("rest", [[], [{"user_id": "wes", "text": "two"}], ["", " "]])
@pytest.mark.parametrize("cut", ['{"text": "half"', '{"text": "half",'])
def test_a_first_line_that_is_cut_off_is_named(here: Room, cut: str, rest: list[Any]) -> None:
    """And not the next one, where there may be none."""
    done = here.run("import", here.write("cut-off.jsonl", [cut, *rest]), code=2)
    assert f"bad JSON at line 1, column {len(cut) + 1}: " in one_line(done)


def test_a_missing_comma_of_a_list_is_named_where_it_is_missing(here: Room) -> None:
    """A word that is no JSON is named where it stands itself."""
    for rows, place in (
        (["[", '  {"text": "one"}', '  {"text": "two"}', "]"], "2, column 18"),
        (["[", " one]"], "2, column 2"),
    ):
        done = here.run("import", here.write("list.json", rows), code=2)
        assert f"bad JSON at line {place}: " in one_line(done)


def test_of_another_user_a_memory_is_not_said_to_say_something_else(here: Room) -> None:
    """A file whose rows have ids is of one user; for a second one it is told whose they are."""
    file = here.write("shared.jsonl", [_row(0, "I keep finches.", id="s0", user_id="sol")])
    here.run("import", file)
    line = one_line(here.run("import", file, "--user-id", "sal", code=1))
    assert "line 1: a memory with the id 's0' of user 'sol' is there already; give this one another id" in line


def test_what_was_written_before_a_wrong_line_is_said(here: Room) -> None:
    """Of a line that is no memory, and of one whose id means something else already."""
    good = [_row(0, "one", id="w0", user_id="wim"), _row(1, "two", id="w1", user_id="wim")]
    cut = here.write("cut.jsonl", [*good, '{"text": ""}'])
    assert one_line(here.run("import", cut, "--batch", "1", code=2)).endswith(
        'every memory needs "text"; the 2 memories before this batch are in'
    )
    other = here.write("other.jsonl", ["", _row(2, "three", id="w1", user_id="wim")])
    line = one_line(here.run("import", other, code=1))
    assert f"{other}: line 2: a memory with the id 'w1' says something else already" in line
    assert line.endswith("; nothing was written")


@pytest.mark.parametrize(("batch", "end"), [("200", "nothing was written"), ("1", "the 3 memories before")])
def test_an_id_that_a_file_gives_twice_is_the_files_fault(here: Room, batch: str, end: str) -> None:
    """Both lines are named, in one batch or in two; the same line twice is one memory."""
    rows = [_row(at, text, id=id_, user_id="wes") for at, (id_, text) in enumerate([("x", "one"), ("y", "two")])]
    file = here.write(f"twice{batch}.jsonl", [*rows, rows[0], "", _row(2, "three", id="y", user_id="wes")])
    line = one_line(here.run("import", file, "--batch", batch, code=2))
    assert f"{file}: line 2 and line 5 have the id 'y' and say different things; give one of them another id" in line
    assert end in line
    here.run("import", here.write("same.jsonl", [*rows, rows[0]]))


def test_a_row_without_a_date_that_says_something_else_is_told(here: Room) -> None:
    """Of a file, also where it is written in batches, and of what is stored; it was counted as there already."""
    rows = [{"id": f"u{at}", "user_id": "ula", "text": text} for at, text in enumerate(["I row.", "I swim."])]
    file = here.write("undated.jsonl", [*rows, rows[0] | {"text": "I own a boat."}])
    assert "line 1 and line 3 have the id 'u0'" in one_line(here.run("import", file, "--batch", "1", code=2))
    other = here.write("undated2.jsonl", [rows[0] | {"text": "I own a boat."}])
    assert "line 1: a memory with the id 'u0' says something else already" in one_line(
        here.run("import", other, code=1)
    )
    assert here.json("import", here.write("undated3.jsonl", rows))["already_there"] == 2


def test_import_prints_counts_for_people(here: Room) -> None:
    """What was written, what it made, how long it took and what it cost."""
    out = here.run("import", here.folder / "coffee.jsonl").stdout
    assert "0 memories written, 4 were there already, 0 skipped because they were forgotten." in out
    assert "0 model calls, 0 tokens, US$ 0.0000." in out


def test_recall_answers_as_the_api_does(here: Room) -> None:
    """Raw rows and the summary, each with its score and, expanded, its sources."""
    results = here.json("recall", "coffee from a thermos", "--user-id", "mara", "--expand", "--limit", "10")["results"]
    assert "c3" in [one["memory"]["id"] for one in results]
    (summary,) = (one for one in results if one["memory"]["is_summary"])
    assert [one["id"] for one in summary["sources"]] == ["c0", "c1", "c2", "c3"]
    only = here.json("recall", "coffee", "--user-id", "mara", "--summaries", "only")["results"]
    assert [one["memory"]["is_summary"] for one in only] == [True]


def test_recall_for_people_cites_and_explains(here: Room) -> None:
    """The text, where it comes from, and what the score is the sum of."""
    out = here.run(
        "recall", "thermos", "--user-id", "mara", "--explain", "--summaries", "without", "--limit", "1"
    ).stdout
    assert COFFEE[3] in out
    assert "[2026-03-04 Mara c3]" in out
    assert "keywords" in out
    assert "importance" in out


def test_recall_without_a_match_says_so(here: Room) -> None:
    """Not an empty screen."""
    assert here.run("recall", "thermos", "--user-id", "nobody").stdout == "Nothing of user nobody matches.\n"


def test_a_summary_is_shown_with_its_citations(here: Room, summary_id: str) -> None:
    """Every statement names date, speaker and id of what it rests on."""
    out = here.run("summaries", "show", summary_id).stdout
    assert "Mara's coffee, March 2026 (4 memories)" in out
    assert "[2026-03-04 Mara c3]" in out
    shown = here.json("summaries", "show", summary_id)
    assert {id_ for one in shown["statements"] for id_ in one["source_ids"]} <= {"c0", "c1", "c2", "c3"}
    assert summary_id in here.run("summaries", "list").stdout


def test_a_summary_expands_to_its_sources(here: Room, summary_id: str) -> None:
    """Oldest first, in their own words."""
    assert [one["text"] for one in here.json("summaries", "expand", summary_id)["memories"]] == COFFEE
    counts, oldest, *_ = here.run("summaries", "expand", summary_id).stdout.splitlines()
    assert counts == "4 of 4 cited"
    assert oldest.endswith(COFFEE[0])


def test_a_refresh_without_changes_does_nothing(here: Room, summary_id: str) -> None:
    """No draft, no token."""
    told = here.json("summaries", "refresh", summary_id)
    assert (told["result"], told["nodes_made"], told["usage"]["tokens_in"]) == ("unchanged", 0, 0)
    assert here.run("summaries", "refresh", summary_id).stdout.startswith("unchanged: current (0 calls, 0 tokens")


def test_a_deleted_summary_leaves_its_memories(here: Room) -> None:
    """And a second delete finds nothing."""
    tea = [
        _row(n, f"My favorite tea is {kind} tea.", id=f"t{n}", user_id="ida", memory_type="message")
        for n, kind in enumerate(("mint", "oat", "rye"))
    ]
    assert here.json("import", here.write("tea.jsonl", tea))["refreshed"] == 1
    (summary,) = here.json("summaries", "list", "--user-id", "ida")["summaries"]
    assert here.json("summaries", "delete", summary["id"]) == {"id": summary["id"], "deleted": True}
    assert len(here.json("recall", "tea", "--user-id", "ida")["results"]) == 3
    assert one_line(here.run("summaries", "delete", summary["id"], code=1)).endswith(f"no summary '{summary['id']}'")


def test_feedback_withdraws_a_statement_and_is_taken_back(here: Room, summary_id: str) -> None:
    """By the number that `show` prints; listed for people, with the note."""
    before = [one["text"] for one in here.json("summaries", "show", summary_id)["statements"]]
    assert f"  1 • {before[1]}" in here.run("summaries", "show", summary_id).stdout
    given = here.json("summaries", "feedback", summary_id, "wrong", "--statement", "1", "--note", "It was tea.")
    assert (1, before[1]) == (given["withdrawn"], given["feedback"]["statements"][0]["text"])
    assert before[1] not in here.run("summaries", "show", summary_id).stdout
    assert "It was tea." in here.run("summaries", "feedback").stdout
    assert [given["feedback"]] == here.json("summaries", "feedback", summary_id)["feedback"]
    here.run("summaries", "feedback", "--take-back", given["feedback"]["id"])
    assert before == [one["text"] for one in here.json("summaries", "show", summary_id)["statements"]]
    here.run("summaries", "feedback", summary_id, "so-so", code=2)


def test_an_unknown_summary_or_tenant_is_said(here: Room) -> None:
    """One line each."""
    assert one_line(here.run("summaries", "show", "nix", code=1)) == "precis: there is no summary 'nix'"
    assert "there is no tenant 'nix'" in one_line(here.run("costs", "--tenant", "nix", code=1))


@pytest.mark.parametrize(
    "arguments",
    [
        ("recall", "tea", "--user-id", "\udcff"), ("recall", "\udcff"), ("context", "tea", "--user-id", "\udcff"),
        ("forget", "\udcff"), ("summaries", "show", "\udcff"), ("keys", "create", "--tenant", "\udcff"),
        ("verify-forgotten", "somebody\udcff"), ("import", "coffee.jsonl", "--user-id", "\udcff"),
    ],
    ids=lambda arguments: arguments[0],
)  # fmt: skip
def test_an_argument_that_is_no_text_is_said(here: Room, arguments: tuple[str, ...]) -> None:
    """A byte that is not UTF-8, in one line."""
    given = [str(here.folder / one) if one == "coffee.jsonl" else one for one in arguments]
    assert "half a surrogate pair, which is not valid text" in one_line(here.run(*given, code=2))


def test_the_plan_tells_what_is_current(here: Room) -> None:
    """Nothing stale; with --all each cluster and why nothing is to be done."""
    assert here.run("plan").stdout == "Everything is current: a refresh now would call nothing.\n"
    told = here.json("plan", "--all", "--user-id", "mara")
    assert [(one["action"], one["reason"]) for one in told["plans"]] == [("nothing", "current")]
    assert told["total"] == {"clusters": 1, "calls": 0, "tokens_in": 0, "tokens_out": 0, "model": None, "cost": 0.0}


def test_clusters_are_listed(here: Room) -> None:
    """With key, size, churn, sparseness and last refresh; as a table for people."""
    (cluster,) = here.json("clusters", "list", "--user-id", "mara")["clusters"]
    assert (False, 0) == (
        cluster["sparse"],
        cluster["churn"] - here.json("clusters", "stats")["refreshes_last_hour"].get(cluster["group_id"], 0),
    )
    assert cluster["last_refresh"] is not None
    found = here.json("clusters", "list", "--key", cluster["extracted_key"].upper(), "--no-sparse")["clusters"]
    assert [cluster["group_id"]] == [one["group_id"] for one in found]
    assert [] == here.json("clusters", "list", "--sparse", "--user-id", "mara")["clusters"]
    assert cluster["group_id"] in here.run("clusters", "list").stdout


def test_clusters_are_counted_and_regrouped_by_another_distance(here: Room) -> None:
    """The preview changes nothing, --apply does what it told; today's distance is what is stored."""
    before = here.json("clusters", "stats", "--user-id", "mara")
    assert (before["clusters"], before["sparse"], before["summaries"]) == (1, 0, 1)
    told = here.json("clusters", "retune", "--distance", "0")
    assert (told["distance"], told["setting"], told["applied"]) == (0, 0.76, False)
    assert told["before"]["clusters"] == here.json("clusters", "stats")["clusters"]
    assert here.json("clusters", "stats", "--user-id", "mara") == before
    assert "0.0 (preview)" in here.run("clusters", "retune", "--distance", "0").stdout
    preview = here.json("clusters", "retune", "--distance", "0.5")
    assert here.json("clusters", "retune", "--distance", "0.5", "--apply") | {"applied": False} == preview
    said = here.run("clusters", "retune", "--distance", "0.5", "--apply").stdout
    assert "set PRECIS_CLUSTER_DISTANCE=0.5 to keep it so" in " ".join(said.split())


def test_costs_are_nothing_without_a_model(here: Room) -> None:
    """And say so."""
    assert here.json("costs") == {"costs": [], "monthly_ceiling": None}
    assert "nothing was spent" in here.run("costs").stdout


def test_the_schema_is_up_to_date(here: Room) -> None:
    """Every command migrated it."""
    assert here.run("migrate").stdout == "nothing to do: the schema is this release's\n"


async def test_a_key_opens_its_tenant_until_it_is_revoked(here: Room) -> None:
    """Created, listed without its secret, revoked."""
    made = here.json("keys", "create", "--tenant", "acme", "--name", "laptop")
    second = here.run("keys", "create", "--tenant", "acme")
    assert second.stdout.startswith("pk_acme_")
    assert "the first" not in second.stderr
    listed = here.run("keys", "list", "--tenant", "acme").stdout
    assert made["key_id"] in listed
    assert made["key"] not in listed
    async with open_database(here.server.dsn(user="precis_app")) as database:
        keys, log = Keyring(here.data_dir / "keys"), ForgottenLog(here.data_dir / "forgotten")
        holder = await PostgresTenants(database, Vault(keys), log).holder_of(made["key"])
        assert holder.tenant_id == "acme"
    here.run("keys", "revoke", made["key_id"], "--tenant", "acme")
    assert here.json("keys", "tenants")["tenants"]["acme"] == 1
    keys = here.json("keys", "list", "--tenant", "acme")["keys"]
    assert [one["revoked_at"] is None for one in keys] == [False, True]
    assert "no key" in one_line(here.run("keys", "revoke", made["key_id"], "--tenant", "acme", code=1))
    here.run("keys", "revoke", keys[1]["key_id"], "--tenant", "acme")


def test_a_key_is_revoked_whosever_it_is(here: Room) -> None:
    """Who takes back a leaked key in haste names no tenant; a wrong tenant is told, and that nothing was done."""
    assert "serves this computer only" in here.run("keys", "list").stdout
    made = here.run("keys", "create", "--tenant", "bolt")
    assert "from now on nobody is served without a key" in made.stderr
    key_id = made.stdout.split("_")[2]
    listed = here.run("keys", "list").stdout
    assert listed == "No keys of tenant default. --tenant names another; keys have: bolt.\n"
    refused = one_line(here.run("keys", "revoke", key_id, "--tenant", "default", code=1))
    assert "of tenant 'default' that is still valid: nothing was revoked" in refused
    assert "there is no tenant 'blot'" in one_line(here.run("keys", "revoke", key_id, "--tenant", "blot", code=1))
    assert here.run("keys", "revoke", key_id).stdout == f"{key_id} of tenant bolt is revoked.\n"
    assert here.json("keys", "tenants")["tenants"]["bolt"] == 0
    assert "of any tenant" in one_line(here.run("keys", "revoke", key_id, code=1))


@contextmanager
def _started(here: Room, *arguments: str, **env: str) -> Iterator[subprocess.Popen[str]]:
    command = [warm.command(), *arguments, "--data-dir", str(here.data_dir)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=environment(**env)) as process:
        try:
            yield process
        finally:
            process.kill()


def test_a_worker_tells_others_its_figures_for_a_key(here: Room) -> None:
    """This computer without one, as before; without PRECIS_METRICS_KEY it listens nowhere else."""
    everywhere = "0.0.0.0"  # noqa: S104 - that is what it is about
    refused = one_line(here.run("worker", "--metrics-host", everywhere, "--metrics-port", "9", code=2))
    assert "PRECIS_METRICS_KEY" in refused
    key = "scraper-0123456789-0123456789-0123456789"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    options = ("worker", "--metrics-host", everywhere, "--metrics-port", str(port))
    with _started(here, *options, PRECIS_METRICS_KEY=key) as process:
        assert "works" in _first_line(process)
        url = f"http://127.0.0.1:{port}/metrics"
        assert httpx.get(url).status_code == 401
        assert httpx.get(url, headers={"Authorization": f"Bearer {key}x"}).status_code == 401
        assert httpx.get(url[: -len("metrics")], headers={"Authorization": f"Bearer {key}"}).status_code == 404
        figures = httpx.get(url, headers={"Authorization": f"Bearer {key}"}).raise_for_status().text
        names = {family.name for family in text_string_to_metric_families(figures)}
        assert {"precis_refreshes", "precis_build_info", "process_resident_memory_bytes"} <= names
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) in {0, 128 + signal.SIGTERM}


def _first_line(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    return process.stderr.readline()


def _stopped(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (0, ""), err
    assert "Traceback" not in err


def test_serve_says_where_and_stops_when_told(here: Room) -> None:
    """It answers at the address it prints."""
    with _started(here, "serve", "--port", "0", "--no-worker") as process:
        said = _first_line(process)
        assert "precis serves at http://127.0.0.1:" in said
        url = said.split()[3].rstrip(",")
        found = httpx.post(f"{url}/v1/recall", json={"query": "coffee", "user_id": "mara"}, timeout=30)
        assert found.status_code == 200, found.text
        assert found.json()["results"]
        _stopped(process)


def test_a_worker_works_until_it_is_told_to_stop(here: Room) -> None:
    """And ends well."""
    with _started(here, "worker") as process:
        assert "precis works" in _first_line(process)
        _stopped(process)
