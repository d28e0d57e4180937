"""The thing of which a question asks something, and rows that tell of another one in its place. Pure.

"The staging server has 64 GB of memory" holds most words of "How much memory does the production server have?", and
tells of another server: where the question has "production" before a word, the row has another word before it. It may
have another name, too, than whom the question names, or tell of nobody though other rows tell of that name.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import takewhile

from precis.language import tables
from precis.language.grammar import THEIR, THIRD
from precis.language.newest.stated import TIMES
from precis.language.script import is_common_in, languages_of
from precis.language.words import STOP_WORDS, kept, stem
from precis.recall.answers import told_as
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
#: "What phone do I have?"
_WHICH_ONE = re.compile(tables.entry("sought.had.which"), re.IGNORECASE)
_BARE, _TELLS_WHICH = frozenset(tables.words("sought.had.bare")), frozenset(tables.words("sought.had.tells"))
#: These take up somebody, and these stand before the name of who writes.
_PERSONS, _IS = _PRONOUNS & frozenset(("he", "she", "him", "his", "her")), frozenset(("am", "is"))
_HAD, _OF_PERSONS = frozenset(tables.words("sought.had.by")), frozenset(tables.words("sought.asked.of_persons"))
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
        self._names = frozenset(folded(name) for name in named if stem(bare(name).casefold()) not in own)
        #: The noun of "which ...?", in small letters.
        self.head = self._head_of(query)
        languages = (*self._languages, ENGLISH)
        my = small_words("my", languages)
        #: It asks of who asks; and of which relatives of theirs, in small letters.
        self._is_of_asker = not self._names and any(is_first(t, languages) or folded(t) in my for t in self._tokens)
        self._kin = frozenset(
            folded(token) for at, token in enumerate(self._tokens)
            if is_kin(token, languages) and not my.isdisjoint(self._small[max(0, at - 2) : at])
        )  # fmt: skip
        owned = next((at for at, t in enumerate(self._tokens) if at and self._is_owner(t, my)), len(self._tokens))
        nouns = list(takewhile(self._says, self._tokens[owned + 1 :])) if self._languages == (ENGLISH,) else []
        #: In English: what is asked of is somebody's, and whose it is; and what one thing is asked for.
        self._owned = folded(nouns[-1]) if nouns else None
        self._owned_as = told_as(query, (), frozenset((stem(self._owned),)) if self._owned else frozenset())
        asked = _WHICH_ONE.match(query) if self._languages == (ENGLISH,) else None
        self._had = folded(asked["head"]) if asked else None
        self._kin_as = told_as(query, languages_of(query)[0], frozenset(map(stem, self._kin)))
        self._beside = [
            (at, step)
            for at, token in enumerate(self._tokens)
            for step in (-1, 1)
            if at and self._says(token) and 0 <= at + step < len(self._tokens) and self._is_of_one(at, step)
        ]

    def _is_owner(self, token: str, my: Collection[str]) -> bool:
        return folded(token) in my or (token[0].isupper() and token != bare(token))

    def _says(self, token: str) -> bool:
        return _says(token, self._languages)

    def _names_in(self) -> Iterator[str]:
        for at, token in enumerate(self._tokens[1:], start=1):
            is_noun = _GERMAN in self._languages and not is_named_in_german(self._tokens, at)
            if token[0].isupper() and not is_noun and not is_kin(token, self._languages) and self._may_be_a_name(token):
                yield self._tokens[at]

    def _may_be_a_name(self, token: str) -> bool:
        """Whether a word with a capital within a question may be a name; "Will" and "Mark" are, for all that is small.
        """
        is_small = bare(token).casefold() in STOP_WORDS
        is_written = len(bare(token)) > 1 and bare(token)[1:].islower() and folded(token) not in TIMES
        return self._says(token) or (self._languages == (ENGLISH,) and is_small and is_written)

    def is_named(self, text: str) -> bool:
        """Whether a row has a name of the question."""
        return any(is_form(folded(token), name) for token in tokens_of(text) for name in self._names)

    def is_of_another(self, id_: str, texts: Mapping[str, str], *, to_agent: bool = False) -> bool:
        """Whether a row names nobody whom the question names, and tells of another one.

        So it does where it opens with another name, or where others of the rows have a name of the question and it may
        be of nobody else.
        """
        text = texts[id_]
        if not self._names or self.is_named(text):
            return False
        if self.opens_with_another(text) and not self._opens_with_kin(text):
            return True
        if not self._may_be_of_anybody(text):
            return any(map(self.is_named, texts.values()))
        return not self._may_be_of_a_third(text) and self._is_a_third(texts.values(), is_told=to_agent)

    def _may_be_of_a_third(self, text: str) -> bool:
        """Whether a row takes up somebody by a pronoun, or opens with whose relative they are."""
        return self._opens_with_kin(text) or any(folded(token) in _PERSONS for token in tokens_of(text))

    def _is_a_third(self, texts: Iterable[str], *, is_told: bool) -> bool:
        """Whether a question asks what a person has or does, and rows have that name and none says that it is "I"."""
        if _OF_PERSONS.isdisjoint(self._small) or self._languages != (ENGLISH,):
            return False
        for tokens in map(tokens_of, texts):
            for at, token in enumerate(tokens):
                if token[0].isupper() and folded(token) in self._names:
                    is_told = True
                    if at and (is_first(tokens[at - 1], self._languages) or tokens[at - 1].casefold() in _IS):
                        return False
        return is_told

    def is_of_none_asked(self, text: str) -> bool:
        """Whether it is asked of what who asks has, and a row tells what somebody else has, or of another relative."""
        if not self._is_of_asker:
            return False
        languages = (*self._languages, ENGLISH)
        tokens = tokens_of(text)
        if self._languages == (ENGLISH,) and _opens_with_owner(tokens) and not any(map(self._is_of_me, tokens)):
            return True
        if self._kin:
            mine = [
                folded(token) for at, token in enumerate(tokens)
                if is_kin(token, languages) and not small_words("my", languages).isdisjoint(
                    map(folded, tokens[max(0, at - 2) : at])
                )
            ]  # fmt: skip
            return bool(mine) and not any(
                is_form(word, kin) or self._kin_as.get(stem(word)) == stem(kin) for word in mine for kin in self._kin
            )
        return tells_of_another(text, languages, self._small, changes=True)

    def opens_with_another(self, text: str) -> bool:
        """Whether a row is of somebody else: it opens with another name, or with a relative."""
        return tells_of_another(text, (*self._languages, ENGLISH), self._small, changes=False)

    def is_untied(self, text: str) -> bool:
        """Whether it is asked of what somebody by name, or who asks, has, and a row does not have the word for it."""
        if self._owned is None:
            return False
        forms = {folded(token) for token in tokens_of(text)}
        return not any(is_form(spoken, self._owned) or self._owned_as.get(stem(spoken)) for spoken in forms)

    def is_by_the_way(self, text: str) -> bool:
        """Whether a row says nothing of the thing of which it is asked what one it is: "on my phone", "the phone"."""
        if self._had is None:
            return False
        tokens = tokens_of(text)
        places = [at for at, token in enumerate(tokens) if is_form(folded(token), self._had)]
        return bool(places) and all(self._is_bare(tokens, at) for at in places)

    def _is_bare(self, tokens: Sequence[str], at: int) -> bool:
        """Whether only "my" or "the" stands before a thing, and nothing behind it that may say what one it is."""
        behind = tokens[at + 1] if at + 1 < len(tokens) else "."
        tells = behind[0].isupper() or behind.casefold() in _TELLS_WHICH or tokens[at][0].isupper()
        return bool(at) and folded(tokens[at - 1]) in _BARE and not tells

    def _is_of_me(self, token: str) -> bool:
        return is_first(token, (ENGLISH,)) or folded(token) in small_words("my", (ENGLISH,))

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


def _opens_with_owner(tokens: Sequence[str]) -> bool:
    """Whether somebody has or gets something, as it opens: "Fergus has bought a dog", "The neighbors, ..., have one"."""
    spoken = [token for token in tokens if token[0].isalpha()][: _OPENING + 1]
    if not spoken or not any(token.casefold() in _HAD for token in spoken[1:]):
        return False
    first = spoken[1] if spoken[0].casefold() == "the" and len(spoken) > 1 else spoken[0]
    is_name = first[0].isupper() and first.casefold() not in STOP_WORDS and first == bare(first)
    return is_name or (first != spoken[0] and is_kin(first, (ENGLISH,)))


@lru_cache(maxsize=8192)
def _says(token: str, languages: tuple[str, ...]) -> bool:
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
