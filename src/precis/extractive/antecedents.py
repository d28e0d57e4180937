"""What a sentence that points back needs: the question it answers, or what was said last before it."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import timedelta

from precis import patterns as re
from precis.checks import reactions
from precis.checks.answering import is_asked, opens_on_answer
from precis.checks.asides import Manners, is_curt
from precis.checks.reactions import is_aside, is_fragment, is_reaction, states_more
from precis.checks.trifles import is_trifle
from precis.extractive.candidate import Candidate, size_of
from precis.extractive.rendering import closed
from precis.extractive.trim import clauses, trimmed
from precis.language import tables
from precis.language.chitchat import greets, hollow, telling_in, uncalled
from precis.language.dating.resolving import dated
from precis.language.grammar import AMBIGUOUS_FORMS, BE, FORMS, PEOPLE
from precis.language.newest.slots import changes, turns
from precis.language.script import is_foreign
from precis.language.sentences import is_question, sentences
from precis.language.words import STOP_WORDS, content, names, normal, stem, words
from precis.makers import Item

#: Openings that point back at something said before.
POINTS_BACK = re.compile(
    r"(?:(?:no|nope|nah|yes|yeah|yep|oh|well|plus|or|still|maybe|honestly|luckily)\b[\s,.!\u2026]+)*"
    + reactions.POINTS_BACK.pattern,
    re.IGNORECASE,
)
_AFFIRMS = re.compile(rf"(?:{tables.choices('statements.answers')})\b", re.IGNORECASE)
#: How many words a bare answer has at most.
BARE = 5
#: Who answers later than this may speak of something else.
_ANSWERED = timedelta(hours=1)
#: Who goes on within this time speaks of the same.
_WENT_ON = timedelta(minutes=5)
#: So short a sentence does not say itself what is otherwise: "It starts at seven now."; without spaces, so many signs.
CURT, CURT_SIGNS = 8, 16
_TWO = 2
OF_A_PERSON = re.compile(r"(?:(?:and|but|so|because|also|then|well|oh|yes|yeah)\b\W*)*s?he\b", re.IGNORECASE)
#: A longer sentence is not quoted for the sake of the next.
_LONGEST = 25


#: Somebody who opens a sentence, and what he does: "Hamish says", "Fiona is".
_NAME_AND_VERB = re.compile(r"(?P<name>[A-Z][^\W\d_]+)(?:['\u2019]s)? (?P<verb>[^\W\d_]+)")
#: What somebody has, behind a name; of nothing that was named before.
_HAS = re.compile(
    r"(?P<name>[A-Z][^\W\d_]+) (?:has|had|got|caught|broke|lost|won) (?!(?:it|that|this|them|to|been|a point)\b)[a-z]"
)
#: Somebody who was named before.
_STRANGER = re.compile(r"(?:(?:and|but|so|then|also|luckily|now)\W+)?(?:s?he|his|her)\b(?! or\b)", re.IGNORECASE)
_PEOPLE, _NO_NAMES = frozenset(map(stem, PEOPLE)), STOP_WORDS | PEOPLE
_WHOSE = re.compile(r"\b(?:my|our|his|her)\b", re.IGNORECASE)
_AIDS = BE | frozenset(tables.words("tenses.telling") + tables.words("tenses.past_aids") + tables.words("tenses.have"))
#: What may or must be something, and it is not said what.
_MAY_BE = re.compile(r"(?:might|may|must|could|would|should|will|can['\u2019]t) (?:be|have been)\b", re.IGNORECASE)
_BEHIND_NOUNS = BE | frozenset("for of and or".split())


def bare_answer(items: Sequence[Item], index: int, manners: Manners | None) -> Candidate | None:
    """The item as an answer with its question, if it is no more than a yes, a no or a few words to a question."""
    item = items[index]
    question = question_before(items, index)
    answer = item.text.strip()
    affirms = manners.answers if manners else _AFFIRMS
    if not question or item.derived or size_of(answer) > BARE or not affirms.match(answer) or is_question(answer):
        return None
    lead = f"{items[index - 1].speaker}: {question} {item.speaker}: "
    return Candidate(
        item=index,
        sentence=0,
        clause=0,
        text=dated(answer, item.day),
        joint="",
        lead=lead,
        sources=(index - 1, index),
        terms=content(f"{question} {answer}"),
        length=size_of(answer),
        lead_length=size_of(lead),
    )


def question_before(items: Sequence[Item], index: int) -> str:
    """The question with which another speaker ended the item just before; empty where there is none, or it greets."""
    last = _last_before(items, index)
    return last if is_asked(last) and not greets(last) else ""


def own_question(item: Item, sentence: int, clause: int) -> str:
    """The question right before this sentence of the item, if it names what it asks about."""
    if sentence == 0 or clause > 0:
        return ""
    before = sentences(item.text)[sentence - 1]
    return before if is_question(before) and _names_something(before) else ""


def antecedent(items: Sequence[Item], index: int, text: str) -> str | None:
    """What another speaker said last before this item, if it can be read alone and names what may be pointed at.

    Where more than two speak, or somebody is pointed at, only a question is: that may be anybody's, or be anybody.
    """
    last = _last_before(items, index)
    if not last or len(last.split()) > _LONGEST or not _names_something(last):
        return None
    if is_asked(last):
        return last
    in_group = len({item.speaker for item in items if item.speaker}) > _TWO or OF_A_PERSON.match(text)
    return None if in_group or POINTS_BACK.match(last) or is_fragment(last) else last


def own_message_before(candidate: Candidate, items: Sequence[Item], manners: Manners | None, *, leans: bool) -> str:
    """What the speaker said last in a message minutes before, where the candidate opens the next one and needs it.

    It does where it points back, or tells in a few words that something is otherwise: "It starts at seven now.". What
    is quoted can be read alone and names something; empty where nothing is.
    """
    if candidate.derived or candidate.sentence or candidate.clause or len(candidate.sources) > 1:
        return ""
    # "Dafür bin ich jetzt Teamleiter, 3.700 brutto" tells of whoever speaks, with a figure.
    tells = manners and re.search(r"\d", candidate.text) and manners.me.search(normal(candidate.text))
    if tells or opens_on_answer(items[candidate.item].text):
        return ""
    leans = leans or (manners is not None and manners.points_back(candidate.text)) or _is_curt_change(candidate.text)
    if not leans or candidate.item == 0 or not _goes_on(items[candidate.item - 1], items[candidate.item]):
        return ""
    last = next(iter(reversed(sentences(items[candidate.item - 1].text))), "")
    hangs = POINTS_BACK.match(last) is not None or is_fragment(last)
    hangs = manners.points_back(last) or is_curt(last) if manners else hangs
    hangs = hangs or is_asked(last) or is_reaction(last) or hollow(last)
    return "" if hangs or not _can_be_quoted(last) else last


def own_words_before(candidate: Candidate, item: Item, people: Collection[str]) -> str:
    """What the item itself says right before a clause that points back, where that names somebody; else empty.

    Who "they want him back" is stands in "Hamish says hi." before it, though that tells nothing by itself.
    """
    parts = sentences(item.text)
    sentence = trimmed(parts[candidate.sentence], people)
    cut = clauses(sentence)[: candidate.clause]
    opening = "".join(joint + clause for joint, clause in cut)
    if names_somebody(opening, people) and not POINTS_BACK.match(opening):
        return opening
    before = parts[candidate.sentence - 1] if candidate.sentence else ""
    if is_question(before) or greets(before) or not names_somebody(before, people):
        return ""
    return f"{trimmed(before, people)} {opening}".strip()


def own_sentence_before(candidate: Candidate, item: Item, people: Collection[str]) -> str:
    """What the item itself says right before a clause that cannot be read alone; empty where that tells nothing.

    Who "it's 380" hears of another thing than of that would be told something false.
    """
    parts = sentences(item.text)
    if candidate.clause:
        cut = clauses(trimmed(parts[candidate.sentence], people))[: candidate.clause]
        before = "".join(joint + clause for joint, clause in cut)
        return before if _names_something(before) and not (is_reaction(before) or hollow(before)) else ""
    before = parts[candidate.sentence - 1] if candidate.sentence else ""
    if not _can_be_quoted(before) or is_question(before) or greets(before):
        return ""
    if not states_more(candidate.text) and (is_reaction(before) or hollow(before)):
        return ""
    return closed(dated(trimmed(before, people), item.day, whole=item.text))


def without_strangers(options: Sequence[Candidate], items: Sequence[Item], people: Collection[str]) -> list[Candidate]:
    """The candidates of what was picked out of talks; what "he" or "she" opens who was named elsewhere goes last.

    Where others are named, it would be read of one of them.
    """
    names_them = [names_somebody(option.text, people) for option in options]

    def is_strangers(at: int) -> bool:
        option = options[at]
        if not items[option.item].speaker or option.quoted or not _STRANGER.match(option.text):
            return False
        back = option.points_to
        while back is not None:
            if names_them[back] or options[back].quoted:
                return False
            back = options[back].points_to
        return any(names and options[other].item != option.item for other, names in enumerate(names_them))

    return [replace(option, aside=True) if is_strangers(at) else option for at, option in enumerate(options)]


def names_somebody(sentence: str, people: Collection[str]) -> bool:
    """Whether it speaks of somebody who does not talk here, by name or as "my aunt", and may be quoted."""
    if len(sentence.split()) > _LONGEST or is_aside(sentence):
        return False
    opening = _NAME_AND_VERB.match(sentence)
    named = set(names(uncalled(sentence))) | ({opening["name"]} if opening and _does(opening) else set())
    owned = _WHOSE.search(sentence) is not None and not _PEOPLE.isdisjoint(map(stem, words(sentence)))
    return bool(named - set(people)) or owned


def _does(opening: re.Match[str]) -> bool:
    """Whether a word with a capital is followed by what somebody does: "Hamish says"."""
    verb = opening["verb"]
    form = FORMS.get(verb) or AMBIGUOUS_FORMS.get(verb)
    does = verb in _AIDS or (form is not None and not form.kinds.isdisjoint({"third", "past"}))
    return does and opening["name"].lower() not in STOP_WORDS


def says_what_somebody_did(sentence: str) -> bool:
    """Whether it opens on somebody by name, or on a thing, and what they do or did: "Toby moved."."""
    opening = _NAME_AND_VERB.match(sentence)
    return opening is not None and _does(opening)


def says_what_somebody_has(sentence: str) -> bool:
    """Whether it says that somebody by name has something: "Pim has chickenpox."."""
    opening = _HAS.match(sentence)
    return opening is not None and opening["name"].lower() not in _NO_NAMES


def lacks_subject(sentence: str) -> bool:
    """Whether it opens on what somebody or something does that stands in the sentence before: "Pretends to sleep"."""
    if _MAY_BE.match(sentence):
        return True
    opening, *behind = list(words(sentence))[:2] or [""]
    form = FORMS.get(opening)
    if (opening != "has" and (form is None or form.kinds != {"third"})) or not behind:
        return False
    # "Plans for May", "Costs are up": these are nouns.
    return behind[0] not in _BEHIND_NOUNS and (behind[0] not in FORMS or FORMS[behind[0]].kinds == {"ing"})


def _is_curt_change(sentence: str) -> bool:
    if len(sentence.split()) > CURT or size_of(sentence) > CURT_SIGNS:
        return False
    return turns(sentence) if is_foreign(sentence) else changes(sentence)


def _goes_on(before: Item, item: Item) -> bool:
    """Whether the same speaker said this right before, in a talk: the note before may be of anything."""
    is_by_itself = before.derived or item.derived or item.apart or item.alone
    if is_by_itself or not before.speaker or before.speaker != item.speaker:
        return False
    if before.created_at is None or item.created_at is None:
        return False
    return item.created_at - before.created_at <= _WENT_ON


def _can_be_quoted(sentence: str) -> bool:
    return "[" not in sentence and len(sentence.split()) <= _LONGEST and _names_something(sentence)


def _last_before(items: Sequence[Item], index: int) -> str:
    if index == 0 or not answers(items[index - 1], items[index]):
        return ""
    parts = [part for part in sentences(items[index - 1].text) if "[" not in part]
    if parts and is_asked(parts[-1]):
        return parts[-1]
    return next((part for part in reversed(parts) if not (hollow(part) or is_reaction(part) or is_trifle(part))), "")


def _names_something(sentence: str) -> bool:
    return bool(telling_in(sentence))


def answers(before: Item, item: Item) -> bool:
    """Whether somebody else spoke just before."""
    if before.derived or item.derived or item.apart or before.speaker == item.speaker:
        return False
    if not before.speaker or not item.speaker:
        return False
    if before.created_at is None or item.created_at is None:
        return before.created_at is item.created_at
    return item.created_at - before.created_at <= _ANSWERED
