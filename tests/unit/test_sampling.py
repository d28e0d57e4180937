"""What `precis eval` draws by lot: the same for the same seed, whole conversations, words of one memory alone."""

from __future__ import annotations

from typing import Any

from precis.evaluation.sampling import FEWEST_WORDS, MOST_ROWS, draw, marked, texts_of

WORDS = "harbor lantern copper meadow willow saddle pepper carpet".split()


def rows(sessions: int, each: int = 12) -> list[dict[str, Any]]:
    """Conversations of twenty words a message, two to a user."""
    return [
        {
            "id": f"s{session}m{number}",
            "user_id": f"u{session // 2}",
            "session_id": f"s{session}",
            "text": " ".join([*WORDS, *WORDS, "and", "then", "some", f"n{number}"]),
        }
        for session in range(sessions)
        for number in range(each)
    ]


def test_the_same_seed_draws_the_same() -> None:
    """And another another."""
    every = rows(20)
    assert draw(every, size=60, seed=1) == draw(every, size=60, seed=1)
    assert draw(every, size=60, seed=1) != draw(every, size=60, seed=2)


def test_conversations_are_drawn_whole_until_one_is_cut() -> None:
    """In the order of the file, and with the place of each."""
    every = rows(20)
    drawn = draw(every, size=30, seed=3)
    sizes = [sum(row["session_id"] == f"s{session}" for row in drawn.rows) for session in range(20)]
    assert [6, 12, 12] == sorted(size for size in sizes if size)
    assert [every[ordinal] for ordinal in drawn.ordinals] == list(drawn.rows)
    assert list(drawn.ordinals) == sorted(drawn.ordinals)


def test_a_small_file_is_drawn_as_it_is() -> None:
    """All of it."""
    assert tuple(rows(2)) == draw(rows(2), size=1_000, seed=9).rows


def test_texts_are_conversations_in_parts_of_one_size() -> None:
    """None over the limit, none of another user's."""
    texts = texts_of(rows(2, each=MOST_ROWS + 10))
    assert [30, 30, 30, 30] == [len(text) for text in texts]
    assert all(len({row["session_id"] for row in text}) == 1 for text in texts)


def test_short_conversations_of_a_user_are_read_together() -> None:
    """What is too short for a fifth is no text by itself; the words of two users are never mixed."""
    texts = texts_of(rows(6, each=6))
    assert len(texts) == 3
    assert all(len({row["user_id"] for row in text}) == 1 for text in texts)
    assert [] == texts_of(rows(1, each=2))
    assert FEWEST_WORDS > 2 * 20


def test_a_marked_memory_has_a_word_of_its_own() -> None:
    """No other memory holds it: neither in another form, nor as a part, nor in another field."""
    every: list[dict[str, Any]] = [
        {"id": "a", "text": "A zeppelin over the willow."},
        {"id": "b", "text": "Two zeppelins, said the cobbler."},
        {"id": "c", "text": "The willow again.", "metadata": {"speaker": "Cobbler"}},
        {"id": "d", "text": "On Wednesday in September."},
        {"id": "e", "text": "The marmalade jar."},
    ]
    assert [("e", "marmalade")] == [(mark.memory_id, mark.word) for mark in marked(every, seed=0)]


def test_scripts_without_spaces_have_words_of_their_own_too() -> None:
    """So many characters in a row."""
    every = [{"id": "a", "text": "我昨天在湖边的旧仓库买了一把小提琴"}, {"id": "b", "text": "今天下雨"}]
    (mark,) = marked(every, seed=0)
    assert mark.memory_id == "a"
    assert mark.word in every[0]["text"]
