// Which threads of the block touch each element of a buffer's slot: all between two that are told,
// of which it is known that both do.
//
//   element      0  1  2  3  4  5  6  7        8 bits of an index, 3 of which count:
//   least        0  0  1  1  0  0  1  1        0 ^ (0, 1, 0)
//   most         0  0  1  1  2  2  3  3        0 ^ (0, 1, 2)
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <vector>

namespace tilescope {

struct ElementThreads {
  int64_t elementBits = 0;
  int64_t elements = 0; // of the slot, all of which are touched
  // Of element e: the first number, and of the others, xor-ed to it, number i + 1 where bit i of e
  // is set.
  std::vector<int64_t> least;
  std::vector<int64_t> most; // empty: as `least`, so that one thread touches each element

  friend bool operator==(const ElementThreads &, const ElementThreads &) = default;
};

// What accesses of two slots, the first bytes of which are told, do to each other.
enum class Meeting : uint8_t {
  Unknown,
  SameThread,  // each byte that both touch one thread touches, the same
  OtherThread, // some byte two threads touch, one by each of the two
};

// `budget`: bytes that may be looked at, of which those that were are taken.
Meeting meetingOf(const ElementThreads &a, int64_t beginA, const ElementThreads &b, int64_t beginB,
                  int64_t &budget);

} // namespace tilescope
