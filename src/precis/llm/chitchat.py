"""Words of courtesy and mood: a sentence made of nothing else says nothing about anything."""

from __future__ import annotations

from precis.words import stem

#: What people say to be kind. A sentence with nothing else says nothing about anything.
KIND = frozenset(
    stem(word)
    for word in """absolutely agree agreed ah alright amazing anytime apology appreciate aw aww awesome bet bye cheers
    congrats congratulations cool course cya dear definitely enjoy exactly excited exciting
    fabulous fantastic fine
    glad good goodbye gonna gosh gotta great ha haha hehe happy hear hello help hey hi hope
    hopefully hmm incredible
    indeed interesting just kind know later let lol look lovely luck luckily mate minute nice
    nicely no nope oh ok okay
    omg perfect please pleasure proud really right safe see seem sending sorry sound soon stay
    super sure sweet take
    talk tell terrific thank thanks think thought time today totally true truly ugh understand
    understandable welcome
    well wish wonderful woah wow ya yay yeah yep yes yet yup
    way good-bye thx ty cutie buddy friend guy guys pal man dude bro sis thing stuff lot bit kinda
    sorta much many
    keep going get got go come make one back like love catch chat up day week great-day care worry problem
    """.split()
)

#: Words of opinion and of vague doing: they seldom are what somebody asks for later.
MOOD = (
    frozenset(
        stem(word)
        for word in """able accept accomplish achieve add admire adore advice amaze appreciative
    ask attempt awe awful
    bad beautiful began begin believe better big boost bond brave brighten bring calm capture care
    change cheer choose
    comfort comfortable comforting confidence connect connection cozy crazy create crucial cute
    decide deep delicious
    deserve difference different difficult dig effort encourage encouraging energy enjoyable entire
    especially essential
    ever everybody everyone everything excellent excite excitement experience explore express extra
    extremely eye face
    faith fall fan far feel feeling felt find focus follow forever forget forward found free fresh
    fulfill fulfilling
    full fun future gave give given goal goes gone gorgeous grateful gratitude grow growth guess
    handle hang happen
    happiness hard hear heard heart high hold honest honor hope huge idea imagine impact important
    impress impressed
    impressive incredibly inspiration inspire inspiring insane instead inviting involve joy journey
    keen kept kudos lead
    learn learning leave left less lift light literally little live long lose lost loved low lucky
    main maintain make
    manage matter maybe mean meaningful memorable memory mention mind miss moment motivate
    motivated motivating
    motivation move must necessary need never new next nothing notice obviously offer old open
    opportunity outcome
    overall overcome passion passionate pay peace peaceful people perhaps person place plan plenty
    positive possible powerful
    precious pretty proof pull purpose push put quick ready realize reason recent recently refresh
    relate relax relaxing
    remember remind reminder resilience respect rest reward rewarding rough sad satisfying scary
    seemed sense serious
    serve set share shine show side simple small smile someone something sometimes soothing soul
    special spirit spread
    start started stay step stick strength strong struggle stunning succeed success suggest support
    supportive surely
    surround sweetheart tend term terrible terrific thankful therapeutic thinking thrill thrilled
    tip together told took
    touch touching tough treasure trust try trying turn unforgettable unique use used useful value
    vibe vital wait want
    warm watch went wise won work working world worried worth write wrong year
    """.split()
    )
    - KIND
)
