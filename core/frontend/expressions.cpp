// Evaluates expressions.
#include "core/frontend/interpreter.h"

#include "llvm/ADT/ScopeExit.h"

namespace tilescope::frontend {

Value Interpreter::evalIn(Env *env, const ast::Expr *expr) {
  Env *saved = std::exchange(env_, env);
  Value value = eval(expr);
  env_ = saved;
  return value;
}

Value Interpreter::eval(const ast::Expr *expr) {
  if (!step(expr->span))
    return Value();
  if (depth_ >= MaxEvalDepth)
    return failForGood(DiagId::EvalTooDeep, expr->span, MaxEvalDepth);
  ++depth_;
  Value value = evalExpression(expr);
  --depth_;
  // The error behind a poisoned value is reported already.
  return value.is(ValueKind::Poison) ? Value() : value;
}

// flat table
Value Interpreter::evalExpression(const ast::Expr *expr) {
  using ast::ExprKind;
  switch (expr->kind) {
  case ExprKind::Name:
    return evalName(*llvm::cast<ast::NameExpr>(expr));
  case ExprKind::None:
    return Value::none();
  case ExprKind::Bool:
    return Value::boolean(llvm::cast<ast::BoolExpr>(expr)->value);
  case ExprKind::Int:
    return evalInt(*llvm::cast<ast::IntExpr>(expr));
  case ExprKind::Float:
    return Value::floating(llvm::cast<ast::FloatExpr>(expr)->value);
  case ExprKind::String:
    return string(llvm::cast<ast::StringExpr>(expr)->value.str());
  case ExprKind::Ellipsis:
    return Value::ellipsis();
  case ExprKind::FString:
    return evalFString(*llvm::cast<ast::FStringExpr>(expr));
  case ExprKind::Tuple:
  case ExprKind::List:
  case ExprKind::Set:
    return evalSequence(*expr);
  case ExprKind::Dict:
    return evalDict(*llvm::cast<ast::DictExpr>(expr));
  case ExprKind::Unary:
    return evalUnary(*llvm::cast<ast::UnaryExpr>(expr));
  case ExprKind::Binary:
    return evalBinary(*llvm::cast<ast::BinaryExpr>(expr));
  case ExprKind::BoolOp:
    return evalBoolOp(*llvm::cast<ast::BoolOpExpr>(expr));
  case ExprKind::Compare:
    return evalCompare(*llvm::cast<ast::CompareExpr>(expr));
  case ExprKind::Conditional:
    return evalConditional(*llvm::cast<ast::ConditionalExpr>(expr));
  case ExprKind::Lambda:
    return makeLambda(*llvm::cast<ast::LambdaExpr>(expr));
  case ExprKind::Comprehension:
    return evalComprehension(*llvm::cast<ast::ComprehensionExpr>(expr));
  case ExprKind::Call:
    return evalCall(*llvm::cast<ast::CallExpr>(expr));
  case ExprKind::Attribute:
    return evalAttribute(*llvm::cast<ast::AttributeExpr>(expr));
  case ExprKind::Subscript:
    return evalSubscript(*llvm::cast<ast::SubscriptExpr>(expr));
  case ExprKind::Slice:
  case ExprKind::Starred:
    return fail(DiagId::NotSupportedYet, expr->span, "this use of '*' or ':'");
  case ExprKind::Walrus:
    return evalWalrus(*llvm::cast<ast::WalrusExpr>(expr));
  }
  return Value();
}

Value Interpreter::evalName(const ast::NameExpr &name) {
  Value value = lookUp(name.name, name.span);
  if (!env_ || !env_->isKernel)
    return value;
  if (value.isExpr()) {
    const auto *var = llvm::dyn_cast<Var>(value.asExpr());
    if (var && kernel_ && !kernel_->isVisible(var))
      return fail(DiagId::VariableOutOfScope, name.span, name.name);
  }
  return loadVariable(value);
}

// A mutable variable stands for its value wherever it is read.
Value Interpreter::loadVariable(Value value) {
  const auto *buffer = value.as<BufferObject>();
  if (buffer && buffer->draft.scope == Scope::LocalVar)
    return Value::expr(ir().load(buffer->draft, nullptr, {ir().integer(0)}));
  const auto *region = value.as<RegionObject>();
  if (!region || !region->isReference)
    return value;
  llvm::SmallVector<const Expr *> indices;
  for (const Axis &axis : region->axes)
    indices.push_back(axis.start);
  return Value::expr(ir().load(region->buffer->draft, nullptr, indices));
}

Value Interpreter::evalInt(const ast::IntExpr &literal) {
  if (literal.fits && literal.magnitude <= static_cast<uint64_t>(INT64_MAX))
    return Value::integer(static_cast<int64_t>(literal.magnitude));
  std::string digits = literal.text.lower();
  llvm::erase(digits, '_');
  llvm::StringRef rest = digits;
  unsigned radix = rest.consume_front("0x")   ? 16
                   : rest.consume_front("0o") ? 8
                   : rest.consume_front("0b") ? 2
                                              : 10;
  return integerOf(rest, radix, literal.span);
}

bool Interpreter::evalElements(ast::ExprList elements, Values &out) {
  for (const ast::Expr *element : elements) {
    if (const auto *starred = llvm::dyn_cast<ast::StarredExpr>(element)) {
      Value items = eval(starred->value);
      auto add = [&](Value item) {
        out.push_back(item);
        return true;
      };
      if (!items || !forEach(items, element->span, add))
        return false;
      continue;
    }
    Value value = eval(element);
    if (!value)
      return false;
    out.push_back(value);
  }
  return true;
}

Value Interpreter::evalSequence(const ast::Expr &expr) {
  Values items;
  if (const auto *tuple = llvm::dyn_cast<ast::TupleExpr>(&expr))
    return evalElements(tuple->elements, items) ? heap_.tuple(std::move(items)) : Value();
  if (const auto *list = llvm::dyn_cast<ast::ListExpr>(&expr))
    return evalElements(list->elements, items) ? heap_.list(std::move(items)) : Value();
  if (!evalElements(llvm::cast<ast::SetExpr>(expr).elements, items))
    return Value();
  return makeSet(items, expr.span);
}

Value Interpreter::makeSet(const Values &items, Span span) {
  auto *set = heap_.make<SetObject>();
  for (const Value &item : items)
    if (!addToSet(*set, item, span))
      return Value();
  return set;
}

bool Interpreter::addToSet(SetObject &set, Value item, Span span) {
  if (!isHashable(item))
    return failed(DiagId::NotHashable, span, phraseFor(item));
  for (const Value &other : set.items)
    if (areEqual(other, item))
      return true;
  set.items.push_back(item);
  heap_.charge(sizeof(Value));
  return true;
}

bool Interpreter::setItem(DictObject &dict, Value key, Value value, Span span) {
  if (!isHashable(key))
    return failed(DiagId::NotHashable, span, phraseFor(key));
  if (Value *slot = findItem(dict, key)) {
    *slot = value;
    return true;
  }
  dict.items.push_back({key, value});
  heap_.charge(2 * sizeof(Value));
  return true;
}

Value *Interpreter::findItem(DictObject &dict, const Value &key) {
  // Dicts of kernels are small; a long search costs steps.
  for (auto &[other, value] : dict.items)
    if (areEqual(other, key))
      return &value;
  return nullptr;
}

Value Interpreter::evalDict(const ast::DictExpr &expr) {
  auto *dict = heap_.make<DictObject>();
  for (const ast::DictItem &item : expr.items) {
    Value key = item.key ? eval(item.key) : Value::none();
    Value value = key ? eval(item.value) : Value();
    if (!value)
      return Value();
    if (item.key) {
      if (!setItem(*dict, key, value, item.key->span))
        return Value();
      continue;
    }
    auto *other = value.as<DictObject>();
    if (!other)
      return fail(DiagId::WrongType, item.value->span, "a dict behind '**'", phraseFor(value));
    for (const auto &[otherKey, otherValue] : other->items)
      setItem(*dict, otherKey, otherValue, item.value->span);
  }
  return dict;
}

Value Interpreter::evalUnary(const ast::UnaryExpr &expr) {
  Value operand = eval(expr.operand);
  if (!operand)
    return Value();
  return unary(expr.op, operand, expr.span);
}

Value Interpreter::evalBinary(const ast::BinaryExpr &expr) {
  Value lhs = eval(expr.lhs);
  Value rhs = lhs ? eval(expr.rhs) : Value();
  return rhs ? binary(expr.op, lhs, rhs, expr.span) : Value();
}

// Python values decide at once and give the operand itself; expressions build `and` and `or`.
Value Interpreter::evalBoolOp(const ast::BoolOpExpr &expr) {
  Value result;
  for (const ast::Expr *operand : expr.operands) {
    Value value = eval(operand);
    if (!value)
      return Value();
    bool isCondition = value.isExpr();
    if (result && result.isExpr()) {
      const Expr *lhs = toCondition(result, expr.span);
      const Expr *rhs = toCondition(value, operand->span);
      if (!lhs || !rhs)
        return Value();
      result =
          fromExpr(ir().binary(expr.isAnd ? BinaryOp::And : BinaryOp::Or, lhs, rhs), expr.span);
    } else {
      result = value;
    }
    if (isCondition || result.isExpr())
      continue;
    std::optional<bool> truth = truthOf(result, operand->span);
    if (!truth)
      return Value();
    if (*truth != expr.isAnd)
      return result;
  }
  return result;
}

Value Interpreter::evalCompare(const ast::CompareExpr &expr) {
  Value result;
  Value lhs = eval(expr.operands[0]);
  for (size_t i = 0; lhs && i < expr.ops.size(); ++i) {
    Value rhs = eval(expr.operands[i + 1]);
    Value link = rhs ? compare(expr.ops[i], lhs, rhs, expr.span) : Value();
    if (!link)
      return Value();
    if (result && (result.isExpr() || link.isExpr())) {
      result = fromExpr(
          ir().logicalAnd(toCondition(result, expr.span), toCondition(link, expr.span)), expr.span);
    } else {
      result = link;
    }
    if (!result || (result.isBool() && !result.asBool()))
      return result;
    lhs = rhs;
  }
  return lhs ? result : Value();
}

Value Interpreter::evalConditional(const ast::ConditionalExpr &expr) {
  Value condition = eval(expr.condition);
  if (!condition)
    return Value();
  if (!condition.isExpr()) {
    std::optional<bool> truth = truthOf(condition, expr.condition->span);
    if (!truth)
      return Value();
    return eval(*truth ? expr.then : expr.otherwise);
  }
  if (!requireKernelCode(expr.condition->span))
    return Value();
  Value then = eval(expr.then);
  Value otherwise = then ? eval(expr.otherwise) : Value();
  if (!otherwise)
    return Value();
  return select(condition, then, otherwise, expr.span);
}

Value Interpreter::evalAttribute(const ast::AttributeExpr &expr) {
  Value object = eval(expr.object);
  return object ? attribute(object, expr.name, expr.span) : Value();
}

Value Interpreter::evalSubscript(const ast::SubscriptExpr &expr) {
  // `v[0]` of a mutable variable is the variable, not an element of its value.
  Value object;
  if (const auto *name = llvm::dyn_cast<ast::NameExpr>(expr.object))
    if (BufferObject *variable = variableNamed(name->name))
      object = variable;
  if (!object)
    object = eval(expr.object);
  Value index = object ? evalIndex(*expr.index) : Value();
  return index ? subscript(object, index, expr.span) : Value();
}

// Slices are values only here.
Value Interpreter::evalIndex(const ast::Expr &index) {
  if (const auto *slice = llvm::dyn_cast<ast::SliceExpr>(&index)) {
    Value parts[3];
    const ast::Expr *sources[3] = {slice->start, slice->stop, slice->step};
    for (unsigned i = 0; i < 3; ++i) {
      parts[i] = sources[i] ? eval(sources[i]) : Value::none();
      if (!parts[i])
        return Value();
    }
    return heap_.make<SliceObject>(parts[0], parts[1], parts[2]);
  }
  const auto *tuple = llvm::dyn_cast<ast::TupleExpr>(&index);
  if (!tuple)
    return eval(&index);
  Values items;
  for (const ast::Expr *element : tuple->elements) {
    if (llvm::isa<ast::StarredExpr>(element)) {
      if (!evalElements(element, items))
        return Value();
      continue;
    }
    Value value = evalIndex(*element);
    if (!value)
      return Value();
    items.push_back(value);
  }
  return heap_.tuple(std::move(items));
}

Value Interpreter::evalWalrus(const ast::WalrusExpr &expr) {
  Value value = eval(expr.value);
  if (!value || !assignName(expr.name, value, expr.span))
    return Value();
  return lookUp(expr.name, expr.span);
}

Value Interpreter::evalComprehension(const ast::ComprehensionExpr &expr) {
  Env *env = newEnv(env_);
  env->isKernel = env_ && env_->isKernel;
  Env *saved = std::exchange(env_, env);
  auto restore = llvm::make_scope_exit([&] { env_ = saved; });
  Values items;
  DictObject *dict = expr.form == ast::ComprehensionKind::Dict ? heap_.make<DictObject>() : nullptr;
  bool done = runClauses(expr, 0, [&] {
    Value element = eval(expr.element);
    if (!element || !chargeLength(items.size() + 1, expr.span))
      return false;
    if (!dict) {
      items.push_back(element);
      return true;
    }
    Value value = eval(expr.value);
    return value && setItem(*dict, element, value, expr.span);
  });
  if (!done)
    return Value();
  if (dict)
    return dict;
  if (expr.form == ast::ComprehensionKind::Set)
    return makeSet(items, expr.span);
  // A generator is a list here: nothing a kernel does with one can tell.
  return heap_.list(std::move(items));
}

bool Interpreter::runClauses(const ast::ComprehensionExpr &expr, size_t index,
                             llvm::function_ref<bool()> visit) {
  if (index == expr.clauses.size())
    return visit();
  if (depth_ >= MaxEvalDepth)
    return static_cast<bool>(failForGood(DiagId::EvalTooDeep, expr.span, MaxEvalDepth));
  ++depth_;
  auto leave = llvm::make_scope_exit([&] { --depth_; });
  const ast::ComprehensionClause &clause = expr.clauses[index];
  Value iterable = eval(clause.iter);
  if (!iterable)
    return false;
  return forEach(iterable, clause.iter->span, [&](Value item) {
    if (!bindTarget(clause.target, item))
      return false;
    for (const ast::Expr *condition : clause.conditions) {
      Value value = eval(condition);
      std::optional<bool> truth = value ? truthOf(value, condition->span) : std::nullopt;
      if (!truth)
        return false;
      if (!*truth)
        return true;
    }
    return runClauses(expr, index + 1, visit);
  });
}

} // namespace tilescope::frontend
