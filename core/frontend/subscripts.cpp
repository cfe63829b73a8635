#include "core/frontend/subscripts.h"

#include "core/frontend/buffers.h"
#include "core/frontend/builtins.h"
#include "core/frontend/calls.h"
#include "core/frontend/collections.h"
#include "core/frontend/expr_operators.h"
#include "core/frontend/iteration.h"
#include "core/frontend/operators.h"
#include "core/frontend/unicode_text.h"
#include "core/frontend/vectors.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace tilescope::frontend {

static Value subscriptBuiltin(Evaluation &evaluation, BuiltinObject &builtin, Value index,
                              Span span) {
  llvm::StringRef name = builtin.info.name;
  // An annotation: `T.Ref[T.int32]`.
  if (builtin.info.handler == tileAnnotation)
    return &builtin;
  if (name != "Tensor" && name != "Buffer" && name != "StridedTensor")
    return evaluation.fail(DiagId::NotSubscriptable, span, "a function");
  llvm::SmallVector<Argument, 3> arguments;
  const auto *tuple = index.as<TupleObject>();
  if (!tuple)
    return callBuiltin(evaluation, builtin, Argument{"", index, span}, span);
  for (const Value &item : tuple->items)
    arguments.push_back({"", item, span});
  return callBuiltin(evaluation, builtin, arguments, span);
}

// Where a slice starts and ends in a sequence of `size`, as Python clamps it.
static RangeObject *resolveSlice(Evaluation &evaluation, const SliceObject &slice, int64_t size,
                                 Span span) {
  auto bound = [&](const Value &value, int64_t fallback, int64_t low,
                   int64_t high) -> std::optional<int64_t> {
    if (value.isNone())
      return fallback;
    if (!value.isIntegral()) {
      evaluation.fail(DiagId::WrongType, span, "integers in a slice", phraseFor(value));
      return std::nullopt;
    }
    int64_t at = value.asInt() < 0 ? value.asInt() + size : value.asInt();
    return std::clamp(at, low, high);
  };
  int64_t step = 1;
  if (!slice.step.isNone()) {
    if (!slice.step.isIntegral() || slice.step.asInt() == 0) {
      evaluation.fail(DiagId::ZeroStep, span);
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
  return evaluation.heap.make<RangeObject>(*start, *stop, step);
}

static Value subscriptSequence(Evaluation &evaluation, Value object, const Values &items,
                               Value index, Span span) {
  if (const auto *slice = index.as<SliceObject>()) {
    RangeObject *range = resolveSlice(evaluation, *slice, static_cast<int64_t>(items.size()), span);
    if (!range || !evaluation.chargeLength(static_cast<uint64_t>(range->size()), span))
      return Value();
    Values picked;
    for (int64_t i = 0; i < range->size(); ++i)
      picked.push_back(items[static_cast<size_t>(range->start + i * range->step)]);
    return object.is(ValueKind::Tuple) ? evaluation.heap.tuple(std::move(picked))
                                       : evaluation.heap.list(std::move(picked));
  }
  std::optional<size_t> at = resolveIndex(evaluation, index, items.size(), span);
  return at ? items[*at] : Value();
}

static Value subscriptString(Evaluation &evaluation, llvm::StringRef text, Value index, Span span) {
  evaluation.spend(text.size());
  std::vector<llvm::StringRef> points = codePoints(text);
  if (const auto *slice = index.as<SliceObject>()) {
    RangeObject *range =
        resolveSlice(evaluation, *slice, static_cast<int64_t>(points.size()), span);
    if (!range || !evaluation.chargeLength(static_cast<uint64_t>(range->size()), span))
      return Value();
    std::string picked;
    for (int64_t i = 0; i < range->size(); ++i)
      picked += points[static_cast<size_t>(range->start + i * range->step)];
    return evaluation.heap.string(picked);
  }
  std::optional<size_t> at = resolveIndex(evaluation, index, points.size(), span);
  return at ? evaluation.heap.string(points[*at].str()) : Value();
}

// One pointer of a table. Which one is settled here: a variable may change afterwards.
static Value subscriptTable(Evaluation &evaluation, PointerObject &table, Value index, Span span) {
  Values items{index};
  if (const auto *tuple = index.as<TupleObject>())
    items = tuple->items;
  if (table.table.empty())
    return evaluation.fail(DiagId::NotSubscriptable, span, phraseFor(Value(&table)));
  if (items.size() != table.table.size())
    return evaluation.fail(DiagId::IndexCount, span, "the table", table.table.size(), items.size());
  auto *pointer = evaluation.heap.make<PointerObject>();
  pointer->tableOf = &table;
  for (const Value &item : items) {
    const Expr *row = toIndex(evaluation, item, "an index", span);
    if (!row)
      return Value();
    if (readsMemory(row) && !evaluation.requireLaunch("a pointer of a table", span))
      return Value();
    if (!constantValue(row) && !llvm::isa<Var>(row))
      row = evaluation.kernel->bind("row", row, span);
    pointer->row.push_back(row);
  }
  return pointer;
}

// `Kind["Name"]`
static Value subscriptClass(Evaluation &evaluation, ClassObject &type, Value index, Span span) {
  std::optional<llvm::StringRef> name = textOf(plainOf(index));
  for (const Value &member : type.enumMembers)
    if (name && member.object() == type.members.lookup(*name).object())
      return member;
  return type.isEnum ? evaluation.fail(DiagId::KeyNotFound, span, reprOf(index))
                     : evaluation.fail(DiagId::NotSubscriptable, span, phraseFor(&type));
}

Value subscript(Evaluation &evaluation, Value object, Value index, Span span) {
  switch (object.kind()) {
  case ValueKind::Buffer:
    return subscriptBuffer(evaluation, *object.as<BufferObject>(), index, span);
  case ValueKind::Pointer:
    return subscriptTable(evaluation, *object.as<PointerObject>(), index, span);
  case ValueKind::Tuple:
  case ValueKind::List:
    return subscriptSequence(evaluation, object, *sequenceItems(object), index, span);
  case ValueKind::Dict: {
    Value *found = findItem(evaluation, *object.as<DictObject>(), index);
    return found ? *found : evaluation.fail(DiagId::KeyNotFound, span, reprOf(index));
  }
  case ValueKind::String:
  case ValueKind::DType:
    return subscriptString(evaluation, *textOf(object), index, span);
  case ValueKind::Range: {
    std::optional<Values> items = toList(evaluation, object, span);
    return items ? subscriptSequence(evaluation, evaluation.heap.list(*items), *items, index, span)
                 : Value();
  }
  case ValueKind::Builtin:
    // `T.Tensor[(M, N), dtype]`
    return subscriptBuiltin(evaluation, *object.as<BuiltinObject>(), index, span);
  case ValueKind::Class:
    return subscriptClass(evaluation, *object.as<ClassObject>(), index, span);
  case ValueKind::Opaque:
    return evaluation.failOpaque(*object.as<OpaqueObject>(), span);
  case ValueKind::TensorArgument:
    return evaluation.fail(DiagId::TensorNotDeclared, span,
                           object.as<TensorArgumentObject>()->param.name);
  case ValueKind::Region:
    return evaluation.fail(DiagId::NotSupportedYet, span, "indexing a slice of a buffer");
  default:
    return evaluation.fail(DiagId::NotSubscriptable, span, phraseFor(object));
  }
}

std::optional<size_t> resolveIndex(Evaluation &evaluation, Value index, size_t size, Span span) {
  index = plainOf(index);
  if (!index.isIntegral()) {
    if (index.isExpr())
      evaluation.fail(DiagId::IndexUnknown, span);
    else
      evaluation.fail(DiagId::WrongType, span, "an integer as an index", phraseFor(index));
    return std::nullopt;
  }
  int64_t at = index.asInt();
  auto length = static_cast<int64_t>(size);
  if (at < -length || at >= length) {
    evaluation.fail(DiagId::ItemOutOfRange, span, at, size);
    return std::nullopt;
  }
  return static_cast<size_t>(at < 0 ? at + length : at);
}

// `items[1:3] = [...]` replaces a run by any number of elements; with a step, one by one.
static bool setSlice(Evaluation &evaluation, ListObject &list, const SliceObject &slice,
                     Value value, Span span) {
  std::optional<Values> items = toList(evaluation, value, span);
  RangeObject *range =
      items ? resolveSlice(evaluation, slice, static_cast<int64_t>(list.items.size()), span)
            : nullptr;
  if (!range || !evaluation.chargeLength(list.items.size() + items->size(), span))
    return false;
  if (range->step == 1) {
    auto first = list.items.begin() + range->start;
    list.items.insert(list.items.erase(first, first + range->size()), items->begin(), items->end());
    return true;
  }
  if (static_cast<size_t>(range->size()) != items->size())
    return evaluation.failed(DiagId::SliceSize, span, range->size(), items->size());
  for (size_t i = 0; i < items->size(); ++i)
    list.items[static_cast<size_t>(range->start) + i * static_cast<size_t>(range->step)] =
        (*items)[i];
  return true;
}

bool deleteItem(Evaluation &evaluation, Value object, Value index, Span span) {
  if (auto *dict = object.as<DictObject>()) {
    auto found = llvm::find_if(
        dict->items, [&](const auto &item) { return areEqual(evaluation, item.first, index); });
    if (found == dict->items.end())
      return evaluation.failed(DiagId::KeyNotFound, span, reprOf(index));
    dict->items.erase(found);
    return true;
  }
  auto *list = object.as<ListObject>();
  if (!list)
    return evaluation.failed(DiagId::NotSupportedYet, span,
                             "'del' of an element of " + phraseFor(object));
  evaluation.spend(list->items.size());
  const auto *slice = index.as<SliceObject>();
  if (!slice) {
    std::optional<size_t> at = resolveIndex(evaluation, index, list->items.size(), span);
    if (at)
      list->items.erase(list->items.begin() + static_cast<ptrdiff_t>(*at));
    return at.has_value();
  }
  RangeObject *range =
      resolveSlice(evaluation, *slice, static_cast<int64_t>(list->items.size()), span);
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

bool setSubscript(Evaluation &evaluation, Value object, Value index, Value value, Span span) {
  if (auto *list = object.as<ListObject>()) {
    if (const auto *slice = index.as<SliceObject>())
      return setSlice(evaluation, *list, *slice, value, span);
    std::optional<size_t> at = resolveIndex(evaluation, index, list->items.size(), span);
    if (at)
      list->items[*at] = value;
    return at.has_value();
  }
  if (auto *dict = object.as<DictObject>())
    return setItem(evaluation, *dict, index, value, span);
  if (auto *buffer = object.as<BufferObject>()) {
    if (accessesLanes(*buffer, index))
      return storeLanes(evaluation, *buffer, index, value, span);
    std::optional<std::vector<Axis>> axes = toAxes(evaluation, *buffer, index, span);
    return axes && storeElement(evaluation, *buffer, *axes, value, span);
  }
  if (object.is(ValueKind::TensorArgument) || object.is(ValueKind::Opaque))
    return static_cast<bool>(subscript(evaluation, object, index, span));
  return evaluation.failed(DiagId::CannotAssign, span, "an element of " + phraseFor(object));
}

} // namespace tilescope::frontend
