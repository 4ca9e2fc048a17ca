"""How Sphinx builds these pages: `sh scripts/docs.sh`."""

import sys
from importlib import metadata
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "partita"
author = "The partita developers"
copyright = "the partita developers"  # noqa: A001
release = metadata.version("partita")

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "commands",  # _ext/commands.py: the command line, from the code
    "gallery",  # _ext/gallery.py: examples/, run
    "mathml",  # _ext/mathml.py: formulas without a network
]
html_math_renderer = "mathml"
smartquotes = False  # options begin with two hyphens
exclude_patterns = ["_build"]
templates_path = ["_templates"]

myst_enable_extensions = ["attrs_inline", "deflist", "dollarmath"]
myst_heading_anchors = 3

autosummary_generate = True
autosummary_ignore_module_all = False
autodoc_typehints = "none"  # types stand in the docstrings
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

html_theme = "furo"
html_title = f"partita {release}"
html_static_path = ["_static"]
html_css_files = ["partita.css"]
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b5d8a", "color-brand-content": "#0b5d8a"},
    "dark_css_variables": {"color-brand-primary": "#6cb8e6", "color-brand-content": "#6cb8e6"},
}
