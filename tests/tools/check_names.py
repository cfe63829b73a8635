#!/usr/bin/env python3
"""Names: one name, its spellings and its files. A registry line needs its file and its test."""

import collections
import re

import tree

SNAKE = re.compile(r"^[a-z0-9]+(_[a-z0-9]+)*$")

# What no line of the tree may say: how it came about, and where packages are downloaded from.
FORBIDDEN = re.compile(
    r"\b(sub-?)?agents?\b|(?<!core/)(?<!\{port\}/)\bsessions?\b|\bclaude\b|\banthropic\b|\bchatgpt\b|/work/(wt|shared|main)\b"
    r"|\bpypi\.org|pythonhosted|\bcrates\.io|registry\.npmjs|\bdocker\.io|\bghcr\.io|deb\.debian\.org",
    re.IGNORECASE)
# This file spells the words; the licence is not ours to word.
MAY_SAY = {"tests/tools/check_names.py", "LICENSE"}

# registry: (line pattern, files each entry needs). {snake} and {camel} are spellings of the entry.
REGISTRIES = {
    "passes/passes.def": (r'^PASS\("(?P<kebab>[^"]+)",\s*(?P<camel>\w+)',
                          ["passes/{snake}.cpp", "tests/passes/{snake}.py"]),
    "core/ops/ops.def": (r'^OP\(\w+,\s*"(?P<kebab>[^"]+)"', ["core/ops/{snake}/op.cpp", "tests/ops/{snake}.py"]),
    "core/ops/layouts.def": (r'^LAYOUT\((?P<camel>\w+)', ["core/ops/{snake}/layout.cpp"]),
    "core/facets/facets.def": (r'^FACET\(\w+,\s*(?P<kebab>\w+)',
                               ["core/facets/{snake}.cpp"]),
    "cli/commands.def": (r'^COMMAND\("(?P<kebab>[^"]+)"|^COMMAND\((?P<camel>\w+)',
                         ["cli/{snake}_command.cpp", "tests/cli/{snake}.test"]),
    "viewer/panels/panels.def": (r'^PANEL\("(?P<kebab>[^"]+)"|^PANEL\((?P<camel>\w+)',
                                 ["viewer/panels/{snake}_panel.cpp", "core/views/{snake}_model.cpp",
                                  "tests/views/{snake}.test"]),
}

README_LIMIT = 60

# Files of passes/ that are not a pass.
NOT_A_PASS = {"pipeline", "registry", "passes"}


def snake_of(camel):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", camel).lower()


def camel_of(kebab):
    return "".join(word[:1].upper() + word[1:] for word in re.split("[-_]", kebab))


def check_file_names():
    for path in tree.files(".cpp", ".h", ".def", ".py"):
        stem = path.rsplit("/", 1)[-1].split(".")[0]
        folders = path.split("/")[:-1]
        for part in [stem] + [f for f in folders if f not in (".ci", "inputs")]:
            if part and not SNAKE.match(part.strip("_")):
                yield f"{path}: '{part}' is not snake_case"


def check_registries():
    present = set(tree.files())
    for registry, (pattern, needed) in REGISTRIES.items():
        if registry not in present:
            continue
        for match in re.finditer(pattern, tree.text(registry), re.MULTILINE):
            groups = match.groupdict()
            kebab, camel = groups.get("kebab"), groups.get("camel")
            if kebab and camel and camel_of(kebab) != camel:
                yield f"{registry}: '{kebab}' and {camel} are not the same name"
            snake = kebab.replace("-", "_") if kebab else snake_of(camel)
            for path in (form.format(snake=snake) for form in needed):
                if path not in present:
                    yield f"{registry}: '{kebab or camel}' has no {path}"
            if registry == "passes/passes.def" and not re.search(
                    rf"\b{camel}\b", tree.text(f"passes/{snake}.cpp") if f"passes/{snake}.cpp" in present else camel):
                yield f"passes/{snake}.cpp: does not define {camel}"


def check_facets_are_tested():
    tests = "\n".join(tree.text(path) for path in tree.files("_test.cpp"))
    for path in tree.files(".h"):
        if path.startswith("core/facets/") and f'"{path}"' not in tests:
            yield f"{path}: no unit test includes it"


def check_passes_are_registered():
    registry = tree.ROOT / "passes/passes.def"
    if not registry.exists():
        return
    names = {kebab.replace("-", "_") for kebab in re.findall(r'PASS\("([^"]+)"', registry.read_text())}
    for path in tree.files(".cpp"):
        match = re.match(r"^passes/(\w+)\.cpp$", path)
        if match and match.group(1) not in names | NOT_A_PASS:
            # A file without a class that runs is shared code of passes and has a header.
            if not (tree.ROOT / path).with_suffix(".h").exists():
                yield f"{path}: no line in passes/passes.def, and no header that makes it shared code"


def check_layouts_are_registered():
    registered = {snake_of(camel) for camel in re.findall(r"^LAYOUT\((\w+)\)", tree.text("core/ops/layouts.def"), re.MULTILINE)}
    for path in tree.files("/layout.cpp"):
        op = path.split("/")[-2]
        if path.startswith("core/ops/") and op not in registered:
            yield f"{path}: no line in core/ops/layouts.def"


def check_diagnostics_are_tested():
    tests = "\n".join(tree.text(path) for path in tree.files(".py", ".test", ".cpp")
                      if path.startswith("tests/") and not path.startswith("tests/tools/"))
    registry = "core/support/diagnostics.def"
    present = set(tree.files())
    for name in re.findall(r"^DIAG\(\w+,\s*(\w+)", tree.text(registry), re.MULTILINE):
        own_file = f"tests/diagnostics/fail_{snake_of(name)}.py"
        if own_file not in present and not re.search(rf"\b{name}\b", tests):
            yield f"{registry}: no file in tests/ names {name}, and there is no {own_file}"


def check_readmes():
    """A folder of sources says what lives there; ops, lower and the like are told by their parent."""
    present = set(tree.files())
    folders = {"/".join(path.split("/")[:2]) if path.startswith(("core/", "viewer/")) else path.split("/")[0]
               for path in present if path.startswith(("core/", "viewer/", "passes/", "cli/", "python/", "testdata/", "tests/"))}
    for folder in sorted(folder for folder in folders if not folder.endswith(".md")):
        readme = f"{folder}/README.md"
        if readme not in present:
            yield f"{folder}: no README.md (what lives here, who may include it, how to add one)"
        elif readme != "core/trace_file/README.md" and tree.text(readme).count("\n") > README_LIMIT:
            yield f"{readme}: over {README_LIMIT} lines"


# At the left margin: a type of a namespace. What is in a namespace without a name is of one file.
TYPE = re.compile(r"^(?:template <[^\n]*>\s)?(?:struct|class|enum|enum class) (\w+)(?: final)?(?: : [^;{]*)? \{",
                  re.MULTILINE)
OF_ONE_FILE = re.compile(r"^namespace \{$.*?^\} // namespace$", re.MULTILINE | re.DOTALL)


def check_types():
    """Two definitions of one type are undefined behaviour, and no compiler sees both."""
    defined = collections.defaultdict(list)
    for path in tree.files(".h", ".cpp"):
        if not path.startswith("tests/"):
            text = OF_ONE_FILE.sub("", tree.text(path))
            namespace = re.search(r"^namespace (\S+) \{", text, re.MULTILINE)
            for match in TYPE.finditer(text):
                defined[namespace and namespace.group(1), match.group(1)].append(path)
    for (_, name), paths in sorted(defined.items(), key=str):
        if len(paths) > 1:
            yield f"{' and '.join(paths)}: each defines a type {name}"


def check_words():
    for path in tree.files():
        if path in MAY_SAY or path.endswith((".trace", ".png")):
            continue
        for number, line in enumerate(tree.text(path).splitlines(), 1):
            match = FORBIDDEN.search(line)
            if match:
                yield f"{path}:{number}: says '{match.group(0)}', which has no place in the tree"


def main():
    checks = [check_file_names, check_registries, check_facets_are_tested, check_passes_are_registered,
              check_layouts_are_registered, check_diagnostics_are_tested, check_readmes, check_types, check_words]
    return [finding for check in checks for finding in check()]


if __name__ == "__main__":
    tree.finish("names", main())
