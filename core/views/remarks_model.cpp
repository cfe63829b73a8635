#include "core/views/remarks_model.h"

#include <map>
#include <tuple>

namespace tilescope {

std::string sentenceOf(const RemarkRow &row) {
  return row.times == 1 ? row.text : row.text + ", " + std::to_string(row.times) + " times";
}

RemarksView buildRemarks(const Trace &trace, const Selection & /*selection*/) {
  RemarksView view;
  for (size_t pass = 0; pass < trace.passes.size(); ++pass) {
    std::map<std::tuple<std::string, std::string, uint32_t>, size_t> rows; // of this pass
    for (const TraceRemark &remark : trace.passes[pass].remarks) {
      auto [row, isNew] =
          rows.try_emplace({remark.id, remark.text, remark.span.line}, view.remarks.size());
      if (isNew)
        view.remarks.push_back({pass, trace.passes[pass].name, remark.id, remark.text,
                                remark.span.line, remark.stmt, remark.buffers});
      else
        ++view.remarks[row->second].times;
    }
  }
  return view;
}

void print(const RemarksView &view, llvm::raw_ostream &out) {
  if (view.remarks.empty())
    out << "no pass gave a remark\n";
  for (const RemarkRow &row : view.remarks) {
    write(out, row.pass, {Ink::Strong});
    out << lineText(", line ", row.sourceLine) << ": " << sentenceOf(row);
    write(out, " [" + row.id + "]", {Ink::Quiet});
    out << '\n';
  }
}

} // namespace tilescope
