// Layouts: where the element with given logical coordinates lies.
//
// A shared or global buffer has an address layout (RowMajor or Swizzle). A fragment, and a parallel
// loop, has a Fragment layout: each coordinate is split into digits, outermost first, and each
// digit contributes to the thread number or to the register number.
//
//   mma C tile of 32 x 16, two warps along M:            16@... = extent, t = thread, r = register
//     rows  2@t32 2@r2 8@t4      row = 16 * d0 + 8 * d1 + d2
//     cols  2@r4 4@t1 2@r1       col =  8 * d0 + 2 * d1 + d2
//     thread   = 32 * row.d0 + 4 * row.d2 + col.d1
//     register =  2 * row.d1 + 4 * col.d0 + col.d2
//
// Every mma fragment and every partition of a parallel loop over threads is of this form; it is
// inverted digit by digit and compared by value.
#pragma once

#include "core/ir/context.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace tilescope {

struct Digit {
  int64_t extent = 1;
  bool onThread = false; // else on the register number
  int64_t stride = 0;

  friend bool operator==(const Digit &, const Digit &) = default;
};

enum class LayoutKind : uint8_t {
  RowMajor, // dense; the row pitch has `padElements` extra elements
  Swizzle,  // 16-byte chunks permuted within panels of `spanBytes`, see below
  Fragment,
  Permuted, // digits with memory strides, see below
};

// Swizzle, on the last two coordinates (row, column), with bytes b = column * element size:
//   panel = b / span, row pitch = span, chunk = (b % span) / 16
//   offset = (panel * rows + row) * span + ((chunk ^ x) * 16) + b % 16
//   x = row % 8 for span 128, (row / 2) % 4 for span 64, (row / 4) % 2 for span 32
// (PTX ISA, "Shared Memory Layout and Swizzling": conflict-free for ldmatrix and for TMA boxes.)
// Leading coordinates and the slot multiply the bytes of one rows-by-columns tile.
// `isAligned`: the tile starts at a multiple of 8 spans, where the pattern begins again, so that
// the permutation is one of addresses, as TMA and wgmma have it (core/hopper/swizzle.h).
//
// Permuted, the memory order that a kernel gives a tensor or a shared tile: digits as in a
// fragment, but a digit contributes its value times its stride, in elements, to the place in
// memory:
//   permuted(4@64 8@4 | 2@32 4@1 2@256)     place = 64 * (i / 8) + 4 * (i % 8) + 32 * (j / 8) + ...
// Every element has a place of its own and all places are used.
class Layout {
public:
  LayoutKind kind = LayoutKind::RowMajor;
  int64_t spanBytes = 0;   // Swizzle: 32, 64 or 128; of aligned rows 16
  bool isAligned = false;  // Swizzle and rows (aligned_rows.h)
  int64_t padElements = 0; // RowMajor
  // Fragment and Permuted: one list of digits a coordinate, outermost digit first. The product of
  // the extents is at least the extent of the coordinate; surplus coordinates do not exist and are
  // guarded.
  llvm::ArrayRef<llvm::ArrayRef<Digit>> dims;
  // Fragment: thread digits that do not depend on coordinates: these threads hold copies.
  llvm::ArrayRef<Digit> replicas;

  bool isFragment() const { return kind == LayoutKind::Fragment; }
  int64_t threadCount() const;   // threads that hold something, copies included
  int64_t registerCount() const; // registers (elements) a thread

  friend bool operator==(const Layout &a, const Layout &b);
};

const Layout *makeRowMajor(Context &context, int64_t padElements = 0);
const Layout *makeSwizzle(Context &context, int64_t spanBytes, bool isAligned = false);
const Layout *makeFragment(Context &context, llvm::ArrayRef<llvm::SmallVector<Digit>> dims,
                           llvm::ArrayRef<Digit> replicas = {});
const Layout *makePermuted(Context &context, llvm::ArrayRef<llvm::SmallVector<Digit>> dims);
// Whether the digits give each element of a tensor of this shape one place of a dense memory.
bool isPermutation(llvm::ArrayRef<llvm::ArrayRef<Digit>> dims, llvm::ArrayRef<int64_t> shape);
// Permuted: the largest power of two such that elements of the last dimension, from a multiple of
// it on, lie side by side, at a multiple of it.
int64_t adjacentElements(const Layout &permuted);

// Text form, one word or one quoted string: "row_major", "padded(8)", "swizzle(128)",
// "aligned_swizzle(128)", "permuted(...)", "fragment(2@t32 2@r2 8@t4 | 2@r4 4@t1 2@r1 ; 2@t64)"
// where the part after ';' is the replicas.
std::string toString(const Layout &layout);
// Null if the text is not of that form.
const Layout *parseLayout(Context &context, llvm::StringRef text);

// Byte offset of an element of an address layout, for constant coordinates: the reference that the
// emitter's expression must equal. `shape` in elements.
int64_t byteOffset(const Layout &layout, llvm::ArrayRef<int64_t> shape, int elementBits,
                   llvm::ArrayRef<int64_t> coordinates);

// Fragment, constant coordinates. Permuted: `reg` is the place in memory.
struct FragmentPlace {
  int64_t thread = 0; // of the first replica
  int64_t reg = 0;
};
FragmentPlace placeOf(const Layout &fragment, llvm::ArrayRef<int64_t> coordinates);
// Inverse: coordinates that (thread, register) holds; nullopt if the thread holds nothing there.
// A coordinate may exceed the shape where digits overshoot.
std::optional<llvm::SmallVector<int64_t>> coordinatesOf(const Layout &fragment, int64_t thread,
                                                        int64_t reg);

} // namespace tilescope
