"""Names of traces: KERNEL-ARGUMENTS-TARGET-HASH.trace, with the arguments that are no defaults.

Where that is long, arguments are named by their initials, and what is still too long is taken off the longest words: values
stay, since tuners try many that differ in the last arguments alone.

    flashattn_varlen-...-num_stages2-threads256     ->     flashattn_varlen-...-ns2-t256"""

import collections
import hashlib
import json
import pathlib
import re

MAX_NAME = 120  # characters before the target; file systems take 255 bytes


def name_of(entry: dict, program: str) -> str:
    """Of an entry of the index; `program`: a hash of that."""
    words = words_of(entry, {})
    if length_of(words) > MAX_NAME:
        words = cut(words_of(entry, short_names(list(entry["arguments"]))))
    said = json.dumps([entry["kernel"], entry["arguments"], entry["target"], program])
    return "-".join([*words, entry["target"] or "any", hashlib.sha256(said.encode()).hexdigest()[:8]]) + ".trace"


def asked(output: str | None, kernel: str, target: str) -> pathlib.Path:
    """Of one kernel, where `-o` says: a trace, or a folder for one, which ends with a slash or is there. Makes the folders."""
    name, path = f"{kernel}-{target}.trace", pathlib.Path(output or ".")
    if output is None or output.endswith("/") or path.is_dir():
        path /= name
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def words_of(entry: dict, short: dict[str, str]) -> list[str]:
    arguments = [short.get(name, name) + entry["arguments"][name] for name in entry["chosen"]]
    return [re.sub(r"[^\w.]+", "-", word).strip("-") for word in [entry["kernel"], *arguments]]


def length_of(words: list[str]) -> int:
    return len("-".join(words))


def initials(name: str) -> str:
    """num_stages: ns, block_M: bM, dim2: d2."""
    return "".join(re.findall(r"(?<![^\W\d_])[^\W\d_]|\d", name))


def short_names(names: list[str]) -> dict[str, str]:
    """The initials of those that share them with no other argument of the kernel."""
    counts = collections.Counter([*map(initials, names), *names])
    return {name: initials(name) for name in names if counts[initials(name)] == 1}


def cut(words: list[str]) -> list[str]:
    """All words to one length, the greatest with which they fit: the long ones lose their ends."""
    most = next((most for most in range(MAX_NAME, 1, -1) if length_of([word[:most] for word in words]) <= MAX_NAME), 1)
    return [word[:most].rstrip("-.") for word in words]
