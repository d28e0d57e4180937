"""Token counts from the shipped ranks."""

from __future__ import annotations

import gzip
import hashlib
import socket
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from precis.bootstrap import Runtime, open_runtime
from precis.errors import ConfigurationError
from precis.models.tokens import FOREIGN_MARGIN, RANKS_SHA256, counter, margin, rank, ranks_file, tokenizers_for


def test_shipped_ranks_are_the_published_ones() -> None:
    """The unpacked ranks have the hash that tiktoken expects of o200k_base."""
    assert hashlib.sha256(gzip.decompress(ranks_file())).hexdigest() == RANKS_SHA256
    assert len(ranks_file()) < 3_600_000


@pytest.mark.parametrize(
    ("expected", "text"), [(0, ""), (2, "hello world"), (4, "Hello, world!"), (2, "你好世界"), (1, " the")]
)
def test_counts_known_texts(expected: int, text: str) -> None:
    """Counts agree with o200k_base."""
    assert expected == counter("gpt-4o")(text)


def test_special_tokens_are_counted_as_text() -> None:
    """What looks like a special token is several tokens and never raises."""
    assert counter()("<|endoftext|>") > 1


def test_counts_without_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting opens no connection."""

    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert counter()("no network is needed") == 4


def test_counts_in_many_threads() -> None:
    """Threads that count at once get one answer."""
    with ThreadPoolExecutor(8) as pool:
        counts = set(pool.map(counter(), ["the same text in every thread"] * 64))
    assert counts == {6}


@given(st.text())
def test_counts_any_text(text: str) -> None:
    """Any text has a count of at most its bytes."""
    assert 0 <= counter()(text) <= len(text.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("model", ["gpt-4o", "gpt-4o-mini", "openai/gpt-4.1", "o3-mini", "gpt-5", "ft:gpt-4o:team"])
def test_no_margin_for_own_tokenizer(model: str) -> None:
    """A model that reads o200k_base needs no margin."""
    assert margin(model) == 1.0


@pytest.mark.parametrize("model", [None, "", "gpt-4", "gpt-3.5-turbo", "claude", "ollama/olmo"])
def test_margin_for_others(model: str | None) -> None:
    """Another model's tokens may be more."""
    assert margin(model) == FOREIGN_MARGIN


def test_frequent_words_rank_before_rare_ones() -> None:
    """The rank of a word is its place by frequency; a word of several tokens has none."""
    the, piano = rank("the"), rank("piano")
    assert the is not None
    assert piano is not None
    assert the < piano
    assert rank("qzxvkj") is None


@pytest.fixture
def own_file(tmp_path: Path) -> Path:
    """A tokenizer that knows a few words, cuts at three tokens and pads to five, as a file may say."""
    words = {"[UNK]": 0, "hello": 1, "world": 2, "<": 3, "|": 4, "end": 5, ">": 6}
    made = Tokenizer(WordLevel(words, unk_token="[UNK]"))
    made.pre_tokenizer = Whitespace()
    made.add_special_tokens(["<|end|>"])
    made.enable_truncation(3)
    made.enable_padding(length=5)
    path = tmp_path / "tokenizer.json"
    made.save(str(path))
    return path


def test_a_file_counts_for_its_model_only(own_file: Path) -> None:
    """No margin for the model whose tokenizer it is; every other is counted by the shipped ranks."""
    own = tokenizers_for("local-model", own_file)
    assert (own.counter("local-model")("hello world hello world"), own.margin("local-model")) == (4, 1.0)
    assert (own.counter("judge")("hello world hello world"), own.margin("judge")) == (4, FOREIGN_MARGIN)
    assert own.counter("judge")("tokenization matters") == counter()("tokenization matters")
    assert (own.counter("local-model")("unbelievable"), own.counter("judge")("unbelievable") > 1) == (1, True)
    none = tokenizers_for("local-model", None)
    assert none.counter("local-model")("unbelievable") == counter()("unbelievable")
    assert none.margin("local-model") == FOREIGN_MARGIN


def test_a_file_counts_special_tokens_as_text(own_file: Path) -> None:
    """As the shipped ranks do; and half a surrogate pair raises nothing."""
    count = tokenizers_for("local-model", own_file).counter("local-model")
    assert count("hello <|end|> world") > 3
    assert count("hello \ud800") == 2
    assert count("") == 0


def test_a_file_that_cannot_be_read_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Absent, something else, or without the package: each in words."""
    wrong = tmp_path / "other.json"
    wrong.write_text("{}")
    with pytest.raises(ConfigurationError, match="there is no file"):
        tokenizers_for("m", tmp_path / "none.json")
    with pytest.raises(ConfigurationError, match="is not a tokenizer"):
        tokenizers_for("m", wrong)
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(ConfigurationError, match=r"pip install 'precis-memory\[tokenizers\]'"):
        tokenizers_for("m", wrong)


@pytest.mark.asyncio(loop_scope="session")
async def test_precis_counts_by_the_file(runtime: Runtime, own_file: Path, tmp_path: Path) -> None:
    """The setting reaches the engine; a wrong path keeps precis from starting."""
    update = {"model": "local-model", "tokenizer": own_file}
    async with open_runtime(runtime.settings.model_copy(update=update), follows=False) as running:
        assert (running.engine.count("unbelievable"), runtime.engine.count("unbelievable") > 1) == (1, True)
    with pytest.raises(ConfigurationError, match="there is no file"):
        async with open_runtime(
            runtime.settings.model_copy(update={"tokenizer": tmp_path / "none.json"}), follows=False
        ):
            pass
