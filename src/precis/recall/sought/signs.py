"""Signs that a row tells something else than is asked, though it has its words. Pure."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from precis.recall.question import Pool, Question
from precis.recall.sought.evidence import LEAST, WEIGHTS
from precis.recall.sought.kinds import sought_in
from precis.recall.sought.owning import owning_in
from precis.recall.sought.things import thing_in
from precis.recall.telling import ASKS

#: That a row does not have the word for what is asked of speaks so much against it: it may be told in other words.
_UNTIED = 0.25
#: So many turns from one on, with the one before it, tell something together.
_EXCHANGED = 3


def of_none_asked(question: Question, pool: Pool, texts: Mapping[str, str], empty: Collection[str]) -> set[str]:
    """The ids of the rows that tell what somebody else has than who asks, and of what is said beside these.

    Of ``empty`` rows, which hold nothing of the question, only what is said beside them may be meant.
    """
    owning = owning_in(question.text, question.own)
    of_none = {id_ for id_, text in texts.items() if owning.is_of_none_asked(text)}
    beside = {id_ for id_ in empty for links in (pool.before, pool.after) if links.get(id_, "") in of_none}
    return of_none | beside


def telling_else(
    question: Question, notes: Mapping[str, str], odds: Mapping[str, float], *, first: int, to_agent: Collection[str],
    theirs: Collection[str] = (),
) -> dict[str, dict[str, float]]:  # fmt: skip
    """By id the figures of the signs that these notes, of which ``odds`` are known, tell something else.

    None has less than LEAST for them, so that none is left out: what a rule takes for something else may answer in
    words that it does not know. The ``first`` of the notes are looked at for whether they name whom the question names.
    ``to_agent`` are the ids of turns of a talk with an agent, ``theirs`` of what those say whom the question names.
    """
    over = [id_ for id_ in notes if odds[id_] > LEAST]
    if not over:
        return {}
    sought, thing = sought_in(question.text), thing_in(question.text, question.own)
    owning = owning_in(question.text, question.own)
    beside = dict(list(notes.items())[:first])

    def is_of_another(id_: str) -> bool:
        if id_ in theirs:
            return thing.has_another(notes[id_])
        texts = beside if id_ in beside else beside | {id_: notes[id_]}
        return thing.has_another(notes[id_]) or thing.is_of_another(id_, texts, to_agent=id_ in to_agent)

    signs: tuple[tuple[str, float, Callable[[str], bool]], ...] = (
        ("lacking", 1.0, lambda id_: sought.is_lacking(notes[id_]) or owning.is_by_the_way(notes[id_])),
        ("only_act", 1.0, lambda id_: thing.is_only_done(notes[id_])),
        ("other", 1.0, is_of_another),
        ("lacking", _UNTIED, lambda id_: owning.is_untied(notes[id_])),
    )
    figures: dict[str, dict[str, float]] = {}
    for id_ in over:
        room = odds[id_] - LEAST
        for name, share, has_it in signs:
            if room > 0 and name not in figures.get(id_, {}) and has_it(id_):
                weight = getattr(WEIGHTS, name)
                figures.setdefault(id_, {})[name] = min(share, room / -weight)
                room += figures[id_][name] * weight
    return figures


def exchanges(question: Question, pool: Pool, ids: Iterable[str]) -> dict[str, list[str]]:
    """Of each of these rows that is a turn of a session, the ids of the turns with which it tells what it tells.

    "For how much?" is told by the turn behind it, and so is what a turn before that leaves out. None where it is known
    of no answer what kind it is.
    """
    if sought_in(question.text).kind is None:
        return {}
    turns = [id_ for id_ in ids if id_ in pool.rows and pool.rows[id_].session is not None]
    return {id_: list(filter(None, _exchange(pool, id_))) for id_ in turns}


def _exchange(pool: Pool, id_: str) -> Iterator[str]:
    yield pool.before.get(id_, "")
    for _ in range(_EXCHANGED):
        yield id_
        id_ = pool.after.get(id_, "")


def lacking_together(
    question: Question, turns: Mapping[str, list[str]], texts: Mapping[str, str], odds: Mapping[str, float]
) -> dict[str, dict[str, float]]:
    """By id the figure of the sign that these turns, with those around them, have no answer of the kind asked for.

    Who answers leaves out what was asked: so what the turns around it tell counts, unless they ask. The last of them
    counts where it may answer one that asks. ``texts`` of the turns are all that were read: of one with another around
    it, nothing is known.
    """
    sought = sought_in(question.text)
    figures: dict[str, dict[str, float]] = {}
    for id_, around in turns.items():
        if odds[id_] <= LEAST or not all(map(texts.__contains__, around)):
            continue
        spoken = [texts[other] for other in around]
        at = around.index(id_)
        if not any(map(_asks, spoken[at : at + 2])):
            spoken = spoken[: at + 2]
        if all(map(sought.is_lacking, [texts[id_], *(text for text in spoken if not _asks(text))])):
            figures[id_] = {"lacking": min(1.0, (odds[id_] - LEAST) / -WEIGHTS.lacking)}
    return figures


def _asks(text: str) -> bool:
    return text.rstrip().endswith(ASKS)
