// Values of several lanes: `T.float16x2(a, b)`, `A[T.Ramp(i, 1, 4)]`, an element of a buffer whose
// type is a vector. The IR has none. A vector is the expressions of its lanes; what is computed
// with it is computed for each; a buffer of vectors has one axis more, the last, for the lanes.
#pragma once

#include "core/frontend/builtins.h"
#include "core/frontend/evaluation.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tilescope::frontend {

constexpr int64_t MaxLanes = 64;

// "float16x2"; a type without lanes has one.
struct VectorType {
  DType element;
  int64_t lanes = 1;

  friend bool operator==(const VectorType &, const VectorType &) = default;
};
std::optional<VectorType> parseVectorType(llvm::StringRef name);
// nullopt after reporting that it names no type.
std::optional<VectorType> toVectorType(Evaluation &evaluation, Value value, Span span);
std::optional<VectorType> vectorTypeArgument(const Args &args, llvm::StringRef param);
Value dtypeOf(Evaluation &evaluation, const VectorType &type);

VectorType typeOf(const VectorObject &vector);
// One lane is a scalar.
Value vectorOf(Evaluation &evaluation, std::vector<const Expr *> lanes);
// A vector, or a run of a thread's own registers as one; null for anything else.
const VectorObject *toVector(Evaluation &evaluation, Value value);

bool hasLanes(llvm::ArrayRef<Value> operands);
// What `compute` makes of each lane of the operands; those without lanes are the same in each.
Value overLanes(Evaluation &evaluation, llvm::ArrayRef<Value> operands, Span span,
                llvm::function_ref<Value(llvm::ArrayRef<Value>)> compute);
// A call of a builtin that computes lane by lane; invalid, without a report: no argument has lanes.
std::optional<Value> callOverLanes(Evaluation &evaluation, BuiltinObject &builtin,
                                   llvm::ArrayRef<Argument> arguments, Span span);
// Binds each lane that is not a variable or a constant.
Value bindLanes(Evaluation &evaluation, llvm::StringRef name, const VectorObject &vector,
                Span span);
// The same bits as another type.
Value reinterpretLanes(Evaluation &evaluation, llvm::ArrayRef<const Expr *> lanes, VectorType type,
                       Span span);

// Whether `buffer[index]` is a vector: an index is one, or the buffer holds some.
bool accessesLanes(const BufferObject &buffer, Value index);
Value loadLanes(Evaluation &evaluation, BufferObject &buffer, Value index, Span span);
bool storeLanes(Evaluation &evaluation, BufferObject &buffer, Value index, Value value, Span span);

} // namespace tilescope::frontend
