"""Whose thing a question asks for by name, and rows that tell it of whoever writes. Pure.

"My phone is 555 10" holds most words of "What is Dario's phone number?", and is no number of Dario's. So where a
question asks of somebody else by name, a row that has neither the name nor a word that may stand for it is of another,
as far as it is of whoever writes or others of the rows tell who that is; and where it is such a row that tells what is
asked, one that has the name alone tells nothing of it. In scripts without capitals those are names that a row gives to
a relative of somebody, or that the question puts a title of respect to.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from precis.language import tables
from precis.language.grammar import THEIR, THIRD
from precis.language.script import languages_of
from precis.language.sentences import sentences
from precis.language.words import STOP_WORDS, index_terms, normal, stem
from precis.recall.persons import (
    ENGLISH,
    OWN_ENDING,
    WRITES,
    asks_of_asker,
    bare,
    beginning_as,
    folded,
    is_kin,
    small_words,
    tells_of_kin,
    tells_of_writer,
    tokens_of,
)
from precis.recall.question import Question, as_asked

_GERMAN, _TURKISH = "German", "Turkish"
_PRONOUNS = THIRD | THEIR
#: Letters that two forms of a name begin with at least.
_OF_ONE = 3
#: So many words stand between a relative and their name.
_BESIDE = 2


class Whose:
    """Somebody whom a question names, and which rows tell of others."""

    def __init__(self, question: Question, texts: Mapping[str, str]) -> None:
        """``texts`` are the rows that whoever asks may have written, by id."""
        self._languages = (*languages_of(question.text)[0], ENGLISH)
        self._question, self._texts = question, texts
        self._names = frozenset() if asks_of_asker(question.text, self._languages) else frozenset(self._named())

    def _named(self) -> Iterator[str]:
        """The names in a question, in small letters, but those of whoever asks."""
        text = normal(self._question.text)
        tokens = tokens_of(text)
        german = _GERMAN in self._languages
        for at, token in enumerate(tokens):
            if not token[0].isupper() or is_kin(token, self._languages) or folded(token) in STOP_WORDS:
                continue
            if stem(bare(token).casefold()) in self._question.own or not (at or token != bare(token)):
                continue
            name = folded(token)
            # Of German nouns, all of which have capitals, one that a row tells of as of a relative is a name.
            if (not german or self._is_known(name.removesuffix("s"))) and not self._is_writer(name):
                yield name.removesuffix("s") if german else name
        if not any(token[0].isupper() for token in tokens):
            yield from (name for name in self._without_capital(text) if not self._is_writer(name))

    def _without_capital(self, text: str) -> Iterator[str]:
        for language in self._languages:
            if (titled := _pattern("titled", language)) and (match := titled.search(text)) and match["name"]:
                yield match["name"]
            if (called := _pattern("called", language)) is None:
                continue
            for row in self._texts.values():
                for match in called.finditer(normal(row)):
                    yield from self._asked_of(match["name"] or "", text)

    def _asked_of(self, name: str, text: str) -> Iterator[str]:
        """The longest beginning of what stands behind a relative that the question has: a name, without grammar."""
        least = 2 if self._languages[0] in {"Chinese", "Japanese", "Korean"} else _OF_ONE
        for size in range(len(name), least - 1, -1):
            if name[:size] in text and not _is_small(name[:size], self._languages):
                yield name[:size]
                return

    def _is_known(self, name: str) -> bool:
        """Whether a row gives this name to a relative of somebody."""
        for row in self._texts.values():
            tokens = tokens_of(row) if self._has_one(row, name) else ()
            for at, token in enumerate(tokens):
                near = tokens[max(0, at - _BESIDE) : at + _BESIDE + 1]
                if self._is_one(token, name) and any(is_kin(other, self._languages) for other in near):
                    return True
            if any(name in (match["name"] or "") for match in self._called(row)):
                return True
        return False

    def _called(self, row: str) -> Iterator[re.Match[str]]:
        for language in self._languages:
            if called := _pattern("called", language):
                yield from called.finditer(normal(row))

    def _is_writer(self, name: str) -> bool:
        return any(self._introduces(name, row) for row in self._texts.values())

    def _introduces(self, name: str, row: str) -> bool:
        """Whether whoever writes a row gives it as their own name: "I'm Tess"."""
        text = normal(row).casefold()
        if row.isascii() and name not in text:
            return False
        for token in tokens_of(text):
            text = text.replace(token, "{name}") if folded(token) == name else text
        text = text.replace(name, "{name}")
        return any(pattern.search(text) for language in self._languages if (pattern := _pattern("own_name", language)))

    def _is_one(self, token: str, name: str) -> bool:
        spoken, most = folded(token), max(_OF_ONE, len(name) - 1)
        return spoken == name or (len(name) >= most and spoken.startswith(name[:most]))

    def _has_one(self, text: str, name: str) -> bool:
        return any(self._is_one(spoken, name) for spoken in beginning_as(text, name))

    def _names_them(self, text: str) -> bool:
        low = normal(text).casefold()
        return any(name in low or self._has_one(text, name) for name in self._names)

    def _may_be_theirs(self, text: str) -> bool:
        """Whether it takes somebody up by a pronoun, or tells of somebody's relative."""
        if tells_of_kin(text, self._languages) or any(folded(token) in _PRONOUNS for token in tokens_of(text)):
            return True
        patterns = (_pattern(key, language) for key in ("they", "kin_unspaced") for language in self._languages)
        return any(pattern is not None and pattern.search(normal(text)) for pattern in patterns)

    def _is_of_writer(self, text: str) -> bool:
        if tells_of_writer(text, self._languages):
            return True
        if _TURKISH in self._languages and any(OWN_ENDING.search(folded(token)) for token in tokens_of(text)):
            return True
        patterns = (WRITES.get(language) for language in self._languages)
        return any(pattern is not None and pattern.search(normal(text)) for pattern in patterns)

    def _tells(self, text: str) -> bool:
        """Whether it has what is asked for, in whatever form."""
        held = frozenset(as_asked(index_terms(text), self._question.forms))
        asked = (
            term for term in self._question.terms
            if len(term) > 1 and not any(term in name or self._is_one(term, name) for name in self._names)
        )  # fmt: skip
        return any(term in held for term in asked)

    def others(self) -> frozenset[str]:
        """The rows that are of others than whom the question names, or tell nothing of what is asked of them."""
        # Whom no row names may be who writes them: their own notes hardly name them.
        if not self._names or not any(map(self._names_them, self._texts.values())):
            return frozenset()
        of_others = {
            id_ for id_, text in self._texts.items() if not (self._names_them(text) or self._may_be_theirs(text))
        }  # fmt: skip
        if not any(map(self._is_known, self._names if of_others else ())):
            of_others = {id_ for id_ in of_others if self._is_of_writer(self._texts[id_])}
        if any(self._tells(self._texts[id_]) for id_ in of_others):
            parts = {id_: sentences(text) or [text] for id_, text in self._texts.items()}
            of_others |= {id_ for id_, of_row in parts.items() if not any(map(self._may_tell, of_row))}
        return frozenset(of_others)

    def _may_tell(self, part: str) -> bool:
        return (self._names_them(part) or self._may_be_theirs(part)) and self._tells(part)


def _is_small(word: str, languages: Sequence[str]) -> bool:
    return any(word in small_words(key, (name,)) for key in ("my", "first") for name in languages)


@cache
def _pattern(key: str, language: str) -> re.Pattern[str] | None:
    listed = tables.section(f"kin.{key}")
    return re.compile(listed[language], re.IGNORECASE) if language in listed else None
