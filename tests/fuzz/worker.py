"""Calls from one seed to another, one line before and one after each, so that a crash or a hang can be named."""

import json
import os
import resource
import sys

import numpy as np

MOST_MEMORY = 6 * 2**30


def make_call(number, seed):
    """A case, its arguments after one or two changes, and what was changed."""
    from cases import CASES
    from readers import FILES, bytes_of
    from values import BYTES, mutations

    rng = np.random.default_rng([seed, number])
    if rng.random() < 0.3:
        name = str(rng.choice([name for name in FILES if "report" not in name or rng.random() < 0.1]))
        how = str(rng.choice(list(BYTES)))
        content = BYTES[how](bytes_of(name.removeprefix("report ")), rng)
        return f"read {name}", FILES[name], {"content": content}, {name: how}
    name = str(rng.choice(list(CASES)))
    case = CASES[name]
    arguments, changed = dict(case.arguments), {}
    for argument in rng.permutation(list(arguments))[: 1 + (rng.random() < 0.2)]:
        ways = mutations(arguments[argument])
        how = str(rng.choice(list(ways)))
        try:
            arguments[str(argument)] = ways[how](arguments[argument])
        except (TypeError, ValueError, OverflowError):
            continue  # a value that cannot be changed so
        changed[str(argument)] = how
    return name, case, arguments, changed


def main(first, last, seed):
    os.chdir(os.environ["FUZZ_FOLDER"])
    from judge import judge

    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    for number in range(first, last):
        name, case, arguments, changed = make_call(number, seed)
        print(json.dumps({"number": number, "name": name, "changed": changed}), flush=True)
        outcome, said = judge(case.call, arguments, changed, case.probabilities)
        print(json.dumps({"outcome": outcome, "said": said}), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:4]))
