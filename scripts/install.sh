# Makes .venv where it is missing and installs partita into it with $extras, e.g. "[test]".
# Sourced by demo.sh and test.sh. A stamp remembers what was installed, so a second call costs nothing.
set -eu
cd "$(dirname "$0")/.."
stamp=".venv/.installed$extras"
# A .venv whose making was cut short has no pip: make it again, over itself.
.venv/bin/python -m pip --version > /dev/null 2>&1 || python3 -m venv .venv
if [ ! -f "$stamp" ] || [ pyproject.toml -nt "$stamp" ]; then
    echo "Installing partita$extras into .venv (a minute or so, once) ..."
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --upgrade pip
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --editable ".$extras"
    touch "$stamp"
fi
PATH="$PWD/.venv/bin:$PATH"
