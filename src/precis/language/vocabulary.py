"""Closed word lists the checks compare by: kin of a word, negators, modals, antonyms, calendar words."""

from __future__ import annotations

from precis.language.words import stem

_NUMBER_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty"
).split()
_TENS = {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_ORDINALS = "third fourth fifth sixth seventh eighth ninth tenth".split()

#: Number words and the digits they stand for.
NUMBER_WORDS: dict[str, str] = (
    {word: str(value) for value, word in enumerate(_NUMBER_WORDS)}
    | {word: str(value) for word, value in _TENS.items()}
    | {word: str(value) for value, word in enumerate(_ORDINALS, start=3)}
    | {"couple": "2", "twice": "2", "pair": "2", "both": "2", "dozen": "12", "hundred": "100"}
    | {"thousand": "1000", "once": "1", "single": "1", "half": "0.5", "trio": "3"}
)
#: Number words that mostly do not count anything: evidence for a number, never a demand for one.
WEAK_NUMBERS = frozenset({"zero", "one", "once", "single", "both", "pair", "couple", "half", "hundred", "thousand"})

MONTHS: dict[str, int] = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul",
            "august aug", "september sept sep", "october oct", "november nov", "december dec",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
WEEKDAYS: dict[str, int] = {
    name: number for number, name in enumerate("monday tuesday wednesday thursday friday saturday sunday".split())
}
SEASONS: dict[str, tuple[int, ...]] = {
    "winter": (12, 1, 2), "spring": (3, 4, 5), "summer": (6, 7, 8), "autumn": (9, 10, 11), "fall": (9, 10, 11),
}  # fmt: skip

_KIN = """
go goes going went gone; buy bought purchase; bring brought; teach taught teacher; think thought; catch caught;
fight fought; seek sought; tell told; sell sold sale; say said; find found; feel felt feeling; keep kept; leave
left; lose lost loss; make made; meet met meeting; pay paid payment; send sent; sleep slept asleep; spend spent;
stand stood; understand understood; win won winner; write wrote written; read reading; see saw seen; take took
taken; give gave given gift; get got gotten; come came; become became; begin began begun; break broke broken; build
built; choose chose chosen choice; draw drew drawn; drink drank drunk; drive drove driven; eat ate eaten; fall fell
fallen; fly flew flown flight; forget forgot forgotten; grow grew grown growth; hear heard; hide hid hidden; hold
held; know knew known knowledge; lay laid; lead led; lend lent; lie lay lain; light lit; mean meant; ride rode
ridden; ring rang rung; rise rose risen; run ran runner; shake shook shaken; shoot shot; show showed shown; sing
sang sung song; sit sat; speak spoke spoken speech; steal stole stolen; swim swam swum; swear swore; throw threw
thrown; wake woke woken; wear wore worn; bite bit bitten; blow blew blown; hurt injured; freeze froze frozen; feed
fed; child children kid; man men; woman women; person people; wife wives; life lives; foot feet; tooth teeth; mouse
mice; mom mum mother mama; dad father papa; grandma grandmother granny; grandpa grandfather; photo picture pic image
photograph; movie film; bike bicycle; tv television; phone cellphone telephone; decide decision; advise advice;
choose option; believe belief; live life; die died death dead; sick ill illness; strong strength; long length; wide
width; high height; deep depth; warm warmth; young youth; proud pride; angry anger; hungry hunger; true truth; safe
safety; able ability; possible possibility; important importance; different difference; patient patience; favorite
favourite; color colour; center centre; theater theatre; apologize apologise apology; organize organise; recognize
recognise; marry marriage married wedding; apply application; explain explanation; describe description; solve
solution; receive reception; perceive perception; invite invitation; prepare preparation; celebrate celebration;
create creation creative creativity; participate participation; volunteer volunteering; analyze analysis; succeed
success successful; exceed excess; proceed process; compare comparison; reduce reduction; produce production
product; destroy destruction; admit admission; permit permission; expand expansion; extend extension; decide
decided; arrive arrival; refuse refusal; propose proposal; survive survival; approve approval; remove removal; renew
renewal; photographer photography; music musical musician; art artist artistic artwork; science scientist
scientific; history historic historical historian; nature natural; culture cultural; emotion emotional; profession
professional; education educational educate; inspire inspiration inspirational inspiring; motivate motivation;
passion passionate; courage courageous; ok okay; grateful gratitude thankful thanks thank; friend friendship buddy;
family familial; sibling siblings; resilience resilient; vegetarian vegan; doctor dr; mister mr; percent percentage;
usd dollar; email mail; app application; info information; vacation holiday; car automobile; job work; start begin;
begin beginning; finish end; help assist assistance; talk chat; discuss discussion; suggest suggestion; recommend
recommendation; appreciate appreciation; enjoy enjoyment joy; love loving; prefer preference; like liked; want
wants; need needs; plan planning; hope hopes; excite excitement exciting; identity identify; accept acceptance;
support supportive; connect connection; communicate communication; express expression; relax relaxation
"""


def _families() -> dict[str, str]:
    """Each listed word's stem to the stem of its family; lists that share a word are one family."""
    family: dict[str, str] = {}
    for group in _KIN.split(";"):
        stems = list(dict.fromkeys(stem(word) for word in group.split()))
        root = next((family[s] for s in stems if s in family), stems[0])
        family.update({s: family.get(s, root) for s in stems})
    return family


#: Stem to the stem that stands for its inflections and near relations.
FAMILIES = _families()

NEGATORS = frozenset(
    """not no never none nobody nothing neither nor nowhere without cannot hardly barely scarcely unable
    don't doesn't didn't won't wouldn't can't couldn't shouldn't isn't aren't wasn't weren't haven't hasn't hadn't
    mustn't needn't ain't shan't dont doesnt didnt wont cant isnt wasnt n't""".split()
)
#: Phrases that hold a negator and deny nothing.
IDIOMS = (
    "can't wait", "cannot wait", "can not wait", "couldn't wait", "not only", "not just", "no doubt", "no problem",
    "no matter", "why not", "don't forget", "do not forget", "don't worry", "no worries", "never mind",
    "can't believe", "couldn't believe", "couldn't agree more", "can't help", "couldn't help", "no wonder",
    "don't know what i'd do", "don't get me wrong", "not to mention", "can't thank", "don't hesitate", "nothing beats",
    "nothing like", "couldn't be happier", "couldn't be more", "can't complain", "never fail", "never gets old",
    "can't go wrong", "can't get enough", "don't you", "isn't it", "aren't they", "haven't you", "didn't you",
    "no way", "can't imagine", "not sure if", "not forget", "no time like", "never too late", "never ceases",
)  # fmt: skip
#: Words under which a claim is not yet, or not surely, so.
MODALS = frozenset(
    """may might could would should perhaps maybe possibly probably hope hopes hoping wish wishes plan plans
    planning intend intends consider considers considering thinking if unless""".split()
)

_ANTONYMS = """
like dislike; like hate; love hate; love dislike; enjoy hate; enjoy dislike; increase decrease; rise fall; grow
shrink; more less; more fewer; before after; always never; often rarely; often seldom; start stop; begin end; start
finish; open close; accept reject; accept refuse; accept decline; agree disagree; allow forbid; allow prohibit;
allow prevent; succeed fail; pass fail; arrive leave; arrive depart; remember forget; support oppose; approve
reject; hot cold; warm cold; big small; large small; high low; higher lower; long short; old young; old new; early
late; earlier later; good bad; better worse; best worst; happy sad; happy unhappy; easy difficult; easy hard; simple
complex; fast slow; quick slow; strong weak; rich poor; cheap expensive; safe dangerous; healthy unhealthy; positive
negative; public private; possible impossible; able unable; same different; true false; right wrong; correct
incorrect; inside outside; above below; near far; day night; morning evening; north south; east west; male female;
brother sister; mother father; son daughter; man woman; boy girl; uncle aunt; dark light; black white; hard soft;
wet dry; full empty; clean dirty; loud quiet; alive dead; present absent; include exclude; add remove; gain lose;
push pull; win defeat; optimistic pessimistic; confident doubtful; satisfied dissatisfied; comfortable
uncomfortable; interested uninterested; interested bored; excited bored; excited disappointed; proud ashamed; calm
nervous; calm anxious; relaxed stressed; improve worsen; improve deteriorate; expand contract; maximum minimum;
minimum maximum; all none; everyone nobody; everything nothing; encourage discourage; praise criticize; confirm
deny; formal informal; legal illegal; regular irregular; temporary permanent; major minor; internal external; local
remote; manual automatic; active inactive; active passive; optional mandatory; optional required; majority minority;
win lose; voluntary mandatory; guilty innocent; hire fire; import export; upgrade downgrade; enable disable; lock
unlock; connect disconnect; appear disappear; trust distrust; trust doubt; above under; over under; strength
weakness; advantage disadvantage; profit loss; success failure; winner loser; friend enemy; vegetarian meat; summer
winter; raise lower; raise reduce; increase reduce; increase lower; upward downward; stay leave; continue stop; keep
discard; positive adverse; urgent unhurried; familiar unfamiliar; known unknown; expected unexpected
"""


def _antonyms() -> dict[str, frozenset[str]]:
    """Each family stem to the stems of its opposites."""
    opposite: dict[str, set[str]] = {}
    for pair in _ANTONYMS.split(";"):
        one, other = (FAMILIES.get(stem(word), stem(word)) for word in pair.split())
        if one != other:
            opposite.setdefault(one, set()).add(other)
            opposite.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in opposite.items()}


#: Family stem to the family stems of its opposites.
ANTONYMS = _antonyms()
