"""The penguins of the Palmer archipelago: a table of numbers, categories and gaps whose groups are known."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

FILE = Path(__file__).parent / "data" / "penguins.csv"


def load_penguins() -> tuple[pd.DataFrame, pd.Series]:
    """Measures of 344 penguins of three species, and their species.

    Returns
    -------
    table : DataFrame, shape (344, 6)
        Island, length and depth of the bill (mm), length of a flipper (mm), body mass (g) and sex; some are missing,
        and of two birds all measures.
    species : Series, shape (344,)
        Adelie, Chinstrap or Gentoo: what a clustering of the table may be compared with.

    See Also
    --------
    load_galaxies : one column of numbers.

    Notes
    -----
    Collected by K. Gorman and Palmer Station, Antarctica LTER [1]_, prepared by Horst, Hill and Gorman [2]_ and
    dedicated to the public domain (CC0).

    References
    ----------
    .. [1] Gorman, Williams & Fraser (2014). Ecological sexual dimorphism and environmental variability within a
       community of Antarctic penguins (genus Pygoscelis). PLoS ONE 9, e90081.
    .. [2] Horst, Hill & Gorman (2020). palmerpenguins: Palmer archipelago (Antarctica) penguin data. R package.

    Examples
    --------
    >>> table, species = load_penguins()
    >>> table.shape
    (344, 6)
    >>> species.value_counts().to_dict()
    {'Adelie': 152, 'Gentoo': 124, 'Chinstrap': 68}
    """
    import pandas as pd

    table = pd.read_csv(FILE)
    return table, table.pop("species")
