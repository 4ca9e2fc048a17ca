"""How it was computed, and how to compute it again."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import numpy as np

from ..section import Section
from ..study import Study

LIBRARIES = ("partita", "numpy", "scipy", "numba", "scikit-learn")


def make(study: Study) -> Section:
    """Settings, versions, seed and command."""
    posterior, estimate = study.posterior, study.estimate
    loss = getattr(estimate.loss, "name", type(estimate.loss).__name__)
    rows = {
        "draws": f"{posterior!r}".removeprefix("PartitionPosterior: "),
        "estimate": f"least expected {loss}, {estimate.expected_loss:.4g} ± {estimate.standard_error:.2g}; "
        f"search: {estimate.search}",
        "credible ball": f"{getattr(study.ball.metric, 'name', '')}, level {study.ball.level:g}",
        **{str(name): value if name == "estimator" else _show(value) for name, value in study.settings.items()},
        "seed": "not known" if study.seed is None else str(study.seed),
        "versions": ", ".join(f"{name} {version(name)}" for name in LIBRARIES),
        "python": f"{platform.python_version()} on {platform.system()} {platform.machine()}",
        "written": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
    }
    rows.pop("random_state", None)
    lead = "The same data, settings and seed give the same draws and the same answer."
    return Section(
        "method", "How it was computed", lead, "method.html", text={"rows": rows, "command": _command(study)}
    )


def _command(study: Study) -> str:
    """What was typed, or what could have been."""
    if study.command is not None:
        return study.command
    if not study.settings:
        return 'import partita as pt\n\npt.write_report(posterior, "report.html")  # the draws, as they were given'
    choices = {name: value for name, value in study.settings.items() if name != "estimator"}
    arguments = ", ".join(f"{name}={_show(value)}" for name, value in choices.items())
    return (
        f"import partita as pt\n\nresult = pt.{study.settings['estimator']}({arguments}).fit(X)\n"
        'pt.write_report(result, "report.html", data=X)'
    )


def _show(value: Any) -> str:
    return f"array of shape {value.shape}" if isinstance(value, np.ndarray) else repr(value)
