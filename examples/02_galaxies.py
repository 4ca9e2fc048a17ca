"""Wade and Ghahramani (2018): the groups that 82 galaxies form by their velocities, and how sure they are."""

import sys
from pathlib import Path

import partita as pt

X = pt.datasets.load_galaxies()  # velocities in 1000 km/s
print("Sampling four chains (the first run compiles for half a minute) ...", file=sys.stderr)
mixture = pt.BayesianMixture(n_chains=4, n_draws=1000, n_warmup=1000, random_state=1).fit(X)
summary = pt.summarize(mixture)
print(mixture.posterior_)
print(summary.words)

estimate = summary.estimate
for k in range(estimate.n_clusters):
    members = X[estimate.labels == k, 0]
    print(f"  cluster {k}: {members.size} galaxies at {members.min():.1f} to {members.max():.1f} thousand km/s")

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "out/galaxies")
folder.mkdir(parents=True, exist_ok=True)
mixture.posterior_.save(folder / "draws.npz")
summary.certainty.items.to_csv(folder / "certainty.csv")
summary.ball.to_pandas().to_csv(folder / "bounds.csv")
pt.write_report(summary, folder / "report.html", data=X, title="Groups of 82 galaxies by their velocities")
print(f"Draws, certainty of each galaxy and the bounds of the ball are in {folder}/")
print(f"The whole answer, for a browser: {folder}/report.html")
