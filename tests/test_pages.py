"""Templates: text is escaped, what is missing is an error, and the stylesheet is one."""

from __future__ import annotations

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

from graphveil.pages import environment, render, stylesheet
from graphveil.pages.svg import join, markup

EVIL = "<script>alert(1)</script>"


def macro(source: str, **values: object) -> str:
    return environment().from_string('{% import "macros.html" as m %}' + source).render(**values)


@pytest.mark.parametrize(
    "source",
    [
        "{{ m.facts([(evil, evil)]) }}",
        "{{ m.items([evil]) }}",
        "{{ m.table(evil, (evil, evil), [[evil, evil]]) }}",
        "{% call m.card(evil) %}{{ evil }}{% endcall %}",
        "{% call m.section(evil, evil) %}{{ evil }}{% endcall %}",
        "{% call m.details(evil) %}{{ evil }}{% endcall %}",
        "{{ m.navigation([(evil, evil)]) }}",
    ],
)
def test_macros_escape_plain_strings(source):
    page = macro(source, evil=EVIL)
    assert "&lt;script&gt;" in page
    assert "<script" not in page


def test_markup_is_taken_as_it_is():
    assert "<b>bold</b>" in macro("{{ m.items([it]) }}", it=Markup("<b>bold</b>"))


def test_pieces_of_svg_escape_plain_strings():
    assert join([EVIL]) == "&lt;script&gt;alert(1)&lt;/script&gt;"
    assert "<script" not in markup('<text class="{kind}">{it}</text>', kind='"><script>', it=EVIL)


def test_what_a_template_does_not_get_is_an_error():
    with pytest.raises(UndefinedError):
        render("report/public.html")


def test_the_base_page_has_the_policy_before_anything_that_could_load():
    page = environment().get_template("base.html").render()
    assert page.index("default-src 'none'") < page.index("<link") < page.index("<style>")
    assert str(stylesheet()) in page
