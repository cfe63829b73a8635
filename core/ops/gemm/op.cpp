// T.gemm(a, b, c): c += op(a) @ op(b), or c = op(a) @ op(b) where `clear_accum` is true. Matrices
// are the last two axes; axes before them have extent 1.
//     transpose_A: a is K x M, else M x K       transpose_B: b is N x K, else K x N
#include "core/ir/op_check.h"

#include "core/ir/build.h"

namespace tilescope {

namespace {

struct MatrixShape {
  const Expr *rows = nullptr;
  const Expr *columns = nullptr;
};

std::optional<MatrixShape> matrixOf(OpCheck &check, size_t operand) {
  llvm::SmallVector<const Expr *> extents = check.extents(operand);
  bool isMatrix = extents.size() >= 2;
  for (size_t axis = 0; isMatrix && axis + 2 < extents.size(); ++axis)
    isMatrix = constantValue(extents[axis]) == 1;
  if (!isMatrix) {
    check.fail(DiagId::OperandNoMatrix, check.operandName(operand), check.opName(),
               extentsText(extents));
    return std::nullopt;
  }
  return MatrixShape{extents[extents.size() - 2], extents.back()};
}

void requireEqual(OpCheck &check, llvm::StringRef axis, size_t first, const Expr *firstExtent,
                  size_t second, const Expr *secondExtent) {
  if (!mayBeEqual(firstExtent, secondExtent))
    check.fail(DiagId::GemmExtent, axis, check.operandName(first), *constantValue(firstExtent),
               check.operandName(second), *constantValue(secondExtent));
}

void checkShapes(OpCheck &check, const OpStmt &op) {
  std::optional<MatrixShape> a = matrixOf(check, 0);
  std::optional<MatrixShape> b = matrixOf(check, 1);
  std::optional<MatrixShape> c = matrixOf(check, 2);
  if (!a || !b || !c)
    return;
  if (op.attr(Attr::TransposeA))
    std::swap(a->rows, a->columns);
  if (op.attr(Attr::TransposeB))
    std::swap(b->rows, b->columns);
  requireEqual(check, "K", 0, a->columns, 1, b->rows);
  requireEqual(check, "M", 0, a->rows, 2, c->rows);
  requireEqual(check, "N", 1, b->columns, 2, c->columns);
}

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
  checkShapes(check, op);
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
  static const AttrInfo Attrs[] = {
      {Attr::TransposeA, AttrType::Bool},
      {Attr::TransposeB, AttrType::Bool},
      {Attr::Policy, AttrType::Name, static_cast<int64_t>(WarpPolicy::Square), Policies},
  };
  static const OpInfo Info{.operands = Operands,
                           .args = Args,
                           .attrs = Attrs,
                           .work = OpWork::MatrixMultiply,
                           .verify = verifyGemm};
  return Info;
}

} // namespace tilescope
