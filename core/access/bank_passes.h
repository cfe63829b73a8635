// How shared memory serves a warp.
//
// It has 32 banks of 4 bytes and gives one word of each in a pass. A warp whose lanes move 4 bytes
// or less is served at once; of 8 bytes a half of its lanes, of 16 bytes a quarter (as ldmatrix
// reads the 8 rows of a matrix). Each of these groups takes as many passes as the words that it
// wants from one bank; lanes that want the same word get it together.
//
//     byte = 4 * lane       1 pass of least 1
//     byte = 8 * lane       2 passes of least 1
//     byte = 128 * lane     32 passes of least 1
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tilescope {

inline constexpr int64_t SharedBanks = 32;
inline constexpr int64_t BankBytes = 4; // a word
inline constexpr int64_t WarpLanes = 32;

// The bank of a byte, which may lie before the beginning.
int64_t bankOf(int64_t byte);

// Lanes that move so many bytes each and are served together.
size_t lanesServedTogether(int64_t laneBytes);

struct BankPasses {
  int64_t passes = 0;
  int64_t least = 0;  // without conflicts
  int64_t degree = 0; // passes of the group that takes most: 1: no conflict

  friend bool operator==(const BankPasses &, const BankPasses &) = default;
};

// `bytes` has the first byte of each lane; nullopt: it takes no part.
using LaneBytes = llvm::ArrayRef<std::optional<int64_t>>;
BankPasses bankPassesOf(LaneBytes bytes, int64_t laneBytes);

// By lane, whether another one of its group wants another word of one of its banks.
std::vector<bool> lanesInConflict(LaneBytes bytes, int64_t laneBytes);

// The elements that the lanes of a warp begin at, in the row-major order of a tile, as runs: four
// numbers each, the first lane, how many, the element of the first, and from one to the next.
//
//     lanes 0 .. 7 of rows of 64, lanes 8 .. 15 8 columns further     0 8 0 64   8 8 8 64
//
// Lanes of no run take no part.
using LaneElements = llvm::ArrayRef<std::optional<int64_t>>;
std::vector<int64_t> packLanes(LaneElements elements);
std::vector<std::optional<int64_t>> unpackLanes(llvm::ArrayRef<int64_t> runs);
// Whether it is one, of at most 32 lanes, whose figures can be reckoned with.
bool areLaneRuns(llvm::ArrayRef<int64_t> runs);

} // namespace tilescope
