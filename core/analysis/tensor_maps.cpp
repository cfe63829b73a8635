#include "core/analysis/tensor_maps.h"

#include "core/ir/build.h"
#include "core/ir/op_facts.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

bool movesBox(const OpStmt &op) {
  return levelOf(op.op) == OpLevel::Device && op.opInfo().async == AsyncWhen::Always &&
         (op.opInfo().queue == AsyncQueue::TransactionBarrier ||
          op.opInfo().queue == AsyncQueue::BulkStore);
}

static const Expr *asInt64(Builder &builder, const Expr *value) {
  std::optional<int64_t> known = constantValue(value);
  return known ? builder.integer(*known, DType::int64()) : builder.cast(DType::int64(), value);
}

// Elements from one index of an axis to the next.
static const Expr *elementStride(Builder &builder, const Buffer &tensor, size_t axis) {
  if (!tensor.strides.empty())
    return asInt64(builder, tensor.strides[axis]);
  const Expr *stride = builder.integer(1, DType::int64());
  for (const Expr *extent : tensor.shape.drop_front(axis + 1))
    stride = builder.mul(stride, asInt64(builder, extent));
  return stride;
}

BoxedTensor boxedTensorOf(Context &context, const Function &function, const OpStmt &move) {
  Builder builder(context);
  bool isLoad = function.buffer(move.regions[0].buffer).scope == Scope::Global;
  const BufferRegion &box = move.regions[isLoad ? 0 : 1];
  const Buffer &tensor = function.buffer(box.buffer);
  const Layout *tile = function.buffer(move.regions[isLoad ? 1 : 0].buffer).layout;
  BoxedTensor map{.tensor = tensor.id, .dims = {}, .strides = {}, .box = {}};
  if (tile && tile->kind == LayoutKind::Swizzle)
    map.swizzle = swizzleOfSpan(tile->spanBytes).value_or(Swizzle::None);
  const Expr *elementBytes = builder.integer(tensor.dtype.bytes(1), DType::int64());
  for (size_t axis = tensor.shape.size(); axis-- > 0;) {
    map.dims.push_back(tensor.shape[axis]);
    map.box.push_back(constantValue(box.ranges[axis].extent).value_or(0));
    if (axis + 1 != tensor.shape.size())
      map.strides.push_back(builder.mul(elementStride(builder, tensor, axis), elementBytes));
  }
  return map;
}

std::vector<BoxedTensor> boxedTensorsOf(Context &context, const Function &function) {
  std::vector<BoxedTensor> maps;
  walk(function.body, [&](const Stmt *stmt) {
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    if (!op || !movesBox(*op))
      return true;
    BoxedTensor map = boxedTensorOf(context, function, *op);
    if (llvm::none_of(maps, [&](const BoxedTensor &known) { return known.isSameMap(map); }))
      maps.push_back(std::move(map));
    return true;
  });
  return maps;
}

std::vector<std::string> namesOf(llvm::ArrayRef<BoxedTensor> maps, const Function &function) {
  std::vector<std::string> names;
  for (auto [index, map] : llvm::enumerate(maps)) {
    auto isOfTensor = [tensor = map.tensor](const BoxedTensor &other) {
      return other.tensor == tensor;
    };
    auto before = llvm::count_if(maps.take_front(index), isOfTensor);
    std::string name = function.buffer(map.tensor).name.str() + "_map";
    names.push_back(before == 0 ? name : name + "_" + std::to_string(before));
  }
  return names;
}

} // namespace tilescope
