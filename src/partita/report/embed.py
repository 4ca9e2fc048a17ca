"""Safe embedding in HTML: escaped JSON, images as data URLs, and a content security policy of script hashes."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import math
from html import escape
from typing import Any

import numpy as np

from .._typing import FloatArray

DIGITS = 5  # of a number on a chart
UNSAFE = str.maketrans({character: f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"})


def to_json(value: Any) -> str:
    """JSON that can stand inside a script element: nothing in it ends the element or begins another."""
    text = json.dumps(_plain(value), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.translate(UNSAFE)


def _plain(value: Any) -> Any:
    """Lists, dicts, strings and numbers; numbers to a few digits, and none where there is none."""
    if isinstance(value, dict):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None
    return value


def for_chart(text: str) -> str:
    """Text as plotly reads it: it takes some markup for its own."""
    return escape(text, quote=False)


def picture(values: FloatArray) -> str:
    """Numbers from 0 to 1 as the address of a picture, a byte a pixel, that needs no file."""
    from matplotlib import colormaps
    from PIL import Image

    from ..plot.palette import SEQUENCE

    image = Image.fromarray((np.clip(values, 0, 1) * 255).round().astype(np.uint8), mode=None)
    colors = (colormaps[SEQUENCE](np.arange(256))[:, :3] * 255).round().astype(np.uint8)
    image = image.convert("P")
    image.putpalette(colors.tobytes())
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode("ascii")


def content_policy(scripts: list[str]) -> str:
    """What a browser may do with the page: run these scripts, no others, and fetch nothing from anywhere."""
    hashes = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii") for script in scripts)
    run = " ".join(f"'sha256-{value}'" for value in hashes)
    return (
        f"default-src 'none'; script-src {run}; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )
