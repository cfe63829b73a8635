// T.thread_reduce(result, value, kind=..., stride=..., extent=..., scope=...): folds the values of
// `extent` threads that lie `stride` apart; each of them gets what comes of it.
//
//     stride=2, extent=4      threads 0 2 4 6 are a group, so are 1 3 5 7, and 8 10 12 14
//
// With scope="warp" groups lie inside of a warp, and only its threads need get here.
#include "core/ir/op_check.h"

#include "core/access/access_program.h"

namespace tilescope {

namespace {

bool verifyThreadReduce(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireRegister(0);
  check.requireArgType(0, check.buffer(0).dtype);
  bool isOfBits = op.attr(Attr::Kind) >= static_cast<int64_t>(ReduceKind::BitAnd);
  if (isOfBits && check.buffer(0).dtype.isFloat())
    check.fail(DiagId::OperatorType, check.opName(), check.buffer(0).dtype.name());
  int64_t stride = op.attr(Attr::Stride);
  int64_t extent = op.attr(Attr::Extent);
  bool isOfWarp = op.attr(Attr::Scope) == static_cast<int64_t>(BarrierScope::Warp);
  // What a block may have.
  int64_t most = isOfWarp ? 32 : 1024;
  for (auto [attr, value] : {std::pair(Attr::Stride, stride), std::pair(Attr::Extent, extent)})
    if (value < 1 || value > most)
      check.fail(DiagId::AttributeValue, nameOf(attr), check.opName(), value,
                 "1 to " + std::to_string(most));
  if (check.passed() && (stride * extent > most || (isOfWarp && 32 % (stride * extent) != 0)))
    check.fail(DiagId::AttributeValue, nameOf(Attr::Extent), check.opName(), extent,
               "such that groups lie in the scope");
  return check.passed();
}

int64_t groupOf(const OpStmt &op, uint32_t thread) {
  int64_t stride = op.attr(Attr::Stride);
  return thread / (stride * op.attr(Attr::Extent)) * stride + thread % stride;
}

} // namespace

const OpInfo &infoOfThreadReduce() {
  static const OperandInfo Operands[] = {{"result", Effect::Write}};
  static const ArgInfo Args[] = {{"value"}};
  // In the order of ReduceKind, and of BarrierScope.
  static const llvm::StringRef Kinds[] = {"sum",     "max",     "min",    "abs_max",
                                          "abs_sum", "bit_and", "bit_or", "bit_xor"};
  static const llvm::StringRef Scopes[] = {"warp", "block"};
  static const AttrInfo Attrs[] = {{Attr::Kind, AttrType::Name, /*defaultValue=*/0, Kinds},
                                   {Attr::Stride, AttrType::Int, /*defaultValue=*/1},
                                   {Attr::Extent, AttrType::Int, /*defaultValue=*/32},
                                   {Attr::Scope, AttrType::Name, /*defaultValue=*/1, Scopes}};
  static const OpInfo Info{.operands = Operands,
                           .args = Args,
                           .attrs = Attrs,
                           .isExchange = true,
                           .groupOf = groupOf,
                           .verify = verifyThreadReduce};
  return Info;
}

} // namespace tilescope
