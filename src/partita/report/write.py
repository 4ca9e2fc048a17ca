"""``write_report``: one self-contained HTML page, with styles, scripts and data inside it."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._files import atomic_write, check_path
from ..decide import PartitionEstimate, PosteriorSummary
from ..decide.words import distance
from ..losses import Loss
from ..stability import StabilityResult
from .content import Content, make_content
from .sections import SECTIONS

TEMPLATES = Path(__file__).with_name("templates")
DIGITS = 5  # of a number on a chart
UNSAFE = str.maketrans({character: f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"})


def write_report(
    result: Any,
    path: str | os.PathLike[str],
    *,
    data: Any = None,
    estimate: PartitionEstimate | ArrayLike | None = None,
    stability: StabilityResult | None = None,
    level: float = 0.95,
    metric: str | Loss = "vi",
    title: str | None = None,
    command: str | None = None,
    notes: Sequence[str] = (),
) -> None:
    """Write a self-contained HTML page: the answer, how sure it is, who is in doubt, and how it was computed.

    The page needs no network and no other file, reads on a phone, and follows the reader's choice of light or dark.

    Parameters
    ----------
    result : PosteriorSummary, fitted model, Pipeline, PartitionPosterior, or anything ``from_any`` takes
        A summary is shown as it is; of anything else one is made, as by :func:`partita.summarize`.
    path : path
        Where to write, in a folder that exists. A file there is replaced only when the page is whole.
    data : array-like or DataFrame, shape (n_items, n_columns), optional
        The data, to draw clusters on. Without it items are placed by how often they are together.
    estimate : PartitionEstimate or array-like of int, optional
        The partition to report: that of the model, or the one with least expected variation of information, when
        left out.
    stability : StabilityResult, optional
        Stability under perturbation for the same items. Where data are numbers without gaps it is computed, from
        distances to the clusters' means, when left out.
    level, metric : float, str or Loss
        Of the credible ball, where the result is not a summary.
    title : str, optional
        Heading of the page.
    command : str, optional
        What to type to compute the same again.
    notes : sequence of str
        Sentences on the data: what columns were taken for, what was left out and why.

    See Also
    --------
    report_folder : from a folder of results.
    partita.plot.plot_partition : a single figure.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import partita as pt
    >>> posterior, _ = pt.datasets.make_noisy_draws(n_items=30)
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "report.html"
    >>> pt.write_report(posterior, path)
    >>> path.stat().st_size < 2_000_000
    True
    """
    written = check_path("path", path)
    if not written.name:
        raise ValueError(f"path must name a file: got {str(path)!r}.")
    content = make_content(
        result,
        data=data,
        estimate=estimate,
        stability=stability,
        level=level,
        metric=metric,
        title=title,
        command=command,
        notes=notes,
    )
    write_content(content, written)


def write_content(content: Content, path: Path) -> None:
    """Write the page, atomically."""
    page = render(content)
    with atomic_write(path) as partial:
        partial.write_text(page, encoding="utf-8")


def render(content: Content) -> str:
    """The whole page: styles, scripts and data inside it."""
    charts, script = (_template(name) for name in ("charts.js", "page.js"))
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
            style=_template("page.css"),
            charts=charts,
            script=script,
            policy=content_policy([charts, script]),
        )
    )


class Fact(NamedTuple):
    """A number worth a tile, and what it is."""

    value: str
    meaning: str
    good: bool | None = None


def facts(summary: PosteriorSummary) -> list[Fact]:
    """Number of clusters and its probability, items in doubt, radius of the ball, whether chains agree."""
    posterior, ball, n_clusters = summary.posterior, summary.ball, summary.estimate.n_clusters
    tiles = [
        Fact(str(n_clusters), "clusters in the estimate"),
        Fact(f"{summary.n_clusters_probability:.2f}", f"probability of exactly {n_clusters}"),
        Fact(str(summary.certainty.n_doubtful), f"of {posterior.n_items} items in doubt"),
        Fact(distance(ball.metric, ball.radius), f"radius of the {100 * ball.level:g}\xa0% credible ball"),
    ]
    if summary.diagnostics is not None:
        mixed, alone = summary.diagnostics.mixed, posterior.n_chains == 1
        verdict = "not mixed" if not mixed else "one chain" if alone else "agree"
        tiles.append(Fact(verdict, "Markov chains", mixed and not alone))
    return tiles


@cache
def _environment() -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined)
    environment.filters["json"] = lambda value: Markup(to_json(value))
    environment.filters["raw"] = Markup  # our own styles and scripts, never anything of the user's
    return environment


def _template(name: str) -> str:
    """One of our own files; browsers hash scripts with plain ends of lines, as this reads them."""
    return (TEMPLATES / name).read_text(encoding="utf-8")


def to_json(value: Any) -> str:
    """JSON that can stand inside a script element: nothing in it ends the element or begins another."""
    text = json.dumps(_plain(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.translate(UNSAFE)


def _plain(value: Any) -> Any:
    """Lists, dicts, strings and numbers; numbers to a few digits, and none where there is none."""
    if isinstance(value, dict):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None
    return value


def content_policy(scripts: list[str]) -> str:
    """What a browser may do with the page: run these scripts, no others, and fetch nothing from anywhere."""
    hashes = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii") for script in scripts)
    run = " ".join(f"'sha256-{value}'" for value in hashes)
    return (
        f"default-src 'none'; script-src {run}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )
