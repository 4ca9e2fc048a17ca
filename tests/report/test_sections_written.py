"""Sections of reports are those written down in sections.txt, entry by entry."""

import base64
import io
import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image
from written import alike, numbers, read_parts, write_parts

import partita as pt
from partita.report.content import make_content
from partita.report.sections import SECTIONS
from partita.report.write import facts

WRITTEN = Path(__file__).with_name("sections.txt")
CENTER = np.repeat([0, 1, 2], [5, 4, 3])
OF_THE_MACHINE = ("versions", "python", "written")


def draws(n_draws=80):
    """Three clusters, one item moved in each draw, in two chains; every fifth draw joins two of them."""
    rows, at = np.tile(CENTER, (n_draws, 1)), np.arange(n_draws)
    rows[at, at * 5 % 12] = at % 4
    rows[::5, 9:] = 1
    return rows


def plain():
    post = pt.PartitionPosterior(draws(), chains=np.repeat([0, 1], 40), items=[f"item {i}" for i in range(12)])
    values = (np.arange(1, 25) ** 2 % 97 / 9.7).reshape(12, 2)
    table = pd.DataFrame({"length": values[:, 0] + 9 * CENTER, "width": values[:, 1]})
    return make_content(post, data=table, estimate=CENTER, notes=["A note."], title="Twelve items")


def asked():
    """With a prior, constraints that are kept and broken, and columns that were selected."""
    content = make_content(pt.PartitionPosterior(draws(), weights=1 + np.arange(80) % 3), estimate=CENTER, level=0.8)
    known = pt.Constraints(
        [(0, 1), (0, 5)], [(0, 11), (9, 10)], n_items=12, must_link_weights=[np.inf, 2.0], cannot_link_weights=1.5
    )
    settings = {"estimator": "BayesianMixture", "n_warmup": 50, "fuse": True, "weights": np.ones(3), "random_state": 4}
    summary = replace(content.summary, constraints=known, prior=pt.DirichletProcess(1.0), settings=settings)
    shares = pd.Series([0.9, 0.2, 0.6], index=["length", "width", "depth"])
    return replace(content, summary=summary, inclusion=shares, seed=4)


def two_readings():
    one, other = np.repeat([0, 1], 8), np.arange(16) % 2
    rows = np.concatenate([np.tile(one, (40, 1)), np.tile(other, (24, 1))])
    rows[np.arange(64), np.arange(64) * 3 % 16] = np.arange(64) % 2
    return make_content(rows)


CONTENTS = {"plain": plain, "asked": asked, "two readings": two_readings}


def entries(value, name):
    """A line for each entry, numbers told by their sum and order, pictures by their pixels."""
    if isinstance(value, dict):
        for key, inside in value.items():
            if key not in OF_THE_MACHINE:
                yield from entries(inside, f"{name}.{key}")
    elif isinstance(value, str) and value.startswith("data:image"):
        image = Image.open(io.BytesIO(base64.b64decode(value.split(",")[1])))
        yield f"{name}: picture {numbers(np.asarray(image.convert('RGB')))}"
    elif isinstance(value, (list, tuple, np.ndarray)) and not len(value):
        yield f"{name}: none"
    elif isinstance(value, (list, tuple)) and any(isinstance(inside, (dict, list, tuple)) for inside in value):
        for number, inside in enumerate(value):
            yield from entries(inside, f"{name}[{number}]")
    elif isinstance(value, np.ndarray) or (
        isinstance(value, (list, tuple)) and not any(isinstance(inside, str) for inside in value)
    ):
        yield f"{name}: {numbers(np.array(value, float))}"
    elif isinstance(value, (list, tuple)):
        yield f"{name}: {' | '.join(map(str, value))!r}"
    else:
        yield f"{name}: {re.sub(r'partita [0-9][0-9a-z.+]*', 'partita', str(value))!r}"


def describe_all(name):
    content = CONTENTS[name]()
    lines = [name, *(f"fact {fact.value!r} {fact.meaning!r} {fact.good}" for fact in facts(content.summary))]
    for section in (make(content) for make in SECTIONS):
        if section is not None:
            lines += [f"{section.key}: {section.title!r}, {section.lead!r}, {section.template}"]
            lines += [*entries(section.data, section.key), *entries(section.text, section.key)]
    return lines


@pytest.fixture(scope="module")
def written():
    return read_parts(WRITTEN)


@pytest.mark.parametrize("name", CONTENTS)
def test_sections_are_those_written_down(name, written):
    found = describe_all(name)
    assert len(found) == len(written[name])
    for one, other in zip(found, written[name], strict=True):
        assert alike(one, other), f"{one}\n{other}"


if __name__ == "__main__" and sys.argv[1:] == ["write"]:
    write_parts(WRITTEN, (describe_all(name) for name in CONTENTS))
