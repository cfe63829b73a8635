"""A shallow reading of clang-formatted C++: enough to measure functions and nesting, no parser."""

import re

# One alternative per thing whose contents must not be read as code; order matters.
OPAQUE = re.compile(
    r'R"(?P<tag>[^(\s]*)\(.*?\)(?P=tag)"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'',
    re.DOTALL)
CONTROL = re.compile(r"^(?:\} )?(?:else )?(?:if|for|while|switch|do)\b")
TYPE_HEAD = re.compile(r"\b(?:class|struct|union|enum)\b[^()]*$")
NOT_FUNCTION = re.compile(r"(?:=|\breturn|\bnamespace\b.*|,|\()\s*$")


def blank(text):
    """The text with comments, strings and preprocessor lines blanked; line numbers stay."""
    def keep_newlines(match):
        return '""' + "\n" * match.group(0).count("\n") if match.group(0)[0] in "R\"" else (
            "\n" * match.group(0).count("\n"))
    # A digit separator (1'000) is not the start of a character.
    text = re.sub(r"(?<=[0-9a-fA-F])'(?=[0-9a-fA-F]{3})", "", text)
    text = OPAQUE.sub(keep_newlines, text)
    lines, continued = [], False
    for line in text.split("\n"):
        directive = continued or line.lstrip().startswith("#")
        continued = directive and line.endswith("\\")
        lines.append("" if directive else line)
    return "\n".join(lines)


def is_function_head(head):
    if TYPE_HEAD.search(head) or NOT_FUNCTION.search(head):
        return False
    return re.search(r"\)", head) is not None and not re.match(r"\s*extern\b[^(]*$", head)


def name_of(head):
    match = re.search(r"([~\w:]+|operator\S+)\s*\(", head)
    return match.group(1) if match else "?"


def functions(text):
    """(name, first line, last line) of each outermost function body."""
    found, stack, head_start, line = [], [], 0, 1
    text = blank(text)
    for at, char in enumerate(text):
        if char == "\n":
            line += 1
        elif char == "{":
            inside = any(kind == "function" for kind, _, _ in stack)
            head = text[head_start:at]
            kind = "function" if not inside and is_function_head(head) else "other"
            stack.append((kind, name_of(head), line))
            head_start = at + 1
        elif char == "}" and stack:
            kind, name, first = stack.pop()
            if kind == "function":
                found.append((name, first, line))
            head_start = at + 1
        elif char == ";" and not text[head_start:at].count("(") > text[head_start:at].count(")"):
            head_start = at + 1
    return found


CLASS_HEAD = re.compile(r"\b(class|struct)\s+(?:LLVM_\w+\s+)?([\w:]+)(?:\s+final)?\s*(?::[^:].*)?$", re.DOTALL)
NO_MEMBER = re.compile(r"^(?:friend|using|typedef|enum|class|struct|static_assert|namespace)\b")


def classes(text):
    """(keyword, name, line, methods, fields) of each class; what nested classes hold counts for those alone."""
    found, stack, start, line = [], [], 0, 1
    text = blank(text)
    for at, char in enumerate(text):
        if char == "\n":
            line += 1
        elif char == "{":
            head = text[start:at].strip()
            match = CLASS_HEAD.search(re.sub(r"^(?:public|private|protected):\s*", "", head))
            stack.append(([match.group(1), match.group(2), line, 0, 0] if match else None, head))
            start = at + 1
        elif char == "}" and stack:
            closed, head = stack.pop()
            if closed:
                found.append(tuple(closed))
            elif stack and stack[-1][0] and is_function_head(head):
                count_member(stack[-1][0], head)
            # The braces of a default value leave the rest of its declaration.
            start = at + 1
        elif char == ";":
            if stack and stack[-1][0]:
                count_member(stack[-1][0], text[start:at].strip())
            start = at + 1
    return found


def count_member(entry, member):
    member = re.sub(r"^(?:(?:public|private|protected):\s*)+", "", member)
    member = re.sub(r"^template\s*<[^()]*>\s*(?=\w)", "", member)
    if not member or NO_MEMBER.match(member):
        return
    head = re.split(r"(?<![=!<>+*/&|^-])=(?!=)", member)[0]
    entry[3 if "(" in re.sub(r"<[^<>]*>", "", head) or "operator" in head else 4] += 1


def nesting(text):
    """(depth, line) of the deepest control statement; braces or not, read off the indentation."""
    deepest, stack = (0, 0), []
    for number, line in enumerate(blank(text).split("\n"), 1):
        body = line.strip()
        if not body:
            continue
        indent = len(line) - len(line.lstrip())
        while stack and stack[-1] >= indent:
            stack.pop()
        if CONTROL.match(body):
            stack.append(indent)
            deepest = max(deepest, (len(stack), number), key=lambda pair: pair[0])
    return deepest
