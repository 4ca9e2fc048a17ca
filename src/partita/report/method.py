"""How it was computed: settings, versions, seed and command; and the same as a paragraph to paste, with references."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import numpy as np

from ..decide import PosteriorSummary
from ..decide.words import distance, loss_name, plural
from .charts import Section
from .content import Content

LIBRARIES = ("partita", "numpy", "scipy", "numba", "scikit-learn")
LOSSES = {  # in words
    "vi": "variation of information",
    "vi-bound": "lower bound of the variation of information",
    "binder": "Binder loss",
    "adjusted-rand": "adjusted Rand distance",
    "nvi": "normalized variation of information",
    "id": "information distance",
    "nid": "normalized information distance",
    "misclassification": "misclassification",
    "zero-one": "zero-one loss",
}
MODELS = {
    "BayesianMixture": "a Bayesian mixture model with an unknown number of clusters",
    "GeneralizedBayesClustering": "generalized Bayes product partitions",
}
REFERENCES = {
    "BayesianMixture": "Miller and Harrison (2018). Mixture models with a prior on the number of components. "
    "Journal of the American Statistical Association 113, 340-356.",
    "GeneralizedBayesClustering": "Rigon, Herring and Dunson (2023). A generalized Bayes framework for probabilistic "
    "clustering. Biometrika 110, 559-578.",
    "estimate": "Dahl, Johnson and Müller (2022). Search algorithms and loss functions for Bayesian clustering. "
    "Journal of Computational and Graphical Statistics 31, 1189-1201.",
    "ball": "Wade and Ghahramani (2018). Bayesian cluster analysis: point estimation and credible balls. "
    "Bayesian Analysis 13, 559-626.",
    "modes": "Balocchi and Wade (2025). Understanding uncertainty in Bayesian cluster analysis. arXiv:2506.16295.",
    "diagnostics": "Vehtari, Gelman, Simpson, Carpenter and Bürkner (2021). Rank-normalization, folding, and "
    "localization: an improved R-hat for assessing convergence of MCMC. Bayesian Analysis 16, 667-718.",
}
FUSED = " Components that did not fit their items, with no valley of the density between them, were fused in each draw."
GIVEN = "labels that were given"


def data_section(content: Content) -> Section | None:
    """What is known of how the data were read; nothing where nothing is."""
    if not content.notes:
        return None
    lead = f"{content.summary.posterior.n_items} items, one per row of the table."
    return Section("data", "What went in", lead, "list.html", text={"sentences": list(content.notes)})


def method_section(content: Content) -> Section:
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
    if summary.prior is not None:  # a default has a name, too
        rows["prior"] = repr(summary.prior)
    lead = "The same data, settings and seed give the same draws and the same answer."
    return Section(
        "method",
        "How it was computed",
        lead,
        "method.html",
        text={
            "rows": rows,
            "command": _command(content),
            "paragraph": describe_method(content),
            "references": references(content),
        },
    )


def _command(content: Content) -> str:
    """What was typed, or what could have been."""
    if content.command is not None:
        return content.command
    settings = content.summary.settings
    if "estimator" not in settings:
        return 'import partita as pt\n\npt.write_report(posterior, "report.html")  # the draws, as they were given'
    choices = {name: value for name, value in settings.items() if name != "estimator"}
    given = "X" if content.summary.constraints is None else "X, constraints=constraints"
    arguments = ", ".join(f"{name}={_show(value)}" for name, value in choices.items())
    return (
        f"import partita as pt\n\nresult = pt.{settings['estimator']}({arguments}).fit({given})\n"
        'pt.write_report(result, "report.html", data=X)'
    )


def _show(value: Any) -> str:
    return f"array of shape {value.shape}" if isinstance(value, np.ndarray) else repr(value)


def describe_method(content: Content) -> str:
    """What was computed, as the methods section of a paper says it."""
    summary = content.summary
    sentences = [_drawn(content), _constrained(summary), _estimated(summary), _ball(summary)]
    sentences += [_read(summary), _converged(summary)]
    return " ".join(sentence for sentence in sentences if sentence)


def references(content: Content) -> list[str]:
    """The papers behind what the paragraph names."""
    summary = content.summary
    used = [str(summary.settings.get("estimator")), "estimate", "ball"]
    if summary.estimate.search == GIVEN:
        used.remove("estimate")
    if summary.modes is not None:
        used.append("modes")
    if _r_hat(summary) is not None:
        used.append("diagnostics")
    return [REFERENCES[name] for name in used if name in REFERENCES]


def _drawn(content: Content) -> str:
    """Which model, which draws, which seed."""
    summary, settings = content.summary, content.summary.settings
    posterior, software = summary.posterior, f"partita {version('partita')}"
    items = plural(posterior.n_items, "item")
    if "estimator" not in settings:
        drawn = f"{plural(posterior.n_draws, 'draw')} of partitions of {items}"
        return f"We summarized {drawn} with {software}."
    name = settings["estimator"]
    how = f"{items} were clustered with {MODELS.get(name, name)} ({name} in {software})"
    prior = "" if summary.prior is None else f", under the prior {summary.prior!r}"
    chains = plural(posterior.n_chains, "chain")
    warmup = settings.get("n_warmup")
    first = "an automatic warm-up" if warmup == "auto" else f"{warmup} of warm-up"
    begun = "" if warmup is None else f" after {first}"
    each = posterior.n_draws // posterior.n_chains
    fused = FUSED if fuses(summary) else ""
    seed = "" if content.seed is None else f" (seed {content.seed})"
    return f"{how}{prior}. Markov chain Monte Carlo gave {chains} of {plural(each, 'draw')}{begun}{seed}.{fused}"


def fuses(summary: PosteriorSummary) -> bool:
    """Whether draws of components were made draws of clusters."""
    return bool(summary.settings.get("fuse")) and summary.constraints is None


def _constrained(summary: PosteriorSummary) -> str:
    known = summary.constraints
    if known is None:
        return ""
    pairs = f"{plural(len(known.must_link), 'must-link')} and {plural(len(known.cannot_link), 'cannot-link')}"
    return f"Pairs of items were constrained by {pairs}."


def _estimated(summary: PosteriorSummary) -> str:
    estimate = summary.estimate
    loss = LOSSES.get(loss_name(estimate.loss), loss_name(estimate.loss))
    value = f"{estimate.expected_loss:.3g} (Monte Carlo standard error {estimate.standard_error:.1g})"
    if estimate.search == GIVEN:
        return f"The posterior expected {loss} of the partition reported, which was given, is {value}."
    return f"The partition reported has the least posterior expected {loss} found, {value}; search: {estimate.search}."


def _ball(summary: PosteriorSummary) -> str:
    ball = summary.ball
    metric = LOSSES.get(loss_name(ball.metric), loss_name(ball.metric))
    radius = distance(ball.metric, ball.radius)
    return f"Its {100 * ball.level:g}\xa0% credible ball in {metric} has a radius of {radius}."


def _read(summary: PosteriorSummary) -> str:
    """How many readings, where there are several."""
    if summary.modes is None:
        return ""
    loss = LOSSES.get(loss_name(summary.modes.loss), loss_name(summary.modes.loss))
    nearest = f"the weighted set of partitions nearest to it in Wasserstein distance under {loss}"
    return f"The posterior was also summarized by {nearest}: {summary.modes.title.lower()}."


def _converged(summary: PosteriorSummary) -> str:
    """R-hat and effective draws, with the verdict where the chains have not mixed."""
    found = summary.diagnostics
    if found is None:
        return ""
    r_hat, effective = _r_hat(summary), found.table["ess_bulk"].min()
    at_least = f"at least {effective:.0f} effective draws" if np.isfinite(effective) else ""
    parts = [part for part in (f"R-hat of at most {r_hat:.2f}" if r_hat is not None else "", at_least) if part]
    what = "number of clusters, entropy and largest cluster among them"
    numbers = f"The quantities monitored ({what}) had {' and '.join(parts)}." if parts else ""
    return numbers if found.mixed else f"The chains had not mixed. {numbers}".strip()


def _r_hat(summary: PosteriorSummary) -> float | None:
    """The largest, None where there is none: of one chain, and of quantities that never change."""
    if summary.diagnostics is None:
        return None
    largest = float(summary.diagnostics.table["r_hat"].max())
    return largest if np.isfinite(largest) else None
