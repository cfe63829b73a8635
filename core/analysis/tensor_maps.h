// The tensor maps that copies of boxes read, derived from the copies: the tensor as it lies in
// global memory, the box that one of them moves, the swizzle of the tile at its other end. The
// formats are those of core/hopper/tensor_map.h; sizes may depend on the kernel's scalars.
#pragma once

#include "core/hopper/tensor_map.h"
#include "core/ir/module.h"

namespace tilescope {

// Dimensions are innermost first.
struct BoxedTensor {
  BufferId tensor;
  llvm::SmallVector<const Expr *, 5> dims; // elements
  llvm::SmallVector<const Expr *, 4>
      strides;                       // bytes from one element of dimension i + 1 to the next
  llvm::SmallVector<int64_t, 5> box; // elements
  Swizzle swizzle = Swizzle::None;

  bool isSameMap(const BoxedTensor &other) const {
    return tensor == other.tensor && box == other.box && swizzle == other.swizzle;
  }
};

// Whether the op moves a box of a tensor, of which a map tells.
bool movesBox(const OpStmt &op);
BoxedTensor boxedTensorOf(Context &context, const Function &function, const OpStmt &move);
// Of all such ops, each map once, in the order of the first op.
std::vector<BoxedTensor> boxedTensorsOf(Context &context, const Function &function);
// "A_map", "A_map_1": one name for each of them.
std::vector<std::string> namesOf(llvm::ArrayRef<BoxedTensor> maps, const Function &function);

} // namespace tilescope
