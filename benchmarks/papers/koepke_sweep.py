"""Tables 7.2 and 7.3 of Koepke (2008): a normalizing constant by path sampling, and by sweep sampling with C(α).

The uniform distribution on [-1, 1]^d and a normal weight with standard deviation 0.5: the thesis' true values are those
of that problem. Its numbers of particles and greatest costs; its number of moves is not given.
"""

import numpy as np
from claims import Claim, write_rows
from scipy.stats import norm

from partita.experimental import path_sampling, sweep_sampling

# Dimension: particles, greatest cost, true λ, path sampling, sweep sampling with C = 1 and with C(α), averages.
PRINTED = {
    2: (400, 0.1, -1.4794, -1.5711, -1.5182, -1.5028),
    3: (600, 0.15, -2.2191, -2.3301, -2.2953, -2.2953),
    5: (1000, 0.25, -3.6986, -4.0149, -3.9502, -3.9118),
}


def problem(d):
    """Weight, prior and its sampler."""
    return {
        "log_weight": lambda x: norm.logpdf(x, scale=0.5).sum(axis=1),
        "log_prior": lambda x: np.where((np.abs(x) <= 1).all(axis=1), -d * np.log(2), -np.inf),
        "sample_prior": lambda rng, n: rng.uniform(-1, 1, size=(n, d)),
    }


def study(quick):
    """By dimension: estimates by path sampling, and (estimate, share unreached) by sweep sampling, C = 1 and C(α)."""
    n_runs, n_steps = ({2: 3, 3: 3, 5: 2}, 20) if quick else ({2: 10, 3: 10, 5: 4}, 50)
    out = {}
    for d, (n_particles, max_cost, *_) in PRINTED.items():
        options = dict(**problem(d), n_particles=n_particles)
        path = [path_sampling(**options, random_state=s).log_constant for s in range(n_runs[d])]
        sweeps = [
            [
                sweep_sampling(
                    **options, seeds=np.zeros((1, d)), max_cost=max_cost, n_steps=n_steps, max_steps=150,
                    balance=balance, random_state=s,
                )[:2]
                for s in range(n_runs[d])
            ]
            for balance in (False, True)
        ]  # fmt: skip
        out[d] = np.array(path), *map(np.array, sweeps)
    return out


def truth(d):
    """The logarithm of the constant."""
    return d * np.log(0.5 * (2 * norm.cdf(2) - 1))


def sweep_claims(found):
    """Path sampling, and what a C(α) that follows the weight does."""
    path = {d: values[0].mean() for d, values in found.items()}
    yield Claim(
        "Koepke, Tables 7.2, 7.3",
        "path sampling comes out too small, more so in more dimensions (2, 3, 5)",
        ", ".join(f"{PRINTED[d][3]:.3f}" for d in found),
        ", ".join(f"{value:.3f}" for value in path.values())
        + "; true " + ", ".join(f"{truth(d):.3f}" for d in found)
        + ": particles that are resampled before they move do not lag behind",
        "corrected",
    )  # fmt: skip
    fixed, follows = (found[5][which].mean(axis=0) for which in (1, 2))
    yield Claim(
        "Koepke, Table 7.3",
        "C(α) that follows the weight improves sweep sampling (5 dimensions, true λ -3.699)",
        f"{PRINTED[5][4]:.3f} with C = 1, {PRINTED[5][5]:.3f}",
        f"{fixed[0]:.3f} with C = 1 ({fixed[1]:.0%} never reached), {follows[0]:.3f} ({follows[1]:.0%})",
        "confirmed" if abs(follows[0] - truth(5)) < abs(fixed[0] - truth(5)) and follows[1] < fixed[1] else "open",
    )


def write_sweep(found):
    """The table as numbers."""
    header = ("dimension", "method", "runs", "mean", "se", "unreached", "true", "thesis")
    rows = []
    for d, (path, *sweeps) in found.items():
        error = path.std(ddof=1) / np.sqrt(len(path))
        rows.append((d, "path", len(path), path.mean(), error, 0.0, truth(d), PRINTED[d][3]))
        for name, column, runs in zip(("sweep, C = 1", "sweep, C(α)"), (4, 5), sweeps, strict=True):
            error = runs[:, 0].std(ddof=1) / np.sqrt(len(runs))
            mean, unreached = runs.mean(axis=0)
            rows.append((d, name, len(runs), mean, error, unreached, truth(d), PRINTED[d][column]))
    write_rows("koepke-sweep", header, [(*row[:3], *(f"{v:.4f}" for v in row[3:])) for row in rows])
