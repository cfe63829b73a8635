"""Runs verbs on a terminal of their own, and says which of them called the pager.

  python3 tests/cli/inputs/terminal.py KERNEL
"""

import os
import pty
import sys

ARGUMENTS = [sys.argv[1] + ":add", "--set", "M=64", "--set", "N=64"]
PAGER = "sed s/^/paged:/"


def run(words, pager=PAGER):
    """What the terminal shows, and the exit code."""
    child, terminal = pty.fork()
    if child == 0:
        environment = dict(os.environ, TILESCOPE_PAGER=pager, TERM="xterm")
        environment.pop("NO_COLOR", None)
        os.execvpe("tilescope", ["tilescope"] + words, environment)
    text = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        text += piece
    return text.decode(), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main():
    lines = {
        "show": ["show", "passes"] + ARGUMENTS,
        "no-pager": ["show", "passes", "--no-pager"] + ARGUMENTS,
        "language": ["language"],
        "check": ["check"] + ARGUMENTS,
    }
    texts = {name: run(words) for name, words in lines.items()}
    texts["empty"] = run(lines["show"], pager="")
    texts["absent"] = run(lines["show"], pager="no-such-pager")
    whole = texts["show"][0].replace("paged:", "")
    assert len(whole.splitlines()) == len(texts["no-pager"][0].splitlines()), whole
    print("paged:", *(name for name, (text, _) in texts.items() if "paged:" in text))
    print("coloured:", *(name for name in ["show"] if "\033[" in texts[name][0]))
    print("exit codes:", texts["show"][1], run(["show", "ir", "absent.trace"])[1])


if __name__ == "__main__":
    main()
