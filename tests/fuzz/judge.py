"""What came of a call: fine, refused in a sentence, or one of the classes that must stay empty."""

import re
import warnings

import numpy as np
import pandas as pd

WRONG = ("obscure", "wrong", "hang", "crash")
SAID = (
    "Input X",
    "Expected 2D array",
    "Complex data",
    "Found array with",
    "would take",
)  # scikit-learn on X, and memory
REFUSALS = (ValueError, TypeError, MemoryError, OSError)


def judge(call, arguments, changed, probabilities=None):
    """The class of a call and a line about it; ``changed`` are the arguments that were mutated."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = call(**arguments)
    except REFUSALS as error:
        return ("refused", str(error)) if names_one(error, changed) else ("obscure", describe(error))
    except Exception as error:
        return "obscure", describe(error)
    if found := find_nan(result):
        return "wrong", found
    for values in probabilities(result) if probabilities else ():
        numbers = np.asarray(values, dtype=float)
        if not ((numbers >= -1e-9) & (numbers <= 1 + 1e-6)).all():
            return "wrong", f"a probability of {numbers[~((numbers >= 0) & (numbers <= 1))].flat[0]}"
    return "fine", ""


def names_one(error, changed):
    """Whether a message says what must hold, or names an argument that was changed, or is scikit-learn's on X."""
    text = str(error)
    return " must " in text or any(re.search(rf"\b{re.escape(name)}\b", text) for name in (*changed, *SAID))


def describe(error):
    where, trace = "", error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if "/partita/" in file:
            where = f"{file.split('/partita/')[-1]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"{where} {type(error).__name__}: {str(error)[:150]}"


def find_nan(result):
    """Where a result holds NaN: in arrays and numbers, and in tuples and lists of them."""
    if isinstance(result, (float, np.floating)) and np.isnan(result):
        return "NaN"
    if isinstance(result, np.ndarray) and result.dtype.kind == "f" and np.isnan(result).any():
        return f"NaN in an array of shape {result.shape}"
    if isinstance(result, (tuple, list)):
        return next(filter(None, map(find_nan, result)), "")
    if isinstance(result, (pd.DataFrame, pd.Series)):
        return ""  # an entry that does not apply is missing
    return ""
