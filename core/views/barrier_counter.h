// How many barriers sharing bytes takes, were one buffer to lie elsewhere.
#pragma once

#include "core/views/why_facts.h"

namespace tilescope {

class BarrierCounter {
public:
  BarrierCounter(const Trace &trace, const ArenaFacts &facts);

  // Beyond what it takes now; negative: fewer. Nothing: not known, for barriers stand otherwise
  // than sharing explains.
  std::optional<int64_t> moreWith(const BufferBytes &moved) const;

private:
  size_t countWith(const std::optional<BufferBytes> &moved) const;

  const ArenaFacts &facts_;
  // When it was planned, with the barriers that each buffer needs by itself.
  AccessProgram planned_;
  std::optional<size_t> now_;
};

} // namespace tilescope
