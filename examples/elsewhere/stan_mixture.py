"""A mixture in Stan, where labels are summed out and drawn in generated quantities."""

# Beside partita this needs pystan (or cmdstanpy: the model is the same, and fit.stan_variable("z") are the draws).
import numpy as np
import stan

import partita as pt

speeds = np.ravel(pt.datasets.load_galaxies()).astype(float)
MODEL = """
data { int N; int K; vector[N] y; }
parameters { simplex[K] weights; ordered[K] means; vector<lower=0>[K] scales; }
model {
  weights ~ dirichlet(rep_vector(1, K));
  means ~ normal(21, 7);
  scales ~ normal(0, 2);
  for (n in 1:N) {
    vector[K] lps = log(weights);
    for (k in 1:K) lps[k] += normal_lpdf(y[n] | means[k], scales[k]);
    target += log_sum_exp(lps);
  }
}
generated quantities {
  array[N] int z;
  for (n in 1:N) {
    vector[K] lps = log(weights);
    for (k in 1:K) lps[k] += normal_lpdf(y[n] | means[k], scales[k]);
    z[n] = categorical_logit_rng(lps);
  }
}
"""
K = 6
start = {"means": np.linspace(10, 32, K).tolist(), "scales": [1.0] * K, "weights": [1 / K] * K}
program = stan.build(MODEL, data={"N": len(speeds), "K": K, "y": speeds.tolist()}, random_seed=1)
fit = program.sample(num_chains=2, num_samples=500, num_warmup=500, init=[start] * 2)
chains = fit["z"].reshape(len(speeds), 500, 2).transpose(2, 1, 0)  # chain x draw x item
posterior = pt.PartitionPosterior.from_any(chains.astype(int))
print(pt.summarize(posterior).answer)
