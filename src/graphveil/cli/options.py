"""Every option, described once: its name, what it takes, its default, its help, its group.

The command line, the forms of the studio, the command lines and scripts that it shows, the files of ``--config`` and
the reference page are all made from these rows. The guarantees among them come from the table of guarantees.
`graphveil.cli.commands` makes options of Click from the rows, and `graphveil.cli.kinds` says what they may take.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from graphveil.cli.kinds import (
    AIM,
    ATTACKER,
    COLUMNS,
    DEGREE_METHOD,
    DELIMITER,
    FACTOR,
    FLAG,
    FORMAT_OF_FILE,
    FORMAT_TO_WRITE,
    IDS,
    LANGUAGE,
    METHOD,
    NAMES,
    PAGE,
    PAIRS,
    PSEUDONYMS,
    REPORT,
    SHARE,
    SHARE_LEFT,
    SHARES,
    SWITCH,
    TIME,
    WAYS,
    WISHES,
    path,
    text,
    whole,
    wholes,
    wholes_or_off,
)
from graphveil.cli.option import GUARANTEES, PUBLISHED, READING_FILE, REDUCTIONS, SEARCH, TIES, Option

if TYPE_CHECKING:
    from graphveil.goals import Goal

# ---------------------------------------------------------------------- the guarantees


# Commands that take guarantees: the least k, the default of the first one, and how many take several levels.
GUARANTEED = {"anonymize": (2, "25", 1), "verify": (1, "25", 99), "compare": (2, "5,10,25,50,100", 99)}


def guarantees(command: str) -> tuple[Option, ...]:
    """An option for each guarantee of the table, which is loaded only for a command that takes them."""
    if command not in GUARANTEED:
        return ()
    from graphveil.goals import GOALS

    least, default, several = GUARANTEED[command]
    row, *others = (_guarantee(each, least, place < several) for place, each in enumerate(GOALS.values()))
    words = f"{row.help} Several as 5,25" + (" give a folder for each." if command == "anonymize" else ".")
    if command != "compare":
        row = replace(row, kind=wholes_or_off(least))
        words += " With another guarantee, off leaves this one out."
    return replace(row, help=words, default=default), *others


def _guarantee(goal: type[Goal], least: int, several: bool) -> Option:
    """The option of a guarantee, named after its parameter."""
    if goal.bounds == "share":
        words = f"Nobody is part of more than this share of the {goal.of} with one number of {goal.what}, such as 0.5."
        kind = SHARE
    else:
        words = f"Every number of {goal.what} belongs to at least K {goal.of}."
        kind = wholes(least) if several else whole(least, metavar="K")
    return Option(goal.option(), kind, words, group=GUARANTEES, name=goal.parameter)


def levels_of(given: dict[str, Any]) -> dict[str, Any]:
    """Take the levels of guarantees out of what a command got; those that were not given are left out."""
    from graphveil.goals import GOALS

    known = [(goal.parameter, given.pop(goal.parameter, None)) for goal in GOALS.values()]
    return {name: level for name, level in known if level not in (None, ())}


# ---------------------------------------------------------------------- the rows


def under(heading: str, *rows: Option) -> tuple[Option, ...]:
    return tuple(replace(row, group=heading) for row in rows)


SEED = Option("--seed", whole(), "Random seed of the samples.", "7")
JSON = Option("--json", FLAG, "Print JSON only.", name="as_json")
FORCE = Option("--force", FLAG, "Replace a file of that name.")
QUICK = Option("--quick", FLAG, "Sample the measures that take long, and state the error.")
JOBS = Option("--jobs", whole(1), "Number of processes.", otherwise="one for each core")
FOLDER = Option("-o --output", path("FOLDER"), "The folder to write.", required=True)
KEEP = Option(
    "--keep-vertex-attribute",
    NAMES,
    "Write this attribute of people too, in GraphML or GML.",
    name="keep_vertex_attributes",
)
CONFIG = Option("--config", path("FILE"), "Take options from this TOML file; those that are typed win.")

OWN: dict[str, tuple[Option, ...]] = {
    "anonymize": (
        *under(
            REDUCTIONS,
            Option("--reduce", WISHES,
                "Take as many people as the changes allow out of groups below K (default 5) of this attacker, such "
                "as degree-and-triangles=5; several with commas, with weights as degree=5:2.",
                label="Reduce the risk by this attacker"),
            Option("--max-changes", SHARE,
                "With --reduce: the most friendships to change, for the guarantees too, as a share of all.", "5%",
                label="Most friendships to change"),
            Option("--until", SHARE,
                "With --reduce: stop with as few changes as are found for this share of the people, such as 95%.",
                label="Enough are safe at"),
        ),
        *under(
            SEARCH,
            Option("--method", METHOD, "How to change the graph.", "plan"),
            Option("--degree-method", DEGREE_METHOD, "How to reach --degree-k.",
                otherwise="plan if the method is plan, else kda"),
            Option("--keep-edges", FLAG,
                "Only add friendships, with plan. (add-greedy and add-intuit never delete any.)",
                label="Keep every friendship: only add, delete none"),
            Option("--budget", TIME,
                "Stop the search of plan after this time, such as 90s or 1h, and take the best so far.",
                otherwise="5m", label="Longest search"),
            Option("--after", path("FOLDER"),
                "Keep the changes of this earlier release of the same network, with plan.",
                label="An earlier release"),
            Option("--joint", whole(2),
                "With --after: every pair of mutual-friend counts over both releases belongs to at least N "
                "friendships, and with --degree-k every pair of degrees to N people.",
                label="Guarantee over both releases"),
            Option("--seed", whole(), "Random seed. Keep it secret.", otherwise="random"),
        ),
        *under(
            PUBLISHED,
            Option("-o --output", path("OUT"), "The folder to write.", required=True),
            Option("--format --output-format", FORMAT_TO_WRITE, "Format of the published graph.", "edgelist",
                name="to"),
            replace(KEEP, help="Publish this attribute of people too; several with commas.",
                label="Vertex attributes"),
            Option("--keep-identifying", FLAG,
                "Publish attributes even if fewer than K people share somebody's values."),
            Option("--generalize", PAIRS,
                "Publish classes of an attribute: age=5, born=month, city=FILE.csv (value, coarser, …), age=auto; "
                "auto alone finds the least for all.", label="Make attributes coarser"),
            Option("--group-rare", PAIRS,
                "Publish values of fewer than K people under one name, such as town=Other, or town=Other:40.",
                label="Rare values under one name"),
            Option("--suppress", SHARE, "Leave single values of at most this share of the people blank, such as 2%.",
                otherwise="nobody", label="People who may lose single values"),
            Option("--sensitive", NAMES,
                "Take this kept attribute as one that attackers want to know, not one that they know.",
                label="Sensitive attributes"),
            Option("--l-diversity", whole(2, metavar="L"),
                "With --sensitive: every group of people with the same values has L different sensitive values.",
                otherwise="counted only"),
            Option("--with-mutual-friends", FLAG,
                "Attributes of friendships: each combination also belongs to K friendships with the same "
                "mutual-friend count."),
            Option("--report", REPORT, "How much the reports measure; full takes minutes.", otherwise="brief",
                label="Reports"),
            Option("--pseudonyms", PSEUDONYMS,
                "With --after: same lets everybody follow people from one release to the next.", "fresh"),
            Option("--title", text(), "Title of the data set, for report and README.md.", ""),
            Option("--contact", text(), "Whom to ask about the data set.", ""),
            Option("--license", text(), "License of the data set, such as CC-BY-4.0.", ""),
            replace(FORCE, help="Replace OUT, if it holds what graphveil has published and nothing else."),
        ),
        replace(JSON, help="Print the certificate of each published graph as JSON, and nothing else."),
        CONFIG,
        Option("--save-config", path("FILE"),
            "Write the options and the seed of this run to a file for --config. Keep it secret."),
    ),
    "audit": (
        Option("-k", wholes(1), "Smallest size of a group; several as -k 5,25 or -k 5 -k 25.", "5,25"),
        Option("--at-most", FLAG, "Also count groups of exactly K as too small, as in the paper's Table I."),
        Option("--top", whole(), "Name this many of the most exposed.", "5"),
        Option("--friendships", whole(2), "Friendships of one person that an attacker combines.", "2"),
        Option("--within", FACTOR,
            "Also count attackers who know every number to within this factor; with 1.5, half as much again."),
        replace(KEEP, help="Count attackers who know this attribute of people too.",
            label="Attributes that attackers know"),
        Option("--who", IDS, "Look up this person only; given twice, the friendship of the two."),
        JSON,
    ),
    "verify": (
        Option("--original", path("FILE"), "The input of a published folder: verify its private part too."),
        Option("--after", path("FOLDER"), "The earlier release that the certificate names: count both together."),
        JSON,
    ),
    "restore": (
        Option("--columns", COLUMNS, "The columns with pseudonyms, by name or number from 0.", otherwise="detected",
            label="Columns with pseudonyms"),
        Option("--delimiter", DELIMITER, r"Character between columns, \t for a tab.", otherwise="detected"),
        Option("--header/--no-header", SWITCH, "Whether the first row names the columns.", otherwise="detected",
            label="First row names the columns"),
        Option("--exact", FLAG, "Write all cells unchanged, even if they look like a formula."),
        Option("-o --output", path("FILE"), "The file to write.", otherwise="RESULTS.restored.csv", label="Save as"),
        Option("--graph", path("FILE"),
            "The published graph that RESULTS are about: refuse if PRIVATE belongs to another."),
    ),
    "statement": (
        Option("--language", LANGUAGE, "The language of the statement.", "en"),
        Option("--format", PAGE, "Markdown or HTML.", "md"),
        Option("-o --output", path("FILE"), "The file to write.", otherwise="standard output"),
        FORCE,
    ),
    "studio": (
        Option("--port", whole(0, 65_535), "Port to listen on.", "0", otherwise="a free one"),
        Option("--no-browser", FLAG, "Only print the address."),
    ),
    "utility": (QUICK, SEED, JSON),
    "attack": (
        Option("--missing", SHARE_LEFT, "Share of the friendships that the attacker's graph lacks.", "0.1"),
        Option("--known", whole(), "Number of people whom the attacker knows from the start.", "0"),
        replace(SEED, help="Random seed: what is missing, who is known, the order of the vertices."),
        JSON,
    ),
    "compare": (
        Option("--methods", text("NAMES"), "Methods to compare, such as add-greedy,add-del.", "all"),
        Option("--aim", AIM, "Recommend the method with the fewest changes, or the least remaining risk.",
            "fewest-changes"),
        Option("--useful", SHARE, "Recommend only what keeps this usefulness.", "0.95"),
        Option("--attacker", ATTACKER, "Show changes against people exposed to this attacker.",
            "degree-and-triangles", label="Exposed to this attacker"),
        Option("--exposed-k", whole(2, metavar="K"), "Exposed: fewer than K match what the attacker knows.", "5"),
        Option("--max-changes", SHARES,
            "Also reduce the risk by the attacker, with plan, within these shares of the friendships; 1%,3%,5%.",
            label="Reduce the risk within these changes"),
        replace(SEED, help="Seed of the first run."),
        Option("--repeats", whole(1), "Run each method and K this many times, each time with the next seed.", "1"),
        replace(QUICK, label="Quick: sample what takes long"),
        JOBS,
        FOLDER,
        JSON,
        CONFIG,
    ),
    "reproduce": (
        Option("--data", path("DIR"), "Folder with the paper's graphs.", otherwise="GRAPHVEIL_DATA"),
        replace(SEED, help="Seed of the first run."),
        Option("--repeats", whole(1), "Number of seeds on small graphs; larger ones run under fewer.", "30"),
        JOBS,
        FOLDER,
    ),
    "convert": (
        Option("--to --format --output-format", FORMAT_TO_WRITE, "Format of OUT.", otherwise="by its name"),
        KEEP,
        Option("--people", path("PEOPLE"), "Write attributes of people into this second file, CSV or Parquet."),
        FORCE,
    ),
    "generate": (
        Option("--edges", whole(), "Number of friendships.", "1000000"),
        replace(SEED, help="Random seed. The same seed gives the same graph.", default="4"),
        Option("-o --output", path("FILE"), "The file to write.", required=True),
        Option("--format", FORMAT_TO_WRITE, "Format of FILE.", otherwise="by its name", name="to"),
        FORCE,
    ),
    "demo": (Option("-o --output", path("OUT"), "Keep what the demo publishes in this folder."),),
    "compile": (),
    "completion": (),
}  # fmt: skip

READING = under(
    READING_FILE,
    Option("--format --input-format", FORMAT_OF_FILE, "Format of FILE.", otherwise="detected"),
    Option("--delimiter", DELIMITER, "Character between columns.", otherwise="detected", label="Between columns"),
    Option("--columns", COLUMNS, "The two columns with the ids, by name or number from 0.",
        otherwise="by their names", label="Columns with the two people"),
    Option("--header/--no-header", SWITCH, "Whether the first line names the columns.", otherwise="detected",
        label="First line names the columns"),
    Option("--comments", text("CHARS"), "Characters that begin a comment line.",
        otherwise="#%, but a comment like a row is refused"),
    Option("--quotes/--no-quotes", SWITCH, "Whether names may be in quotation marks.", "yes"),
    Option("--encoding", text("NAME"), "Encoding of FILE, such as latin1.", otherwise="UTF-8 or UTF-16"),
    Option("--vertices", path("PEOPLE"), "Read the attributes of people from this second file (CSV).",
        label="Attributes of people"),
    Option("--project", FLAG, "Take FILE as memberships and join the people of the first column who share one.",
        label="These are memberships (person, club): join people who share one"),
    Option("--max-memory", text("SIZE"), "Memory that FILE may claim by compression or declarations, such as 8GB."),
    Option("--undirected", FLAG, "Take a directed graph as undirected.", label="Take a directed graph as undirected"),
    Option("--skip-bad-rows", FLAG, "Leave out rows without the first id or with too few columns.",
        label="Leave out rows without an id"),
    Option("--strict", FLAG, "Refuse a file in which anything would be merged or dropped."),
) + under(
    TIES,
    Option("--keep-edge-attribute", NAMES,
        "Keep this attribute of friendships; several with commas. Where one is repeated, numbers are added up, of "
        "dates the first is taken, others must agree; or name the rule, as in date=last: sum, min, max, first, "
        "last, count.", label="Keep attributes of friendships", name="keep_edge_attributes"),
    Option("--direction", WAYS, "What becomes of the direction of a friendship.", "drop"),
)  # fmt: skip

NAMED_FROM = ("anonymize", "convert")  # commands whose --format is that of what they write


def reading(format_flag: str) -> tuple[Option, ...]:
    """The rows of reading where the format of FILE has another name."""
    flags = f"{format_flag} --input-format"
    return tuple(replace(row, flags=flags) if row.name == "format" else row for row in READING)


def own(command: str) -> tuple[Option, ...]:
    """The rows of a command, without those of reading and of Spark."""
    return *guarantees(command), *OWN[command]


def options_of(command: str) -> dict[str, Option]:
    """The rows of a command that are its own and those of reading, by name."""
    rows = *reading("--from" if command in NAMED_FROM else "--format"), *own(command)
    return {row.name: row for row in rows}  # where both have one, its own


def group(command: str, heading: str) -> tuple[Option, ...]:
    """The rows of one group of a command."""
    return tuple(row for row in own(command) if row.group == heading)
