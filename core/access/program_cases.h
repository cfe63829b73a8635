// The programs of single blocks, where which block it is decides lengths of loops and conditions.
//
//   Loop s1, trips [1, 3], by case 1 2 3      case 0: Loop s1, trips [1, 1]
//                                             case 1: Loop s1, trips [2, 2]
//                                             case 2: Loop s1, trips [3, 3]
#pragma once

#include "core/access/access_program.h"

namespace tilescope {

// Every block runs one of them; the program itself where it has no cases.
std::vector<AccessProgram> casesOf(const AccessProgram &program);

} // namespace tilescope
