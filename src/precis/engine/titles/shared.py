"""What most memories of a summary have, for a title that else says "and more". Pure."""

from collections.abc import Iterator, Sequence
from math import ceil

from precis.engine.titles.names import GENERAL
from precis.engine.titles.noun_phrases import TOKEN, Phrase, body, phrases_of, single_nouns_of
from precis.engine.titles.tellings import capitals
from precis.language.words import stem

_MORE = " and more"
#: What comes back stands in so many memories, and a phrase has at most so many words.
_OFTEN, _WORDS = 2, 3


def of_most(named: str, texts: Sequence[str], members: Sequence[str]) -> str:
    """The title; in place of a part of what is told, the noun phrase of a statement whose word half the members have.

    None is a general word, or a word of a name in the title: "Tomo: vows" for "Tomo: wedding, editor and more".
    """
    if not named.endswith(_MORE) or not members:
        return named
    who, joint, _ = named.rpartition(": ")
    spoken = [{stem(word.casefold()) for word in TOKEN.findall(body(text))} for text in members]
    known = {root for text in members for phrase in _phrases(text) if phrase.sure for root in phrase.stems[-1:]}
    people = {stem(word.casefold()) for word in TOKEN.findall(who)}
    worth: dict[str, tuple[int, int]] = {}
    least = max(_OFTEN, ceil(len(members) / 2))
    for phrase in (phrase for text in texts for phrase in _phrases(text)):
        telling = [root for root in phrase.stems if root not in GENERAL and root not in people]
        most = max((sum(root in words for words in spoken) for root in telling), default=0)
        if most >= least and phrase.stems[-1] in known and people.isdisjoint(phrase.stems):
            worth[capitals(phrase.text, texts)] = (most, len(phrase.stems))
    best = max(worth, key=lambda wording: (worth[wording], wording), default="")
    return f"{who}{joint}{best}" if best else named


def _phrases(text: str) -> Iterator[Phrase]:
    every = (*phrases_of(text), *single_nouns_of(text))
    # "God" is cried out, and tells of nothing.
    yield from (it for it in every if len(it.stems) <= _WORDS and (len(it.stems) > 1 or it.text.islower()))
