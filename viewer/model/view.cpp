#include "viewer/model/view.h"

#include "llvm/ADT/StringExtras.h"

namespace tilescope {

const TracePass &selectedPass(const Trace &trace, const Selection &selection) {
  return trace.passes[std::min(selection.pass, trace.passes.size() - 1)];
}

const TraceSnapshot &selectedSnapshot(const Trace &trace, const Selection &selection) {
  return trace.snapshots[selectedPass(trace, selection).snapshot];
}

void printTable(llvm::raw_ostream &out, const std::vector<std::vector<std::string>> &rows,
                size_t leftColumns) {
  std::vector<size_t> widths;
  for (const std::vector<std::string> &row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  }
  for (const std::vector<std::string> &row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      std::string pad(widths[i] - row[i].size(), ' ');
      line += (i ? "  " : "") + (i < leftColumns ? row[i] + pad : pad + row[i]);
    }
    out << llvm::StringRef(line).rtrim() << '\n';
  }
}

} // namespace tilescope
