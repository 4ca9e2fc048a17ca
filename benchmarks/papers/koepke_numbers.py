"""Numbers of Koepke (2008): the score tables 5.2 to 5.5, and (koepke_tables.csv) the tables of K̂ by K, 5.7 to 5.23.

Each table of K̂ by K gives one of the scores again, which tells what it is of: 5.12 is of shaped data, though its
caption says ANOVA, and the captions of 5.15 (a) and (b) are exchanged. Tables 5.6, 5.8 (b), 5.16 (b) and 5.17 (b) are
not legible in the text we have.
"""

import csv
from pathlib import Path

import numpy as np

POINTS = {0: 10, 1: 5, 2: 1}  # for a number of clusters that is off by so many
TRIED = range(2, 21)
DIMENSIONS = (2, 10, 20, 50, 100)
ROWS = [
    ("stability-permutation", "best"),
    ("stability-permutation", "std_before_best"),
    ("stability-recluster", "best"),
    ("stability-recluster", "std_before_best"),
    ("stability-uniform", "best"),
    ("stability-uniform", "std_before_best"),
    ("gap", "gap"),
    ("gap", "std_before_best"),
    *((f"subsample-{scheme}-{index}", "best") for scheme in ("draws", "folds", "sizes") for index in ("ar", "vi")),
    ("silhouette", "best"),
]
THESIS = {
    ("anova", 750): [
        (9.23, 9.88, 9.44, 9.38, 8.86), (9.42, 9.88, 9.44, 9.40, 8.86), (9.63, 9.88, 9.44, 9.38, 8.87),
        (9.62, 9.88, 9.43, 9.37, 8.86), (9.22, 9.87, 9.44, 9.40, 8.90), (9.59, 9.88, 9.44, 9.39, 8.87),
        (4.39, 9.88, 9.44, 9.38, 8.89), (9.61, 9.88, 9.40, 9.34, 8.76), (7.10, 9.64, 9.13, 8.95, 8.32),
        (6.84, 9.65, 9.35, 9.20, 8.71), (5.05, 8.81, 6.83, 7.59, 6.84), (4.88, 8.76, 7.81, 8.44, 7.92),
        (6.36, 9.66, 8.94, 8.91, 8.12), (6.22, 9.62, 9.25, 9.20, 8.59),
    ],
    ("anova", 100): [
        (2.74, 4.93, 7.62, 5.79, 7.68), (6.24, 7.65, 8.34, 6.91, 7.87), (8.10, 8.00, 8.49, 7.39, 8.18),
        (6.92, 6.64, 8.11, 6.80, 8.04), (2.30, 3.29, 6.91, 4.39, 7.71), (6.26, 6.58, 8.06, 6.48, 8.12),
        (3.05, 6.43, 8.04, 6.78, 8.26), (8.24, 8.27, 8.10, 6.91, 7.60), (5.02, 6.66, 7.53, 7.14, 7.73),
        (5.72, 6.69, 7.88, 6.41, 8.19), (3.39, 5.75, 6.53, 6.21, 6.61), (3.45, 5.54, 6.97, 6.40, 7.32),
        (3.94, 6.41, 7.24, 6.63, 7.30), (4.42, 6.53, 7.61, 6.47, 7.82),
    ],
    ("shaped", 750): [
        (6.06, 7.31, 7.64, 6.79, 7.21), (7.84, 8.55, 8.57, 7.80, 7.26), (8.56, 7.54, 7.79, 7.12, 7.46),
        (8.80, 8.29, 8.33, 7.54, 7.46), (6.64, 7.90, 8.04, 7.12, 7.45), (8.04, 8.26, 8.40, 7.52, 7.45),
        (5.48, 6.65, 6.23, 5.47, 6.91), (7.38, 1.34, 0.77, 0.46, 1.46), (5.49, 7.33, 7.30, 6.59, 6.30),
        (5.40, 7.46, 7.87, 7.28, 7.10), (3.40, 5.45, 5.02, 4.70, 4.47), (3.45, 5.63, 6.04, 6.18, 5.93),
        (4.69, 7.08, 7.22, 6.30, 6.17), (4.66, 7.20, 7.72, 7.02, 6.94),
    ],
    ("shaped", 100): [
        (1.19, 2.89, 5.81, 6.74, 6.86), (4.59, 6.23, 7.56, 7.36, 7.00), (7.15, 6.95, 7.61, 7.54, 7.56),
        (7.97, 7.04, 7.68, 7.74, 7.62), (1.16, 2.09, 4.91, 6.75, 7.13), (4.91, 5.18, 6.85, 7.27, 7.30),
        (3.84, 5.96, 6.55, 6.38, 7.19), (5.27, 0.99, 0.85, 0.72, 1.68), (5.25, 6.62, 7.17, 7.40, 7.24),
        (5.94, 6.31, 7.33, 7.87, 7.58), (2.72, 4.65, 5.51, 5.87, 6.01), (3.01, 4.62, 5.92, 6.57, 6.90),
        (3.90, 5.87, 6.46, 6.90, 6.95), (4.46, 5.85, 6.87, 7.35, 7.54),
    ],
}  # fmt: skip


def printed_score(kind, n_items, n_features, method, rule):
    """The thesis' score; NaN where it has none."""
    rows, row = THESIS[kind, n_items], ROWS.index((method, rule))
    return rows[row][DIMENSIONS.index(n_features)] if row < len(rows) else np.nan


def printed_tables():
    """Shares of each K̂ by K, shape (15, 19), by (table, method, rule, kind, n_items, n_features)."""
    tables = {}
    with (Path(__file__).parent / "koepke_tables.csv").open(encoding="utf-8") as file:
        for row in list(csv.reader(file))[1:]:
            key = (*row[:4], int(row[4]), int(row[5]))
            tables.setdefault(key, np.zeros((15, 19)))[int(row[6]) - 2] = [float(cell or 0) for cell in row[7:]]
    return tables


def score(shares):
    """The score that shares of each K̂ by K amount to."""
    points = [[POINTS.get(abs(found - k), 0) for found in TRIED] for k in range(2, 2 + len(shares))]
    return float((shares * points).sum(axis=1).mean())
