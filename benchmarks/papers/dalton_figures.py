"""Figures 3 to 6 of Dalton et al. (2015), drawn from the csv files that dalton.py writes."""

import csv

import numpy as np
from claims import FIGURES
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

COLORS = {
    "optimal": "#000000",
    "pmax": "#0072b2",
    "pseed": "#d55e00",
    "pseed-fast": "#0072b2",
    "pseed-faster": "#d55e00",
    "classifier": "#009e73",
    "FCM": "#cc79a7",
    "k-means": "#e69f00",
    "complete": "#56b4e9",
    "single": "#7f7f7f",
    "random": "#bdbdbd",
}
MODELS = {1: "means and covariances known", 2: "means uncertain", 3: "means and covariances uncertain"}


def read(name):
    """Rows of a csv file, as dictionaries."""
    with (FIGURES / f"{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def save(figure, name):
    """Write a figure to docs/figures/papers, small enough for a page."""
    FigureCanvasAgg(figure)
    figure.savefig(FIGURES / f"{name}.png", dpi=110)


def tidy(axes, title="", x="", y=""):
    """Titles, labels and no frame."""
    axes.set_title(title, fontsize=10)
    axes.set_xlabel(x, fontsize=9)
    axes.set_ylabel(y, fontsize=9)
    axes.tick_params(labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)


def draw_small():
    """Fig. 3: empirical errors over the Hamming distance h, one panel per simulation."""
    rows = read("dalton-small")
    figure = Figure((9, 5.6), layout="constrained")
    for number, axes in enumerate(figure.subplots(2, 3, sharex=True, sharey=True).flat, start=1):
        error = {row["clusterer"]: float(row["empirical"]) for row in rows if int(row["simulation"]) == number}
        for name in ("random", "single", "complete", "k-means", "FCM", "classifier", "optimal"):
            if name in error:
                style = "--" if name == "classifier" else "-"
                axes.plot([0, 6], 2 * [error[name]], style, color=COLORS[name], lw=1.5, label=name)
        for kind, marker in (("pmax", "o"), ("pseed", "x")):
            values = [error[f"{kind} h={h - h % 2}"] for h in range(7)]
            axes.plot(range(7), values, marker, color=COLORS[kind], ms=5, label=kind.capitalize())
        sizes = "10:10" if number <= 3 else "12:8"
        tidy(axes, f"Simulation {number}, {sizes}\n{MODELS[(number - 1) % 3 + 1]}", "h" if number > 3 else "")
        axes.set_ylim(0, 0.45)
    figure.supylabel("mean share of misplaced points", fontsize=9)
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=9, fontsize=8, frameon=False)
    save(figure, "dalton-small")


def draw_rms():
    """Fig. 4: RMS of estimated minus exact errors over h, in Simulation 1."""
    rows = read("dalton-rms")
    figure = Figure((5.5, 3.6), layout="constrained")
    axes = figure.subplots()
    for name in dict.fromkeys(row["partition"] for row in rows):
        chosen = [row for row in rows if row["partition"] == name]
        plain = name.replace(" h=0", "")
        marker, style = ("x", ":") if plain == "pseed" else ("o", "-")
        h, values = ([float(row[key]) for row in chosen] for key in ("h", "rms"))
        axes.plot(h, values, ms=4, color=COLORS[plain], label=plain, marker=marker, ls=style)
    tidy(axes, "Simulation 1: how well a ball around the seed estimates errors", "h", "RMS of estimated minus exact")
    axes.set_ylim(0)
    axes.legend(fontsize=8, frameon=False)
    save(figure, "dalton-rms")


def draw_moderate():
    """Fig. 5: empirical errors and RMS of their estimates at n = 70."""
    rows = read("dalton-moderate")
    radii = [int(key[5:]) for key in rows[0] if key.startswith("rms_h")]
    figure = Figure((9, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    for row in rows:
        name, error = row["clusterer"], float(row["empirical"])
        if name.startswith("pseed"):
            h = int(name[8:])
            spread = float(row["empirical_std"])
            left.errorbar(h, error, spread, fmt="x", color=COLORS["pseed"], label="Pseed" if h == 0 else None)
        else:
            left.plot(radii, len(radii) * [error], color=COLORS[name], label=name)
        if name in {"pseed h=0", "FCM", "k-means", "complete", "single", "random"}:
            plain = name.replace(" h=0", "")
            values = [float(row[f"rms_h{h}"]) for h in radii]
            right.plot(radii, values, "o-", ms=4, color=COLORS[plain], label=plain)
    left.axhline(0.1, color="black", lw=0.8, ls=":")
    left.text(radii[-1], 0.105, "the paper: close to 0.1", fontsize=8, ha="right")
    tidy(left, "n = 70", "h", "mean share of misplaced points")
    tidy(right, "estimates against what is misplaced", "h", "RMS of estimated minus empirical")
    for axes in (left, right):
        axes.set_ylim(0)
        axes.set_xticks(radii)
    left.legend(fontsize=8, frameon=False, ncols=2)
    right.legend(fontsize=8, frameon=False)
    save(figure, "dalton-moderate")


def draw_large():
    """Fig. 6: empirical errors, seconds and megabytes over n."""
    rows = read("dalton-large")
    figure = Figure((9.5, 3.6), layout="constrained")
    panels = figure.subplots(1, 3)
    for name in dict.fromkeys(row["clusterer"] for row in rows):
        chosen = [row for row in rows if row["clusterer"] == name]
        n = [int(row["n"]) for row in chosen]
        for axes, key in zip(panels, ("empirical", "seconds", "megabytes"), strict=True):
            values = [float(row[key]) for row in chosen]
            axes.plot(
                n, np.maximum(values, 0.1 if key == "megabytes" else 0), "o-", ms=3.5, color=COLORS[name], label=name
            )
    for axes, title in zip(panels, ("mean share of misplaced points", "seconds", "megabytes at most"), strict=True):
        axes.set_xscale("log")
        tidy(axes, title, "points")
    panels[0].set_ylim(0)
    for axes in panels[1:]:
        axes.set_yscale("log")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=6, fontsize=8, frameon=False)
    save(figure, "dalton-large")
