#include "core/views/compare_ir_model.h"

#include "core/trace/trace_queries.h"

namespace tilescope {

namespace {

TextOfTrace irOf(const Trace &trace, size_t pass) {
  const TraceSnapshot &snapshot = trace.snapshots[trace.passes[pass].snapshot];
  return {trace, snapshot, passPlace(trace, pass), irLinesOf(trace, snapshot)};
}

} // namespace

CompareIrView buildCompareIr(const Trace &trace, const Trace &other, const Selection &selection) {
  size_t pass = std::min(selection.pass, trace.passes.size() - 1);
  std::optional<size_t> passBefore = passOfOther(trace, other, pass);
  CompareIrView view;
  if (!passBefore)
    view.missing = "the other compile has no pass " + passPlace(trace, pass) + " here";
  else if (!isLoaded(trace.snapshots[trace.passes[pass].snapshot]) ||
           !isLoaded(other.snapshots[other.passes[*passBefore].snapshot]))
    view.missing = "the state after " + passPlace(trace, pass) + " is not loaded";
  else
    view = compareTexts(irOf(other, *passBefore), irOf(trace, pass));
  return view;
}

} // namespace tilescope
