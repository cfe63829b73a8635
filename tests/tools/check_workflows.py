#!/usr/bin/env python3
"""The workflows of .github find what they run: each command of a step is the shell's, a file of this tree, of a package that every
Debian has, or of one that an earlier step of the job installs; actions of this tree have the inputs that are given.

Usage: check_workflows.py
Packages are asked of dpkg; without it or python3-yaml this is one visible skip.
"""

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys

import tree

FOLDER = ".github/workflows/"
# $(...), whose text may hold \( and \).
INNER = re.compile(r"\$\(((?:\\.|[^()\\])*)\)")
# Where a command ends and the next begins.
BETWEEN = {"&&", "||", "|", ";", "{", "}", "(", ")", "!", "\n", "then", "do", "else", "if", "while"}


def commands_of(script):
    """The first word of each command, those within $(...) as well."""
    for inner in INNER.findall(script):
        yield from commands_of(inner)
    # What a command prints stands where a word does.
    script = INNER.sub("printed", script).replace("\\\n", " ").replace("\n", " ; ")
    words = shlex.shlex(script, posix=True, punctuation_chars=";|&(){}")
    words.whitespace_split = True
    begins = True
    for word in words:
        if word in BETWEEN or set(word) <= set(";|&(){}"):
            begins = True
        elif begins and not re.match(r"\w+=", word):
            yield word
            begins = False


def output(*words):
    return subprocess.run(words, capture_output=True, text=True).stdout


def package_of(command):
    """"": it is the shell's own; None: no package of this machine has it."""
    if output("bash", "-c", f"type -t {shlex.quote(command)}").strip() in ("builtin", "keyword"):
        return ""
    path = shutil.which(command)
    if not path:
        return None
    # What lies in /bin may have been packed as /usr/bin, and the other way round.
    for name in (path, path.removeprefix("/usr"), os.path.realpath(path)):
        if owner := output("dpkg-query", "-S", name).partition(":")[0]:
            return owner
    return None


def is_everywhere(package):
    return output("dpkg-query", "-W", "-f", "${Priority}", package) == "required"


def check_step(step, installed):
    script = step["run"]
    syntax = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True)
    if syntax.returncode:
        yield syntax.stderr.strip()
        return
    for command in commands_of(script):
        if command.startswith((".", "/")):
            if not os.access(tree.ROOT / command, os.X_OK):
                yield f"'{command}' is no program of this tree"
            continue
        package = package_of(command)
        if package is None and command not in installed:
            yield f"'{command}' is not known, and no step before installs a package of that name"
        elif package and package not in installed and not is_everywhere(package):
            yield f"'{command}' is of package {package}, which no step before installs"
    for words in re.findall(r"apt-get install ([^&|;\n]*)", script):
        installed.update(word for word in words.split() if not word.startswith("-"))


def check_uses(step, yaml):
    used = step["uses"]
    if not used.startswith("./"):
        return
    file = tree.ROOT / used / "action.yml"
    if not file.is_file():
        yield f"there is no {used}/action.yml"
        return
    inputs = yaml.safe_load(file.read_text())["inputs"]
    yield from (f"{used} has no input '{name}'" for name in step.get("with", {}) if name not in inputs)


def check_workflow(name, yaml):
    for job_name, job in yaml.safe_load(tree.text(name))["jobs"].items():
        installed = set()
        for step in job["steps"]:
            found = check_step(step, installed) if "run" in step else check_uses(step, yaml)
            for finding in found:
                yield f"{name}, {job_name}, {step.get('name', step.get('uses'))}: {finding}"


def main():
    if not shutil.which("dpkg-query") or not importlib.util.find_spec("yaml"):
        print("workflows: skipped, this machine has no dpkg or no python3-yaml")
        sys.exit(77)
    import yaml

    files = [name for name in tree.files(".yml") if name.startswith(FOLDER)]
    if not files:
        sys.exit(f"workflows: there are none in {FOLDER}")
    tree.finish("workflows", [finding for name in files for finding in check_workflow(name, yaml)])


if __name__ == "__main__":
    main()
