#include "core/trace/pass_figures.h"

#include "core/support/line_edits.h"
#include "core/trace/trace_origin.h"

namespace tilescope {

size_t firstOfGroup(const Trace &trace, size_t index) {
  size_t first = index;
  while (first != 0 && trace.passes[first - 1].depth > trace.passes[index].depth)
    --first;
  return first;
}

bool isOnlyGroup(const Trace &trace, size_t index) {
  return firstOfGroup(trace, index) != index && !isForeign(trace.header);
}

PassFigures figuresOf(const Trace &trace, size_t index) {
  const TracePass &pass = trace.passes[index];
  if (pass.figures)
    return *pass.figures;
  PassFigures figures;
  const TraceSnapshot &now = trace.snapshots[pass.snapshot];
  for (const ArenaRecord &arena : *now.arenas) {
    figures.sharedBytes = std::max(figures.sharedBytes, arena.plan.heightBytes);
    figures.sharedIsPreview = arena.preview;
  }
  static const TraceSnapshot Nothing;
  size_t first = firstOfGroup(trace, index);
  const TraceSnapshot &before = first ? trace.snapshots[trace.passes[first - 1].snapshot] : Nothing;
  if (before.lines == now.lines)
    return figures;
  for (const LineEdit &edit : diffLines(*before.lines, *now.lines)) {
    figures.linesAdded += static_cast<int64_t>(edit.inserted.size());
    figures.linesRemoved += edit.removed;
  }
  return figures;
}

int64_t capacityAfter(const Trace &trace, size_t index) {
  const ArenaRecord *highest = nullptr;
  for (const ArenaRecord &arena : *trace.snapshots[trace.passes[index].snapshot].arenas)
    if (!highest || arena.plan.heightBytes > highest->plan.heightBytes)
      highest = &arena;
  return highest ? highest->problem.capacityBytes : trace.header.capacityBytes;
}

} // namespace tilescope
