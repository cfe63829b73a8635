#!/usr/bin/env python3
"""Builds the documentation site: the pages of this tree, one page a verb from what it says of itself, JSON schemas, and
pictures that the program draws. `./dev docs` runs it.

Usage: build_site.py PROGRAMS_FOLDER --out FOLDER

Any warning of MkDocs is an error, a link to a page or a heading that is not there among them. FOLDER/pages holds what
MkDocs is given, FOLDER/html the site.
"""

import argparse
import dataclasses
import html
import json
import pathlib
import posixpath
import re
import shutil
import subprocess
import sys

import console
import mkdocs.commands.build
import mkdocs.config
import mkdocs.exceptions
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
SITE = ROOT / "docs/site"
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")

# The menu: heading, then (title, page, file of this tree).
MENU = {
    "Start": [
        ("Tour", "index.md", "README.md"),
        ("Tutorial: the pass that broke a kernel", "tutorial.md", "docs/tutorial/README.md"),
        ("Python package", "python.md", "python/README.md"),
        ("In the editor", "editor.md", "docs/editor.md"),
        ("On the CPU, after every pass", "exec.md", "docs/exec.md"),
        ("Pull requests and commits", "action.md", "action/README.md"),
    ],
    "Other compilers": [
        ("Recording TileLang", "recorder.md", "python/tilescope/recorder/README.md"),
        ("Sweeping an autotuner's configs", "autotuner.md", "python/tilescope/sweep/README.md"),
        ("Recording Triton", "triton.md", "docs/triton.md"),
        ("What the checks found", "findings.md", "docs/findings.md"),
    ],
    "Reference": [
        ("The command line", "command_line.md", "docs/command_line.md"),
        ("The language", "language.md", "docs/language.md"),
        ("TileLang's own examples", "corpus.md", "docs/corpus.md"),
        ("How long they run", "times.md", "docs/times.md"),
        ("The trace format", "trace_format.md", "core/trace_file/README.md"),
        ("The keys of JSON", "json.md", "docs/json.md"),
    ],
    "Inside": [
        ("Design", "design.md", "docs/design.md"),
        ("A pass of your own", "example_pass.md", "docs/example_pass/README.md"),
        ("How to add something", "adding.md", "docs/adding.md"),
        ("House style", "style.md", "docs/style.md"),
        ("Changes", "changes.md", "CHANGELOG.md"),
    ],
}

TUTORIAL = "docs/tutorial/README.md"

# What the program draws for the site: name, its kernel, and how.
KERNEL = ["testdata/kernels/attention_fwd.py:attention", "--set", "heads=32", "--set", "length=4096", "--set",
          "block_M=128", "--set", "block_N=128", "--set", "num_stages=2"]
WINDOW = "attention_window.png"
ARENA = "attention_arena.svg"


@dataclasses.dataclass
class Programs:
    folder: pathlib.Path

    def output(self, *words):
        return subprocess.run([self.folder / "tilescope", *words], cwd=ROOT, capture_output=True, text=True,
                              check=True).stdout


class Site:
    def __init__(self, programs, out):
        self.programs = programs
        self.pages = out / "pages"
        self.sources = {source: page for pages in MENU.values() for _, page, source in pages}
        shutil.rmtree(out, ignore_errors=True)
        self.pages.mkdir(parents=True)

    def write(self, page, text):
        path = self.pages / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def copy_pages(self):
        for source, page in self.sources.items():
            text = (ROOT / source).read_text()
            self.write(page, self.with_links_of_site(self.with_pictures(text) if source == TUTORIAL else text, source))

    def with_pictures(self, text):
        """Behind each block that draws into a file, what it draws; the commands before it are run for that."""
        folder = self.pages.parent / "tutorial"
        shutil.copytree((ROOT / TUTORIAL).parent, folder)
        (self.pages / "pictures").mkdir(exist_ok=True)
        shell = console.Console(self.programs.folder, folder)

        def drawn(match):
            steps = console.steps_of(match.group(1))
            for command, _ in steps:
                shell.output(command)
            names = [name for command, _ in steps for name in re.findall(r"--screenshot (\S+)", command)]
            for name in names:
                shutil.copy(folder / name, self.pages / "pictures" / f"tutorial_{name}")
            return match.group() + "".join(f"\n![What it draws](pictures/tutorial_{name})\n" for name in names)

        return console.BLOCK.sub(drawn, text)

    def with_links_of_site(self, text, source):
        """Links to pages lead to them, pictures come along, and of the rest of the tree the name stays."""
        def of_site(match):
            mark, words, target = match.groups()
            path, _, anchor = target.partition("#")
            if re.match(r"[a-z]+:", target) or not path:
                return match.group()
            if (self.pages / path).exists():
                return match.group()
            file = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
            if file in self.sources:
                return f"[{words}]({self.sources[file]}{'#' + anchor if anchor else ''})"
            if file.endswith((".png", ".svg")):
                picture = pathlib.Path(file).name
                (self.pages / "pictures").mkdir(exist_ok=True)
                shutil.copy(ROOT / file, self.pages / "pictures" / picture)
                return f"{mark}[{words}](pictures/{picture})"
            return words if words.startswith("`") else f"{words} (`{file}`)"
        # Not within code.
        parts = re.split(r"(^```.*?^```$|`[^`\n]*`(?!\]))", text, flags=re.MULTILINE | re.DOTALL)
        return "".join(part if part.startswith("`") else LINK.sub(of_site, part) for part in parts)

    def draw(self):
        """The pictures of page Pictures, drawn here and now."""
        folder = self.pages / "pictures"
        folder.mkdir(exist_ok=True)
        trace = self.pages.parent / "attention.trace"
        self.programs.output("compile", *KERNEL, "-o", str(trace.with_suffix(".cu")), "--trace", str(trace))
        self.programs.output("view", str(trace), "--select", "K_shared", "--screenshot", str(folder / WINDOW))
        (folder / ARENA).write_text(self.programs.output("show", "arena", str(trace), "--format", "svg"))
        command = " ".join(KERNEL)
        self.write("pictures.md", f"# Pictures\n\nDrawn when this site was built, of a trace that `tilescope compile "
                   f"{command} --trace attention.trace` writes.\n\n`tilescope view attention.trace --select K_shared "
                   f"--screenshot attention.png`:\n\n![The window with K_shared selected](pictures/{WINDOW})\n\n"
                   f"`tilescope show arena attention.trace --format svg`:\n\n![The arena](pictures/{ARENA})\n")
        return {"Pictures": "pictures.md"}

    def write_verbs(self):
        menu = []
        for name, help_line in re.findall(r"^  (\w+) +(.*)$", self.programs.output("--help"), re.MULTILINE):
            described = json.loads(self.programs.output(name, "--describe-options"))
            self.write(f"verbs/{name}.md", page_of_verb(name, help_line, described))
            menu.append({name: f"verbs/{name}.md"})
        return menu

    def write_schemas(self):
        """One page, and each schema as a file of its own."""
        text = ("# JSON schemas\n\nWhat `--format json` prints, as `tilescope schema COMMAND` prints it (draft 2020-12). "
                "What the keys mean is said in [The keys of JSON](json.md).\n\n| command | schema |\n|---|---|\n")
        for command in self.programs.output("schema").splitlines():
            file = f"schemas/{command.replace(' ', '_')}.json"
            self.write(file, self.programs.output("schema", *command.split()))
            text += f"| `{command}` | [{file}]({file}) |\n"
        self.write("schemas.md", text)
        return {"JSON schemas": "schemas.md"}

    def menu(self):
        verbs = self.write_verbs()
        menu = [{heading: [{title: page} for title, page, _ in pages]} for heading, pages in MENU.items()]
        menu[0]["Start"].append(self.draw())
        menu[2]["Reference"].append(self.write_schemas())
        return menu[:1] + [{"Verbs": verbs}] + menu[1:]


def page_of_verb(name, help_line, described):
    page = f"# tilescope {name}\n\n{help_line}.\n\n"
    page += f"```\ntilescope {name} [options] {described['positionals']}\n```\n\n"
    page += overview_text(described["overview"])
    options = [option for option in described["options"] if option["name"] not in ("help", "help-list", "version")]
    if options:
        page += "\n## Options\n\n| option | meaning |\n|---|---|\n"
    return page + "".join(row_of_option(option) for option in options)


def overview_text(overview):
    """Paragraphs are text; indented lines, and lists of names with their meaning, stand as they are."""
    page = ""
    for paragraph in overview.strip("\n").split("\n\n"):
        lines = paragraph.split("\n")
        is_text = not any(line.startswith(" ") for line in lines)
        page += escaped(paragraph) + "\n\n" if is_text else f"```\n{paragraph.rstrip()}\n```\n\n"
    return page


def row_of_option(option):
    dashes = "-" if len(option["name"]) == 1 else "--"
    value = option["value"] and (" " if len(option["name"]) == 1 else "=") + option["value"]
    meaning = escaped(option["help"]) + (", may be repeated" if option["isRepeated"] else "")
    choices = option["choices"] if len(option["choices"]) <= 12 else []
    meaning += "".join(f"<br>`{choice['name']}`" + (f" {escaped(choice['help'])}" if choice["help"] else "")
                       for choice in choices)
    return f"| `{dashes}{option['name']}{value}` | {meaning} |\n"


def escaped(text):
    """Nothing of it is markup."""
    return re.sub(r"([\\`*_\[\]|#])", r"\\\1", html.escape(text, quote=False))


def build(menu, out):
    settings = yaml.safe_load((SITE / "mkdocs.yml").read_text())
    settings |= {"docs_dir": str(out / "pages"), "site_dir": str(out / "html"), "nav": menu}
    file = out / "mkdocs.yml"
    file.write_text(yaml.safe_dump(settings, sort_keys=False))
    mkdocs.commands.build.build(mkdocs.config.load_config(str(file)))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    out = arguments.out.resolve()
    site = Site(Programs(arguments.programs.resolve()), out)
    site.copy_pages()
    shutil.copy(SITE / "site.css", site.pages)
    try:
        build(site.menu(), out)
    except mkdocs.exceptions.MkDocsException as error:
        sys.exit(f"docs: {error}")


if __name__ == "__main__":
    main()
