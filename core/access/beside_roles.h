// What threads may do while others are in the roles, though it stands outside of them.
//
//   write Q                 while some write Q,
//   Roles                   others are in their role, and some of those
//   |- ...                  are done and write O:
//   `- ...                  nobody meets where roles begin and end
//   write O
//   Barrier                 here all meet
#pragma once

#include "core/access/access_program.h"

namespace tilescope {

// Threads at a block barrier meet all others there: see HappensBefore::meetsAtBarriers.
bool meetsAtBarriers(const AccessProgram &program);

// Nodes, see HappensBefore::besideRoles. Of a program with roles.
std::vector<uint32_t> besideRolesOf(const AccessProgram &program, bool meetsAtBarriers);

} // namespace tilescope
