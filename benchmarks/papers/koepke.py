"""Koepke (2008), Bayesian cluster validation, beside ours: chapters 3 to 7.

    python benchmarks/papers/koepke.py --quick | --full [--figures] [--results FILE] [--sets N] [--jobs N]

Chapter 5: each method scores 10 when it finds the number of modes, 5 when it is off by one, 1 when off by two, averaged
over data sets with 2 to 16 clusters; numbers from 2 to 20 are tried. The shape parameters behind the thesis' shaped
data are not given, so the two agree in kind rather than in number. ``--full`` is as large as the thesis and takes days:
what each data set gives is appended to FILE (out/koepke.csv), and a run that is started again goes on from there. With
``--quick`` there are few data sets, with an even number of clusters, fewer starts and baselines, and FILE only where it
is named. ``--figures`` writes docs/figures/papers/koepke-*. No data are needed.
"""

import argparse
import time
from pathlib import Path

import koepke_dimension
import koepke_generator
import koepke_sweep
import koepke_theta
import numpy as np
from claims import Claim, print_claims
from koepke_numbers import DIMENSIONS, ROWS, THESIS, printed_score, printed_tables, score
from koepke_selection import FULL, QUICK, draw_numbers, find_all, points, print_scores, shares, tasks_of

FAMILIES = {
    "stability": [row for row, (method, rule) in enumerate(ROWS) if "stability" in method and rule != "best"],
    "gap": [row for row, (method, _) in enumerate(ROWS) if method == "gap"],
    "subsampling": [row for row, (method, _) in enumerate(ROWS) if "subsample" in method],
}


def select(quick, n_sets=None, path=None, jobs=2):
    """Numbers found on all data sets; when quick, three times as many of the small ones in a plane, which are drawn."""
    if quick:
        even, n, small = range(2, 17, 2), n_sets or 1, [key for key in THESIS if key[1] == 100]
        tasks = tasks_of(THESIS, (2, 100), even, n) + tasks_of(small, (2,), even, 3 * n)
        return find_all(list(dict.fromkeys(tasks)), QUICK, jobs, path)
    tables = {750: 100, 100: 50}
    tasks = [
        task
        for n_items, n in tables.items()
        for task in tasks_of([key for key in THESIS if key[1] == n_items], DIMENSIONS, range(2, 17), n_sets or n)
    ]
    return find_all(tasks, FULL, jobs, path)


def family_scores(found, kind, n_items):
    """The best method of each family, averaged over dimensions: ours and the thesis' at the same dimensions."""
    dimensions = sorted({task[2] for task in found if task[:2] == (kind, n_items)})
    ours, theirs = {}, {}
    for name, rows in FAMILIES.items():
        scored = [row for row in rows if points(found, kind, n_items, dimensions[0], row).size]
        ours[name] = max(np.mean([points(found, kind, n_items, p, row).mean() for p in dimensions]) for row in scored)
        theirs[name] = max(np.mean([printed_score(kind, n_items, p, *ROWS[row]) for p in dimensions]) for row in scored)
    return ours, theirs


def selection_claims(found):
    """Chapter 5."""
    tables = printed_tables()
    off = max(abs(score(table) - printed_score(*key[3:], *key[1:3])) for key, table in tables.items())
    yield Claim(
        "Koepke, Tables 5.7 to 5.23",
        f"{len(tables)} tables of K̂ by K give the scores of Tables 5.2 to 5.5",
        "captions",
        f"all to {off:.3f}, if 5.12 is of shaped data (its caption says ANOVA) and the captions of 5.15 (a) and (b) "
        "are exchanged",
        "corrected",
    )
    for kind, n_items in THESIS:
        ours, theirs = family_scores(found, kind, n_items)
        n_sets = sum(task[:2] == (kind, n_items) for task in found)
        first = max(ours, key=ours.get)
        yield Claim(
            "Koepke, Tables 5.2 to 5.5",
            f"stability is best on shaped data, nearly as good as the gap on round ({kind}, {n_items} points)",
            ", ".join(f"{name} {value:.2f}" for name, value in theirs.items()),
            ", ".join(f"{name} {value:.2f}" for name, value in ours.items()) + f" ({n_sets} data sets)",
            "confirmed"
            if first == "stability" or (kind == "anova" and ours["stability"] > ours["gap"] - 0.5)
            else "open",
        )
    row, before = ROWS.index(("gap", "gap")), ROWS.index(("gap", "std_before_best"))
    plane = [points(found, "anova", 100, 2, r).mean() for r in (row, before)]
    yield Claim(
        "Koepke, Table 5.3",
        "in two dimensions the gap's own rule fails where StdBeforeBest does not (ANOVA, 100 points)",
        "3.05, 8.24",
        f"{plane[0]:.2f}, {plane[1]:.2f}",
        "confirmed" if plane[1] > plane[0] + 2 else "open",
    )
    many = [points(found, "shaped", n, 100, r).mean() for n in (750, 100) for r in (row, before)]
    yield Claim(
        "Koepke, Tables 5.4, 5.5",
        "in a hundred dimensions it is the other way round on shaped data (750, 100 points)",
        "6.91, 1.46; 7.19, 1.68",
        "{:.2f}, {:.2f}; {:.2f}, {:.2f}".format(*many),
        "confirmed" if many[0] > many[1] + 2 and many[2] > many[3] + 2 else "open",
    )
    hits = [
        (np.nanmean(np.diag(shares(found, *key[3:], ROWS.index(key[1:3])))), np.diag(table)[::2].mean())
        for key, table in tables.items()
    ]
    ours, theirs = np.array(hits).T
    alike = np.corrcoef(ours, theirs)[0, 1]
    yield Claim(
        "Koepke, Tables 5.7 to 5.23",
        "share of data sets whose number is found exactly, table by table",
        f"{theirs.min():.2f} to {theirs.max():.2f}, mean {theirs.mean():.2f}",
        f"{ours.min():.2f} to {ours.max():.2f}, mean {ours.mean():.2f}; correlation over tables {alike:.2f}",
        "confirmed" if alike > 0.5 else "open",
    )


def others(quick, figures=False):
    """Claims of the other chapters, and their figures."""
    theta = koepke_theta.study(quick)
    yield from koepke_theta.theta_claims(theta)
    generator = koepke_generator.study()
    yield from koepke_generator.generator_claims(generator)
    dimension = koepke_dimension.study(quick)
    yield from koepke_dimension.dimension_claims(dimension)
    sweep = koepke_sweep.study(quick)
    yield from koepke_sweep.sweep_claims(sweep)
    if figures:
        koepke_theta.write_theta(theta)
        koepke_generator.draw_generator(generator)
        koepke_dimension.draw_dimension(dimension)
        koepke_sweep.write_sweep(sweep)


def claims(quick, data):  # noqa: ARG001
    """Claims for the table of all papers."""
    path = None if quick else Path("out/koepke.csv")
    return [*others(quick), *selection_claims(select(quick, path=path))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    size = parser.add_mutually_exclusive_group(required=True)
    size.add_argument("--quick", action="store_true", help="few data sets: minutes")
    size.add_argument("--full", action="store_true", help="as in the thesis, resumably: days")
    parser.add_argument("--figures", action="store_true", help="write docs/figures/papers/koepke-*")
    parser.add_argument("--results", type=Path, help="file of what each data set gave")
    parser.add_argument("--sets", type=int, help="data sets of each kind and number of clusters")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    given = parser.parse_args()
    start = time.perf_counter()
    found_claims = list(others(given.quick, given.figures))
    path = given.results or (Path("out/koepke.csv") if given.full else None)
    found = select(given.quick, given.sets, path, given.jobs)
    print_scores(found)
    if given.figures:
        draw_numbers(found, QUICK if given.quick else FULL)
    print_claims([*found_claims, *selection_claims(found)])
    print(f"\n{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
