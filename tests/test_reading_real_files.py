"""Files as people have them: each is read rightly, or refused with a line that names the way out."""

from __future__ import annotations

import gzip
import json
import pickle

import pytest

import graph_files
import graphveil
from graph_files import from_pairs, labelled
from graphveil import Graph, InputError, cautions, preview, read
from graphveil.cli.spelling import as_typed
from graphveil.formats import arrow

folder, reading = graph_files.folder, graph_files.reading  # pytest finds fixtures by their names here

HUGO, CLARA, BEN = "Hugo Öberg 0", "Clara Öberg 3", "Ben de la Cruz"
READ = {
    # delimiters
    "blanks in names.csv": (f"source,target\n{HUGO},{CLARA}\n{CLARA},{BEN}\n", [(HUGO, CLARA), (CLARA, BEN)]),
    "blanks, no header.csv": (f"{HUGO},{CLARA}\n{CLARA},{BEN}\n", [(HUGO, CLARA), (CLARA, BEN)]),
    "header with blanks.csv": (
        "Person A,Person B\nAnna Lee,Bo Li\nBo Li,Cy Wu\n",
        [("Anna Lee", "Bo Li"), ("Bo Li", "Cy Wu")],
    ),
    "header with commas.txt": (f"source,target\n{HUGO},{CLARA}\n", [(HUGO, CLARA)]),
    "german excel.csv": (
        "\ufeffName A;Name B;Gewicht\r\nHugo von Berg;Clara Öberg Lee;0,5\r\nClara Öberg Lee;Ben;1,25\r\n",
        [("Hugo von Berg", "Clara Öberg Lee"), ("Clara Öberg Lee", "Ben")],
    ),
    "commas in names.csv": (
        "von;nach\nBerg, Hugo;Lee, Clara\nLee, Clara;Wu, Cy\n",
        [("Berg, Hugo", "Lee, Clara"), ("Lee, Clara", "Wu, Cy")],
    ),
    "excel hint.csv": ("sep=;\r\nsource;target\r\na;b\r\n", [("a", "b")]),
    "quoted.csv": ('source,target\n"Berg, Hugo","Lee\nClara"\n', [("Berg, Hugo", "Lee\nClara")]),
    "r.csv": ('"","from","to"\n"1","a","b"\n"2","b","c"\n', [("a", "b"), ("b", "c")]),
    "decimal commas.txt": ("1 2 0,5\n2 3 0,7\n", [(1, 2), (2, 3)]),
    "decimal commas and names.txt": ("a b 0,5\nb c 0,7\n", [("a", "b"), ("b", "c")]),
    "tabs in a csv.csv": ("source\ttarget\na b\tc d\n", [("a b", "c d")]),
    "bars.csv": ("source|target\na b|c d\n", [("a b", "c d")]),
    "utf-16.csv": ("source\ttarget\nZoë\tBo\n".encode("utf-16"), [("Zoë", "Bo")]),
    # columns
    "names and emails.csv": (
        "source_name,source_email,target_name,target_email,since\nAnn,a@x,Bo,b@x,1999\nBo,b@x,Cy,c@x,2001\n",
        [("a@x", "b@x"), ("b@x", "c@x")],
    ),
    "calls.csv": (
        "timestamp,caller,callee,duration\n17,Ann,Bo,3\n18,Bo,Cy,4\n",
        [("Ann", "Bo"), ("Bo", "Cy")],
    ),
    "u and v.csv": ("w,u,v\n0.5,Ann,Bo\n0.7,Bo,Cy\n", [("Ann", "Bo"), ("Bo", "Cy")]),
    "person_a.csv": ("person_a,person_b\nAnn,Bo\nBo,Cy\n", [("Ann", "Bo"), ("Bo", "Cy")]),
    "id_1.csv": ("weight,id_1,id_2\n1,5,6\n2,6,7\n", [(5, 6), (6, 7)]),
    "both.csv": ("source,target,source_name,target_name\n1,2,Ann,Bo\n2,3,Bo,Cy\n", [(1, 2), (2, 3)]),
    "target first.csv": ("target_id,source_id\n1,2\n2,3\n", [(1, 2), (2, 3)]),
    "camel.csv": ("fromNodeId,toNodeId,kind\n1,2,x\n", [(1, 2)]),
    "snap.txt": ("# FromNodeId\tToNodeId\n1\t2\n2\t3\n", [(1, 2), (2, 3)]),
    "pandas merge.csv": ("name_x,name_y,year\nAnn,Bo,2001\nBo,Cy,2002\n", [("Ann", "Bo"), ("Bo", "Cy")]),
    "dates beside.csv": ("from,to,from_date,to_date\nAnn,Bo,2001,2002\n", [("Ann", "Bo")]),
    "friends.csv": ("user,friend\nAnn,Bo\nBo,Cy\n", [("Ann", "Bo"), ("Bo", "Cy")]),
    "weights last.csv": ("kollege,freundin,gewicht\nAnn,Bo,3\nBo,Cy,4\n", [("Ann", "Bo"), ("Bo", "Cy")]),
    "ego.tsv": ("ego\talter\tage\nAnn\tBo\t31\n", [("Ann", "Bo")]),
    "gephi.csv": ("Source;Target;Type;Id;Label\nAnn;Bo;Undirected;0;\n", [("Ann", "Bo")]),
    # other formats
    "networkx.json": (
        '{"directed": false, "multigraph": false, "graph": {}, "nodes": [{"id": 1}, {"id": 2}, {"id": 3}], '
        '"edges": [{"source": 1, "target": 2}]}',
        ([(1, 2)], [3]),
    ),
    "d3.json": (
        '{"nodes": [{"id": "Ann", "group": 1}, {"id": "Bo"}], '
        '"links": [{"source": "Ann", "target": "Bo", "value": 1}]}',
        [("Ann", "Bo")],
    ),
    "old d3.json": (
        '{"nodes": [{"name": "Ann"}, {"name": "Bo"}], "links": [{"source": 0, "target": 1}]}',
        [("Ann", "Bo")],
    ),
    "cytoscape.json": (
        '{"elements": {"nodes": [{"data": {"id": "a"}}, {"data": {"id": "b"}}], '
        '"edges": [{"data": {"source": "a", "target": "b"}}]}}',
        [("a", "b")],
    ),
    "pairs.json": ('[["a", "b"], ["b", "c"]]', [("a", "b"), ("b", "c")]),
    "gephi.gexf": (
        '<?xml version="1.0"?><gexf xmlns="http://gexf.net/1.3" version="1.3"><graph defaultedgetype="undirected">'
        '<nodes><node id="0" label="Ann"/><node id="1" label="Bo"/></nodes>'
        '<edges><edge id="0" source="0" target="1" weight="2.0"/></edges></graph></gexf>',
        [("Ann", "Bo")],
    ),
}


@pytest.mark.parametrize("name", READ)
@pytest.mark.filterwarnings("error")
def test_read_rightly(reading, name):
    content, expected = READ[name]
    expected = from_pairs(*expected) if isinstance(expected, tuple) else from_pairs(expected)
    assert labelled(reading(content, name)) == expected


REFUSED = {
    "people.csv": ("name,department,age\nAnn,Sales,31\nBo,Sales,40\n", "--columns name,department"),
    "ids and names.csv": ("id,name\n1,Ann\n2,Bo\n", "--columns id,name"),
    "ages.csv": ("name,age\nAnn,31\nBo,40\n", "--columns name,age"),
    "authors.csv": ("author_1,author_2,author_3\nAnn,Bo,Cy\nBo,Cy,Di\n", "one line for each pair"),
    "many.csv": ("alpha,beta,gamma,since\nAnn,Bo,Cy,1\n", "--columns alpha,beta"),
    "two pairs.csv": ("from,to,source,target\na,b,c,d\n", "--columns from,to or --columns source,target"),
    "times first.csv": ("2021-03-01,Ann,Bo\n2021-03-02,Bo,Cy\n", "--columns 1,2"),
    "epoch first.txt": ("".join(f"16000{i} {i % 9} {(i + 1) % 9}\n" for i in range(10, 60)), "--columns 1,2"),
    "followers.csv": ("follower,followee\nAnn,Bo\nBo,Cy\n", "--undirected"),
    "chosen followers.csv": ("x,follower,followee\n1,Ann,Bo\n", "--undirected"),
    "gephi.csv": ("Source,Target,Type,Weight\nAnn,Bo,Directed,1\n", "--undirected"),
    "directed.json": (
        '{"directed": true, "nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2}]}',
        "--undirected",
    ),
    "directed.gexf": (
        '<gexf><graph defaultedgetype="directed"><nodes><node id="0"/><node id="1"/></nodes>'
        '<edges><edge source="0" target="1"/></edges></graph></gexf>',
        "--undirected",
    ),
    "no comma.csv": ("1 2\n2 3\n", "--delimiter): the columns are taken to be separated by commas"),
    "latin.csv": ("source,target\nZoë,Bo\n".encode("latin1"), "--encoding latin1"),
    "graph.pkl": (pickle.dumps({1: 2}), "write_graphml"),
    "graph.dat": (pickle.dumps(Graph), "write_graphml"),
    "book.xlsx": (b"PK\x03\x04", "CSV"),
    "notes.bin": (b"\x01\x02\x00\x03", "GraphML (.graphml)"),
    "matrix.txt": ("0 1 0\n1 0 1\n0 1 0\n", "mmwrite"),
    "named matrix.csv": (",A,B,C\nA,0,1,0\nB,1,0,1\nC,0,1,0\n", "mmwrite"),
    "graph.dot": ("graph {\n a -- b\n}\n", "gv2gml"),
    "config.json": ('{"a": 1}', '"links"'),
    "nothing.json": ("[]", "lists of pairs"),
    "broken.json": ('{"nodes": [\n', "line 2"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_the_way_out(reading, name):
    content, way_out = REFUSED[name]
    with pytest.raises(InputError) as caught:
        reading(content, name)
    assert way_out in as_typed(str(caught.value))
    assert "\n" not in as_typed(str(caught.value))


def test_the_way_out_leads_out(reading):
    chosen = reading(REFUSED["times first.csv"][0], "times first.csv", columns=(1, 2))
    assert labelled(chosen) == from_pairs([("Ann", "Bo"), ("Bo", "Cy")])
    assert reading(REFUSED["followers.csv"][0], "followers.csv", undirected=True).m == 2
    assert reading(REFUSED["no comma.csv"][0], "no comma.csv", delimiter=" ").m == 2
    assert "Zoë" in reading(REFUSED["latin.csv"][0], "latin.csv", encoding="latin1").labels
    with pytest.raises(graphveil.ParameterError, match="no encoding 'klingon'"):
        reading("a b\n", encoding="klingon")


def test_the_reading_is_data(reading):
    graph = reading(READ["calls.csv"][0], "calls.csv")
    assert graph.reading.columns == ("caller", "callee")
    assert graph.reading.example == ("Ann", "Bo")
    assert graph.reading.sides == (2, 2, 1)
    assert not graph.reading.chosen
    assert "Ann" not in repr(graph.reading)
    assert str(graph.reading).endswith("edges from the columns caller and callee, for example Ann – Bo")


def test_a_preview_says_what_would_be_taken(folder, reading):
    for name, (content, _) in READ.items():
        graph = reading(content, name)
        found = preview(folder / name)
        assert found.problem is None
        assert found.format == graph.reading.format
        if graph.reading.columns is not None and found.header is not None:
            assert found.columns == graph.reading.columns
    for name, (content, way_out) in REFUSED.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        found = preview(folder / name)
        assert "Ann" not in repr(found) or found.problem
        if found.problem:
            assert way_out in as_typed(found.problem)
    people = preview(folder / "people.csv")
    assert people.names == ("name", "department", "age")
    assert people.rows == (("Ann", "Sales", "31"), ("Bo", "Sales", "40"))
    assert ("name", "department") in people.candidates
    assert preview(folder / "nowhere.csv").format is None


# ---------------------------------------------------------------------- shapes


def kinds(graph: Graph) -> list[str]:
    return [caution.kind for caution in cautions(graph)]


def test_shapes_that_are_no_friendships(reading):
    clubs = "".join(f"Ann {i},{club}\n" for i in range(40) for club in ("chess", "go")[: 1 + i % 2])
    memberships = reading("person,club\n" + clubs, "clubs.csv")
    assert kinds(memberships) == ["memberships"]
    assert "project=True" in str(cautions(memberships)[0])
    few = reading("person,club\n" + clubs + "chess,go\n", "few.csv")
    assert kinds(few) == ["memberships"]
    unnamed = reading(clubs + "chess,go\n", "unnamed.csv", header=False)
    assert kinds(unnamed) == ["few-values"]
    ring = reading("".join(f"{i} {(i + 1) % 9}\n" for i in range(9)))
    assert kinds(ring) == ["no-triangles"]
    tree = reading("".join(f"{i} {i // 2}\n" for i in range(1, 30)))
    assert kinds(tree) == ["bipartite"]
    assert kinds(graphveil.generate(edges=300, seed=4)) == []


SPELLINGS = (
    ("1000", "1000.0"),
    ("007", "7"),
    ("ann@x.org", "Ann@X.org"),
    ("Ann Lee", "Ann\u00a0Lee"),
    ("Jo M\u00fcller", "Jo Mu\u0308ller"),
    ("Jo M\u00fcller", "Jo Mueller"),
    ("Ann", "\u200bAnn"),
)


def test_ids_that_are_no_people(reading):
    assert kinds(reading("source,target\nAnn,Bo\nAnn,NA\nBo,NA\n", "r.csv")) == ["missing-values"]
    with pytest.raises(InputError, match="rounded"):
        reading("source,target\n4.9E+10,Bo\n4.9E+10,Cy\n", "excel.csv")
    assert kinds(reading("source,target\nAnn,Bo\nTotal,\n", "sum.csv")) == ["empty-cells", "summary-row"]
    for first, second in SPELLINGS:
        spelled = reading(f"source,target\n{first},Bo\n{second},Cy\n", "twice.csv")
        assert kinds(spelled) == ["two-spellings"]
    assert kinds(reading("source,target\naB,Bo\nAb,Cy\n", "base64.csv")) == []


def test_projection_with_a_person_in_no_club(reading):
    """The club has the same id as somebody without one, and the last person a higher number than there are people."""
    with pytest.warns(UserWarning, match="projected 2 memberships in 1 club onto 4 people"):
        graph = reading("person,club\nann,chess\nbob,chess\nchess,\ndora,\n", "clubs.csv", project=True)
    assert sorted(graph.labels) == ["ann", "bob", "chess", "dora"]
    assert graph.m == 1
    assert [caution.kind for caution in graph.reading.cautions] == ["empty-cells"]
    assert "2 rows have no second id" in graph.reading.cautions[0].message


def test_projection_onto_people(reading, folder):
    content = "person,club\nAnn,chess\nBo,chess\nCy,chess\nCy,go\nDi,go\nEd,bridge\nAnn,chess\n"
    with pytest.warns(UserWarning, match="projected 6 memberships in 3 clubs onto 5 people: 4 pairs"):
        graph = reading(content, "clubs.csv", project=True)
    expected = [("Ann", "Bo"), ("Ann", "Cy"), ("Bo", "Cy"), ("Cy", "Di")]
    assert labelled(graph) == from_pairs(expected, ["Ed"])
    with pytest.warns(UserWarning, match="onto 3 people: 2 pairs"):  # the person 1 is not the club 1
        same_ids = reading("person_id,club_id\n1,1\n2,1\n2,2\n3,2\n", "same.csv", project=True)
    assert labelled(same_ids) == from_pairs([(1, 2), (2, 3)])
    big = "".join(f"{i},club\n" for i in range(20_000))
    with pytest.raises(InputError, match="max_memory"):
        reading("person,club\n" + big, "big.csv", project=True, max_memory="1MB")


# ---------------------------------------------------------------------- a second file


def test_vertices_with_attributes(folder, reading):
    (folder / "people.csv").write_text("name;id;age\nAnn;1;31\nBo;2;\nCy;3;40\n")
    with pytest.warns(UserWarning, match="1 person with edges"):
        graph = reading("1 2\n2 4\n", vertices=folder / "people.csv", keep_vertex_attributes=["age", "name"])
    assert graph.labels.tolist() == [1, 2, 3, 4]
    assert graph.vertex_attributes["age"].tolist() == [31, None, 40, None]
    assert graph.vertex_attributes["name"].tolist() == ["Ann", "Bo", "Cy", None]
    named = reading("source,target\nAnn,Cy\n", "named.csv", vertices=folder / "people.csv")
    assert labelled(named) == from_pairs([("Ann", "Cy")], ["Bo"])
    assert named.cleaning.vertex_attributes == ("id", "age")
    (folder / "twice.csv").write_text("id,age\n1,2\n1,3\n")
    with pytest.raises(InputError, match="1 is there twice"):
        reading("1 2\n", vertices=folder / "twice.csv")
    (folder / "others.csv").write_text("id,age\nx,2\ny,3\n")
    with pytest.raises(InputError, match="same ids"):
        reading("1 2\n", vertices=folder / "others.csv")


def test_a_folder_of_parquet_files(folder):
    import polars

    place = folder / "spark.parquet"
    (place / "year=2001").mkdir(parents=True)
    polars.DataFrame({"source": ["a"], "target": ["b"]}).write_parquet(place / "part-0.parquet")
    polars.DataFrame({"source": ["b"], "target": ["c"]}).write_parquet(place / "year=2001" / "part-1.parquet")
    (place / "_SUCCESS").write_text("")
    assert labelled(read(place)) == from_pairs([("a", "b"), ("b", "c")])
    polars.DataFrame({"other": ["b"], "target": ["c"]}).write_parquet(place / "part-2.parquet")
    with pytest.raises(InputError, match="different columns"):
        read(place)
    (folder / "empty").mkdir()
    with pytest.raises(InputError, match="this is a folder"):
        read(folder / "empty")


def test_attributes_of_gexf_and_json(reading):
    gexf = (
        '<gexf><graph><attributes class="node"><attribute id="a" title="age" type="integer"><default>7</default>'
        '</attribute></attributes><nodes><node id="x"><attvalues><attvalue for="a" value="31"/></attvalues></node>'
        '<node id="y"/></nodes><edges><edge source="x" target="y"/></edges></graph></gexf>'
    )
    graph = reading(gexf, "a.gexf", keep_vertex_attributes=["age"])
    assert dict(zip(graph.labels, graph.vertex_attributes["age"].tolist(), strict=True)) == {"x": 31, "y": 7}
    document = {
        "nodes": [{"id": "x", "age": 31}, {"id": "y"}],
        "links": [{"source": "x", "target": "y", "w": 1}],
    }
    graph = reading(json.dumps(document), "a.json", keep_vertex_attributes=["age"])
    assert graph.vertex_attributes["age"].tolist() == [31, None]
    assert graph.cleaning.edge_attributes == ("w",)


def test_files_that_networkx_writes(folder):
    import networkx

    club = networkx.karate_club_graph()
    networkx.write_gexf(club, folder / "club.gexf")
    (folder / "club.json").write_text(json.dumps(networkx.node_link_data(club, edges="links")))
    for name in ("club.gexf", "club.json"):
        assert labelled(read(folder / name)) == from_pairs(club.edges)


# ---------------------------------------------------------------------- Arrow reads the same


ODD_LISTS = [
    "a,b\nc,d\n",
    "a,b\r\nc,d\r\n",
    "a,b\rc,d\r",
    "a, b\n c,d\n",
    '"a",b\n"c,d","e\nf"\n',
    '"a ""b""",c\nd,e\n',
    "a,b\n# note\nc,d\n",
    'a,b\n\nc,\nd,""\n',
    "a b\nc d\n",
    "a  b\nc\td\n",
    "a b\nc\nd e\n",
    "a,b,1\nc,d,2\n",
    "a;b\nc;d\n",
]


@pytest.mark.parametrize("content", ODD_LISTS)
@pytest.mark.filterwarnings("ignore")
def test_arrow_reads_what_our_kernels_read(reading, monkeypatch, content):
    slow = reading(content)
    monkeypatch.setattr(arrow, "SMALL", 0)
    assert reading(content) == slow


def test_arrow_is_used_and_leaves_errors_to_the_kernels(reading, monkeypatch):
    used = []
    original = arrow.number_columns
    monkeypatch.setattr(arrow, "number_columns", lambda *columns: used.append(1) or original(*columns))
    lines = [f"name{i},name{i + 1}" for i in range(20_000)]
    assert reading("\n".join(lines), "names.csv").m == 20_000
    assert used
    lines[15_000] = "a,b,c"
    with pytest.raises(InputError, match="line 15001: 3 columns where the lines before have 2"):
        reading("\n".join(lines), "names.csv")
    content = "\n".join(lines[:15_000]).encode() + b"\nx,\xff\n"
    with pytest.raises(InputError, match="line 15001: a name that is not in UTF-8"):
        reading(content, "names.csv")


def test_compressed_real_files(reading):
    content, expected = READ["german excel.csv"]
    assert labelled(reading(gzip.compress(content.encode()), "german.csv.gz")) == from_pairs(expected)
