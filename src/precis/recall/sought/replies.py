"""Turns that answer what was asked a moment ago: "Which one?" "Left. The bad one." Pure.

Such a turn has hardly a word of "Which knee did he hurt?"; the question before it asks the same. So it is found by that
question, and stands before it. Where the question leaves out of what it asks, a turn before it tells that: "I fell off
the ladder, my knee is huge."
"""

from collections.abc import Iterator, Mapping, Sequence

from precis import patterns as re
from precis.language import tables
from precis.language.grammar import SECOND, THEIR, THIRD, is_past
from precis.language.script import is_common_in, languages_of
from precis.language.words import STOP_WORDS, kept, kept_where_short, stem, words
from precis.recall.persons import ASSISTANTS
from precis.recall.question import Pool, Question
from precis.recall.ranking import Score
from precis.recall.telling import ASKS, Told, Wanted, number_in, with_more

#: Turns of which what follows is read, best first; and so many turns may follow until somebody asks, and answers.
READ, _UNTIL, _ANSWERED = 4, 6, 2
#: So many words that the question has not may stand in the one that was put then, as one of the next turns; and so many
#: words at all in one without a mark.
_OTHERS, _NEXT, _LONGEST = 1, 3, 12
#: By how much an answer is before what it is found by.
_BEFORE = 0.001
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
#: Words of a talk that say of nothing what it is.
_SMALL = STOP_WORDS.union(tables.words("questions.fillers"), ("one", "ones", "now", "again", "lol", "anyway"))
#: What takes up what was spoken of.
_TAKING_UP = SECOND | THIRD | THEIR | {"one"}
#: A question put with these leaves too much open to be the same for nothing but the word.
_OPEN, _NUMBERS = "what", frozenset({"age", "number", "lasting"})


_KINDS = {
    kind: re.compile(
        f"{tables.whole(tables.choices(f'replies.asks.{kind}'))}|{tables.choices(f'replies.unspaced.{kind}')}",
        re.IGNORECASE,
    )
    for kind in tables.section("replies.asks")
}
_EITHER = re.compile(tables.choices("replies.either.all"), re.IGNORECASE)


def following(pool: Pool, ids: Sequence[str]) -> list[str]:
    """The turns behind the first of these rows that may ask and answer what the row tells only in part."""
    behind: list[str] = []
    for id_ in ids[:READ]:
        behind += list(_after(pool, id_, _UNTIL + _ANSWERED))
    return list(dict.fromkeys(behind))


def replies_first(question: Question, pool: Pool, told: Mapping[str, Told], scores: Sequence[Score]) -> list[Score]:
    """The rows in order, answers before what they are found by.

    ``told`` are the first rows and the turns that follow them.
    """
    kind = kind_of(question.text)
    rows = [score for score in scores if score.id in pool.rows]
    if kind is None or not rows:
        return list(scores)
    totals = {score.id: score.total for score in scores}
    known = range(min(len(question.terms), len(pool.holding)))
    holds = {score.id: frozenset(at for at in known if pool.rows[score.id].frequencies[at]) for score in rows}
    looked_for = frozenset(at for at in known if question.terms[at] not in question.own | question.light)
    about = frozenset(at for at in looked_for if question.terms[at] not in question.named)
    lifts: dict[str, float] = {}
    for score in rows[:READ]:
        if pool.rows[score.id].session is None or score.id not in told or not holds[score.id]:
            continue
        asking: str | None = score.id
        if not _asks(told[score.id].text, kind):
            asking = _asked_then(question, pool, told, score.id, kind) if kind != _OPEN else None
        elif about.isdisjoint(holds[score.id]):
            continue
        answer = _answer(pool, told, asking) if asking is not None else None
        if asking is None or answer is None or answer in lifts:
            continue
        # What of the same talk is before it for nothing else of what is asked is no answer to it; a note may be.
        found_by = (holds[score.id] | holds.get(asking, frozenset())) & looked_for
        talk = pool.rows[score.id].session
        before = [
            row.total for row in rows if pool.rows[row.id].session == talk and holds[row.id] & looked_for <= found_by
        ]
        target = max([score.total, *before]) if found_by else score.total
        lifts[answer] = max(0.0, target + _BEFORE - totals.get(answer, 0.0))
    added = [*scores, *(Score(id=id_) for id_ in lifts if id_ not in totals)]
    return with_more(added, "telling", {id_: more for id_, more in lifts.items() if more})


def agents_first(question: Question, pool: Pool, told: Mapping[str, Told], scores: Sequence[Score]) -> list[Score]:
    """The rows in order; what an agent said, where that is asked for, before what the user wrote to which it replied.

    "Which package manager, by the way?" has the words of "What package manager did you recommend?", and the turn behind
    it recommends one. So does what an agent said with all words of the question that a turn of the user before it has.
    """
    if not asks_of_agent(question.text):
        return list(scores)
    totals = {score.id: score.total for score in scores}
    lifts: dict[str, float] = {}
    for score in [score for score in scores if score.id in pool.rows][:READ]:
        reply = pool.after.get(score.id, "")
        if not {score.id, reply} <= told.keys() or _is_agents(told[score.id]) or not _is_agents(told[reply]):
            continue
        if any(part.endswith(ASKS) for part in _SENTENCE.split(told[score.id].text.strip())):
            lifts[reply] = max(0.0, score.total + _BEFORE - totals.get(reply, 0.0))
    known = range(min(len(question.terms), len(pool.holding)))
    holds = {id_: frozenset(at for at in known if row.frequencies[at]) for id_, row in pool.rows.items() if id_ in told}
    users = [score for score in scores if score.id in holds and not _is_agents(told[score.id])][:1]
    for score in [score for score in scores if score.id in holds and _is_agents(told[score.id])][:READ]:
        for user in users:
            if holds[user.id] and holds[user.id] <= holds[score.id] and user.total > score.total:
                lifts.setdefault(score.id, user.total + _BEFORE - score.total)
    added = [*scores, *(Score(id=id_) for id_ in lifts if id_ not in totals)]
    return with_more(added, "telling", {id_: more for id_, more in lifts.items() if more})


@kept
def asks_of_agent(query: str) -> bool:
    """Whether it is asked, in English, what an agent said or did: "did you suggest", "the rates you gave me"."""
    spoken = ("", *words(query), "")
    return any(
        word == "you" and (before == "did" or is_past(behind) or (behind.endswith("ed") and not behind.endswith("eed")))
        for before, word, behind in zip(spoken, spoken[1:], spoken[2:], strict=False)
    )


def _is_agents(row: Told) -> bool:
    return (row.speaker or "").casefold() in ASSISTANTS


@kept_where_short
def kind_of(text: str) -> str | None:
    """What a question asks for, by the word that it is put with; None for any other text."""
    if _EITHER.search(text.strip()):
        return "which"
    return next((kind for kind, asks in _KINDS.items() if asks.search(text)), None)


def _last(text: str) -> str:
    return _SENTENCE.split(text.strip())[-1]


def _asks(text: str, kind: str) -> bool:
    """Whether a turn asks for this; in a chat also without a mark, where it opens with the word."""
    last = _last(text)
    is_asking = last.endswith(ASKS) or (
        len(last.split()) <= _LONGEST and any(asks.match(last) for asks in _KINDS.values())
    )
    return is_asking and kind_of(last) == kind


def _asked_then(question: Question, pool: Pool, told: Mapping[str, Told], id_: str, kind: str) -> str | None:
    """The turn behind this one that asks the same, and nothing else."""
    languages, _ = languages_of(question.text)
    if _tells_already(question, told[id_], kind):
        return None
    for behind, other in enumerate(_after(pool, id_, _UNTIL)):
        if other not in told:
            return None
        if _asks(told[other].text, kind):
            if _EITHER.search(_last(told[other].text)):
                return other if behind < _NEXT else None
            rest = [
                word
                for word in words(_KINDS[kind].sub(" ", _last(told[other].text)))
                if word not in _SMALL and not any(is_common_in(word, name) for name in languages)
            ]
            others = [word for word in rest if question.forms.get(stem(word), stem(word)) not in question.terms]
            takes_up = bool(languages) or not _TAKING_UP.isdisjoint(words(told[other].text))
            return other if len(others) <= (_OTHERS if behind < _NEXT and takes_up else 0) else None
    return None


def _tells_already(question: Question, row: Told, kind: str) -> bool:
    """Whether a turn has a number or a day where the question asks for one."""
    if kind == "when":
        return Wanted(question.text).has_day(row)
    return kind in _NUMBERS and number_in(row.text, languages_of(question.text)[0])


def _answer(pool: Pool, told: Mapping[str, Told], asking: str) -> str | None:
    """The turn of somebody else that answers it."""
    for other in _after(pool, asking, _ANSWERED):
        if other not in told:
            return None
        row = told[other]
        if row.speaker != told[asking].speaker and not row.text.rstrip().endswith(ASKS):
            return other
    return None


def _after(pool: Pool, id_: str, many: int) -> Iterator[str]:
    """The turns behind one, as far as they are candidates."""
    for _ in range(many):
        if (id_ := pool.after.get(id_, "")) not in pool.rows:
            return
        yield id_
