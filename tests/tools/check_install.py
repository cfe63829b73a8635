#!/usr/bin/env python3
"""An installed Tilescope: its files, the example of a pass of others built against it, and that pass at work.

Usage: check_install.py BUILD_FOLDER

The build is installed into a temporary folder and docs/example_pass is built against that alone. The pass must be
found, run, verified, traced and explained like ours; what `--load` cannot load must be said clearly, with exit code 2.
"""

import gzip
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

import tree

EXAMPLE = tree.ROOT / "docs/example_pass"
PASS = "unroll-tile-loops"
# Of the same length, so that it fits in its place.
TAKEN = "split-host-device"
KERNEL = "halves.py:add"
MARK = b"tilescope pass library for "
INCLUDE = re.compile(r'^\s*#\s*include\s+"(core/[^"]+)"', re.MULTILINE)
FILES = ["bin/tilescope", "lib/cmake/Tilescope/TilescopeConfig.cmake", "lib/cmake/Tilescope/TilescopeConfigVersion.cmake",
         "include/tilescope/core/pass/pass_library.h", "share/man/man1/tilescope.1.gz",
         "share/bash-completion/completions/tilescope", "share/zsh/site-functions/_tilescope",
         "share/fish/vendor_completions.d/tilescope.fish"]
DESKTOP_FILES = ["bin/tilescope-view", "share/applications/tilescope.desktop", "share/mime/packages/tilescope.xml",
                 "share/icons/hicolor/scalable/apps/tilescope.svg"]


def run(*words, folder=None):
    return subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True)


def check_files(prefix, has_viewer):
    for name in FILES + (DESKTOP_FILES if has_viewer else []):
        if not (prefix / name).is_file():
            yield f"{name} is not installed"
            return
    page = gzip.decompress((prefix / "share/man/man1/tilescope.1.gz").read_bytes()).decode()
    if not page.startswith(".TH TILESCOPE 1"):
        yield f"the manual page starts with: {page[:60]}"
    if run("bash", "-n", prefix / "share/bash-completion/completions/tilescope").returncode:
        yield "the completion for bash is no script"
    if has_viewer:
        yield from check_desktop(prefix / "share")


def check_desktop(share):
    """The desktop file, the icon and the type of traces speak of one another."""
    desktop = (share / "applications/tilescope.desktop").read_text()
    space = "{http://www.freedesktop.org/standards/shared-mime-info}"
    described = xml.parse(share / "mime/packages/tilescope.xml").getroot().find(f"{space}mime-type")
    if f"MimeType={described.get('type')};" not in desktop:
        yield f"tilescope.desktop does not open {described.get('type')}"
    icon = re.search(r"^Icon=(.*)$", desktop, re.MULTILINE).group(1)
    if not (share / f"icons/hicolor/scalable/apps/{icon}.svg").is_file() or described.find(f"{space}icon").get("name") != icon:
        yield f"there is no icon {icon}, or traces have another"
    start = described.find(f"{space}magic/{space}match").get("value").encode()
    for trace in sorted((tree.ROOT / "testdata/traces").glob("*.trace"))[:1]:
        if not trace.read_bytes().startswith(start):
            yield f"{trace.name} does not start with {start.decode()}, by which traces are told"


def check_headers(folder):
    """What an installed header includes is installed, and who watches passes is not."""
    installed = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    for header in sorted(installed):
        for included in INCLUDE.findall((folder / header).read_text()):
            if included not in installed:
                yield f"{header} includes {included}, which is not installed"
    for header in sorted(installed):
        if re.match(r"core/(pass/pass_(manager|observer)|frontend|codegen|driver|trace|views)", header):
            yield f"{header} is installed, and no pass needs it"


def build_example(prefix, folder):
    """The library."""
    shutil.copytree(EXAMPLE, folder)
    for words in (["-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}"], ["--build", folder / "build"]):
        result = run("cmake", *words)
        if result.returncode:
            sys.exit(f"install: the example cannot be built:\n{result.stdout}{result.stderr}")
    return folder / "build/libexample_pass.so"


class Trial:
    """The installed program with the library of the example."""

    def __init__(self, prefix, folder, library):
        self.prefix = prefix
        self.folder = folder
        self.library = library
        self.findings = []
        without = run(prefix / "bin/tilescope", "compile", KERNEL, "-o", "plain.cu", "--trace", "plain.trace", folder=folder)
        shown = run(prefix / "bin/tilescope", "show", "passes", "plain.trace", "--format", "json", folder=folder)
        self.expect("the example without its pass", without, 0)
        ours = re.findall(r'"name": "([a-z-]+)"', shown.stdout)
        self.pipeline = ",".join(["legalize-indices", PASS, *[name for name in ours[2:] if name != "emit-cuda"]])

    def expect(self, what, result, code, *texts):
        said = result.stdout + result.stderr
        if result.returncode != code:
            self.findings.append(f"{what}: exits with {result.returncode}, not {code}:\n{said}")
        self.findings += [f"{what}: says nothing of {text!r}:\n{said}" for text in texts if text not in said]

    def step(self, command, *texts, code=0):
        """`command` with the names of this trial; its output must hold the texts."""
        words = [word.format(library=self.library, passes=self.pipeline) for word in shlex.split(command)]
        result = run(self.prefix / "bin/tilescope", *words, folder=self.folder)
        self.expect(command, result, code, *texts)
        return result.stdout


def check_pass(trial):
    step = trial.step
    step(f"opt --load {{library}} --help", f"{PASS}", "max-trips=4", "Iterations that a loop may have")
    step(f"compile {KERNEL} --load {{library}} --passes {{passes}} -o unrolled.cu --trace unrolled.trace")
    if (trial.folder / "unrolled.cu").read_text() == (trial.folder / "plain.cu").read_text():
        trial.findings.append("the pass changes nothing of the CUDA")
    # The trace is read by a program that has not loaded the library.
    step("show passes unrolled.trace", PASS)
    step(f"show changes unrolled.trace --pass {PASS}", "half")
    step("show remarks unrolled.trace", PASS, "the loop over 'half' is written out: 2 iterations")
    step("find unrolled.trace 'not text \"T.serial(0, 2)\"'", PASS)
    step("check unrolled.trace")
    step("export unrolled.trace --format html -o unrolled.html")
    if (trial.prefix / "bin/tilescope-view").exists():
        step(f"view unrolled.trace --pass {PASS} --screenshot unrolled.png")
    step(f"exec {KERNEL} --load {{library}} --passes {{passes}} --every-pass", PASS)
    step(f"opt {KERNEL} --load {{library}} --passes '{PASS}{{{{max-trips=1}}}}'", "T.serial(0, 2)")
    step(f"show passes {KERNEL} --load {{library}} --passes {{passes}}", PASS)
    step(f"compile {KERNEL} --load {{library}} --passes '{PASS}{{{{most=1}}}}'", "has no option 'most'", "max-trips", code=2)
    step(f"compile {KERNEL} --passes '{PASS}'", f"'{PASS}'", code=2)
    lowered = trial.pipeline.replace(f"{PASS},", "").partition(",guard-memory-access")[0]
    step(f"opt {KERNEL} --load {{library}} --passes {lowered},{PASS}", f"pass '{PASS}' needs function", "to be 'tile'", code=2)


def check_bundle(trial):
    """A compile with the pass is packed with the library, which runs again for who asks for it."""
    step = trial.step
    step("show passes unrolled.trace", "--load ")
    step(f"repro {KERNEL} --load {{library}} --passes {{passes}} -o bug.tar.gz", "the same: it compiles")
    step("repro unrolled.trace -o bug.tar.gz", "the same: it compiles")
    step("repro bug.tar.gz", "--run-libraries", code=2)
    moved = trial.library.rename(trial.library.with_suffix(".away"))
    step("repro bug.tar.gz --run-libraries", "the same: it compiles")
    step("repro unrolled.trace -o lost.tar.gz", "a library of --load", trial.library.name, "No such file", code=2)
    library = moved.read_bytes()
    mark = re.search(MARK + rb"[\x20-\x7e]+", library).group()
    trial.library.write_bytes(library.replace(mark, mark[:-4] + b"0000"))
    step("repro unrolled.trace -o other.tar.gz", "was built for Tilescope", code=2)
    run("tar", "xzf", "bug.tar.gz", folder=trial.folder)
    shutil.copy(trial.library, trial.folder / "bug/libraries/1.so")
    run("tar", "czf", "other.tar.gz", "bug", folder=trial.folder)
    step("repro other.tar.gz --run-libraries", "was built for Tilescope", code=2)
    moved.rename(trial.library)


def check_errors(trial):
    """Copies of the library with other bytes stand for what people build wrongly."""
    library = trial.library.read_bytes()
    found = re.search(MARK + rb"[\x20-\x7e]+", library).group()

    def load(name, texts, old=None, new=None):
        path = trial.folder / name
        if old is not None:
            if old not in library:
                trial.findings.append(f"{name}: the library does not hold {old!r}")
            path.write_bytes(library.replace(old, new))
        trial.step(f"opt {KERNEL} --load {name} --passes simplify", f"'{name}'", *texts, code=2)

    load("nowhere.so", ["cannot read", "No such file"])
    load("halves.py", ["is no library of passes"])
    load("older.so", ["was built for Tilescope", "and this is", "build it against"], found, found[:-4] + b"0000")
    load("unnamed.so", ["defines no TilescopePassLibrary"], b"\0TilescopePassLibrary\0", b"\0TilescopePassLibrarx\0")
    load("missing.so", ["cannot be loaded", "tilescope::cloneStm_"], b"9tilescope9cloneStmt", b"9tilescope9cloneStm_")
    load("taken.so", [TAKEN, "one of that name already"], PASS.encode(), TAKEN.encode())
    load("Upper.so", ["lower-case letters"], PASS.encode(), PASS.upper().encode())
    trial.step(f"opt {KERNEL} --load {{library}} --load {{library}} --passes simplify", "one of that name already", code=2)
    trial.step("show passes plain.trace --load {library}", "--load", code=2)
    cut = trial.folder / "cut.so"
    cut.write_bytes(library[:len(library) // 2])
    load("cut.so", [])


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1]).resolve()
    if not shutil.which("cmake"):
        print("install: no cmake here")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prefix = folder / "prefix"
        installed = run("cmake", "--install", build, "--prefix", prefix)
        if installed.returncode:
            sys.exit(f"install: {installed.stdout}{installed.stderr}")
        findings = list(check_files(prefix, (build / "bin/tilescope-view").exists()))
        findings += check_headers(prefix / "include/tilescope")
        if not findings:
            library = build_example(prefix, folder / "example")
            trial = Trial(prefix, folder / "example", library)
            check_pass(trial)
            check_bundle(trial)
            check_errors(trial)
            findings += trial.findings
    tree.finish("install", findings)


if __name__ == "__main__":
    main()
