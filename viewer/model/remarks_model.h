// Panel `remarks`: the reasons that passes gave, pass by pass.
#pragma once

#include "core/trace/trace_fields.h"
#include "viewer/model/view.h"

namespace tilescope {

struct RemarkRow {
  std::string pass;
  std::string id;
  std::string text;
  uint32_t sourceLine = 0; // 0: none
  std::vector<BufferId> buffers;
};

struct RemarksView {
  std::vector<RemarkRow> remarks;
};

RemarksView buildRemarks(const Trace &trace, const Selection &selection);
void print(const RemarksView &view, llvm::raw_ostream &out);

template <typename Archive> void fields(Archive &archive, RemarkRow &row) {
  archive("pass", row.pass);
  archive("id", row.id);
  archive("text", row.text);
  archive("sourceLine", row.sourceLine);
  archive("buffers", row.buffers);
}

template <typename Archive> void fields(Archive &archive, RemarksView &view) {
  archive.always("remarks", view.remarks);
}

} // namespace tilescope
