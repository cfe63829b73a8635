#include "viewer/model/ir_model.h"

#include "core/trace/line_edits.h"

namespace tilescope {

IrView buildIr(const Trace &trace, const Selection &selection) {
  IrView view;
  view.pass = selectedPass(trace, selection).name;
  const std::vector<LineId> &lines = *selectedSnapshot(trace, selection).lines;
  for (LineId id : lines) {
    const TraceLine &line = trace.lines[id];
    view.lines.push_back({line.text, line.stmt, line.buffer, line.span.line, false});
  }
  if (selection.pass == 0)
    return view;
  const std::vector<LineId> &before =
      *trace.snapshots[trace.passes[selection.pass - 1].snapshot].lines;
  int64_t shift = 0; // position after minus position before
  for (const LineEdit &edit : diffLines(before, lines)) {
    for (size_t i = 0; i < edit.inserted.size(); ++i)
      view.lines[edit.at + shift + i].isNew = true;
    shift += static_cast<int64_t>(edit.inserted.size()) - edit.removed;
  }
  return view;
}

void print(const IrView &view, llvm::raw_ostream &out) {
  for (const IrLine &line : view.lines) {
    write(out, line.text, {line.isNew ? Ink::Notice : Ink::Plain});
    out << '\n';
  }
}

} // namespace tilescope
