"""What one cluster contributes to a likelihood: conjugate families."""

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
