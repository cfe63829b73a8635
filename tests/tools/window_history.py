"""The checks of check_window.py of the panel `history`, on a repository with four commits."""

import shutil
import subprocess

import tree
from window_driver import GEMM_SIZE

STAGES = (6, 7, 5, 8)


def make_repository(folder):
    """Where a GEMM is committed with these numbers of stages."""
    kernel = folder / "gemm.py"
    folder.mkdir(parents=True, exist_ok=True)
    date = {"GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z"}
    environment = {"PATH": "/usr/bin:/bin", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", **date}

    def git(*words):
        who = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
        return subprocess.run(["git", *who, *words], cwd=folder, env=environment, check=True, capture_output=True,
                              text=True).stdout

    git("init", "-q")
    for stages in STAGES:
        kernel.write_text(
            tree.text("testdata/kernels/gemm_relu.py").replace("num_stages: int = 3", f"num_stages: int = {stages}"))
        git("add", "gemm.py")
        git("commit", "-qm", f"{stages} stages")
    return kernel, git("log", "--reverse", "--format=%h", "--abbrev=8").split()


def open_history(bench, kernel, commits, **how):
    viewer = bench.open(f"{kernel}:matmul", *GEMM_SIZE, **how)
    viewer.go_to_panel("history")
    viewer.wait(lambda state: all(f"commit {commit}" in state["places"] for commit in commits), "a bar for each commit")
    return viewer


def click_commit(viewer, commit):
    left, top, right, bottom = viewer.place(f"commit {commit}")
    viewer.click((left + right) // 2, (top + bottom) // 2)


def make_held_git(folder, commit):
    """A git that waits, where it is asked for the commit by its short name, until the file that is returned is gone."""
    folder.mkdir()
    hold = folder / "hold"
    hold.touch()
    program = folder / "git"
    program.write_text(f"""#!/bin/sh
case "$*" in *"{commit}^{{commit}}"*) while [ -e "{hold}" ]; do sleep 0.05; done ;; esac
exec {shutil.which("git")} "$@"
""")
    program.chmod(0o755)
    return hold


def check_shows_the_history_and_compares(bench):
    kernel, commits = make_repository(bench.folder / "history")
    viewer = open_history(bench, kernel, commits)
    places = [viewer.place(f"commit {commit}") for commit in [*commits, "open"]]
    assert all(left[2] <= right[0] + 1 for left, right in zip(places, places[1:])), places
    click_commit(viewer, commits[2])
    viewer.wait(lambda state: state["other"] == commits[2] and "compare" in state["places"], "the comparison")
    viewer.quit()


def check_draws_while_a_commit_is_compiled(bench):
    kernel, commits = make_repository(bench.folder / "held_history")
    hold = make_held_git(bench.folder / "held_git", commits[1])
    try:
        viewer = open_history(bench, kernel, commits, programs=hold.parent)
        click_commit(viewer, commits[1])
        viewer.wait(lambda state: state.get("comparing") == commits[1], "a commit that is compiled")
        last = viewer.state["pass"]
        viewer.key("k")
        viewer.wait(lambda state: state["pass"] == last - 1, "the pass before, while the commit is not compiled yet")
        assert viewer.state["comparing"] == commits[1] and not viewer.state["other"], viewer.brief()
    finally:
        hold.unlink()
    viewer.wait(lambda state: state["other"] == commits[1] and not state["comparing"], "the comparison")
    viewer.quit()
