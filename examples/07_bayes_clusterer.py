"""Dalton et al. (2015): how wrong will a clustering be? The least wrong one under a point process, and k-means."""

from sklearn.cluster import KMeans

import partita as pt

# Two clusters of ten points each, in a plane; their means and covariances are uncertain.
process = pt.GaussianPointProcess.normal_inverse_wishart(
    means=[[0, 0], [1.5, 1.5]], nu=[1, 2], kappa=[2, 3], psi=0.5, sizes=[10, 10]
)
X, truth = pt.datasets.sample_point_process(process, random_state=3)

bayes = pt.BayesClusterer(process).fit(X)
print(f"Search: {bayes.search_}. Proven to be the least wrong of all partitions: {bayes.certified_}.")
print(f"Expected share of misplaced points: {bayes.error_:.3f}")

kmeans = KMeans(2, n_init=10, random_state=0).fit_predict(X)
print(f"The same for k-means: {bayes.partition_error(kmeans).estimate:.3f}")

loss = pt.Misclassification()
print(f"Misplaced in truth: {loss.between(truth, bayes.labels_):.3f}, k-means {loss.between(truth, kmeans):.3f}")

labeler = pt.BayesLabeler(process).fit(X)
print(
    f"Which cluster is which is another question: labels would be wrong with an expected share of {labeler.error_:.3f}"
)
