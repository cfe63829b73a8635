// Panel `findings`: what the verifier and the checkers say of a compile; `tilescope check` is its
// exit code.
#pragma once

#include "viewer/model/view.h"

namespace tilescope {

struct FindingRow {
  std::string severity; // "error" or "warning"
  std::string id;
  std::string text;
  uint32_t sourceLine = 0; // 0: none
};

struct FindingsView {
  std::string lastPass;
  std::optional<bool> verified; // nullopt: the last pass gave nothing to verify
  // "yes", "no", or "not established": no pass that would establish it ran, or it failed.
  std::string arenaSound;
  std::string hazardFree;
  std::string withinCapacity;
  std::vector<FindingRow> findings;

  bool isClean() const;
};

FindingsView buildFindings(const Trace &trace, const Selection &selection);
void print(const FindingsView &view, llvm::raw_ostream &out);

template <typename Archive> void fields(Archive &archive, FindingRow &row) {
  archive("severity", row.severity);
  archive("id", row.id);
  archive("text", row.text);
  archive("sourceLine", row.sourceLine);
}

template <typename Archive> void fields(Archive &archive, FindingsView &view) {
  archive("lastPass", view.lastPass);
  archive.always("verified", view.verified);
  archive("arenaSound", view.arenaSound);
  archive("hazardFree", view.hazardFree);
  archive("withinCapacity", view.withinCapacity);
  archive.always("findings", view.findings);
}

} // namespace tilescope
