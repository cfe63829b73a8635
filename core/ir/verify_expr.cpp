#include "core/ir/verify_expr.h"

#include "core/ir/visit.h"

namespace tilescope {

namespace {

bool isValueOf(DType dtype, int64_t value) {
  if (dtype.isBool())
    return value == 0 || value == 1;
  // A uint64 above the largest int64 is kept as its bits.
  if (dtype.bits >= 64)
    return true;
  if (dtype.isUnsigned())
    return value >= 0 && value < (int64_t{1} << dtype.bits);
  int64_t limit = int64_t{1} << (dtype.bits - 1);
  return value >= -limit && value < limit;
}

bool isLogical(BinaryOp op) { return op == BinaryOp::And || op == BinaryOp::Or; }

bool areBits(BinaryOp op) {
  switch (op) {
  case BinaryOp::FloorDiv:
  case BinaryOp::FloorMod:
  case BinaryOp::BitAnd:
  case BinaryOp::BitOr:
  case BinaryOp::BitXor:
  case BinaryOp::ShiftLeft:
  case BinaryOp::ShiftRight:
    return true;
  default:
    return false;
  }
}

} // namespace

bool ExprVerifier::bind(const Var *var) {
  inScope_.insert(var);
  if (boundOnce_.insert(var).second)
    return true;
  fail(DiagId::VariableBoundTwice, var->name, var->id.value);
  return false;
}

void ExprVerifier::check(const Expr *expr) {
  if (!expr) {
    fail(DiagId::MissingExpression);
    return;
  }
  forEachChild(expr, [&](const Expr *child) { check(child); });
  checkNode(expr);
}

void ExprVerifier::checkInteger(const Expr *expr, llvm::StringRef what) {
  check(expr);
  if (expr && !expr->dtype().isInteger())
    fail(DiagId::ExprNoInteger, what, expr->dtype().name());
}

void ExprVerifier::checkType(const Expr *expr, DType dtype, llvm::StringRef what) {
  check(expr);
  if (expr && expr->dtype() != dtype)
    fail(DiagId::ExprType, what, expr->dtype().name(), dtype.name());
}

void ExprVerifier::checkNode(const Expr *expr) {
  switch (expr->kind()) {
  case ExprKind::IntImm:
    return checkLiteral(llvm::cast<IntImm>(expr));
  case ExprKind::FloatImm:
    if (!expr->dtype().isFloat())
      fail(DiagId::LiteralRange, llvm::cast<FloatImm>(expr)->value, expr->dtype().name());
    return;
  case ExprKind::Var:
    if (!inScope_.contains(llvm::cast<Var>(expr)))
      fail(DiagId::UnboundVariable, llvm::cast<Var>(expr)->name, llvm::cast<Var>(expr)->id.value);
    return;
  case ExprKind::Unary:
    return checkUnary(llvm::cast<Unary>(expr));
  case ExprKind::Binary:
    return checkBinary(llvm::cast<Binary>(expr));
  case ExprKind::Cast:
    return;
  case ExprKind::Select:
    return checkSelect(llvm::cast<Select>(expr));
  case ExprKind::Load: {
    const auto *load = llvm::cast<Load>(expr);
    checkElement(load->buffer, load->slot, load->indices);
    const Buffer *buffer = function_.findBuffer(load->buffer);
    if (buffer && buffer->dtype != load->dtype())
      fail(DiagId::ExprType, "a load of '" + buffer->name.str() + "'", load->dtype().name(),
           buffer->dtype.name());
    return;
  }
  case ExprKind::Math:
    return checkMath(llvm::cast<Math>(expr));
  }
}

void ExprVerifier::checkLiteral(const IntImm *imm) {
  if (imm->dtype().isFloat() || !isValueOf(imm->dtype(), imm->value))
    fail(DiagId::LiteralRange, imm->value, imm->dtype().name());
}

void ExprVerifier::checkUnary(const Unary *unary) {
  DType dtype = unary->operand->dtype();
  bool isLegal = unary->op == UnaryOp::Not      ? dtype.isBool()
                 : unary->op == UnaryOp::BitNot ? dtype.isInteger()
                                                : !dtype.isBool();
  if (!isLegal)
    fail(DiagId::OperatorType, spellingOf(unary->op), dtype.name());
}

void ExprVerifier::checkBinary(const Binary *binary) {
  DType dtype = binary->lhs->dtype();
  if (dtype != binary->rhs->dtype()) {
    fail(DiagId::OperatorTypesDiffer, spellingOf(binary->op), dtype.name(),
         binary->rhs->dtype().name());
    return;
  }
  bool isEquality = binary->op == BinaryOp::Equal || binary->op == BinaryOp::NotEqual;
  bool isLegal = isLogical(binary->op)         ? dtype.isBool()
                 : areBits(binary->op)         ? dtype.isInteger()
                 : binary->op == BinaryOp::Div ? dtype.isFloat()
                                               : isEquality || !dtype.isBool();
  if (!isLegal)
    fail(DiagId::OperatorType, spellingOf(binary->op), dtype.name());
}

void ExprVerifier::checkSelect(const Select *select) {
  if (!select->condition->dtype().isBool())
    fail(DiagId::ExprType, "a condition", select->condition->dtype().name(), "bool");
  if (select->whenTrue->dtype() != select->whenFalse->dtype())
    fail(DiagId::OperatorTypesDiffer, "if else", select->whenTrue->dtype().name(),
         select->whenFalse->dtype().name());
}

// Those that are rounded as they say are not for types that are computed with as floats.
static bool hasFunction(MathFn fn, DType dtype) {
  llvm::StringRef spelling = spellingOf(fn);
  bool isOneOfFloat = fn == MathFn::IeeeRsqrt || fn == MathFn::FastRcp;
  if (isOneOfFloat && dtype.bits == 64)
    return false;
  if (isOneOfFloat || !spelling.starts_with("ieee_") || dtype.bits >= 32)
    return true;
  return dtype.bits == 16 && spelling.ends_with("_rn");
}

// Whether the function takes numbers of the type, and its node has the type that it gives.
static bool takesType(const Math &math, DType dtype) {
  switch (typingOf(math.fn)) {
  case MathTyping::Real:
    return dtype.isFloat() && math.dtype() == dtype && hasFunction(math.fn, dtype);
  case MathTyping::Test:
    return dtype.isFloat() && math.dtype().isBool();
  case MathTyping::Number:
    return !dtype.isBool() && math.dtype() == dtype;
  case MathTyping::Integer:
  case MathTyping::Count:
    return dtype.isInteger() && dtype.bits >= 8 && math.dtype() == mathResult(math.fn, dtype);
  case MathTyping::Bits:
    return !dtype.isBool() && !math.dtype().isBool() && dtype.bits >= 8 &&
           dtype.bits == math.dtype().bits;
  }
  return false;
}

void ExprVerifier::checkMath(const Math *math) {
  DType dtype = math->args.front()->dtype();
  for (const Expr *arg : math->args)
    if (arg->dtype() != dtype)
      fail(DiagId::OperatorTypesDiffer, spellingOf(math->fn), dtype.name(), arg->dtype().name());
  if (!takesType(*math, dtype))
    fail(DiagId::OperatorType, spellingOf(math->fn), dtype.name());
}

// ---- Accesses -----------------------------------------------------------------------------------

const Buffer *ExprVerifier::checkAccess(BufferId id, const Expr *slot, size_t rank) {
  const Buffer *buffer = function_.findBuffer(id);
  if (!buffer) {
    fail(DiagId::UndeclaredBuffer, id.value, function_.name);
    return nullptr;
  }
  if (slot != nullptr && buffer->versions == 1)
    fail(DiagId::SurplusSlot, buffer->name);
  else if (slot == nullptr && buffer->versions > 1)
    fail(DiagId::MissingSlot, buffer->name, buffer->versions);
  else if (rank != buffer->shape.size())
    fail(DiagId::AccessRank, buffer->name, buffer->shape.size(), rank);
  else
    return buffer;
  return nullptr;
}

void ExprVerifier::checkElement(BufferId id, const Expr *slot, ExprList indices) {
  checkAccess(id, slot, indices.size());
  if (slot && !slot->dtype().isInteger())
    fail(DiagId::ExprNoInteger, "the slot", slot->dtype().name());
  for (const Expr *index : indices)
    if (!index->dtype().isInteger())
      fail(DiagId::ExprNoInteger, "an index", index->dtype().name());
}

bool ExprVerifier::checkRegion(const BufferRegion &region) {
  if (region.slot)
    checkInteger(region.slot, "the slot");
  for (const Range &range : region.ranges) {
    checkInteger(range.min, "an index");
    checkInteger(range.extent, "an extent");
  }
  return checkAccess(region.buffer, region.slot, region.ranges.size()) != nullptr;
}

} // namespace tilescope
