// T.tma_load(src, dst, barrier): one thread starts the copy of a box of a tensor to shared memory,
// whose bytes an mbarrier counts; elements outside of the tensor arrive as zeros. The box lies as
// core/hopper/tensor_map.h has it. PTX ISA, "cp.async.bulk.tensor".
#include "core/ir/build.h"
#include "core/ir/op_check.h"
#include "core/ir/tensor_map_extents.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// What is not known of the tensor a launch asks.
std::optional<std::string> refusalOf(const OpCheck &check) {
  const Layout *tile = check.buffer(1).layout;
  TensorMap map = knownTensorMap(check.buffer(0));
  if (tile && tile->kind == LayoutKind::Swizzle)
    map.swizzle = tile->isAligned ? *swizzleOfSpan(tile->spanBytes) : Swizzle::None;
  const auto extents = check.extents(0);
  for (const Expr *extent : llvm::reverse(extents))
    map.box.push_back(constantValue(extent).value_or(0));
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
