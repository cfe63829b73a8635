// What ptxas says of a kernel, and how many blocks of it fit on an SM then, for comparisons of two
// compiles. Most compiles do not know it: see core/target/register_limit.h.
#pragma once

#include "core/trace/trace.h"

namespace tilescope {

struct RegisterUse {
  int64_t registersOfThread = 0; // 0: the trace does not say it
  int64_t spillBytes = 0;        // stores and loads of a thread
  // By shared memory, threads and registers; nullopt: registers or threads are not known.
  std::optional<int> blocksWithRegisters;

  bool isKnown() const { return registersOfThread > 0; }
  friend bool operator==(const RegisterUse &, const RegisterUse &) = default;
};

RegisterUse registerUseOf(const Trace &trace, const ArenaRecord &arena, const Target &target);

// "51 -> 90 registers of a thread, 9 -> 5 blocks/SM with them, 0 -> 16 bytes spilled"; what is the
// same on both sides once, and "?" for a side that does not know it. "": neither side does.
std::string changeText(const RegisterUse &before, const RegisterUse &after);

template <typename Archive> void fields(Archive &archive, RegisterUse &use) {
  archive("registersOfThread", use.registersOfThread);
  archive("spillBytes", use.spillBytes);
  archive("blocksWithRegisters", use.blocksWithRegisters);
}

} // namespace tilescope
