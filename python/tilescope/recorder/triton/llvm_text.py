"""The text of modules in the LLVM dialect as a trace has it: the same modules, in a quarter of the bytes. Types of structures, which have a
word for each register, are aliases; and a value keeps its name from pass to pass, where Triton's printer counts values anew.

    as printed                                                          in the trace
    %302 = llvm.insertvalue %299, %301[1] : !llvm.struct<(f32, f32)>    %302 = llvm.insertvalue %299, %301[1] : !t3
    and behind the next pass
    %51 = llvm.insertvalue %49, %50[1] : !llvm.struct<(f32, f32)>       %302 = llvm.insertvalue %299, %301[1] : !t3"""

import collections
import re

STRUCTURE = re.compile(r"!llvm\.struct<\([^<>]*(?:<[^<>]*>[^<>]*)*\)>")
SHORTEST = 24  # of the texts of types that get an alias
VALUE = re.compile(r"%(\d+)")
FIRST = re.compile(r"%0(?::\d+)?(?: =|:)")
DEFINES = re.compile(r"\s*(?:%(\d+)(?::\d+)? = |\^bb\d+\()")
HOLDS_VALUES = re.compile(r"  [\w\"]")  # a function or a global, in which they are counted from 0


class LlvmTexts:
    """Of the modules of one compile, in order."""

    def __init__(self):
        self.aliases, self.count = {}, 0  # by type; of names
        # Of the last module, of lines that define values: the line without what it defines, the line without names, names of these.
        self.before = []

    def lines_of(self, text: str) -> list[str]:
        used = {}

        def alias(found):
            type_ = found.group()
            if len(type_) < SHORTEST:
                return type_
            name = self.aliases.setdefault(type_, f"!t{len(self.aliases)}")
            used[name] = type_
            return name

        short = STRUCTURE.sub(alias, text)
        lines, blanks = short.split("\n"), VALUE.sub("%", short).split("\n")
        is_first = not self.before and len(FIRST.findall(short)) == 1
        return [f"{name} = {type_}" for name, type_ in used.items()] + (self.first if is_first else self.named)(lines, blanks)

    def first(self, lines, blanks):
        """Where values are counted once, these names are as good as any."""
        for line, blank in zip(lines, blanks):
            if found := DEFINES.match(line):
                number = found.group(1)
                self.before.append((line[found.end(1):], blank, [f"%{number}"]) if number else
                                   (line, blank, [f"%{each}" for each in VALUE.findall(line)]))
        self.count = 1 + max((int(name[1:]) for _, _, names in self.before for name in names), default=-1)
        return lines

    def named(self, lines, blanks):
        old, names, made = OldNames(self.before), {}, []
        self.before = []

        def name_of(use):
            """The text may use a value before it defines it."""
            return names.get(use.group(1)) or names.setdefault(use.group(1), self.new_name())

        for line, blank in zip(lines, blanks):
            if HOLDS_VALUES.match(line):
                names.clear()
            found = DEFINES.match(line)
            if found is None:
                made.append(VALUE.sub(name_of, line) if line != blank else line)
                continue
            number = found.group(1)
            defined = [number] if number else VALUE.findall(line)
            rest = VALUE.sub(name_of, line[found.end(1):]) if number else line
            known = old.of(rest, blank)
            for at, each in enumerate(defined):
                if each not in names:
                    names[each] = known[at] if known else self.new_name()
            made.append(f"{line[:found.start(1) - 1]}{names[number]}{rest}" if number else VALUE.sub(name_of, line))
            self.before.append((rest, blank, [names[each] for each in defined]))
        return made

    def new_name(self) -> str:
        self.count += 1
        return f"%{self.count - 1}"


class OldNames:
    """Of values of the module before, each given once: those of a line that is the same, else of the first that differs in names alone."""

    def __init__(self, before):
        self.before, self.is_given = before, bytearray(len(before))
        self.same, self.alike = collections.defaultdict(collections.deque), collections.defaultdict(collections.deque)
        for at, (rest, blank, _) in enumerate(before):
            self.same[rest].append(at)
            self.alike[blank].append(at)

    def of(self, rest, blank):
        """None: there are none."""
        for places in (self.same.get(rest), self.alike.get(blank)):
            while places:
                at = places.popleft()
                if not self.is_given[at]:
                    self.is_given[at] = True
                    return self.before[at][2]
        return None
