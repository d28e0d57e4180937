"""Words so general that they carry no fact of their own: a paraphrase may bring them along unseen.

Reporting verbs, abstract nouns, qualities, time and quantity words, and the classes that summaries name things by
("pet", "instrument"). No concrete thing is listed: a new food, place or animal in a statement is a claim.
"""

from __future__ import annotations

from precis.language.words import stem

_PLAIN = """
user assistant agent customer client speaker author person people someone somebody everyone others another individual
member participant team group partner colleague friend family relative child parent couple community company
organization conversation message memory note statement chat dialogue discussion session summary topic question answer
reply response say said tell told state stated mention mentioned noted report reported add added explain explained
describe described express expressed share shared discuss discussed talk talked speak ask asked answered respond
suggest suggested recommend recommended advise propose proposed offer offered request requested inquire inform
informed announce announced confirm confirmed agree agreed acknowledge admit claim argue emphasize emphasized stress
highlight highlighted point reveal revealed reflect reflected remind remark comment indicate imply encourage
encouraged reassure reassured congratulate thank appreciate apologize complain warn promise invite welcome compliment
praise wish hope believe think feel felt know understand realize realized recognize consider considered decide decided
choose chosen plan planned intend intended want wanted need needed prefer preferred like liked love loved enjoy
enjoyed hate dislike care value find found see seen view look looking watch hear listen notice remember recall forget
learn learned discover discovered experience experienced try tried attempt attempted manage managed able ability
capable allow allowed enable help helped helping assist assistance support supported supporting give given provide
provided receive received get got gain gained obtain acquire have own possess take taken bring brought put set keep
kept hold held maintain continue continued remain remained stay stayed leave left start started begin began beginning
stop stopped end ended finish finished complete completed become became turn change changed changing improve improved
improvement increase increased decrease reduce reduced grow growth growing develop developed development make made
making create created creating creation build built work worked working job task do done doing perform performed act
action activity activities use used using usage involve involved involving include included including inclusion
contain consist relate related relation regarding concern concerned concerning focus focused focusing center
prioritize lead leading led follow followed following go went gone going come came coming move moved arrive return
returned visit visited travel traveled attend attended attending participate participated participation join joined
meet met meeting gather gathering engage engaged engaging engagement interact interaction connect connected connection
communicate communication collaborate collaboration spend spent pay cost buy bought purchase purchased sell order live
lived living life reside based located location place area region site spot home house time times date day days week
weeks weekly month months monthly year years yearly annual hour hours minute minutes moment period while today
yesterday tomorrow tonight morning afternoon evening night weekend recent recently current currently now present
presently past previous previously former formerly earlier early late later latest last next upcoming future soon ago
already still yet again always often frequently regularly regular usually usual typically sometimes occasionally
rarely never ever once twice first second third finally final eventually initially initial originally original
meanwhile since before after during until daily ongoing constant constantly annually also too additionally addition
furthermore moreover besides however although though despite whereas nevertheless therefore thus hence consequently
accordingly instead rather otherwise because due reason reasons cause caused result results resulting effect impact
influence consequence purpose goal goals aim aimed objective target example instance case such especially particularly
specifically mainly mostly primarily generally general overall entire entirely whole total totally completely full
fully partly partially almost nearly about around approximately roughly exactly quite really truly very highly
extremely deeply strongly greatly significantly significant simply just only even much many more most less least
several various variety different difference numerous multiple number amount lot lots few some any all each every both
either neither none part parts piece bit rest half kind kinds type types sort form forms way ways manner method
approach style means thing things something anything everything nothing item items object stuff matter matters issue
issues problem problems challenge challenges challenging difficulty difficulties difficult hard easy easily simple
complex situation circumstance condition conditions status position role roles stage level levels degree range scope
aspect aspects feature features quality qualities nature character characteristic detail details detailed fact facts
information idea ideas thought thoughts opinion opinions perspective perspectives viewpoint belief beliefs views
feeling feelings emotion emotions emotional mood attitude interest interests interested interesting passion passionate
hobby hobbies habit habits routine preference preferences choice choices option options decision decisions desire
intention dream dreams ambition aspiration aspirations expectation expectations expect expected anticipate anticipated
anticipation excitement excited exciting eager eagerness enthusiasm enthusiastic enthusiastically happy happiness
happily joy joyful glad pleased pleasure pleasant delight delighted satisfaction satisfied satisfying proud pride
grateful gratitude thankful appreciation appreciative hopeful optimistic positive positively positivity negative
negatively sad sadness upset disappointed disappointment frustrated frustration frustrating angry anger worried worry
worries anxious anxiety nervous fear afraid scared concerns stressed stressful calm relaxed relax relaxing relaxation
comfort comfortable comforting peace peaceful tired busy surprised surprise surprising amazed amazing amazement
impressed impressive inspired inspiring inspiration motivated motivation motivating curious curiosity confident
confidence uncertain uncertainty unsure sure certain certainly clear clearly obvious possible possibly possibility
possibilities likely probably perhaps maybe potential potentially necessary important importance essential vital key
major main minor basic special specific particular unique common similar similarity same equal alike new newly old
young modern traditional good well better best great greater excellent wonderful fantastic nice fine lovely beautiful
beauty bad worse worst poor poorly perfect ideal right wrong correct true truth real reality actual actually honest
open close closely closed near nearby far away together alone along apart high higher low lower big bigger large
larger small smaller little long longer short shorter wide deep strong stronger strength weak weakness weaknesses fast
quick quickly slow slowly gradually sudden suddenly immediately meaningful meaning significance valuable worth
worthwhile useful helpful effective effectively efficiency efficient efficiently successful successfully success
succeed fail failed failure achieve achieved achievement achievements accomplish accomplished accomplishment
accomplishments progress advance overcome overcoming face faced facing deal dealing cope coping handle struggle
struggles struggled struggling effort efforts dedicated dedication commitment committed determined determination
persevere perseverance resilience hardworking practice practicing skill skills talent talents talented knowledge
knowledgeable understanding awareness aware insight insights wisdom lesson lessons education educational background
history story stories memories moments event events occasion occasions occurrence happen happened happening occur
occurred celebrate celebrated celebration trip trips journey adventure adventures outing outdoors outdoor indoor
opportunity opportunities chance benefit benefits beneficial advantage advantages disadvantage gift reward rewarding
risk risks safe safety security secure danger dangerous health healthy healthier wellbeing wellness physical
physically mental mentally personal personally private public social socially professional professionally career
careers business industry field profession occupation employment workplace project projects program programs plans
planning strategy strategies step steps process processes procedure system systems service services product products
resource resources tool tools equipment device material materials source sources supply money financial financially
finance budget price prices expensive cheap affordable free costs expense expenses fee payment relationship
relationships friendship friendships bond bonding marriage romantic companion companionship companions pet pets animal
animals creature food meal meals dish dishes cuisine drink beverage snack ingredient ingredients recipe clothing
outfit vehicle transportation music musical song instrument performance art artistic artwork creative creativity
creatively craft book books reading read write written writing literature game games gaming sport sports exercise
fitness entertainment fun film show media picture image photo video design designed technology technological technical
electronic online digital document documents file natural environment environmental landscape scenery scene weather
season seasonal city town country countries nation national international local locally global world worldwide society
cultural culture cultures tradition traditions language members membership network organizations organize organized
organizing institution government political law legal rule rules policy policies rights responsibility
responsibilities responsible duty leader leadership model expert advice guidance guide guided feedback review
suggestion suggestions recommendation recommendations requests proposal agreement arrangement arrange arranged
appointment schedule scheduled scheduling prepare prepared preparing preparation preparations ready check checked test
tests trial mutual mutually supportive kindness caring compassion compassionate loving affection respect respectful
respected trust trusted honesty courage courageous brave bravery patience patient humor funny generous generosity
empathy identity self personality values valued belonging acceptance accepting accepted accept diversity diverse
inclusive equality freedom independence independent dependent depend depends depending avoid avoided avoiding prevent
protect protected protection save saved saving lose lost loss miss missed missing lack lacking absence remove removed
replace replaced replacement switch switched exchange transfer adjust adjusted adjustment adapt adapted modify
modified update updated upgrade shift transition transform transformation transformative transformed raise raised rise
fall drop cut limit limited limitation restrict exceed extend extended expand expanded expanding additional extra
further other else separate separately combine combined combination mix mixed balance balanced balancing match fit
suit suitable appropriate relevant proper properly available availability access accessible ease convenient
convenience serve serving treat treated treatment operate run running carry wear wearing stand sit walk walking showed
shown showing display displayed demonstrate demonstrated represent represented representing symbol symbolize
symbolizes symbolic portray depict illustrate appear appeared appearance seem seemed seems sound sounds looks evident
apparent visible expression expressing convey conveyed release contact call called calling name named known title
refer reference description define definition identify identified compare compared comparison contrast versus rank
rate rated rating measure count estimate predict prediction forecast evaluate evaluation assess assessment analyze
analysis examine explore explored exploring exploration research study studied studying investigate search seek
seeking seeked pursue pursued pursuing pursuit strive contribute contributed contributing contribution contributions
volunteer impactful donate charity promote promoting promoted foster fostering nurture nurturing cherish cherished
cherishes treasure embrace embraced embracing admire admired admiration adore adores fond fondly thrilled thrilling
intrigued fascinated captivated captivating vibrant stunning breathtaking remarkable incredible memorable
unforgettable enjoyable delightful refreshing soothing therapeutic healing heal boost boosted enhance enhanced
enhancing strengthen strengthened strengthening empower empowered empowering empowerment uplift may might would could
should uplifting spread unity unite sense fulfillment fulfilling fulfilled whether toward towards upon via within
without among amongst across beyond behind beside except per unlike throughout onto amid whose whatever whenever
wherever whichever somewhat somehow anyway indeed reach reached select selected selection package packages require
required requirement requirements demand demands conduct conducted comprise comprised comprises array vast
comprehensive extensive introduce introduced introducing introduction firm corporation corporate deliver delivered
delivers delivery aid aids assure assured powerful power powered attendee attendees willing willingness fan fans host
hosted hosts hosting vary varied varying distinct conflicting contrasting divided beginner novice inexperienced
advanced skilled proficient utilize utilized utilization operation operations function functions functional
functionality complicated uncomplicated straightforward effortless comprehend perceive perception impression query
queries enquire enquiry inquiry educate educates approaches variation variations scheme schemes mechanism decline
declined lessen lessens consume consumption utilise conclude concluded conclusion summarize summarized outline
outlined presented presentation cover covered covering coverage assign assigned assignment appoint appointed address
addressed addressing seeks resolve resolved resolution solve solution solutions settle determine ensure ensured
guarantee management managing manager oversee supervise monitor monitored track tracked record recorded recording
register registered registration enroll enrolled enrollment sign signed subscribe subscribed subscription discount
discounted bargain considerable considerably substantial substantially dramatic dramatically slight slightly mere
merely sole solely primary secondary spare central core crucial critical fundamental notable notably noteworthy
prominent popular popularity famous renowned familiar unfamiliar unusual strange ordinary normal typical average
existing prior subsequent subsequently preceding eventual imminent elder elderly aged adult adults teenager teenagers
youth senior seniors kid kids baby man men woman women male female boy girl guy lady husband wife spouse mother father
sibling brother sister son daughter grandparent users colleagues coworker coworkers teammate neighbor neighbors
neighborhood classmate student students teacher owner worker workers employee employees employer staff boss candidate
applicant viewer reader audience crowd fellow guest guests visitor visitors customers attract attracted attraction
appeal appealing charm charming elegant attractive lively energetic energy energizing intense intensity harsh gentle
gently soft warm warmth cozy cool quiet quietly loud bright colorful concept concepts theory notion principle
principles theme themes subject subjects context content factor factors element elements component components
structure structured pattern patterns sequence series chain list lists collection section sections chapter page pages
phase phases cycle trend trends statistics figure figures evidence proof signs signal indication hint clue trace
mystery asks asking tells telling says saying speaks speaking answers answering thinks thinking believes believing
knows knowing enabling lets letting makes takes taking gives giving goes comes gets getting puts keeps keeping holds
holding brings bringing buys buying pays paying sells selling sends sending sent spends spending leaves leaving loses
losing meets runs sits stands wins winning won win damage damaged harm harmful hurt injury injured accident incident
emergency crisis disaster trouble conflict argument dispute fight attack threat threatened crime criminal victim
suspect suspected suspicion accused accusation charge charged arrest arrested court judge police officer officers
official officials authority authorities minister president parliament election vote voted voter campaign protest war
military army force forces weapon weapons soldier soldiers death dead die died dying kill killed birth born alive
survive survivor decade decades century centuries era age ages anniversary birthday holiday holidays vacation weekday
semester quarter teamwork durable durability clean cleanliness furry reaction
"""

#: Stems of the listed words.
PLAIN = frozenset(stem(word) for word in _PLAIN.split())
