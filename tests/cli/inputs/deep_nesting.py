"""Prints a kernel file in which one construct is nested ten thousand deep: deep_nesting.py KIND"""
import sys

DEPTH = 10_000
EXPRESSIONS = {
    "parentheses": "(" * DEPTH + "1" + ")" * DEPTH,
    "lists": "[" * DEPTH + "1" + "]" * DEPTH,
    "starred_lists": "[*" * DEPTH + "1" + "]" * DEPTH,
    "comprehensions": "[1 for a in " * DEPTH + "[]" + "]" * DEPTH,
    "calls": "f(*" * DEPTH + "1" + ")" * DEPTH,
    "minus": "-" * DEPTH + "1",
    "not": "not " * DEPTH + "1",
    "sum": "1" + " + 1" * DEPTH,
    "power": "2" + " ** 1" * DEPTH,
    "conditionals": "1 if 1 else " * DEPTH + "1",
    "lambdas": "lambda: " * DEPTH + "1",
    "subscripts": "a" + "[0]" * DEPTH,
    "format_specs": 'f"' + "{1:" * DEPTH + "}" * DEPTH + '"',
}
BLOCKS = {"ifs": "if 1:", "functions": "def f():", "classes": "class A:", "tries": "try:"}

kind = sys.argv[1]
if kind in EXPRESSIONS:
    print("value =", EXPRESSIONS[kind])
else:
    for depth in range(DEPTH):
        print(" " * depth + BLOCKS[kind])
    print(" " * DEPTH + "pass")
