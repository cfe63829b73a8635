"""What the schema of SARIF 2.1.0 and its text ask of the properties that tilescope writes.

  python3 tests/cli/inputs/check_sarif.py FINDINGS.sarif
"""

import json
import sys

LEVELS = {"none", "note", "warning", "error"}
KINDS = {"notApplicable", "pass", "fail", "review", "open", "informational"}


def only(value, required, optional=()):
    assert isinstance(value, dict), value
    assert set(required) <= set(value) <= set(required) | set(optional), sorted(value)


def check_region(region):
    only(region, ["startLine"], ["startColumn", "endLine", "endColumn"])
    assert all(isinstance(value, int) and value >= 1 for value in region.values()), region
    if "endColumn" in region:
        start = region["startLine"], region["startColumn"]
        assert (region["endLine"], region["endColumn"]) >= start, region


def check_place(place):
    only(place, ["artifactLocation"], ["region"])
    only(place["artifactLocation"], ["uri"])
    assert " " not in place["artifactLocation"]["uri"]
    if "region" in place:
        check_region(place["region"])


def check_result(result, rules):
    only(result, ["ruleId", "ruleIndex", "level", "message", "locations"], ["kind", "relatedLocations", "fixes"])
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert result["level"] in LEVELS and result.get("kind", "fail") in KINDS
    # 3.27.10: what is no failure has no level.
    assert result.get("kind", "fail") == "fail" or result["level"] == "none", result
    only(result["message"], ["text"])
    for location in result["locations"]:
        only(location, ["physicalLocation"])
        check_place(location["physicalLocation"])
    for location in result.get("relatedLocations", []):
        only(location, ["id", "physicalLocation", "message"])
        check_place(location["physicalLocation"])
    for fix in result.get("fixes", []):
        only(fix, ["description", "artifactChanges"])
        for change in fix["artifactChanges"]:
            only(change, ["artifactLocation", "replacements"])
            for replacement in change["replacements"]:
                only(replacement, ["deletedRegion", "insertedContent"])
                check_region(replacement["deletedRegion"])


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        log = json.load(file)
    only(log, ["$schema", "version", "runs"])
    (run,) = log["runs"]
    only(run, ["tool", "columnKind", "invocations", "results"])
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for rule in rules:
        only(rule, ["id", "shortDescription"])
        only(rule["shortDescription"], ["text"])
    (invocation,) = run["invocations"]
    only(invocation, ["executionSuccessful", "exitCode"], ["toolExecutionNotifications"])
    for result in run["results"]:
        check_result(result, rules)


if __name__ == "__main__":
    main()
