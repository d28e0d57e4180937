"""What a question asks of that is somebody's, and rows that tell it of somebody else, or hardly tell of it. Pure.

"Fergus has bought a dog" is no answer to "What is my dog called?", nor "My father had his operation in May" to "When is
my mother's operation?", nor "I read it on my phone" to "What phone do I have?".
"""

import re
from collections.abc import Collection, Sequence
from itertools import takewhile

from precis.language import tables
from precis.language.script import languages_of
from precis.language.words import STOP_WORDS, kept, stem
from precis.recall.answers import told_as
from precis.recall.persons import (
    ENGLISH,
    WITHOUT_I,
    bare,
    folded,
    is_first,
    is_form,
    is_kin,
    small_words,
    tells_of_another,
    tokens_of,
)
from precis.recall.sought.things import says, thing_in

#: "What phone do I have?"
_WHICH_ONE = re.compile(tables.entry("sought.had.which"), re.IGNORECASE)
_BARE, _TELLS_WHICH = frozenset(tables.words("sought.had.bare")), frozenset(tables.words("sought.had.tells"))
#: So many words open a row.
_OPENING = 4
_HAD = frozenset(tables.words("sought.had.by"))


class Owning:
    """Whose it is what a question asks of; ``own`` are stems that name whose memory it is."""

    def __init__(self, query: str, own: frozenset[str] = frozenset()) -> None:
        self._languages = languages_of(query)[0] or (ENGLISH,)
        self._tokens = tuple(token for token in tokens_of(query) if token[0].isalpha())
        self._small = tuple(map(folded, self._tokens))
        self._all = (*self._languages, ENGLISH)
        my = small_words("my", self._all)
        #: It asks of who asks; and of which relatives of theirs, in small letters.
        self._is_of_asker = not thing_in(query, own).names and any(map(self._is_of_me, self._tokens))
        self._kin = frozenset(
            word for at, word in enumerate(self._small)
            if is_kin(word, self._all) and not my.isdisjoint(self._small[max(0, at - 2) : at])
        )  # fmt: skip
        self._kin_as = told_as(query, languages_of(query)[0], frozenset(map(stem, self._kin)))
        self._owned: str | None = None
        self._had: str | None = None
        if self._languages == (ENGLISH,):
            owned = next((at for at, t in enumerate(self._tokens) if at and self._is_owner(t, my)), len(self._tokens))
            nouns = list(takewhile(lambda token: says(token, self._languages), self._tokens[owned + 1 :]))
            #: What is asked of is somebody's; and what one thing is asked for.
            self._owned = folded(nouns[-1]) if nouns else None
            asked = _WHICH_ONE.match(query)
            self._had = folded(asked["head"]) if asked else None
        self._owned_as = told_as(query, (), frozenset((stem(self._owned),)) if self._owned else frozenset())

    def is_of_none_asked(self, text: str) -> bool:
        """Whether it is asked of what who asks has, and a row tells what somebody else has, or of another relative."""
        if not self._is_of_asker:
            return False
        tokens = tokens_of(text)
        is_mine = any(map(self._is_of_me, tokens))
        if self._kin:
            theirs = [at for at, token in enumerate(tokens) if is_kin(token, self._all)]
            asked = [at for at in theirs if self._is_asked(tokens[at])]
            if asked:
                # "Fergus has bought a dog" is of another dog, "Mum has it in May" of no other mother.
                return asked[0] > 0 and not is_mine and self._opens_with_owner(tokens)
            my = small_words("my", self._all)
            return any(not my.isdisjoint(map(folded, tokens[max(0, at - 2) : at])) for at in theirs)
        if not is_mine and self._opens_with_owner(tokens):
            return True
        # Where a verb says who does it, it opens a sentence as a name does.
        return WITHOUT_I.isdisjoint(self._all) and tells_of_another(text, self._all, self._small, changes=True)

    def _is_asked(self, token: str) -> bool:
        """Whether it is a relative of whom it is asked, by this word or another for the same one."""
        word = folded(token)
        return any(is_form(word, kin) or self._kin_as.get(stem(word)) == stem(kin) for kin in self._kin)

    def _opens_with_owner(self, tokens: Sequence[str]) -> bool:
        """Whether somebody else has or gets something, as it opens: "Fergus has bought a dog"."""
        spoken = [token for token in tokens if token[0].isalpha()][: _OPENING + 1]
        if self._languages != (ENGLISH,) or not any(token.casefold() in _HAD for token in spoken[1:]):
            return False
        first = spoken[1] if spoken[0].casefold() == "the" else spoken[0]
        if folded(first) in self._small or self._is_asked(first):
            return False
        is_name = first[0].isupper() and first.casefold() not in STOP_WORDS and first == bare(first)
        return is_name or (first != spoken[0] and is_kin(first, (ENGLISH,)))

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
        return is_first(token, self._all) or folded(token) in small_words("my", self._all)

    def _is_owner(self, token: str, my: Collection[str]) -> bool:
        return folded(token) in my or (token[0].isupper() and token != bare(token))


@kept
def owning_in(query: str, own: frozenset[str]) -> Owning:
    """Whose it is what this question asks of."""
    return Owning(query, own)
