"""Settings, versions, seed and command."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import numpy as np

from ...decide.words import loss_name
from ..content import Content
from ..section import Section

LIBRARIES = ("partita", "numpy", "scipy", "numba", "scikit-learn")


def make(content: Content) -> Section:
    """Settings, versions, seed and command."""
    summary = content.summary
    posterior, estimate, ball = summary.posterior, summary.estimate, summary.ball
    error = f"{estimate.expected_loss:.4g} ± {estimate.standard_error:.2g}"
    rows = {
        "draws": f"{posterior!r}".removeprefix("PartitionPosterior: "),
        "estimate": f"least expected {loss_name(estimate.loss)}, {error}; search: {estimate.search}",
        "credible ball": f"{loss_name(ball.metric)}, level {ball.level:g}",
        **{str(name): value if name == "estimator" else _show(value) for name, value in summary.settings.items()},
        "seed": "not known" if content.seed is None else str(content.seed),
        "versions": ", ".join(f"{name} {version(name)}" for name in LIBRARIES),
        "python": f"{platform.python_version()} on {platform.system()} {platform.machine()}",
        "written": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
    }
    rows.pop("random_state", None)
    lead = "The same data, settings and seed give the same draws and the same answer."
    return Section(
        "method", "How it was computed", lead, "method.html", text={"rows": rows, "command": _command(content)}
    )


def _command(content: Content) -> str:
    """What was typed, or what could have been."""
    if content.command is not None:
        return content.command
    settings = content.summary.settings
    if not settings:
        return 'import partita as pt\n\npt.write_report(posterior, "report.html")  # the draws, as they were given'
    choices = {name: value for name, value in settings.items() if name != "estimator"}
    arguments = ", ".join(f"{name}={_show(value)}" for name, value in choices.items())
    return (
        f"import partita as pt\n\nresult = pt.{settings['estimator']}({arguments}).fit(X)\n"
        'pt.write_report(result, "report.html", data=X)'
    )


def _show(value: Any) -> str:
    return f"array of shape {value.shape}" if isinstance(value, np.ndarray) else repr(value)
