#include "core/views/ir_model.h"

#include "core/trace/pass_figures.h"
#include "core/trace/trace_queries.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

std::vector<IrLine> linesOf(const Trace &trace, const TraceSnapshot &snapshot,
                            IrBufferNames &names) {
  std::vector<IrLine> lines;
  lines.reserve(snapshot.lines->size());
  for (LineId id : *snapshot.lines) {
    const TraceLine &line = trace.lines[id];
    lines.push_back(
        {line.text, line.stmt, line.buffer, line.sourceLine(), false, {}, names.spansOf(line)});
  }
  return lines;
}

// The first point of a line that several share.
void numberPoints(const std::vector<IrGutter> &gutters, std::vector<IrLine> &lines) {
  for (const IrGutter &gutter : gutters)
    for (size_t point = gutter.lineOfPoint.size(); point-- != 0;)
      if (gutter.lineOfPoint[point] < lines.size())
        lines[gutter.lineOfPoint[point]].point = static_cast<ProgramPoint>(point);
}

std::vector<AlignedRow> rowsWithoutBefore(size_t lineCount) {
  std::vector<AlignedRow> rows(lineCount);
  for (size_t line = 0; line != lineCount; ++line)
    rows[line].after = static_cast<int32_t>(line);
  return rows;
}

// Buffers that the pass removed are known before it only.
std::vector<NamedBuffer> buffersOfBoth(const TraceSnapshot &before, const TraceSnapshot &after,
                                       const BufferHues &hues) {
  std::vector<NamedBuffer> buffers = namedBuffersOf(after, hues);
  if (before.buffers == after.buffers)
    return buffers;
  std::vector<NamedBuffer> removed;
  for (const BufferRecord &record : *before.buffers)
    if (!findBuffer(buffers, record.id))
      removed.push_back(namedBufferOf(record, hues));
  auto byId = [](const NamedBuffer &a, const NamedBuffer &b) { return a.id < b.id; };
  llvm::stable_sort(removed, byId);
  auto middle = static_cast<ptrdiff_t>(buffers.size());
  llvm::append_range(buffers, removed);
  std::inplace_merge(buffers.begin(), buffers.begin() + middle, buffers.end(), byId);
  return buffers;
}

} // namespace

std::vector<IrLine> irLinesOf(const Trace &trace, const TraceSnapshot &snapshot) {
  IrBufferNames names(trace, snapshot);
  return linesOf(trace, snapshot, names);
}

IrView buildIr(const PassState &state) {
  const Trace &trace = state.trace();
  IrView view;
  view.pass = state.place();
  const TraceSnapshot &after = state.snapshot();
  IrBufferNames names(trace, after);
  view.lines = linesOf(trace, after, names);
  view.gutters = buildGutters(state);
  numberPoints(view.gutters, view.lines);
  // A group started from where the first of its passes did.
  size_t first = firstOfGroup(trace, state.pass());
  if (first == 0) {
    view.rows = rowsWithoutBefore(view.lines.size());
    view.buffers = namedBuffersOf(after, state.facets()->compile().hues);
    return view;
  }
  view.passBefore = passPlace(trace, first - 1);
  const TraceSnapshot &before = trace.snapshots[trace.passes[first - 1].snapshot];
  // A pass that leaves the buffers alone leaves their names too: every text declares its own.
  if (before.buffers != after.buffers)
    names = IrBufferNames(trace, before);
  view.before = linesOf(trace, before, names);
  view.rows = alignLines(trace, *before.lines, *after.lines);
  for (const AlignedRow &row : view.rows)
    if (row.isChange() && row.after >= 0)
      view.lines[row.after].isNew = true;
  view.buffers = buffersOfBoth(before, after, state.facets()->compile().hues);
  return view;
}

void print(const IrView &view, llvm::raw_ostream &out) {
  for (const IrLine &line : view.lines) {
    write(out, line.text, {line.isNew ? Ink::Notice : Ink::Plain});
    out << '\n';
  }
}

} // namespace tilescope
