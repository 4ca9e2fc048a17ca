"""Figures of the pages as small files."""

from io import BytesIO

from claims import FIGURES


def pyplot():
    """Matplotlib's pyplot, drawing to files."""
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot as plt

    return plt


def save(figure, name, dpi=80, colors=256):
    """Write ``docs/figures/papers/NAME.png`` in few colors, and close the figure."""
    from PIL import Image

    FIGURES.mkdir(parents=True, exist_ok=True)
    drawn = BytesIO()
    figure.savefig(drawn, dpi=dpi)
    Image.open(drawn).convert("RGB").quantize(colors, Image.Quantize.MAXCOVERAGE).save(
        FIGURES / f"{name}.png", optimize=True
    )
    pyplot().close(figure)
