"""The kernel's file: TileLang says in which line a statement begins, the file says where it ends."""

import ast
import pathlib

from tilelang import ir as tilelang_ir


def last_of_header(node):
    """What a statement's own text ends with: of a compound one, its header."""
    if isinstance(node, ast.For):
        return node.iter
    if isinstance(node, ast.With):
        return node.items[-1].optional_vars or node.items[-1].context_expr
    if isinstance(node, (ast.If, ast.While)):
        return node.test
    if isinstance(node, ast.FunctionDef):
        return node.args.args[-1] if node.args.args else node
    return node


def spans_of(text):
    """By line: (line, column, end line, end column) of the statement or parameter that begins there, columns in bytes
    from 1, half-open. Of several in a line the outermost."""
    spans = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.stmt, ast.arg)):
            last = last_of_header(node)
            spans.setdefault(node.lineno, (node.lineno, node.col_offset + 1, last.end_lineno, last.end_col_offset + 1))
    return spans


class Source:
    """`path` is empty where the kernel says of no statement where it stands."""

    def __init__(self, function):
        span = tilelang_ir.get_prim_func_span(function)
        self.path, self.text, self.spans = str(span.source_name.name) if span else "", "", {}
        try:
            self.text = pathlib.Path(self.path).read_text(encoding="utf-8")
            self.spans = spans_of(self.text)
        except (OSError, ValueError, SyntaxError):
            self.path = ""  # made by a program, or changed since

    def span_text(self, span):
        """"10:5-12:40", or "" outside of the kernel's file."""
        if span is None or not self.path or str(span.source_name.name) != self.path:
            return ""
        line = span.line
        width = len(self.text.split("\n", line)[line - 1].encode()) if line <= self.text.count("\n") + 1 else 0
        begin, column, end, end_column = self.spans.get(line, (line, 1, line, width + 1))
        return f"{begin}:{column}-{end}:{end_column}"


def place_text(span):
    return f"{span.source_name.name}:{span.line}" if span is not None else ""
