"""What a paper says, what comes out here, and the verdict: one table for all papers."""

import csv
from pathlib import Path
from typing import NamedTuple

FIGURES = Path(__file__).parents[2] / "docs" / "figures" / "papers"
VERDICTS = ("confirmed", "corrected", "refuted", "open")


class Claim(NamedTuple):
    """One statement of a paper beside what a script of this folder found."""

    paper: str  # short name and place, such as "Wade, Table 1"
    claim: str
    theirs: str
    ours: str
    verdict: str  # one of VERDICTS


def print_claims(claims):
    """Print claims as a table of Markdown."""
    print("| where | claim | paper | ours | verdict |\n|---|---|---|---|---|")
    for claim in claims:
        print("| " + " | ".join((claim.paper, claim.claim, claim.theirs, claim.ours, f"*{claim.verdict}*")) + " |")


def write_rows(name, header, rows):
    """Write the numbers behind a figure to ``docs/figures/papers/NAME.csv``."""
    FIGURES.mkdir(parents=True, exist_ok=True)
    with (FIGURES / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])
