#include "core/views/ir_model.h"

#include "core/trace/pass_figures.h"
#include "core/trace/trace_origin.h"
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
SharedPart<NamedBuffer> buffersOfBoth(const TraceSnapshot &before,
                                      const SharedPart<NamedBuffer> &after,
                                      const BufferHues &hues) {
  std::vector<NamedBuffer> removed;
  for (const BufferRecord &record : *before.buffers)
    if (!findBuffer(*after, record.id))
      removed.push_back(namedBufferOf(record, hues));
  if (removed.empty())
    return after;
  auto byId = [](const NamedBuffer &a, const NamedBuffer &b) { return a.id < b.id; };
  llvm::stable_sort(removed, byId);
  std::vector<NamedBuffer> buffers = *after;
  auto middle = static_cast<ptrdiff_t>(buffers.size());
  llvm::append_range(buffers, removed);
  std::inplace_merge(buffers.begin(), buffers.begin() + middle, buffers.end(), byId);
  return std::make_shared<const std::vector<NamedBuffer>>(std::move(buffers));
}

} // namespace

std::vector<IrLine> irLinesOf(const Trace &trace, const TraceSnapshot &snapshot) {
  IrBufferNames names(isForeign(trace.header), *snapshot.buffers);
  return linesOf(trace, snapshot, names);
}

std::shared_ptr<IrNames> irNamesOf(const FacetState &facets) {
  const CompileFacts &compile = facets.compile();
  return std::make_shared<IrNames>(
      IrNames{IrBufferNames(compile.isForeign, *facets.parts().buffers),
              std::make_shared<const std::vector<NamedBuffer>>(
                  namedBuffersOf(facets.parts(), compile.hues))});
}

std::vector<IrLine> IrViews::takeLines(const PassState &state, const TraceSnapshot &snapshot,
                                       IrNames &names) {
  auto known =
      llvm::find_if(known_, [&](const auto &one) { return one.first == textOf(snapshot); });
  if (known != known_.end()) {
    std::vector<IrLine> lines = std::move(known->second);
    known_.erase(known);
    for (IrLine &line : lines) {
      line.isNew = false;
      line.point.reset();
    }
    return lines;
  }
  if (snapshot.buffers != state.snapshot().buffers)
    return irLinesOf(state.trace(), snapshot);
  names.names.restart();
  return linesOf(state.trace(), snapshot, names.names);
}

const IrView &IrViews::show(const PassState &state, IrNames &names) {
  const Trace &trace = state.trace();
  const TraceSnapshot &after = state.snapshot();
  known_.emplace_back(std::exchange(after_, textOf(after)), std::move(view_.lines));
  known_.emplace_back(std::exchange(before_, {}), std::move(view_.before));
  view_ = {};
  view_.pass = state.place();
  view_.lines = takeLines(state, after, names);
  view_.gutters = buildGutters(state);
  numberPoints(view_.gutters, view_.lines);
  // A group started from where the first of its passes did.
  size_t first = firstOfGroup(trace, state.pass());
  if (first == 0) {
    view_.rows = rowsWithoutBefore(view_.lines.size());
    view_.buffers = names.buffers;
  } else {
    view_.passBefore = passPlace(trace, first - 1);
    const TraceSnapshot &before = trace.snapshots[trace.passes[first - 1].snapshot];
    before_ = textOf(before);
    view_.before = takeLines(state, before, names);
    view_.rows = alignLines(trace, *before.lines, *after.lines);
    for (const AlignedRow &row : view_.rows)
      if (row.isChange() && row.after >= 0)
        view_.lines[row.after].isNew = true;
    view_.buffers = before.buffers == after.buffers
                        ? names.buffers
                        : buffersOfBoth(before, names.buffers, state.facets()->compile().hues);
  }
  known_.clear();
  return view_;
}

IrView buildIr(const PassState &state) {
  return IrViews().show(state, *irNamesOf(*state.facets()));
}

void print(const IrView &view, llvm::raw_ostream &out) {
  for (const IrLine &line : view.lines) {
    write(out, line.text, {line.isNew ? Ink::Notice : Ink::Plain});
    out << '\n';
  }
}

} // namespace tilescope
