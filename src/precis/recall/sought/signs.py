"""Signs that a row tells something else than is asked, though it has its words. Pure."""

from collections.abc import Callable, Mapping

from precis.recall.question import Question
from precis.recall.sought.evidence import LEAST, WEIGHTS
from precis.recall.sought.kinds import sought_in
from precis.recall.sought.things import thing_in


def telling_else(
    question: Question, notes: Mapping[str, str], odds: Mapping[str, float], *, first: int
) -> dict[str, dict[str, float]]:
    """By id the figures of the signs that these notes, of which ``odds`` are known, tell something else.

    None has less than LEAST for them, so that none is left out: what a rule takes for something else may answer in
    words that it does not know. The ``first`` of the notes are looked at for whether they name whom the question names.
    """
    over = [id_ for id_ in notes if odds[id_] > LEAST]
    if not over:
        return {}
    sought, thing = sought_in(question.text), thing_in(question.text, question.own)
    beside = dict(list(notes.items())[:first])
    signs: tuple[tuple[str, Callable[[str], bool]], ...] = (
        ("lacking", lambda id_: sought.is_lacking(notes[id_])),
        ("only_act", lambda id_: thing.is_only_done(notes[id_])),
        (
            "other",
            lambda id_: thing.has_another(notes[id_]) or thing.is_of_another(id_, beside | {id_: notes[id_]}),
        ),
    )
    figures: dict[str, dict[str, float]] = {}
    for id_ in over:
        room = odds[id_] - LEAST
        for name, has_it in signs:
            if room > 0 and has_it(id_):
                weight = getattr(WEIGHTS, name)
                figures.setdefault(id_, {})[name] = min(1.0, room / -weight)
                room += figures[id_][name] * weight
    return figures
