#include "core/views/remarks_model.h"

namespace tilescope {

RemarksView buildRemarks(const Trace &trace, const Selection & /*selection*/) {
  RemarksView view;
  for (size_t pass = 0; pass < trace.passes.size(); ++pass)
    for (const TraceRemark &remark : trace.passes[pass].remarks)
      view.remarks.push_back({pass, trace.passes[pass].name, remark.id, remark.text,
                              remark.span.line, remark.stmt, remark.buffers});
  return view;
}

void print(const RemarksView &view, llvm::raw_ostream &out) {
  if (view.remarks.empty())
    out << "no pass gave a remark\n";
  for (const RemarkRow &row : view.remarks) {
    write(out, row.pass, {Ink::Strong});
    if (row.sourceLine)
      out << ", line " << row.sourceLine;
    out << ": " << row.text;
    write(out, " [" + row.id + "]", {Ink::Quiet});
    out << '\n';
  }
}

} // namespace tilescope
