"""The changes that the mutation run makes are the ones it says, and it finds the tests of a module."""

import importlib.util
import sys
from pathlib import Path

HERE = Path(__file__).parent


def load(name):
    sys.path.insert(0, str(HERE))
    try:
        spec = importlib.util.spec_from_file_location(f"mutation_{name}", HERE / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        return module
    finally:
        sys.path.remove(str(HERE))


def test_each_change_is_small_and_parses():
    source = 'def f(a: "int" = 1):\n    """Say 3 < 4."""\n    return a * 2 if a < 3 and True else f"{a + 1}" + "x"\n'
    found = load("mutate").mutants(source)
    changed = {mutant.shown(source).replace(" ", "") for mutant in found}
    assert 'returna/2ifa<3andTrueelsef"{a+1}"+"x"' in changed
    assert 'returna*2ifa<=3andTrueelsef"{a+1}"+"x"' in changed
    assert 'returna*2ifa<3andFalseelsef"{a+1}"+"x"' in changed
    assert not any("4" in mutant.old or '"3 <' in mutant.apply(source) for mutant in found if mutant.line == 2)
    for mutant in found:
        compile(mutant.apply(source), "mutant", "exec")


def test_every_module_has_tests_to_be_run_against():
    run = load("run")
    for kernels in (False, True):
        for name in run.modules(kernels):
            assert all((run.ROOT / path).exists() for path in run.tests_of(name, run.ROOT)), name
    assert run.tests_of("decide/estimate.py", run.ROOT) == ["tests/decide/test_estimate.py"]
    assert run.tests_of("samplers/checkpoint.py", run.ROOT) == ["tests/samplers/test_checkpoint.py"]


def test_listed_changes_have_reasons():
    assert all(reason for reason in load("run").read_listed().values())
