"""The subjects that extraction knows by their words: data, and its index by first word.

Few and broad on purpose: a cluster needs three memories, so a subject told once is worth little.
A strong phrase names its subject alone; a weak one where a sentence states something, or beside another.
Where two subjects weigh the same, the one listed first wins.
"""

from __future__ import annotations

from dataclasses import dataclass

from precis.language.words import stem, words


@dataclass(frozen=True, kw_only=True, slots=True)
class Subject:
    """What memories can be about."""

    key: str
    #: The type of every memory of this subject.
    type: str
    #: True when it belongs to a team rather than to one person.
    shared: bool = False
    #: Phrases parted by commas.
    strong: str = ""
    weak: str = ""


def _of(key: str, kind: str, *, strong: str, weak: str = "", shared: bool = False) -> Subject:
    return Subject(key=key, type=kind, shared=shared, strong=strong, weak=weak)


# fmt: off
SUBJECTS = (
    _of(
        "email cadence", "preference",
        strong="digest, newsletter, email cadence, email frequency, weekly email, daily email, monthly email",
    ),
    _of(
        "ui theme", "preference",
        strong="dark mode, light mode, dark theme, light theme, auto theme, high contrast, ui theme, color "
        "scheme, user interface theme, dark screens, white screens, dark background, light "
        "background, night mode",
        weak="theme",
    ),
    _of(
        "notification", "preference",
        strong="notifications, push alerts, do not disturb",
    ),
    _of("allergy", "fact", strong="allergic, allergy, epipen, anaphylaxis", weak="hazelnuts, peanuts"),
    _of(
        "diet", "preference",
        strong="diet, vegan, vegetarian, pescatarian, keto, dairy, gluten, gluten free, low carb, eat meat, "
        "eat fish, plant based, halal, kosher, intermittent fasting",
        weak="meat, fish, carbs",
    ),
    _of(
        "coffee", "preference",
        strong="coffee, flat white, espresso, cortado, cappuccino, latte, americano, decaf, galão, caffeine",
        weak="matcha, cafe",
    ),
    _of("tea", "preference", strong="tea, chai, earl grey, matcha"),
    _of(
        "health", "fact",
        strong="migraine, headache, medication, clinic, neurologist, injection, physio, injury, diagnosed, "
        "diagnosis, surgery, asthma, blood pressure, sprain, strain, hurt my finger, broke my finger, my knee, my back "
        "hurts, therapist, eye doctor, insulin, diabetes, gastritis, prescription, my health",
        weak="doctor, hospital, appointment, tablets, hurt, pain, symptoms, sick",
    ),
    _of(
        "wedding", "plan",
        strong="wedding, wedding vows, bride, groom, bridesmaid, honeymoon, fiancé, fiancée, got engaged",
        weak="married, invitation, ceremony",
    ),
    _of(
        "travel", "plan",
        strong="trip, flights, travel, travelling, traveling, vacation, itinerary, backpacking, road trip, "
        "passport, cruise, layover",
        weak="hostel, hotel, airport, abroad, plane",
    ),
    _of("price", "decision", strong="price, pricing, paywall", weak="a month, a year", shared=True),
    _of("budget", "fact", strong="budget, grant", weak="funding", shared=True),
    _of(
        "meeting", "preference", shared=True,
        strong="standup, stand up meeting, no meetings, meetings before, late calls",
    ),
    _of("map", "decision", strong="mapbox, maplibre, google maps", weak="maps, map, tiles", shared=True),
    _of(
        "hosting", "decision", shared=True,
        strong="hosting, hetzner, at fly, heroku, aws, vercel, second site, data center",
        weak="server, servers",
    ),
    _of(
        "database", "decision", shared=True,
        strong="database, postgres, mysql, sqlite, mongodb",
        weak="schema",
    ),
    _of("design tool", "preference", strong="figma, penpot, adobe xd, design tool", weak="sketch"),
    _of("editor", "preference", strong="vim, neovim, helix, zed, emacs, vs code, my editor", weak="editor"),
    _of(
        "support tool", "decision", shared=True,
        strong="help scout, zendesk, intercom, shared inbox, ticket tool",
    ),
    _of(
        "launch date", "plan", shared=True,
        strong="launch, beta, release date, go live, going live, ship date",
        weak="release, deadline",
    ),
    _of("deadline", "plan", strong="deadline, roadmap, milestone, due date for", shared=True),
    _of(
        "metric", "fact", shared=True,
        strong="downloads, subscriptions, routes, waiting list, crash free, revenue, conversion rate, uptime",
        weak="tickets, crashes, crash",
    ),
    _of("laptop", "fact", strong="laptop, macbook, new phone, my phone", weak="computer"),
    _of(
        "pet", "fact",
        strong="dog, puppy, cat, kitten, whippet, lurcher, hamster, guinea pig, turtle, pet, pets, parrot, "
        "vet",
        weak="tortoiseshell, leash, animals, animal",
    ),
    _of(
        "commute", "fact",
        strong="commute, cycle in, cycle to work, bike to work, ride to work, bus to work, train to work, "
        "train to the office, on the bus, my bike, new bike, bike stolen",
        weak="bike",
    ),
    _of(
        "running", "event",
        strong="marathon, half marathon, jogging, running shoes, 5k, 10k, ran a",
        weak="race, kilometers, long run, longest run, easy run, running club, running plan",
    ),
    _of("climbing", "event", strong="climbing, climbing wall, bouldering, climb"),
    _of(
        "exercise", "event",
        strong="gym, yoga, workout, pilates, swimming, kickboxing, taekwondo",
        weak="fitness",
    ),
    _of(
        "music", "preference",
        strong="piano, guitar, violin, clarinet, concert, drums, cello, choir",
        weak="music, song, band, playlist, sing",
    ),
    _of(
        "language", "fact",
        strong="kanji, my spanish, spanish lessons, learning spanish, japanese tutor, learning japanese, "
        "language lessons, duolingo, fluent",
        weak="spanish, japanese, french, german, italian",
    ),
    _of(
        "book", "preference",
        strong="a book, the book, this book, favorite book, favourite book, book club, novel, great books, "
        "new book",
        weak="author, library, chapter, fantasy",
    ),
    _of(
        "movie", "preference",
        strong="movie, film, netflix, tv show, cinema",
        weak="series, actor, trilogy",
    ),
    _of(
        "game", "preference",
        strong="video game, gaming, board game, tournament, playstation, xbox, nintendo, esports",
        weak="game, console",
    ),
    _of(
        "art", "event",
        strong="painting, pottery, sculpture, watercolor, art show, painted, ceramics",
        weak="art, canvas",
    ),
    _of("dance", "event", strong="dance, dancing, ballet, dancer, choreography"),
    _of(
        "cooking", "event",
        strong="recipe, cooking, cooked, baking, baked, ice cream, dessert",
        weak="cake, cookies, cupcakes, frosting, icecream, coconut, bread",
    ),
    _of(
        "garden", "event",
        strong="allotment, gardening, my garden, broad beans, seedlings",
        weak="beans, flowers",
    ),
    _of(
        "nature", "event",
        strong="camping, hiking, hike, campfire, trail, national park, kayaking, surfing",
        weak="mountains, beach, forest, nature, sunset, outdoors, waterfall",
    ),
    _of(
        "volunteering", "event",
        strong="volunteer, volunteering, charity, fundraiser, homeless shelter, donated, food drive, toy "
        "drive",
        weak="community, neighborhood, shelter, donate, mentoring, helping others",
    ),
    _of(
        "writing", "event",
        strong="screenplay, my script, poem, poetry, my blog, my writing, manuscript, journaling",
        weak="script, writing, journal, characters, story, stories, letter, blog",
    ),
    _of(
        "education", "event",
        strong="university, my degree, a degree, college, exam, studying, graduated, my course, diploma, "
        "certification",
        weak="school, class, course, lessons, workshop",
    ),
    _of(
        "business", "fact",
        strong="my business, own business, my store, online store, my shop, startup, dance studio, clothing "
        "store",
        weak="business, biz, customers, investors, store, brand, branding, marketing, studio",
    ),
    _of("birthday", "event", strong="birthday"),
    _of("car", "fact", strong="my car, new car, mechanic, prius, car accident", weak="car"),
    _of(
        "family", "relationship",
        strong="baby, newborn, my wife, my husband, my sister, my brother, my mom, my mum, my mother, my "
        "dad, my father, my daughter, my son, my kids, my parents, my family, my grandma, my aunt, my "
        "uncle, my girlfriend, my boyfriend, my partner, our kids, adoption agency",
        weak="born, pregnant, scan, kids, children, daughter, son, wife, husband, family, parents, "
        "grandparents",
    ),
    _of(
        "job", "fact",
        strong="new job, lost my job, my job, promoted, promotion, works at, work at, works for, work for, "
        "working at, working as, works as, my role, new role, new title, my title, tech lead, team "
        "lead, mobile lead, community lead, to lead mobile, backend engineer, software engineer, ios "
        "engineer, contractor, full time, part time, payroll, got hired, hired me, job interview, "
        "four days a week, days a week, on leave, laid off, customer support, internship, career",
        weak="job, title, salary, boss",
    ),
    _of(
        "home", "fact",
        strong="moved to, moved in, moving to, moving in, move to, live in, living in, lives in, based in, "
        "hometown, new flat, new apartment, new house, my flat, my apartment, my house, our house, "
        "little house, sublet, landlord, lease, estate agent, hello from, greetings from, relocate, "
        "home country, house in, flat in, place for good, arrived in, thinking of leaving",
        weak="flat, apartment, house, rent",
    ),
    _of(
        "public office", "event",
        strong="campaign, run for office, running for office, city council, election, petition, politics, ballot",
        weak="policy, policies, vote, mayor, local politics",
    ),
    _of(
        "military", "event",
        strong="veteran, veterans, military, the army, the navy, serve my country, serving my country",
    ),
    _of(
        "faith", "preference",
        strong="church, my faith, prayer, bible, mosque, synagogue, temple",
        weak="faith, pray, religious",
    ),
    _of(
        "identity", "event",
        strong="lgbtq, transgender, trans, pride parade, coming out, came out, my transition, gender identity, queer, "
        "nonbinary, support group",
        weak="pride, acceptance, gender",
    ),
    _of(
        "fashion", "preference",
        strong="fashion, my outfit, jewelry, clothing line, my clothes",
        weak="clothes, dress, outfit, designs, trendy",
    ),
    _of(
        "wellbeing", "preference",
        strong="mental health, self care, me time, de stress, destress, burnout, therapy, meditation, mindfulness, "
        "work life balance",
        weak="stress, relax, recharge, unwind, balance, peace",
    ),
    _of(
        "goal", "plan",
        strong="my goal, my goals, my dream, my dreams, bucket list, dream job",
        weak="goals, dreams, dream, motivated",
    ),
    _of(
        "friend", "relationship",
        strong="my friend, my friends, best friend, old friends, close friends, my neighbor",
        weak="friends, friendship",
    ),
)
# fmt: on


def _index() -> dict[str, list[tuple[tuple[str, ...], int, int]]]:
    """First stem of a phrase to (stems of the phrase, place of the subject, weight)."""
    found: dict[str, dict[tuple[tuple[str, ...], int], int]] = {}
    for place, subject in enumerate(SUBJECTS):
        for phrases, weight in ((subject.strong, 2), (subject.weak, 1)):
            for written in filter(None, (part.strip() for part in phrases.split(","))):
                phrase = tuple(stem(word) for word in words(written))
                found.setdefault(phrase[0], {}).setdefault((phrase, place), weight)
    return {
        first: [(phrase, place, weight) for (phrase, place), weight in entries.items()]
        for first, entries in found.items()
    }


PHRASES = _index()
