"""Turns that ask what is asked now: they hold every word of the question and answer nothing of it. Pure.

Whoever keeps the messages of a chat keeps the questions of it. Asked again, such a turn would be the best row for its
own words, and lift the turns around it; notes that answer would stand behind all of them. Where people talk to each
other the answer follows such a question, and it stays.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from precis.language import tables
from precis.language.chitchat import KIND
from precis.language.sentences import is_question, sentences
from precis.language.words import content, words
from precis.recall.question import Pool, Question
from precis.recall.ranking import Score
from precis.recall.wishes import is_mark

#: How many terms more than the question a turn has that asks it.
_MORE = 8
#: By how much such a turn stands behind.
_BEHIND = 0.001
#: So many words that tell something may stand beside the question in the turn.
_BESIDE = 3
_OPENS = frozenset(tables.words("questions.opens"))


def may_echo(question: Question, pool: Pool) -> frozenset[str]:
    """Ids of the turns that may ask this question again, as far as their counts of its words tell."""
    # What a task is to keep to is looked for by a mark, which the task itself has not.
    known = [
        at for at, (term, holding) in enumerate(zip(question.terms, pool.holding, strict=False))
        if holding > 0 and not is_mark(term)
    ]  # fmt: skip
    longest = len(question.terms) + _MORE
    return frozenset(
        row.id
        for row in pool.rows.values()
        if row.session is not None and known and row.length <= longest and all(row.frequencies[at] for at in known)
    )


def asks_again(query: str, text: str, *, is_request: bool = True) -> bool:
    """Whether a turn is this question, perhaps with a greeting or thanks beside it; or this request, word for word.

    Of what is no request but told (``is_request`` is false) only a question is asked again: who looks for a sentence
    looks for when it was said.
    """
    parts = [part for part in sentences(text) if content(part) - KIND]
    request = tuple(words(query))
    asking = [
        part for part in parts
        if is_question(part) or next(words(part), "") in _OPENS or (is_request and tuple(words(part)) == request)
    ]  # fmt: skip
    asked, spoken = content(query), content(" ".join(asking))
    if not asking or not asked:
        return False
    others = content(" ".join(part for part in parts if part not in asking)) - KIND
    return asked <= spoken and len((spoken | others) - asked - KIND) <= _BESIDE


def without(pool: Pool, echoes: Collection[str]) -> Pool:
    """The pool as if these had not been said."""
    if not echoes:
        return pool

    def kept(links: Mapping[str, str]) -> dict[str, str]:
        return {id_: other for id_, other in links.items() if id_ not in echoes and other not in echoes}

    rows = {id_: row for id_, row in pool.rows.items() if id_ not in echoes}
    return replace(pool, rows=rows, before=kept(pool.before), after=kept(pool.after))


def behind(scores: Sequence[Score], again: Sequence[Score]) -> list[Score]:
    """The scores, and behind the last of them those of turns that ask the same."""
    last = min((score.total for score in scores), default=None)
    if last is None:
        return list(again)
    lowered = [
        score._replace(telling=score.telling + min(0.0, last - score.total - _BEHIND * place))
        for place, score in enumerate(again, start=1)
    ]
    return [*scores, *sorted(lowered, key=lambda score: -score.total)]
