// Methods of strings, lists, sets and dicts.
#include "core/frontend/builtins.h"
#include "core/frontend/collections.h"
#include "core/frontend/evaluation.h"
#include "core/frontend/formatting.h"
#include "core/frontend/iteration.h"
#include "core/frontend/operators.h"
#include "core/frontend/subscripts.h"
#include "core/frontend/unicode_text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tilescope::frontend {

// Every use looks at all of it, more or less.
static llvm::StringRef selfText(const Args &args) {
  args.evaluation.spend(textOf(args.self)->size());
  return *textOf(args.self);
}

// `{}` , `{0}`, `{name}` with an optional spec; attributes and indices are not looked into.
Value strFormat(Args &args) {
  llvm::StringRef rest = selfText(args);
  std::string out;
  size_t next = 0;
  auto lookUp = [&](llvm::StringRef field) -> Value {
    size_t index = 0;
    if (field.empty())
      index = next++;
    else if (field.getAsInteger(10, index)) {
      for (const auto &[name, arg] : args.keywords())
        if (name == field && arg.value)
          return arg.value;
      return args.evaluation.fail(DiagId::KeyNotFound, args.span, field);
    }
    if (index >= args.rest.size())
      return args.evaluation.fail(DiagId::ItemOutOfRange, args.span, index, args.rest.size());
    return args.rest[index].value;
  };
  while (!rest.empty()) {
    size_t brace = std::min(rest.find_first_of("{}"), rest.size());
    out += rest.take_front(brace);
    rest = rest.drop_front(brace);
    if (rest.empty())
      break;
    if (rest.size() > 1 && rest[1] == rest[0]) {
      out += rest[0];
      rest = rest.drop_front(2);
      continue;
    }
    size_t close = rest.find('}');
    if (rest[0] == '}' || close == llvm::StringRef::npos)
      return args.evaluation.fail(DiagId::BadFormat, args.span, rest, "a str");
    auto [field, spec] = rest.slice(1, close).split(':');
    Value value = lookUp(field);
    std::optional<std::string> text =
        value ? format(args.evaluation, value, spec, args.span) : std::nullopt;
    if (!text || !args.evaluation.chargeLength(out.size() + text->size(), args.span))
      return Value();
    out += *text;
    rest = rest.drop_front(close + 1);
  }
  return args.evaluation.heap.string(std::move(out));
}

Value strJoin(Args &args) {
  std::string out;
  bool isFirst = true;
  bool done = forEach(args.evaluation, args["iterable"], args.span, [&](Value item) {
    std::optional<llvm::StringRef> text = textOf(item);
    if (!text)
      return args.evaluation.failed(DiagId::WrongType, args.span, "strings to join",
                                    phraseFor(item));
    out += isFirst ? "" : selfText(args).str();
    isFirst = false;
    out += *text;
    return args.evaluation.chargeLength(out.size(), args.span);
  });
  return done ? args.evaluation.heap.string(std::move(out)) : Value();
}

Value strSplit(Args &args) {
  std::optional<std::string> separator = args.text("sep");
  if (!separator || !args.evaluation.chargeLength(selfText(args).size(), args.span))
    return Value();
  llvm::SmallVector<llvm::StringRef, 8> pieces;
  if (args.has("sep") && separator->empty())
    return args.evaluation.fail(DiagId::EmptySequence, args.span, args.callee());
  if (args.has("sep"))
    selfText(args).split(pieces, *separator);
  else
    llvm::SplitString(selfText(args), pieces, " \t\n\r\f\v");
  Values items;
  for (llvm::StringRef piece : pieces)
    items.push_back(args.evaluation.heap.string(piece.str()));
  return args.evaluation.heap.list(std::move(items));
}

// `fromLeft`, `fromRight`: the ends that lose what is in `chars`.
static Value strip(Args &args, bool fromLeft, bool fromRight) {
  std::optional<std::string> chars = args.text("chars", " \t\n\r\f\v");
  if (!chars)
    return Value();
  llvm::StringRef text = selfText(args);
  std::vector<llvm::StringRef> dropped = codePoints(*chars);
  std::vector<llvm::StringRef> kept = codePoints(text);
  args.evaluation.spend(text.size() + chars->size());
  auto isDropped = [&](llvm::StringRef point) { return llvm::is_contained(dropped, point); };
  while (fromLeft && !text.empty() && isDropped(takeCodePoints(text, 1)))
    text = text.drop_front(takeCodePoints(text, 1).size());
  for (; fromRight && !text.empty() && isDropped(kept.back()); kept.pop_back())
    text = text.drop_back(kept.back().size());
  return args.evaluation.heap.string(text.str());
}

Value strStrip(Args &args) { return strip(args, true, true); }
Value strLeftStrip(Args &args) { return strip(args, true, false); }
Value strRightStrip(Args &args) { return strip(args, false, true); }

// Letters, digits and their cases are known here for ASCII only.
static bool requireAscii(Args &args) {
  return isAscii(selfText(args)) ||
         args.evaluation.failed(DiagId::NotSupportedYet, args.span,
                                "'" + args.callee() + "' of characters that are not ASCII");
}

Value strIsDigit(Args &args) {
  llvm::StringRef text = selfText(args);
  if (!requireAscii(args))
    return Value();
  return Value::boolean(!text.empty() && llvm::all_of(text, llvm::isDigit));
}

Value strReplace(Args &args) {
  std::optional<std::string> from = args.text("old");
  std::optional<std::string> to = args.text("new");
  if (!from || !to)
    return Value();
  std::string out;
  llvm::StringRef rest = selfText(args);
  if (from->empty()) {
    if (!args.evaluation.chargeLength((rest.size() + 1) * (to->size() + 1), args.span))
      return Value();
    for (llvm::StringRef point : codePoints(rest))
      out += *to + point.str();
    return args.evaluation.heap.string(out + *to);
  }
  while (rest.contains(*from)) {
    auto [before, after] = rest.split(*from);
    out += before;
    out += *to;
    rest = after;
    if (!args.evaluation.chargeLength(out.size(), args.span))
      return Value();
  }
  return args.evaluation.heap.string(out + rest.str());
}

Value strStartsWith(Args &args) {
  std::optional<std::string> prefix = args.text("prefix");
  return prefix ? Value::boolean(selfText(args).starts_with(*prefix)) : Value();
}

Value strEndsWith(Args &args) {
  std::optional<std::string> suffix = args.text("suffix");
  return suffix ? Value::boolean(selfText(args).ends_with(*suffix)) : Value();
}

Value strFind(Args &args) {
  std::optional<std::string> part = args.text("sub");
  if (!part)
    return Value();
  size_t at = selfText(args).find(*part);
  if (at == llvm::StringRef::npos)
    return Value::integer(-1);
  return Value::integer(static_cast<int64_t>(codePointCount(selfText(args).take_front(at))));
}

Value strUpper(Args &args) {
  return requireAscii(args) ? args.evaluation.heap.string(selfText(args).upper()) : Value();
}

Value strLower(Args &args) {
  return requireAscii(args) ? args.evaluation.heap.string(selfText(args).lower()) : Value();
}

static Values &selfItems(const Args &args) { return args.self.as<ListObject>()->items; }

Value listAppend(Args &args) {
  if (!args.evaluation.chargeLength(selfItems(args).size() + 1, args.span))
    return Value();
  selfItems(args).push_back(args["item"]);
  return Value::none();
}

Value listExtend(Args &args) {
  std::optional<Values> items = toList(args.evaluation, args["items"], args.span);
  if (!items || !args.evaluation.chargeLength(selfItems(args).size() + items->size(), args.span))
    return Value();
  selfItems(args).insert(selfItems(args).end(), items->begin(), items->end());
  return Value::none();
}

Value listInsert(Args &args) {
  std::optional<int64_t> index = args.integer("index");
  auto size = static_cast<int64_t>(selfItems(args).size());
  if (!index || !args.evaluation.chargeLength(selfItems(args).size() + 1, args.span))
    return Value();
  int64_t at = std::clamp<int64_t>(*index < 0 ? *index + size : *index, 0, size);
  selfItems(args).insert(selfItems(args).begin() + at, args["item"]);
  return Value::none();
}

Value listPop(Args &args) {
  Values &items = selfItems(args);
  Value index = args["index"] ? args["index"] : Value::integer(-1);
  std::optional<size_t> at = resolveIndex(args.evaluation, index, items.size(), args.span);
  if (!at || !args.evaluation.chargeLength(items.size() - *at, args.span))
    return Value();
  Value item = items[*at];
  items.erase(items.begin() + static_cast<ptrdiff_t>(*at));
  return item;
}

Value listIndex(Args &args) {
  const Values &items = *sequenceItems(args.self);
  for (size_t i = 0; i < items.size(); ++i)
    if (areEqual(args.evaluation, items[i], args["item"]))
      return Value::integer(static_cast<int64_t>(i));
  return args.evaluation.fail(DiagId::ItemNotFound, args.span, reprOf(args["item"]));
}

Value listCount(Args &args) {
  const Values &items = *sequenceItems(args.self);
  return Value::integer(llvm::count_if(
      items, [&](const Value &item) { return areEqual(args.evaluation, item, args["item"]); }));
}

Value listCopy(Args &args) {
  std::optional<Values> items = toList(args.evaluation, args.self, args.span);
  return items ? args.evaluation.heap.list(std::move(*items)) : Value();
}

Value listReverse(Args &args) {
  args.evaluation.spend(selfItems(args).size());
  std::reverse(selfItems(args).begin(), selfItems(args).end());
  return Value::none();
}

Value listSort(Args &args) {
  Values items = selfItems(args);
  if (!sortValues(args, items))
    return Value();
  selfItems(args) = std::move(items);
  return Value::none();
}

static DictObject &selfDict(const Args &args) { return *args.self.as<DictObject>(); }

static Value valueOrNone(Value value) { return value ? value : Value::none(); }

Value dictGet(Args &args) {
  Value *found = findItem(args.evaluation, selfDict(args), args["key"]);
  return found ? *found : valueOrNone(args["default"]);
}

Value dictKeys(Args &args) {
  Values keys;
  for (const auto &[key, value] : selfDict(args).items)
    keys.push_back(key);
  return args.evaluation.heap.list(std::move(keys));
}

Value dictValues(Args &args) {
  Values values;
  for (const auto &[key, value] : selfDict(args).items)
    values.push_back(value);
  return args.evaluation.heap.list(std::move(values));
}

Value dictItems(Args &args) {
  Values items;
  for (const auto &[key, value] : selfDict(args).items)
    items.push_back(args.evaluation.heap.tuple({key, value}));
  return args.evaluation.heap.list(std::move(items));
}

Value dictPop(Args &args) {
  auto &items = selfDict(args).items;
  for (size_t i = 0; i < items.size(); ++i) {
    if (!areEqual(args.evaluation, items[i].first, args["key"]))
      continue;
    Value value = items[i].second;
    items.erase(items.begin() + static_cast<ptrdiff_t>(i));
    return value;
  }
  return args["default"]
             ? args["default"]
             : args.evaluation.fail(DiagId::KeyNotFound, args.span, reprOf(args["key"]));
}

// From the items of a dict or a list of pairs, then from the keywords.
bool updateDict(Args &args, DictObject &dict) {
  Evaluation &evaluation = args.evaluation;
  auto addPair = [&](Value pair) {
    const Values *parts = sequenceItems(pair);
    if (!parts || parts->size() != 2)
      return evaluation.failed(DiagId::WrongType, args.span, "pairs", phraseFor(pair));
    return setItem(evaluation, dict, (*parts)[0], (*parts)[1], args.span);
  };
  for (const Arg &arg : args.rest) {
    if (const auto *other = arg.value.as<DictObject>()) {
      auto items = other->items;
      for (const auto &[key, value] : items)
        if (!setItem(evaluation, dict, key, value, args.span))
          return false;
    } else if (!forEach(evaluation, arg.value, arg.span, addPair)) {
      return false;
    }
  }
  for (const auto &[name, arg] : args.keywords())
    if (arg.value &&
        !setItem(evaluation, dict, evaluation.heap.string(name.str()), arg.value, arg.span))
      return false;
  return true;
}

Value dictUpdate(Args &args) { return updateDict(args, selfDict(args)) ? Value::none() : Value(); }

Value dictSetDefault(Args &args) {
  if (Value *found = findItem(args.evaluation, selfDict(args), args["key"]))
    return *found;
  Value value = valueOrNone(args["default"]);
  return setItem(args.evaluation, selfDict(args), args["key"], value, args.span) ? value : Value();
}

Value dictCopy(Args &args) {
  auto *copy = args.evaluation.heap.make<DictObject>();
  copy->items = selfDict(args).items;
  args.evaluation.heap.charge(copy->items.size() * 2 * sizeof(Value));
  return copy;
}

} // namespace tilescope::frontend
