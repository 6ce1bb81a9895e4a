"""Words that occur in the names of columns, and what they say about a column."""

from __future__ import annotations

Roles = frozenset[tuple[str, str]]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _pairs(text: str) -> Roles:
    return frozenset((first, second) for first, _, second in (pair.partition("/") for pair in text.split()))


# The two ends of an edge. These words say so wherever they are met.
PLAIN_ROLES = _pairs("""
    source/target source/destination source/dest src/dst src/dest src/tgt src/trg src/target from/to caller/callee
    sender/receiver sender/recipient follower/followee follower/followed follower/following ego/alter who/whom
    origin/destination citing/cited payer/payee mentor/mentee inviter/invitee nominator/nominee parent/child
    quelle/ziel von/nach von/an absender/empfänger head/tail start/end
""")
# These may also belong to the first edge: believed only if nothing like them comes again.
POSSIBLE_ROLES = _pairs("""
    u/v i/j a/b x/y 1/2 0/1 left/right first/second user/friend person/friend member/friend name/friend id/friend
    node/neighbor node/neighbour ego/friend name/freund person/freund name/freundin person/freundin
""")
NEED_A_STEM = _pairs("a/b x/y 1/2 0/1 first/second left/right start/end")  # as in person_a and person_b
# An edge leads from one of these to the other end.
DIRECTION = _words("follower followers followee followees followed following follows citing cited cites")
# One of these and the other end are two different roles, but not so much as to refuse the file.
ONE_WAY = _words("""
    caller callee sender receiver recipient payer payee mentor mentee inviter invitee nominator nominee parent child
    absender empfänger
""")

IDS = _words("""
    id ids node nodes vertex key uuid guid number nr no num idx index person people user member account player actor
    author student employee customer agent profile participant resident subscriber respondent pid uid nodeid vertexid
""")
# One of these beside a person is the other end; several in a row are a list of friends.
RELATIONS = _words(
    "friend friends contact colleague neighbor neighbour peer freund freundin kollege kollegin nachbar"
)
ADDRESSES = _words("email mail e login username handle screen phone msisdn address user")
CALLED = _words("name names label full display title")
# Of an edge or of a person, never an id.
ATTRIBUTES = _words("""
    weight w value count since date time timestamp ts datetime day month year hour duration length type kind relation
    relationship category amount strength score distance age sex gender salary grade comment note text subject message
    body content direction
    lat lon latitude longitude status created updated start end begin gewicht datum uhrzeit zeit dauer jahr anzahl
    geschlecht frequency freq closeness color colour birthday birth zip postcode rating price
""")
MESSAGES = _words("comment note text subject message body content")  # of these
# Where people belong to.
PLACES = _words("""
    city town country region state department dept office team group club role class school company organisation
    organization event project paper movie course location ort stadt abteilung verein gruppe address position job
    item product book song film page post article publication journal venue room session channel band klasse kurs raum
    clubs groups teams events projects papers movies courses classes items rooms
""")
# What a cell says of a row that is a friendship, or is none.
YES = _words("yes y ja oui si sí true t wahr vrai x 1 1.0")
NO = _words("no n nein non nee false f falsch faux 0 0.0 -1")
REFUSALS = _words("""
    rejected declined denied refused pending requested blocked removed deleted unfriended unfollowed inactive ignored
    remove delete unfriend unfollow block abgelehnt ausstehend blockiert gelöscht entfernt
    blacklisted cancelled canceled expired invited unanswered unconfirmed waiting inaktiv offen
""")
# In the name of a column that says which rows are no friendships.
ENDED = _words(
    "unfriended unfollowed removed deleted ended rejected blocked inactive cancelled canceled expired"
)
STATUS = _words("status state stand zustand reply response antwort")
WEIGHTS = _words("weight weights w value val freq frequency count n strength gewicht anzahl")
# What stands where an id is missing.
MISSING = _words("""
    na n/a nan null none nil #n/a - -- ? . <na> missing unknown unbekannt anonymous anonym private withheld
    unavailable k.a. k.a
""") | {"keine angabe", "private number", "no answer", "not available", "prefer not to say"}
# Parts of the name of one person.
GIVEN = _words("first given fore forename firstname vorname")
FAMILY = _words("last family sur surname lastname nachname familienname")
