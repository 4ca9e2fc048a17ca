"""Results as one self-contained page: the answer first, then what it rests on.

Modules import only from layers with a smaller number:

    0  content
    1  charts
    2  readings
    3  sections
    4  write
    5  folder
"""

from .folder import report_folder
from .write import write_report

__all__ = ["report_folder", "write_report"]
