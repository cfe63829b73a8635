#!/usr/bin/env python3
"""Size limits: lines of a function and of a file, nesting depth, what a class holds. Prints the ten largest of each."""

import collections
import pathlib
import sys

import cpp_text
import tree

FUNCTION_LIMIT = 60
# For a flat table or switch, marked `// flat table` on the line before it or inside.
FLAT_TABLE_LIMIT = 120
NESTING_LIMIT = 4

# The first prefix that matches a path gives its kind and limit in lines.
FILE_LIMITS = [
    ("passes/", "pass", 400),
    ("core/analysis/", "analysis", 300),
    ("core/facets/", "facet", 300),
    ("core/ops/", "op", 300),
    ("viewer/panels/", "panel", 250),
    ("core/views/", "panel model", 300),
    ("tests/tools/", "tool", 600),
    ("tests/", "test", 400),
    ("", "source", 600),
]

# path: limit. A line here needs a commit that says why.
RAISED = {}

# What one reader can hold: methods, fields, and the sources over which the methods are spread.
CLASS_LIMITS = (40, 24, 4)


def limit_of(path, raised=RAISED):
    for prefix, kind, limit in FILE_LIMITS:
        if path.startswith(prefix):
            return kind, raised.get(path, limit)
    raise AssertionError("the last prefix matches everything")


def check_functions(path, text, functions, findings):
    lines = text.split("\n")
    for name, first, last in cpp_text.functions(text):
        length = last - first + 1
        flat = any("// flat table" in line for line in lines[max(first - 4, 0):last])
        limit = FLAT_TABLE_LIMIT if flat else FUNCTION_LIMIT
        functions.append((length, f"{path}:{first} {name}"))
        if length > limit:
            findings.append(f"{path}:{first}: function {name} has {length} lines, the limit is {limit}")


def sources_of_classes(texts):
    """By folder and name of each class, the sources that define its methods."""
    sources = collections.defaultdict(set)
    for path, text in texts.items():
        if path.endswith(".cpp"):
            for name, _, _ in cpp_text.functions(text):
                if "::" in name:
                    sources[path.rsplit("/", 1)[0], name.rsplit("::", 1)[0]].add(path)
    return sources


def check_classes(texts, classes, findings):
    sources = sources_of_classes(texts)
    for path, text in texts.items():
        for _, name, line, methods, fields in cpp_text.classes(text):
            held = (methods, fields if methods else 0, len(sources.get((path.rsplit("/", 1)[0], name), ())))
            classes.append((methods, f"{path}:{line} {name}, {fields} fields, {held[2]} sources"))
            for count, limit, what in zip(held, CLASS_LIMITS, ("methods", "fields", "sources")):
                if count > limit:
                    findings.append(f"{path}:{line}: class {name} has {count} {what}, the limit is {limit}")


def print_longest(title, entries):
    print(f"longest {title}:")
    for size, name in sorted(entries, reverse=True)[:10]:
        print(f"  {size:5} {name}")


def print_totals(sizes):
    totals = collections.Counter()
    for size, path in sizes:
        parts = pathlib.PurePath(path).parts
        totals["/".join(parts[:2]) if len(parts) > 2 else parts[0]] += size
    print("lines by folder: " + ", ".join(f"{name} {size}" for name, size in sorted(totals.items())))
    print(f"lines in all: {sum(totals.values())}")


def main():
    findings, sizes, functions, depths, classes, product = [], [], [], [], [], {}
    for path in tree.files(".cpp", ".h", ".def", ".py", ".test"):
        if path.startswith("testdata/"):
            continue
        text = tree.text(path)
        length = text.count("\n")
        kind, limit = limit_of(path)
        sizes.append((length, path))
        if length > limit:
            findings.append(f"{path}: {length} lines, the limit for a {kind} file is {limit}")
        if path.endswith((".cpp", ".h")):
            check_functions(path, text, functions, findings)
            if not path.startswith("tests/"):
                product[path] = text
            depth, line = cpp_text.nesting(text)
            depths.append((depth, f"{path}:{line}"))
            if depth > NESTING_LIMIT:
                findings.append(f"{path}:{line}: nested {depth} deep, the limit is {NESTING_LIMIT}")
    check_classes(product, classes, findings)
    longer = {path for size, path in sizes if size > limit_of(path, {})[1]}
    findings += [f"{path}: needs no raised limit any more" for path in sorted(RAISED.keys() - longer)]
    if "--quiet" not in sys.argv:
        print_longest("files", sizes)
        print_longest("functions", functions)
        print_longest("classes, by methods", classes)
        print_longest("nesting", depths)
        print_totals(sizes)
    return findings


if __name__ == "__main__":
    tree.finish("sizes", main())
