"""A mixture in NumPyro: NUTS with the labels summed out, then drawn; and labels sampled by Gibbs steps."""

# Beside partita this needs numpyro and funsor.
import jax
import jax.numpy as jnp
import numpy as np
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS, DiscreteHMCGibbs, Predictive, init_to_value

import partita as pt

speeds = jnp.asarray(np.ravel(pt.datasets.load_galaxies()))
K = 6
numpyro.set_host_device_count(2)
start = init_to_value(values={"means": jnp.linspace(10, 32, K), "scales": jnp.ones(K)})


def mixture(enumerate_labels):
    """Six Gaussian components; labels are summed out by NumPyro, or are parameters like any other."""
    weights = numpyro.sample("weights", dist.Dirichlet(jnp.ones(K)))
    means = numpyro.sample("means", dist.Normal(21, 7).expand([K]).to_event(1))
    scales = numpyro.sample("scales", dist.HalfNormal(2).expand([K]).to_event(1))
    with numpyro.plate("items", len(speeds)):
        z = numpyro.sample("z", dist.Categorical(weights), infer={"enumerate": "parallel"} if enumerate_labels else {})
        numpyro.sample("speed", dist.Normal(means[z], scales[z]), obs=speeds)


def run(kernel, seed, enumerate_labels):
    """Draws by chain."""
    mcmc = MCMC(kernel, num_warmup=500, num_samples=500, num_chains=2, progress_bar=False)
    mcmc.run(jax.random.PRNGKey(seed), enumerate_labels)
    return mcmc.get_samples(group_by_chain=True)


sampled = run(DiscreteHMCGibbs(NUTS(mixture, init_strategy=start)), 1, False)
with_labels = pt.PartitionPosterior.from_any(sampled, var="z")

summed = run(NUTS(mixture, init_strategy=start), 2, True)
drawn = Predictive(mixture, summed, infer_discrete=True, batch_ndims=2)(jax.random.PRNGKey(3), True)
without = pt.PartitionPosterior.from_any({"z": np.asarray(drawn["z"])}, var="z")

for name, posterior in {"labels sampled": with_labels, "labels summed out": without}.items():
    print(f"{name}: {pt.summarize(posterior).answer}")
difference = np.abs(with_labels.similarity() - without.similarity()).mean()
print(f"Pairs are together with probabilities that differ by {difference:.3f} on average.")
