"""Changes files under `tilescope show ir --watch` and says what each run came to.

  python3 tests/cli/inputs/watch.py KERNEL IMPORTED
"""

import os
import subprocess
import sys


class Watched:
    def __init__(self, kernel):
        words = ["tilescope", "show", "ir", kernel + ":add", "--set", "M=64", "--set", "N=64", "--watch"]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run(self):
        """The text of the next run, and what is said behind it."""
        lines = []
        for line in self.process.stdout:
            if line.startswith("exit code "):
                return "".join(lines), line.split(";")[0].strip()
            lines.append(line)
        raise AssertionError("it ended: " + "".join(lines))

    def end(self):
        self.process.terminate()
        self.process.wait()


def write(path, text):
    """As editors do: a new file in place of the old one."""
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".new", path)


def main():
    kernel, imported = sys.argv[1:]
    with open(kernel, encoding="utf-8") as file:
        text = file.read()
    watched = Watched(kernel)
    try:
        first, said = watched.run()
        print("first:", said)
        write(imported, "WIDTH = 128\n")
        second, said = watched.run()
        print(f"after the import changed: {said}, " + ("the same text" if second == first else "another text"))
        write(kernel, text + "\ndef broken(:\n")
        _, said = watched.run()
        print("after the kernel broke:", said)
        write(kernel, text)
        last, said = watched.run()
        print(f"after it was mended: {said}, " + ("the text before" if last == second else "another text"))
    finally:
        watched.end()


if __name__ == "__main__":
    main()
