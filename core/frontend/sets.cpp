// Operators and methods of sets, and the union of dicts.
#include "core/frontend/interpreter.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope::frontend {

static bool holds(Interpreter &interpreter, const SetObject &set, const Value &item) {
  return llvm::any_of(set.items,
                      [&](const Value &other) { return interpreter.areEqual(other, item); });
}

// The items of `from` that `set` holds, or does not.
static Values pick(Interpreter &interpreter, const SetObject &from, const SetObject &set,
                   bool areHeld) {
  Values picked;
  for (const Value &item : from.items)
    if (holds(interpreter, set, item) == areHeld)
      picked.push_back(item);
  return picked;
}

Value Interpreter::binarySets(ast::BinaryOp op, SetObject &lhs, SetObject &rhs, Span span) {
  using Op = ast::BinaryOp;
  bool isSetOperator = op == Op::BitOr || op == Op::BitAnd || op == Op::BitXor || op == Op::Sub;
  if (!isSetOperator)
    return unsupportedOperands(ast::spelling(op), &lhs, &rhs, span);
  Values items = op == Op::BitOr ? lhs.items : pick(*this, lhs, rhs, op == Op::BitAnd);
  if (op == Op::BitOr || op == Op::BitXor)
    llvm::append_range(items, pick(*this, rhs, lhs, false));
  if (isDead_ || !chargeLength(items.size(), span))
    return Value();
  auto *result = heap_.make<SetObject>();
  result->items = std::move(items);
  heap_.charge(result->items.size() * sizeof(Value));
  return result;
}

// `<` is a part of and not equal to.
Value Interpreter::compareSets(ast::CompareOp op, SetObject &lhs, SetObject &rhs) {
  using Op = ast::CompareOp;
  bool isLess = op == Op::Lt || op == Op::Le;
  const SetObject &part = isLess ? lhs : rhs;
  const SetObject &whole = isLess ? rhs : lhs;
  bool isStrict = op == Op::Lt || op == Op::Gt;
  bool isPart =
      llvm::all_of(part.items, [&](const Value &item) { return holds(*this, whole, item); });
  bool result = isPart && (!isStrict || part.items.size() < whole.items.size());
  return isDead_ ? Value() : Value::boolean(result);
}

Value Interpreter::mergeDicts(const DictObject &lhs, const DictObject &rhs, Span span) {
  auto *result = heap_.make<DictObject>();
  for (const DictObject *dict : {&lhs, &rhs})
    for (const auto &[key, value] : dict->items)
      if (!setItem(*result, key, value, span))
        return Value();
  return result;
}

static SetObject &selfSet(const Args &args) { return *args.self.as<SetObject>(); }

Value setAdd(Args &args) {
  return args.interpreter.addToSet(selfSet(args), args["item"], args.span) ? Value::none()
                                                                           : Value();
}

Value setUpdate(Args &args) {
  for (const Arg &arg : args.rest)
    if (!args.interpreter.forEach(arg.value, arg.span, [&](Value item) {
          return args.interpreter.addToSet(selfSet(args), item, args.span);
        }))
      return Value();
  return Value::none();
}

Value setDiscard(Args &args) {
  llvm::erase_if(selfSet(args).items,
                 [&](const Value &item) { return args.interpreter.areEqual(item, args["item"]); });
  return Value::none();
}

Value setRemove(Args &args) {
  if (!holds(args.interpreter, selfSet(args), args["item"]))
    return args.interpreter.fail(DiagId::KeyNotFound, args.span, reprOf(args["item"]));
  return setDiscard(args);
}

// `a.union(b)` is `a | set(b)`.
static Value combine(Args &args, ast::BinaryOp op) {
  Value result = args.self;
  for (const Arg &arg : args.rest) {
    std::optional<Values> items = args.interpreter.toList(arg.value, arg.span);
    Value other = items ? args.interpreter.makeSet(*items, arg.span) : Value();
    result = other ? args.interpreter.binary(op, result, other, args.span) : Value();
    if (!result)
      return Value();
  }
  return result;
}

Value setUnion(Args &args) { return combine(args, ast::BinaryOp::BitOr); }
Value setIntersection(Args &args) { return combine(args, ast::BinaryOp::BitAnd); }
Value setDifference(Args &args) { return combine(args, ast::BinaryOp::Sub); }

} // namespace tilescope::frontend
