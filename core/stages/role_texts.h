// The rows of a role in words, the same in every view and export.
//
//     waits for mbarrier[4..5]                        [4] -   [5] -   [4] 0   [5] 0
//     copies to K_shared, counted by mbarrier[0..1]   slot 0  slot 1  slot 0  slot 1
#pragma once

#include "core/stages/role_loops.h"
#include "core/trace/pass_state.h"

namespace tilescope {

enum class RoleAction : uint8_t {
  Waits, // for a phase, or for what is asynchronous
  Meets, // at a barrier
  Expects,
  Arrives,
  Copies, // an mbarrier or a group counts it
  Writes,
  Reads,
  Other, // not listed
};
RoleAction actionOf(const AccessProgram &program, const RoleRow &row);

// "mbarrier[4..5]" of mbarriers that follow each other in an array, else all of them.
std::string mbarriersOf(const AccessProgram &program, const RoleRow &row);

struct RoleText {
  std::string what;   // "copies to K_shared"
  std::string detail; // "counted by mbarrier[0..1]"; "": nothing is known, or more to say

  std::string whole() const { return detail.empty() ? what : what + ", " + detail; }
};
// Of a row that is listed.
RoleText textOf(const FacetState &state, const RoleLoop &loop, const RoleRow &row);

// Of one iteration: "[4] 0", "slot 1", "all but 2".
std::string stepText(const AccessProgram &program, const RoleRow &row, const RoleStep &step);

// "role 1 of 2, 128 threads of 24 registers".
std::string roleName(const FacetState &state, const RoleLoop &loop);

// What each thread of the role asks for, where each of the kernel's roles asks for some; 0: none.
int64_t registersOf(const FacetState &state, const RoleLoop &loop);

} // namespace tilescope
