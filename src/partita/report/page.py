"""The page around the sections."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from .content import Content
from .embed import content_policy, to_json
from .facts import facts
from .sections import SECTIONS

TEMPLATES = Path(__file__).with_name("templates")


def render(content: Content) -> str:
    """The whole page: styles, scripts and data inside it."""
    script = (TEMPLATES / "page.js").read_text(encoding="utf-8")
    sections = [section for section in (make(content) for make in SECTIONS) if section is not None]
    return (
        _environment()
        .get_template("page.html")
        .render(
            title=content.title,
            answer=content.summary.answer,
            caveats=content.summary.caveats,
            facts=facts(content.summary),
            sections=sections,
            style=(TEMPLATES / "page.css").read_text(encoding="utf-8"),
            script=script,
            plotly=_plotly(),
            policy=content_policy([_plotly(), script]),
        )
    )


@cache
def _environment() -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined)
    environment.filters["json"] = lambda value: Markup(to_json(value))
    environment.filters["raw"] = Markup  # our own styles and scripts, never anything of the user's
    return environment


@cache
def _plotly() -> str:
    """The charts' library, as the package brings it; browsers hash it with plain ends of lines."""
    from plotly.offline import get_plotlyjs

    return str(get_plotlyjs()).replace("\r\n", "\n").replace("\r", "\n")
