// Faults of a plan in one execution of a program of roles and mbarriers: its steps, one after the
// other as they are made (`runAbreast`), are a program without roles, which checkArena judges.
//
//   load      copy A        copy B over A      the execution     write A, write B, read A
//   compute           ...                read A
//
// Whatever is asynchronous is done at once there, as it may be. So each fault is one of the
// program: of bytes that the plan gives away too early. Nothing found is no answer.
#pragma once

#include "core/access/lane_steps.h"
#include "core/check/stoppable_checks.h"

namespace tilescope {

// `bytes` as for checkArena, `lanes` of the same program.
std::vector<ArenaFault> findRunOverwrites(const AccessProgram &program,
                                          const std::vector<BufferBytes> &bytes,
                                          const LaneSteps &lanes,
                                          const std::function<bool()> &stop);

} // namespace tilescope
