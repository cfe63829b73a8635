// T.tma_load(src, dst, barrier): one thread starts the copy of a box of a tensor to shared memory,
// whose bytes an mbarrier counts; elements outside of the tensor arrive as zeros. The box lies as
// core/hopper/tensor_map.h has it. PTX ISA, "cp.async.bulk.tensor".
#include "core/hopper/tensor_map.h"
#include "core/ir/build.h"
#include "core/ir/op_check.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// The box alone: strides of the tensor may not be known.
std::optional<std::string> refusalOf(const OpCheck &check) {
  const Layout *tile = check.buffer(1).layout;
  TensorMap map{.dtype = check.buffer(0).dtype, .dims = {}, .strides = {}, .box = {}};
  if (tile && tile->kind == LayoutKind::Swizzle)
    map.swizzle = tile->isAligned ? *swizzleOfSpan(tile->spanBytes) : Swizzle::None;
  for (const Expr *extent : llvm::reverse(check.extents(0)))
    map.box.push_back(constantValue(extent).value_or(0));
  map.dims.assign(map.box.size(), TensorMapMaxBox);
  map.strides.assign(map.box.size() - 1, TensorMapStrideBytes);
  if (map.box.size() < 2)
    return "it has one dimension, not 2 to 5";
  if (tile && tile->kind == LayoutKind::Swizzle && !tile->isAligned)
    return "the swizzle of its tile is not aligned";
  return tensorMapRefusal(map);
}

bool verifyTmaLoad(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireScope(0, {Scope::Global});
  check.requireScope(1, {Scope::Shared});
  check.requireSameType(0, 1);
  check.requireSameExtents(0, check.wideExtents(0), 1, check.wideExtents(1));
  check.requireMbarrier(2);
  if (std::optional<std::string> refusal = refusalOf(check))
    check.fail(DiagId::OperandNoTmaBox, check.opName(), *refusal);
  return check.passed();
}

} // namespace

const OpInfo &infoOfTmaLoad() {
  static const OperandInfo Operands[] = {
      {"src", Effect::Read},
      {"dst", Effect::Write},
      {.name = "barrier", .effect = Effect::Read, .isMbarrier = true}};
  static const OpInfo Info{.operands = Operands,
                           .scope = OpScope::Elected,
                           .work = OpWork::Move,
                           .async = AsyncWhen::Always,
                           .queue = AsyncQueue::TransactionBarrier,
                           .staysInside = true,
                           .verify = verifyTmaLoad};
  return Info;
}

} // namespace tilescope
