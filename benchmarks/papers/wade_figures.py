"""Figures 8 and 13 to 18 of Wade and Ghahramani (2018), from our own draws."""

import numpy as np
from claims import FIGURES, write_rows
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import partita as pt


def save(figure, name, dpi=80):
    """Write a figure to docs/figures/papers, small enough for a page."""
    FIGURES.mkdir(parents=True, exist_ok=True)
    FigureCanvasAgg(figure)
    figure.savefig(FIGURES / f"{name}.png", dpi=dpi)


def title(axes, text):
    """A short title in place of the one that a plot gives itself, and no legend."""
    axes.set_title(text, loc="left", fontsize=11)
    if axes.get_legend() is not None:
        axes.get_legend().remove()


def n_clusters(labels):
    return f"{int(np.max(labels)) + 1} clusters"


def draw_example2(X, truth, posterior, found, balls):
    """Figs 8, 13 and 14: estimates and balls on the data; Figs 15 and 16: the same as matrices of pairs."""
    figure = Figure((11, 8.4), layout="constrained")
    panels = figure.subplots(3, 4, sharex=True, sharey=True)
    shown = {"truth": truth} | {name: estimate.labels for name, estimate in found.items()}
    for axes, (name, labels) in zip(panels[0], shown.items(), strict=True):
        pt.plot.plot_partition(labels, X, ax=axes)
        title(axes, f"{name}: {n_clusters(labels)}")
    for line, (name, ball) in zip(panels[1:], balls.items(), strict=True):
        pt.plot.plot_credible_ball(ball, X, axes=line)
        for axes, kind in zip(line, ("center", "upper", "lower", "horizontal"), strict=True):
            labels = ball.center if kind == "center" else getattr(ball, kind)[0]
            title(axes, f"{name} ball, {kind}: {n_clusters(labels)}")
    for axes in panels.flat:
        axes.set_xlabel("")
        axes.set_ylabel("")
    save(figure, "wade-example2")
    figure = Figure((12, 5.6), layout="constrained")
    panels = figure.subplots(2, 5)
    for line, (name, ball) in zip(panels, balls.items(), strict=True):
        order = np.lexsort((ball.center, truth))
        line[0].imshow(posterior.similarity()[np.ix_(order, order)], cmap="Greys", interpolation="nearest")
        title(line[0], "similarity")
        pt.plot.plot_ball_coclustering(ball, truth, axes=line[1:])
        for axes, kind in zip(line[1:], ("center", "upper", "lower", "horizontal"), strict=True):
            title(axes, f"{name}, {kind}")
        for axes in line:
            axes.set_xticks([])
            axes.set_yticks([])
            axes.set_xlabel("")
            axes.set_ylabel("")
    save(figure, "wade-example2-pairs")


def draw_galaxies(velocity, density, binder, ball):
    """Figs 17 and 18: velocities against their estimated density, by estimate and by bound of the ball."""
    points = np.column_stack([velocity, density])
    shown = {"Binder": binder.labels, "VI": ball.center}
    shown |= {f"VI ball, {kind}": getattr(ball, kind)[0] for kind in ("upper", "lower", "horizontal")}
    figure = Figure((11, 5.6), layout="constrained")
    panels = list(figure.subplots(2, 3).flat)
    for axes, (name, labels) in zip(panels, shown.items(), strict=False):
        pt.plot.plot_partition(labels, points, ax=axes)
        title(axes, f"{name}: {n_clusters(labels)}")
        axes.set_xlabel("1000 km/s")
        axes.set_ylabel("density")
    panels[-1].set_axis_off()
    save(figure, "wade-galaxies")
    header = ("velocity", "density", *(name.replace(", ", " ").replace(" ", "_").lower() for name in shown))
    rows = zip(velocity, density.round(5), *(np.asarray(labels) for labels in shown.values()), strict=True)
    write_rows("wade-galaxies", header, rows)
