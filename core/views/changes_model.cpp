#include "core/views/changes_model.h"
#include "core/json/json_value.h"

namespace tilescope {

ChangesView buildChanges(const PassState &state) {
  ChangesView view;
  view.ir = buildIr(state);
  view.counts = countChanges(view.ir.rows);
  return view;
}

void print(const ChangesView &view, llvm::raw_ostream &out) {
  const IrView &ir = view.ir;
  write(out, ir.pass, {Ink::Strong});
  if (ir.passBefore.empty()) {
    out << ": the first state, so there is nothing to compare with\n";
    return;
  }
  if (view.counts.isEmpty()) {
    out << ": the same text as after " << ir.passBefore << '\n';
    return;
  }
  out << ": ";
  printRows(
      ir.rows, [&](int32_t line) { return llvm::StringRef(ir.before[line].text); },
      [&](int32_t line) { return llvm::StringRef(ir.lines[line].text); }, out);
}

PrintedChanges printed(const ChangesView &view) {
  const IrView &ir = view.ir;
  return {ir.pass,
          ir.passBefore,
          view.counts.added,
          view.counts.removed,
          view.counts.modified,
          changedRows(
              ir.rows, [&](int32_t line) { return llvm::StringRef(ir.before[line].text); },
              [&](int32_t line) { return llvm::StringRef(ir.lines[line].text); })};
}

Json toJson(const ChangesView &view) { return toJson(printed(view)); }

} // namespace tilescope
