"""Results as one self-contained page: the answer first, then what it rests on."""

from .folder import report_folder
from .write import write_report

__all__ = ["report_folder", "write_report"]
