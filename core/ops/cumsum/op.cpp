// T.cumsum(src, dst, dim=..., reverse=..., kind=...): each element of dst is the sum, or the
// largest, of those of src up to it along axis `dim`, itself included; with `reverse`, of those
// from it on. dst may be src.
#include "core/ir/op_check.h"

namespace tilescope {

namespace {

bool verifyCumsum(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  const Scope tiles[] = {Scope::Fragment, Scope::Shared, Scope::SharedStatic};
  check.requireScope(0, tiles);
  check.requireScope(1, tiles);
  check.requireSameType(0, 1);
  llvm::SmallVector<const Expr *> extents = check.extents(0);
  if (int64_t dim = op.attr(Attr::Dim); dim < 0 || dim >= static_cast<int64_t>(extents.size())) {
    check.fail(DiagId::ReduceAxis, dim, extents.size());
    return false;
  }
  check.requireSameExtents(0, extents, 1, check.extents(1));
  return check.passed();
}

} // namespace

const OpInfo &infoOfCumsum() {
  static const OperandInfo Operands[] = {{"src", Effect::Read}, {"dst", Effect::Write}};
  // The first of ReduceKind.
  static const llvm::StringRef Kinds[] = {"sum", "max"};
  static const AttrInfo Attrs[] = {{Attr::Dim, AttrType::Int},
                                   {Attr::Reverse, AttrType::Bool},
                                   {Attr::Kind, AttrType::Name, /*defaultValue=*/0, Kinds}};
  static const OpInfo Info{.operands = Operands, .attrs = Attrs, .verify = verifyCumsum};
  return Info;
}

} // namespace tilescope
