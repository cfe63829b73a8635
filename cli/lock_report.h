// What `check --lock --format json` prints.
#pragma once

#include "core/json/archive.h"

namespace tilescope {

// What is said of one kernel: a line of text, an object of JSON.
struct LockFinding {
  std::string file;
  std::string kernel; // label of the instance
  std::string function;
  std::string kind; // grew, shrank, changed, new, gone, lost, failed
  std::string text;
};

// A file that no kernel is looked for in.
struct PassedOver {
  std::string file;
  std::string why;
};

struct LockReport {
  std::vector<LockFinding> findings;
  int64_t checked = 0;
  int64_t unchanged = 0;
  int64_t notChecked = 0; // of files or functions that were not given
  std::vector<PassedOver> passedOver;
  bool registersNotCompared = false; // known in the lock, or now, alone
  bool grew = false;                 // or failed, or lost its instances
};

template <typename Archive> void fields(Archive &archive, LockFinding &finding) {
  archive.always("file", finding.file);
  archive.always("kernel", finding.kernel);
  archive("function", finding.function);
  archive.always("kind", finding.kind);
  archive.always("text", finding.text);
}

template <typename Archive> void fields(Archive &archive, PassedOver &file) {
  archive("file", file.file);
  archive("why", file.why);
}

template <typename Archive> void fields(Archive &archive, LockReport &report) {
  archive.always("grew", report.grew);
  archive.always("checked", report.checked);
  archive.always("unchanged", report.unchanged);
  archive.always("notChecked", report.notChecked);
  archive.always("findings", report.findings);
  archive("passedOver", report.passedOver);
  archive("registersNotCompared", report.registersNotCompared);
}

} // namespace tilescope
