"""A choice of the number of clusters in sentences."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


def warn_of_method(method: str) -> None:
    """Warn of methods that should not decide alone: parts of the data show less structure than all of it."""
    if method.startswith("subsample"):
        warnings.warn(
            f"method {method!r} tends to find too few clusters: compare it with 'silhouette', 'gap' or 'stability'.",
            UserWarning,
            stacklevel=3,
        )


def recommend(choices: dict[str, int], table: pd.DataFrame, tried: list[int]) -> str:
    r"""What the methods choose, the first of them deciding, and what to look at before believing it.

    Examples
    --------
    >>> import pandas as pd
    >>> values = [("gap", 1, 0.0, 0.0), ("gap", 2, 0.1, 0.1), ("gap", 3, 0.6, 0.1), ("gap", 4, 0.55, 0.1)]
    >>> table = pd.DataFrame(values, columns=["method", "n_clusters", "value", "sd"])
    >>> print(recommend({"gap": 3, "silhouette": 2}, table, [1, 2, 3, 4]).replace(". ", ".\n"))
    3 clusters by gap; silhouette says 2.
    Look at both before choosing.
    By gap 4 is as good within a standard deviation.
    """
    (first, chosen), *rest = choices.items()
    agreeing = [first, *(name for name, k in rest if k == chosen)]
    others = {name: k for name, k in rest if k != chosen}
    clusters = "one cluster" if chosen == 1 else f"{chosen} clusters"
    if others:
        said = [f"{name} says {k}" for name, k in others.items()]
        sentences = [f"{clusters} by {_listed(agreeing)}; {_listed(said)}."]
        sentences.append(f"Look at {'both' if len(set(others.values())) == 1 else 'each'} before choosing.")
    else:
        sentences = [f"{clusters}: {_listed(agreeing)} agree." if rest else f"{clusters} by {first}."]
    sentences += _near(first, chosen, table)
    if len(tried) > 1 and chosen == tried[-1]:
        sentences.append("It is the largest number that was tried: try more.")
    if chosen > 1 and 1 not in set(table["n_clusters"]):
        sentences.append("Whether there are clusters at all only gap and the stability methods can say, tried from 1.")
    return " ".join(sentences)


def _near(method: str, chosen: int, table: pd.DataFrame) -> list[str]:
    own = table[table["method"] == method].set_index("n_clusters")
    value, sd = own["value"].to_numpy(), own["sd"].to_numpy()
    near = [str(k) for k in own.index[value >= value.max() - sd[value.argmax()]] if k != chosen]
    if not near:
        return []
    return [f"By {method} {_listed(near)} {'is' if len(near) == 1 else 'are'} as good within a standard deviation."]


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
