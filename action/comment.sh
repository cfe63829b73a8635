#!/usr/bin/env bash
# Puts the report on the pull request: one comment, found again by the marker that it starts with.
set -euo pipefail

comments="repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments"
# Of letters, digits, '.', '/' and '-': nothing that the query below could misread.
marker=$(head -n 1 "$REPORT")
# Only a bot's: a person may quote the marker.
ours=".[] | select(.user.type == \"Bot\" and (.body | startswith(\"$marker\"))) | .id"
id=$(gh api --paginate "$comments" --jq "$ours" | head -n 1) || id=

if [ -n "$id" ]; then
  written=$(gh api -X PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" -F "body=@$REPORT" --jq .html_url)
else
  written=$(gh api -X POST "$comments" -F "body=@$REPORT" --jq .html_url)
fi || {
  # A pull request from a fork may not write; the summary has the report.
  echo "::warning::the report is in the summary of this run: the comment could not be written"
  exit 0
}
echo "$written"
