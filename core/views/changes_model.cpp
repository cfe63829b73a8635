#include "core/views/changes_model.h"
#include "core/json/json_value.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

constexpr size_t ContextLines = 3;

class WordPrinter {
public:
  WordPrinter(llvm::StringRef before, llvm::StringRef after, llvm::raw_ostream &out)
      : before_(before), after_(after), out_(out) {}

  // Both sides of a modified line at once: what is kept is printed from the side after.
  void run(const WordDiff &words) {
    size_t x = 0, y = 0; // up to where both are printed
    size_t nextBefore = 0, nextAfter = 0;
    while (nextBefore != words.before.size() || nextAfter != words.after.size()) {
      size_t keptBefore =
          nextBefore == words.before.size() ? SIZE_MAX : words.before[nextBefore].begin - x;
      size_t keptAfter =
          nextAfter == words.after.size() ? SIZE_MAX : words.after[nextAfter].begin - y;
      size_t kept = std::min(keptBefore, keptAfter);
      out_ << after_.substr(y, kept);
      x += kept;
      y += kept;
      if (keptBefore == kept) {
        TextSpan span = words.before[nextBefore++];
        write(out_, ("[-" + textOf(before_, span) + "-]").str(), {Ink::Bad});
        x = span.end;
      }
      if (keptAfter == kept) {
        TextSpan span = words.after[nextAfter++];
        write(out_, ("{+" + textOf(after_, span) + "+}").str(), {Ink::Good});
        y = span.end;
      }
    }
    out_ << after_.substr(y);
  }

private:
  llvm::StringRef before_, after_;
  llvm::raw_ostream &out_;
};

std::string lineNumber(int32_t line) { return line < 0 ? "" : std::to_string(line + 1); }

void printRow(const IrView &ir, const AlignedRow &row, llvm::raw_ostream &out) {
  static constexpr const char *Marks[] = {" ", "-", "+", "~"};
  static constexpr Ink Inks[] = {{Ink::Plain}, {Ink::Bad}, {Ink::Good}, {Ink::Notice}};
  auto kind = static_cast<size_t>(row.kind);
  out << llvm::formatv("{0,5} {1,5} ", lineNumber(row.before), lineNumber(row.after));
  write(out, Marks[kind], Inks[kind]);
  llvm::StringRef text = row.after >= 0 ? ir.lines[row.after].text : ir.before[row.before].text;
  out << (text.empty() ? "" : " ");
  if (row.kind == RowKind::Modified)
    WordPrinter(ir.before[row.before].text, text, out).run(row.words);
  else
    write(out, text, Inks[kind]);
  if (row.moved >= 0)
    out << "  (line " << row.moved + 1 << (row.after >= 0 ? " before)" : " after)");
  out << '\n';
}

} // namespace

std::vector<bool> shownRows(const std::vector<AlignedRow> &rows) {
  std::vector<bool> shown(rows.size(), false);
  size_t shownUntil = 0;
  for (size_t i = 0; i != rows.size(); ++i) {
    if (!rows[i].isChange())
      continue;
    size_t begin = std::max(shownUntil, i < ContextLines ? 0 : i - ContextLines);
    shownUntil = std::min(rows.size(), i + ContextLines + 1);
    for (size_t row = begin; row < shownUntil; ++row)
      shown[row] = true;
  }
  return shown;
}

ChangesView buildChanges(const PassState &state) {
  ChangesView view;
  view.ir = buildIr(state);
  for (const AlignedRow &row : view.ir.rows) {
    view.added += row.kind == RowKind::Added;
    view.removed += row.kind == RowKind::Removed;
    view.modified += row.kind == RowKind::Modified;
  }
  return view;
}

void print(const ChangesView &view, llvm::raw_ostream &out) {
  const IrView &ir = view.ir;
  write(out, ir.pass, {Ink::Strong});
  if (ir.passBefore.empty()) {
    out << ": the first state, so there is nothing to compare with\n";
    return;
  }
  if (view.added + view.removed + view.modified == 0) {
    out << ": the same text as after " << ir.passBefore << '\n';
    return;
  }
  out << llvm::formatv(": {0} lines added, {1} removed, {2} modified\n", view.added, view.removed,
                       view.modified);
  std::vector<bool> shown = shownRows(ir.rows);
  for (size_t i = 0; i != shown.size(); ++i) {
    if (!shown[i])
      continue;
    if (i == 0 || !shown[i - 1])
      out << '\n';
    printRow(ir, ir.rows[i], out);
  }
}

PrintedChanges printed(const ChangesView &view) {
  PrintedChanges changes{view.ir.pass, view.ir.passBefore, view.added, view.removed, view.modified};
  for (const AlignedRow &row : view.ir.rows) {
    if (!row.isChange())
      continue;
    ChangedRow changed{row.kind,
                       static_cast<uint32_t>(row.before + 1),
                       static_cast<uint32_t>(row.after + 1),
                       "",
                       "",
                       row.words};
    if (row.before >= 0)
      changed.before = view.ir.before[row.before].text;
    if (row.after >= 0)
      changed.after = view.ir.lines[row.after].text;
    changes.rows.push_back(std::move(changed));
  }
  return changes;
}

Json toJson(const ChangesView &view) { return toJson(printed(view)); }

} // namespace tilescope
