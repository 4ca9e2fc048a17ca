"""Do tests notice? ``python tests/mutation/run.py --mutants 300 --seed 0``.

Each mutant is one small change to one module, run against the module's own tests (tests mirror the tree) in a copy of
the project: its doctests, then those tests that enter the changed function, the quickest first. Those in
``changes_nothing.txt`` change no answer, and why is said there; of the rest nine in ten must be noticed.
"""

import argparse
import ast
import hashlib
import json
import os
import random
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
from fnmatch import fnmatch
from pathlib import Path

from mutate import function_at, mutants

ROOT = Path(__file__).parents[2]
LISTED = Path(__file__).with_name("changes_nothing.txt")
LEAST = 0.9  # share that must be noticed
LONGEST = 1200.0  # seconds for the tests of a module
DEFAULTS = "tests/test_defaults.py"  # of every module
MEMORY = 16 * 2**30  # bytes a mutant may ask for
PYTEST = (sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "-m", "not slow")


def modules(with_kernels):
    """Modules that are changed: all that compute, kernels and components (which are compiled) only where asked for."""
    for path in sorted((ROOT / "src" / "partita").rglob("*.py")):
        name = path.relative_to(ROOT / "src" / "partita").as_posix()
        if path.name != "__init__.py" and not name.startswith("cli/warmup") and is_compiled(name) == with_kernels:
            yield name


def is_compiled(name):
    """Whether a module holds kernels."""
    return name.startswith(("_kernels/", "components/"))


def tests_of(name, root):
    """The tests that a module has, nearest first: those of its name, of its package, of the package around that."""
    parts = Path(name.removeprefix("_kernels/")).with_suffix("").parts
    for depth in range(len(parts), 0, -1):
        own = root / "tests" / Path(*parts[: depth - 1], f"test_{parts[depth - 1].lstrip('_')}.py")
        if own.is_file():
            yield own.relative_to(root).as_posix()
        if depth < len(parts) and (package := root / "tests" / Path(*parts[:depth])).is_dir():
            yield package.relative_to(root).as_posix()
    yield from ("tests/test_laws.py", "tests/test_exact.py")


def read_listed():
    """Changes that change nothing: (module, the line as changed), with why."""
    lines = [line for line in LISTED.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    found = [re.fullmatch(r"(\S+) \| (.+) \| (.+)", line).groups() for line in lines]
    return {(name, changed): why for name, changed, why in found}


def changes_nothing(listed, name, mutant, source):
    """Whether a change is listed: by its line, or by the text that it comes after or ends, which has a ``~``."""
    before = source.splitlines()[mutant.line - 1].encode()[: mutant.begin].decode()
    return (name, mutant.shown(source)) in listed or any(
        text.endswith("~") and f"{before}{end}".endswith(text[:-1]) and fnmatch(name, modules)
        for modules, text in listed
        for end in ("", mutant.old)
    )


def copy_project(folder):
    """A copy to change; files that are there already keep their time, so that what was compiled from them holds."""
    wanted = [ROOT / name for name in ("conftest.py", "pyproject.toml", "README.md", "CHANGELOG.md")]
    for name in ("src", "tests", "docs", "scripts", "examples"):
        wanted += [path for path in (ROOT / name).rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    names = {path.relative_to(ROOT) for path in wanted}
    for name in ("src", "tests"):
        for path in (folder / name).rglob("*"):
            if path.is_file() and path.relative_to(folder) not in names:
                path.unlink()
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if not (folder / name).is_file() or (folder / name).read_bytes() != (ROOT / name).read_bytes():
            shutil.copy(ROOT / name, folder / name)


def run_tests(folder, tests, seconds, **known):
    """The exit code of pytest, 0 if all pass; None if they take too long."""
    import resource  # of Unix alone

    known = {**os.environ, "PYTHONPATH": f"{folder / 'src'}{os.pathsep}{folder / 'tests' / 'mutation'}", **known}

    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 5))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    try:
        return subprocess.run(
            [*PYTEST, *tests],
            cwd=folder, env=known, capture_output=True, timeout=LONGEST, check=False, preexec_fn=limit,
        ).returncode  # fmt: skip
    except subprocess.TimeoutExpired:
        return None


def read_entered(folder, tests):
    """For each test its seconds and the functions it enters, found once for each state of the project."""
    digest = hashlib.sha256()
    for part in ("src", tests):
        for path in sorted([folder / part] if (folder / part).is_file() else (folder / part).rglob("*.py")):
            digest.update(path.read_bytes())
    path = folder / ".cache" / f"entered-{digest.hexdigest()[:16]}.json"
    path.parent.mkdir(exist_ok=True)
    if not path.is_file():
        run_tests(folder, ["-p", "entered", tests], LONGEST, ENTERED=str(path))
    return json.loads(path.read_text(encoding="utf-8"))


def choose_tests(known, name, function):
    """The tests that enter a function, the quickest first; of kernels and of what is in no function, all."""
    every = is_compiled(name) or not function
    chosen = [test for test, (_, entered) in known.items() if every or {f"{name}:{function}", "any"} & set(entered)]
    return sorted(chosen, key=lambda test: known[test][0])


def nearest_tests(folder, name, function):
    """Those tests of the nearest file or folder that has any, with that of all defaults, and the seconds they have."""
    for tests in tests_of(name, folder):
        known = read_entered(folder, tests)
        if chosen := choose_tests(known, name, function):
            break
    seconds = 60 + 10 * sum(known[test][0] for test in chosen) + LONGEST * is_compiled(name)
    return [f"src/partita/{name}", *chosen, DEFAULTS], seconds


def compiled_folder(folder):
    """Where the tests keep what they compile, named after the kernels as they are."""
    runpy.run_path(str(folder / "conftest.py"))
    return Path(os.environ.pop("NUMBA_CACHE_DIR"))


def copy_compiled(old, new, folder, name):
    """What was compiled from modules that do not import the changed one, directly or not."""
    sources = [path for part in ("_kernels", "components") for path in (folder / "src/partita" / part).rglob("*.py")]
    changed, size = {Path(name).stem, "family" if "components" in name else ""}, 0
    while len(changed) > size:
        size = len(changed)
        imports = re.compile(rf"^from \.+(?:\w+\.)*({'|'.join(changed - {''})}) import", flags=re.MULTILINE)
        changed |= {path.stem for path in sources if imports.search(path.read_text(encoding="utf-8"))}
    shutil.copytree(old, new, dirs_exist_ok=True)
    for path in new.rglob("*.nb?"):
        if path.name.split(".")[0] in changed:
            path.unlink()


def notices(folder, name, mutant):
    """Whether the tests of a module fail in the copy, or take too long."""
    path = folder / "src" / "partita" / name
    source, time = path.read_text(encoding="utf-8"), path.stat().st_mtime_ns
    tests, seconds = nearest_tests(folder, name, function_at(ast.parse(source), mutant.line))
    old = compiled_folder(folder)
    path.write_text(mutant.apply(source), encoding="utf-8")
    try:
        if (new := compiled_folder(folder)) != old:
            copy_compiled(old, new, folder, name)
        return run_tests(folder, ["-x", *tests], seconds) != 0
    finally:
        path.write_text(source, encoding="utf-8")
        os.utime(path, ns=(time, time))
        if new != old:
            shutil.rmtree(new)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mutants", type=int, default=300)
    parser.add_argument("--skip", type=int, default=0, help="Mutants to leave out, as when a run goes on.")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kernels", type=float, default=0.0, help="Share of mutants among compiled modules.")
    parser.add_argument("--folder", type=Path, help="Where to keep the copy; a temporary folder if left out.")
    parser.add_argument("--only", default="", help="Modules whose names begin so, such as decide/.")
    parser.add_argument("--verbose", action="store_true", help="Print those that are noticed, too.")
    options = parser.parse_args()
    rng, listed = random.Random(options.seed), read_listed()
    counts = {"noticed": 0, "unnoticed": 0, "changes nothing": 0}
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.folder or Path(temporary)).resolve()
        copy_project(folder)
        for index in range(options.mutants):
            name = rng.choice(
                [name for name in modules(rng.random() < options.kernels) if name.startswith(options.only)]
            )
            source = (folder / "src" / "partita" / name).read_text(encoding="utf-8")
            if not (possible := mutants(source)):
                continue
            mutant = rng.choice(possible)
            shown = mutant.shown(source)
            if index < options.skip:
                continue
            if changes_nothing(listed, name, mutant, source):
                outcome = "changes nothing"
            else:
                outcome = "noticed" if notices(folder, name, mutant) else "unnoticed"
            counts[outcome] += 1
            if outcome == "unnoticed" or options.verbose:
                print(f"{outcome}: {name}:{mutant.line} {mutant.old} -> {mutant.new}: {shown}", flush=True)
    share = counts["noticed"] / max(1, counts["noticed"] + counts["unnoticed"])
    print(
        ", ".join(f"{name}: {n}" for name, n in counts.items())
        + f"; {share:.0%} of those that change something noticed"
    )
    return int(share < LEAST)


if __name__ == "__main__":
    sys.exit(main())
