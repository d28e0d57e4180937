"""Token counts from the shipped ranks."""

from __future__ import annotations

import gzip
import hashlib
import socket
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from precis.llm.tokens import FOREIGN_MARGIN, RANKS_SHA256, counter, margin, rank, ranks_file


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
