"""Turns as chat APIs write their messages, over REST: null contents, parts, pictures, roles."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from precis.app import App

pytestmark = pytest.mark.asyncio(loop_scope="session")
CALL = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Oslo"}'}}
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "iVBORw0KGgo" * 400}}


async def turn(api: httpx.AsyncClient, name: str, *messages: dict[str, Any]) -> httpx.Response:
    """Write one."""
    return await api.post(f"/v1/conversations/{name}/turns", json={"user_id": "ana", "messages": list(messages)})


async def stored(api: httpx.AsyncClient, name: str) -> list[dict[str, Any]]:
    """Its messages as they come back."""
    return list((await api.get(f"/v1/conversations/{name}/messages")).json()["messages"])


async def test_a_call_beside_no_content(api: httpx.AsyncClient) -> None:
    """As the SDK dumps the message: with fields that say nothing; places are answered at once."""
    asks = {
        "role": "assistant",
        "content": None,
        "tool_calls": [CALL],
        "refusal": None,
        "annotations": [],
        "audio": None,
    }
    answers = {"role": "tool", "tool_call_id": "c1", "content": "Sunny, 21 degrees."}
    done = await turn(api, "chat-call", {"role": "user", "content": "Weather in Oslo?"}, asks, answers)
    assert done.status_code == 201, done.text
    assert [row["seq"] for row in done.json()["messages"]] == [1, 2, 3]
    rows = await stored(api, "chat-call")
    assert [row["seq"] for row in rows] == [1, 2, 3]
    assert rows[1]["message"]["tool_calls"] == [CALL]
    more = await turn(api, "chat-call", {"role": "assistant", "content": None, "refusal": "I cannot say more."})
    assert [row["seq"] for row in more.json()["messages"]] == [4]
    assert (await stored(api, "chat-call"))[3]["message"]["content"] == "I cannot say more."


async def test_a_content_in_parts(api: httpx.AsyncClient) -> None:
    """Texts are joined; of a picture or a file a word is remembered, and the part comes back as it was sent."""
    texts = [{"type": "text", "text": "I live in Oslo."}, {"type": "text", "text": "I have a parrot."}]
    file = {"type": "file", "file": {"filename": "lease.pdf", "file_data": "JVBERi0" * 99}}
    done = await turn(
        api, "chat-parts", {"role": "user", "content": texts}, {"role": "user", "content": [texts[0], PICTURE, file]},
        {"role": "user", "content": [PICTURE]},
    )  # fmt: skip
    assert done.status_code == 201, done.text
    rows = await stored(api, "chat-parts")
    assert rows[0]["message"]["content"] == "I live in Oslo.\nI have a parrot."
    assert rows[1]["message"]["content"] == [texts[0], PICTURE, file]
    memories = [(await api.get(f"/v1/memories/{row['memory_id']}")).json()["text"] for row in rows]
    assert memories[1:] == ["I live in Oslo.\n[image]\n[file lease.pdf]", "[image]"]


async def test_a_payload_alone_is_no_base64_in_recall(api: httpx.AsyncClient) -> None:
    """What is encoded in it is marked."""
    done = await turn(api, "chat-payload", {"role": "user", "payload": {"kind": "photo", "parts": [PICTURE]}})
    text = (await api.get(f"/v1/memories/{done.json()['messages'][0]['memory_id']}")).json()["text"]
    assert "iVBOR" not in text
    assert "[data]" in text


@pytest.mark.parametrize(
    ("message", "word"),
    [
        ({"role": "king", "content": "Bow."}, "assistant, bot"),
        ({"role": "user", "content": [{"words": "no type"}]}, "has no type"),
        ({"role": "user", "content": [{"type": "hologram"}]}, "its type is 'hologram'"),
        ({"role": "model", "parts": [{"hologram": {}}]}, "has no type"),
        ({"role": "user", "content": 7}, "string"),
        ({"type": "human", "data": {"content": "Hi."}}, "no role but data, type"),
        ({"kind": "request", "parts": [{"content": "Hi.", "part_kind": "user-prompt"}]}, "no role but kind, parts"),
        ({"role": "user", "content": None}, "cannot be empty"),
    ],
)
async def test_what_is_no_message_is_refused(api: httpx.AsyncClient, message: dict[str, Any], word: str) -> None:
    """The error says what it is, and nothing is written."""
    refused = await turn(api, "chat-odd", message)
    assert refused.status_code == 422
    assert word in refused.text
    assert (await api.get("/v1/conversations/chat-odd/messages")).status_code == 404


async def test_a_text_is_counted_in_characters(api: httpx.AsyncClient) -> None:
    """Lists are counted in items."""
    short = await api.post("/v1/verify-forgotten", json={"words": ["o"]})
    assert short.json()["detail"][0]["msg"] == "Text should have at least 2 characters after validation, not 1"
    none = await api.post("/v1/verify-forgotten", json={"words": []})
    assert "at least 1 item " in none.json()["detail"][0]["msg"]


async def test_blocks_of_anthropics_api(api: httpx.AsyncClient) -> None:
    """A call and its result are told; what a tool answered is the tool's, though the API has it from the user."""
    thought = {"type": "thinking", "thinking": "Hm, a rainy town.", "signature": "s"}
    asks = {"type": "tool_use", "id": "t1", "name": "weather", "input": {"city": "Graz"}, "caller": None}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "12 degrees, rain."}]}
    whole = {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "tool_use",
        "content": [thought, {"type": "text", "text": "Let me look."}, asks], "usage": {"input_tokens": 9},
    }  # fmt: skip
    told: list[dict[str, Any]] = [{"role": "user", "content": "I moved to Graz."}, whole]
    told += [{"role": "user", "content": [result]}]
    for _ in range(2):  # The list goes on growing, and no message of it has an id but the answers of the API.
        told += [{"role": "assistant", "content": [{"type": "text", "text": "It rains."}]}]
        told += [{"role": "user", "content": f"Still, {len(told)} days on?"}]
        done = await turn(api, "blocks", *told)
        assert done.status_code == 201, done.text
    rows = await stored(api, "blocks")
    assert [row["message"]["content"] for row in rows] == [
        told[0]["content"], whole["content"], [result], "It rains.", told[4]["content"], "It rains.",
        told[6]["content"],
    ]  # fmt: skip
    assert rows[2]["message"]["role"] == "user"
    memories = [(await api.get(f"/v1/memories/{row['memory_id']}")).json() for row in rows[:3]]
    assert [row["text"] for row in memories[1:]] == [
        'Let me look.\n[calls weather {"city":"Graz"}]', "12 degrees, rain.",
    ]  # fmt: skip
    assert [row["source_class"] for row in memories] == ["user", "agent", "tool"]


async def test_a_result_beside_words_is_not_the_users(api: httpx.AsyncClient, app: App) -> None:
    """The user's words are theirs; the answer of the tool comes back in the message, and is nowhere else."""
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "The user's PIN is 1234."}
    parts = [result, {"type": "text", "text": "My cat is called Mo."}]
    await turn(api, "beside", {"role": "user", "content": parts})
    row = (await stored(api, "beside"))[0]
    assert row["message"]["content"] == parts
    assert (await api.get(f"/v1/memories/{row['memory_id']}")).json()["text"] == "My cat is called Mo."
    await app.facts.read(at_once=True)
    rows = (await api.get("/v1/memories", params={"user_id": "ana", "is_summary": "false"})).json()["memories"]
    assert [row["text"] for row in rows if row["memory_type"] != "message"] == ["My cat is called Mo."]


async def test_an_item_of_the_responses_api(api: httpx.AsyncClient) -> None:
    """As its SDK dumps an answer."""
    text: dict[str, Any] = {"type": "output_text", "text": "A nice name.", "annotations": [], "logprobs": None}
    item = {"id": "m7", "type": "message", "role": "assistant", "status": "completed", "content": [text], "phase": None}
    asked = {"role": "user", "content": [{"type": "input_text", "text": "My cat is called Mo."}]}
    assert (await turn(api, "items", asked, item)).status_code == 201
    rows = await stored(api, "items")
    memories = [(await api.get(f"/v1/memories/{row['memory_id']}")).json()["text"] for row in rows]
    assert memories == ["My cat is called Mo.", "A nice name."]
    assert (rows[1]["id"], rows[1]["message"]["content"]) == ("m7", [text])


UI: dict[str, Any] = {
    "id": "ui2", "role": "assistant", "metadata": {"model": "m"}, "parts": [
        {"type": "step-start"},
        {"type": "reasoning", "text": "The user hates rain.", "state": "done"},
        {"type": "tool-weather", "toolCallId": "c1", "state": "output-available", "input": {"city": "Graz"},
         "output": {"note": "I moved to Kiruna."}},
        {"type": "dynamic-tool", "toolName": "ask", "toolCallId": "c2", "state": "input-available", "input": {}},
        {"type": "data-chart", "data": [1]},
        {"type": "source-url", "sourceId": "s", "url": "https://example.org"},
        {"type": "text", "text": "It rains.", "state": "done"},
    ],
}  # fmt: skip


async def memories_of(api: httpx.AsyncClient, name: str) -> list[tuple[str, str]]:
    """From whom each message is, and what of it is remembered."""
    rows = [(await api.get(f"/v1/memories/{row['memory_id']}")).json() for row in await stored(api, name)]
    return [(row["source_class"], row["text"]) for row in rows]


async def test_messages_of_the_ai_sdks_screens(api: httpx.AsyncClient) -> None:
    """They have parts and no content: none is left out, and each comes back as it came."""
    picture = {"type": "file", "mediaType": "image/png", "filename": "a.png", "url": "data:,"}
    asks = {"id": "ui1", "role": "user", "parts": [{"type": "text", "text": "Weather?"}, picture]}
    for _ in range(2):
        done = await turn(api, "screens", asks, UI)
        assert done.status_code == 201, done.text
    assert await memories_of(api, "screens") == [
        ("user", "Weather?\n[file a.png]"), ("agent", '[calls weather {"city":"Graz"}]\n[calls ask {}]\nIt rains.'),
    ]  # fmt: skip
    back = [row["message"] for row in await stored(api, "screens")]
    assert [row["parts"] for row in back] == [asks["parts"], UI["parts"]]
    assert back[1]["metadata"] == {"model": "m"}


async def test_parts_that_are_words_alone(api: httpx.AsyncClient) -> None:
    """They are the content: a part of what was said can be forgotten, and no copy of it stays."""
    said = "My therapist is Doctor Vrba in Lienz. I also keep a canary named Bibi in the kitchen."
    asks = {"id": "w1", "role": "user", "parts": [{"type": "text", "text": said}]}
    answer = {"role": "assistant", "parts": [{"type": "step-start"}, {"type": "text", "text": "Ah.", "state": "done"}]}
    assert (await turn(api, "words-alone", asks, answer)).status_code == 201
    assert [row["message"].get("parts") for row in await stored(api, "words-alone")] == [None, None]
    preview = (await api.post("/v1/forget", json={"what": "Doctor Vrba", "user_id": "ana"})).json()
    assert len((await api.post("/v1/forget", json={"preview_id": preview["preview_id"]})).json()["edited"]) == 1
    assert (await turn(api, "words-alone", asks, answer | {"id": "w2"}, {"role": "user", "content": "And?"})).is_success
    rows = await stored(api, "words-alone")
    assert rows[0]["message"]["content"] == "I also keep a canary named Bibi in the kitchen."
    assert "Vrba" not in str(rows)


async def test_messages_of_the_ai_sdks_models(api: httpx.AsyncClient) -> None:
    """Two calls at once, their results in one message, and what the model reasoned."""
    calls: list[dict[str, Any]] = [
        {"type": "tool-call", "toolCallId": id_, "toolName": "weather", "input": {"city": city}}
        for id_, city in (("c1", "Graz"), ("c2", "Linz"))
    ]
    outputs = ({"type": "json", "value": {"celsius": 14}}, {"type": "error-text", "value": "no such town"})
    results = [
        {"type": "tool-result", "toolCallId": call["toolCallId"], "toolName": "weather", "output": output}
        for call, output in zip(calls, outputs, strict=True)
    ]
    thought = {"type": "reasoning", "text": "The user hates rain.", "providerOptions": {"openai": {"itemId": "r"}}}
    told: list[dict[str, Any]] = [
        {"role": "user", "content": [{"type": "text", "text": "Weather?"}]},
        {"role": "assistant", "content": [thought, *calls]}, {"role": "tool", "content": results},
        {"role": "assistant", "content": [{"type": "text", "text": "14 degrees."}], "providerOptions": {"x": {}}},
    ]  # fmt: skip
    assert (await turn(api, "models", *told)).status_code == 201
    assert await memories_of(api, "models") == [
        ("user", "Weather?"), ("agent", '[calls weather {"city":"Graz"}]\n[calls weather {"city":"Linz"}]'),
        ("tool", '{"celsius":14}\nno such town'), ("agent", "14 degrees."),
    ]  # fmt: skip
    assert [row["message"]["content"] for row in await stored(api, "models")][1:3] == [told[1]["content"], results]


async def test_messages_of_gemini_and_bedrock(api: httpx.AsyncClient) -> None:
    """Their parts have a field in the place of a type, and both have results of tools from the user."""
    call, result = {"name": "weather", "args": {"city": "Graz"}, "id": "c1"}, {"name": "weather", "response": {"c": 14}}
    image = {"mimeType": "image/png", "data": "iVBOR"}
    await turn(
        api, "gemini", {"role": "user", "parts": [{"text": "Weather?"}, {"inlineData": image}]},
        {"role": "model", "parts": [{"text": "The user hates rain.", "thought": True}, {"functionCall": call}]},
        {"role": "user", "parts": [{"functionResponse": result | {"id": "c1"}, "text": None}]},
        {"role": "model", "parts": [{"text": "14 degrees.", "function_call": None}]},
    )  # fmt: skip
    asked = [
        ("user", "Weather?\n[image]"), ("agent", '[calls weather {"city":"Graz"}]'), ("tool", '{"c":14}'),
        ("agent", "14 degrees."),
    ]  # fmt: skip
    assert await memories_of(api, "gemini") == asked
    assert [row["message"]["role"] for row in await stored(api, "gemini")] == [
        "user", "assistant", "user", "assistant",
    ]  # fmt: skip
    use = {"toolUse": {"toolUseId": "c1", "name": "weather", "input": {"city": "Graz"}}}
    returned = {"toolResult": {"toolUseId": "c1", "content": [{"json": {"c": 14}}], "status": "success"}}
    await turn(
        api, "bedrock", {"role": "user", "content": [{"text": "Weather?"}, {"image": {"format": "png"}}]},
        {"role": "assistant", "content": [{"reasoningContent": {"reasoningText": {"text": "Rain."}}}, use]},
        {"role": "user", "content": [returned]}, {"role": "assistant", "content": [{"text": "14 degrees."}]},
    )  # fmt: skip
    assert await memories_of(api, "bedrock") == [*asked[:2], ("tool", '{"json":{"c":14}}'), asked[3]]


async def test_items_of_the_responses_api(api: httpx.AsyncClient) -> None:
    """The output of an answer behind what was asked: calls and results are messages, reasoning is none."""
    items: list[dict[str, Any]] = [
        {"role": "user", "content": "Weather?"}, {"type": "reasoning", "id": "rs1", "summary": []},
        {"type": "web_search_call", "id": "ws1", "status": "completed", "action": {"query": "Graz"}},
        {"type": "function_call", "id": "fc1", "call_id": "c1", "name": "weather", "arguments": '{"city": "Graz"}'},
        {"type": "function_call_output", "call_id": "c1", "output": [{"type": "input_text", "text": "14"}]},
    ]  # fmt: skip
    for _ in range(2):
        assert (await turn(api, "outputs", *items, {"role": "user", "content": "And in Linz?"})).status_code == 201
    assert await memories_of(api, "outputs") == [
        ("user", "Weather?"), ("agent", '[calls web_search_call {"query":"Graz"}]'),
        ("agent", '[calls weather {"city": "Graz"}]'), ("tool", "14"), ("user", "And in Linz?"),
    ]  # fmt: skip


async def test_what_a_library_writes_beside_an_answer(api: httpx.AsyncClient) -> None:
    """It comes back, and is read by nobody."""
    beside = {"reasoning_content": "The user hates rain.", "provider_specific_fields": {"citations": [1]}, "parsed": {}}
    answer = {"role": "assistant", "content": "It rains.", **beside, "thinking_blocks": None}
    assert (await turn(api, "beside-it", {"role": "user", "content": "Weather?"}, answer)).status_code == 201
    assert (await memories_of(api, "beside-it"))[1] == ("agent", "It rains.")
    message = (await stored(api, "beside-it"))[1]["message"]
    assert {name: message[name] for name in beside} == beside
