"""Dalton et al. (2015), Section VII: k-means is the most probable partition of a model, and how wrong it is there."""

import numpy as np
from sklearn.cluster import KMeans

import partita as pt

rng = np.random.default_rng(22)
X = np.concatenate([rng.normal([0, 0], 1, size=(7, 2)), rng.normal([2.2, 1.2], 1, size=(6, 2))])
n, d = X.shape


# The model: flat means, one spherical covariance, and label functions with probability proportional to the product of
# the cluster sizes to the power d/2. Nobody chooses such a prior; who uses k-means has chosen it.
def size_prior(counts):
    """Log probability of a label function by its counts; both labels are in use."""
    return d / 2 * np.log(counts).sum() if counts.min() else -np.inf


model = pt.GaussianPointProcess.gaussian_means(np.zeros((2, d)), nu=0, covariances=1.0, label_prior=size_prior)

# The log probability of every partition into two clusters is minus half its sum of squares, and a constant.
partitions = pt.all_partitions(n, max_clusters=2)[1:]
squares = [sum(((X[row == k] - X[row == k].mean(axis=0)) ** 2).sum() for k in (0, 1)) for row in partitions]
log_p = model.log_partition_probability(X, partitions)
print(
    f"{len(partitions)} partitions; log probability + squares / 2 varies by {np.ptp(log_p + np.array(squares) / 2):.0e}"
)

kmeans = KMeans(2, n_init=20, random_state=0).fit_predict(X)
mode = partitions[log_p.argmax()]
print(f"k-means is the most probable of them: {pt.Misclassification().between(kmeans, mode) == 0}")

# The most probable partition need not be the one that misplaces fewest points: the Bayes clusterer is.
probability = np.exp(log_p.max() - np.logaddexp.reduce(log_p))
bayes = pt.BayesClusterer(model).fit(X)
wrong = bayes.partition_error(kmeans).estimate
print(f"Its probability is {probability:.3f} all the same, and it is expected to misplace {wrong:.3f} of the points;")
print(f"the Bayes clusterer, the best there is under this model, misplaces {bayes.error_:.3f}.")
