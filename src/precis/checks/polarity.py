"""Whether a statement turns around what its best matching passages say: denies it, or swaps who did what to whom.

"Ana taught Ben" is not borne out by "Ben taught Ana", nor "Ana bought a boat" by "Ana wants to buy a boat".
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from precis.checks.evidence import Claim, Evidence
from precis.checks.reading import Kind, Sentence, Token
from precis.language import tables
from precis.language.grammar import BE, FORMS
from precis.language.vocabulary import ANTONYMS, MODALS, NEGATORS

_SYMMETRIC = frozenset(tables.words("roles.symmetric"))
_PREPOSITIONS = frozenset(tables.words("roles.prepositions"))
_FIRST = frozenset(tables.words("roles.first"))
_WISHES = frozenset(tables.words("roles.wishes"))
_FUTURE = frozenset(tables.words("roles.future"))
_BETWEEN = frozenset(tables.words("roles.between"))
#: Words between a wish and its verb: "wants to", "wants Ben to", "dreams of".
_LEADS = frozenset({"to", "of", "about", "on"})
#: Words before a verb, and behind it, among which its two sides are looked for.
_SPAN = 7
#: Words before a verb among which it is said to be wanted or to come.
_BEFORE = 5
_PAST = frozenset({"past", "participle"})
_SIDES = frozenset({Kind.NAME, Kind.OPENER, Kind.WORD, Kind.PLAIN})
#: Content words after a denial that it is about.
_DENIED = 3
#: Of the words under which something is only possible, those that say nobody knows.
_DOUBTS = MODALS - _WISHES


def flips(claim: Claim, close: Sequence[int], sources: frozenset[int], evidence: Evidence) -> tuple[str, ...]:
    """What the statement turns around: ``negation``, ``antonym``, or ``modality`` where it makes a maybe a fact.

    A denial must be found near: some passage of the sources denies one of the words the statement denies. Where the
    statement denies nothing, one of its best passages must leave undenied what the two share.
    """
    passages = [evidence.passages[place].sentence for place in close]
    flipped = []
    if _denies_alone(claim, sources, evidence) or _all(_drops_denial(claim, passage) for passage in passages):
        flipped.append("negation")
    if _all(_asserts_more(claim.sentences, passage) for passage in passages):
        flipped.append("modality")
    if _all(_opposed(claim, passage) for passage in passages):
        flipped.append("antonym")
    return tuple(flipped)


def _all(findings: Iterable[bool]) -> bool:
    """Whether there are some, and each is so."""
    counted = list(findings)
    return bool(counted) and all(counted)


def _denies_alone(claim: Claim, sources: frozenset[int], evidence: Evidence) -> bool:
    """The statement denies something that no passage of its sources denies."""
    for sentence in claim.sentences:
        denied = [token.family for token in sentence.content if token.negated][:_DENIED]
        if denied and not any(
            evidence.passages[place].item in sources and evidence.passages[place].denies(key)
            for key in denied
            for place in evidence.postings.get(key, ())
        ):
            return True
    return False


def _drops_denial(claim: Claim, passage: Sentence) -> bool:
    """The passage denies most of what it shares with the statement, which denies nothing."""
    if passage.question:
        return False
    statement, source = _flags(claim.sentences, "negated"), _flags([passage], "negated")
    shared = statement.keys() & source.keys()
    return not any(statement.values()) and sum(source[key] for key in shared) * 2 > len(shared)


def _flags(sentences: Iterable[Sentence], flag: str) -> dict[str, bool]:
    """Family to whether any occurrence carries the flag."""
    marks: dict[str, bool] = {}
    for sentence in sentences:
        for token in sentence.tokens:
            if token.kind in (Kind.WORD, Kind.PLAIN, Kind.NUMBER):
                marks[token.family] = marks.get(token.family, False) or getattr(token, flag)
    return marks


def _asserts_more(sentences: Sequence[Sentence], passage: Sentence) -> bool:
    """What the passage calls possible, the statement calls so. What is planned, it may say will be."""
    if passage.question or (_has_any(sentences, _FUTURE) and not _has_any([passage], _DOUBTS)):
        return False
    statement, source = _flags(sentences, "modal"), _flags([passage], "modal")
    shared = statement.keys() & source.keys()
    return bool(shared) and not any(statement.values()) and sum(source[key] for key in shared) * 2 > len(shared)


def _has_any(sentences: Iterable[Sentence], words: frozenset[str]) -> bool:
    return any(
        token.word in words and token.kind is not Kind.CALENDAR for sentence in sentences for token in sentence.tokens
    )


def _opposed(claim: Claim, passage: Sentence) -> bool:
    """The statement has a word whose opposite the passage has, and the passage lacks the word itself."""
    in_passage = {token.family for token in passage.tokens}
    in_claim = {token.family for sentence in claim.sentences for token in sentence.tokens}
    return any(ANTONYMS[key] & (in_passage - in_claim) for key in in_claim - in_passage if key in ANTONYMS)


class Pair(NamedTuple):
    """Two that a verb, or a comparison, stands between."""

    verb: str
    doer: str
    other: str
    #: "from" and "than" turn a verb's sides around, or compare; nothing else is told apart.
    link: str


def swaps_roles(claim: Claim, places: Sequence[int], evidence: Evidence) -> bool:
    """Whether the passages that tell of one of the statement's pairs all have its two sides the other way around."""
    for sentence in claim.sentences:
        pairs = set(_pairs(sentence.tokens, ()))
        if pairs and _is_swapped(pairs, places, evidence):
            return True
    return False


def _is_swapped(pairs: set[Pair], places: Iterable[int], evidence: Evidence) -> bool:
    turned = {pair._replace(doer=pair.other, other=pair.doer) for pair in pairs} - pairs
    swapped = False
    for place in places:
        passage = evidence.passages[place]
        stated_pairs = set(_pairs(passage.sentence.tokens, evidence.speakers[passage.item]))
        if stated_pairs & pairs:
            return False
        swapped = swapped or bool(stated_pairs & turned)
    return swapped


def _pairs(tokens: Sequence[Token], speaker: Sequence[str]) -> Iterator[Pair]:
    """Of each verb, its doer with each name behind it, and with the thing right behind it."""
    for place, token in enumerate(tokens):
        compared = place + 1 < len(tokens) and tokens[place + 1].word == "than"
        if not compared and not _is_verb(token) and not _stands_between_names(tokens, place):
            continue
        passive = not compared and any(before.word in BE for before in tokens[max(0, place - 3) : place])
        left, right = _left(tokens, place, speaker), dict(_right(tokens, place, speaker))
        if passive:
            right = {name: "" for name, link in right.items() if link == "by"}
        for doer in left:
            for other, link in right.items():
                sides = (other, doer) if passive else (doer, other)
                if doer != other and link != "with":
                    yield Pair(token.family, *sides, link if link in {"from", "than"} else "")


def _is_verb(token: Token) -> bool:
    form = FORMS.get(token.word)
    if form is None:
        return token.kind in {Kind.WORD, Kind.PLAIN} and token.word.endswith("ed")
    return form.lemma not in _SYMMETRIC and not form.kinds <= {"ing"}


def _stands_between_names(tokens: Sequence[Token], place: int) -> bool:
    """As a verb does that no table has: "Ana outwitted Ben"."""
    sides = (*tokens[place - 1 : place], *tokens[place + 1 : place + 2])
    return (
        tokens[place].kind is Kind.WORD
        and tokens[place].word not in FORMS
        and len(sides) > 1
        and all(token.word in _FIRST or token.kind in {Kind.NAME, Kind.OPENER} for token in sides)
    )


def _left(tokens: Sequence[Token], place: int, speaker: Sequence[str]) -> list[str]:
    """The names before a verb; where there is none, the word that stands next before it."""
    near = tokens[max(0, place - _SPAN) : place]
    names = [name for token in near for name in _named(token, speaker)]
    nearest = [token.family for token in near if token.kind in _SIDES and token.word not in FORMS]
    return names or nearest[-1:]


def _right(tokens: Sequence[Token], place: int, speaker: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What stands behind a verb, with the preposition before it: names, and the things before any preposition."""
    link = ""
    for token in tokens[place + 1 : place + 1 + _SPAN]:
        if token.word in _PREPOSITIONS:
            link = token.word
        elif names := _named(token, speaker):
            yield from ((name, link) for name in names)
        elif token.kind in _SIDES and link in {"", "by", "than"}:
            yield token.family, link


def _named(token: Token, speaker: Sequence[str]) -> Sequence[str]:
    if token.word in _FIRST:
        return speaker
    return (token.family,) if token.kind in {Kind.NAME, Kind.OPENER} else ()


# --- done, or only wanted ---


def changes_deed(claim: Claim, places: Sequence[int], evidence: Evidence) -> bool:
    """Whether it tells as done what the passages only want or foresee, or the other way around."""
    deeds = {family: is_done for sentence in claim.sentences for family, is_done in _deeds(sentence)}
    if not deeds:
        return False
    stated_deeds: dict[str, set[bool]] = {}
    for place in places:
        for family, is_done in _deeds(evidence.passages[place].sentence):
            stated_deeds.setdefault(family, set()).add(is_done)
    return any(family in stated_deeds and is_done not in stated_deeds[family] for family, is_done in deeds.items())


def _deeds(sentence: Sentence) -> Iterator[tuple[str, bool]]:
    """Verbs that are told as done, or as wanted or to come; not those of which neither is sure."""
    if sentence.question:
        return
    for place, token in enumerate(sentence.tokens):
        form = FORMS.get(token.word)
        kinds = form.kinds if form else _PAST if token.kind and token.word.endswith("ed") else None
        if kinds is None or token.word in BE or not token.kind:
            continue
        near = sentence.tokens[max(0, place - _BEFORE) : place]
        before = [token.word for token in near if token.kind is not Kind.CALENDAR]
        if not NEGATORS.isdisjoint(before):
            continue
        if _is_open(before):
            yield token.family, False
        elif kinds <= _PAST and (not before or before[-1] not in {"be", "get", "to", "a", "an", "the"}):
            yield token.family, True


def _is_open(before: Sequence[str]) -> bool:
    """Whether the words before a verb say that it is wanted or to come; no other word stands in between."""
    for place in range(len(before) - 1, -1, -1):
        word = before[place]
        if word in _FUTURE or word in MODALS:
            return True
        if word in _LEADS:
            return not _WISHES.isdisjoint(before[max(0, place - 2) : place])
        if word not in _BETWEEN and not word.endswith("ly"):
            return False
    return False
