"""documented_keys.py COMMAND FILE...: names every key of these JSON files that cli/README.md does not have in the row of
COMMAND, in a row that it refers to ("as `check`"), or below the table. Values of users' own names are not looked into."""

import json
import pathlib
import re
import sys

OF_USERS = {"arguments", "passOptions"}  # of a point of a sweep: by the names of a kernel

readme = (pathlib.Path(__file__).parents[3] / "cli/README.md").read_text()
table, below = readme.split("## Keys of `--format json`")[1].split("Answers of `why`")
rows = {}
for line in table.splitlines():
    if line.startswith("| `"):
        commands, text = line[2:].split(" | ", 1)
        for command in re.findall("`([^`]*)`", commands):
            rows[command] = text


def words(text):
    return set(re.findall("`([A-Za-z]+)`", text))


def documented(command):
    others = [other for other in re.findall("as `([^`]*)`", rows[command]) if other in rows]
    return words(rows[command]).union(*map(documented, others))


def printed(value):
    if isinstance(value, list):
        for item in value:
            yield from printed(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            if key not in OF_USERS or isinstance(item, list):
                yield from printed(item)


intro, names = table.split("\n|")[0], table.rsplit("|\n", 1)[1]
known = documented(sys.argv[1]) | words(intro) | words(names) | words(below) | {"begin", "end"}
keys = {key for path in sys.argv[2:] for key in printed(json.loads(pathlib.Path(path).read_text()))}
assert keys, "no keys"
unknown = sorted(keys - known)
print(f"{sys.argv[1]}: not in cli/README.md: {' '.join(unknown)}" if unknown else f"{sys.argv[1]}: documented")
sys.exit(1 if unknown else 0)
