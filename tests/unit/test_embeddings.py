"""Embedders: the shipped table, an ONNX folder, an endpoint."""

from __future__ import annotations

import hashlib
import json
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

from precis.errors import ConfigurationError, ModelUnavailable
from precis.makers import READABLE, Embedder
from precis.models.embeddings import EndpointEmbedder, OnnxEmbedder, StaticEmbedder, WordPiece, by_table

PIECES = ["un", "##believ", "##able", "a", "##b", "!", "caf", "##e", "7"]


class TestWordPiece:
    """Longest match, folding, and what is unknown."""

    def test_takes_the_longest_pieces_from_the_left(self) -> None:
        """Case does not matter and signs stand alone."""
        assert WordPiece(PIECES).ids("Unbelievable! ab") == [0, 1, 2, 5, 3, 4]

    def test_strips_accents(self) -> None:
        """A composed and a decomposed accent give the same pieces as none."""
        pieces = WordPiece(PIECES)
        assert pieces.ids("Caf\u00e9") == pieces.ids("cafe\u0301") == pieces.ids("cafe") == [6, 7]

    def test_leaves_out_words_it_cannot_spell_whole(self) -> None:
        """No half of an unknown word counts."""
        assert WordPiece(PIECES).ids("unknown a") == [3]

    def test_puts_the_unknown_piece_where_one_is_asked_for(self) -> None:
        """Ideographs are one unknown each."""
        pieces = WordPiece(["[UNK]", "a"], unknown="[UNK]")
        assert pieces.ids("a zz \u4f60\u597d") == [1, 0, 0, 0]
        assert pieces.knows("a zzz") == 0.25
        assert WordPiece(["a"]).knows("a\u4f60") == 1 / 3  # an ideograph counts as two

    def test_knows_is_a_share_of_letters(self) -> None:
        """Signs and spaces count for nothing; nothing to know is 0."""
        pieces = WordPiece(PIECES)
        assert pieces.knows("un!") == 1.0
        assert pieces.knows("un \u043f\u0440") == 0.5
        assert pieces.knows("!!! \U0001f600") == 0.0
        assert pieces.knows("") == 0.0

    def test_fragments_make_no_word_known(self) -> None:
        """Long pieces do; a single letter is a word only where English has it as one."""
        pieces = WordPiece(["kayak", "##able", "za", "##hn", "z", "a"])
        assert pieces.knows("Kayakable") == 1.0
        assert [pieces.knows(word) for word in ("zahn", "z", "a", "k\u00e0yak")] == [0.0, 0.0, 1.0, 0.0]

    def test_an_overlong_run_is_unknown(self) -> None:
        """Encoded bytes are not words."""
        assert WordPiece(["a", "##a"]).ids("a" * 101) == []

    def test_a_full_memory_of_words_starts_anew(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Answers stay the same however many words went by."""
        monkeypatch.setattr("precis.models.embeddings.by_table._REMEMBERED_WORDS", 2)
        pieces = WordPiece(PIECES)
        assert [pieces.ids(word) for word in ("a", "7", "un", "a", "ab")] == [[3], [8], [0], [3], [3, 4]]


class TestStatic:
    """The default embedder."""

    def test_the_table_is_the_one_its_card_describes(self) -> None:
        """The committed file has the committed hash and stays under 10 MB."""
        folder = files("precis.models") / "tables"
        content = (folder / "minilm-256.npz").read_bytes()
        card = json.loads((folder / "minilm-256.json").read_text("utf-8"))
        assert hashlib.sha256(content).hexdigest() == card["sha256"]
        assert card["version"] == StaticEmbedder.version
        assert len(content) < 10_000_000

    def test_rows_are_of_length_one(self) -> None:
        """Whatever the length of the text."""
        vectors = StaticEmbedder().vectors(["Hi.", "The train to Lyon leaves at nine.", "word " * 20_000])
        assert vectors.shape == (3, StaticEmbedder.dimensions)
        assert vectors.dtype == np.float32
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)

    @pytest.mark.parametrize(
        ("text", "near", "far"),
        [
            ("She adopted a puppy last week.", "They have a new dog.", "The invoice is overdue."),
            ("How do I reset my password?", "I cannot log in to my account.", "It will rain tomorrow."),
            ("Tom is a vegetarian.", "He does not eat meat.", "The server restarted twice at night."),
            ("We flew to Tokyo in May.", "a trip to Japan", "the cost of a new kitchen"),
        ],
    )
    def test_what_means_alike_is_nearer(self, text: str, near: str, far: str) -> None:
        """Pairs that share no content word."""
        one, like, unlike = StaticEmbedder().vectors([text, near, far])
        assert one @ like > one @ unlike + 0.1

    def test_another_language_goes_by_the_letters_of_its_words(self) -> None:
        """Shared and inflected words are near, others are not, signs are nothing; and ``knows`` says which it is."""
        embedder = StaticEmbedder()
        triples = [
            ["\u6211\u559c\u6b22\u559d\u7eff\u8336", "\u7eff\u8336\u592a\u82e6", "\u706b\u8f66\u665a\u70b9\u4e86"],
            ["Meine Katze schl\u00e4ft.", "Zwei m\u00fcde Katzen", "Der Zug nach K\u00f6ln f\u00e4llt aus."],
            ["Kedim hep uyuyor.", "kedimiz uyudu", "Tren gecikti."],
        ]  # fmt: skip
        for triple in triples:
            text, like, unlike = embedder.vectors(triple)
            assert text @ like > text @ unlike + 0.15
            assert all(embedder.knows(each) < READABLE / 2 for each in triple)
        assert not embedder.vectors(["", "  \n"]).any()
        assert embedder.knows("I like tea.") == 1.0

    def test_a_few_plain_letters_tell_no_language(self) -> None:
        """English has rare words, too: a short question is not taken for another language because of one."""
        embedder = StaticEmbedder()
        for question, text in [
            ("allergies", "Mia is allergic to nuts."),
            ("food allergies", "Mia is allergic to nuts."),
        ]:
            asked, like, unlike = embedder.vectors([question, text, "Mia plays the cello on Fridays."])
            assert embedder.knows(question) >= READABLE
            assert asked @ like > asked @ unlike + 0.1

    def test_what_is_half_read_goes_by_both(self) -> None:
        """The vector of a text with many names lies between that of its meanings and that of its letters."""
        embedder = StaticEmbedder()
        text = "Oyelaran and Szymborska walked to the station together"
        assert 0 < embedder.knows(text) < 1
        half, plain, names = embedder.vectors(
            [text, "two people walked to the station together", "Oyelaran Szymborska"]
        )
        assert half @ plain > 0.3
        assert half @ names > 0.1

    def test_a_vector_does_not_depend_on_the_batch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Alone, among others, with empty texts between, cut into many batches: the same vector."""
        texts = ["I like green tea.", "", "Paul: we moved to Oslo!", "\u4f60\u597d", "tea " * 50, "ok"]
        embedder = StaticEmbedder()
        together = embedder.vectors(texts)
        alone = np.concatenate([embedder.vectors([text]) for text in texts])
        monkeypatch.setattr(by_table, "_GATHERED", 7)
        assert np.allclose(together, alone, atol=1e-6)
        assert np.allclose(embedder.vectors(texts), together, atol=1e-6)

    def test_no_texts_give_no_vectors(self) -> None:
        """An empty batch is a batch."""
        assert StaticEmbedder().vectors([]).shape == (0, 256)

    async def test_embed_gives_the_same_as_vectors(self) -> None:
        """On the event loop for a small batch, off it for a large one."""
        embedder: Embedder = StaticEmbedder()
        texts = [f"Note {number}: the door was painted green." for number in range(200)]
        expected = StaticEmbedder().vectors(texts)
        assert np.allclose(await embedder.embed(texts), expected, atol=1e-6)
        assert np.allclose(await embedder.embed(texts[:2]), expected[:2], atol=1e-6)

    def test_threads_share_one_table(self) -> None:
        """The first use may come from many threads at once."""
        by_table._table.cache_clear()
        texts = ["Lena bought a bicycle.", "zzyzx qwrtp", "A quiet street in Porto."]
        with ThreadPoolExecutor(8) as pool:
            results = list(pool.map(lambda _: StaticEmbedder().vectors(texts), range(32)))
        assert by_table._table.cache_info().misses == 1
        assert all(np.array_equal(result, results[0]) for result in results)


class _Session:
    """Stands in for an ONNX session: the vector of a token is its number, one-hot."""

    def __init__(self, path: str, providers: list[str]) -> None:
        assert Path(path).is_file()
        assert providers == ["CPUExecutionProvider"]

    def get_inputs(self) -> list[SimpleNamespace]:
        """No token types, as some exports have it."""
        return [SimpleNamespace(name="input_ids"), SimpleNamespace(name="attention_mask")]

    def run(self, outputs: None, given: dict[str, Any]) -> list[Any]:
        """Padding gets a vector too, which the mask has to take out."""
        assert outputs is None
        return [np.eye(6, dtype=np.float32)[given["input_ids"]]]


class _PooledSession(_Session):
    """A model that already gives one vector a text."""

    def run(self, outputs: None, given: dict[str, Any]) -> list[Any]:
        """The number of tokens, and 1."""
        assert outputs is None
        lengths = given["attention_mask"].sum(axis=1)
        return [np.stack([lengths, np.ones_like(lengths)], axis=1)]


@pytest.fixture
def model_folder(tmp_path: Path) -> Path:
    """A folder as an export leaves it."""
    (tmp_path / "onnx").mkdir()
    (tmp_path / "onnx" / "model.onnx").write_bytes(b"graph")
    (tmp_path / "vocab.txt").write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\ntea\ngreen\n")
    return tmp_path


def _runtime(monkeypatch: pytest.MonkeyPatch, session: type[_Session]) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", SimpleNamespace(InferenceSession=session))


class TestOnnx:
    """A model in a folder."""

    async def test_averages_over_the_tokens_and_not_the_padding(
        self, model_folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """[CLS] and [SEP] count, unknown words count, padding does not."""
        _runtime(monkeypatch, _Session)
        embedder = OnnxEmbedder(model_folder)
        assert embedder.dimensions == 6
        assert embedder.version == f"onnx-{model_folder.name}-{hashlib.sha256(b'graph').hexdigest()[:8]}@1"
        long, short = await embedder.embed(["green tea zzz", "tea"])
        assert np.allclose(long, np.array([0, 1, 1, 1, 1, 1]) / np.sqrt(5))
        assert np.allclose(short, np.array([0, 0, 1, 1, 1, 0]) / np.sqrt(3))

    def test_takes_pooled_output_as_it_is(self, model_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """And keeps the order of texts, which run sorted by length."""
        _runtime(monkeypatch, _PooledSession)
        embedder = OnnxEmbedder(model_folder, max_tokens=5)
        texts = ["tea " * (1 + number % 7) for number in range(80)]
        ratio = [vector[0] / vector[1] for vector in embedder.vectors(texts)]
        assert np.allclose(ratio, [min(3 + number % 7, 5) for number in range(80)])

    def test_says_what_to_install(self, model_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Without onnxruntime the settings cannot work."""
        monkeypatch.setitem(sys.modules, "onnxruntime", None)
        with pytest.raises(ConfigurationError, match=r"precis-memory\[onnx\]"):
            OnnxEmbedder(model_folder)

    def test_says_which_file_is_missing(self, tmp_path: Path) -> None:
        """A folder without a vocabulary is no model."""
        with pytest.raises(ConfigurationError, match=r"vocab\.txt"):
            OnnxEmbedder(tmp_path)

    def test_refuses_a_vocabulary_of_another_kind(self, model_folder: Path) -> None:
        """Without its marks it is not a BERT vocabulary."""
        (model_folder / "vocab.txt").write_text("tea\ngreen\n")
        with pytest.raises(ConfigurationError, match=r"\[CLS\]"):
            OnnxEmbedder(model_folder)

    def test_refuses_a_cased_model(self, model_folder: Path) -> None:
        """Lower-casing its input would give wrong vectors silently."""
        (model_folder / "tokenizer_config.json").write_text('{"do_lower_case": false}')
        with pytest.raises(ConfigurationError, match="cased"):
            OnnxEmbedder(model_folder)


class _Endpoint(BaseHTTPRequestHandler):
    """An embeddings endpoint: the vector of a text is its length and 1, entries in reverse order."""

    asked: ClassVar[list[dict[str, Any]]] = []
    keys: ClassVar[list[str]] = []
    status: ClassVar[int] = 200
    dropped: ClassVar[int] = 0

    def do_POST(self) -> None:
        """Answer one request."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append(body | {"path": self.path})
        self.keys.append(self.headers["Authorization"])
        entries = [
            {"object": "embedding", "index": place, "embedding": [float(len(text)), 1.0]}
            for place, text in enumerate(body["input"])
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        kept = entries[::-1][self.dropped :]
        answer = {"object": "list", "data": kept, "model": body["model"], "usage": usage}
        content = json.dumps(answer if self.status == 200 else {"error": {"message": body["input"][0]}}).encode()
        self.send_response(self.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the name is the base class's)
        """Keep quiet."""


@pytest.fixture
def endpoint() -> Iterator[str]:
    """The base URL of a fresh endpoint."""
    _Endpoint.asked, _Endpoint.keys, _Endpoint.status, _Endpoint.dropped = [], [], 200, 0
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Endpoint)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


async def _embed(embedder: EndpointEmbedder, texts: Sequence[str]) -> list[list[float]]:
    try:
        return await embedder.embed(list(texts))
    finally:
        await embedder.aclose()


class TestEndpoint:
    """The OpenAI-compatible adapter against a server on this machine."""

    async def test_gives_unit_vectors_in_the_order_of_the_texts(self, endpoint: str) -> None:
        """However the answer is ordered; blank texts are not sent and give zero."""
        embedder = EndpointEmbedder(endpoint, "secret", "tiny", 2)
        vectors = await _embed(embedder, ["abc", " ", "a", ""])
        expected = np.array([[0.9486833, 0.3162278], [0, 0], [0.7071068, 0.7071068], [0, 0]])
        assert np.allclose(expected, vectors)
        assert embedder.version == "endpoint-tiny-2@1"
        assert _Endpoint.keys == ["Bearer secret"]
        (request,) = _Endpoint.asked
        assert request == {
            "path": "/v1/embeddings", "input": ["abc", "a"], "model": "tiny", "encoding_format": "float",
        }  # fmt: skip

    async def test_splits_large_batches(self, endpoint: str) -> None:
        """No request carries more than 128 texts."""
        texts = ["x" * (1 + number % 5) for number in range(300)]
        vectors = await _embed(EndpointEmbedder(endpoint, "secret", "tiny", 2), texts)
        assert [len(request["input"]) for request in _Endpoint.asked] == [128, 128, 44]
        assert np.allclose([a / b for a, b in vectors], [len(text) for text in texts])

    async def test_asks_for_shorter_vectors_only_when_told(self, endpoint: str) -> None:
        """Most models refuse the parameter."""
        await _embed(EndpointEmbedder(endpoint, "secret", "tiny", 2, shorten=True), ["abc"])
        assert _Endpoint.asked[0]["dimensions"] == 2

    async def test_nothing_to_embed_asks_nobody(self, endpoint: str) -> None:
        """An empty batch costs nothing."""
        assert await _embed(EndpointEmbedder(endpoint, "secret", "tiny", 2), []) == []
        assert _Endpoint.asked == []

    async def test_another_number_of_dimensions_is_a_wrong_setting(self, endpoint: str) -> None:
        """Storing such vectors would fail much later."""
        with pytest.raises(ConfigurationError, match="2 dimensions where 3 are configured"):
            await _embed(EndpointEmbedder(endpoint, "secret", "tiny", 3), ["abc"])

    async def test_a_missing_vector_is_not_covered_up(self, endpoint: str) -> None:
        """Vectors would land on the wrong texts."""
        _Endpoint.dropped = 1
        with pytest.raises(ModelUnavailable, match="1 vectors for 2 texts"):
            await _embed(EndpointEmbedder(endpoint, "secret", "tiny", 2), ["abc", "de"])

    async def test_a_refusal_names_the_status_and_no_text(self, endpoint: str) -> None:
        """What the server quotes stays out of the message."""
        _Endpoint.status = 400
        with pytest.raises(ModelUnavailable, match="status 400") as raised:
            await _embed(EndpointEmbedder(endpoint, "secret", "tiny", 2, retries=0), ["private words"])
        assert "private" not in str(raised.value)

    async def test_nobody_there(self) -> None:
        """A closed port is an unavailable model."""
        embedder = EndpointEmbedder("http://127.0.0.1:9/v1", "secret", "tiny", 2, retries=0, timeout=2)
        with pytest.raises(ModelUnavailable, match="could not be reached"):
            await _embed(embedder, ["abc"])
