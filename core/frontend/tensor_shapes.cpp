#include "core/frontend/tensor_shapes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tilescope::frontend {

static llvm::ArrayRef<Value> elementsOf(Value value) {
  if (const auto *tuple = value.as<TupleObject>())
    return tuple->items;
  if (const auto *list = value.as<ListObject>())
    return list->items;
  return {};
}

std::optional<std::vector<int64_t>> extentsOf(Value value) {
  std::vector<int64_t> extents;
  for (Value element : elementsOf(value)) {
    if (!element.isInt() || element.asInt() < 0)
      return std::nullopt;
    extents.push_back(element.asInt());
  }
  return extents.empty() ? std::nullopt : std::optional(std::move(extents));
}

// Null if the kernel did not come to declare it.
static const BufferObject *declaredTensor(const Evaluation &evaluation, llvm::StringRef name) {
  for (const BufferObject *buffer : evaluation.signature.declared)
    if (buffer && buffer->sourceName == name)
      return buffer;
  return nullptr;
}

std::vector<std::pair<std::string, int64_t>> constantsOfShapes(const Evaluation &evaluation,
                                                               llvm::ArrayRef<TensorShape> shapes) {
  std::vector<std::pair<std::string, int64_t>> constants;
  for (const TensorShape &shape : shapes) {
    const BufferObject *buffer = declaredTensor(evaluation, shape.tensor);
    if (!buffer)
      continue;
    for (const auto &[dimension, extent] : llvm::zip(buffer->draft.shape, shape.extents)) {
      const auto *var = llvm::dyn_cast<Var>(dimension);
      bool isKnown = llvm::any_of(
          constants, [&](const auto &known) { return var && known.first == var->name; });
      if (var && !isKnown && llvm::is_contained(evaluation.signature.openConstants, var))
        constants.emplace_back(var->name.str(), extent);
    }
  }
  return constants;
}

// An extent that only the launch knows is as given.
static bool isShape(llvm::ArrayRef<const Expr *> dimensions, llvm::ArrayRef<int64_t> extents) {
  return dimensions.size() == extents.size() &&
         llvm::all_of(llvm::zip_equal(dimensions, extents), [](const auto &pair) {
           const auto *known = llvm::dyn_cast<IntImm>(std::get<0>(pair));
           return !known || known->value == std::get<1>(pair);
         });
}

bool checkShapes(Evaluation &evaluation, llvm::ArrayRef<TensorShape> shapes) {
  bool areFine = true;
  for (const TensorShape &shape : shapes) {
    const BufferObject *buffer = declaredTensor(evaluation, shape.tensor);
    if (!buffer || isShape(buffer->draft.shape, shape.extents))
      continue;
    std::vector<std::string> text;
    for (const Expr *dimension : buffer->draft.shape) {
      const auto *known = llvm::dyn_cast<IntImm>(dimension);
      text.push_back(known ? std::to_string(known->value) : "?");
    }
    areFine = evaluation.failed(DiagId::TensorShapeDiffers, shape.span, shape.tensor,
                                llvm::join(text, ", "));
    evaluation.note(buffer->draft.span, "declared here");
  }
  return areFine;
}

} // namespace tilescope::frontend
