"""The packages as a picture, from the layers in the package's docstring: `python scripts/architecture.py`."""

import re
from html import escape
from pathlib import Path

import partita

FIGURE = Path(__file__).parents[1] / "docs" / "figures" / "architecture.svg"
ROLES = {
    "the ground: loops, checks, threads": ("#eceff1", "_kernels _files _parallel _progress _typing _validation"),
    "arrays of labels, tables": ("#d7ccc8", "partitions tables"),
    "a distribution over partitions": ("#ffd54f", "posterior"),
    "makes one, or does without": ("#ffccbc", "all others"),
    "uses one": ("#bbdefb", "losses decide"),
    "shows it": ("#c8e6c9", "plot report cli"),
}
COLORS = {name: color for color, names in ROLES.values() for name in names.split()}
OTHERS = COLORS["others"]
WIDTH, ROW, LEFT, BOX = 960, 46, 70, 132
TEXT = 'font-family="Helvetica, Arial, sans-serif" font-size="14" fill="#212121"'


def read_layers(docstring: str) -> dict[int, list[str]]:
    """Names by layer, from lines such as ``    2  posterior, priors``."""
    lines = re.findall(r"^    (\d+)  (.+)$", docstring, flags=re.MULTILINE)
    return {int(number): [name.strip() for name in names.split(",")] for number, names in lines if "__" not in names}


def box(x: float, y: float, width: float, color: str, text: str) -> str:
    """A rounded box with a word in its middle."""
    shape = f'<rect x="{x}" y="{y}" width="{width}" height="30" rx="5" fill="{color}" stroke="#90a4ae"/>'
    return f'{shape}<text x="{x + width / 2}" y="{y + 20}" text-anchor="middle" {TEXT}>{escape(text)}</text>'


def draw(layers: dict[int, list[str]]) -> str:
    """The layers, the ground at the bottom, and a legend."""
    height = (len(layers) + 2) * ROW + 20
    parts = [f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>']
    for row, (number, names) in enumerate(sorted(layers.items(), reverse=True)):
        y = 10 + row * ROW
        parts.append(f'<text x="20" y="{y + 20}" {TEXT}>{number}</text>')
        parts.append(f'<line x1="10" x2="{WIDTH - 10}" y1="{y + 38}" y2="{y + 38}" stroke="#eceff1"/>')
        gap = BOX + 12
        parts += [box(LEFT + i * gap, y, BOX, COLORS.get(name, OTHERS), name) for i, name in enumerate(names)]
    for i, (role, (color, _)) in enumerate(ROLES.items()):
        x, y = LEFT + i % 3 * 290, 20 + len(layers) * ROW + i // 3 * 30
        parts.append(f'<rect x="{x}" y="{y}" width="18" height="18" rx="3" fill="{color}" stroke="#90a4ae"/>')
        parts.append(f'<text x="{x + 26}" y="{y + 14}" {TEXT}>{escape(role)}</text>')
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">'
    title = "<title>The packages of partita in layers: each imports only from layers below its own</title>"
    return "\n".join([head, title, *parts, "</svg>", ""])


if __name__ == "__main__":
    FIGURE.write_text(draw(read_layers(partita.__doc__ or "")), encoding="utf-8")
    print(f"Wrote {FIGURE.name}")
