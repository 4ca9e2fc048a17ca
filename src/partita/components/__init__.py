"""What one cluster contributes to a likelihood: conjugate families, one per file.

Modules import only from layers with a smaller number:

    0  base, encoding, gaussian_diagonal, gaussian_full_hyper
    1  categorical, gaussian_full, gaussian_incomplete, gaussian_spherical, kinds, poisson, von_mises
    2  exponential, gaussian_tails, multinomial
    3  gaussian
    4  product, student
    5  auto
    6  registry
"""

from .auto import Auto
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
from .exponential import Exponential
from .gaussian import Gaussian
from .multinomial import Multinomial
from .poisson import Poisson
from .product import Product
from .registry import COMPONENTS, check_component
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
    "Poisson",
    "Product",
    "Student",
    "VonMises",
    "blank_row",
    "check_component",
    "encode_entries",
    "make_model",
    "observed_items",
    "sample_entries",
    "table_entries",
    "with_rows",
    "write_row",
]
