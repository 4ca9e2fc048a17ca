"""Figures 1 and 2 of Cheng, Hua and Vu (2008), ours: accuracy and broken pairs over the number of pairs."""

import numpy as np
from claims import write_rows
from clwc_runs import BROKEN, NMI, PRINTED, RAND, TABLE_3, WITH_PAIRS, error, mean, printed
from figure_files import pyplot, save

STYLES = {
    "CLWC, ten starts": "C4-",
    "CLWC": "C0-o",
    "CLWC as published": "C9--o",
    "MPCK-Means": "C3-s",
    "COP-KMeans": "C2-^",
}
LEVELS = {"LWC": "C0:", "k-means": "C7:"}


def draw_curves(results):
    """Nine data sets and six methods, the paper's Table 3 as crosses; and the numbers behind."""
    draw("clwc-curves", RAND, "Rand index", results)
    draw("clwc-broken", BROKEN, "pairs broken", results)
    header = ("set", "pairs", "method", "sets of pairs", "gave up", "Rand", "se", "NMI", "se", "broken", "se")
    write_rows("clwc-curves", header, list(rows(results)))


def draw(name, which, label, results):
    fig, axes = pyplot().subplots(3, 3, figsize=(9.5, 8.2), layout="constrained")
    for ax, (data, sizes) in zip(axes.flat, results.pairs.items(), strict=True):
        at = list(sizes)
        for method, style in STYLES.items():
            runs = [sizes[size][method] for size in at]
            center, spread = (np.array([f(r)[which] for r in runs]) for f in (mean, error))
            ax.errorbar(at, center, spread, fmt=style, ms=3, lw=1.2, label=method)
        if which == RAND:
            for method, style in LEVELS.items():
                ax.plot(
                    [0, max(at)],
                    [mean(results.free[data][method])[RAND]] * 2,
                    style,
                    lw=1.2,
                    label=f"{method}, no pairs",
                )
            for method in ("CLWC", "MPCK-Means", "COP-KMeans"):
                row = PRINTED[method]
                theirs = [(size, printed(TABLE_3, data, size)) for size in TABLE_3[data]]
                points = np.array([(size, values[row, RAND]) for size, values in theirs if row < len(values)])
                ax.plot(*points.T, "x", color=STYLES[method][:2], ms=8, mew=2)
        ax.set_title(data, fontsize=10)
    fig.supxlabel("pairs known")
    fig.supylabel(label + (" (crosses: the paper)" if which == RAND else ""))
    fig.legend(*axes.flat[0].get_legend_handles_labels(), loc="outside upper center", ncols=4, fontsize=9)
    save(fig, name)


def rows(results):
    """One row per data set, number of pairs and method."""
    for data, sizes in results.pairs.items():
        for method, runs in results.free[data].items():
            yield data, 0, method, *cells(runs)
        for size, found in sizes.items():
            for method in WITH_PAIRS:
                yield data, size, method, *cells(found[method])


def cells(runs):
    center, spread = mean(runs), error(runs)
    pairs = [(f"{center[c]:.4f}", f"{spread[c]:.4f}") for c in (RAND, NMI, BROKEN)]
    return len(runs), int(np.isnan(runs[:, RAND]).sum()), *(cell for pair in pairs for cell in pair)
