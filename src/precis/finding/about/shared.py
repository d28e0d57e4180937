"""Whether several things that a request names are each of somebody of their own: "my salary and Anna's birthday"."""

from collections.abc import Sequence

from precis.finding.kinds import says_whom
from precis.finding.parts import Subject
from precis.finding.reading import read_words
from precis.finding.written.speaking import RELATIONS

_PEOPLE = RELATIONS | {"role", "pet"}


def may_share(subjects: Sequence[Subject]) -> bool:
    """Whether what the last has may be of the others as well: "Tom and Anna's birthday"."""
    if not is_owned_by_name(subjects[-1]):
        return False
    return any(
        not it.parts or (it.mine and all(part.is_of(_PEOPLE) or says_whom(part.word) for part in it.parts))
        for it in subjects[:-1]
    )


def is_owned_by_name(subject: Subject) -> bool:
    """Whether it is a thing of somebody's by name, and says nothing of them: "Anna's birthday"."""
    owned = len(subject.names) == 1 and 0 < len(subject.parts) <= 2 and not (subject.states or subject.clause)
    words = read_words(subject.text)
    return owned and subject.language == "en" and any(word.owns and word.low == subject.names[0][-1] for word in words)
