"""What a request asks for, and what bounds that."""

from dataclasses import dataclass, replace

from precis.finding.asked.speech import Speaker
from precis.finding.names import Name
from precis.finding.parts import Subject
from precis.finding.periods import Period
from precis.finding.tables import ground_words


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """What is to be forgotten: any of the subjects, within the time, session and source, and none of ``keeps``."""

    subjects: tuple[Subject, ...] = ()
    keeps: tuple[Subject, ...] = ()
    period: Period | None = None
    #: Who said it, and that the period is when it was said, not when it was.
    said: Speaker = Speaker.UNASKED
    #: The times of day that it names.
    times: frozenset[tuple[int, int]] = frozenset()
    #: Who said it.
    by: str | None = None
    session: str | None = None
    origin: str | None = None
    language: str = "en"
    #: It lies before what this tells of, or after it: "before I moved".
    event: Subject | None = None
    before: bool = False
    #: Pairs of names that the request says to be of one person.
    aliases: tuple[tuple[Name, Name], ...] = ()
    #: Asks to keep something.
    refuses: bool = False
    #: Speaks of forgetting, and may not ask for it: what it finds is in doubt.
    unsure: bool = False
    #: Not all of it was understood: what it finds is in doubt.
    partly: bool = False
    #: Only so many of the newest are meant; 0 where any may be.
    newest: int = 0
    #: Of what kind of telling it is, where it is not all that is told of somebody: "the gossip about Ana".
    tellings: tuple[str, ...] = ()
    #: What says which of several is meant: of "Chase, the guy from the gym" the gym.
    which: tuple[str, ...] = ()
    #: What it asks for besides, and what nobody could read.
    unread: tuple[str, ...] = ()
    #: Names, places and numbers that it says to hold now: "I work at Corvane now".
    now: tuple[str, ...] = ()
    #: It says that something of the user is wrong, and asks for what tells it.
    denied: bool = False
    #: Says whom or what it is about in words that name nobody: "her", "that".
    unclear: bool = False
    #: Its own words.
    text: str = ""

    @property
    def empty(self) -> bool:
        """Whether it names nothing by which a memory could be chosen."""
        named = self.bounded or self.keeps or not all(subject.empty for subject in self.subjects)
        return self.unclear or not named

    @property
    def bounded(self) -> bool:
        """Whether it says of when, of whom or from where what is meant comes."""
        return any(map(bool, (self.period, self.times, self.by, self.session, self.origin, self.event, self.newest)))

    @property
    def phrases(self) -> tuple[str, ...]:
        """What vectors are made of: of the subjects, then of what is kept and of what happened."""
        return tuple(subject.phrase for subject in (*self.subjects, *self.keeps, *filter(None, [self.event])))


def of_others(request: Request, *, but_mine: bool = False) -> Request:
    """The request, of everybody's but the user's; in doubt where it asks for the user's, and not for "mine"."""
    if not request.subjects or any(it.names or (but_mine and it.mine) for it in request.subjects):
        return replace(request, unsure=request.unsure or but_mine)
    every = ground_words(request.language, "every")
    named = (tuple(part for part in it.parts if part.word not in every) or it.parts for it in request.subjects)
    subjects = zip(request.subjects, named, strict=True)
    return replace(request, subjects=tuple(replace(it, parts=own, others=True, mine=False) for it, own in subjects))
