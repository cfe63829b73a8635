// Panel `passes`: one row a pass. The view does not depend on the selection.
#pragma once

#include "core/trace/passes_not_run.h"
#include "core/trace/trace_fields.h"
#include "core/views/view.h"

namespace tilescope {

struct PassRow {
  size_t index = 0;
  std::string name;
  std::string options;
  int depth = 0;
  bool changed = false;
  bool failed = false;
  int64_t linesAdded = 0;
  int64_t linesRemoved = 0;
  int64_t statements = 0;       // of the IR after the pass; 0: its text is not loaded
  int64_t sharedBytes = 0;      // height of the highest arena after the pass
  int64_t sharedDeltaBytes = 0; // against the pass before; of a group, the pass before the group
  bool sharedIsPreview = true;
  int64_t wallMicroseconds = 0;
  int64_t irBytes = 0; // of nodes and texts that the pass made; 0: none, or it was not recorded
  size_t remarkCount = 0;
  TraceVerdicts verdicts;
  std::optional<Verdict> runsAsWritten; // as of a TracePass
  std::string checks; // "verified", "verified, arena, hazards, run", "failed", "wrong when run"
};

struct PassesView {
  std::string kernel; // file:function
  std::string target;
  std::string options; // of the compile, as on the command line; "" for the defaults
  std::vector<PassRow> passes;
  std::vector<NamedPass> notRun; // what the compile did not come to
};

PassesView buildPasses(const Trace &trace, const Selection &selection);
void print(const PassesView &view, llvm::raw_ostream &out);

// Where stepping from a pass leads: the next or the previous pass that changed the IR or failed;
// `pass` itself at the end.
size_t nextChangedPass(const Trace &trace, size_t pass);
size_t previousChangedPass(const Trace &trace, size_t pass);

template <typename Archive> void fields(Archive &archive, PassRow &row) {
  archive.always("index", row.index);
  archive("name", row.name);
  archive.always("options", row.options);
  archive("depth", row.depth);
  archive.always("changed", row.changed);
  archive.always("failed", row.failed);
  archive.always("linesAdded", row.linesAdded);
  archive.always("linesRemoved", row.linesRemoved);
  archive.always("sharedBytes", row.sharedBytes);
  archive.always("sharedDeltaBytes", row.sharedDeltaBytes);
  archive.always("sharedIsPreview", row.sharedIsPreview);
  archive.always("wallMicroseconds", row.wallMicroseconds);
  archive.always("remarkCount", row.remarkCount);
  archive.always("checks", row.checks);
  archive("verdicts", row.verdicts);
  archive("runsAsWritten", row.runsAsWritten);
  archive("statements", row.statements);
  archive("irBytes", row.irBytes);
}

template <typename Archive> void fields(Archive &archive, NamedPass &pass) {
  archive("name", pass.name);
  archive("depth", pass.depth);
}

template <typename Archive> void fields(Archive &archive, PassesView &view) {
  archive("kernel", view.kernel);
  archive("target", view.target);
  archive("options", view.options);
  archive("passes", view.passes);
  archive("notRun", view.notRun);
}

} // namespace tilescope
