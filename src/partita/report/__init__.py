"""Results as one self-contained page: the answer first, then what it rests on.

Modules import only from layers with a smaller number:

    0  content
    1  charts
    2  method, readings
    3  beforehand
    4  sections
    5  write
    6  folder
"""

from .folder import report_folder
from .write import write_report

__all__ = ["report_folder", "write_report"]
