// What a kernel takes and gives: tensors and scalars by position, outputs, constants by name.
#pragma once

#include "core/frontend/value.h"

namespace tilescope::frontend {

class Evaluation;

struct PointerParam {
  const PointerObject *pointer;
  std::string name;
  Span span;
};

// A scalar, or a tensor of them, that T.make_tensor_from_addr made a pointer, or a table
// (addresses.h).
struct AddressParam {
  const Var *var = nullptr;
  BufferObject *table = nullptr;
  PointerObject *pointer = nullptr;
};

struct KernelSignature {
  // The value of a T.const; invalid if there is none.
  Value constArgument(llvm::StringRef name) const;

  std::vector<Argument> constants; // for T.const
  // A T.const without a value becomes a variable, listed here.
  bool leavesConstantsOpen = false;
  std::vector<const Var *> openConstants;
  std::vector<std::pair<std::string, Value>> passConfigs;
  Value outIdx; // of `@tilelang.jit(out_idx=...)`
  Span outIdxSpan;
  std::vector<BufferObject *> declared; // parameters by position; null: a scalar
  std::vector<PointerParam> pointers;   // those that are pointers, also of tensors that were made
  std::vector<AddressParam> addresses;
  std::vector<BufferObject *> outputs; // made by T.empty
};

void addPassConfigs(Evaluation &evaluation, Value configs, Span span);
// A parameter with what its annotation says it is: a tensor, or a scalar of a type.
bool declareParam(Evaluation &evaluation, llvm::StringRef name, Value annotation, size_t position,
                  Span span);
// `T.handle`, `T.ptr`, or one of them with a type.
bool isPointerType(Value annotation);
// `A = T.make_tensor(pointer, ...)` of a parameter that is a pointer.
BufferObject *declarePointed(Evaluation &evaluation, PointerObject &pointer,
                             const TensorTypeObject &tensor, Span span);
// Reports parameters that are pointers and got no tensor. False: there is one.
bool requireTensors(Evaluation &evaluation);
// `A: T.Tensor(...)` in the body of an eager kernel.
bool declareTensor(Evaluation &evaluation, const ast::NameExpr &target, Value annotation);
// `C = T.empty(...)`
Value declareOutput(Evaluation &evaluation, llvm::StringRef name, TensorTypeObject &tensor,
                    Span span);
// Adds the outputs that the kernel returns, and those that `out_idx` names.
bool readReturned(Evaluation &evaluation, Value value,
                  llvm::SmallVectorImpl<const BufferObject *> &outputs, Span span);
bool readOutIdx(Evaluation &evaluation, llvm::SmallVectorImpl<const BufferObject *> &outputs);

} // namespace tilescope::frontend
