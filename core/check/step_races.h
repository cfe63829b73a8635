// Accesses of the same bytes that no order keeps apart, in a program whose threads wait for each
// other at mbarriers and in roles. Steps of `core/access/step_order.h` are compared in pairs:
//
//   a is over before b     whoever stands at b knows that a's threads have made the step at which a
//                          is over: its own; the wait that covers its commit group; the end of the
//                          phase that its bytes belong to
//   and b sees it          if b goes through the asynchronous proxy and a does not: they have made
//                          a fence behind it too (PTX ISA, "Async proxy")
//
// Where it is known which threads touch each element, accesses of one thread are no race, and those
// of two threads are one for certain (`core/access/element_threads.h`).
//
// With bounds that hold in every execution, what is found nothing of is free of races. With what is
// known in one execution (`core/check/lane_run.h`), what is found for certain happens.
#pragma once

#include "core/access/step_order.h"
#include "core/check/arena_check.h"

namespace tilescope {

struct StepRace {
  HazardFault fault;
  // Of one execution: the two touch a byte in common, and are made by different threads or
  // asynchronously. Otherwise threads may keep to elements of their own, or it may be another slot.
  bool isCertain = false;
};

struct StepRaces {
  std::vector<StepRace> races; // by pair of statements
  bool isTooMuch = false;      // not all were compared
};

// `bytes` as for checkHazards.
StepRaces findStepRaces(const AccessProgram &program, const std::vector<BufferBytes> &bytes,
                        const StepOrder &order);

// Whether at each of some barriers, which are steps of the only lane, every access of a step before
// it is over, every thread knows that, and so sees it whatever it does.
bool areOver(const AccessProgram &program, const std::vector<BufferBytes> &bytes,
             const StepOrder &order, llvm::ArrayRef<uint32_t> barriers);

} // namespace tilescope
