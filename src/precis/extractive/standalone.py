"""Sentences that stand alone: who speaks, which date, the question to a bare "yes". Chitchat is left behind."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile

from precis.checks.answering import asks_the_world, is_answer, is_asked, only_answers, opens_on_answer
from precis.checks.asides import Manners, manners_of
from precis.checks.reactions import is_fragment, lacks_verb, to_listener
from precis.extractive import leading
from precis.extractive.antecedents import (
    BARE,
    POINTS_BACK,
    bare_answer,
    own_message_before,
    own_question,
    question_before,
    without_strangers,
)
from precis.extractive.candidate import Candidate, size_of
from precis.extractive.conflicts import Conflicts
from precis.extractive.persons import with_their_person
from precis.extractive.rendering import said_on
from precis.extractive.shares import TO_LISTENER, share_of
from precis.extractive.telling import denies, telling
from precis.extractive.together import behind_taken_back, together, whole, with_laughs, with_scraps
from precis.extractive.trim import called, capital, clauses, trimmed
from precis.extractive.weights.agents import echoes
from precis.language import tables
from precis.language.arranging import PROPOSAL, values
from precis.language.chitchat import KIND, greets
from precis.language.dating.resolving import dated
from precis.language.newest.taken_back import jokes_in, taking_back
from precis.language.script import is_foreign
from precis.language.sentences import is_code, is_entry, is_question, sentences
from precis.language.words import content, stem
from precis.makers import Item

#: Requests in the form of a question.
_REQUEST = re.compile(
    r"(?:(?:can|could|would|will) (?:you|we)(?: please)?(?! (?:like|love|rather|prefer|mind|care|be interested)\b)"
    r"|(?:can|could|may) i (?:get|have)|how about|what about)\b.{8,}",
    re.IGNORECASE,
)
#: Who is greeted has at most so many words.
_CALLED = 3
_GREETS = re.compile(rf"(?:{tables.choices('statements.greeted')}), ", re.IGNORECASE)
#: What a message opens on that joins it to what somebody else said, by language; a name has a capital behind it.
_GOES_ON = {
    name: re.compile(rf"{joint} (?!zwar\b)", re.IGNORECASE) for name, joint in tables.section("titles.joints").items()
} | {"English": re.compile(rf"(?i:{tables.choices('statements.goes_on')}) (?=[a-z\d]|I\b)")}
#: A message of no more words is short: what is a scrap in it belongs to what stands beside it.
_SHORT_MESSAGE = 25
#: So many items tell in which language a talk is: only of English it is known what a verb is.
_TELLING = 40


def candidates(
    items: Sequence[Item], conflicts: Conflicts, *, uncut: bool = False, picked: bool = False
) -> list[Candidate]:
    """Every clause worth choosing from, in the order of the items; ``uncut`` leaves sentences whole and keeps moods."""
    people = _people(items)
    english = not is_foreign(" ".join(item.text for item in items[:_TELLING]))
    manners = None if english else manners_of([item.text for item in items])
    alone = len({item.speaker for item in items}) == 1
    quiet = {stem(name.casefold()) for name in people} | (frozenset() if uncut else KIND)
    kept: list[list[Candidate]] = []
    for index, item in enumerate(items):
        if item.derived:
            clauses_of_item = [_verbatim(item, index)]
        else:
            clauses_of_item = list(
                _clauses_of(items, index, people, manners, uncut=uncut, english=english, alone=alone)
            )
            clauses_of_item = clauses_of_item if uncut else said_on(clauses_of_item, item, conflicts, english=english)
        kept.append(
            [
                candidate
                for candidate in clauses_of_item
                if (denies(candidate, item) or is_answer(candidate.text) or not candidate.terms <= quiet)
                and conflicts.holds(candidate.place, candidate.lead + candidate.text)
                and not (candidate.lead and echoes(candidate, items))
            ]
        )
    kept = [[_standing(candidate, conflicts) for candidate in of_item] for of_item in kept]
    if not uncut:
        kept = [
            _joined(of_item, items, people, picked=picked, english=english)
            for of_item in telling(kept, items, manners)
            if of_item
        ]
    options: list[Candidate] = []
    for of_item in kept:
        led = _pointing(
            of_item, options, items, people, manners, conflicts, uncut=uncut, picked=picked, english=english
        )
        options.extend(led)
    if picked and english and not uncut:
        options = without_strangers(options, items, people)
    if not uncut:
        options = with_their_person(options, items, manners, english=english)
        options = leading.behind_what_was_asked_about(options, items)
    if alone and not uncut:
        unasked = {at for at, option in enumerate(options) if leading.answers_unasked(option, items[option.item])}
        options = [replace(option, aside=True) if at in unasked else option for at, option in enumerate(options)]
    needed = {option.points_to for option in options if not option.aside}
    options = [
        replace(option, aside=False) if option.aside and at in needed else option for at, option in enumerate(options)
    ]
    if uncut:
        return options
    shares = [share_of(option, items[option.item], english=english, manners=manners) for option in options]
    return [
        option if option.share == share else replace(option, share=share)
        for option, share in zip(options, shares, strict=True)
    ]


def _joined(
    of_item: list[Candidate], items: Sequence[Item], people: frozenset[str], *, picked: bool, english: bool
) -> list[Candidate]:
    """The candidates of an item, those as one that cannot be read apart; a short memory that was picked is one."""
    item = items[of_item[0].item]
    parts = together(list(with_laughs(of_item, item)), item)
    if english and item.speaker and not picked and size_of(item.text) <= _SHORT_MESSAGE:
        # "End of next week." is of what was asked, and not of the news behind it.
        answers = leading.is_elliptic(parts[0], items)
        parts = [*parts[:answers], *with_scraps(parts[answers:])]
    return whole(parts, item, people) if picked or not item.speaker else parts


def _standing(candidate: Candidate, conflicts: Conflicts) -> Candidate:
    changes, standing = candidate.changes or candidate.place in conflicts.turned, candidate.place in conflicts.standing
    if (candidate.changes, candidate.standing) == (changes, standing):
        return candidate
    return replace(candidate, standing=standing, changes=changes)


def _people(items: Sequence[Item]) -> frozenset[str]:
    """Names of the speakers, whole and word by word, and the short forms they are called by."""
    full = {item.speaker for item in items if item.speaker}
    parts = {part for name in full for part in name.split() if len(part) > 1}
    short = {part[:size] for part in parts if part.istitle() for size in range(3, len(part))}
    return frozenset(full | parts | short | called((item.text for item in items if not item.derived), parts))


def _verbatim(item: Item, index: int) -> Candidate:
    text = item.text.strip()
    return Candidate(
        item=index, sentence=0, clause=0, text=text, joint="", lead="", sources=(index,), terms=content(text),
        length=size_of(text), lead_length=0, derived=True,
    )  # fmt: skip


def _pointing(
    of_item: list[Candidate], earlier: Sequence[Candidate], items: Sequence[Item], people: frozenset[str],
    manners: Manners | None, conflicts: Conflicts, *, uncut: bool, picked: bool, english: bool,
) -> Iterable[Candidate]:  # fmt: skip
    """The candidates of one item with what they cannot be read without; those of the items before are ``earlier``.

    What points back is tied to the clause just before; where the item has none, the sentence before is quoted with it.
    What finds neither in a talk is no candidate unless it states something.
    """
    last: int | None = None
    opens: dict[int, int] = {}
    place, sentence, looks_back = len(earlier), -2, not (uncut or picked)
    for candidate in of_item:
        item = items[candidate.item]
        leans = leading.points_back(candidate, item, english=english)
        goes_on = english and item.speaker is not None and leading.goes_on_from(candidate)
        answers = leans or size_of(candidate.text) <= BARE or (english and is_fragment(candidate.text))
        ready = candidate
        if candidate.derived or len(candidate.sources) > 1:
            leans = answers = goes_on = False
        needs = leans or goes_on or _points_elsewhere(candidate, manners)
        own = own_question(item, candidate.sentence, candidate.clause) if answers else ""
        # What is asked of the others is not answered by who asks, and tells something.
        own = "" if item.speaker and to_listener(own) and not (leans or lacks_verb(candidate.text)) else own
        # A request is a candidate itself, and not quoted a second time.
        if own and sentence != candidate.sentence - 1:
            ready = leading.led_by_own(candidate, trimmed(own, people))
        elif (needs or own or candidate.caption) and last is not None:
            ready = replace(candidate, points_to=last)
        elif (
            english
            and item.speaker
            and opens.get(candidate.sentence - 1) is not None
            and leading.is_price_of(candidate)
        ):
            ready = replace(candidate, points_to=opens[candidate.sentence - 1])
        elif (
            looks_back
            and last is None
            and (previous := own_message_before(candidate, items, manners, leans=leans or goes_on))
        ):
            ready = leading.led_by(candidate, previous, items, people)
        elif needs and not uncut:
            leaning = leading.leaning_on(candidate, items, people, conflicts, english=english, leans=leans)
            leaning = leaning or leading.of_person_before(candidate, items, people, earlier)
            # "They moved the lease to March" says what became of that, by whomever it was done.
            if leaning is None and not candidate.standing:
                continue
            ready = leaning or candidate
        elif not uncut and (
            leading.is_elliptic(candidate, items) if english else leading.is_short_answer(candidate, items, manners)
        ):
            led = leading.led_by(candidate, question_before(items, candidate.item), items, people)
            hangs = opens_on_answer(item.text) or leading.is_bare_answer(candidate)
            ready = led if hangs else replace(candidate, led=led)
        opens.setdefault(candidate.sentence, place)
        yield ready
        last, place, sentence = place, place + 1, candidate.sentence


def _points_elsewhere(candidate: Candidate, manners: Manners | None) -> bool:
    """Whether behind another clause it opens on a word for what was said, in another language than English."""
    follows = candidate.sentence > 0 or candidate.clause > 0
    return follows and manners is not None and manners.points_back(candidate.text)


def _clauses_of(
    items: Sequence[Item], index: int, people: frozenset[str], manners: Manners | None,
    *, uncut: bool, english: bool, alone: bool,
) -> Iterable[Candidate]:  # fmt: skip
    """The clauses of an item; an answer is one where whoever asked is not there, or where its question is quoted."""
    if bare := bare_answer(items, index, manners):
        yield bare
        return
    item, going_on = items[index], _opening_joint(items, index, manners, uncut=uncut, english=english)
    lead = f"{item.speaker}: " if item.speaker else ""
    lead_length = size_of(lead)
    parts = sentences(item.text)
    jokes, back = jokes_in(parts), taking_back(tuple(parts))
    for number, sentence in enumerate(parts):
        behind = list(takewhile(back.__contains__, range(number + 1, len(parts))))
        if behind and number not in back:
            yield behind_taken_back([parts[at] for at in (number, *behind)], item, index, number)
        if behind or number in back:
            continue
        asks = is_asked(sentence) if item.speaker else is_question(sentence)
        if (asks and not _tells(sentence)) or asks_the_world(sentence) or greets(sentence):
            continue
        if only_answers(sentence) and not number:
            continue
        code = is_code(sentence)
        kept = sentence if code else trimmed(sentence, people)
        if kept != sentence and _calls_somebody(sentence, kept):
            continue
        opening = going_on.match(kept) if going_on and not code else None
        going_on = None
        whole_ = uncut or code or jokes[number] or is_entry(sentence) or (alone and opens_on_answer(sentence))
        cut = [("", kept)] if whole_ else clauses(kept)
        for place, (joint, part) in enumerate(cut):
            text = part if code else dated(part, item.day, whole=item.text)
            start = opening.end() if opening and not place else 0
            text, clause = (capital(each[start:]) if start else each for each in (text, part))
            yield Candidate(
                item=index, sentence=number, clause=place, text=text, joint=joint, lead=lead, sources=(index,),
                terms=content(clause), length=size_of(clause), lead_length=lead_length, code=code,
                caption=clause.startswith("[") and not code,
                dangling=english and bool(POINTS_BACK.match(clause) or TO_LISTENER.match(clause)),
            )  # fmt: skip


def _opening_joint(
    items: Sequence[Item], index: int, manners: Manners | None, *, uncut: bool, english: bool
) -> re.Pattern[str] | None:
    """What joins a message to another's before it, and is left out; an answer keeps it, since its question is known."""
    if uncut or question_before(items, index):
        return None
    return _GOES_ON.get("English" if english else manners.language if manners else "")


def _calls_somebody(sentence: str, kept: str) -> bool:
    """Whether what is left of a greeting is whom it calls: "Hi, AI companion."."""
    if re.search(r"\d", kept):
        return False
    return size_of(kept) == 1 or (size_of(kept) <= _CALLED and _GREETS.match(sentence) is not None and lacks_verb(kept))


def _tells(question: str) -> bool:
    """Whether the question says what is wanted: a request, or a proposal with its values."""
    return bool(_REQUEST.match(question) or (PROPOSAL.search(question) and values(question)))
