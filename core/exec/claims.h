// Elements of the tensors that a launch writes, each of the one who touches it first: a thread of
// the CPU, or a block. Where nobody touches what is another's, the order in which they run changes
// nothing.
#pragma once

#include "core/support/ids.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <vector>

namespace tilescope {

// Tensors of more elements are not watched, neither for this nor for races.
inline constexpr int64_t MostWatchedElements = int64_t{1} << 23;

class Claims {
public:
  void watch(BufferId tensor, int64_t elements) {
    owners_.try_emplace(tensor, static_cast<size_t>(elements));
  }
  void clear();

  // False: it is another's, and not to be touched. What is not watched is everybody's.
  bool take(BufferId tensor, size_t element, uint32_t owner);
  // Somebody asked for what is another's.
  bool isContested() const { return isContested_.load(std::memory_order_relaxed); }

private:
  // By element the owner, counted from 1; 0: none. Nothing is handed on from one owner to another,
  // so no order among accesses to memory is asked for.
  std::map<BufferId, std::vector<std::atomic<uint32_t>>> owners_;
  std::atomic<bool> isContested_ = false;
};

} // namespace tilescope
