"""The command line: parse, call one library function, write. One file per command.

A command imports what it computes with when it runs, so that ``--help`` and ``--version`` answer at once.

Modules import only from layers with a smaller number:

    0  app, columns, files
    1  cluster, report, simulate, summarize, validate
"""

from . import cluster, report, simulate, summarize, validate
from .app import app

__all__ = ["app", "cluster", "report", "simulate", "summarize", "validate"]
