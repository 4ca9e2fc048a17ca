"""A mixture in PyMC, with labels sampled and with labels summed out: the same clustering from both."""

# Beside partita this needs pymc.
import numpy as np
import pymc as pm
from scipy.special import softmax

import partita as pt

speeds = np.ravel(pt.datasets.load_galaxies())
K = 6
settings = {"draws": 500, "tune": 500, "chains": 2, "cores": 1, "random_seed": 1, "progressbar": False}


def priors():
    """Weights, means and scales of six Gaussian components."""
    weights = pm.Dirichlet("weights", np.ones(K))
    means = pm.Normal("means", 21, 7, shape=K, initval=np.linspace(10, 32, K))
    scales = pm.HalfNormal("scales", 2, shape=K)
    return weights, means, scales


with pm.Model():
    weights, means, scales = priors()
    z = pm.Categorical("z", weights, shape=len(speeds))
    pm.Normal("speed", means[z], scales[z], observed=speeds)
    sampled = pm.sample(**settings)
with_labels = pt.PartitionPosterior.from_any(sampled, var="z")

with pm.Model():
    weights, means, scales = priors()
    pm.NormalMixture("speed", weights, means, scales, observed=speeds)
    summed = pm.sample(**settings).posterior
weights, means, scales = (summed[name].values[..., None, :] for name in ("weights", "means", "scales"))
logits = np.log(weights) - np.log(scales) - ((speeds[:, None] - means) / scales) ** 2 / 2
without = pt.PartitionPosterior.from_responsibilities(softmax(logits, axis=-1))

for name, posterior in {"labels sampled": with_labels, "labels summed out": without}.items():
    print(f"{name}: {pt.summarize(posterior).answer}")
difference = np.abs(with_labels.similarity() - without.similarity()).mean()
print(f"Pairs are together with probabilities that differ by {difference:.3f} on average.")
