"""What is in doubt by its words, and is surely meant by how it is told."""

from collections.abc import Collection

from precis.finding.about.topics import MAY_MEAN, MAY_NAME, OTHER_SENSE
from precis.finding.parts import Subject
from precis.finding.surely.labels import labels_it
from precis.finding.surely.names_told import is_name_of, tells_name
from precis.finding.surely.where import tells_where
from precis.finding.values import Level, Match, Row


def raised(subject: Subject, row: Row, match: Match, own_names: Collection[str]) -> Match:
    """The match of one subject, sure where a doubt only came from its words."""
    if match.level is not Level.DOUBTFUL or not subject.mine or subject.old or subject.current or subject.value:
        return match
    if subject.clause:
        spans = () if match.why != OTHER_SENSE else tells_where(subject, row.text, own_names)
        return Match(level=Level.SURE, why="it says where that is", spans=spans) if spans else match
    if subject.names or not match.spans:
        return match
    listed = (why for doubt, tells, why in _RAISED if match.why == doubt and tells(subject, row.text, match.spans))
    why = next(listed, "")
    return Match(level=Level.SURE, why=why, spans=match.spans) if why else match


#: Why it was in doubt, what says that it is meant, and why it is then.
_RAISED = (
    (OTHER_SENSE, labels_it, "it is noted there by that label"),
    (MAY_NAME, is_name_of, "it says that name"),
    (MAY_MEAN, tells_name, "it says that name"),
)
