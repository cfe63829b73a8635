// A trace for Perfetto (https://ui.perfetto.dev), as protocol buffers. It shows time, and we have
// four axes, so there are four kinds of process:
//
//     passes                       time as measured: a slice a pass, groups around theirs,
//                                  a counter of the shared bytes after each
//     KERNEL after PASS            a microsecond a program point: loops and statements, a counter
//                                  of the live bytes, a track a buffer with a slice a life, tracks
//                                  of copies in flight
//     stages of KERNEL, line 65    a microsecond a tick of the unrolled loop: its steps, a track a
//                                  slot with a slice a tile
//     roles of KERNEL              a microsecond a row of what a role of its warps does; see
//                                  perfetto_roles.h
//
// Slices carry bytes, offset, source line and the like as arguments.
#pragma once

#include "core/trace/trace.h"

#include <string>

namespace tilescope {

// Memory and stages as they are after `pass`. The same trace gives the same bytes.
std::string perfettoTrace(const Trace &trace, size_t pass);

} // namespace tilescope
