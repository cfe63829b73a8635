#include "core/views/hit_counts.h"

#include "core/trace/trace_queries.h"

namespace tilescope {

size_t HitCounts::ofLine(const Trace &trace, LineId line) {
  if (ofLine_.size() < trace.lines.size())
    ofLine_.resize(trace.lines.size(), Unknown);
  uint32_t &hits = ofLine_[line];
  if (hits == Unknown)
    hits = static_cast<uint32_t>(query_.count(trace.lines[line].text));
  return hits;
}

TextHits HitCounts::ofText(const Trace &trace, llvm::ArrayRef<LineId> lines) {
  TextHits text;
  for (LineId line : lines) {
    size_t hits = ofLine(trace, line);
    text.hits += hits;
    text.lines += hits != 0;
  }
  return text;
}

const HitsOfSnapshots &HitCounts::ofSnapshots(const Trace &trace) {
  ofSnapshot_.resize(trace.snapshots.size());
  for (size_t index = 0; index != trace.snapshots.size(); ++index)
    if (!ofSnapshot_[index] && isLoaded(trace.snapshots[index]))
      ofSnapshot_[index] = ofText(trace, *trace.snapshots[index].lines);
  return ofSnapshot_;
}

} // namespace tilescope
