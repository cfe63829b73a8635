// The proxy fences of the threads of a block. What a thread writes itself is seen through the
// asynchronous proxy only behind such a fence, of its own before the barrier that orders the two,
// or of the reader behind it:
//
//   write   fence | barrier |        read by wgmma
//   write         | barrier | fence  read by wgmma
#pragma once

#include "core/exec/shadow.h"

#include <vector>

namespace tilescope {

class ProxyFences {
public:
  // `known`: what its warp has heard of others by barriers of some threads; null: of none.
  void add(uint32_t thread, const Moment &when, const WarpTicks *known) {
    if (thread >= made_.size()) {
      made_.resize(thread + 1);
      known_.resize(thread + 1);
    }
    made_[thread].push_back(when);
    known_[thread] = known ? *known : WarpTicks();
  }
  // So many has it made: Moment::fences.
  uint32_t count(uint32_t thread) const {
    return thread < made_.size() ? static_cast<uint32_t>(made_[thread].size()) : 0;
  }
  // The one after so many; null: it has made no more.
  const Moment *next(uint32_t thread, uint32_t after) const {
    return after < count(thread) ? &made_[thread][after] : nullptr;
  }
  const Moment *last(uint32_t thread) const {
    return count(thread) == 0 ? nullptr : &made_[thread].back();
  }
  // At the last one, which there is: a fence does nothing for what was heard of behind it.
  const WarpTicks &knownAtLast(uint32_t thread) const { return known_[thread]; }

private:
  std::vector<std::vector<Moment>> made_; // by thread, in order
  std::vector<WarpTicks> known_;          // by thread
};

} // namespace tilescope
