// T.gemm_sparse(a, b, c, e): T.gemm of an a that is kept by halves: of each four neighbours along K
// two, of 32 bits one of two. Four bits of e a group say which, two for each, the first in the
// lowest; of 32 bits they are 0b0100 for the first and 0b1110 for the second.
//     transpose_E: e has words of K as its rows, else of M
#include "core/ir/product_check.h"

namespace tilescope {

namespace {

bool verifyGemmSparse(const OpStmt &op, const Function &function, Diagnostics &diagnostics) {
  OpCheck check(op, function, diagnostics);
  for (size_t operand : {0, 1})
    check.requireScope(operand, {Scope::Shared, Scope::SharedStatic, Scope::Fragment});
  check.requireScope(2, {Scope::Fragment});
  check.requireScope(3, {Scope::Shared, Scope::SharedStatic});
  check.requireSameType(0, 1);
  DType a = check.buffer(0).dtype, c = check.buffer(2).dtype, e = check.buffer(3).dtype;
  if (!isSparseProduct(a, c))
    check.fail(DiagId::GemmAccumulator, c.name(), a.name());
  if (!e.isInteger() || e.bits < 8 || e.bits > 32)
    check.fail(DiagId::OperatorType, check.opName(), e.name());
  check.requireArgType(0, DType::boolean());
  checkProductShapes(check, op);
  return check.passed();
}

} // namespace

const OpInfo &infoOfGemmSparse() {
  static const OperandInfo Operands[] = {
      {"a", Effect::Read},
      {"b", Effect::Read},
      {.name = "c", .effect = Effect::ReadWrite, .clearedByArg = 0},
      {"e", Effect::Read}};
  static const ArgInfo Args[] = {{"clear_accum", /*optional=*/true}};
  // In the order of WarpPolicy.
  static const llvm::StringRef Policies[] = {"square", "full_row", "full_col"};
  static const AttrInfo Attrs[] = {
      {Attr::TransposeA, AttrType::Bool},
      {Attr::TransposeB, AttrType::Bool},
      {Attr::TransposeE, AttrType::Bool},
      {Attr::Policy, AttrType::Name, static_cast<int64_t>(WarpPolicy::Square), Policies},
  };
  static const OpInfo Info{.operands = Operands,
                           .args = Args,
                           .attrs = Attrs,
                           .work = OpWork::MatrixMultiply,
                           .verify = verifyGemmSparse};
  return Info;
}

} // namespace tilescope
