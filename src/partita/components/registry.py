"""Components by name."""

from __future__ import annotations

from .._validation import check_choice
from .auto import Auto
from .base import Component
from .categorical import Bernoulli, Categorical
from .exponential import Exponential
from .gaussian import Gaussian
from .multinomial import Multinomial
from .poisson import Poisson
from .product import Product
from .student import Student
from .von_mises import VonMises

COMPONENTS: dict[str, Component] = {
    "auto": Auto(),
    "gaussian-diagonal": Gaussian("diagonal"),
    "gaussian-full": Gaussian("full"),
    "gaussian-spherical": Gaussian("spherical"),
    "bernoulli": Bernoulli(),
    "categorical": Categorical(),
    "poisson": Poisson(),
    "multinomial": Multinomial(),
    "exponential": Exponential(),
    "von-mises": VonMises(),
    "product": Product(),
    "student": Student(),
}


def check_component(component: str | Component) -> Component:
    """A component from its name, with its default hyperparameters, or the component itself.

    Examples
    --------
    >>> check_component("gaussian-full").covariance
    'full'
    """
    if isinstance(component, str):
        return COMPONENTS[check_choice("component", component, COMPONENTS)]
    if not hasattr(component, "encode") or isinstance(component, type):
        raise TypeError(
            f"component must be a component or the name of one ({', '.join(COMPONENTS)}): got {component!r}."
        )
    return component
