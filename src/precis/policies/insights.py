"""Key insights: the statements that somebody would tell of a period, spread over its people. Pure."""

from collections.abc import Sequence

from precis.checks import asides, reactions, trifles
from precis.language.chitchat import hollow
from precis.language.newest.followed import Spot, followed, overtaken
from precis.language.newest.signs import DAYS, DAYS_ELSEWHERE
from precis.language.newest.slots import Said
from precis.language.newest.unnamed import unnamed
from precis.language.script import is_foreign
from precis.language.sentences import is_question, sentences
from precis.language.words import content, names, words
from precis.language.written.secrets import confides, has_secret
from precis.language.written.spoken import has_identifier
from precis.summary import Statement, speaker_of, unattributed

#: Up to so many statements are all told; of more, about two thirds, and no fewer than these.
_FEWEST = 3
#: What a statement loses that says again what is told, in so much of its words, and one of whose speaker much is told.
_SAME_WORDS, _SAME_SPEAKER = 0.6, 0.15
_AGAIN = 0.7
_TIMES = DAYS | DAYS_ELSEWHERE


def insights(served: Sequence[Statement], *, most: int) -> list[Statement]:
    """Some of the served statements, best first: at least three if there are, about two thirds, at most ``most``.

    What only reacts or asks is not among them unless there is nothing else, nor is the number of a passport or an
    account: it is looked up and not told. What is told in confidence never is, nor a credential. Next is the most
    important one, less where it says one of those that are taken again, and less what its speaker has said in them
    already. What a later statement says to be otherwise now is not told again beside that.
    """
    served = [each for each in served if not (confides(each.text) or has_secret(each.text))]
    telling = [statement for statement in served if tells(statement.text)] or list(served)
    telling = [each for each in telling if not has_identifier(each.text)] or telling
    telling = now if len(now := _so_now(telling)) >= _FEWEST else telling
    size = min(most, max(_FEWEST, -(-2 * len(served) // 3)), len(telling))
    stems = [content(unattributed(statement.text)) for statement in telling]
    speakers = [speaker_of(statement.text) for statement in telling]
    newest = {older: newer for (older, _), (newer, _) in _later(telling).items()}
    taken: list[int] = []
    while len(taken) < size:
        rest = [at for at in range(len(telling)) if at not in taken and newest.get(at, at) in {at, *taken}]
        taken.append(max(rest, key=lambda at: (telling[at].importance - _repeats(at, taken, stems, speakers), -at)))
    return sorted((telling[at] for at in sorted(taken)), key=lambda statement: -statement.importance)


def _so_now(telling: Sequence[Statement]) -> list[Statement]:
    """Those that no later one says to be otherwise now, and that open on no word for who is named elsewhere.

    "She's mostly worked in hospitals" does that. "They moved the hearing to May" does, too, and says what is so now.
    """
    texts = [unattributed(statement.text) for statement in telling]
    manners = asides.manners_of(texts) if is_foreign(" ".join(texts)) else None
    points = manners.points_back if manners else reactions.POINTS_BACK.match
    later = _later(telling)
    newer = {at for at, _ in later.values()}
    # What is off, or names somebody whom the newer does not, tells more, as does "Papa turns 70. We meet on 13 June.".
    dated = {
        spot
        for spot, (at, _) in later.items()
        if _gives_figure(texts[at])
        and all(name in texts[at] or name.casefold() in _TIMES for name in names(texts[spot[0]]))
    }
    outdated = [dated >= {(at, number) for number in range(len(sentences(text)))} for at, text in enumerate(texts)]
    return [
        statement for at, statement in enumerate(telling) if not outdated[at] and (at in newer or not points(texts[at]))
    ]


def _gives_figure(text: str) -> bool:
    return any(map(str.isdigit, text)) or not _TIMES.isdisjoint(words(text))


def _later(telling: Sequence[Statement]) -> dict[Spot, Spot]:
    """For each sentence of a statement that a later one says to be otherwise now the newest that does."""
    lines = [Said(unattributed(each.text), speaker_of(each.text), at) for at, each in enumerate(telling)]
    return unnamed(lines) | overtaken(lines) | followed(lines)


def tells(text: str) -> bool:
    """Whether some sentence of it tells what is so: it neither asks nor supposes, nor says what holds of everybody.

    In a talk it neither reacts nor advises, too.
    """
    quoted = speaker_of(text) is not None
    return any(
        not (hollow(sentence) or is_question(sentence) or reactions.is_general(sentence) or trifles.supposes(sentence))
        and not (quoted and (reactions.is_reaction(sentence) or reactions.is_aside(sentence)))
        for sentence in sentences(unattributed(text))
    )


def _repeats(at: int, taken: Sequence[int], stems: Sequence[frozenset[str]], speakers: Sequence[str | None]) -> float:
    if not taken:
        return 0.0
    shared = max(len(stems[at] & stems[other]) / max(1, min(len(stems[at]), len(stems[other]))) for other in taken)
    heard = sum(speakers[other] == speakers[at] for other in taken) / len(taken) if speakers[at] else 0.0
    # What came back on other days shares its words with that, and is the main thing for it.
    return _SAME_WORDS * (shared >= _AGAIN) + _SAME_SPEAKER * heard
