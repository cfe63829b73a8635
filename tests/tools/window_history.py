"""The checks of check_window.py of the panel `history`, on a repository with four commits."""

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


def check_shows_the_history_and_compares(bench):
    kernel, commits = make_repository(bench.folder / "history")
    viewer = bench.open(f"{kernel}:matmul", *GEMM_SIZE)
    viewer.go_to_panel("history")
    viewer.wait(lambda state: all(f"commit {commit}" in state["places"] for commit in commits), "a bar for each commit")
    places = [viewer.place(f"commit {commit}") for commit in [*commits, "open"]]
    assert all(left[2] <= right[0] + 1 for left, right in zip(places, places[1:])), places
    left, top, right, bottom = viewer.place(f"commit {commits[2]}")
    viewer.click((left + right) // 2, (top + bottom) // 2)
    viewer.wait(lambda state: state["other"] == commits[2] and "compare" in state["places"], "the comparison")
    viewer.quit()
