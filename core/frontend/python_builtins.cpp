// Python's own functions.
#include "core/frontend/attributes.h"
#include "core/frontend/builtins.h"
#include "core/frontend/calls.h"
#include "core/frontend/collections.h"
#include "core/frontend/enums.h"
#include "core/frontend/evaluation.h"
#include "core/frontend/exceptions.h"
#include "core/frontend/formatting.h"
#include "core/frontend/functions.h"
#include "core/frontend/integers.h"
#include "core/frontend/iteration.h"
#include "core/frontend/operators.h"
#include "core/frontend/unicode_text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

namespace tilescope::frontend {

Value pyLen(Args &args) {
  Value object = plainOf(args["object"]);
  if (const Values *members = enumMembers(object))
    return Value::integer(static_cast<int64_t>(members->size()));
  if (std::optional<llvm::StringRef> text = textOf(object)) {
    args.evaluation.spend(text->size());
    return Value::integer(static_cast<int64_t>(codePointCount(*text)));
  }
  if (const auto *dict = object.as<DictObject>())
    return Value::integer(static_cast<int64_t>(dict->items.size()));
  if (const auto *range = object.as<RangeObject>())
    return Value::integer(range->size());
  if (const Values *items = sequenceItems(object))
    return Value::integer(static_cast<int64_t>(items->size()));
  return args.wrongType("object", "something with a length");
}

// Over expressions it is a loop of the device, as `T.serial`.
Value pyRange(Args &args) {
  Value start = args.has("stop") ? args["start"] : Value::integer(0);
  Value stop = args.has("stop") ? args["stop"] : args["start"];
  if (start.isExpr() || stop.isExpr())
    return tileSerial(args);
  std::optional<int64_t> step = args.integer("step", 1);
  if (!step)
    return Value();
  if (!start.isIntegral() || !stop.isIntegral())
    return args.wrongType(stop.isIntegral() || !args.has("stop") ? "start" : "stop", "an integer");
  if (*step == 0)
    return args.evaluation.fail(DiagId::ZeroStep, args.span);
  return args.evaluation.heap.make<RangeObject>(start.asInt(), stop.asInt(), *step);
}

static Value refuseExpression(Args &args, llvm::StringRef instead) {
  return args.evaluation.fail(DiagId::BuiltinOnExpression, args.span, args.info.name, instead);
}

// A sign, a prefix that fits the base, digits with single '_' between them.
static Value readInteger(Args &args, llvm::StringRef text, int64_t base) {
  std::string lower = text.trim().lower();
  llvm::StringRef rest = lower;
  bool isNegative = rest.consume_front("-");
  if (!isNegative)
    rest.consume_front("+");
  constexpr std::pair<llvm::StringRef, int64_t> Prefixes[] = {{"0x", 16}, {"0o", 8}, {"0b", 2}};
  for (auto [prefix, radix] : Prefixes)
    if ((base == radix || base == 0) && rest.consume_front(prefix)) {
      base = radix;
      rest.consume_front("_");
      break;
    }
  base = base == 0 ? 10 : base;
  std::string digits;
  for (size_t i = 0; i < rest.size(); ++i)
    if (rest[i] != '_' || i == 0 || i + 1 == rest.size() || rest[i + 1] == '_')
      digits += rest[i];
  bool isNumber =
      base >= 2 && base <= 36 && !digits.empty() && llvm::all_of(digits, [&](char c) {
        int64_t digit = llvm::isDigit(c) ? c - '0' : c >= 'a' && c <= 'z' ? c - 'a' + 10 : base;
        return digit < base;
      });
  Evaluation &evaluation = args.evaluation;
  if (!isNumber)
    return evaluation.fail(DiagId::BadDigits, args.span, reprOf(args["x"]), base);
  Value value = integerOf(evaluation, digits, static_cast<unsigned>(base), args.span);
  return value && isNegative ? unary(evaluation, ast::UnaryOp::Negate, value, args.span) : value;
}

Value pyInt(Args &args) {
  if (!args["x"])
    return Value::integer(0);
  Value x = args["x"];
  if (x.isExpr())
    return refuseExpression(args, "T.cast(x, \"int32\")");
  if (x.isIntegral())
    return Value::integer(x.asInt());
  if (x.isBigInt())
    return x;
  if (x.isFloat())
    return integerOf(args.evaluation, x.asDouble(), args.span);
  std::optional<llvm::StringRef> text = textOf(x);
  std::optional<int64_t> base = args.integer("base", 10);
  if (!text || !base)
    return base ? args.wrongType("x", "a number or a string of digits") : Value();
  return readInteger(args, *text, *base);
}

Value pyFloat(Args &args) {
  if (!args["x"])
    return Value::floating(0);
  Value x = args["x"];
  if (x.isExpr())
    return refuseExpression(args, "T.cast(x, \"float32\")");
  if (x.isNumber())
    return Value::floating(x.asDouble());
  std::optional<llvm::StringRef> text = textOf(x);
  std::string word = text ? text->trim().lower() : "";
  llvm::StringRef magnitude = word;
  bool isNegative = magnitude.consume_front("-");
  double value = 0;
  if (magnitude == "inf" || magnitude == "infinity")
    value = HUGE_VAL;
  else if (magnitude == "nan")
    value = std::nan("");
  else if (magnitude.getAsDouble(value))
    return args.wrongType("x", "a number");
  return Value::floating(isNegative ? -value : value);
}

static Value toText(Args &args, bool asRepr) {
  std::optional<std::string> text = textOfValue(args.evaluation, args["object"], asRepr, args.span);
  return text ? args.evaluation.heap.string(std::move(*text)) : Value();
}

Value pyStr(Args &args) {
  return args["object"] ? toText(args, false) : args.evaluation.heap.string("");
}
Value pyRepr(Args &args) { return toText(args, true); }

Value pyBool(Args &args) {
  if (!args["x"])
    return Value::boolean(false);
  std::optional<bool> truth = truthOf(args.evaluation, args["x"], args.spanOf("x"));
  return truth ? Value::boolean(*truth) : Value();
}

Value pyAbs(Args &args) {
  Value x = args["x"];
  if (x.isExpr())
    return refuseExpression(args, "T.abs(x)");
  if (x.isFloat())
    return Value::floating(std::abs(x.asDouble()));
  if (!x.isNumber())
    return args.wrongType("x", "a number");
  bool isNegative = orderOfNumbers(x, Value::integer(0)) < 0;
  return unary(args.evaluation, isNegative ? ast::UnaryOp::Negate : ast::UnaryOp::Plus, x,
               args.span);
}

Value pyRound(Args &args) {
  std::optional<double> number = args.number("number");
  std::optional<int64_t> digits = args.integer("ndigits", 0);
  if (!number || !digits)
    return Value();
  if (!args["number"].isFloat() && *digits >= 0)
    return unary(args.evaluation, ast::UnaryOp::Plus, args["number"], args.span);
  double scale = std::pow(10.0, static_cast<double>(std::clamp<int64_t>(*digits, -300, 300)));
  // Python rounds halves to even, as nearbyint does in the default mode.
  double rounded = std::nearbyint(*number * scale) / scale;
  if (args.has("ndigits"))
    return Value::floating(rounded);
  return integerOf(args.evaluation, rounded, args.span);
}

// The least (`sign` -1) or greatest element of the arguments, or of the only one.
static Value extremum(Args &args, int sign, llvm::StringRef instead) {
  Evaluation &evaluation = args.evaluation;
  Values items;
  for (const Arg &arg : args.rest)
    items.push_back(arg.value);
  if (items.size() == 1) {
    std::optional<Values> inner = toList(evaluation, items[0], args.span);
    if (!inner)
      return Value();
    items = std::move(*inner);
  }
  if (items.empty())
    return args.has("default") ? args["default"]
                               : evaluation.fail(DiagId::EmptySequence, args.span, args.callee());
  auto keyOf = [&](Value item) {
    return args.has("key") ? call(evaluation, args["key"], Argument{"", item, args.span}, args.span)
                           : item;
  };
  Value best = items[0];
  Value bestKey = keyOf(best);
  for (size_t i = 1; bestKey && i < items.size(); ++i) {
    Value key = keyOf(items[i]);
    if (!key || key.isExpr() || bestKey.isExpr())
      return key ? refuseExpression(args, instead) : Value();
    std::optional<int> order = orderOf(evaluation, key, bestKey, args.span);
    if (!order)
      return Value();
    if (*order * sign > 0) {
      best = items[i];
      bestKey = key;
    }
  }
  return bestKey ? best : Value();
}

Value pyMin(Args &args) { return extremum(args, -1, "T.min(a, b)"); }
Value pyMax(Args &args) { return extremum(args, 1, "T.max(a, b)"); }

Value pySum(Args &args) {
  Value total = args["start"] ? args["start"] : Value::integer(0);
  bool done = forEach(args.evaluation, args["iterable"], args.span, [&](Value item) {
    total = binary(args.evaluation, ast::BinaryOp::Add, total, item, args.span);
    return static_cast<bool>(total);
  });
  return done ? total : Value();
}

// True as soon as an element's truth is `wanted`.
static Value findTruth(Args &args, bool wanted) {
  bool found = false;
  bool done = forEach(args.evaluation, args["iterable"], args.span, [&](Value item) {
    std::optional<bool> truth = truthOf(args.evaluation, item, args.span);
    found = truth == wanted;
    return truth && !found;
  });
  return done || found ? Value::boolean(found == wanted) : Value();
}

Value pyAny(Args &args) { return findTruth(args, true); }
Value pyAll(Args &args) { return findTruth(args, false); }

static std::optional<Values> optionalItems(Args &args) {
  if (!args["iterable"])
    return Values();
  return toList(args.evaluation, args["iterable"], args.span);
}

Value pyList(Args &args) {
  std::optional<Values> items = optionalItems(args);
  return items ? args.evaluation.heap.list(std::move(*items)) : Value();
}

Value pyTuple(Args &args) {
  std::optional<Values> items = optionalItems(args);
  return items ? args.evaluation.heap.tuple(std::move(*items)) : Value();
}

Value pySet(Args &args) {
  std::optional<Values> items = optionalItems(args);
  return items ? makeSet(args.evaluation, *items, args.span) : Value();
}

Value pyDict(Args &args) {
  auto *dict = args.evaluation.heap.make<DictObject>();
  return updateDict(args, *dict) ? Value(dict) : Value();
}

Value pyZip(Args &args) {
  Heap &heap = args.evaluation.heap;
  std::vector<Values> columns;
  size_t rows = args.rest.empty() ? 0 : SIZE_MAX;
  for (const Arg &arg : args.rest) {
    std::optional<Values> items = toList(args.evaluation, arg.value, arg.span);
    if (!items)
      return Value();
    rows = std::min(rows, items->size());
    columns.push_back(std::move(*items));
  }
  Values out;
  for (size_t row = 0; row < rows; ++row) {
    if (!args.evaluation.step(args.span))
      return Value();
    Values items;
    for (const Values &column : columns)
      items.push_back(column[row]);
    out.push_back(heap.tuple(std::move(items)));
  }
  return heap.list(std::move(out));
}

Value pyEnumerate(Args &args) {
  Heap &heap = args.evaluation.heap;
  std::optional<int64_t> index = args.integer("start", 0);
  Values out;
  bool done = index && forEach(args.evaluation, args["iterable"], args.span, [&](Value item) {
                out.push_back(heap.tuple({Value::integer((*index)++), item}));
                return true;
              });
  return done ? heap.list(std::move(out)) : Value();
}

Value pyReversed(Args &args) {
  std::optional<Values> items = toList(args.evaluation, args["sequence"], args.span);
  if (!items)
    return Value();
  std::reverse(items->begin(), items->end());
  return args.evaluation.heap.list(std::move(*items));
}

Value pySorted(Args &args) {
  std::optional<Values> items = toList(args.evaluation, args["iterable"], args.span);
  if (!items || !sortValues(args, *items))
    return Value();
  return args.evaluation.heap.list(std::move(*items));
}

// By insertion into halves: the comparison may fail, which std::sort would not survive.
bool sortValues(Args &args, Values &items) {
  Evaluation &evaluation = args.evaluation;
  std::optional<bool> isReversed = args.boolean("reverse");
  if (!isReversed)
    return false;
  std::vector<std::pair<Value, Value>> sorted; // key, item
  for (const Value &item : items) {
    Value key = args.has("key")
                    ? call(evaluation, args["key"], Argument{"", item, args.span}, args.span)
                    : item;
    size_t low = 0;
    size_t high = sorted.size();
    while (key && low < high) {
      size_t middle = (low + high) / 2;
      std::optional<int> order = orderOf(evaluation, key, sorted[middle].first, args.span);
      if (!order || !evaluation.step(args.span))
        return false;
      bool goesBefore = *isReversed ? *order > 0 : *order < 0;
      (goesBefore ? high : low) = goesBefore ? middle : middle + 1;
    }
    if (!key || !evaluation.chargeLength(sorted.size() - low, args.span))
      return false;
    sorted.insert(sorted.begin() + static_cast<ptrdiff_t>(low), {key, item});
  }
  for (size_t i = 0; i < items.size(); ++i)
    items[i] = sorted[i].second;
  return true;
}

Value pyMap(Args &args) {
  Values out;
  bool done = forEach(args.evaluation, args["iterable"], args.span, [&](Value item) {
    out.push_back(
        call(args.evaluation, args["function"], Argument{"", item, args.span}, args.span));
    return static_cast<bool>(out.back());
  });
  return done ? args.evaluation.heap.list(std::move(out)) : Value();
}

Value pyFilter(Args &args) {
  Values out;
  bool done = forEach(args.evaluation, args["iterable"], args.span, [&](Value item) {
    Value kept = args["function"].isNone() ? item
                                           : call(args.evaluation, args["function"],
                                                  Argument{"", item, args.span}, args.span);
    std::optional<bool> truth = kept ? truthOf(args.evaluation, kept, args.span) : std::nullopt;
    if (truth == true)
      out.push_back(item);
    return truth.has_value();
  });
  return done ? args.evaluation.heap.list(std::move(out)) : Value();
}

Value pyDivmod(Args &args) {
  Evaluation &evaluation = args.evaluation;
  Value quotient = binary(evaluation, ast::BinaryOp::FloorDiv, args["a"], args["b"], args.span);
  Value rest =
      quotient ? binary(evaluation, ast::BinaryOp::Mod, args["a"], args["b"], args.span) : Value();
  return rest ? evaluation.heap.tuple({quotient, rest}) : Value();
}

Value pyPow(Args &args) {
  return binary(args.evaluation, ast::BinaryOp::Pow, args["base"], args["exp"], args.span);
}

// Whether `value` belongs to what the name of a builtin stands for.
static bool isOfType(const Value &value, llvm::StringRef type) {
  if (type == "int")
    return value.isIntegral() || value.isBigInt();
  if (type == "str")
    return textOf(value).has_value();
  if (type == "dtype")
    return value.is(ValueKind::DType);
  if (type == "Tensor" || type == "Buffer")
    return value.is(ValueKind::Buffer);
  return typeName(value) == type;
}

bool isInstance(const Value &object, const Value &type) {
  if (const auto *builtin = type.as<BuiltinObject>())
    return isOfType(plainOf(object), builtin->info.name);
  if (const auto *wanted = type.as<ExceptionTypeObject>()) {
    const auto *exception = object.as<ExceptionObject>();
    return exception && isExceptionSubtype(exception->type, wanted->name);
  }
  if (const auto *wanted = type.as<ClassObject>()) {
    const auto *instance = object.as<InstanceObject>();
    const auto *tuple = object.as<TupleObject>();
    const auto *member = object.as<EnumObject>();
    const ClassObject *own = instance ? instance->type
                             : tuple  ? tuple->type
                             : member ? member->owner
                                      : nullptr;
    return own && isSubclass(*own, *wanted);
  }
  const auto *opaque = type.as<OpaqueObject>();
  llvm::StringRef last = opaque ? llvm::StringRef(opaque->path).rsplit('.').second : "";
  return (last == "PrimExpr" || last == "Var") && object.isExpr();
}

Value pyIsinstance(Args &args) {
  const auto *types = args["classinfo"].as<TupleObject>();
  if (!types)
    return Value::boolean(isInstance(args["object"], args["classinfo"]));
  return Value::boolean(
      llvm::any_of(types->items, [&](Value type) { return isInstance(args["object"], type); }));
}

Value pyHasattr(Args &args) {
  std::optional<std::string> name = args.text("name");
  return name ? Value::boolean(hasAttribute(args.evaluation, args["object"], *name)) : Value();
}

Value pyGetattr(Args &args) {
  std::optional<std::string> name = args.text("name");
  if (!name)
    return Value();
  if (args["default"] && !hasAttribute(args.evaluation, args["object"], *name))
    return args["default"];
  return attribute(args.evaluation, args["object"], *name, args.span);
}

Value pyCallable(Args &args) {
  ValueKind kind = args["object"].kind();
  return Value::boolean(kind == ValueKind::Function || kind == ValueKind::BoundMethod ||
                        kind == ValueKind::Builtin || kind == ValueKind::Class ||
                        kind == ValueKind::Partial || kind == ValueKind::ExceptionType);
}

Value pyType(Args &args) {
  Value object = args["object"];
  if (auto *instance = object.as<InstanceObject>())
    return instance->type;
  if (auto *tuple = object.as<TupleObject>(); tuple && tuple->type)
    return tuple->type;
  if (const auto *exception = object.as<ExceptionObject>())
    return args.evaluation.heap.make<ExceptionTypeObject>(exception->type);
  if (const BuiltinInfo *info = findBuiltin("", typeName(object)))
    return args.evaluation.heap.make<BuiltinObject>(*info, Value());
  return args.evaluation.heap.string(typeName(object));
}

// Nothing is printed: a compile has no output of its own.
Value pyPrint(Args &) { return Value::none(); }

} // namespace tilescope::frontend
