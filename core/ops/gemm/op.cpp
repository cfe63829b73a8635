// T.gemm(a, b, c): c += op(a) @ op(b), or c = op(a) @ op(b) where `clear_accum` is true. Matrices
// are the last two axes; axes before them have extent 1.
//     transpose_A: a is K x M, else M x K       transpose_B: b is N x K, else K x N
// unit="warp_group": by wgmma, which infer-layouts asks for where it can be; else by mma.sync.
#include "core/ir/product_check.h"

namespace tilescope {

namespace {

bool verifyGemm(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  check.requireScope(0, {Scope::Shared, Scope::SharedStatic, Scope::Fragment});
  check.requireScope(1, {Scope::Shared, Scope::SharedStatic, Scope::Fragment});
  check.requireScope(2, {Scope::Fragment, Scope::Shared, Scope::SharedStatic});
  DType a = check.buffer(0).dtype;
  DType b = check.buffer(1).dtype;
  bool areMixedFloat8 = a.isFloat8() && b.isFloat8();
  if (!areMixedFloat8)
    check.requireSameType(0, 1);
  DType c = check.buffer(2).dtype;
  if (a.isInteger() != c.isInteger() || c.isBool())
    check.fail(DiagId::GemmAccumulator, c.name(), a.name());
  check.requireArgType(0, DType::boolean());
  checkProductShapes(check, op);
  return check.passed();
}

} // namespace

const OpInfo &infoOfGemm() {
  static const OperandInfo Operands[] = {
      {"a", Effect::Read},
      {"b", Effect::Read},
      {.name = "c", .effect = Effect::ReadWrite, .clearedByArg = 0}};
  static const ArgInfo Args[] = {{"clear_accum", /*optional=*/true}};
  // In the order of WarpPolicy.
  static const llvm::StringRef Policies[] = {"square", "full_row", "full_col"};
  // In the order of MatrixUnit.
  static const llvm::StringRef Units[] = {"warp", "warp_group"};
  static const AttrInfo Attrs[] = {
      {Attr::TransposeA, AttrType::Bool},
      {Attr::TransposeB, AttrType::Bool},
      {Attr::Policy, AttrType::Name, static_cast<int64_t>(WarpPolicy::Square), Policies},
      {Attr::Unit, AttrType::Name, static_cast<int64_t>(MatrixUnit::Warp), Units},
  };
  static const OpInfo Info{.operands = Operands,
                           .args = Args,
                           .attrs = Attrs,
                           .work = OpWork::MatrixMultiply,
                           .verify = verifyGemm};
  return Info;
}

} // namespace tilescope
