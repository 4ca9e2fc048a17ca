"""The command line: parse, call one library function, write. One file per command."""

from . import cluster, report, simulate, summarize, validate
from .app import app

__all__ = ["app", "cluster", "report", "simulate", "summarize", "validate"]
