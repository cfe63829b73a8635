// Methods of strings, lists, sets and dicts.
#include "core/frontend/interpreter.h"
#include "core/frontend/unicode_text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tilescope::frontend {

// Every use looks at all of it, more or less.
static llvm::StringRef selfText(const Args &args) {
  args.interpreter.spend(textOf(args.self)->size());
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
      return args.interpreter.fail(DiagId::KeyNotFound, args.span, field);
    }
    if (index >= args.rest.size())
      return args.interpreter.fail(DiagId::ItemOutOfRange, args.span, index, args.rest.size());
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
      return args.interpreter.fail(DiagId::BadFormat, args.span, rest, "a str");
    auto [field, spec] = rest.slice(1, close).split(':');
    Value value = lookUp(field);
    std::optional<std::string> text =
        value ? args.interpreter.format(value, spec, args.span) : std::nullopt;
    if (!text || !args.interpreter.chargeLength(out.size() + text->size(), args.span))
      return Value();
    out += *text;
    rest = rest.drop_front(close + 1);
  }
  return args.interpreter.string(std::move(out));
}

Value strJoin(Args &args) {
  std::string out;
  bool isFirst = true;
  bool done = args.interpreter.forEach(args["iterable"], args.span, [&](Value item) {
    std::optional<llvm::StringRef> text = textOf(item);
    if (!text)
      return args.interpreter.failed(DiagId::WrongType, args.span, "strings to join",
                                     phraseFor(item));
    out += isFirst ? "" : selfText(args).str();
    isFirst = false;
    out += *text;
    return args.interpreter.chargeLength(out.size(), args.span);
  });
  return done ? args.interpreter.string(std::move(out)) : Value();
}

Value strSplit(Args &args) {
  std::optional<std::string> separator = args.text("sep");
  if (!separator || !args.interpreter.chargeLength(selfText(args).size(), args.span))
    return Value();
  llvm::SmallVector<llvm::StringRef, 8> pieces;
  if (args.has("sep") && separator->empty())
    return args.interpreter.fail(DiagId::EmptySequence, args.span, args.callee());
  if (args.has("sep"))
    selfText(args).split(pieces, *separator);
  else
    llvm::SplitString(selfText(args), pieces, " \t\n\r\f\v");
  Values items;
  for (llvm::StringRef piece : pieces)
    items.push_back(args.interpreter.string(piece.str()));
  return args.interpreter.heap().list(std::move(items));
}

// `fromLeft`, `fromRight`: the ends that lose what is in `chars`.
static Value strip(Args &args, bool fromLeft, bool fromRight) {
  std::optional<std::string> chars = args.text("chars", " \t\n\r\f\v");
  if (!chars)
    return Value();
  llvm::StringRef text = selfText(args);
  std::vector<llvm::StringRef> dropped = codePoints(*chars);
  std::vector<llvm::StringRef> kept = codePoints(text);
  args.interpreter.spend(text.size() + chars->size());
  auto isDropped = [&](llvm::StringRef point) { return llvm::is_contained(dropped, point); };
  while (fromLeft && !text.empty() && isDropped(takeCodePoints(text, 1)))
    text = text.drop_front(takeCodePoints(text, 1).size());
  for (; fromRight && !text.empty() && isDropped(kept.back()); kept.pop_back())
    text = text.drop_back(kept.back().size());
  return args.interpreter.string(text.str());
}

Value strStrip(Args &args) { return strip(args, true, true); }
Value strLeftStrip(Args &args) { return strip(args, true, false); }
Value strRightStrip(Args &args) { return strip(args, false, true); }

// Letters, digits and their cases are known here for ASCII only.
static bool requireAscii(Args &args) {
  return isAscii(selfText(args)) ||
         args.interpreter.failed(DiagId::NotSupportedYet, args.span,
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
    if (!args.interpreter.chargeLength((rest.size() + 1) * (to->size() + 1), args.span))
      return Value();
    for (llvm::StringRef point : codePoints(rest))
      out += *to + point.str();
    return args.interpreter.string(out + *to);
  }
  while (rest.contains(*from)) {
    auto [before, after] = rest.split(*from);
    out += before;
    out += *to;
    rest = after;
    if (!args.interpreter.chargeLength(out.size(), args.span))
      return Value();
  }
  return args.interpreter.string(out + rest.str());
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
  return requireAscii(args) ? args.interpreter.string(selfText(args).upper()) : Value();
}

Value strLower(Args &args) {
  return requireAscii(args) ? args.interpreter.string(selfText(args).lower()) : Value();
}

static Values &selfItems(const Args &args) { return args.self.as<ListObject>()->items; }

Value listAppend(Args &args) {
  if (!args.interpreter.chargeLength(selfItems(args).size() + 1, args.span))
    return Value();
  selfItems(args).push_back(args["item"]);
  return Value::none();
}

Value listExtend(Args &args) {
  std::optional<Values> items = args.interpreter.toList(args["items"], args.span);
  if (!items || !args.interpreter.chargeLength(selfItems(args).size() + items->size(), args.span))
    return Value();
  selfItems(args).insert(selfItems(args).end(), items->begin(), items->end());
  return Value::none();
}

Value listInsert(Args &args) {
  std::optional<int64_t> index = args.integer("index");
  auto size = static_cast<int64_t>(selfItems(args).size());
  if (!index || !args.interpreter.chargeLength(selfItems(args).size() + 1, args.span))
    return Value();
  int64_t at = std::clamp<int64_t>(*index < 0 ? *index + size : *index, 0, size);
  selfItems(args).insert(selfItems(args).begin() + at, args["item"]);
  return Value::none();
}

Value listPop(Args &args) {
  Values &items = selfItems(args);
  Value index = args["index"] ? args["index"] : Value::integer(-1);
  std::optional<size_t> at = args.interpreter.resolveIndex(index, items.size(), args.span);
  if (!at || !args.interpreter.chargeLength(items.size() - *at, args.span))
    return Value();
  Value item = items[*at];
  items.erase(items.begin() + static_cast<ptrdiff_t>(*at));
  return item;
}

Value listIndex(Args &args) {
  const Values &items = *sequenceItems(args.self);
  for (size_t i = 0; i < items.size(); ++i)
    if (args.interpreter.areEqual(items[i], args["item"]))
      return Value::integer(static_cast<int64_t>(i));
  return args.interpreter.fail(DiagId::ItemNotFound, args.span, reprOf(args["item"]));
}

Value listCount(Args &args) {
  const Values &items = *sequenceItems(args.self);
  return Value::integer(llvm::count_if(
      items, [&](const Value &item) { return args.interpreter.areEqual(item, args["item"]); }));
}

Value listCopy(Args &args) {
  std::optional<Values> items = args.interpreter.toList(args.self, args.span);
  return items ? args.interpreter.heap().list(std::move(*items)) : Value();
}

Value listReverse(Args &args) {
  args.interpreter.spend(selfItems(args).size());
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
  Value *found = args.interpreter.findItem(selfDict(args), args["key"]);
  return found ? *found : valueOrNone(args["default"]);
}

Value dictKeys(Args &args) {
  Values keys;
  for (const auto &[key, value] : selfDict(args).items)
    keys.push_back(key);
  return args.interpreter.heap().list(std::move(keys));
}

Value dictValues(Args &args) {
  Values values;
  for (const auto &[key, value] : selfDict(args).items)
    values.push_back(value);
  return args.interpreter.heap().list(std::move(values));
}

Value dictItems(Args &args) {
  Values items;
  for (const auto &[key, value] : selfDict(args).items)
    items.push_back(args.interpreter.heap().tuple({key, value}));
  return args.interpreter.heap().list(std::move(items));
}

Value dictPop(Args &args) {
  auto &items = selfDict(args).items;
  for (size_t i = 0; i < items.size(); ++i) {
    if (!args.interpreter.areEqual(items[i].first, args["key"]))
      continue;
    Value value = items[i].second;
    items.erase(items.begin() + static_cast<ptrdiff_t>(i));
    return value;
  }
  return args["default"]
             ? args["default"]
             : args.interpreter.fail(DiagId::KeyNotFound, args.span, reprOf(args["key"]));
}

// From the items of a dict or a list of pairs, then from the keywords.
bool updateDict(Args &args, DictObject &dict) {
  Interpreter &interpreter = args.interpreter;
  auto addPair = [&](Value pair) {
    const Values *parts = sequenceItems(pair);
    if (!parts || parts->size() != 2)
      return interpreter.failed(DiagId::WrongType, args.span, "pairs", phraseFor(pair));
    return interpreter.setItem(dict, (*parts)[0], (*parts)[1], args.span);
  };
  for (const Arg &arg : args.rest) {
    if (const auto *other = arg.value.as<DictObject>()) {
      auto items = other->items;
      for (const auto &[key, value] : items)
        if (!interpreter.setItem(dict, key, value, args.span))
          return false;
    } else if (!interpreter.forEach(arg.value, arg.span, addPair)) {
      return false;
    }
  }
  for (const auto &[name, arg] : args.keywords())
    if (arg.value &&
        !interpreter.setItem(dict, interpreter.string(name.str()), arg.value, arg.span))
      return false;
  return true;
}

Value dictUpdate(Args &args) { return updateDict(args, selfDict(args)) ? Value::none() : Value(); }

Value dictSetDefault(Args &args) {
  if (Value *found = args.interpreter.findItem(selfDict(args), args["key"]))
    return *found;
  Value value = valueOrNone(args["default"]);
  return args.interpreter.setItem(selfDict(args), args["key"], value, args.span) ? value : Value();
}

Value dictCopy(Args &args) {
  auto *copy = args.interpreter.heap().make<DictObject>();
  copy->items = selfDict(args).items;
  args.interpreter.heap().charge(copy->items.size() * 2 * sizeof(Value));
  return copy;
}

} // namespace tilescope::frontend
