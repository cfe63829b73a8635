#!/usr/bin/env python3
"""The documentation: links and verbs are there, the commands of the tutorial print what it says, and the site is built.

Usage: check_docs.py PROGRAMS_FOLDER [--update | --site]

docs/site/console.py says how commands stand in a page. --update writes what they print now. --site builds the site, and nothing
else: it wants MkDocs, which ./dev setup fetches into .venv/, and without it is one visible skip.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import tree

sys.path.insert(0, str(tree.ROOT / "docs/site"))

import console  # noqa: E402: it lies beside the site

# Pages whose commands are run.
PAGES = ["docs/tutorial/README.md"]
# A verb and what is given to it, in a line of code. Before it: not the program alone, but the package of Python, which has more.
COMMAND = re.compile(r"(?<![\w/.-])(?:\S*/bin/)?(python3? -m )?tilescope (\w+)([^`\n#|]*)")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
SITE = "docs/site/build_site.py"
# In lists of pages alone.
NOT_ON_THE_SITE = {"docs/README.md"}


def without_code(text):
    return re.sub(r"^```.*?^```$|`[^`\n]*`(?!\])", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors_of(text):
    """Of the headings, as hosts of repositories make them."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def check_links():
    for page in tree.files(".md"):
        for target in LINK.findall(without_code(tree.text(page))):
            path, _, anchor = target.partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            file = (tree.ROOT / page).parent / path if path else tree.ROOT / page
            if not file.exists():
                yield f"{page}: there is no {target}"
            elif anchor and anchor not in anchors_of(file.read_text()):
                yield f"{page}: {path or 'the page'} has no heading {anchor}"


def check_site_is_whole():
    site = tree.text(SITE)
    for page in tree.files(".md"):
        if page.startswith("docs/") and page not in NOT_ON_THE_SITE and f'"{page}"' not in site:
            yield f"{page} is not in the menu of {SITE}"


def check_verbs():
    """What pages and workflows ask of ./dev is there."""
    usage = subprocess.run([tree.ROOT / "dev"], capture_output=True, text=True, check=True).stdout
    verbs = set(re.findall(r"^  (\w+)", usage, re.MULTILINE))
    for page in [*tree.files(".md"), *tree.files(".yml")]:
        for verb in re.findall(r"\./dev +([a-z]+)", tree.text(page)):
            if verb not in verbs:
                yield f"{page}: ./dev has no verb {verb}"


def check_options(programs):
    """Options that pages give to verbs are theirs."""
    def said(*words):
        return subprocess.run([programs / "tilescope", *words], capture_output=True, text=True, check=True).stdout

    usage = said("--help")
    common = set(re.findall(r"^  --([\w-]+)", usage, re.MULTILINE))
    options = {verb: common | {option["name"] for option in json.loads(said(verb, "--describe-options"))["options"]}
               for verb in re.findall(r"^  (\w+) ", usage, re.MULTILINE)}
    for page in tree.files(".md"):
        for python, verb, words in COMMAND.findall(tree.text(page).replace("\\\n", " ")):
            for option in re.findall(r"(?<!\S)--([\w-]+)", words):
                if not python and verb in options and option not in options[verb]:
                    yield f"{page}: tilescope {verb} has no option --{option}"


def check_commands(page, programs, is_update):
    text = tree.text(page)
    findings = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "page"
        shutil.copytree((tree.ROOT / page).parent, folder)
        shell = console.Console(programs, folder)

        def of_now(match):
            block = ""
            for command, output in console.steps_of(match.group(1)):
                printed = shell.output(command)
                holds = console.agrees(printed, output)
                if not holds:
                    findings.append(f"{page}: $ {command}\nprints\n{printed}and not\n{output}")
                block += f"$ {command}\n" + (output if holds else printed)
            return f"```console\n{block}```\n"

        updated = console.BLOCK.sub(of_now, text)
    if is_update and updated != text:
        (tree.ROOT / page).write_text(updated)
        print(f"docs: {page} is written anew")
        return []
    return findings


def check_site(programs):
    python = tree.ROOT / ".venv/bin/python"
    if not list(tree.ROOT.glob(".venv/lib/python*/site-packages/mkdocs")):
        print("site: skipped, MkDocs is not in .venv/")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        built = subprocess.run([python, tree.ROOT / SITE, programs, "--out", folder], capture_output=True, text=True)
        said = built.stdout + built.stderr
        if built.returncode or "WARNING" in said:
            return [f"{SITE}: {said}"]
        pages = len(list(pathlib.Path(folder, "html").rglob("*.html")))
    print(f"site: {pages} pages")
    return []


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    programs = pathlib.Path(sys.argv[1]).resolve()
    if "--site" in sys.argv:
        tree.finish("site", check_site(programs))
    findings = [*check_links(), *check_site_is_whole(), *check_verbs(), *check_options(programs)]
    for page in PAGES:
        findings += check_commands(page, programs, "--update" in sys.argv)
    tree.finish("docs", findings)


if __name__ == "__main__":
    main()
