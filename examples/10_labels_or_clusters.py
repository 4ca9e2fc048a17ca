"""Dalton et al. (2015), Section VIII: where labels can only be guessed, clusters can still be found."""

import numpy as np

import partita as pt

# Two labels that nothing tells apart before the points are seen: which cluster is called 0 is then a matter of chance,
# and the best labeling is wrong for half of the points. A clustering is not asked for names.
alike = pt.GaussianPointProcess.normal_inverse_wishart(np.zeros((2, 2)), nu=0, kappa=2, psi=0)
X = np.random.default_rng(0).normal(size=(14, 2)) + 6 * (np.arange(14) % 2)[:, np.newaxis]

labeler, clusterer = pt.BayesLabeler(alike).fit(X), pt.BayesClusterer(alike).fit(X)
print("Labels that are alike, without known means or covariances:")
print(f"  expected share of wrong labels {labeler.error_:.3f}, as by guessing")
print(f"  expected share of misplaced points {clusterer.error_:.5f}, proven least: {clusterer.certified_}")

told_apart = pt.GaussianPointProcess.normal_inverse_wishart([[0, 0], [6, 6]], nu=[1, 1], kappa=4, psi=2.0)
labeler, clusterer = pt.BayesLabeler(told_apart).fit(X), pt.BayesClusterer(told_apart).fit(X)
print("Labels whose means are known to lie near (0, 0) and (6, 6):")
print(f"  expected share of wrong labels {labeler.error_:.5f}, of misplaced points {clusterer.error_:.5f}")
