"""The command line: parse, call one library function, write. One file per command.

Modules import only from layers with a smaller number:

    0  app, words
    1  cluster, report, simulate, summarize, validate
"""

from . import cluster, report, simulate, summarize, validate
from .app import app

__all__ = ["app", "cluster", "report", "simulate", "summarize", "validate"]
