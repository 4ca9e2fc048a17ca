#!/bin/sh
# Lint, types, doctests and tests, from nothing but python3 and its venv module.
extras="[test]"
. "$(dirname "$0")/install.sh"
# The report is tried in a real browser where there is one or one can be had; elsewhere those tests say they were skipped.
if ! command -v chromium > /dev/null && command -v apt-get > /dev/null && [ "$(id -u)" = 0 ]; then
    { apt-get -qq update && apt-get -qq install -y --no-install-recommends chromium; } > /dev/null 2>&1 || true
fi
ruff check .
ruff format --check .
mypy
pytest -n 2 "$@"
