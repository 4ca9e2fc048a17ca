"""The command line: parse, call one library function, write. One file per command.

A command imports what it computes with when it runs, so that ``--help`` and ``--version`` answer at once.

Modules import only from layers with a smaller number:

    0  app, blocks
    1  bayes, cluster, report, simulate, suggest, summarize, validate, warmup
    2  ensemble
"""

from . import bayes, cluster, ensemble, report, simulate, suggest, summarize, validate, warmup
from .app import app

__all__ = ["app", "bayes", "cluster", "ensemble", "report", "simulate", "suggest", "summarize", "validate", "warmup"]
