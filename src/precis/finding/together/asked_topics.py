"""Which requests ask for a topic that several memories tell of, and which messages are one talk about it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from precis.finding.parts import Subject
from precis.finding.reading import is_caseless
from precis.finding.values import Row
from precis.finding.written.speaking import RELATIONS

#: A talk that rests so long begins anew, though its session goes on for months.
_RESTS = timedelta(hours=36)
#: What happens between people, and is nobody.
EVENTS = frozenset({"partner.divorce", "partner.wedding", "partner.marriage"})
#: Groups of what is told in one sentence: a figure, a name or a place.
_FACTS = frozenset(
    "salary home phone email birthday age code secret wifi price rent amount naming surname birth_name legal_name"
    " origin confidence passport plate identity_card shoe_size grades".split()
)


def talks_of(rows: Sequence[Row]) -> list[Row]:
    """The rows in their order, a session that rested for long as another one from there on."""
    last: dict[str, tuple[Row, int]] = {}
    parted = []
    for row in rows:
        if row.session_id is not None:
            before, number = last.get(row.session_id, (row, 0))
            number += row.created_at - before.created_at > _RESTS
            last[row.session_id] = row, number
            parted.append(replace(row, session_id=f"{row.session_id}\n{number}") if number else row)
        else:
            parted.append(row)
    return parted


def is_topic(subject: Subject) -> bool:
    """Whether it may be told in several memories, and is no figure or fact of which each says the whole."""
    fact = subject.numbered or subject.clause or subject.states or subject.value or subject.identifiers or subject.each
    fact = fact or subject.old or subject.current or any(part.roots & _FACTS for part in subject.parts)
    return not (fact or subject.others or subject.empty)


def is_person_asked(subject: Subject) -> bool:
    """Whether all about somebody is asked for; in a script without capitals a name may be that of a thing."""
    caseless = not subject.parts and all(is_caseless(name[0]) for name in subject.names)
    kin = all(part.roots & (RELATIONS | {"role"}) and not part.groups <= EVENTS for part in subject.parts)
    return not caseless and kin
