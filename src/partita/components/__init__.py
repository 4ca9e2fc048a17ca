"""What one cluster contributes to a likelihood: conjugate families.

Modules import only from layers with a smaller number:

    0  encoding
    1  families
"""

from .families import (
    COMPONENTS,
    Bernoulli,
    Categorical,
    Component,
    Encoded,
    Gaussian,
    Poisson,
    Product,
    check_component,
    encode_new,
)

__all__ = [
    "COMPONENTS",
    "Bernoulli",
    "Categorical",
    "Component",
    "Encoded",
    "Gaussian",
    "Poisson",
    "Product",
    "check_component",
    "encode_new",
]
