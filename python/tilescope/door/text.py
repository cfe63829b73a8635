"""The lines of tagged IR text (core/ir/printer.h), and the ids of what stands in them."""

FIRST_LINE = "# tilescope-ir 1"


def quoted(text: str) -> str:
    """A string of IR text: controls, quotes, '#' and backslashes escaped."""
    escaped = (f"\\x{ord(c):02x}" if c in '"\\#' or ord(c) < 0x20 or ord(c) == 0x7F else c for c in text)
    return f'"{"".join(escaped)}"'


class Text:
    def __init__(self):
        self.lines, self.depth = [FIRST_LINE], 0
        self.statements = self.buffers = self.variables = 0  # ids given so far

    def line(self, text: str, *tags: str):
        tag = " ".join(filter(None, tags))
        self.lines.append("    " * self.depth + text + (f"  #@ {tag}" if tag else ""))

    def statement_tag(self, span: str) -> str:
        self.statements += 1
        return f"s{self.statements}" + span_tag(span)

    def buffer_tag(self, span: str) -> str:
        self.buffers += 1
        return f"b{self.buffers}" + span_tag(span)

    def variable_tag(self, name: str, wanted: str) -> str:
        """`wanted` follows where the text had to use another name."""
        self.variables += 1
        return f"v{self.variables}" + (f"={quoted(wanted)}" if wanted != name else "")

    def whole(self, path: str, kernel: str) -> str:
        """With the file that spans point into, at its end (core/ir/kernel_source.h); "": there is none."""
        lines = ["#| " + line if line else "#|" for line in kernel.removesuffix("\n").split("\n")]
        lines = [f"#@ kernel={quoted(path)}", *lines] if path else []
        return "\n".join((*self.lines, *lines)) + "\n"


def span_tag(span: str) -> str:
    return f" span={span}" if span else ""
