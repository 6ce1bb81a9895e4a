"""Published folders by strangers: no page that runs code is certified, no file is waited for, no name crashes."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

import graphveil
import publications
from graphveil.cli import main
from graphveil.publication.checking import check
from graphveil.publication.readme import readme
from graphveil.publication.restoring import restore
from graphveil.verification.documents import Certificate
from graphveil.verification.graph_files import read_graph
from graphveil.verification.harmless import is_harmless
from graphveil.verification.safe_files import sha256
from publications import publish

town = publications.town  # pytest finds fixtures by their names here


@pytest.fixture(scope="module")
def original(town, tmp_path_factory) -> graphveil.Publication:
    return publish(town, tmp_path_factory.mktemp("original") / "out")


@pytest.fixture
def out(original, tmp_path) -> Path:
    return Path(shutil.copytree(original.folder, tmp_path / "out"))


PAYLOADS = {
    "comment with the policy": "<!-- default-src 'none' --><img src=x onerror=alert(1)>",
    "svg onload": '<svg onload="alert(1)"></svg>',
    "svg script": "<svg><script>alert(1)</script></svg>",
    "refresh": '<meta http-equiv="refresh" content="0;url=http://example.org/">',
    "base": '<base href="http://example.org/">',
    "form": '<form action="http://example.org/"><input></form>',
    "javascript link": '<a href="javascript:alert(1)">x</a>',
    "link elsewhere": '<a href="http://example.org/">x</a>',
    "link with an entity": '<a href="java&#115;cript:alert(1)">x</a>',
    "svg link": '<svg><a href="javascript:alert(1)"><text>x</text></a></svg>',
    "xlink": '<svg><use xlink:href="data:image/svg+xml,x"/></svg>',
    "animate": '<svg><set attributeName="onload" to="alert(1)"/></svg>',
    "style attribute": '<p style="background:url(http://example.org/)">x</p>',
    "style element": "<style>@import 'http://example.org/'</style>",
    "iframe": '<iframe srcdoc="x"></iframe>',
    "template": "<template><p>x</p></template>",
    "noscript": "<noscript><p>x</p></noscript>",
    "math": "<math><mtext></mtext></math>",
    "unquoted": "<p class=x>x</p>",
    "upper case": "<SCRIPT>alert(1)</SCRIPT>",
    "slash": '<svg/onload="alert(1)"></svg>',
    "newline in a tag": '<svg\nonload="alert(1)"></svg>',
    "unclosed": "<div>",
    "closed twice": "</div>",
    "crossed": "<div><p></div></p>",
    "cdata": "<svg><![CDATA[<script>]]></svg>",
    "processing instruction": "<?xml version='1.0'?>",
    "tag in a title": "<svg><title><p>x</p></title></svg>",
    "zero byte": "<p>\x00</p>",
    "direction": "<p>\u202e</p>",
    "second body": "</main></body></html><p>x</p>",
    "event on a known element": '<details ontoggle="alert(1)" class="x">x</details>',
    "target": '<a href="#x" target="_blank">x</a>',
}


@pytest.mark.parametrize("what", PAYLOADS)
def test_a_page_that_could_do_more_than_be_read_is_not_certified(out, what):
    page = out / "public" / "report.html"
    good = page.read_bytes()
    assert is_harmless(good)
    for place in (b"</main>", b"</body>", b"<main"):
        bad = good.replace(place, PAYLOADS[what].encode() + place, 1)
        assert bad != good
        assert not is_harmless(bad)
    page.write_bytes(bad)
    certificate = out / "public" / "certificate.json"
    document = json.loads(certificate.read_text())
    document["report"]["sha256"] = hashlib.sha256(bad).hexdigest()
    certificate.write_text(json.dumps(document))
    assert any("report.html is not by graphveil" in problem for problem in check(out).problems)


@pytest.mark.parametrize(
    "change",
    [
        lambda page: page.decode().encode("utf-16"),
        lambda page: page.decode().encode("utf-16-le"),
        lambda page: b"\xef\xbb\xbf" + page,
        lambda page: page.replace(b'charset="utf-8"', b'charset="utf-7"'),
        lambda page: page.replace(b"default-src 'none'", b"default-src *"),
        lambda page: page.replace(b"img-src data:", b"img-src data: *"),
        lambda page: page.replace(b"<head>\n", b"<head>\n<script>alert(1)</script>\n"),
        lambda page: page.replace(b"</style>", b"p{background:url(//x)}</style>"),
        lambda page: page.replace(b"</style>", b"p{background:\\75rl(//x)}</style>"),
        lambda page: page.replace(b"</style>", b"p{background:cross-fade('//x')}</style>"),
        lambda page: page.replace(b"</style>", b"p{background:-webkit-cross-fade('//x')}</style>"),
        lambda page: page.replace(b"</style>", b"p{background:element(#x)}</style>"),
        lambda page: page.replace(b"</style>", b"p{width:calc(1px+paint(x))}</style>"),
        lambda page: page.replace(b"</style>", b"@layer x;</style>"),
        lambda page: page.replace(b"</style>", b"</style><script>alert(1)</script>"),
        lambda page: page.replace(b"<title>", b"<title></title><script>alert(1)</script><title>"),
        lambda page: page + b"<script>alert(1)</script>",
        lambda page: b"\n" + page,
        lambda page: b"",
    ],
)
def test_a_page_with_another_head_or_encoding_is_not_harmless(original, change):
    page = (original.public / "report.html").read_bytes()
    assert not is_harmless(change(page))


# ---------------------------------------------------------------------- files that are no files


def fifo(path: Path) -> None:
    os.mkfifo(path)


def zeros(path: Path) -> None:
    path.symlink_to("/dev/zero")


def link(path: Path) -> None:
    copy = path.parent.parent / f"copy-{path.name}"
    shutil.copy(path.parent / "graph.txt", copy) if (path.parent / "graph.txt").exists() else copy.write_text(
        "x"
    )
    path.symlink_to(copy)


def sparse(path: Path) -> None:
    with path.open("wb") as sink:
        sink.truncate(1 << 40)


@pytest.mark.parametrize("plant", [fifo, zeros, link, sparse])
@pytest.mark.parametrize("name", ["report.html", "README.md", "certificate.json", "graph.txt"])
def test_nothing_but_regular_files_is_opened(out, plant, name):
    path = out / "public" / name
    path.unlink()
    plant(path)
    assert main(["verify", str(out)]) in (1, 2)


@pytest.mark.parametrize("part", ["public", "private"])
def test_a_folder_that_is_a_link_is_not_followed(town, out, tmp_path, part):
    (out / part).rename(tmp_path / "elsewhere")
    (out / part).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(graphveil.InputError):
        check(out, original=town.original)


@pytest.mark.parametrize("name", ["public/\x00", "../../etc/passwd", "/dev/zero", "public/graph.txt\n"])
def test_odd_names_of_files_in_a_run_are_refused(town, out, name):
    path = out / "private" / "run.json"
    document = json.loads(path.read_text())
    document["files"][name] = document["files"].pop("public/graph.txt")
    path.write_text(json.dumps(document))
    found = check(out, original=town.original)
    assert not found
    assert any("run.json is damaged" in problem for problem in found.problems)


# ---------------------------------------------------------------------- a graph in parts


@pytest.fixture(scope="module")
def tables(town, tmp_path_factory) -> graphveil.Publication:
    return publish(town, tmp_path_factory.mktemp("tables") / "out", format="parquet")


def in_parts(out: Path, parts: dict[str, bytes]) -> Path:
    """Put parts in the place of the graph file, as Spark publishes them, and adapt certificate and README.md."""
    certificate = out / "public" / "certificate.json"
    document = json.loads(certificate.read_text())
    folder = out / "public" / document["graph"]["file"]
    folder.unlink()
    folder.mkdir()
    for name, content in parts.items():
        (folder / name).write_bytes(content)
    document["graph"]["sha256"] = sha256(folder)
    (out / "public" / "README.md").write_text(readme(Certificate.of(document)))
    document["readme"]["sha256"] = sha256(out / "public" / "README.md")
    certificate.write_text(json.dumps(document))
    return folder


def table(rows: pyarrow.Table) -> bytes:
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(rows, sink)
    return sink.getvalue().to_pybytes()


def zeros_and_ones(rows: int) -> bytes:
    columns = {"source": np.zeros(rows, np.int64), "target": np.ones(rows, np.int64)}
    return table(pyarrow.table(columns))


def test_parts_that_are_right_hold(out, tables, tmp_path):
    lines = (out / "public" / "graph.txt").read_bytes().splitlines(True)
    in_parts(out, {"part-00000.txt": b"".join(lines[:70]), "part-00001.txt": b"".join(lines[70:])})
    assert check(out)
    other = Path(shutil.copytree(tables.folder, tmp_path / "tables"))
    rows = pyarrow.parquet.read_table(other / "public" / "graph.parquet")
    in_parts(other, {"part-00000.parquet": table(rows[:70]), "part-00001.parquet": table(rows[70:])})
    assert any("container around them" in note for note in check(other).notes)
    assert check(other)
    (other / "public" / "graph.parquet" / "part-00000.parquet").rename(
        other / "public" / "graph.parquet" / "part-00002.parquet"
    )
    assert any("ascending order" in problem for problem in check(other).problems)


@pytest.mark.parametrize("parts", [1, 4])
def test_tables_in_parts_may_claim_no_more_than_one_table(tables, tmp_path, parts):
    out = Path(shutil.copytree(tables.folder, tmp_path / "out"))
    bomb = zeros_and_ones(12_000_000 // parts)
    in_parts(out, {f"part-0000{number}.parquet": bomb for number in range(parts)})
    (problem,) = check(out).problems
    assert "declares 12,000,000 rows, which its size does not hold" in problem


@pytest.mark.parametrize("further", [["a"], [1.5]])
def test_other_columns_of_a_part_are_not_read(tables, tmp_path, further):
    out = Path(shutil.copytree(tables.folder, tmp_path / "out"))
    in_parts(out, {"part-00000.parquet": table(pyarrow.table({"source": [0], "target": further}))})
    assert check(out).problems == ("graph.parquet: there is more in it than the graph",)


@pytest.mark.parametrize("parts", [1, 3])
def test_text_in_parts_is_not_copied_if_it_is_sparse(out, parts):
    folder = in_parts(out, {f"part-0000{number}.txt": b"0 1\n" for number in range(parts)})
    for part in folder.iterdir():
        os.truncate(part, (1 << 43) // parts)
    (problem,) = check(out).problems
    assert "bytes are holes" in problem


@pytest.mark.parametrize(
    "name",
    [
        "part-\x1b[31mevil\nholds  all fine",
        "\x1b]0;title\x07",
        "part-\udcff",
        "part-a b",
        "part-hidden-text-00000.txt",
    ],
)
def test_names_of_parts_are_shown_without_what_moves_a_terminal(out, name, capsys):
    in_parts(out, {"part-00000.txt": b"0 1\n"})
    (out / "public" / "graph.txt" / name).write_bytes(b"x")
    assert main(["verify", str(out)]) == 1
    shown = capsys.readouterr()
    assert "does not belong there" in " ".join(shown.out.split())
    assert "\x1b" not in shown.out + shown.err
    assert "\nholds" not in shown.out


# ---------------------------------------------------------------------- formulas in results


def test_formulas_in_the_cells_and_headers_of_results_are_guarded(original, tmp_path):
    results = tmp_path / "results.csv"
    results.write_text(
        'person,"=HYPERLINK(""http://x"")",rank\n0,=cmd(),-0.5\n1,@SUM(A1),+1e-3\n2,x;=y,Ann\n'
    )
    restore(original.private, results, tmp_path / "safe.csv")
    lines = (tmp_path / "safe.csv").read_text().splitlines()
    assert lines[0].startswith("person,\"'=HYPERLINK")
    assert [line.split(",", 1)[1] for line in lines[1:]] == ["'=cmd(),-0.5", "'@SUM(A1),+1e-3", "x;'=y,Ann"]
    restore(original.private, results, tmp_path / "exact.csv", exact=True)
    assert "\n" + (tmp_path / "exact.csv").read_text().splitlines()[1].split(",", 1)[1] == "\n=cmd(),-0.5"


@pytest.mark.parametrize("promised", [5.5, 1e300])
def test_a_level_that_cannot_be_names_the_file(out, promised):
    path = out / "public" / "certificate.json"
    document = json.loads(path.read_text())
    document["guarantees"][0]["promised"] = promised
    path.write_text(json.dumps(document, indent=2) + "\n")
    assert check(out).problems[0].startswith("certificate.json is damaged: k must be a whole number")


def test_a_matrix_cannot_declare_more_people_than_a_machine_holds(tmp_path):
    path = tmp_path / "graph.mtx"
    path.write_text("%%MatrixMarket matrix coordinate pattern symmetric\n33000000 33000000 1\n2 1\n")
    with pytest.raises(graphveil.VerificationError, match="it declares no size that fits"):
        read_graph(path, "mtx")


def test_a_folder_that_cannot_be_read_is_named(out, capsys):
    (out / "public" / "graph.txt").write_bytes(b"\x1f\x8b")
    assert main(["verify", str(out)]) == 1
    assert capsys.readouterr().out.startswith(f"{out}: the graph was not counted.")
