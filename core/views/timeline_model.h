// Panel `timeline`: how long each pass took, and the shared bytes after it.
//
//     pass                    ms   share            shared bytes
//     plan-pipeline        0.080     2 %   |#            65,536
//     inject-pipeline      0.067     2 %   |#           163,840  +98,304
#pragma once

#include "core/views/view.h"

namespace tilescope {

struct TimelineRow {
  size_t index = 0; // of the pass
  std::string name;
  int depth = 0;
  bool isGroup = false; // of the passes before it that are deeper
  bool changed = false;
  bool failed = false;
  int64_t startMicroseconds = 0; // the times of the passes before it
  int64_t wallMicroseconds = 0;
  double share = 0;             // of the total
  int64_t sharedBytes = 0;      // after it
  int64_t sharedDeltaBytes = 0; // against the pass before, or before its group
  bool sharedIsPreview = true;
};

struct TimelineView {
  std::vector<TimelineRow> rows;
  int64_t totalMicroseconds = 0; // of passes that are in no other
  int64_t mostMicroseconds = 0;  // of a row
  int64_t mostBytes = 0;
  int64_t capacityBytes = 0; // of the arena after the last pass
  size_t peakIndex = 0;      // the first pass after which `mostBytes` are shared
};

TimelineView buildTimeline(const Trace &trace, const Selection &selection);
void print(const TimelineView &view, llvm::raw_ostream &out);

// "the peak rose to 163,840 bytes in inject-pipeline"; "": no pass uses shared memory.
std::string peakText(const TimelineView &view);

template <typename Archive> void fields(Archive &archive, TimelineRow &row) {
  archive.always("index", row.index);
  archive("name", row.name);
  archive("depth", row.depth);
  archive("isGroup", row.isGroup);
  archive.always("changed", row.changed);
  archive("failed", row.failed);
  archive.always("startMicroseconds", row.startMicroseconds);
  archive.always("wallMicroseconds", row.wallMicroseconds);
  archive.always("sharedBytes", row.sharedBytes);
  archive.always("sharedDeltaBytes", row.sharedDeltaBytes);
  archive.always("sharedIsPreview", row.sharedIsPreview);
}

template <typename Archive> void fields(Archive &archive, TimelineView &view) {
  archive("rows", view.rows);
  archive.always("totalMicroseconds", view.totalMicroseconds);
  archive.always("mostBytes", view.mostBytes);
  archive.always("capacityBytes", view.capacityBytes);
  archive.always("peakIndex", view.peakIndex);
}

} // namespace tilescope
