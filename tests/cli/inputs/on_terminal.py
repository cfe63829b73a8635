"""on_terminal.py [NAME=VALUE] COMMAND...: runs it on a terminal of its own and prints what it wrote, escape characters as ESC."""

import os
import pty
import sys

os.environ["TERM"] = "xterm-256color"
os.environ["TILESCOPE_PAGER"] = ""
os.environ.pop("NO_COLOR", None)
if "=" in sys.argv[1]:
    name, _, value = sys.argv.pop(1).partition("=")
    os.environ[name] = value
text = b""


def read(terminal):
    global text
    data = os.read(terminal, 65536)
    text += data
    return b"."


pty.spawn(sys.argv[1:], read, lambda terminal: b"")
sys.stdout.write("\n" + text.decode().replace("\r", "").replace("\x1b", "ESC"))
