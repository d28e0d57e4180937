"""What became of each item in a summary: said, set aside for a reason, or left out. Found by reading, never claimed.

Retention lets an original expire only if each of its sentences has a fate here. A sentence in doubt has none. Pure.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from precis.checks import asides, reactions, reading, sayings
from precis.checks.answering import asked_before, asks_the_world, follows_question, is_answered, is_bare_answer
from precis.checks.served import Line, Served, asserted, denies, listed, names_of, speakable, words_of
from precis.language import tables
from precis.language.chitchat import is_small_talk
from precis.language.newest.taken_back import only_laughs, takes_back, taking_back
from precis.language.sentences import is_question, sentences
from precis.language.words import STOP_WORDS, names, normal, runs, stem, words
from precis.makers import Item
from precis.summary import SET_ASIDE, Fate, Statement
from precis.trust import SourceClass, Voice, class_of_role

#: What a summary says of a sentence.
_SAID = (Fate.SAID, Fate.REPETITION)
#: So many items before it a reaction may react to.
_NEAR = 3
#: Characters. Encoded files and keyboards that were leant on are longer.
_LONGEST_WORD = 200
#: A question that opens so asks; ``Did you hear that ...`` tells.
_ASKS = re.compile(
    rf"\W*(?:(?:hey|hi|so|and|but|well|oh|ok|okay|wow)\b\W*)*(?:{tables.choices('questions.asks')})\b", re.IGNORECASE
)
_TELLS = re.compile(rf"\b(?:{tables.choices('questions.tells')})\b|[,;:\d]", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """What became of one item, and because of which statement."""

    fate: Fate
    #: Position of the statement among those it was compared with; None where it needs none.
    by: int | None = None
    #: Positions of every statement that says, repeats or overrules one of its sentences.
    every: tuple[int, ...] = ()


def fates(items: Sequence[Item], statements: Sequence[Statement]) -> list[Told | None]:
    """For each item what became of it in these statements; None where something of it may be left out."""
    served = Served(statements, items)
    told = [_fate(items, at, served) for at in range(len(items))]
    if None not in told or (lists := listed(items)) == list(items):
        return told
    return [outcome or other for outcome, other in zip(told, fates(lists, statements), strict=True)]


def set_aside(items: Sequence[Item], reasons: Collection[Fate] = SET_ASIDE) -> bool:
    """Whether no item tells anything but credentials, for these reasons, so that nothing is all there is to say."""
    served = Served((), items := speakable(items))
    outcomes = (_fate(items, at, served) for at in range(len(items)))  # of most the first one tells something
    return all(outcome is not None and outcome.fate in reasons for outcome in outcomes)


def says_nothing(items: Sequence[Item]) -> bool:
    """The same, where a run of characters that is longer than any word counts as nothing that can be said."""
    items = speakable(items)
    return all(fate is not None or _is_unsayable(item.text) for item, fate in zip(items, fates(items, ()), strict=True))


def _is_unsayable(text: str) -> bool:
    telling = [part for part in text.split() if any(map(str.isalnum, part))]
    return all(len(part) > _LONGEST_WORD for part in telling) and all(spaced for _, spaced in runs(text))


def unsaid(items: Sequence[Item], statements: Sequence[Statement]) -> list[list[str]]:
    """For each item those of its sentences that have no fate in these statements."""
    served, lists = Served(statements, items), listed(items)
    own = [list(_open(items, at, served)) for at in range(len(items))]
    others = own if lists == list(items) else unsaid(lists, statements)
    return [open_ and other for open_, other in zip(own, others, strict=True)]


def _open(items: Sequence[Item], at: int, served: Served) -> Iterator[str]:
    """The sentences of an item that have no fate, with the laugh behind each, and behind what each hangs on."""
    texts, outcomes = sentences(items[at].text), _sentence_fates(items, at, served)
    is_open: list[bool] = []
    for text, outcome in zip(texts, outcomes, strict=True):
        is_open.append(outcome is None or (bool(is_open) and is_open[-1] and takes_back(text)))
    for place in reversed(range(len(texts))):
        before = _hung_on(place, texts, outcomes, items[at]) if is_open[place] else None
        if before is not None:
            is_open[before] = True
    yield from (text for text, is_unsaid in zip(texts, is_open, strict=True) if is_unsaid)


def _fate(items: Sequence[Item], at: int, served: Served) -> Told | None:
    parts = _sentence_fates(items, at, served)
    known = [outcome for outcome in parts if outcome is not None]
    if len(known) < len(parts):
        return None
    order = (Fate.SAID, Fate.OVERRULED, Fate.REPETITION, Fate.QUESTION, Fate.SMALL_TALK)
    first = min(known, key=lambda outcome: order.index(outcome.fate), default=Told(fate=Fate.SMALL_TALK))
    return replace(first, every=tuple(dict.fromkeys(outcome.by for outcome in known if outcome.by is not None)))


def _sentence_fates(items: Sequence[Item], at: int, served: Served) -> list[Told | None]:
    """What became of each sentence of an item; of one that hangs on another only where that is said with it."""
    outcomes = _own_fates(items, at, served)
    answer = asked_before(items, at)
    if answer is not None and answer.told_apart and not _in_one(items, at, served):
        said_in_part = (place for place in answer.answering if (known := outcomes[place]) and known.fate in _SAID)
        outcomes = _without(outcomes, said_in_part)
    answered = asked_before(items, at + 1)
    answers = _own_fates(items, at + 1, served) if answered else []
    if not answered or all((told := answers[at_]) and told.fate not in _SAID for at_ in answered.answering):
        return outcomes
    unsaid_ = answered.told_apart and not _in_one(items, at + 1, served)
    open_ = (place for place in answered.asking if (known := outcomes[place]) and (unsaid_ or known.fate not in _SAID))
    return _without(outcomes, open_)


def _own_fates(items: Sequence[Item], at: int, served: Served) -> list[Told | None]:
    """The same, whatever another speaker asks or answers."""
    item, texts = items[at], sentences(items[at].text)
    outcomes = [_sentence_fate(text, items, at, served) for text in texts]
    return [
        outcome if before is None else _together(texts[before], texts[place], outcomes[before], outcome, item, served)
        for place, outcome in enumerate(outcomes)
        for before in [_hung_on(place, texts, outcomes, item)]
    ]


def _without(outcomes: Sequence[Told | None], places: Iterable[int]) -> list[Told | None]:
    open_ = frozenset(places)
    return [None if place in open_ else outcome for place, outcome in enumerate(outcomes)]


def _in_one(items: Sequence[Item], at: int, served: Served) -> bool:
    """Whether one statement says the opening of the item at this place, and what was asked before it."""
    asked = asked_before(items, at)
    if asked is None:
        return True
    before, item = items[at - 1], items[at]
    wording = [(sentences(before.text)[place], before) for place in asked.asking]
    wording += [(sentences(item.text)[place], item) for place in asked.answering]
    resting = [{line.by for line in served.resting(each.source_ids)} for each in (before, item)]
    return any(
        all(is_small_talk(text) or _said(text, each, served, by=by) == by for text, each in wording)
        for by in set.intersection(*resting)
    )


def _hung_on(place: int, texts: Sequence[str], outcomes: Sequence[Told | None], item: Item) -> int | None:
    """The place of the sentence without which another is not understood: it tells or asks, or is what is taken back."""
    outcome = outcomes[place]
    if (outcome is not None and outcome.fate not in _SAID) or place == 0:
        return None
    if place in taking_back(tuple(texts)):
        return place - 1
    if not (asides.hangs(texts[place], item.text) or asides.orders(texts[place])):
        return None
    telling = (
        earlier
        for earlier in reversed(range(place))
        if (known := outcomes[earlier]) is None or known.fate is not Fate.SMALL_TALK
    )
    return next(telling, None)


def _together(
    before: str, text: str, earlier: Told | None, outcome: Told | None, item: Item, served: Served
) -> Told | None:
    """What became of a sentence behind the one that it hangs on: nothing, unless one statement says both."""
    if outcome is None or earlier is None:
        return None
    if outcome.fate is Fate.REPETITION:
        return outcome if outcome.by == earlier.by else None
    by = dict.fromkeys(line.by for line in served.resting(item.source_ids))
    both = (at for at in by if _said(before, item, served, by=at) == at and _said(text, item, served, by=at) == at)
    return next((replace(outcome, by=at) for at in both), None)


def _sentence_fate(text: str, items: Sequence[Item], at: int, served: Served) -> Told | None:
    item = items[at]
    by = _said(text, item, served)
    if by is not None:
        return Told(fate=Fate.SAID, by=by)
    if is_bare_answer(text, items, at) or _takes_back_what_is_before(text, item):
        return None
    muttered = _is_agents(item) and asides.only_confirms(text)
    if not asides.orders(text) and (is_small_talk(text) or muttered or _only_reacts(text, items, at, served)):
        return Told(fate=Fate.SMALL_TALK)
    if _only_asks(text, item, served):
        return Told(fate=Fate.QUESTION)
    repeated = _repeated(text, item, served)
    if repeated is not None:
        return Told(fate=Fate.REPETITION, by=repeated)
    newer = _overruled(text, item, served.ranks[at], served)
    return None if newer is None else Told(fate=Fate.OVERRULED, by=newer)


def _is_agents(item: Item) -> bool:
    return item.classes == {SourceClass.AGENT} or class_of_role(item.speaker or "") is SourceClass.AGENT


def _said(text: str, item: Item, served: Served, *, by: int | None = None) -> int | None:
    """The statement resting on the item, or the one at ``by``, that says this sentence, word for word or otherwise."""
    lines = [line for line in served.resting(item.source_ids) if by in (None, line.by)]
    if not lines:
        return None
    needed, named, denied = words_of(text), names_of(text), denies(text)
    for line in lines:
        has_words = needed <= line.around and needed - named <= line.words and denied == line.denies
        if has_words and (line.says(text, item) or _says_otherwise(text, item, line, served)):
            return line.by
    own = [line for line in lines if line.sources <= set(item.source_ids)]
    if not needed <= frozenset().union(*(line.words for line in own)):
        return None
    every = frozenset().union(*(served.free(line, text, item) & line.words for line in own))
    if own and needed <= every and denied <= any(line.denies for line in own):
        return own[0].by if sayings.may_say([line.saying for line in own], sayings.saying_of(text)) else None
    return None


def _says_otherwise(text: str, item: Item, line: Line, served: Served) -> bool:
    """Whether a line that has all words of a sentence says it in other words, and not another sentence instead."""
    if not sayings.may_say([line.saying], sayings.saying_of(text)):
        return False
    return words_of(text) <= served.free(line, text, item) and not served.rivals(line, text, item)


def _repeated(text: str, item: Item, served: Served) -> int | None:
    """A statement on others that says the sentence word for word, of the same day and the same speaker.

    What only tools and documents say repeats nothing that anybody vouches for.
    """
    needed = words_of(text) | (words_of(item.speaker) if item.speaker else frozenset())
    for line in served.repeating(words_of(text)):
        if needed <= line.around and item.day in line.days and _bears(line, item) and line.says(text, item):
            return line.by
    return None


def _bears(line: Line, item: Item) -> bool:
    return line.voice is not Voice.RELAYED or item.voice is Voice.RELAYED


def _overruled(text: str, item: Item, rank: int, served: Served) -> int | None:
    """A newer statement on the same subject and attribute, where one overrules each thing that the sentence asserts."""
    by = [served.timeline.overruling(assertion, rank) for assertion in asserted(text, item.speaker, item.voice)]
    last = by[-1] if by else None
    return None if last is None or None in by else last.place[0]


def _only_asks(text: str, item: Item, served: Served) -> bool:
    """Whether a sentence asks and tells nothing: what it names is known from what is said, or from who speaks."""
    if not is_question(text) or is_answered(text, item):
        return False
    if asks_the_world(text):
        return True
    if not _ASKS.match(text) or _TELLS.search(normal(text)):
        return False
    return names_of(text) <= served.words | (words_of(item.speaker) if item.speaker else frozenset())


def _only_reacts(text: str, items: Sequence[Item], at: int, served: Served) -> bool:
    """Whether a sentence of a talk praises or cheers on, and what is served of the one before it has all it names."""
    item = items[at]
    named = reactions.named_by_reaction(text) if item.speaker and not item.derived else None
    if named is None or follows_question(text, items, at):
        return False
    needed = frozenset(reading.family_of(word) for word in words(text) if stem(word) in named) | _uncalled(text, items)
    before = (other for other in items[max(0, at - _NEAR) : at] if other.speaker not in (None, item.speaker))
    return not needed or any(
        needed <= words_of(other.text)
        and needed <= frozenset().union(*(line.words for line in served.resting(other.source_ids)))
        for other in before
    )


def _uncalled(text: str, items: Sequence[Item]) -> frozenset[str]:
    """Names in a reaction by which nobody is called who speaks: "Great, Lufthansa." agrees on one."""
    people = {word for item in items if item.speaker for word in words(item.speaker)}
    named = () if text.isupper() else names(text)
    return frozenset(
        reading.family_of(word)
        for word in words(" ".join(named))
        if word not in STOP_WORDS and not any(name.startswith(word) for name in people)
    )


def _takes_back_what_is_before(text: str, item: Item) -> bool:
    """Whether it says more than a laugh of what stands before it in the item: who reads that has to know."""
    return takes_back(text) and not only_laughs(text) and sentences(item.text)[:1] != [text]
