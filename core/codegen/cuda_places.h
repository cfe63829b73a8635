// Text of where an element lies in its buffer: row major, by strides, or through a function of the
// buffer's own where the layout is swizzled or permuted.
#pragma once

#include "core/codegen/cuda_exprs.h"
#include "core/codegen/cuda_state.h"

#include <map>

namespace tilescope {

class CudaPlaces {
public:
  CudaPlaces(CudaModuleState &module, CudaExprs &exprs) : module_(module), exprs_(exprs) {}

  // The element's index; "0" for the first.
  std::string physicalIndex(const Buffer &buffer, ExprList indices);
  // The functions from coordinates to places that were asked for.
  std::vector<CudaTextLine> takeFunctions() { return std::move(functions_); }

private:
  std::string swizzledIndex(const Buffer &buffer, ExprList indices);
  std::string swizzleFunction(const Buffer &buffer);
  std::string permutedIndex(const Buffer &buffer, ExprList indices);
  std::string permutationFunction(const Buffer &buffer);
  void addLine(std::string text) { functions_.push_back({std::move(text), {}, {}, {}}); }

  CudaModuleState &module_;
  CudaExprs &exprs_;
  std::map<BufferId, std::string> names_; // of the functions
  std::vector<CudaTextLine> functions_;
};

// Index arithmetic ignores the types of its operands: indices are mathematical integers.
const Expr *indexBinary(Context &context, BinaryOp op, const Expr *lhs, const Expr *rhs);

} // namespace tilescope
