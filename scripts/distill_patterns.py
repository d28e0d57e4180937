"""Patterns of sentences and the words that fill them, for fitting the embedding table: plain talk and errands."""

from __future__ import annotations

NAMES = """Anna Ben Carla David Elena Frank Grace Henry Isabel Jack Karen Leo Maria Nick Olivia Paul Rachel Sam
    Tina Victor Wendy Alex Julia Kevin Laura Michael Nina Oscar Peter Rosa Sarah Tom Emma Daniel Lucy Robert Amy
    James Linda John Mary William Susan Joseph Lisa Mark Sandra Andrew Emily George Donna Eric Melissa Brian
    Amanda Gary Kate Ryan Amir Priya Wei Yuki Omar Fatima Ivan Olga Pedro Lucia Hans Ingrid Kofi Aisha Jordan
    Taylor Morgan Casey Chris Jamie Ashley Tyler Hannah Megan Luke Adam Ethan Noah Sofia Mia Zoe Chloe""".split()
WHEN = """yesterday|last week|last night|last weekend|next month|tomorrow|this morning|today|two days ago|last year|
    in May|in June|on Monday|last Friday|this summer|next weekend|a while ago|recently|soon|right now|every day|
    in 2021|on 5 March|last Tuesday|since January|in the evening|at 7 pm|for three years|next week|in a few days|
    over the holidays|in 2023|on Sunday|back in October|at noon|after work|before the weekend"""
PATTERNS = """
I {did} the {thing} {when}.
I {did} my {thing} and felt {adj}.
I am {doing} a {adj} {thing} with my {person}.
I went to the {place} with my {person} {when}.
I love {food} and {food}.
My {person} loves {doing} the {animal}.
We had {food} at the {event} {when}.
We are planning a {event} in the {place}.
{name} {did} a {thing} for {name}.
{name} and I {did} the {adj} {thing} {when}.
{name} is {adj} about the {event}.
{name} wants to {do} the {thing}.
I've been {doing} {idea} {when}, it's so {adj}!
I've been into {act} for years, it gives me {feeling}.
Thanks, {name}! That {thing} looks {adj}.
Wow, {name}, that sounds {adj}! What {did} your {person}?
Hey {name}, how was the {event}?
That's {adj}! I'm glad you {did} the {thing}.
I'm so {adj} for you, {name}. Your {thing} is {adj}!
Have you ever {did} a {thing}?
What kind of {thing} do you {do}?
When did {name} {do} the {thing}?
When is {name} going to the {place}?
Where did {name} {do} the {thing}?
Who {did} the {thing} of {name}?
What does {name} think about {act}?
What did {name} {do} {when}?
What {thing} did {name} {do} in the {place}?
Why did {name} {do} the {money}?
How many {things} does {name} have?
How long has {name} been {doing} {act}?
Which {food} does {name} like?
Would {name} enjoy {act}?
What is the name of the {animal} of {name}?
What are the {things} that {name} {did}?
How does {name} feel about the {event}?
Did {name} {do} a {adj} {thing} {when}?
The {person} {did} the {thing}.
The {person} {adv} {did} the {adj} {thing}.
The {adj} {person} was {doing} the {animal}.
The {thing} in the {place} is {adj}.
This {thing} is very {adj}, but the {thing} is {adj}.
The {quality} of the {thing} is {adj}.
The {food} was {adj} and the {person} was {adj}.
How do I {do} my {thing}?
How can I {do} a {thing} with my {thing}?
How do I {do} {money} from my {thing}?
Can you {do} the {thing} for me?
Can you tell me how to {do} the {thing}?
Could you {do} my {money} {when}?
Please {do} the {message} to {name}.
please {do} my {thing}
why was my {money} {did}
why is my {thing} {adj}
why can't I {do} the {thing}
is there a {money} for {doing} the {thing}
i need to {do} a {thing} in {place}
i want to know the {quality} of the {thing}
what is the {quality} of {food}
what's the {amount} of {money} in my {thing}
what is the best way to {do} a {thing}
tell me about the {idea} of {act}
tell me the {time} of the {event}
how much {money} do I {do} for the {thing}
where is the {place}
where can I {do} {food}
when will my {thing} {be} {did}
do i {do} a {message} to {do} the {place}
set the {thing} to {adj}
show me my {message}
I lost my {thing} in the {place}.
My {thing} has not been {did} yet.
My {thing} was {did} twice.
I did not {do} this {money}.
I would like to {do} my {money} into {money}.
My {body} hurts after the {event}.
I feel {feeling} about my {act}.
I'm worried about the {state} of my {person}.
Our {group} {did} the {idea} {when}.
The {group} decided to {do} the {message}.
The {person} prefers {adj} {thing} over {adj} {thing}.
The user prefers {food} to {food}.
The user lives in {place} and works as a {person}.
The user is allergic to {food}.
The user asked to {do} the {thing} {when}.
The customer {did} the {money} and asked about the {thing}.
The meeting about {idea} was moved to {when}.
The {plant} in the {place} needs {stuff}.
{name} bought a {thing} and a {thing}.
{name} moved from {place} to {place}.
{name} started a new job as a {person}.
{name} has a {animal} named {name}.
{name} gave {name} a {adj} {thing} for the {event}.
{name}'s {person} is a {person}.
{name} joined a {group} to {do} {act}.
{name} felt {feeling} after the {event} {when}.
{name} plans to {do} a {place} with {name}.
{name} is reading a {message} about {idea}.
{thing} {thing}
{adj} {thing}
{doing} {thing}
{do} {thing}
a photo of a {person} {doing} a {thing} in a {place}
a photo of a {adj} {animal} on a {thing}
a photo of {food} and {food} on a {thing}
a picture of a {plant} near a {place}
"""
#: Everyday matters a person asks an assistant or a help desk about, and what is done with them.
MATTERS = """account|bank account|savings account|card|credit card|debit card|virtual card|bill|invoice|payment|
    transfer|deposit|balance|refund|fee|exchange rate|currency|loan|mortgage|salary|tax return|insurance|claim|budget|
    receipt|subscription|contract|order|parcel|delivery|address|phone number|phone|laptop|printer|tablet|app|website|
    password|PIN|code|email|message|photo|file|backup|update|battery|charger|internet connection|screen|keyboard|
    flight|train|bus|taxi|car|rental car|bicycle|tire|engine|oil change|gas|parking spot|route|traffic|trip|vacation|
    hotel|hotel room|passport|visa|luggage|ticket|seat|reservation|table|restaurant|recipe|dinner|lunch|breakfast|
    ingredients|groceries|shopping list|to do list|calendar|meeting|appointment|reminder|alarm|timer|date|time zone|
    birthday|anniversary|party|wedding|gift|song|playlist|music|movie|series|book|podcast|game|match|team|news|weather|
    forecast|temperature|heating|lights|thermostat|dishwasher|washing machine|fridge|oven|kitchen|garden|apartment|
    rent|landlord|neighbor|doctor|dentist|medicine|prescription|symptom|diet|workout|calories|sleep|dog|cat|vet|school|
    homework|exam|course|teacher|language|translation|word|definition|spelling|joke|name|age|job|interview|resume|
    boss|colleague|vacation days|holiday|visa application|driving license|identity document|cash|cash machine|store|
    pharmacy|airport|station|library|gym|library book|coupon|discount|price|warranty|complaint"""
DEALINGS = """cancel|check|change|find|get|book|pay|order|activate|block|freeze|replace|renew|update|verify|open|close|
    delete|set|set up|turn on|turn off|return|send|receive|track|top up|use|add|remove|share|translate|schedule|move|
    confirm|compare|choose|buy|sell|fix|repair|reset|unlock|link|withdraw|transfer|request|report|explain|download|
    restart|connect|play|skip|rate|review|remember|forget|look up|calculate|convert|split|extend|make|clean|borrow"""
ERRANDS = """
how do i {deal} my {matter}
How can I {deal} a {matter}?
how do I {deal} the {matter} from my {matter}?
can you {deal} my {matter} for me
Can I {deal} my {matter} with my {matter}?
could you please {deal} the {matter}
please {deal} my {matter} {when}
i want to {deal} my {matter}
i need to {deal} a {matter} {when}
I'd like to {deal} the {matter}, please.
I tried to {deal} my {matter} but it did not work.
I can't {deal} my {matter}.
Why can't I {deal} my {matter}?
why is my {matter} not working
why was my {matter} declined
Why is my {matter} still pending?
My {matter} has not arrived yet.
My {matter} was stolen {when}.
I lost my {matter}, what should I do?
I think somebody used my {matter}.
There is a {matter} on my {matter} that I do not recognize.
I was charged twice for the {matter}.
the {matter} is wrong
The {matter} on my {matter} is wrong.
Is there a fee if I {deal} my {matter}?
what is the fee for the {matter}
How long does it take to {deal} a {matter}?
how long until my {matter} arrives
when will my {matter} be ready
When is the {matter} due?
where is my {matter}
Where can I {deal} a {matter}?
what is my {matter}
What's the {matter} for my {matter}?
what is the best {matter} near me
Which {matter} should I {deal}?
which countries can i {deal} the {matter} in
do I need a {matter} to {deal} the {matter}
am i allowed to {deal} a {matter}
tell me about my {matter}
show me my {matter} for {when}
remind me to {deal} the {matter} {when}
did i {deal} my {matter}
how many {matter}s do i have
how much is the {matter}
how much did i spend on {matter} {when}
what does {matter} mean
is the {matter} open {when}
what's the {matter} like in {place}
{deal} my {matter}
{deal} the {matter} in the {matter}
{matter} {when}
new {matter}
My {person} needs help with the {matter}.
{name} asked me to {deal} the {matter}.
{name} forgot to {deal} the {matter} {when}.
The assistant should {deal} the {matter} every week.
We talked about the {matter} and the {matter}.
Thanks, the {matter} is fine now.
yes, {deal} it
no, that is not right
"""
