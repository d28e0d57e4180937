"""What in a talk of another language than English tells nothing of anybody: courtesy, praise, cheering, advice.

For choosing alone: nothing is set aside for good, and no original leaves, because of what is read here. Whether a
sentence hangs on what its speaker said right before it is read here, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from precis import patterns as re
from precis.checks.reactions import POINTS_BACK, lacks_verb, states
from precis.language import chitchat, dates, grammar, script, tables
from precis.language.words import MARKS, kept, normal, words

_LETTER = re.compile(r"[^\W\d_]")
#: A figure tells something, however kindly it is said.
_FIGURE = re.compile(r"\d")
_CRY = re.compile(r"[!\uff01]\W*$")
#: A word without a capital.
_SMALL = re.compile(r"\b[^\W\d_A-Z\u00c0-\u00de][\w-]*")
#: A whole word: the vowels of Hindi are marks, and no letters to a regular expression.
_WHOLE = rf"(?<![\w{MARKS}])(?:{{}})(?![\w{MARKS}])"
#: So many texts tell in which language a talk is.
_TELLING = 40
#: A text of a language has at least this share of its pronouns, articles and particles.
_KNOWN = 0.1
#: A letter that is drawn out: "Evvivaaa".
_DRAWN = re.compile(r"([^\W\d_])\1{2,}")
_KINDS = ("kind", "plain", "me", "listener", "advises", "points", "answers")


class _Listed:
    """The words of one kind as an expression, compiled when a text is first held against it: all take a while."""

    def __set_name__(self, owner: type[Manners], name: str) -> None:
        self._kind = name

    def __get__(self, manners: Manners, owner: type[Manners] | None = None) -> re.Pattern[str]:
        return _compiled(manners.expressions[self._kind])


@cache
def _compiled(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Manners:
    """How one language greets, praises and advises: its words for that, and those that stand beside them."""

    language: str
    #: Of each kind of words.
    expressions: Mapping[str, str]
    #: Whether spaces set its words apart.
    spaced: bool
    #: Whether its nouns have capitals, and no other word has inside a sentence.
    capital_nouns: bool

    kind, plain, me, listener, advises, points, answers = (_Listed() for _ in _KINDS)

    def is_courtesy(self, sentence: str) -> bool:
        """Whether every word of it greets, thanks, praises or cheers, or only stands beside such a word or in a cry."""
        text = normal(_DRAWN.sub(r"\1", sentence))
        rest, times = self.kind.subn(" ", text)
        return (
            (times > 0 or _CRY.search(text) is not None)
            and not _FIGURE.search(text)
            and not _LETTER.search(self._without_grammar(rest))
        )

    def tells_nothing_but(self, feelings: re.Pattern[str], sentence: str) -> bool:
        """Whether each of its words is of these, of courtesy or of grammar, and one of them is of these."""
        rest, times = feelings.subn(" ", normal(sentence))
        rest = self.kind.sub(" ", rest)
        return times > 0 and not _FIGURE.search(rest) and not _LETTER.search(self._without_grammar(rest))

    def is_advice(self, sentence: str) -> bool:
        """Whether it says what the listener may do or will manage: no figure, no day, nothing of who speaks."""
        text = normal(sentence)
        rest, times = self.advises.subn(" ", text)
        if not times or _FIGURE.search(text) or self.me.search(rest):
            return False
        rest = self.plain.sub(" ", rest)
        return chitchat.untimed(rest) == rest

    def tells_listener(self, sentence: str) -> bool:
        """Whether it speaks of the listener, and not of who speaks."""
        text = normal(sentence)
        return self.listener.search(text) is not None and not self.me.search(text)

    def points_back(self, sentence: str) -> bool:
        """Whether it opens on a word that speaks of something said before it."""
        return self.points.match(normal(sentence)) is not None

    def is_grammar(self, word: str) -> bool:
        """Whether a word tells nothing by itself: an article, a pronoun, a particle."""
        return not _LETTER.search(self._without_grammar(word)) and _LETTER.search(word) is not None

    def is_kind(self, word: str) -> bool:
        """Whether a word by itself greets, thanks, praises or cheers."""
        return self.kind.fullmatch(word) is not None

    def topical(self, text: str) -> str:
        """The text without its words of courtesy, for who speaks and who listens, and where they part, of grammar.

        Where nouns have capitals, they alone stay.
        """
        for pattern in (self.kind, self.listener, self.me, *([self.plain] if self.spaced else [])):
            text = pattern.sub(" . ", text)
        return _SMALL.sub(" . ", text) if self.capital_nouns else text

    def words_in(self, text: str) -> int:
        """How many words of a text it knows."""
        return sum(len(pattern.findall(text)) for pattern in (self.plain, self.me, self.listener))

    def _without_grammar(self, text: str) -> str:
        for pattern in (self.listener, self.me, self.plain):
            text = pattern.sub(" ", text)
        return text


def _languages() -> Iterator[Manners]:
    for name, listed in tables.entry("asides").items():
        # Longer phrases first, or a part of one would leave the rest of it.
        longest = {kind: sorted(tables.phrases(f"asides.{name}.{kind}"), key=len, reverse=True) for kind in _KINDS}
        spaced = listed.get("spaced") != "no"
        around = _WHOLE if spaced else "(?:{})"
        expressions = {kind: around.format("|".join(phrases)) for kind, phrases in longest.items()}
        yield Manners(
            language=name, spaced=spaced, capital_nouns=listed.get("capital_nouns") == "yes", expressions=expressions
        )


_LANGUAGES = tuple(_languages())


def manners_of(texts: Sequence[str]) -> Manners | None:
    """Those of the language in which the texts have most of their pronouns, articles and particles.

    None for English, and where no language is known that has any of them. The first texts tell.
    """
    opening = " ".join(texts[:_TELLING])
    return _best(normal(opening)) if script.is_foreign(opening) else None


@kept
def _best(text: str) -> Manners | None:
    own = script.own_language(text)
    if own:
        return next(language for language in _LANGUAGES if language.language == own)
    hits = [language.words_in(text) for language in _LANGUAGES]
    most = max(hits)
    return _LANGUAGES[hits.index(most)] if most >= max(1.0, _KNOWN * sum(1 for _ in words(text))) else None


def _listed(place: str) -> re.Pattern[str]:
    return re.compile(_WHOLE.format("|".join(sorted(tables.phrases(place), key=len, reverse=True))), re.IGNORECASE)


_CONFIRMS = {name: _listed(f"fillers.confirms.{name}") for name in tables.section("fillers.confirms")}
#: A sentence of so many words without a name, a figure or a day is curt.
_CURT = 3
_CAPITAL = re.compile(r"(?<=\S )[A-Z\u00c0-\u00de]")

#: Whom an assistant calls by name: "Claro, Renata!". Behind a full stop a name may be an answer.
_CALLED = re.compile(r", [A-Z\u00c0-\u00de\u0410-\u042f][^\W\d_]+(?=!$)")


def only_confirms(sentence: str) -> bool:
    """Whether whoever listens says no more than that they heard, or how they find it: "Das ist praktisch."."""
    sentence = _CALLED.sub("", sentence)
    if not is_curt(sentence):
        return False
    listed = (language for language in _LANGUAGES if language.language in _CONFIRMS)
    return any(language.tells_nothing_but(_CONFIRMS[language.language], sentence) for language in listed)


def is_curt(sentence: str) -> bool:
    """Whether it has a few words, and none of them is a name, a figure or a day."""
    text = sentence.strip()
    if len(text.split()) > _CURT or _FIGURE.search(text) or _CAPITAL.search(text):
        return False
    return chitchat.untimed(text) == normal(text)


#: Words that may stand before one that points back: "Well, it's 380."
_OPENS = re.compile(
    rf"\W*(?:(?:no|nope|nah|yes|yeah|yep|oh|well|plus|or|still|maybe|honestly|luckily)\b[\s,.!\u2026]+)*"
    rf"{POINTS_BACK.pattern}",
    re.IGNORECASE,
)


#: So opens half a sentence: "Since I was nine, and no exceptions."
_HALF = re.compile(r"\W*(?:since|because|unless|except|instead|until|although)\b", re.IGNORECASE)

#: Who is told to do something with what was said: "Keep that to yourself.", "Please take it along."
_ORDERS = re.compile(
    r"\W*(?:(?:and|but|so|then|now|oh|ok|okay|yes|no|well|also|just|only|please|you|to|remember|sure|make)\b\W*)*"
    r"(?P<verb>[^\W\d_]+) (?:[^\W\d_]+ ){0,3}?(?:it|this|that|these|those|them|the (?:\w+ )?ones?)\b(?!['\u2019])",
    re.IGNORECASE,
)
#: What is said so cheers on, or is a way of speaking: "Keep it up!"
_IDIOM = re.compile(rf"\b(?:{tables.choices('reactions.idioms')})\b", re.IGNORECASE)


def orders(sentence: str) -> bool:
    """Whether an English sentence says what is to be done with what was said before it."""
    order = _ORDERS.match(sentence)
    if order is None or _IDIOM.search(sentence) or (form := grammar.FORMS.get(order["verb"].lower())) is None:
        return False
    return "base" in form.kinds


#: A day or an hour alone, of what stands before it: "9 June now, 13:30."
_WHEN = re.compile(
    rf"\W*(?:on |at )?(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{dates.A_MONTH})"
    rf"|(?:{dates.A_MONTH}) \d{{1,2}}|(?:{dates.A_WEEKDAY})"
    r"|\d{1,2}[:.]\d\d)\b",
    re.IGNORECASE,
)


def tells_only_when(sentence: str) -> bool:
    """Whether it says when, and of what stands in the sentence before: "9 June now, 13:30."."""
    return _WHEN.match(sentence) is not None and lacks_verb(sentence)


def hangs(sentence: str, text: str) -> bool:
    """Whether a sentence of a text needs the one before it: "It's 380.", "Not deadly, just a bad night.".

    It opens on a word for what was named before, or has no verb, and neither a figure nor a name. In a language of
    which the words for that are not known none does.
    """
    if script.is_foreign(text):
        manners = manners_of([text])
        return manners is not None and manners.points_back(sentence)
    opens = _OPENS.match(sentence) or _HALF.match(sentence)
    return opens is not None or lacks_clause(sentence)


def lacks_clause(sentence: str) -> bool:
    """Whether an English sentence says nothing of anybody without another one: no verb, no figure and no name."""
    return lacks_verb(sentence) and not states(sentence)
