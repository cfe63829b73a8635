// What `bisect --format json` prints.
#pragma once

#include "core/json/archive.h"

namespace tilescope {

// What was asked of the command.
struct BisectAnswer {
  size_t index = 0;
  std::string name;            // the step, or the pass
  std::string verdict;         // "good", "bad", "skip"
  std::optional<int> exitCode; // nullopt: the command was not run
  std::string note;            // why not
};

struct BisectReport {
  std::string mode; // "compiles" or "snapshots"
  std::vector<std::string> steps;
  std::vector<BisectAnswer> asked;
  bool found = false;
  std::string first;                // the step, or the pass, from which the command fails
  std::vector<std::string> skipped; // may be it too
  std::string text;                 // the result in words
};

template <typename Archive> void fields(Archive &archive, BisectAnswer &answer) {
  archive.always("index", answer.index);
  archive.always("name", answer.name);
  archive.always("verdict", answer.verdict);
  archive.always("exitCode", answer.exitCode);
  archive("note", answer.note);
}

template <typename Archive> void fields(Archive &archive, BisectReport &report) {
  archive.always("mode", report.mode);
  archive.always("steps", report.steps);
  archive.always("asked", report.asked);
  archive.always("found", report.found);
  archive("first", report.first);
  archive("skipped", report.skipped);
  archive.always("text", report.text);
}

} // namespace tilescope
