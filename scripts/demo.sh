#!/bin/sh
# From a fresh clone to a first answer.
extras=""
. "$(dirname "$0")/install.sh"
python examples/00_penguins.py
