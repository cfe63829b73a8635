// The programs of single blocks, where which block it is decides lengths of loops and conditions.
//
//   Loop s1, trips [1, 3], by case 1 2 3      case 0: Loop s1, trips [1, 1]
//                                             case 1: Loop s1, trips [2, 2]
//                                             case 2: Loop s1, trips [3, 3]
#pragma once

#include "core/access/access_program.h"

#include <optional>

namespace tilescope {

// The same program with one sequence for those in each other, and without nodes that nothing leads
// to, so that programs are equal that differ in whether a condition was written down.
AccessProgram flattened(AccessProgram program);

// Every block runs one of them; the program itself where it has no cases.
std::vector<AccessProgram> casesOf(const AccessProgram &program);

// That of the first block where all data that decide something are 0; nothing: it is not told. What
// is wrong in it is wrong in the program; its being right says nothing of other data or blocks.
std::optional<AccessProgram> runOnZeros(const AccessProgram &program);

} // namespace tilescope
