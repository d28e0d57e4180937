"""Where somebody lived or worked before: what was so stands before what came after it. Pure."""

from collections.abc import Mapping, Sequence

from precis.language.script import languages_of
from precis.language.words import content
from precis.recall.newer.signs import Signs
from precis.recall.persons import ENGLISH, asks_of_asker, folded, tells_of_another, tokens_of
from precis.recall.question import Question
from precis.recall.ranking import Score
from precis.recall.sought.replies import kind_of
from precis.recall.telling import Told, matches, put_before, topics_of

#: The kind of the question, and what is asked about so.
_WHERE = "where"
_TOPICS = ("home", "work")
#: A row that is further behind answers something else.
_FURTHEST = 0.6


def former_first(question: Question, told: Mapping[str, Told], scores: Sequence[Score]) -> list[Score]:
    """The rows in order; where whoever asks where they lived or worked before, older rows on that before the newest.

    The newest is the one that the question names ("before the brewery") where it names one.
    """
    query = question.text
    languages = (*languages_of(query)[0], ENGLISH)
    topics = [topic for topic in _TOPICS if matches(f"{topic}_was", languages, query)]
    if not topics or question.days or not (kind_of(query) == _WHERE and asks_of_asker(query, languages)):
        return list(scores)
    asked = frozenset(map(folded, tokens_of(query)))
    signs = Signs(told, languages, topics)
    own = [
        score for score in scores
        if score.id in told and signs.is_of_topic(score.id)
        and not tells_of_another(told[score.id].text, languages, asked, changes=True)
    ]  # fmt: skip
    own.sort(key=lambda score: (told[score.id].said_at, score.id))
    # Words for where somebody lives or works are in any of them.
    named = frozenset(question.terms).difference(*topics_of(query, languages).values())
    after = [score for score in own if named & content(told[score.id].text)]
    newest = (after or own)[-1:]
    return put_before(scores, "newest", ((last, own[: own.index(last)]) for last in newest), _FURTHEST)
