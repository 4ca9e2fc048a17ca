"""What is written down in a file, part after part, so that a test can tell whether it is still so."""

import re

import numpy as np

NUMBER = re.compile(r"-?\d+\.?\d*(?:e-?\d+)?")


def numbers(values):
    """How many, the least, the greatest, the mean, and one by place that tells in which order they come."""
    flat = np.ma.filled(np.ma.asarray(values, float), np.nan).ravel()
    flat = flat[np.isfinite(flat)]
    if flat.size == 0:
        return "none"
    tilt = flat @ np.arange(flat.size) / flat.size**2
    return " ".join([str(flat.size), *(f"{value:.5g}" for value in (flat.min(), flat.max(), flat.mean(), tilt))])


def alike(one, other):
    """Whether two lines have the same words, and the same numbers to three digits."""
    if NUMBER.sub("#", one) != NUMBER.sub("#", other):
        return False
    values = [np.array([float(value) for value in NUMBER.findall(line)]) for line in (one, other)]
    return bool(np.allclose(*values, rtol=1e-3, atol=1e-4))


def read_parts(path):
    """Lines of each part, by its name, which comes first."""
    parts = path.read_text(encoding="utf-8").removeprefix("# ").split("\n# ")
    return {part.splitlines()[0]: part.splitlines() for part in parts}


def write_parts(path, parts):
    """Write down the lines of each part."""
    path.write_text("".join("# " + "\n".join(lines) + "\n" for lines in parts), encoding="utf-8")
