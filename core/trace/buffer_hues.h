// The colours of the shared buffers of a compile: by the order in which they come, so that no two
// neighbours in an arena have the same one, as far as there are enough. The first few always have
// the same ones, whatever the plan.
#pragma once

#include "core/trace/trace.h"

#include <map>

namespace tilescope {

class BufferHues {
public:
  BufferHues() = default;
  // Of the arenas after all passes. Where a part of a trace is not loaded, colours must not change
  // when it is: they are those of the keys. So are those of very many buffers.
  static BufferHues of(const Trace &trace);

  // In degrees; of other buffers that of the key.
  int hueOf(const BufferKey &key) const;

private:
  std::map<BufferKey, int> hues_; // without the function: see hueDegrees(BufferKey)
};

} // namespace tilescope
