"""``write_report``: one self-contained HTML page."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from .._files import atomic_write
from ..decide import PartitionEstimate
from ..losses import Loss
from ..stability import StabilityResult
from .content import Content, make_content
from .page import render


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
    >>> path.stat().st_size < 8_000_000
    True
    """
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
    write_content(content, Path(path))


def write_content(content: Content, path: Path) -> None:
    """Write the page, atomically."""
    page = render(content)
    with atomic_write(path) as partial:
        partial.write_text(page, encoding="utf-8")
