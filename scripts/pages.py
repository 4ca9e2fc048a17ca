"""Run the python blocks of pages: `python scripts/pages.py` writes what they print into the text blocks after them."""

import contextlib
import io
import os
import re
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import arviz_base
import numpy as np
import pandas as pd

import partita as pt

ROOT = Path(__file__).parents[1]
PAGES = [
    *sorted(path for path in (ROOT / "docs").glob("*.md") if path.name != "commands.md"),
    *sorted((ROOT / "docs" / "papers").glob("*.md")),
    ROOT / "README.md",
]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)


def run_blocks(text: str, names: dict[str, Any]) -> Iterator[tuple[re.Match[str], str]]:
    """Each text block of a page, and what the python block before it prints; blocks share their names."""
    printed = ""
    for block in FENCE.finditer(text):
        if block[1] == "python":
            with contextlib.redirect_stdout(io.StringIO()) as out:
                exec(compile(block[2], "page", "exec"), names)
            printed = out.getvalue()
        elif block[1] == "text":
            yield block, printed


def at_hand(folder: Path) -> dict[str, Any]:
    """What pages take for granted: a table of the reader's own, and draws as other programs hand them over."""
    z = np.random.default_rng(0).integers(1, 4, size=(2, 50, 6))
    tree = arviz_base.from_dict({"posterior": {"z": z, "mu": z[..., 0].astype(float)}})
    flat = z.reshape(-1, 6)
    pd.DataFrame(flat, columns=[f"V{i + 1}" for i in range(6)]).to_csv(folder / "draws.csv", index=False)
    stan = pd.DataFrame(flat, columns=[f"z.{i + 1}" for i in range(6)]).assign(lp__=-1.5).to_csv(index=False)
    (folder / "output.csv").write_text(f"# stan_version_major = 2\n{stan}# Elapsed Time: 1 s\n", encoding="utf-8")
    X, _ = pt.datasets.make_quadrants(n_items=60, random_state=1)
    return {"X": X, "pt": pt, "idata": tree, "samples": {"z": z, "mu": z[..., 0]}, "stan_z": flat}


def refreshed(text: str, folder: Path) -> str:
    """The page with its text blocks written anew, long sentences wrapped."""
    for block, printed in reversed(list(run_blocks(text, at_hand(folder)))):
        lines = [textwrap.fill(line, 84) if line[:1].isalpha() else line.rstrip() for line in printed.splitlines()]
        text = text[: block.start(2)] + "\n".join(lines) + "\n" + text[block.end(2) :]
    return text


if __name__ == "__main__":
    for page in PAGES:
        before = page.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as scratch:
            os.chdir(scratch)
            after = refreshed(before, Path(scratch))
            os.chdir(ROOT)
        page.write_text(after, encoding="utf-8")
        print(f"{page.name}: {'as it was' if after == before else 'changed'}")
