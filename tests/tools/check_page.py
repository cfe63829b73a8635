#!/usr/bin/env python3
"""The page of `export --format html` in a real browser, driven by key and click, held against what `show` prints.

usage: check_page.py TILESCOPE [PART-OF-A-CHECK'S-NAME] [--keep FOLDER]

With --keep, pictures of the page are left in FOLDER, light and dark.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import browser
import tree

ATTENTION = ["testdata/kernels/attention_fwd.py:attention", "--set", "num_stages=2"]
MOST_BYTES = 2_000_000
TOOLKIT = tree.ROOT / "tests/views/inputs/toolkit"  # an nvcc that prints the same on every machine
SIZE = (1600, 1000)


class Bench:
    """One page, a browser that shows it, and the trace that it is made of."""

    def __init__(self, tilescope, folder, window):
        self.tilescope, self.folder, self.window = tilescope, folder, window
        self.trace, self.page = folder / "attention.trace", folder / "attention.html"
        self.tell("compile", *ATTENTION, "-o", "/dev/null", "--trace", self.trace)
        self.tell("export", self.trace, "--format", "html", "--cuda-path", TOOLKIT, "-o", self.page)

    def tell(self, *arguments):
        return subprocess.run([self.tilescope, *map(str, arguments)], cwd=tree.ROOT, check=True, capture_output=True, text=True).stdout

    def show(self, view, *arguments):
        return json.loads(self.tell("show", view, self.trace, "--format", "json", *arguments))

    def open(self, address=""):
        self.window.open(self.page, address)
        return self.window

    def shown_pass(self):
        return self.window.texts(".pass[aria-current] span")[0]

    def picked(self, panel):
        return self.window.texts(f"[data-panel={panel}] .picked")


def check_shows_every_pass_as_show_does(bench):
    """Stepping from the last pass to the first: the text after each, without what it removed."""
    window = bench.open()
    passes = bench.show("passes")["passes"]
    for one in reversed(passes):
        assert bench.shown_pass() == f"{one['index']} {one['name']}", bench.shown_pass()
        shown = "".join(window.texts("[data-panel=ir] pre > div:not(.removed)"))
        assert shown == bench.tell("show", "ir", bench.trace, "--pass", one["index"]), one["name"]
        window.press("k")
    scrolled = window.run("const text = document.querySelector('[data-panel=cuda] pre'); return text.scrollTop = 500, text.scrollTop")
    window.press("j")
    assert bench.shown_pass().startswith("1 "), bench.shown_pass()
    kept = window.run("return document.querySelector('[data-panel=cuda] pre').scrollTop")
    assert scrolled > 0 and kept == scrolled, (scrolled, kept)


def check_counts_what_changed(bench):
    """As many lines are marked as the view says; `d` brings the first into sight."""
    window = bench.open("#pass=inject-pipeline")
    changes = bench.show("changes", "--pass", "inject-pipeline")
    for kind, more in (("added", changes["added"]), ("removed", changes["removed"])):
        count = len(window.texts(f"[data-panel=ir] pre > .{kind}"))
        assert count == more + changes["modified"], (kind, count, changes)
    window.press("d", "d")
    assert window.run("""
        const [line, text] = ["pre > .current", "pre"].map((one) => document.querySelector(`[data-panel=ir] ${one}`).getBoundingClientRect());
        return text.top <= line.top && line.bottom <= text.bottom"""), "the change is out of sight"


def check_links_panels(bench):
    """A buffer clicked in the CUDA is picked in all of them; a line of the kernel file picks its statements."""
    window = bench.open()
    key = next(one for one in bench.show("arena")["buffers"] if one["name"] == "K_shared")
    window.click(f"[data-panel=cuda] [data-buffer='{key['buffer']}']")
    for panel in ("ir", "cuda", "arena", "tab"):
        assert any(key["name"] in text for text in bench.picked(panel)), (panel, bench.picked(panel))
    window.press("Escape")
    assert not bench.picked("arena"), bench.picked("arena")
    copy = next(index for index, line in enumerate(bench.show("source")["lines"], 1) if "T.gemm(weights" in line.get("text", ""))
    window.click(f"[data-panel=source] [data-line='{copy}'] i")
    lines = [line for line in bench.show("cuda")["lines"] if line.get("sourceLine") == copy]
    assert len(bench.picked("cuda")) == len(lines), (len(bench.picked("cuda")), len(lines))


def check_moves_through_program_points(bench):
    """The arrow keys: what is live at each point is what the arena has there, and the statement is picked in the IR."""
    window = bench.open()
    arena = bench.show("arena")
    for _ in arena["points"]:
        window.press("ArrowUp")
    for point, at in enumerate(arena["points"]):
        live = [one["name"] for one in arena["buffers"] if any(span["begin"] <= point < span["end"] for span in one["live"])]
        assert window.texts("[data-panel=arena] .point .buffer") == live, (point, live)
        assert any(at["text"].removeprefix("T.").split("(")[0] in text for text in bench.picked("ir")), (point, at)
        window.press("ArrowDown")


def check_breaks_no_name(bench):
    """Of passes and buffers, in a window that is not wide; a tab that the page has not is left out of the address."""
    with browser.Browser((1200, 800)) as window:
        for tab in ("stages", "arena"):
            window.open(bench.page, f"#pass=merge-shared-memory&tab={tab}")
            broken = "[...document.querySelectorAll('.pass span, .buffer')].filter((one) => one.getClientRects().length > 1 || one.clientHeight > 30)"
            assert window.run(f"return {broken}.map((one) => one.textContent)") == [], tab
            assert window.texts("[data-tab][aria-selected=true]") == ["Stages"], tab
            assert window.texts("h1")[0].startswith("attention_fwd.py:attention, ") and window.texts("[data-panel=source] h2") == ["attention_fwd.py"]


def check_moves_through_stages(bench):
    window = bench.open()
    loop = bench.show("stages")["loops"][0]
    slots = [f"{row['name']}[{row['slot']}]" for row in loop["rows"]]
    assert window.texts("[data-panel=tab] th .buffer") == slots
    for step in range(len(loop["steps"])):
        window.press("ArrowRight")
        shown = window.texts("[data-panel=tab] td.step")
        assert shown == [row["cells"][step].replace(".", "") for row in loop["rows"]], (step, shown)


def check_shows_roles(bench):
    """What each role does in which iteration is what `show stages` says."""
    trace, page = bench.folder / "roles.trace", bench.folder / "roles.html"
    options = [word for name in ("tma", "roles") for word in ("--pass-option", f"inject-pipeline.{name}=true")]
    bench.tell("compile", *ATTENTION, "--target", "sm_90a", *options, "-o", "/dev/null", "--trace", trace)
    bench.tell("export", trace, "--format", "html", "--no-device-code", "-o", page)
    bench.window.open(page, "#tab=stages")
    view = json.loads(bench.tell("show", "stages", trace, "--format", "json"))
    roles = view["roles"]
    assert len(roles) == 2 and all(role["rows"] for role in roles), roles
    assert bench.window.texts("[data-panel=tab] .what") == [row["text"] for role in roles for row in role["rows"]]
    assert bench.window.texts("[data-panel=tab] .role td") == [cell for role in roles for row in role["rows"] for cell in row["cells"]]
    assert len(bench.window.texts("[data-panel=tab] .slots")) == 2, "a table without roles"
    mbarriers = bench.window.texts("[data-panel=tab] .handovers td:first-child")
    assert mbarriers and mbarriers == [handover["mbarriers"] for handover in view["handovers"]], mbarriers
    bench.window.click(f"[data-panel=tab] [data-stmt='{roles[1]['rows'][0]['stmt']}']")
    assert any("mbarrier_wait" in text for text in bench.picked("ir")), bench.picked("ir")


def check_steps_through_a_run(bench):
    """Who wrote each byte last is what `show steps` says, step by step, and the statement is picked."""
    trace, page = bench.folder / "run.trace", bench.folder / "run.html"
    bench.tell("exec", "testdata/kernels/gemm_relu.py:matmul", "--set", "M=128", "--set", "N=128", "--set", "K=128", "--trace", trace, "--steps", "0")
    bench.tell("export", trace, "--format", "html", "--no-device-code", "-o", page)
    bench.window.open(page, "#tab=steps")
    for step in range(40):
        bench.window.press("ArrowRight")
        if step % 7:
            continue
        wanted = json.loads(bench.tell("show", "steps", trace, "--step", step, "--format", "json"))
        assert f"step {step} of {wanted['stepCount']}, " in bench.window.texts(".executed-step")[0], step
        rows = [[f"[{row['begin']:,}, {row['end']:,})", row["name"], "in flight" if row.get("isInFlight") else "", f"{row['bytes']:,}"]
                for row in wanted.get("written", [])]
        cells = bench.window.texts("[data-panel=tab] tbody td")
        assert [cells[at:at + 4] for at in range(0, len(cells), 8)] == rows, (step, cells, rows)
        assert any(wanted["text"].removeprefix("T.").split("(")[0] in text for text in bench.picked("ir")), step
    assert page.stat().st_size < MOST_BYTES


def check_draws_layouts(bench):
    window = bench.open("#buffer=K_shared&tab=layouts")
    layout = next(one for one in bench.show("layouts")["buffers"] if one["name"] == "K_shared")
    assert window.texts(".grid td") == [cell for row in layout["rows"] for cell in row["cells"]]
    passes = window.texts("[data-panel=tab] td:nth-child(3)")
    assert passes[-len(layout["accesses"]):] == [str(one["passes"]) for one in layout["accesses"]], passes


def check_links_ptx_and_sass(bench):
    """The instructions of both stand as `show` has them, each beside its line of CUDA, and are picked with what they are of."""
    window = bench.open()
    tabs = window.texts("[role=tab]")
    for view in ("ptx", "sass"):
        window.press(str((tabs.index(view.upper()) + 1) % 10))
        listing = bench.show(view, "--cuda-path", TOOLKIT)
        lines = listing["lines"]
        assert window.texts("[data-panel=tab] pre > div") == [line.get("text", "") + "\n" for line in lines], view
        numbers = window.run("return [...document.querySelectorAll('[data-panel=tab] pre i')].map((one) => one.dataset.number ?? '')")
        assert numbers == [str(line.get("cudaLine", "")) for line in lines], view
        assert f"{listing['kernels'][0]['registers']} registers" in window.texts("[data-panel=tab] p")[0]
        # A statement picked in the CUDA is picked here, and the other way round.
        stmt = next(line["stmt"] for line in lines if line.get("names"))
        for clicked, other in (("cuda", "tab"), ("tab", "cuda")):
            window.press("Escape")
            assert not bench.picked(other)
            window.click(f"[data-panel={clicked}] pre > [data-stmt='{stmt}'] i")
            count = sum(line.get("stmt") == stmt for line in (lines if other == "tab" else bench.show("cuda")["lines"]))
            picked = window.texts(f"[data-panel={other}] pre > .picked[data-stmt='{stmt}']")
            assert len(picked) == count > 0, (view, clicked, picked)
        # So is a buffer by its name.
        window.press("Escape")
        window.click("[data-panel=tab] pre .buffer")
        buffer = next(name["buffer"] for line in lines for name in line.get("names", []))
        assert window.run("return selection.buffer") == buffer and bench.picked("ir"), (view, bench.picked("ir"))
    # It stays where it is scrolled to; that listing is short, so its pane is made low.
    window.run("document.head.append(make('style', {}, '.listing pre { max-height: 60px }'))")
    window.press("Escape")
    window.run("document.querySelector('[data-panel=tab] pre').scrollTop = 40")
    window.click("[data-panel=passes] .pass")
    assert window.run("return document.querySelector('[data-panel=tab] pre').scrollTop") == 40, "it does not stay where it was"


def check_says_why_there_is_no_sass(bench):
    page = bench.folder / "unlisted.html"
    bench.tell("export", bench.trace, "--format", "html", "--cuda-path", TOOLKIT.parent, "-o", page)
    bench.window.open(page, "#tab=sass")
    assert "no bin/nvcc under" in bench.window.texts("[data-panel=tab]")[0], bench.window.texts("[data-panel=tab]")
    bench.tell("export", bench.trace, "--format", "html", "--no-device-code", "-o", page)
    bench.window.open(page, "#tab=ptx")
    assert "the page was made without it" in bench.window.texts("[data-panel=tab]")[0], bench.window.texts("[data-panel=tab]")


def check_tells_costs(bench):
    bench.open("#tab=costs")
    registers = bench.window.texts("[data-panel=tab] td:nth-child(4)")
    assert registers == [str(row.get("registers", "")) for row in bench.show("costs")["rows"]], registers


def check_opens_every_tab(bench):
    window = bench.open()
    for number, title in enumerate(window.texts("[role=tab]"), 1):
        window.press(str(number)) if number < 10 else window.click(f"[role=tab]:nth-child({number})")
        assert window.texts("[aria-selected=true]") == [title], title
        assert window.texts("[data-panel=tab]") != [""], title
    window.press("?")
    assert len(window.texts("dialog tbody tr")) > 10
    window.press("Escape")
    assert not window.texts("dialog")


def check_takes_text_as_text(bench):
    """Markup in a kernel file is text, and ends no script."""
    kernel = bench.folder / "hostile.py"
    hostile = "</script><script>document.title = 'ran'</script><img src=x onerror=\"document.title = 'ran'\"> é"
    kernel.write_text(tree.text("testdata/kernels/gemm_relu.py") + f"\n# {hostile}\n", encoding="utf-8")
    page = bench.folder / "hostile.html"
    bench.tell("export", f"{kernel}:matmul", "--set", "M=128", "--set", "N=128", "--set", "K=64", "--format", "html", "-o", page)
    bench.window.open(page)
    assert any(hostile in text for text in bench.window.texts("[data-panel=source] pre > div")), "the line is not there"
    assert bench.window.run("return document.title") != "ran"


def check_shows_the_history_of_a_kernel(bench):
    """A row for each commit that changed the file, what differs from the one before, and keys from one to the next."""
    folder = bench.folder / "repository"
    folder.mkdir()
    git = ["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.com"]
    kernel = folder / "kernel.py"
    text = tree.text("testdata/kernels/gemm_relu.py")
    subprocess.run([*git, "init", "-q"], check=True)
    for stages, rest in ((1, ""), (2, ""), (2, "\ndef broken(:"), (3, "")):
        kernel.write_text(text.replace("num_stages: int = 3", f"num_stages: int = {stages}") + rest, encoding="utf-8")
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "-q", "-m", f"{stages} stages{' broken' if rest else ''}"], check=True)
    page = folder / "history.html"
    subprocess.run([bench.tilescope, "export", "kernel.py:matmul", "--set", "M=256", "--set", "N=256", "--set", "K=256",
                    "--git", "HEAD~3..HEAD", "--format", "html", "-o", page], cwd=folder, check=True, capture_output=True)
    window = bench.window
    window.open(page, "#instance=3&tab=instances")
    names = window.texts("[data-panel=tab] tbody td:first-child")
    assert [name.split(" ", 1)[1].split(":")[0] for name in names] == ["1 stages", "2 stages", "2 stages broken", "3 stages"], names
    deltas = window.texts("[data-panel=tab] tbody td:nth-child(6)")
    assert deltas == ["", "+16,384", "", "+16,384"], deltas
    assert len(window.texts("[data-panel=tab] .small")) == 3
    window.press("[")
    assert "2 stages" in window.texts("header")[0] and "broken" not in window.texts("header")[0], window.texts("header")
    window.click("[data-tab=compare]")
    assert any("8,192 → 16,384" in text for text in window.texts("[data-panel=tab] td")), window.texts("[data-panel=tab] td")


def check_says_what_it_leaves_out(bench):
    page = bench.folder / "small.html"
    bench.tell("export", bench.trace, "--format", "html", "--max-size", 225_000, "-o", page)
    bench.window.open(page)
    assert "layouts" in bench.window.texts("header")[0], bench.window.texts("header")
    assert bench.window.texts("[data-panel=ir] pre > div"), "no IR"


def check_is_small(bench):
    size = bench.page.stat().st_size
    assert size < MOST_BYTES, size


def keep_pictures(bench, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, size, is_dark in [("light", SIZE, False), ("dark", SIZE, True), ("small", (800, 600), False)]:
        with browser.Browser(size, is_dark) as window:
            window.open(bench.page, "#pass=merge-shared-memory&buffer=K_shared&tab=layouts")
            (folder / f"page.{name}.png").write_bytes(window.picture())


def run(check, bench):
    try:
        bench.window.complaints()
        check(bench)
        complaints = bench.window.complaints()
        assert not complaints, complaints
    except AssertionError as error:
        print(f"{check.__name__}: {error}", flush=True)
        return False
    print(f"{check.__name__}: ok", flush=True)
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilescope")
    parser.add_argument("part", nargs="?", default="")
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    if not browser.is_installed():
        print("page: no chromium and chromium-driver here: skipped")
        return 77
    checks = [check for name, check in globals().items() if name.startswith("check_") and options.part in name]
    with tempfile.TemporaryDirectory() as name, browser.Browser(SIZE) as window:
        bench = Bench(pathlib.Path(options.tilescope).resolve(), pathlib.Path(name), window)
        failed = [check for check in checks if not run(check, bench)]
        if options.keep:
            keep_pictures(bench, options.keep)
    print(f"page: {len(checks) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


sys.exit(main())
