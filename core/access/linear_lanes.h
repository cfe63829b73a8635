// Where the lanes of a warp are in an access of a layout that is linear over bits, as those of
// Triton are: which element a register of a thread holds, and where an element lies in shared
// memory. Elements are numbered in row-major order; of shapes that are powers of two the bits of a
// coordinate are bits of that number.
//
//     registers 1 2 4   lanes 8 16 32 64 128   warps 256     thread (lane 3, warp 1) holds in its
//                                                            register 5: 5 ^ (8 ^ 16) ^ 256
//     places 1 2 4 8 16 32 64+8 ...                          the element of place 64 is number 72
//
// Whatever register it is, all lanes differ from those of register 0 by the same bits of their
// places, which exchanges banks and words for others: the passes are those of register 0.
#pragma once

#include "core/access/bank_passes.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilescope {

// Each list has, for each bit of a number, the element that it adds: by exclusive or.
struct LinearAccess {
  int64_t elementBits = 0;
  std::vector<int64_t> registers, lanes, warps;
  std::vector<int64_t> places; // of an element in the slot, counted in elements

  // The instruction. Of a load or store of matrices, which are of 8 rows of 16 bytes, a lane holds
  // 4 bytes of a row; transposed, of a column.
  enum class Instruction : uint8_t { Unknown, Plain, Matrices, Transposed };
  Instruction instruction = Instruction::Unknown;
  int64_t laneBytes = 0; // Plain: that a lane moves at once

  friend bool operator==(const LinearAccess &, const LinearAccess &) = default;
};

struct LinearLanes {
  int64_t laneBytes = 0; // of matrices those of a row
  BankPasses passes;     // of one instruction; of one matrix, to which 8 lanes give the rows
  // By warp and lane, the place in the slot that register 0, or the first matrix, begins at.
  std::vector<std::vector<std::optional<int64_t>>> places;
};

// Nothing: the instruction is not known, or is not one that moves these elements.
std::optional<LinearLanes> lanesOf(const LinearAccess &access);

// The element at a place, and back: nothing where no place has it.
int64_t elementAtPlace(llvm::ArrayRef<int64_t> places, int64_t place);
std::optional<int64_t> placeOfElement(llvm::ArrayRef<int64_t> places, int64_t element);

// Whether the figures can be reckoned with.
bool isSensible(const LinearAccess &access);
bool arePlaces(llvm::ArrayRef<int64_t> places);

} // namespace tilescope
