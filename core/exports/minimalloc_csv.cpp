#include "core/exports/minimalloc_csv.h"

#include "core/support/printable.h"
#include "core/trace/trace_queries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

struct Hull {
  LiveInterval whole;
  std::string gaps;
};

Hull hullOf(const std::vector<LiveInterval> &live) {
  if (live.empty())
    return {{0, 1}, "0-1"};
  Hull hull{{live.front().begin, live.back().end}, ""};
  for (size_t i = 1; i < live.size(); ++i)
    hull.gaps += llvm::formatv("{0}{1}-{2}", i == 1 ? "" : " ", live[i - 1].end, live[i].begin);
  return hull;
}

bool isField(llvm::StringRef text) {
  return !text.empty() && text.trim(" \t") == text && !text.contains(',') &&
         withoutControls(text.str(), "") == text;
}

} // namespace

llvm::Expected<std::string> minimallocCsv(const TraceSnapshot &snapshot, const ArenaRecord &arena) {
  if (!arena.launchSized.empty())
    return llvm::createStringError("the size of '" + arena.launchSized.front().name +
                                   "' is known at launch only, and minimalloc's format has no "
                                   "place for that");
  std::string text = "id,lower,upper,size,alignment,gaps,versions,offset\n";
  BufferTable declarations(snapshot.buffers);
  for (const ArenaBuffer &buffer : arena.problem.buffers) {
    const BufferRecord *record = declarations.find(buffer.id);
    std::string id = record ? nameInFunction(record->key) : buffer.name;
    if (!isField(id))
      return llvm::createStringError("minimalloc's format has no place for the name of buffer '" +
                                     id + "'");
    const Placement *placement = arena.plan.find(buffer.id);
    Hull hull = hullOf(buffer.live);
    text += llvm::formatv("{0},{1},{2},{3},{4},{5},{6},{7}\n", id, hull.whole.begin, hull.whole.end,
                          buffer.sizeBytes, buffer.alignmentBytes, hull.gaps, buffer.versions,
                          placement ? placement->offsetBytes : 0);
  }
  return text;
}

} // namespace tilescope
