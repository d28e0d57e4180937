"""What has the thing that is asked for is before what has only the act: "My Mazda", "I hate driving". Pure."""

from collections.abc import Mapping, Sequence

from precis.language.words import stem
from precis.recall.question import Candidate, Question
from precis.recall.ranking import Score
from precis.recall.sought.kinds import sought_in
from precis.recall.sought.things import thing_in
from precis.recall.telling import Told, number_in, put_before

#: How far behind a row may be that is put before.
_FURTHEST = 0.6
#: So many words of a question are no names.
_THING_AND_ACT = 2


def thing_first(
    question: Question, rows: Mapping[str, Candidate], notes: Mapping[str, Told], scores: Sequence[Score]
) -> list[Score]:
    """The rows in order; where a question asks which thing is had in some act, the thing is before the bare act.

    "Which car do I drive?" has no more than the thing, the act and names. A row has the thing in any word that tells
    it; one of a relative or of another stays where it is. So does what may name it otherwise: "I drive a Borgward".
    """
    if not notes or len(frozenset(question.terms) - question.named) != _THING_AND_ACT:
        return list(scores)
    thing = thing_in(question.text, question.own)
    at = question.terms.index(stem(thing.head)) if thing.head and stem(thing.head) in question.terms else None
    acts = [place for place, term in enumerate(question.terms) if place != at and term not in question.named]
    if at is None or len(acts) != 1:
        return list(scores)
    sought = sought_in(question.text)
    known = {id_: row.text for id_, row in notes.items() if id_ in rows}
    has_it = {id_ for id_, text in known.items() if rows[id_].frequencies[at] and thing.has_noun(text)}
    having = [s for s in reversed(scores) if s.id in has_it and not thing.opens_with_another(known[s.id])]

    def only_has_act(id_: str) -> bool:
        if not having or id_ not in known or id_ in has_it or not rows[id_].frequencies[acts[0]]:
            return False
        return not (number_in(known[id_], sought.languages) or sought.names_anybody(known[id_]))

    return put_before(scores, "telling", ((before, having) for before in scores if only_has_act(before.id)), _FURTHEST)
