#!/bin/sh
# The pages of docs/ as a site in docs/_build/html: the examples are run, and any warning is an error.
extras="[docs]"
. "$(dirname "$0")/install.sh"
sphinx-build -W --keep-going -q docs docs/_build/html "$@"
echo "Open docs/_build/html/index.html"
