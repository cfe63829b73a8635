// `x[i]` of Python sequences and of buffers, and iteration.
#include "core/frontend/interpreter.h"
#include "core/frontend/unicode_text.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace tilescope::frontend {

Value Interpreter::subscript(Value object, Value index, Span span) {
  switch (object.kind()) {
  case ValueKind::Buffer:
    return subscriptBuffer(*object.as<BufferObject>(), index, span);
  case ValueKind::Tuple:
  case ValueKind::List:
    return subscriptSequence(object, *sequenceItems(object), index, span);
  case ValueKind::Dict: {
    Value *found = findItem(*object.as<DictObject>(), index);
    return found ? *found : fail(DiagId::KeyNotFound, span, reprOf(index));
  }
  case ValueKind::String:
  case ValueKind::DType:
    return subscriptString(*textOf(object), index, span);
  case ValueKind::Range: {
    std::optional<Values> items = toList(object, span);
    return items ? subscriptSequence(heap_.list(*items), *items, index, span) : Value();
  }
  case ValueKind::Builtin:
    // `T.Tensor[(M, N), dtype]`
    return subscriptBuiltin(*object.as<BuiltinObject>(), index, span);
  case ValueKind::Opaque:
    return failOpaque(*object.as<OpaqueObject>(), span);
  case ValueKind::TensorArgument:
    return fail(DiagId::TensorNotDeclared, span, object.as<TensorArgumentObject>()->param.name);
  case ValueKind::Region:
    return fail(DiagId::NotSupportedYet, span, "indexing a slice of a buffer");
  default:
    return fail(DiagId::NotSubscriptable, span, phraseFor(object));
  }
}

Value Interpreter::subscriptBuiltin(BuiltinObject &builtin, Value index, Span span) {
  llvm::StringRef name = builtin.info.name;
  if (name != "Tensor" && name != "Buffer" && name != "StridedTensor")
    return fail(DiagId::NotSubscriptable, span, "a function");
  llvm::SmallVector<Argument, 3> arguments;
  const auto *tuple = index.as<TupleObject>();
  if (!tuple)
    return callBuiltin(builtin, Argument{"", index, span}, span);
  for (const Value &item : tuple->items)
    arguments.push_back({"", item, span});
  return callBuiltin(builtin, arguments, span);
}

// Where a slice starts and ends in a sequence of `size`, as Python clamps it.
RangeObject *Interpreter::resolveSlice(const SliceObject &slice, int64_t size, Span span) {
  auto bound = [&](const Value &value, int64_t fallback, int64_t low,
                   int64_t high) -> std::optional<int64_t> {
    if (value.isNone())
      return fallback;
    if (!value.isIntegral()) {
      fail(DiagId::WrongType, span, "integers in a slice", phraseFor(value));
      return std::nullopt;
    }
    int64_t at = value.asInt() < 0 ? value.asInt() + size : value.asInt();
    return std::clamp(at, low, high);
  };
  int64_t step = 1;
  if (!slice.step.isNone()) {
    if (!slice.step.isIntegral() || slice.step.asInt() == 0) {
      fail(DiagId::ZeroStep, span);
      return nullptr;
    }
    step = slice.step.asInt();
  }
  bool isForward = step > 0;
  std::optional<int64_t> start =
      bound(slice.start, isForward ? 0 : size - 1, isForward ? 0 : -1, isForward ? size : size - 1);
  std::optional<int64_t> stop =
      bound(slice.stop, isForward ? size : -1, isForward ? 0 : -1, isForward ? size : size - 1);
  if (!start || !stop)
    return nullptr;
  return heap_.make<RangeObject>(*start, *stop, step);
}

// The place of an index from either end; nullopt after reporting.
std::optional<size_t> Interpreter::resolveIndex(Value index, size_t size, Span span) {
  if (!index.isIntegral()) {
    if (index.isExpr())
      fail(DiagId::IndexUnknown, span);
    else
      fail(DiagId::WrongType, span, "an integer as an index", phraseFor(index));
    return std::nullopt;
  }
  int64_t at = index.asInt();
  auto length = static_cast<int64_t>(size);
  if (at < -length || at >= length) {
    fail(DiagId::ItemOutOfRange, span, at, size);
    return std::nullopt;
  }
  return static_cast<size_t>(at < 0 ? at + length : at);
}

Value Interpreter::subscriptSequence(Value object, const Values &items, Value index, Span span) {
  if (const auto *slice = index.as<SliceObject>()) {
    RangeObject *range = resolveSlice(*slice, static_cast<int64_t>(items.size()), span);
    if (!range || !chargeLength(static_cast<uint64_t>(range->size()), span))
      return Value();
    Values picked;
    for (int64_t i = 0; i < range->size(); ++i)
      picked.push_back(items[static_cast<size_t>(range->start + i * range->step)]);
    return object.is(ValueKind::Tuple) ? heap_.tuple(std::move(picked))
                                       : heap_.list(std::move(picked));
  }
  std::optional<size_t> at = resolveIndex(index, items.size(), span);
  return at ? items[*at] : Value();
}

Value Interpreter::subscriptString(llvm::StringRef text, Value index, Span span) {
  spend(text.size());
  std::vector<llvm::StringRef> points = codePoints(text);
  if (const auto *slice = index.as<SliceObject>()) {
    RangeObject *range = resolveSlice(*slice, static_cast<int64_t>(points.size()), span);
    if (!range || !chargeLength(static_cast<uint64_t>(range->size()), span))
      return Value();
    std::string picked;
    for (int64_t i = 0; i < range->size(); ++i)
      picked += points[static_cast<size_t>(range->start + i * range->step)];
    return string(picked);
  }
  std::optional<size_t> at = resolveIndex(index, points.size(), span);
  return at ? string(points[*at].str()) : Value();
}

// `items[1:3] = [...]` replaces a run by any number of elements; with a step, one by one.
bool Interpreter::setSlice(ListObject &list, const SliceObject &slice, Value value, Span span) {
  std::optional<Values> items = toList(value, span);
  RangeObject *range =
      items ? resolveSlice(slice, static_cast<int64_t>(list.items.size()), span) : nullptr;
  if (!range || !chargeLength(list.items.size() + items->size(), span))
    return false;
  if (range->step == 1) {
    auto first = list.items.begin() + range->start;
    list.items.insert(list.items.erase(first, first + range->size()), items->begin(), items->end());
    return true;
  }
  if (static_cast<size_t>(range->size()) != items->size())
    return failed(DiagId::SliceSize, span, range->size(), items->size());
  for (size_t i = 0; i < items->size(); ++i)
    list.items[static_cast<size_t>(range->start) + i * static_cast<size_t>(range->step)] =
        (*items)[i];
  return true;
}

bool Interpreter::deleteItem(Value object, Value index, Span span) {
  if (auto *dict = object.as<DictObject>()) {
    auto found =
        llvm::find_if(dict->items, [&](const auto &item) { return areEqual(item.first, index); });
    if (found == dict->items.end())
      return failed(DiagId::KeyNotFound, span, reprOf(index));
    dict->items.erase(found);
    return true;
  }
  auto *list = object.as<ListObject>();
  if (!list)
    return failed(DiagId::NotSupportedYet, span, "'del' of an element of " + phraseFor(object));
  spend(list->items.size());
  const auto *slice = index.as<SliceObject>();
  if (!slice) {
    std::optional<size_t> at = resolveIndex(index, list->items.size(), span);
    if (at)
      list->items.erase(list->items.begin() + static_cast<ptrdiff_t>(*at));
    return at.has_value();
  }
  RangeObject *range = resolveSlice(*slice, static_cast<int64_t>(list->items.size()), span);
  if (!range)
    return false;
  llvm::SmallDenseSet<int64_t> dropped;
  for (int64_t i = 0; i < range->size(); ++i)
    dropped.insert(range->start + i * range->step);
  Values kept;
  for (size_t i = 0; i < list->items.size(); ++i)
    if (!dropped.contains(static_cast<int64_t>(i)))
      kept.push_back(list->items[i]);
  list->items = std::move(kept);
  return true;
}

bool Interpreter::setSubscript(Value object, Value index, Value value, Span span) {
  if (auto *list = object.as<ListObject>()) {
    if (const auto *slice = index.as<SliceObject>())
      return setSlice(*list, *slice, value, span);
    std::optional<size_t> at = resolveIndex(index, list->items.size(), span);
    if (at)
      list->items[*at] = value;
    return at.has_value();
  }
  if (auto *dict = object.as<DictObject>())
    return setItem(*dict, index, value, span);
  if (auto *buffer = object.as<BufferObject>()) {
    std::optional<std::vector<Axis>> axes = toAxes(*buffer, index, span);
    return axes && storeElement(*buffer, *axes, value, span);
  }
  if (object.is(ValueKind::TensorArgument) || object.is(ValueKind::Opaque))
    return static_cast<bool>(subscript(object, index, span));
  return failed(DiagId::CannotAssign, span, "an element of " + phraseFor(object));
}

bool Interpreter::forEach(Value iterable, Span span, llvm::function_ref<bool(Value)> visit) {
  if (const auto *range = iterable.as<RangeObject>()) {
    int64_t size = range->size();
    for (int64_t i = 0; i < size; ++i)
      if (!step(span) || !visit(Value::integer(range->start + i * range->step)))
        return false;
    return true;
  }
  if (const auto *dict = iterable.as<DictObject>()) {
    // By index: the loop may add to what it runs over.
    // NOLINTNEXTLINE(modernize-loop-convert)
    for (size_t i = 0; i < dict->items.size(); ++i)
      if (!step(span) || !visit(dict->items[i].first))
        return false;
    return true;
  }
  if (std::optional<llvm::StringRef> text = textOf(iterable)) {
    for (llvm::StringRef point : codePoints(*text))
      if (!step(span) || !visit(string(point.str())))
        return false;
    return true;
  }
  if (const Values *items = sequenceItems(iterable)) {
    // NOLINTNEXTLINE(modernize-loop-convert)
    for (size_t i = 0; i < items->size(); ++i)
      if (!step(span) || !visit((*items)[i]))
        return false;
    return true;
  }
  return failedToIterate(iterable, span);
}

bool Interpreter::failedToIterate(Value value, Span span) {
  if (const auto *opaque = value.as<OpaqueObject>()) {
    failOpaque(*opaque, span);
    return false;
  }
  if (const auto *tensor = value.as<TensorArgumentObject>())
    return failed(DiagId::TensorNotDeclared, span, tensor->param.name);
  if (value.is(ValueKind::Loop))
    return failed(DiagId::NotSupportedYet, span, "a device loop outside a 'for' statement");
  return failed(DiagId::NotIterable, span, phraseFor(value));
}

std::optional<Values> Interpreter::toList(Value iterable, Span span) {
  if (const Values *items = sequenceItems(iterable)) {
    steps_ += items->size() / 16;
    return *items;
  }
  Values items;
  bool done = forEach(iterable, span, [&](Value item) {
    items.push_back(item);
    return chargeLength(items.size(), span);
  });
  return done ? std::optional(std::move(items)) : std::nullopt;
}

} // namespace tilescope::frontend
