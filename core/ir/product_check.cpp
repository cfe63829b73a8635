#include "core/ir/product_check.h"

#include "core/ir/build.h"
#include "core/ir/op_facts.h"

namespace tilescope {

namespace {

struct MatrixShape {
  const Expr *rows = nullptr;
  const Expr *columns = nullptr;
};

std::optional<MatrixShape> matrixOf(OpCheck &check, size_t operand, bool isTransposed) {
  llvm::SmallVector<const Expr *> extents = check.extents(operand);
  bool isMatrix = extents.size() >= 2;
  for (size_t axis = 0; isMatrix && axis + 2 < extents.size(); ++axis)
    isMatrix = constantValue(extents[axis]) == 1;
  if (!isMatrix) {
    check.fail(DiagId::OperandNoMatrix, check.operandName(operand), check.opName(),
               extentsText(extents));
    return std::nullopt;
  }
  MatrixShape shape{extents[extents.size() - 2], extents.back()};
  if (isTransposed)
    std::swap(shape.rows, shape.columns);
  return shape;
}

// That the extent of one operand, `share` times, is that of another.
void requireEqual(OpCheck &check, llvm::StringRef axis, size_t first, const Expr *firstExtent,
                  size_t second, const Expr *secondExtent, int64_t share = 1) {
  std::optional<int64_t> a = constantValue(firstExtent), b = constantValue(secondExtent);
  bool areEqual = share == 1 ? mayBeEqual(firstExtent, secondExtent) : !a || !b || *a * share == *b;
  if (!areEqual)
    check.fail(DiagId::GemmExtent, axis, check.operandName(first), *a * share,
               check.operandName(second), *b);
}

// Elements along K for each word of e: four bits a group.
int64_t elementsOfWord(DType kept, DType word) { return word.bits / 4 * groupOfKept(kept); }

} // namespace

bool isSparseProduct(DType operand, DType accumulator) {
  if (operand == DType::float16() && accumulator == DType::float16())
    return true;
  if (operand == DType::float16() || operand == DType::bfloat16() || operand == DType::float32())
    return accumulator == DType::float32();
  return operand.isInteger() && operand.bits == 8 && accumulator == DType::int32();
}

void checkProductShapes(OpCheck &check, const OpStmt &op) {
  std::optional<MatrixShape> a = matrixOf(check, 0, op.attr(Attr::TransposeA));
  std::optional<MatrixShape> b = matrixOf(check, 1, op.attr(Attr::TransposeB));
  std::optional<MatrixShape> c = matrixOf(check, 2, false);
  if (!a || !b || !c)
    return;
  bool isSparse = keepsHalves(op);
  requireEqual(check, "K", 0, a->columns, 1, b->rows, isSparse ? 2 : 1);
  requireEqual(check, "M", 0, a->rows, 2, c->rows);
  requireEqual(check, "N", 1, b->columns, 2, c->columns);
  std::optional<MatrixShape> e =
      isSparse ? matrixOf(check, 3, op.attr(Attr::TransposeE)) : std::nullopt;
  if (!e)
    return;
  requireEqual(check, "M", 3, e->rows, 2, c->rows);
  requireEqual(check, "K", 3, e->columns, 1, b->rows,
               elementsOfWord(check.buffer(0).dtype, check.buffer(3).dtype));
}

} // namespace tilescope
