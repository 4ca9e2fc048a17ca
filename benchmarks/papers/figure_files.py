"""Figures of the pages as small files."""

from io import BytesIO

from claims import FIGURES


def pyplot():
    """Matplotlib's pyplot, drawing to files."""
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot as plt

    return plt


def save(figure, name, dpi=80):
    """Write ``docs/figures/papers/NAME.png`` in 64 colors, and close the figure."""
    from PIL import Image

    FIGURES.mkdir(parents=True, exist_ok=True)
    drawn = BytesIO()
    figure.savefig(drawn, dpi=dpi)
    Image.open(drawn).convert("RGB").quantize(64).save(FIGURES / f"{name}.png", optimize=True)
    pyplot().close(figure)
