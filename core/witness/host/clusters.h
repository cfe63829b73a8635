// The barrier of the blocks of a cluster. PTX ISA, "barrier.cluster".
#pragma once

#include "core/witness/host/instructions.h"

namespace witness {

// Who waits asks whether others have come.
template <> struct Instruction<"barrier.cluster.arrive.release.aligned"> {
  static void run() {}
};
template <> struct Instruction<"barrier.cluster.arrive.relaxed.aligned"> {
  static void run() {}
};
template <> struct Instruction<"barrier.cluster.wait.acquire.aligned"> {
  static void run() { meetBlocks("the barrier of the cluster"); }
};

} // namespace witness
