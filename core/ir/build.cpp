#include "core/ir/build.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

int64_t floorDivide(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

std::optional<int64_t> foldArithmetic(BinaryOp op, int64_t a, int64_t b) {
  int64_t result = 0;
  switch (op) {
  case BinaryOp::Add:
    return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  case BinaryOp::Sub:
    return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  case BinaryOp::Mul:
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  case BinaryOp::FloorDiv:
    if (b == 0 || b == -1)
      return std::nullopt;
    return floorDivide(a, b);
  case BinaryOp::FloorMod:
    if (b == 0 || b == -1)
      return std::nullopt;
    return a - floorDivide(a, b) * b;
  case BinaryOp::Min:
    return std::min(a, b);
  case BinaryOp::Max:
    return std::max(a, b);
  case BinaryOp::Equal:
    return a == b;
  case BinaryOp::NotEqual:
    return a != b;
  case BinaryOp::Less:
    return a < b;
  case BinaryOp::LessEqual:
    return a <= b;
  case BinaryOp::Greater:
    return a > b;
  case BinaryOp::GreaterEqual:
    return a >= b;
  case BinaryOp::And:
    return a && b;
  case BinaryOp::Or:
    return a || b;
  default:
    return std::nullopt;
  }
}

// Whether a value can be held by an integer type, so that folding does not hide a wrap.
bool fits(int64_t value, DType dtype) {
  if (dtype.isBool())
    return value == 0 || value == 1;
  if (dtype.bits >= 64)
    return !dtype.isUnsigned() || value >= 0;
  if (dtype.isUnsigned())
    return value >= 0 && value < (int64_t{1} << dtype.bits);
  int64_t limit = int64_t{1} << (dtype.bits - 1);
  return value >= -limit && value < limit;
}

// x + 0, x - 0, x * 1, 0 + x, 1 * x, x * 0, x // 1, x % 1; null if none applies.
const Expr *foldNeutral(Builder &builder, BinaryOp op, const Expr *lhs, const Expr *rhs) {
  std::optional<int64_t> a = constantValue(lhs);
  std::optional<int64_t> b = constantValue(rhs);
  switch (op) {
  case BinaryOp::Add:
    return b == 0 ? lhs : a == 0 ? rhs : nullptr;
  case BinaryOp::Sub:
    return b == 0 ? lhs : nullptr;
  case BinaryOp::Mul:
    if (a == 0 || b == 0)
      return builder.integer(0, lhs->dtype());
    return b == 1 ? lhs : a == 1 ? rhs : nullptr;
  case BinaryOp::FloorDiv:
    return b == 1 ? lhs : nullptr;
  case BinaryOp::FloorMod:
    return b == 1 ? builder.integer(0, lhs->dtype()) : nullptr;
  case BinaryOp::And:
    return b == 1 ? lhs : a == 1 ? rhs : nullptr;
  case BinaryOp::Or:
    return b == 0 ? lhs : a == 0 ? rhs : nullptr;
  default:
    return nullptr;
  }
}

} // namespace

std::optional<int64_t> constantValue(const Expr *expr) {
  if (const auto *imm = llvm::dyn_cast_or_null<IntImm>(expr))
    return imm->value;
  return std::nullopt;
}

const IntImm *Builder::integer(int64_t value, DType dtype) {
  return context_.make<IntImm>(dtype, value);
}

const IntImm *Builder::boolean(bool value) {
  return context_.make<IntImm>(DType::boolean(), value);
}

const FloatImm *Builder::floating(double value, DType dtype) {
  return context_.make<FloatImm>(dtype, value);
}

const Var *Builder::var(llvm::StringRef name, DType dtype) {
  return context_.make<Var>(context_.nextVarId(), context_.intern(name), dtype);
}

const Expr *Builder::unary(UnaryOp op, const Expr *operand) {
  if (std::optional<int64_t> value = constantValue(operand)) {
    if (op == UnaryOp::Not)
      return boolean(!*value);
    if (op == UnaryOp::Negate && operand->dtype().isInteger() && fits(-*value, operand->dtype()))
      return integer(-*value, operand->dtype());
  }
  if (const auto *imm = llvm::dyn_cast<FloatImm>(operand); imm && op == UnaryOp::Negate)
    return floating(-imm->value, imm->dtype());
  return context_.make<Unary>(op, operand);
}

const Expr *Builder::binary(BinaryOp op, const Expr *lhs, const Expr *rhs) {
  assert(lhs->dtype() == rhs->dtype() && "operands of one type");
  std::optional<int64_t> a = constantValue(lhs);
  std::optional<int64_t> b = constantValue(rhs);
  if (a && b) {
    DType dtype = isPredicate(op) ? DType::boolean() : lhs->dtype();
    if (std::optional<int64_t> folded = foldArithmetic(op, *a, *b); folded && fits(*folded, dtype))
      return integer(*folded, dtype);
  }
  if (!lhs->dtype().isFloat())
    if (const Expr *folded = foldNeutral(*this, op, lhs, rhs))
      return folded;
  return context_.make<Binary>(op, lhs, rhs);
}

const Expr *Builder::logicalAnd(const Expr *lhs, const Expr *rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return binary(BinaryOp::And, lhs, rhs);
}

const Expr *Builder::cast(DType dtype, const Expr *operand) {
  if (operand->dtype() == dtype)
    return operand;
  if (std::optional<int64_t> value = constantValue(operand)) {
    if (dtype.isFloat())
      return floating(static_cast<double>(*value), dtype);
    if (fits(*value, dtype))
      return integer(*value, dtype);
  }
  if (const auto *imm = llvm::dyn_cast<FloatImm>(operand); imm && dtype.isFloat())
    return floating(imm->value, dtype);
  return context_.make<Cast>(dtype, operand);
}

const Expr *Builder::select(const Expr *condition, const Expr *whenTrue, const Expr *whenFalse) {
  assert(whenTrue->dtype() == whenFalse->dtype() && "both sides of one type");
  if (std::optional<int64_t> value = constantValue(condition))
    return *value ? whenTrue : whenFalse;
  return context_.make<Select>(condition, whenTrue, whenFalse);
}

const Expr *Builder::load(const Buffer &buffer, const Expr *slot, ExprList indices) {
  return context_.make<Load>(buffer.dtype, buffer.id, slot, context_.copy(indices));
}

const Expr *Builder::math(MathFn fn, ExprList args) {
  return context_.make<Math>(fn, context_.copy(args));
}

const Expr *Builder::reinterpret(DType dtype, const Expr *operand) {
  if (operand->dtype() == dtype)
    return operand;
  return context_.make<Math>(MathFn::Reinterpret, dtype, context_.copy<const Expr *>({operand}));
}

StmtInfo Builder::fresh(const Span &span) {
  StmtId id = context_.nextStmtId();
  return {id, id, StmtId(), placeOf(span)};
}

StmtInfo Builder::lowered(const Stmt &from) {
  return {context_.nextStmtId(), from.anchor(), from.id(), from.span()};
}

StmtInfo Builder::cloned(const Stmt &from) {
  StmtId id = context_.nextStmtId();
  return {id, id, from.id(), from.span()};
}

const Stmt *Builder::seq(const StmtInfo &info, StmtList stmts) {
  llvm::SmallVector<const Stmt *> flat;
  for (const Stmt *stmt : stmts) {
    if (const auto *inner = llvm::dyn_cast<Seq>(stmt))
      flat.append(inner->stmts.begin(), inner->stmts.end());
    else
      flat.push_back(stmt);
  }
  if (flat.size() == 1)
    return flat.front();
  return context_.make<Seq>(info, context_.copy<const Stmt *>(flat));
}

const Stmt *Builder::role(const StmtInfo &info, const Role &like, const Stmt *body) {
  return context_.make<Role>(info, like.condition, body, like.threadVar, like.firstThread,
                             like.threads, like.registers, like.name);
}

const Stmt *Builder::role(const StmtInfo &info, const Var *threadVar, int64_t firstThread,
                          int64_t threads, const Stmt *body, int64_t registers,
                          llvm::StringRef name) {
  const Expr *isBelow = less(threadVar, integer(firstThread + threads, threadVar->dtype()));
  const Expr *isThere = firstThread == 0 ? nullptr
                                         : binary(BinaryOp::GreaterEqual, threadVar,
                                                  integer(firstThread, threadVar->dtype()));
  return context_.make<Role>(info, logicalAnd(isThere, isBelow), body, threadVar, firstThread,
                             threads, registers, context_.intern(name));
}

const Stmt *Builder::op(const StmtInfo &info, Op op, llvm::ArrayRef<BufferRegion> regions,
                        ExprList args, llvm::ArrayRef<std::pair<Attr, int64_t>> attrs) {
  const OpInfo &declared = infoOf(op);
  llvm::SmallVector<int64_t> values;
  for (const AttrInfo &attr : declared.attrs)
    values.push_back(attr.defaultValue);
  for (auto [attr, value] : attrs)
    values[declared.indexOf(attr)] = value;
  llvm::SmallVector<const Expr *> padded(args);
  if (!declared.isVariadic)
    padded.resize(declared.args.size(), nullptr);
  llvm::SmallVector<BufferRegion> operands(regions);
  for (BufferRegion &region : operands)
    region.span = placeOf(region.span);
  return context_.make<OpStmt>(info, op, context_.copy<BufferRegion>(operands),
                               context_.copy<const Expr *>(padded), context_.copy<int64_t>(values));
}

BufferRegion Builder::region(BufferId buffer, const Expr *slot, llvm::ArrayRef<Range> ranges,
                             Span span) {
  return {buffer, slot, context_.copy(ranges), span};
}

const Function *withBody(Context &context, const Function &function, const Stmt *body) {
  if (body == function.body)
    return &function;
  Function changed = function;
  changed.body = body;
  return context.make<Function>(changed);
}

const Function *withBuffers(Context &context, const Function &function,
                            llvm::ArrayRef<const Buffer *> buffers) {
  llvm::SmallVector<const Buffer *> sorted(buffers);
  llvm::sort(sorted, [](const Buffer *a, const Buffer *b) { return a->id < b->id; });
  if (llvm::ArrayRef<const Buffer *>(sorted) == function.buffers)
    return &function;
  Function changed = function;
  changed.buffers = context.copy<const Buffer *>(sorted);
  return context.make<Function>(changed);
}

const Function *withProperties(Context &context, const Function &function, PropertySet properties) {
  if (properties == function.properties)
    return &function;
  Function changed = function;
  changed.properties = properties;
  return context.make<Function>(changed);
}

const Module *withFunctions(const Module &module, llvm::ArrayRef<const Function *> functions) {
  if (functions == module.functions)
    return &module;
  Module changed = module;
  changed.functions = module.context->copy(functions);
  return module.context->make<Module>(changed);
}

} // namespace tilescope
