// The passes as a picture: a row a pass, its time as a bar, shared bytes after it as a line of
// steps, dashed while they are a preview.
#pragma once

#include "core/exports/svg_writer.h"
#include "core/trace/trace.h"

namespace tilescope {

struct TimelineBar {
  std::string name;
  int depth = 0;
  bool isGroup = false;
  int64_t microseconds = 0;
  int64_t sharedBytes = 0;
  bool sharedIsPreview = true;
};

struct TimelinePicture {
  std::string title;
  std::string caption; // ""
  std::vector<TimelineBar> bars;
  int64_t capacityBytes = 0; // 0: none
};

// A whole SVG document; the same picture gives the same bytes.
std::string timelineSvg(const TimelinePicture &picture);

// Of all passes; the caption is the caller's.
TimelinePicture timelinePictureOf(const Trace &trace);

} // namespace tilescope
