// Constants of an eager kernel from the extents that its tensors are given.
//
//   M, K = T.const("M, K")
//   A: T.Tensor((M, K), dtype)      --set "A=(1024, 512)"  says  M=1024, K=512
//
// The kernel is evaluated once with its constants open, for as far as that comes, and what stands
// alone in a dimension takes the extent. Then it is evaluated as ever, and every shape is compared.
#pragma once

#include "core/frontend/evaluation.h"

namespace tilescope::frontend {

struct TensorShape {
  std::string tensor; // name of the parameter
  std::vector<int64_t> extents;
  Span span; // of the argument
};

// Of a tuple or list of integers; nullopt for anything else.
std::optional<std::vector<int64_t>> extentsOf(Value value);
// The constants that `shapes` settle. `evaluation` holds the kernel's signature, with its constants
// left open.
std::vector<std::pair<std::string, int64_t>> constantsOfShapes(const Evaluation &evaluation,
                                                               llvm::ArrayRef<TensorShape> shapes);
// Reports a shape that is not what the kernel makes of it; false then.
bool checkShapes(Evaluation &evaluation, llvm::ArrayRef<TensorShape> shapes);

} // namespace tilescope::frontend
