#include "core/views/view.h"

#include "core/trace/trace_queries.h"

#include "llvm/ADT/StringExtras.h"

namespace tilescope {

const TracePass &selectedPass(const Trace &trace, const Selection &selection) {
  return trace.passes[std::min(selection.pass, trace.passes.size() - 1)];
}

std::string selectedPlace(const Trace &trace, const Selection &selection) {
  return passPlace(trace, std::min(selection.pass, trace.passes.size() - 1));
}

const TraceSnapshot &selectedSnapshot(const Trace &trace, const Selection &selection) {
  return trace.snapshots[selectedPass(trace, selection).snapshot];
}

Ink headingInk(size_t row, size_t /*column*/) { return row == 0 ? Ink{Ink::Strong} : Ink(); }
Ink plainInk(size_t /*row*/, size_t /*column*/) { return {}; }

namespace {

// A name as long as a file must not make every row as long.
constexpr size_t MostColumnWidth = 256;

// Blanks stay uncoloured, and none ends a line.
void printRow(llvm::raw_ostream &out, const std::vector<std::string> &row,
              const std::vector<size_t> &widths, size_t leftColumns,
              llvm::function_ref<Ink(size_t column)> inkOf) {
  size_t end = row.size();
  while (end > 0 && llvm::StringRef(row[end - 1]).trim().empty())
    --end;
  for (size_t i = 0; i < end; ++i) {
    llvm::StringRef cell = i + 1 == end ? llvm::StringRef(row[i]).rtrim() : llvm::StringRef(row[i]);
    llvm::StringRef text = cell.ltrim();
    size_t pad = widths[i] - std::min(widths[i], row[i].size());
    bool isLeft = i < leftColumns;
    out.indent((i ? 2 : 0) + (isLeft ? 0 : pad) + (cell.size() - text.size()));
    write(out, text, inkOf(i));
    if (isLeft && i + 1 != end)
      out.indent(pad);
  }
  out << '\n';
}

} // namespace

void printTable(llvm::raw_ostream &out, const std::vector<std::vector<std::string>> &rows,
                size_t leftColumns, InkOfCell inkOf) {
  std::vector<size_t> widths;
  for (const std::vector<std::string> &row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], std::min(row[i].size(), MostColumnWidth));
  }
  for (size_t row = 0; row != rows.size(); ++row)
    printRow(out, rows[row], widths, leftColumns,
             [&](size_t column) { return inkOf(row, column); });
}

} // namespace tilescope
