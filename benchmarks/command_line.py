"""How soon the command line answers, against importing numpy in the same run.

python benchmarks/command_line.py
"""

import subprocess
import sys

from measure import row, seconds

COMMANDS = (["--version"], ["--help"], ["cluster", "--help"], ["summarize", "--help"])


def run(*arguments):
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)


def main():
    numpy = seconds(lambda: run("-c", "import numpy"), 7)
    for command in COMMANDS:
        ratio = seconds(lambda command=command: run("-m", "partita", *command), 7) / numpy
        row(f"partita {' '.join(command)}, times 'import numpy'", f"{ratio:.2f}", "at most 3")


if __name__ == "__main__":
    main()
