"""What one cluster contributes to a likelihood: conjugate families, one per file.

Modules import only from layers with a smaller number:

    0  base, encoding, gaussian_diagonal
    1  categorical, columns, gaussian_full, gaussian_incomplete, gaussian_spherical, kinds, natural, poisson, von_mises
    2  exponential, gaussian_tails, multinomial
    3  gaussian_gaps, natural_counts
    4  gaussian
    5  natural_gaussian, product, student
    6  choose, natural_forms
    7  by_blocks
"""

from .base import (
    Component,
    Encoded,
    blank_row,
    encode_entries,
    make_model,
    observed_items,
    sample_entries,
    table_entries,
    with_rows,
    write_row,
)
from .categorical import Bernoulli, Categorical
from .choose import COMPONENTS, Auto, check_component
from .exponential import Exponential
from .gaussian import Gaussian
from .multinomial import Multinomial
from .natural import NaturalForm
from .natural_forms import natural_form, why_no_natural_form
from .poisson import Poisson
from .product import Product
from .student import Student
from .von_mises import VonMises

__all__ = [
    "COMPONENTS",
    "Auto",
    "Bernoulli",
    "Categorical",
    "Component",
    "Encoded",
    "Exponential",
    "Gaussian",
    "Multinomial",
    "NaturalForm",
    "Poisson",
    "Product",
    "Student",
    "VonMises",
    "blank_row",
    "check_component",
    "encode_entries",
    "make_model",
    "natural_form",
    "observed_items",
    "sample_entries",
    "table_entries",
    "why_no_natural_form",
    "with_rows",
    "write_row",
]
