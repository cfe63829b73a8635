"""Edits of tagged IR text, as functions from lines to lines. One that does not find its place raises NoPlace.

A statement is named by a part of its line; the first that holds it is meant, or the one that `nth` counts to. The
statements below a loop or a condition go with it. Tags (`#@ s3 span=31:13-31:59`) are not searched.
"""

import re

TAG = "  #@ "


class NoPlace(Exception):
    """The text has nothing to edit, so a fault that is to be planted there would not be."""


def code_of(line):
    return line.split(TAG)[0]


def indent_of(line):
    return len(line) - len(line.lstrip())


def place_of(lines, part, nth=0):
    found = [at for at, line in enumerate(lines) if part in code_of(line)]
    if len(found) <= nth:
        raise NoPlace(f"the text holds {len(found)} times: {part}")
    return found[nth]


def end_of(lines, at):
    """Behind the statement at a line."""
    end = at + 1
    while end < len(lines) and indent_of(lines[end]) > indent_of(lines[at]):
        end += 1
    return end


def at_depth(lines, depth):
    shift = depth - indent_of(lines[0])
    return [" " * (indent_of(line) + shift) + line.lstrip() for line in lines]


def untagged(line):
    """A copy is a statement of its own: of its tags only the place in the kernel remains."""
    code, _, tag = line.partition(TAG)
    span = re.search(r"\bspan=\S+", tag)
    return f"{code}{TAG}{span.group()}" if span else code


def replace(old, new, nth=0):
    def edit(lines):
        at = place_of(lines, old, nth)
        return [*lines[:at], lines[at].replace(old, new, 1), *lines[at + 1:]]

    return edit


def both(*edits):
    def edit(lines):
        for one in edits:
            lines = one(lines)
        return lines

    return edit


def drop(part, nth=0):
    def edit(lines):
        at = place_of(lines, part, nth)
        return lines[:at] + lines[end_of(lines, at):]

    return edit


def repeat(part, nth=0):
    def edit(lines):
        at = place_of(lines, part, nth)
        end = end_of(lines, at)
        return lines[:end] + [untagged(line) for line in lines[at:end]] + lines[end:]

    return edit


def insert_before(part, code, nth=0):
    def edit(lines):
        at = place_of(lines, part, nth)
        return [*lines[:at], *at_depth([code], indent_of(lines[at])), *lines[at:]]

    return edit


def move(part, before, nth=0, before_nth=0):
    """Before another statement, at its depth; that is looked for in what is left."""
    def edit(lines):
        at = place_of(lines, part, nth)
        end = end_of(lines, at)
        moved, rest = lines[at:end], lines[:at] + lines[end:]
        to = place_of(rest, before, before_nth)
        return rest[:to] + at_depth(moved, indent_of(rest[to])) + rest[to:]

    return edit


def guard(condition, part, nth=0):
    """Puts a statement under a condition."""
    def edit(lines):
        at = place_of(lines, part, nth)
        end = end_of(lines, at)
        depth = indent_of(lines[at])
        return [*lines[:at], " " * depth + f"if {condition}:", *at_depth(lines[at:end], depth + 4), *lines[end:]]

    return edit


def unguard(part, nth=0):
    """Leaves out a condition and keeps what is below it."""
    def edit(lines):
        at = place_of(lines, part, nth)
        end = end_of(lines, at)
        return lines[:at] + at_depth(lines[at + 1:end], indent_of(lines[at])) + lines[end:]

    return edit
