// A program with one loop of unknown length in which mbarriers order: what of it is shown for every
// length, by following some.
//
// P(n) is the program in which that loop runs n times. Its iterations repeat with a period of T: in
// iterations k and k + T slots, mbarriers and parities are the same, and all guards but those of
// the last iterations. What a thread knows at a step (`happens_before.h`) follows from steps at
// most T iterations before. So if P(n) is long enough that in two periods, one after the other,
//
//   each figure that is known has grown by the steps and phases of one period, or not at all
//
// then the figures of P(n + T) are those of P(n) with one period more in the middle, by induction
// on the steps: the same rules give them.
//
//   P(n)        first iterations | period | period          | last iterations
//   P(n + T)    first iterations | period | period | period | last iterations
//
// Two accesses of P(n + T) are then ordered if those of P(n) are. If they are near each other, a
// period before or behind both is left out. If they are far apart: what a thread knows at a step it
// knows at all later ones, and the second access has the same slot a number of periods before.
//
// `followLengths` gives all P(n) from the least length to one of each remainder by T that is so, or
// to the greatest length, if that is known and comes first.
// What is shown of each of them holds for every length; a fault in one is a fault of that length.
//
// Of a program that takes tile after tile (`tile_loops.h`) it gives those with no tile, one and
// two.
#pragma once

#include "core/access/happens_before.h"

namespace tilescope {

struct OfLength {
  AccessProgram program;
  FollowedSteps order;
  // Barriers. Where anything that comes before one is not over there, seen by all threads, the
  // programs say nothing of others.
  std::vector<uint32_t> quiet;
};

// Empty: the program has no such loop, or one that is not shown to repeat.
std::vector<OfLength> followLengths(const AccessProgram &program);

} // namespace tilescope
