// Program points and loops, as the views over them print them.
#pragma once

#include "core/trace/pass_state.h"
#include "core/trace/trace_fields.h"

namespace tilescope {

template <typename Archive> void fields(Archive &archive, TracePoint &point) {
  archive("stmt", point.stmt);
  archive("text", point.text);
  lineFields(archive, point.sourceLine);
}

template <typename Archive> void fields(Archive &archive, TraceLoop &loop) {
  archive.always("begin", loop.begin);
  archive.always("end", loop.end);
  archive("depth", loop.depth);
  archive("stmt", loop.stmt);
  archive("text", loop.text);
  lineFields(archive, loop.sourceLine);
}

} // namespace tilescope
