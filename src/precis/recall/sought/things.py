"""The thing of which a question asks something, and rows that tell of another one in its place. Pure.

"The staging server has 64 GB of memory" holds most words of "How much memory does the production server have?", and
tells of another server: where the question has "production" before a word, the row has another word before it. It may
have another name, too, than whom the question names, or tell of nobody though other rows tell of that name.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import pairwise, takewhile

from precis.language import tables
from precis.language.grammar import THEIR, THIRD
from precis.language.newest.signs import TIMES
from precis.language.script import is_common_in, languages_of
from precis.language.words import STOP_WORDS, kept, stem
from precis.recall.persons import (
    ENGLISH,
    bare,
    folded,
    is_first,
    is_form,
    is_kin,
    small_words,
    tells_of_another,
    tokens_of,
)
from precis.recall.sought.kinds import is_named_in_german
from precis.recall.telling import number_in
from precis.recall.wishes import is_task

_GERMAN = "German"
_PRONOUNS = THIRD | THEIR
#: So many words may say of what thing one is asked for: "Which light bulb".
_MOST = 3
#: These take up somebody, and these stand before the name of who writes.
_PERSONS, _IS = _PRONOUNS & frozenset(("he", "she", "they", "him", "his", "her", "their")), frozenset(("am", "is"))
_OF_PERSONS = frozenset(tables.words("sought.asked.of_persons"))
#: So many words open a row.
_OPENING = 4
_PRESENT = re.compile(tables.choices("questions.present"))
#: What stands before the name of where or whose something is.
_BEFORE = frozenset(tables.words("sought.places.before"))


class Thing:
    """The words of a question that say of what thing it asks something; stems of ``own`` name whose memory it is."""

    def __init__(self, query: str, own: Collection[str] = ()) -> None:
        self._languages = languages_of(query)[0] or (ENGLISH,)
        self._tokens = tuple(token for token in tokens_of(query) if token[0].isalpha())
        self._small = tuple(map(folded, self._tokens))
        #: Whom or what it names, in small letters. What a task is to keep to names nobody of it.
        named = () if is_task(query) else self._names_in()
        self.names = frozenset(folded(name) for name in named if stem(bare(name).casefold()) not in own)
        #: The noun of "which ...?", in small letters.
        self.head = self._head_of(query)
        self._beside = [
            (at, step)
            for at, token in enumerate(self._tokens)
            for step in (-1, 1)
            if at and self._says(token) and 0 <= at + step < len(self._tokens) and self._is_of_one(at, step)
        ]

    def _says(self, token: str) -> bool:
        return says(token, self._languages)

    def _names_in(self) -> Iterator[str]:
        for at, token in enumerate(self._tokens[1:], start=1):
            is_noun = _GERMAN in self._languages and not is_named_in_german(self._tokens, at)
            if token[0].isupper() and not is_noun and not is_kin(token, self._languages) and self._may_be_a_name(token):
                yield self._tokens[at]

    def _may_be_a_name(self, token: str) -> bool:
        """Whether a word with a capital within a question may be a name; "Will" and "Mark" are."""
        is_small = bare(token).casefold() in STOP_WORDS
        is_written = len(bare(token)) > 1 and bare(token)[1:].islower() and folded(token) not in TIMES
        return self._says(token) or (self._languages == (ENGLISH,) and is_small and is_written)

    def is_named(self, text: str) -> bool:
        """Whether a row has a name of the question."""
        return any(is_form(folded(token), name) for token in tokens_of(text) for name in self.names)

    def is_of_another(self, id_: str, texts: Mapping[str, str], *, to_agent: bool = False) -> bool:
        """Whether a row names nobody whom the question names, and tells of another one.

        So it does where it opens with another name, or where others of the rows have a name of the question and it may
        be of nobody else.
        """
        text = texts[id_]
        if not self.names or self.is_named(text):
            return False
        if self.opens_with_another(text) and not self._opens_with_kin(text):
            return True
        if not self._may_be_of_anybody(text):
            return any(map(self.is_named, texts.values()))
        # Who writes notes may be whom the question names; who talks with an agent seldom is.
        return to_agent and not self._may_be_of_a_third(text) and self._asks_of_a_third(texts.values())

    def _may_be_of_a_third(self, text: str) -> bool:
        """Whether a row takes up somebody by a pronoun, or opens with whose relative they are."""
        return self._opens_with_kin(text) or any(folded(token) in _PERSONS for token in tokens_of(text))

    def _asks_of_a_third(self, texts: Iterable[str]) -> bool:
        """Whether a question asks what a person has or does by name, and no row says that who writes is called so."""
        if _OF_PERSONS.isdisjoint(self._small) or self._languages != (ENGLISH,):
            return False
        for tokens in map(tokens_of, texts):
            for before, token in pairwise(tokens):
                if folded(token) in self.names and (is_first(before, self._languages) or before.casefold() in _IS):
                    return False
        return True

    def opens_with_another(self, text: str) -> bool:
        """Whether a row is of somebody else: it opens with another name, or with a relative."""
        return tells_of_another(text, (*self._languages, ENGLISH), self._small, changes=False)

    def _opens_with_kin(self, text: str) -> bool:
        opening = [token for token in tokens_of(text)[:_OPENING] if token[0].isalpha()]
        return any(is_kin(token, (*self._languages, ENGLISH)) for token in opening)

    def _is_of_one(self, at: int, step: int) -> bool:
        """Whether a word and the next one are of one thing: "production server", "Villa Rosa", "at Fenix"."""
        token, beside = self._tokens[at], self._tokens[at + step]
        if step > 0:
            return self._languages == (ENGLISH,) and beside[0].islower() and token[0].islower() and self._says(beside)
        if not token[0].isupper():
            return False
        return folded(beside) in _BEFORE or (beside[0].isupper() and at > 1 and self._says(beside))

    def _head_of(self, query: str) -> str | None:
        for language in self._languages:
            if match := _things(language).search(query):
                behind = [token for token in tokens_of(query[match.end() :])[: _MOST + 1] if token[0].isalpha()]
                if language == _GERMAN:
                    nouns = [token for token in behind if token[0].isupper()][:1]
                else:
                    nouns = list(takewhile(self._says, behind[: _MOST if language == ENGLISH else 1]))[-1:]
                return folded(nouns[0]) if nouns else None
        return None

    def has_noun(self, text: str) -> bool:
        """Whether a row does not have the noun of "which ...?" as an act alone: "booked" is no book."""
        spoken = [token for token in map(folded, tokens_of(text)) if is_form(token, self.head or "")]
        return not spoken or not all(self._is_act(token, self.head or "") for token in spoken)

    def is_only_done(self, text: str) -> bool:
        """Whether a row has, of what is asked, only an act: "I hate driving" tells no car, "booked" no book."""
        if self.head is None:
            return False
        does = False
        for token in tokens_of(text):
            spoken = folded(token)
            if is_form(spoken, self.head) and not self._is_act(spoken, self.head):
                return False
            for word, asked in zip(self._small, self._tokens, strict=True):
                if self._says(asked) and is_form(spoken, word):
                    if not self._is_act(spoken, word):
                        return False
                    does = True
        return does

    def _is_act(self, spoken: str, word: str) -> bool:
        """Whether a word of a row is the name of an act where the question has another form of it."""
        return any(
            (acts := _acts(language)) is not None and acts.search(spoken) is not None and acts.search(word) is None
            for language in self._languages
        )

    def has_another(self, text: str) -> bool:
        """Whether a row has another word where the question has one that the row has not: another server, a Villa."""
        if not self._beside:
            return False
        tokens = tokens_of(text)
        small = list(map(folded, tokens))
        for at, step in self._beside:
            word, beside = self._small[at], self._small[at + step]
            if any(is_form(spoken, word) for spoken in small):
                continue
            for place, spoken in enumerate(small):
                other = place - step
                if not 0 <= other < len(tokens) or spoken not in {beside, f"{beside}s", beside.removesuffix("s")}:
                    continue
                token = tokens[other]
                is_alike = token[0].isupper() == self._tokens[at][0].isupper() or step > 0
                if token[0].isalpha() and is_alike and self._says(token) and small[other] not in self._small:
                    return True
        return False

    def _may_be_of_anybody(self, text: str) -> bool:
        """Whether a row tells of whoever writes, takes up somebody by a pronoun, or as whose relative they are."""
        languages = (*self._languages, ENGLISH)
        my = small_words("my", languages)
        return any(
            folded(token) in _PRONOUNS or folded(token) in my or is_first(token, languages) or is_kin(token, languages)
            for token in tokens_of(text)
        )


@lru_cache(maxsize=8192)
def says(token: str, languages: tuple[str, ...]) -> bool:
    """Whether a word says something, and neither when nor how many."""
    spoken = token.casefold()
    if spoken in STOP_WORDS or folded(token) in TIMES or _PRESENT.fullmatch(spoken):
        return False
    return not (number_in(token, languages) or any(is_common_in(spoken, name) for name in languages))


@kept
def thing_in(query: str, own: frozenset[str]) -> Thing:
    """The thing of which this question asks something."""
    return Thing(query, own)


@cache
def _acts(language: str) -> re.Pattern[str] | None:
    listed = tables.section("sought.acts")
    return re.compile(rf"(?:{listed[language]})$") if language in listed else None


@cache
def _things(language: str) -> re.Pattern[str]:
    listed = tables.section("sought.things")
    return re.compile(tables.whole(listed.get(language, "(?!)")), re.IGNORECASE)
