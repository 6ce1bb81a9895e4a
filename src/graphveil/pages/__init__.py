"""Pages from templates: one Jinja2 environment, one base page, one set of macros, one stylesheet.

Reports and the studio share them. Text is escaped unless it is `Markup`; a name that a template does not get is an
error, not an empty string. The templates lie in ``templates/``:

- ``base.html``: the frame of a page, with the blocks ``policy``, ``styles``, ``title``, ``header``, ``main``,
  ``footer`` and ``scripts``;
- ``macros.html``: section, card, cards, table, facts, meter, details, items, warning;
- ``style.css``, ``chart.css``: the stylesheet;
- ``notebook/``: what notebooks show of a value.

Charts are made by `graphveil.pages.chart`, drawings by `graphveil.publication.report.drawing`; they come as `Markup`.
"""

from graphveil.pages.rendering import environment, in_notebook, render, stylesheet

__all__ = ["environment", "in_notebook", "render", "stylesheet"]
