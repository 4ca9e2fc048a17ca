"""The default mixture, which writes a line to a file after each fit: whether its chains agree. For `league.py`."""

import json
import os
from pathlib import Path

import partita as pt

FILE = "PARTITA_WATCHED"  # names the file


class WatchedMixture(pt.BayesianMixture):
    """`BayesianMixture`, watched."""

    def fit(self, X, y=None, constraints=None, sample_weight=None):
        """Fit, and say how it went."""
        super().fit(X, y, constraints, sample_weight)
        seen = {"mixed": self.diagnostics_.mixed, "verdict": self.diagnostics_.verdict, "n_warmup": self.n_warmup_}
        with Path(os.environ[FILE]).open("a") as file:
            file.write(json.dumps(seen) + "\n")
        return self
