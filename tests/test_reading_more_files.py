"""Exports of other programs: each is read rightly, or refused with a line that names the way out.

All hold the same ring of twelve people, each a friend of the next two, so there are triangles.
"""

from __future__ import annotations

import pytest

import graph_files
import graphveil
from graph_files import from_pairs, labelled
from graphveil import InputError, cautions, preview
from graphveil.cli.spelling import as_typed

folder, reading = graph_files.folder, graph_files.reading  # pytest finds fixtures by their names here

RING = [(i, (i + step) % 12) for i in range(12) for step in (1, 2)]
IDS = [1000 + 7 * i for i in range(12)]
NAMES = [
    "Ann Lee",
    "Bo Li",
    "Cy Wu",
    "Di Roy",
    "Ed O'Hara",
    "Flo Díaz",
    'Gus "Gee" Kim',
    "Hal, Jr.",
    "Ida Öz",
    "Jo-Ann X",
    "Kai Ng",
    "Lu Mo",
]
MAILS = [f"user{i}@ex-ample.org" for i in range(12)]
PHONES = [f"+49 170 {1000000 + 12345 * i}" for i in range(12)]


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def lines(template: str, who: list = IDS, end: str = "\n") -> str:
    """A line for each friendship: ``{0}`` and ``{1}`` are the two, ``{i}`` its number."""
    return "".join(template.format(who[a], who[b], i=i) + end for i, (a, b) in enumerate(RING))


MATRIX = [[int((i, j) in RING or (j, i) in RING) for j in range(12)] for i in range(12)]
FIRST = [name.replace(",", "").split()[0] for name in NAMES]
FRIENDS = {i: [b for a, b in RING if a == i] for i in range(12)}
QUOTED = [quoted(name) for name in NAMES]

READ = {
    "excel in german.csv": (
        "\ufeffPerson 1;Person 2;Stärke\r\n" + lines("{0};{1};{i},50", QUOTED, "\r\n"),
        NAMES,
    ),
    "a column without name.csv": ("source,target,\n" + lines("{0},{1},"), IDS),
    "empty rows at the end.csv": ("source;target;since\n" + lines("{0};{1};2001") + ";;\n; ;\r\n", IDS),
    "gephi.csv": (
        "Source,Target,Type,Id,Label,timeset,Weight\n" + lines("{0},{1},Undirected,{i},,,1.0"),
        IDS,
    ),
    "neo4j.csv": (":START_ID,:END_ID,:TYPE\n" + lines("{0},{1},KNOWS"), IDS),
    "neo4j with labels.csv": (
        ":START_ID(Person),since:int,:END_ID(Person),:TYPE\n" + lines("{0},1999,{1},KNOWS"),
        IDS,
    ),
    "cypher.csv": ("p.name,q.name\n" + lines("{0},{1}", QUOTED), NAMES),
    "calls.csv": (
        "call_id;start_time;a_number;b_number;duration_s;cell_id\n"
        + lines("{i};2023-01-01 10:00:00;{0};{1};31;C1", PHONES),
        PHONES,
    ),
    "comment above.txt": ("# paper cites paper\n" + lines("{0}\t{1}"), IDS),
    "comments.txt": ("# by hand\r\n\r\n% more\r\n" + lines("{0}   {1}", end="\r\n") + "# end\r\n", IDS),
    "remarks.txt": (lines("{0} {1} # met in 1990"), IDS),
    "mail headers.csv": (
        "date,from,to\n" + lines('2001-05-01,"""{0}"" <{0}@x.org>","""{1}"" <{1}@x.org>"', FIRST),
        [f'"{name}" <{name}@x.org>' for name in FIRST],
    ),
    "utf-16 big endian.txt": (
        b"\xfe\xff" + ("from\tto\r\n" + lines("{0}\t{1}", MAILS, "\r\n")).encode("utf-16-be"),
        MAILS,
    ),
    "thousands.csv": (
        "source,target\n" + lines("{0},{1}", [quoted(f"{i:,}") for i in IDS]),
        [f"{i:,}" for i in IDS],
    ),
    "dots.csv": ("von;nach\n" + lines("{0};{1}", [f"{i:_}".replace("_", ".") for i in IDS]), None),
    "pandas floats.csv": ("source,target\n" + lines("{0}.0,{1}.0"), [f"{i}.0" for i in IDS]),
    "leading zeros.csv": ("source,target\n" + lines("00{0},00{1}"), [f"00{i}" for i in IDS]),
    "weights.txt": (lines("{0} {1} {i}.5"), IDS),
    "time, u, v.csv": ("ts,u,v\n" + lines("16000000{i},{0},{1}"), IDS),
    "pandas index.csv": (",source,target\n" + lines("{i},{0},{1}"), IDS),
    "fixed width.txt": ("person_one      person_two      since\n" + lines("{0:<16}{1:<16}2001"), IDS),
    "weight first.csv": ("gewicht;person1;person2\n" + lines("1,{i};{0};{1}"), IDS),
    "records.json": (
        "[" + lines('{{"from": "{0}", "to": "{1}", "w": 1}},', MAILS, "").rstrip(",") + "]",
        MAILS,
    ),
    "lines.jsonl": (lines('{{"source": {0}, "target": {1}}}'), IDS),
    "lines.json": (lines('{{"when": {i}, "caller": "{0}", "callee": "{1}"}}', MAILS), MAILS),
    "mails.tsv": (
        "timestamp\tsender\trecipient\tsubject\n" + lines('2001-01-01\t{0}\t{1}\tRe: "hi', MAILS),
        MAILS,
    ),
    "german names.csv": ("Name;Freund\n" + lines("{0};{1}", FIRST), FIRST),
    "networkx.edgelist": (lines("{0} {1} {{'weight': 3}}", FIRST), FIRST),
    "konect.tsv": ("% sym positive\n% 24 12 12\n" + lines("{0} {1} 1 1082008561"), IDS),
    "contacts.csv": ("date,person_i,person_j\n" + lines("2020-01-01,{0},{1}"), IDS),
    "managers.csv": ("employee,manager\n" + lines("{0},{1}"), IDS),
}


@pytest.mark.parametrize("name", READ)
@pytest.mark.filterwarnings("error")
def test_read_rightly(reading, name):
    content, who = READ[name]
    graph = reading(content, name)
    if who is None:
        assert (graph.n, graph.m) == (12, 24)
    else:
        assert labelled(graph) == from_pairs([(who[a], who[b]) for a, b in RING])
    assert cautions(graph) == ()


REFUSED = {
    "trailing commas.csv": ("source,target\n" + lines("{0},{1},"), "Give the header a name for each column"),
    "title above.csv": (
        "Survey of friends 2023,,\nsource,target,since\n" + lines("{0},{1},2001"),
        "Drop the lines above it",
    ),
    "nodes of gephi.csv": (
        "Id,Label,timeset,modularity_class\n" + "".join(f"{i},P{i},,1\n" for i in range(12)),
        "--vertices",
    ),
    "crm.csv": (
        "Record ID,Contact Name,Related Contact,Relationship,Created By\n"
        + lines("R-{i:05d},{0},{1},colleague,admin", QUOTED),
        "--columns 1,2",
    ),
    "salesforce.csv": (
        "Id,ContactId,RelatedContactId,Type\n" + lines("a{i},003{0},003{1},Friend"),
        "for example with --columns ContactId,RelatedContactId",
    ),
    "citations.csv": ("citing_paper_id,cited_paper_id\n" + lines("{0},{1}"), "--undirected"),
    "followers.tsv": ("user_id\tfollower_id\n" + lines("{0}\t{1}"), "--undirected"),
    "following.csv": ("user,following\n" + lines("{0},{1}", MAILS), "--undirected"),
    "followers.jsonl": (lines('{{"user": {0}, "follows": {1}}}'), "--undirected"),
    "named matrix.csv": (
        ","
        + ",".join(FIRST)
        + "\n"
        + "".join(f"{FIRST[i]},{','.join(map(str, MATRIX[i]))}\n" for i in range(12)),
        "mmwrite",
    ),
    "matrix.csv": ("".join(";".join(map(str, row)) + "\n" for row in MATRIX), "mmwrite"),
    "weighted matrix.txt": ("".join(" ".join(str(3 * x) for x in row) + "\n" for row in MATRIX), "mmwrite"),
    "friends in a cell.csv": (
        "name,friends\n"
        + "".join(f"{FIRST[i]},{quoted(', '.join(FIRST[b] for b in FRIENDS[i]))}\n" for i in range(12)),
        "one line for each pair",
    ),
    "recipients.csv": (
        "from,to\n" + "".join(f"{MAILS[i]},{'; '.join(MAILS[b] for b in FRIENDS[i])}\n" for i in range(12)),
        "one line for each pair",
    ),
    "neighbours.txt": (
        "".join(f"{i} {(i + 1) % 12} {(i + 2) % 12} {(i + 3) % 12}\n" for i in range(12)),
        "one line for each pair",
    ),
    "ragged neighbours.txt": (
        "".join(f"{i} {' '.join(str(j) for j in range(i))}\n" for i in range(9, 3, -1)),
        "--delimiter",
    ),
    "utf-16 without a mark.csv": (
        ("source,target\n" + lines("{0},{1}")).encode("utf-16-le"),
        "--encoding utf-16-le",
    ),
    "windows.csv": (("source;target\n" + lines("{0};{1}", QUOTED)).encode("cp1252"), "--encoding latin1"),
    "weight first.txt": (
        "".join(f"{i % 5 + 1} {IDS[a]} {IDS[b]}\n" for i, (a, b) in enumerate(RING)),
        "--columns 1,2",
    ),
    "number first.csv": (lines("{i},{0},{1}"), "--columns 1,2"),
    "time first.csv": (lines("2023-05-01T10:00:{i:02d}Z,{0},{1}"), "--columns 1,2"),
    "empty first cell.csv": ("source,target\n" + lines("{0},{1}") + ",77\n", "Fill it in, or skip such rows"),
    "names twice.csv": ("name,name,weight\n" + lines("{0},{1},1", QUOTED), "--columns 0,1"),
    "ids and names twice.csv": (
        "id,name,id,name\n" + "".join(f"{IDS[a]},{FIRST[a]},{IDS[b]},{FIRST[b]}\n" for a, b in RING),
        "--columns 0,2",
    ),
    "linkedin.csv": (
        'Notes:\n"When exporting your data ..."\n\nFirst Name,Last Name,URL,Company,Connected On\n'
        + "".join(f"{name},X,https://x/{name},Acme,01 Jan 2020\n" for name in FIRST),
        "contacts of one person",
    ),
    "psql.txt": (
        " user_id | friend_id \n---------+-----------\n" + lines("    {0} |      {1}") + "(24 rows)\n",
        "Export it as CSV",
    ),
    "markdown.md": ("| source | target |\n|---|---|\n" + lines("| {0} | {1} |"), "Export it as CSV"),
    "ucinet.dl": ("dl n=12 format=edgelist1\ndata:\n" + lines("{0} {1} 1"), "this format is not read"),
    "arrows.txt": (lines("{0} -> {1}"), "--columns 0,2"),
    "tuples.txt": (lines("({0}, {1})"), "JSON"),
    "python.txt": (str([(IDS[a], IDS[b]) for a, b in RING]) + "\n", "JSON"),
    "colons.txt": (lines("{0}::{1}::5"), "replace it by a tab"),
    "wide.csv": (
        "name,friend_1,friend_2\n" + "".join(f"P{i},P{(i + 1) % 12},P{(i + 2) % 12}\n" for i in range(12)),
        "one line for each pair",
    ),
    "wider.csv": (
        "id;friend1;friend2;friend3\n" + "".join(f"{i};{i + 1};{i + 2};{i + 3}\n" for i in range(12)),
        "one line for each pair",
    ),
    "dump.sql": ("".join(f"INSERT INTO edges VALUES ({a},{b});\n" for a, b in RING), "commands in SQL"),
    "dimacs.col": ("c a ring\np edge 12 24\n" + lines("e {0} {1}"), "--columns 1,2"),
    "contacts.dat": (
        "".join(f"{20 * i} {IDS[a]} {IDS[b]} 3B 3B\n" for i, (a, b) in enumerate(RING)),
        "--columns 1,2",
    ),
    "thousands without quotes.csv": (lines("{0:,},{1:,}"), "--columns"),
    "joined.csv": (("source,target\n" + lines("{0},{1}")) * 2, "line 26: the header is there again"),
    "unknown header.csv": ("Kollegin,Bekannte\n" + lines("{0},{1}", MAILS), "--header"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_the_way_out(reading, name):
    content, way_out = REFUSED[name]
    with pytest.raises(InputError) as caught:
        reading(content, name)
    assert way_out in as_typed(str(caught.value))
    assert "\n" not in as_typed(str(caught.value))


def test_the_way_out_leads_out(reading):
    ways = {
        "crm.csv": ({"columns": (1, 2)}, NAMES),
        "salesforce.csv": ({"columns": ("ContactId", "RelatedContactId")}, [f"003{i}" for i in IDS]),
        "citations.csv": ({"undirected": True}, IDS),
        "following.csv": ({"undirected": True}, MAILS),
        "utf-16 without a mark.csv": ({"encoding": "utf-16-le"}, IDS),
        "time first.csv": ({"columns": (1, 2)}, IDS),
        "ids and names twice.csv": ({"columns": (0, 2)}, IDS),
        "arrows.txt": ({"columns": (0, 2)}, IDS),
        "unknown header.csv": ({"header": True}, MAILS),
    }
    for name, (options, who) in ways.items():
        graph = reading(REFUSED[name][0], name, **options)
        assert labelled(graph) == from_pairs([(who[a], who[b]) for a, b in RING]), name


def test_a_preview_offers_columns_only_where_the_owner_must_choose(folder, reading):
    offered = {
        "ids and names twice.csv": (0, 2),
        "names twice.csv": (0, 1),
        "salesforce.csv": (1, 2),
        "crm.csv": (1, 2),
        "markdown.md": None,
        "matrix.csv": None,
        "named matrix.csv": None,
        "recipients.csv": None,
        "title above.csv": None,
    }
    for name, first in offered.items():
        content = REFUSED[name][0]
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        found = preview(folder / name)
        assert REFUSED[name][1] in as_typed(found.problem)
        assert (found.places[0] if found.places else None) == first, name
        assert [tuple(found.names[place] for place in pair) for pair in found.places] == list(
            found.candidates
        )


def test_what_looks_odd_is_read_when_the_owner_says_so(reading):
    assert reading("x,\nfrom,to\na,b\n", "people.csv", header=False).m == 2
    assert reading("x,y\nfrom,to\ny,b\n", "people.csv").m == 3
    assert reading("source,target\na,b\nsource,target\n", "people.csv", header=True).m == 2
    assert reading(REFUSED["recipients.csv"][0], "recipients.csv", columns=(0, 1), header=True).m == 12


def test_a_header_that_says_the_same_twice_is_asked_about(tmp_path):
    path = tmp_path / "same.csv"
    path.write_text("person,person\n" + "".join(f"Ann{i},Bob{i}\n" for i in range(12)))
    with pytest.raises(InputError, match=r"line 1: a header, or a friendship of person and person"):
        graphveil.read(path)
    assert graphveil.read(path, header=True, columns=(0, 1)).m == 12
