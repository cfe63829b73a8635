// Sets of slots for dataflow over a flow graph: a bit for each slot of each buffer, a row of bits
// for each vertex.
//
//   buffers   A (3 versions)   B   C (2)
//   bits      0   1   2        3   4   5
#pragma once

#include "core/access/flow_graph.h"

#include <algorithm>
#include <vector>

namespace tilescope {

// One bit a (buffer, slot).
struct SlotBits {
  std::vector<unsigned> first;  // per buffer; one more at the end
  std::vector<size_t> bufferOf; // per bit

  explicit SlotBits(const AccessProgram &program) {
    first.push_back(0);
    for (const AccessBuffer &buffer : program.buffers) {
      bufferOf.resize(bufferOf.size() + std::max<int64_t>(buffer.versions, 1), first.size() - 1);
      first.push_back(static_cast<unsigned>(bufferOf.size()));
    }
  }
  unsigned count() const { return first.back(); }
  // The bits [first, last) of some slots of a buffer.
  std::pair<unsigned, unsigned> of(size_t buffer, SlotRange slots) const {
    int64_t versions = first[buffer + 1] - first[buffer];
    return {first[buffer] + static_cast<unsigned>(std::clamp<int64_t>(slots.first, 0, versions)),
            first[buffer] + static_cast<unsigned>(std::clamp<int64_t>(slots.last, 0, versions))};
  }
};

// A row of slot bits for each vertex, in one block of memory.
class SlotMatrix {
public:
  SlotMatrix() = default;
  SlotMatrix(size_t rows, unsigned columns)
      : wordsPerRow_((columns + 63) / 64), words_(rows * wordsPerRow_, 0) {}

  size_t wordsPerRow() const { return wordsPerRow_; }
  uint64_t *row(size_t index) { return words_.data() + index * wordsPerRow_; }
  bool test(size_t row, unsigned column) const {
    return words_[row * wordsPerRow_ + column / 64] >> column % 64 & 1;
  }
  void set(size_t row, unsigned first, unsigned last) {
    for (unsigned column = first; column != last; ++column)
      this->row(row)[column / 64] |= uint64_t{1} << column % 64;
  }

private:
  size_t wordsPerRow_ = 0;
  std::vector<uint64_t> words_;
};

} // namespace tilescope
