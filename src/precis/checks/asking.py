"""Questions to an assistant or to the world: they tell nothing of whoever asks, and of nobody else. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from precis import patterns as re
from precis.language import tables
from precis.language.sentences import asks_unmarked, is_question, sentences
from precis.summary import Statement, arranged, speaker_of, unattributed

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
#: A figure, a list or a clause of its own may tell something.
_EXACT = re.compile(r"[\d:;]|,(?=.*,)")
#: A question of more words tells something beside what it asks.
_LONGEST = 14


@dataclass(frozen=True, kw_only=True, slots=True)
class _Tongue:
    opens: re.Pattern[str]
    wants: re.Pattern[str] | None
    tells: re.Pattern[str]
    before: re.Pattern[str]
    presumes: re.Pattern[str]

    def fits(self, question: str) -> bool:
        """Whether it opens as a question of this language."""
        return any(pattern is not None and pattern.match(question) for pattern in (self.opens, self.wants))

    def _wanted(self, question: str) -> str:
        """What is to be told: the question without "can you tell me"."""
        wants = self.wants.match(question) if self.wants else None
        return question[wants.end() :].strip() if wants else question

    def tells_in(self, question: str) -> bool:
        """Whether something in it tells of whoever asks, or of somebody."""
        rest = self._wanted(question)
        return not rest or self.tells.search(rest) is not None

    def names_somebody(self, question: str) -> bool:
        """Whether a capital stands in it that opens no sentence and no name of a place or thing."""
        rest = self._wanted(question)
        opens = rest == question
        before, is_place = "", False
        for at, word in enumerate(_WORD.findall(rest)):
            if word[:1].isupper() and not (opens and at == 0):
                is_place = is_place if before[:1].isupper() and at > 1 else self.before.fullmatch(before) is not None
                if not is_place or self.presumes.match(rest):
                    return True
            before = word
        return False


def _tongue(name: str) -> _Tongue:
    wants = tables.choices(f"asking.wants.{name}") if name in tables.section("asking.wants") else None
    return _Tongue(
        opens=re.compile(rf"(?:{tables.choices(f'asking.opens.{name}')})(?!\w)", re.IGNORECASE),
        wants=re.compile(rf"(?:{wants})(?!\w)", re.IGNORECASE) if wants else None,
        tells=re.compile(tables.whole(tables.choices(f"asking.tells.{name}")), re.IGNORECASE),
        before=re.compile(rf"(?:{tables.choices(f'asking.before.{name}')})", re.IGNORECASE),
        presumes=re.compile(rf"(?:{tables.choices(f'asking.presumes.{name}')})(?!\w)", re.IGNORECASE),
    )


_TONGUES = tuple(map(_tongue, tables.section("asking.opens")))


def is_asked(sentence: str) -> bool:
    """Whether a sentence of a talk asks, with a mark or without one."""
    return is_question(sentence) or asks_unmarked(sentence)


def asks_the_world(sentence: str) -> bool:
    """Whether it asks what anybody could ask: no first person, nothing of somebody's, nobody by name."""
    if not is_question(sentence) or _EXACT.search(sentence) or len(sentence.split()) > _LONGEST:
        return False
    question = sentence.strip().strip("\u00bf? ")
    fitting = [tongue for tongue in _TONGUES if tongue.fits(question)]
    if any(tongue.tells_in(question) for tongue in fitting):
        return False
    return any(not tongue.names_somebody(question) for tongue in fitting)


def questions_last(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """Statements that only ask stand behind all others, in their order; one before what another answers stays there."""
    asking = [all(map(is_question, sentences(unattributed(statement.text)))) for statement in statements]
    speakers = [speaker_of(statement.text) for statement in statements]
    for at, (speaker, follows) in enumerate(pairwise(speakers)):
        if speaker and follows and speaker != follows and not asking[at + 1]:
            asking[at] = False
    return arranged(statements, sorted(range(len(statements)), key=asking.__getitem__))
