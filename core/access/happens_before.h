// What mbarriers, named barriers and roles order, for whatever compiler made the program: decided
// here and nowhere else. Lifetimes and the judges ask it; what it does not show is no order.
//
// The lanes are unrolled (`lane_steps.h`), each divided into its one elected thread and the rest.
// For every step is worked out what its thread knows when it gets there, as lower bounds that hold
// in every execution: how many phases of each mbarrier have ended, how many steps of each other
// thread have been made. It starts from nothing and grows by three rules until nothing is new.
//
// 1. A wait. A thread knows that n phases have ended and waits for parity p. It goes on only when
//    the number of ended phases is not p modulo 2. So if p == n mod 2, it is not n: at least n + 1.
//    A wait for the other parity may pass at once, and teaches nothing.
//
//      knows   0                1                2
//      waits     parity 0 -> 1    parity 1 -> 2    parity 1 -> still 2
//
// 2. The end of phase n of an mbarrier. Each thread has made its arrivals of phases 0 to n, and
//    whoever knows of the end knows what each of them knew at the last of those. Which arrival is
//    of which phase is assumed: as many of each thread in every phase, or, where they cannot be
//    divided so, those of the next phase after the ones that the thread has waited for itself. Of
//    all threads together each phase must have as many as it takes.
//
// 3. A barrier whose threads are all of a lane, or of the block: all have come there.
//
// Rule 2 holds if nobody arrives for phase n + 1 before phase n has ended. That is checked when the
// bounds stand: every arrival knows that its phase has begun. An mbarrier that fails is taken out,
// with all that followed from it, and the rest is worked out again. The argument is no circle: in
// the first moment in which an arrival came too early all bounds were still true, also its own.
//
// Bytes. When a phase ends, as many bytes have arrived as were expected. If each thread expects
// bytes before it issues their copies, then none can stand for another: every copy that was issued
// has arrived, and issued were at least the bytes that the thread is known to have expected.
//
//   expect 8192   copy k = 0   expect 8192   copy k = 1
//   issued <= expected, always; both are the same when a phase ends
//
// A ring of S slots needs no rule of its own: waits for full phases and for empty ones are rules 1
// and 2, and a slot is free for its next copy where the arrivals at `empty` are known.
//
// A loop of unknown length that holds mbarriers is followed for some lengths (`loop_lengths.h`), if
// what is known there repeats. Then `arrived` is what holds for all, and there are no steps.
#pragma once

#include "core/access/step_order.h"

#include "llvm/ADT/BitVector.h"

#include <map>

namespace tilescope {

// The part of a lane that begins when the other lane has done all that it does:
//
//   one lane     load, load, load, load
//   the other    wait, read, wait, read, wait, read, wait, read | write O
struct RoleTail {
  size_t lane = 0;       // index into the children of the roles
  size_t firstChild = 0; // of the lane, which is a Seq
};

// Why something is not ordered: the end of "it is not shown that ...".
struct OrderGap {
  StmtId stmt;
  std::string why;

  friend bool operator==(const OrderGap &, const OrderGap &) = default;
};

struct FollowedSteps {
  // Threads at a block barrier meet all others there: none waits at another that is the same to the
  // machine, which are those of roles and branches and the named one of id 0.
  bool meetsAtBarriers = true;
  std::vector<OrderGap> gaps; // sorted
  // The bounds themselves. They hold also where there are gaps.
  StepOrder steps;
};

// And what lifetimes ask of the bounds.
struct HappensBefore : FollowedSteps {
  // Leaves of which an mbarrier counts copies, and per node which of those (bit i: copies[i]) have
  // arrived whenever it runs: all that were issued before it in its own lane or outside of the
  // roles, and all of other lanes, ever.
  std::vector<uint32_t> copies;
  std::vector<llvm::BitVector> arrived;
  std::optional<RoleTail> tail;
  // Nodes outside of the roles that threads may come to while others are still in the roles, or not
  // yet there: nobody meets where roles begin and end. A block barrier ends them on either side.
  std::vector<uint32_t> besideRoles;

  std::optional<size_t> copyOf(uint32_t leaf) const; // index into `copies`
  // What the threads of a lane do while the others run: the lane, or the children of its Seq before
  // its tail, and what stands beside the roles, which is all for those of no lane.
  std::vector<uint32_t> besideOthers(const AccessProgram &program, const AccessNode &roles,
                                     size_t lane) const;
  bool hasArrived(size_t copy, uint32_t node) const {
    return !arrived[node].empty() && arrived[node][copy];
  }
};

// Nothing is followed in a program without roles and mbarriers, of which barriers tell all.
HappensBefore computeHappensBefore(const AccessProgram &program);
// Of every program, with loops of unknown length as they are.
FollowedSteps followSteps(const AccessProgram &program);

} // namespace tilescope
