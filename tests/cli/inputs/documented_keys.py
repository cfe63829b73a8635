"""documented_keys.py COMMAND SCHEMA: names every key of this JSON schema that docs/json.md does not have at COMMAND, at a
command that it refers to ("as `check`"), or in its closing words."""

import json
import pathlib
import re
import sys

docs = pathlib.Path(__file__).parents[3] / "docs/json.md"
intro, *entries = re.split(r"\n- (?=`)", docs.read_text())
entries[-1], below = entries[-1].split("\n\n", 1)
texts = {}
for entry in entries:
    commands, text = entry.split(": ", 1)
    for command in re.findall("`([^`]*)`", commands):
        texts[command] = text


def words(text):
    return set(re.findall("`([A-Za-z]+)`", text))


def documented(command):
    text = " ".join(texts[command].split())
    file = re.search(r"see `([\w/.]+)`", text)
    if file:
        text += (docs.parent.parent / file.group(1)).read_text()
    others = [other for other in re.findall("as `([^`]*)`", text) if other in texts and other != command]
    return words(text).union(*map(documented, others))


def keys_of(schema):
    if isinstance(schema, list):
        for item in schema:
            yield from keys_of(item)
    elif isinstance(schema, dict):
        yield from schema.get("properties", {})
        for name, item in schema.items():
            yield from keys_of(list(item.values()) if name == "properties" else item)


keys = set(keys_of(json.loads(pathlib.Path(sys.argv[2]).read_text())))
assert keys, "no keys"
unknown = sorted(keys - documented(sys.argv[1]) - words(intro) - words(below) - {"begin", "end"})
print(f"{sys.argv[1]}: not in docs/json.md: {' '.join(unknown)}" if unknown else f"{sys.argv[1]}: documented")
sys.exit(1 if unknown else 0)
