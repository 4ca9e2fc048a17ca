"""Figures 4.1 to 4.3 of Koepke (2008), drawn anew: what the generator of shaped mixtures makes of its parameters."""

import numpy as np
from claims import Claim, write_rows
from figure_files import pyplot, save

import partita as pt

COMMON = {
    "n_items": 400,
    "n_features": 2,
    "n_clusters": 5,
    "weight_spread": 1.0,
    "scale_spread": 1.0,
    "random_state": 3,
}


def transforms(per_dimension):
    """Equally many of each type; a rotation turns two dimensions."""
    third = per_dimension / 3
    return {"n_rotations": 2 * third, "n_scalings": third, "n_translations": third}


CASES = {
    "4.1": [(f"greatest radius {r}", dict(severity=0.4, max_radius=r, **transforms(5))) for r in (None, 4.0, 2.0, 1.5)],
    "4.2": [(f"severity {a}", dict(severity=a, **transforms(5))) for a in (0.1, 0.2, 0.4, 0.75)],
    "4.3": [(f"{t} transforms per dimension", dict(severity=0.4, **transforms(t))) for t in (0, 2, 5, 12)],
}


def longest(mixture):
    """Ratio of the greatest to the least standard deviation of a component, the greatest over components."""
    ratios = []
    for j in range(len(mixture.scales)):
        points = mixture._sample_component(j, 2000, np.random.default_rng(j))
        roots = np.sqrt(np.linalg.eigvalsh(np.cov(points.T)))
        ratios.append(roots[-1] / roots[0])
    return max(ratios)


def study():
    """Data, number of modes and longest component of each case."""
    rows = []
    for figure, cases in CASES.items():
        for name, options in cases:
            data = pt.datasets.make_shaped_mixture(**COMMON, **options)
            modes = len(data.mixture.modes(n_starts=5))
            rows.append((figure, name, data, modes, data.mixture.proximities().max(), longest(data.mixture)))
    return rows


def generator_claims(rows):
    """As many modes as components, apart by at most the separation asked for."""
    free, checked = rows[0], rows[1:]
    yield Claim(
        "Koepke, chapter 4",
        f"mixtures have exactly as many modes as components ({len(checked)} mixtures of 5, transforms checked)",
        "with reasonably high probability",
        f"{sum(row[3] == 5 for row in checked)} of {len(checked)}; proximity up to {max(row[4] for row in rows):.3f}, "
        f"0.6 asked for; without checks hill climbing finds {free[3]} modes",
        "confirmed" if all(row[3] == 5 for row in checked) else "corrected",
    )
    yield Claim(
        "Koepke, Fig. 4.1",
        "without checks of transforms, long and thin clusters are more likely",
        "figure",
        f"longest component: ratio of its axes {free[5]:.1f} without, {checked[1][5]:.1f} with a greatest radius of 2",
        "confirmed" if free[5] > checked[1][5] else "open",
    )


def draw_generator(rows):
    """Densities and samples, one row of panels per figure of the thesis."""
    plt = pyplot()

    fig, axes = plt.subplots(3, 4, figsize=(9.6, 7.4), layout="constrained")
    for ax, (figure, name, data, *_) in zip(axes.flat, rows, strict=True):
        low, high = np.percentile(data.X, 1, axis=0), np.percentile(data.X, 99, axis=0)
        low, high = low - 0.15 * (high - low), high + 0.15 * (high - low)
        x, y = (np.linspace(low[c], high[c], 80) for c in range(2))
        grid = np.column_stack([axis.ravel() for axis in np.meshgrid(x, y)])
        ax.contourf(x, y, np.sqrt(data.mixture.density(grid)).reshape(80, 80), 12, cmap="Blues")
        ax.plot(*data.X.T, ".", color="k", ms=1.2)
        ax.set(xticks=[], yticks=[], xlim=(low[0], high[0]), ylim=(low[1], high[1]))
        ax.set_title(f"as {figure}: {name}", fontsize=8)
    save(fig, "koepke-generator", dpi=75)
    header = ("figure", "case", "modes", "greatest proximity", "longest component")
    write_rows("koepke-generator", header, [(f, n, m, f"{p:.4f}", f"{r:.3f}") for f, n, _, m, p, r in rows])
