"""Signs that a row tells something else than is asked, though it has its words. Pure."""

from collections.abc import Callable, Collection, Mapping

from precis.recall.question import Pool, Question
from precis.recall.sought.evidence import LEAST, WEIGHTS
from precis.recall.sought.kinds import sought_in
from precis.recall.sought.owning import owning_in
from precis.recall.sought.things import thing_in

#: That a row does not have the word for what is asked of speaks so much against it: it may be told in other words.
_UNTIED = 0.25


def of_none_asked(question: Question, pool: Pool, texts: Mapping[str, str], empty: Collection[str]) -> set[str]:
    """The ids of the rows that tell what somebody else has than who asks, and of what is said beside these.

    Of ``empty`` rows, which hold nothing of the question, only what is said beside them may be meant.
    """
    owning = owning_in(question.text, question.own)
    of_none = {id_ for id_, text in texts.items() if owning.is_of_none_asked(text)}
    beside = {id_ for id_ in empty for links in (pool.before, pool.after) if links.get(id_, "") in of_none}
    return of_none | beside


def telling_else(
    question: Question, notes: Mapping[str, str], odds: Mapping[str, float], *, first: int, to_agent: Collection[str]
) -> dict[str, dict[str, float]]:
    """By id the figures of the signs that these notes, of which ``odds`` are known, tell something else.

    None has less than LEAST for them, so that none is left out: what a rule takes for something else may answer in
    words that it does not know. The ``first`` of the notes are looked at for whether they name whom the question names.
    ``to_agent`` are the ids of turns of a talk with an agent.
    """
    over = [id_ for id_ in notes if odds[id_] > LEAST]
    if not over:
        return {}
    sought, thing = sought_in(question.text), thing_in(question.text, question.own)
    owning = owning_in(question.text, question.own)
    beside = dict(list(notes.items())[:first])

    def is_of_another(id_: str) -> bool:
        texts = beside | {id_: notes[id_]}
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
