// The roles of a kernel's warps in a Perfetto trace:
//
//     roles of KERNEL                  a track a pipelined loop of a role
//       role 1 of 2, 128 threads       an iteration, and in it what the role does, a microsecond
//                                      each: waits, copies, arrivals
//
// Arguments are slot, mbarrier, phase and the statement. Equal iterations of all roles begin
// together, which says nothing of when they run.
#pragma once

#include "core/exports/perfetto_tracks.h"
#include "core/trace/pass_state.h"

namespace tilescope {

void addRoles(const PassState &state, PerfettoTracks &tracks);

} // namespace tilescope
