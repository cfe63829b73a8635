#include "core/ir/read_expr.h"

#include "core/ir/text_form.h"
#include "core/syntax/parser.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

std::optional<MathFn> mathNamed(llvm::StringRef name) {
#define MATH(Name, spelling, arity, typing)                                                        \
  if (name == (spelling))                                                                          \
    return MathFn::Name;
#include "core/ir/operators.def"
  return std::nullopt;
}

std::optional<BinaryOp> binaryOpFor(llvm::StringRef spelling) {
#define BINARY(Name, text, isPredicate)                                                            \
  if (spelling == (text))                                                                          \
    return BinaryOp::Name;
#include "core/ir/operators.def"
  return std::nullopt;
}

} // namespace

bool NameScope::declare(llvm::StringRef name, const Buffer *buffer) {
  return names_.try_emplace(name, Meaning{buffer, nullptr}).second;
}

bool NameScope::declare(llvm::StringRef name, const Var *var) {
  return names_.try_emplace(name, Meaning{nullptr, var}).second;
}

const Buffer *NameScope::buffer(llvm::StringRef name) const { return names_.lookup(name).buffer; }
const Var *NameScope::var(llvm::StringRef name) const { return names_.lookup(name).var; }

std::nullptr_t ExprReader::expected(const ast::Expr *at, llvm::StringRef what) {
  diagnostics_.report(DiagId::IrExpected, at->span, what);
  return nullptr;
}

const Expr *ExprReader::integer(int64_t value, DType dtype) {
  return context_.make<IntImm>(dtype, value);
}

const Expr *ExprReader::read(const ast::Expr *expr) {
  switch (expr->kind) {
  case ast::ExprKind::Name:
    return readName(llvm::cast<ast::NameExpr>(expr));
  case ast::ExprKind::Bool:
    return integer(llvm::cast<ast::BoolExpr>(expr)->value, DType::boolean());
  case ast::ExprKind::Int:
    return readInteger(expr);
  case ast::ExprKind::Float:
    return context_.make<FloatImm>(DType::float32(), llvm::cast<ast::FloatExpr>(expr)->value);
  case ast::ExprKind::Unary:
    return readUnary(llvm::cast<ast::UnaryExpr>(expr));
  case ast::ExprKind::Binary:
    return readBinary(llvm::cast<ast::BinaryExpr>(expr));
  case ast::ExprKind::BoolOp:
    return readBoolOp(llvm::cast<ast::BoolOpExpr>(expr));
  case ast::ExprKind::Compare:
    return readCompare(llvm::cast<ast::CompareExpr>(expr));
  case ast::ExprKind::Conditional:
    return readConditional(llvm::cast<ast::ConditionalExpr>(expr));
  case ast::ExprKind::Subscript:
    return readLoad(llvm::cast<ast::SubscriptExpr>(expr));
  case ast::ExprKind::Call:
    return readCall(expr);
  default:
    return expected(expr, "an expression of IR text");
  }
}

std::optional<ExprList> ExprReader::readAll(ast::ExprList exprs) {
  llvm::SmallVector<const Expr *> result;
  for (const ast::Expr *expr : exprs)
    if (const Expr *value = read(expr))
      result.push_back(value);
  if (result.size() != exprs.size())
    return std::nullopt;
  return context_.copy<const Expr *>(result);
}

const Buffer *ExprReader::readBuffer(const ast::Expr *expr) {
  const auto *name = llvm::dyn_cast<ast::NameExpr>(expr);
  if (!name)
    return expected(expr, "the name of a buffer");
  const Buffer *buffer = names_.buffer(name->name);
  if (!buffer)
    diagnostics_.report(DiagId::UnknownIrBuffer, expr->span, name->name);
  return buffer;
}

const Expr *ExprReader::readName(const ast::NameExpr *name) {
  const Var *var = names_.var(name->name);
  if (!var)
    diagnostics_.report(DiagId::UnknownIrVariable, name->span, name->name);
  return var;
}

const Expr *ExprReader::readInteger(const ast::Expr *expr) {
  if (std::optional<int64_t> value = integerLiteral(expr))
    return integer(*value);
  return expected(expr, "an integer of at most 64 bits");
}

// A minus right before a literal belongs to it.
const Expr *ExprReader::readUnary(const ast::UnaryExpr *unary) {
  if (unary->op == ast::UnaryOp::Plus)
    return expected(unary, "an expression of IR text");
  bool isMinus = unary->op == ast::UnaryOp::Negate;
  if (isMinus && llvm::isa<ast::IntExpr>(unary->operand))
    return readInteger(unary);
  if (std::optional<double> value = isMinus ? floatLiteral(unary) : std::nullopt)
    return context_.make<FloatImm>(DType::float32(), *value);
  const Expr *operand = read(unary->operand);
  if (!operand)
    return nullptr;
  const ast::CallExpr *call = asCallOfT(unary->operand);
  if (isMinus && call && nameInT(call->callee) == "infinity")
    return context_.make<FloatImm>(operand->dtype(), -llvm::cast<FloatImm>(operand)->value);
  UnaryOp op = isMinus                             ? UnaryOp::Negate
               : unary->op == ast::UnaryOp::Invert ? UnaryOp::BitNot
                                                   : UnaryOp::Not;
  return context_.make<Unary>(op, operand);
}

const Expr *ExprReader::readBinary(const ast::BinaryExpr *binary) {
  std::optional<BinaryOp> op = binaryOpFor(ast::spelling(binary->op));
  if (!op)
    return expected(binary, "an operator of IR text");
  const Expr *lhs = read(binary->lhs);
  const Expr *rhs = read(binary->rhs);
  return lhs && rhs ? context_.make<Binary>(*op, lhs, rhs) : nullptr;
}

const Expr *ExprReader::readBoolOp(const ast::BoolOpExpr *boolOp) {
  // One node of the syntax tree becomes a chain as long as its operands are many.
  if (boolOp->operands.size() > MaxExprDepth) {
    diagnostics_.report(DiagId::NestingTooDeep, boolOp->span, "expression", MaxExprDepth);
    return nullptr;
  }
  std::optional<ExprList> operands = readAll(boolOp->operands);
  if (!operands)
    return nullptr;
  BinaryOp op = boolOp->isAnd ? BinaryOp::And : BinaryOp::Or;
  const Expr *result = operands->front();
  for (const Expr *operand : operands->drop_front())
    result = context_.make<Binary>(op, result, operand);
  return result;
}

const Expr *ExprReader::readCompare(const ast::CompareExpr *compare) {
  std::optional<BinaryOp> op = binaryOpFor(ast::spelling(compare->ops[0]));
  if (!op || compare->ops.size() != 1)
    return expected(compare, "one comparison of two operands");
  const Expr *lhs = read(compare->operands[0]);
  const Expr *rhs = read(compare->operands[1]);
  return lhs && rhs ? context_.make<Binary>(*op, lhs, rhs) : nullptr;
}

const Expr *ExprReader::readConditional(const ast::ConditionalExpr *conditional) {
  const Expr *condition = read(conditional->condition);
  const Expr *whenTrue = read(conditional->then);
  const Expr *whenFalse = read(conditional->otherwise);
  if (!condition || !whenTrue || !whenFalse)
    return nullptr;
  return context_.make<Select>(condition, whenTrue, whenFalse);
}

const Expr *ExprReader::readLoad(const ast::SubscriptExpr *subscript) {
  std::optional<Element> element = readElement(subscript);
  if (!element)
    return nullptr;
  return context_.make<Load>(element->buffer->dtype, element->buffer->id, element->slot,
                             element->indices);
}

std::optional<ExprReader::Element> ExprReader::readElement(const ast::Expr *expr) {
  const auto *subscript = llvm::dyn_cast<ast::SubscriptExpr>(expr);
  if (!subscript) {
    expected(expr, "an element of a buffer");
    return std::nullopt;
  }
  Element element;
  element.buffer = readBuffer(subscript->object);
  std::optional<ExprList> all = readAll(elementsOf(subscript->index));
  if (!element.buffer || !all)
    return std::nullopt;
  bool hasSlot = element.buffer->versions > 1 && !all->empty();
  element.slot = hasSlot ? all->front() : nullptr;
  element.indices = all->drop_front(hasSlot ? 1 : 0);
  return element;
}

// ---- Calls --------------------------------------------------------------------------------------

const Expr *ExprReader::readCall(const ast::Expr *expr) {
  const ast::CallExpr *call = asCallOfT(expr);
  if (!call)
    return expected(expr, "a function of T");
  CallArgs args(*call, diagnostics_);
  llvm::StringRef name = args.name();
  if (std::optional<DType> dtype = typeNamed(name))
    return readTyped(*dtype, args);
  if (name == "cast" || name == spellingOf(MathFn::Reinterpret))
    return readCast(args, /*ofBits=*/name != "cast");
  if (std::optional<MathFn> fn = mathNamed(name))
    return readMath(*fn, args);
  if (name == "min" || name == "max")
    return readExtreme(name == "min" ? BinaryOp::Min : BinaryOp::Max, args);
  if (name == "infinity")
    return readFloatConstant(std::numeric_limits<double>::infinity(), args);
  if (name == "nan")
    return readFloatConstant(std::numeric_limits<double>::quiet_NaN(), args);
  if (name == "negate") {
    const ast::Expr *operand = args.takeRequired("operand");
    const Expr *value = operand ? read(operand) : nullptr;
    return args.finish() && value ? context_.make<Unary>(UnaryOp::Negate, value) : nullptr;
  }
  diagnostics_.report(DiagId::UnknownIrFunction, call->callee->span, name);
  return nullptr;
}

// T.int64(5) is a literal, T.int64(x) a cast.
const Expr *ExprReader::readTyped(DType dtype, CallArgs &args) {
  const ast::Expr *arg = args.takeRequired("value");
  if (!args.finish())
    return nullptr;
  std::optional<double> number = floatLiteral(arg);
  if (!number) {
    const Expr *operand = read(arg);
    return operand ? context_.make<Cast>(dtype, operand) : nullptr;
  }
  if (dtype.isFloat())
    return context_.make<FloatImm>(dtype, *number);
  if (std::optional<int64_t> value = integerLiteral(arg))
    return integer(*value, dtype);
  return expected(arg, "an integer");
}

const Expr *ExprReader::readCast(CallArgs &args, bool ofBits) {
  const ast::Expr *arg = args.takeRequired("value");
  const ast::Expr *type = args.takeRequired("dtype");
  if (!args.finish())
    return nullptr;
  const auto *name = llvm::dyn_cast<ast::StringExpr>(type);
  std::optional<DType> dtype = name ? typeNamed(name->value) : std::nullopt;
  if (!dtype)
    return expected(type, "the name of a type");
  const Expr *operand = read(arg);
  if (!operand)
    return nullptr;
  if (!ofBits)
    return context_.make<Cast>(*dtype, operand);
  return context_.make<Math>(MathFn::Reinterpret, *dtype, context_.copy<const Expr *>({operand}));
}

const Expr *ExprReader::readFloatConstant(double value, CallArgs &args) {
  const ast::Expr *type = args.takeRequired("dtype");
  if (!args.finish())
    return nullptr;
  const auto *name = llvm::dyn_cast<ast::StringExpr>(type);
  std::optional<DType> dtype = name ? typeNamed(name->value) : std::nullopt;
  if (!dtype || !dtype->isFloat())
    return expected(type, "the name of a floating-point type");
  return context_.make<FloatImm>(*dtype, value);
}

const Expr *ExprReader::readMath(MathFn fn, CallArgs &args) {
  static constexpr llvm::StringRef Names[] = {"x", "y", "z"};
  size_t arity = arityOf(fn);
  llvm::SmallVector<const Expr *> operands;
  for (size_t index = 0; index < arity; ++index)
    if (const ast::Expr *arg = args.takeRequired(Names[index]))
      if (const Expr *operand = read(arg))
        operands.push_back(operand);
  if (!args.finish() || operands.size() != arity)
    return nullptr;
  return context_.make<Math>(fn, context_.copy<const Expr *>(operands));
}

const Expr *ExprReader::readExtreme(BinaryOp op, CallArgs &args) {
  const ast::Expr *first = args.takeRequired("a");
  const ast::Expr *second = args.takeRequired("b");
  if (!args.finish())
    return nullptr;
  const Expr *lhs = read(first);
  const Expr *rhs = read(second);
  return lhs && rhs ? context_.make<Binary>(op, lhs, rhs) : nullptr;
}

// ---- Ranges -------------------------------------------------------------------------------------

std::optional<BufferRegion> ExprReader::readRegion(const ast::Expr *expr) {
  const auto *subscript = llvm::dyn_cast<ast::SubscriptExpr>(expr);
  const Buffer *buffer = readBuffer(subscript ? subscript->object : expr);
  if (!buffer)
    return std::nullopt;
  BufferRegion region{buffer->id, nullptr, {}, expr->span};
  llvm::SmallVector<Range> ranges;
  if (!subscript) {
    for (const Expr *extent : buffer->shape)
      ranges.push_back({integer(0, extent->dtype()), extent});
    region.ranges = context_.copy<Range>(ranges);
    return region;
  }
  ast::ExprList all = elementsOf(subscript->index);
  if (buffer->versions > 1 && !all.empty()) {
    region.slot = read(all.front());
    if (!region.slot)
      return std::nullopt;
    all = all.drop_front();
  }
  for (auto [axis, element] : llvm::enumerate(all)) {
    const Expr *axisExtent = axis < buffer->shape.size() ? buffer->shape[axis] : nullptr;
    std::optional<Range> range = readRange(element, axisExtent);
    if (!range)
      return std::nullopt;
    ranges.push_back(*range);
  }
  region.ranges = context_.copy<Range>(ranges);
  return region;
}

std::optional<Range> ExprReader::readRange(const ast::Expr *expr, const Expr *axisExtent) {
  if (const auto *slice = llvm::dyn_cast<ast::SliceExpr>(expr))
    return readSlice(slice, axisExtent);
  const ast::CallExpr *call = asCallOfT(expr);
  if (call && nameInT(call->callee) == "span")
    return readSpan(*call);
  const Expr *index = read(expr);
  if (!index)
    return std::nullopt;
  return Range{index, integer(1, index->dtype())};
}

// A missing start is 0, a missing stop the end of the axis.
std::optional<Range> ExprReader::readSlice(const ast::SliceExpr *slice, const Expr *axisExtent) {
  if (slice->step || (!slice->stop && !axisExtent)) {
    expected(slice, "a range 'start:stop'");
    return std::nullopt;
  }
  const Expr *stop = slice->stop ? read(slice->stop) : axisExtent;
  if (!stop)
    return std::nullopt;
  const Expr *start = slice->start ? read(slice->start) : integer(0, stop->dtype());
  if (!start)
    return std::nullopt;
  return Range{start, extentFromStop(context_, start, stop)};
}

std::optional<Range> ExprReader::readSpan(const ast::CallExpr &call) {
  CallArgs args(call, diagnostics_);
  const ast::Expr *min = args.takeRequired("min");
  const ast::Expr *extent = args.takeRequired("extent");
  if (!args.finish())
    return std::nullopt;
  Range range{read(min), read(extent)};
  return range.min && range.extent ? std::optional(range) : std::nullopt;
}

std::optional<Range> ExprReader::readBounds(CallArgs &args) {
  const ast::Expr *first = args.takeRequired("stop");
  const ast::Expr *second = first ? args.takePositional() : nullptr;
  if (!first)
    return std::nullopt;
  const ast::CallExpr *call = asCallOfT(first);
  if (!second && call && nameInT(call->callee) == "span")
    return readSpan(*call);
  const Expr *start = read(first);
  const Expr *stop = second ? read(second) : start;
  if (!start || !stop)
    return std::nullopt;
  if (!second)
    start = integer(0, stop->dtype());
  return Range{start, extentFromStop(context_, start, stop)};
}

} // namespace tilescope
