// T.reduce(src, dst, kind=..., dim=...): folds axis `dim` of src. With `clear` dst starts anew,
// else what it holds takes part. dst is src without that axis, or with extent 1 there. With
// `nan_propagate` a NaN is the largest and the smallest of floats, else any number is.
#include "core/ir/op_check.h"

#include "core/ir/build.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

bool verifyReduce(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  const Scope tiles[] = {Scope::Fragment, Scope::Shared, Scope::SharedStatic};
  check.requireScope(0, tiles);
  check.requireScope(1, tiles);
  llvm::SmallVector<const Expr *> kept = check.extents(0);
  int64_t dim = op.attr(Attr::Dim);
  if (dim < 0 || dim >= static_cast<int64_t>(kept.size())) {
    check.fail(DiagId::ReduceAxis, dim, kept.size());
    return false;
  }
  bool isOfBits = op.attr(Attr::Kind) >= static_cast<int64_t>(ReduceKind::BitAnd);
  if (isOfBits && check.buffer(1).dtype.isFloat())
    check.fail(DiagId::OperatorType, check.opName(), check.buffer(1).dtype.name());
  kept.erase(kept.begin() + dim);
  llvm::erase_if(kept, [](const Expr *extent) { return constantValue(extent) == 1; });
  check.requireSameExtents(0, kept, 1, check.wideExtents(1));
  return check.passed();
}

} // namespace

const OpInfo &infoOfReduce() {
  static const OperandInfo Operands[] = {
      {"src", Effect::Read},
      {.name = "dst", .effect = Effect::ReadWrite, .clearedByAttr = Attr::Clear}};
  // In the order of ReduceKind.
  static const llvm::StringRef Kinds[] = {"sum",     "max",     "min",    "abs_max",
                                          "abs_sum", "bit_and", "bit_or", "bit_xor"};
  static const AttrInfo Attrs[] = {
      {Attr::Kind, AttrType::Name, static_cast<int64_t>(ReduceKind::Sum), Kinds},
      {Attr::Dim, AttrType::Int},
      {Attr::Clear, AttrType::Bool, /*defaultValue=*/1},
      {Attr::NanWins, AttrType::Bool},
  };
  static const OpInfo Info{
      .operands = Operands, .attrs = Attrs, .work = OpWork::Fold, .verify = verifyReduce};
  return Info;
}

} // namespace tilescope
