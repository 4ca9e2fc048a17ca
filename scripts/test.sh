#!/bin/sh
# Lint, types, doctests and tests, from nothing but python3 and its venv module.
extras="[test]"
. "$(dirname "$0")/install.sh"
ruff check .
ruff format --check .
mypy
pytest -n 2 "$@"
