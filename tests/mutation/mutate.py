"""Small changes to a module: a comparison, an operator, a constant."""

import ast
from typing import NamedTuple

COMPARED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
COMBINED = {"+": "-", "-": "+", "*": "/", "/": "*", "//": "*", "%": "+", "**": "*"}
SYMBOLS = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
}  # fmt: skip


class Mutant(NamedTuple):
    """A change to one line of a module."""

    line: int
    begin: int
    end: int
    old: str
    new: str

    def apply(self, source: str) -> str:
        """The module with the change."""
        lines = source.splitlines(keepends=True)
        text = lines[self.line - 1].encode()
        lines[self.line - 1] = (text[: self.begin] + self.new.encode() + text[self.end :]).decode()
        return "".join(lines)

    def shown(self, source: str) -> str:
        """The line with the change, as a list names it."""
        return self.apply(source).splitlines()[self.line - 1].strip()


def mutants(source: str) -> list[Mutant]:
    """All small changes, in order; docstrings, annotations and type checks stay as they are."""
    tree, found, lines = ast.parse(source), [], source.splitlines()
    for node in walk(tree):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in SYMBOLS:
            old = SYMBOLS[type(node.ops[0])]
            found += between(node.left, node.comparators[0], old, COMPARED[old], lines)
        elif isinstance(node, ast.BinOp) and type(node.op) in SYMBOLS and not is_text(node):
            old = SYMBOLS[type(node.op)]
            found += between(node.left, node.right, old, COMBINED[old], lines)
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float, bool):
            new = repr(not node.value) if isinstance(node.value, bool) else repr(node.value + 1)
            old = lines[node.lineno - 1].encode()[node.col_offset : node.end_col_offset].decode()
            found.append(Mutant(node.lineno, node.col_offset, node.end_col_offset, old, new))
    return sorted(found)


def walk(node):
    """The node and all below it, but for annotations and what runs for type checkers alone."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not (
                isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)
            ):
                yield from walk(child)


def is_text(node):
    """Whether an operator joins types or text."""
    texts = [isinstance(side, ast.Constant) and isinstance(side.value, str) for side in (node.left, node.right)]
    return any(texts) or any(isinstance(side, (ast.JoinedStr, ast.List)) for side in (node.left, node.right))


def between(left, right, old, new, lines):
    """The change of the operator between two parts of one line."""
    if left.end_lineno != right.lineno:
        return []
    text = lines[right.lineno - 1].encode()
    at = text[left.end_col_offset : right.col_offset].find(old.encode())
    if at < 0:
        return []
    begin = left.end_col_offset + at
    return [Mutant(right.lineno, begin, begin + len(old), old, new)]


def function_at(node: ast.AST, line: int, within: str = "") -> str:
    """The qualified name of the function whose body holds a line; empty outside of all bodies."""
    for child in ast.iter_child_nodes(node):
        if not getattr(child, "lineno", line) <= line <= getattr(child, "end_lineno", line):
            continue
        if isinstance(child, ast.FunctionDef):
            name = f"{within}{child.name}"
            return (function_at(child, line, f"{name}.<locals>.") or name) if line >= child.body[0].lineno else ""
        if found := function_at(child, line, f"{within}{child.name}." if isinstance(child, ast.ClassDef) else within):
            return found
    return ""
