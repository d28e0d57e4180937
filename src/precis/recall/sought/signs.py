"""Signs that a row tells something else than is asked, though it has its words. Pure."""

from collections.abc import Mapping
from dataclasses import replace

from precis.recall.question import Question
from precis.recall.sought.evidence import LEAST, WEIGHTS, Evidence, odds_of
from precis.recall.sought.kinds import sought_in
from precis.recall.sought.things import thing_in


def telling_else(
    question: Question, notes: Mapping[str, str], evidence: Mapping[str, Evidence], *, first: int
) -> dict[str, Evidence]:
    """What speaks for and against these notes, by id, of which something speaks that they tell something else.

    None has less than LEAST for that, so that none is left out: what a rule takes for something else may answer in
    words that it does not know. The ``first`` of the notes are looked at for whether they name whom the question names.
    """
    over = {id_: odds for id_ in notes if (odds := odds_of(evidence[id_])) > LEAST}
    if not over:
        return {}
    sought, thing = sought_in(question.text), thing_in(question.text, question.own)
    beside = dict(list(notes.items())[:first])
    changed = {}
    for id_, odds in over.items():
        text, room = notes[id_], odds - LEAST
        figures = {}
        for name, has_it in (
            ("lacking", sought.is_lacking(text)),
            ("only_act", thing.is_only_done(text)),
            ("other", thing.has_another(text) or thing.is_of_another(id_, beside | {id_: text})),
        ):
            if has_it and room > 0:
                figures[name] = min(1.0, room / -getattr(WEIGHTS, name))
                room += figures[name] * getattr(WEIGHTS, name)
        if figures:
            changed[id_] = replace(evidence[id_], **figures)
    return changed
