#!/usr/bin/env bash
# run.sh FOLDER BASE HEAD FAIL_ON [NAME]: the steps of the action after the build, on the repository in FOLDER.
set -eu
action=$(cd "$(dirname "$0")/../../../../action" && pwd)
cd "$1/repository"
export PATH="$1/bin:$PATH" RUNNER_TEMP="$1/temp" GITHUB_OUTPUT="$1/output" GITHUB_STEP_SUMMARY="$1/summary.md"
export GITHUB_REPOSITORY=owner/kernels PULL_REQUEST=7 GH_TOKEN=none
export BASE="$2" HEAD="$3" FAIL_ON="$4" PATHS=kernels TILESCOPE=tilescope NAME="${5:-}"
rm -f "$GITHUB_OUTPUT" "$GITHUB_STEP_SUMMARY"
bash "$action/compare.sh"
cat "$GITHUB_OUTPUT"
REPORT=$(sed -n 's/^report=//p' "$GITHUB_OUTPUT")
export REPORT
[ -z "$REPORT" ] || bash "$action/comment.sh"
