#!/usr/bin/env bash
# Compares the kernels of two revisions. Leaves the report in a file and its path and the exit code of `tilescope diff`
# (0 fine, 1 a condition holds, 2 trouble) in the outputs of the step, so that a comment comes before the verdict.
set -euo pipefail

tilescope="${TILESCOPE:-$(dirname "$0")/../build/release/bin/tilescope}"
report="$RUNNER_TEMP/tilescope-diff.md"
rm -f "$report" # of an earlier use on this machine
# What others have merged meanwhile is not this change.
base=$(git merge-base "$BASE" "$HEAD") || {
  echo "::error::no common commit of $BASE and $HEAD; check out with fetch-depth: 0"
  printf 'code=2\n' >>"$GITHUB_OUTPUT"
  exit 0
}

read -r -a paths <<<"$PATHS"
options=(--git "$base" "$HEAD" --format markdown -o "$report")
[ -z "$FAIL_ON" ] || options+=(--fail-on "$FAIL_ON")
code=0
"$tilescope" diff "${options[@]}" -- "${paths[@]}" || code=$?

if [ -s "$report" ]; then
  # Each use of the action has a comment of its own.
  name=$(printf '%s' "${NAME:-$PATHS}" | LC_ALL=C tr -c 'A-Za-z0-9._/' '-' | tr -s '-')
  marker="<!-- tilescope diff: $name -->"
  { printf '%s\n' "$marker"; tail -n +2 "$report"; } >"$report.named"
  mv "$report.named" "$report"
  cat "$report" >>"$GITHUB_STEP_SUMMARY"
  printf 'report=%s\n' "$report" >>"$GITHUB_OUTPUT"
fi
printf 'code=%s\n' "$code" >>"$GITHUB_OUTPUT"
