"""Questions and what may answer them: behind them, or as the opening of the next message. Pure.

"At home mostly" says nothing to whoever does not know what was asked: neither may go without the other. Questions to an
assistant or to the world tell nothing of whoever asks, and of nobody else.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import pairwise

from precis import patterns as re
from precis.checks.asides import hangs
from precis.checks.reactions import is_fragment, lacks_verb
from precis.language import chitchat, script, tables, words
from precis.language.sentences import is_question, sentences
from precis.language.unmarked import asks_unmarked
from precis.makers import Item
from precis.summary import Statement, arranged, speaker_of, unattributed

#: Words of a bare answer, which says what the question before it asked.
_BARE = 5
#: Who speaks later than this may speak of something else.
_ANSWERED = timedelta(hours=1)
#: So many sentences may stand behind the question: "What is the name? I'd put it in the book."
_BEHIND = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """What an item answers: sentences of the item before it, and its own that say nothing without them."""

    #: Places, in the item before, of the question and of what has to stand before it.
    asking: tuple[int, ...]
    #: Places, in the item itself, of its opening.
    answering: tuple[int, ...]
    #: Whether both have speakers, so that one statement can tell who asks and who answers.
    told_apart: bool


def asked_before(items: Sequence[Item], at: int) -> Asked | None:
    """What the item at this place answers; None where it can be read without the item before.

    It needs that where it is short, or has no verb, or points back, or where the question names what the answer does
    not. Who only greets or thanks answers nothing, and who asks "How are you?" asks nothing.
    """
    if not _follows(items, at):
        return None
    before, item = sentences(items[at - 1].text), sentences(items[at].text)
    last = next((place for place in reversed(range(len(before))) if is_question(before[place])), None)
    if last is None or chitchat.is_small_talk(before[last]) or all(map(chitchat.is_small_talk, item)):
        return None
    opening = 1 + next(place for place, text in enumerate(item) if not chitchat.is_small_talk(text))
    if not _needs(before[last:], item[opening - 1], items[at].text):
        return None
    first = last
    while first > 0 and (is_question(before[first - 1]) or hangs(before[first], items[at - 1].text)):
        first -= 1
    return Asked(
        asking=tuple(range(first, last + 1)),
        answering=tuple(range(opening)),
        told_apart=items[at - 1].speaker is not None and items[at].speaker is not None,
    )


def _follows(items: Sequence[Item], at: int) -> bool:
    """Whether the item at this place goes on from the one before, and not of its speaker, soon enough to answer it."""
    if at == 0 or at >= len(items):
        return False
    before, item = items[at - 1], items[at]
    if before.derived or item.derived or item.apart or (item.speaker is not None and before.speaker == item.speaker):
        return False
    if before.created_at is None or item.created_at is None:
        return True
    return item.created_at - before.created_at <= _ANSWERED


def _needs(asking: Sequence[str], answer: str, text: str) -> bool:
    """Whether an answer needs the question that opens ``asking``; ``text`` is the whole item of the answer."""
    if len(asking) > 1 + _BEHIND:
        return False
    leans = len(answer.split()) <= _BARE or hangs(answer, text)
    leans = leans or (not script.is_foreign(text) and lacks_verb(answer.split(",", maxsplit=1)[0]))
    return leans or (len(asking) == 1 and not chitchat.telling_in(asking[0]) <= words.content(text))


def is_answered(text: str, item: Item) -> bool:
    """Whether a few words behind a question may be its answer: "How much is the rent? 40 euros." tells of a rent."""
    parts = sentences(item.text)
    behind = next(iter(parts[parts.index(text) + 1 :]), text)
    return not is_question(behind) and (len(behind.split()) <= _BARE or is_fragment(behind))


def is_bare_answer(text: str, items: Sequence[Item], at: int) -> bool:
    """Whether a few words may be the answer to the question that another speaker ended with: they say what it asked."""
    return len(text.split()) <= _BARE and follows_question(text, items, at)


def follows_question(text: str, items: Sequence[Item], at: int) -> bool:
    """Whether a sentence opens the item at this place, and another speaker ended the one before with a question."""
    if at == 0:
        return False
    before, item = items[at - 1], items[at]
    if before.speaker == item.speaker or before.derived or item.derived:
        return False
    before_sentences = sentences(before.text)
    return bool(before_sentences) and is_question(before_sentences[-1]) and sentences(item.text)[:1] == [text]


def both_of_pairs(items: Sequence[Item], staying: Collection[str]) -> set[str]:
    """What stays, by id, with each question whose answer stays, and each answer whose question does."""
    stays = [not set(item.source_ids).isdisjoint(staying) for item in items]
    pairs = [at for at in range(len(items)) if (asked := asked_before(items, at)) and asked.told_apart]
    for at in (*pairs, *reversed(pairs)):
        stays[at - 1] = stays[at] = stays[at - 1] or stays[at]
    return {*staying, *(id_ for item, stay in zip(items, stays, strict=True) if stay for id_ in item.source_ids)}


def without(items: Sequence[Item], staying: Collection[str]) -> list[Item]:
    """The items that do not stay; one behind such an item answers nothing of what stands before it now."""
    stays = [not set(item.source_ids).isdisjoint(staying) for item in items]
    return [
        replace(item, apart=True) if at > 0 and stays[at - 1] else item
        for at, item in enumerate(items)
        if not stays[at]
    ]


# What came of a request, an answer or a decision: apart from it, the request would read as open.
_ANSWER = re.compile(rf"\W*(?:{tables.in_every_language('outcomes.answers')})\W*", re.IGNORECASE)
_REQUEST = re.compile(rf"\b(?:{tables.in_every_language('outcomes.requests')})", re.IGNORECASE)
_YES_OR_NO = re.compile(
    rf"\W*(?:{tables.choices('statements.yes_or_no')})\b"
    r"(?:[,.!;\u2026\u2013\u3001\u3002\uff0c\uff01\u060c-]\s*|\s*$)",
    re.IGNORECASE,
)
#: What came of a request is told in at most so many words.
_BRIEF = 8


@words.kept_where_short
def is_answer(text: str) -> bool:
    """Whether a clause or sentence says no more than what somebody answered or decided: "They said yes."."""
    return _ANSWER.fullmatch(text) is not None


def completes(before: str, text: str) -> bool:
    """Whether a clause says what came of what is told before it: an answer, or a few words behind a request."""
    return is_answer(text) or (len(text.split()) <= _BRIEF and _REQUEST.search(before) is not None)


def opens_on_answer(text: str) -> bool:
    """Whether a text opens on a yes or no: that answers somebody else, and nothing that its speaker said before."""
    return _YES_OR_NO.match(text) is not None


def with_its_answer(text: str, message: str) -> str:
    """A text that a message goes on with behind a yes or no, with that: "Yes, in May."; any other one as it is."""
    answer = _YES_OR_NO.match(message)
    behind = message[answer.end() :] if answer else ""
    if answer is None or _YES_OR_NO.match(text) or behind[:1].casefold() != text[:1].casefold():
        return text
    return f"{message[: answer.end()].strip()} {behind[:1]}{text[1:]}"


def only_answers(sentence: str) -> bool:
    """Whether it is a yes or no and nothing else: "Nah."."""
    return _YES_OR_NO.fullmatch(sentence.strip()) is not None


_YES_OR_NO_IN = tables.whole_words("statements.yes_or_no")
#: A yes or no with at most so many words is an answer; of a longer sentence it stands among the first three.
_FEW_WORDS, _AMONG = 4, 3


def answers_anew(before: str, sentence: str) -> bool:
    """Whether a sentence answers where the one before it stands already, and may turn that: "Doch.", "Wait, no."."""
    if is_question(before) or is_question(sentence):
        return False
    spoken = sentence.split()
    answer = _YES_OR_NO_IN.search(" ".join(spoken[:_AMONG]))
    if answer is None and len(spoken) <= _FEW_WORDS:
        answer = _YES_OR_NO_IN.search(sentence)
    if answer is None:
        return False
    if len(spoken) <= _FEW_WORDS and not any(map(str.isdigit, sentence)):
        return True
    other = _YES_OR_NO_IN.search(" ".join(before.split()[:_AMONG]))
    return other is not None and other.group().casefold() != answer.group().casefold()


_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
#: A figure, a list or a clause of its own may tell something.
_EXACT = re.compile(r"[\d:;]|,(?=.*,)")
#: A question of more words tells something beside what it asks.
_LONGEST = 14


@dataclass(frozen=True, kw_only=True, slots=True)
class _Tongue:
    opens: re.Pattern[str]
    wants: re.Pattern[str] | None
    tells: re.Pattern[str]
    before: re.Pattern[str]
    presumes: re.Pattern[str]

    def fits(self, question: str) -> bool:
        """Whether it opens as a question of this language."""
        return any(pattern is not None and pattern.match(question) for pattern in (self.opens, self.wants))

    def _wanted(self, question: str) -> str:
        """What is to be told: the question without "can you tell me"."""
        wants = self.wants.match(question) if self.wants else None
        return question[wants.end() :].strip() if wants else question

    def tells_in(self, question: str) -> bool:
        """Whether something in it tells of whoever asks, or of somebody."""
        rest = self._wanted(question)
        return not rest or self.tells.search(rest) is not None

    def names_somebody(self, question: str) -> bool:
        """Whether a capital stands in it that opens no sentence and no name of a place or thing."""
        rest = self._wanted(question)
        opens = rest == question
        before, is_place = "", False
        for at, word in enumerate(_WORD.findall(rest)):
            if word[:1].isupper() and not (opens and at == 0):
                is_place = is_place if before[:1].isupper() and at > 1 else self.before.fullmatch(before) is not None
                if not is_place or self.presumes.match(rest):
                    return True
            before = word
        return False


def _tongue(name: str) -> _Tongue:
    wants = tables.choices(f"asking.wants.{name}") if name in tables.section("asking.wants") else None
    return _Tongue(
        opens=re.compile(rf"(?:{tables.choices(f'asking.opens.{name}')})(?!\w)", re.IGNORECASE),
        wants=re.compile(rf"(?:{wants})(?!\w)", re.IGNORECASE) if wants else None,
        tells=re.compile(tables.whole(tables.choices(f"asking.tells.{name}")), re.IGNORECASE),
        before=re.compile(rf"(?:{tables.choices(f'asking.before.{name}')})", re.IGNORECASE),
        presumes=re.compile(rf"(?:{tables.choices(f'asking.presumes.{name}')})(?!\w)", re.IGNORECASE),
    )


_TONGUES = tuple(map(_tongue, tables.section("asking.opens")))


def is_asked(sentence: str) -> bool:
    """Whether a sentence of a talk asks, with a mark or without one."""
    return is_question(sentence) or asks_unmarked(sentence)


def asks_the_world(sentence: str) -> bool:
    """Whether it asks what anybody could ask: no first person, nothing of somebody's, nobody by name."""
    if not is_question(sentence) or _EXACT.search(sentence) or len(sentence.split()) > _LONGEST:
        return False
    question = sentence.strip().strip("\u00bf? ")
    fitting = [tongue for tongue in _TONGUES if tongue.fits(question)]
    if any(tongue.tells_in(question) for tongue in fitting):
        return False
    return any(not tongue.names_somebody(question) for tongue in fitting)


def questions_last(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """Statements that only ask stand behind all others, in their order; one before what another answers stays there."""
    asking = [all(map(is_question, sentences(unattributed(statement.text)))) for statement in statements]
    speakers = [speaker_of(statement.text) for statement in statements]
    for at, (speaker, follows) in enumerate(pairwise(speakers)):
        if speaker and follows and speaker != follows and not asking[at + 1]:
            asking[at] = False
    return arranged(statements, sorted(range(len(statements)), key=asking.__getitem__))
