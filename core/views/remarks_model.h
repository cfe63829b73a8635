// Panel `remarks`: the reasons that passes gave, pass by pass. The view does not depend on the
// selection.
#pragma once

#include "core/trace/trace_fields.h"
#include "core/views/view.h"

namespace tilescope {

struct RemarkRow {
  size_t passIndex = 0; // into Trace::passes
  std::string pass;
  std::string id;
  std::string text;
  KernelLine sourceLine;
  StmtId stmt; // the first
  std::vector<BufferId> buffers;
  int64_t times = 1; // that the pass says it of one line: of the copies that a pipeline made
};

struct RemarksView {
  std::vector<RemarkRow> remarks;
};

// "'A' to 'A_shared' by cp.async, ..., 3 times"
std::string sentenceOf(const RemarkRow &row);

RemarksView buildRemarks(const Trace &trace, const Selection &selection);
void print(const RemarksView &view, llvm::raw_ostream &out);

template <typename Archive> void fields(Archive &archive, RemarkRow &row) {
  archive.always("passIndex", row.passIndex);
  archive("pass", row.pass);
  archive("id", row.id);
  archive("text", row.text);
  lineFields(archive, row.sourceLine);
  archive("stmt", row.stmt);
  archive("buffers", row.buffers);
  archive.always("times", row.times);
}

template <typename Archive> void fields(Archive &archive, RemarksView &view) {
  archive.always("remarks", view.remarks);
}

} // namespace tilescope
