#include "core/frontend/iteration.h"

#include "core/frontend/enums.h"
#include "core/frontend/generators.h"
#include "core/frontend/unicode_text.h"

namespace tilescope::frontend {

static bool failedToIterate(Evaluation &evaluation, Value value, Span span) {
  if (const auto *opaque = value.as<OpaqueObject>()) {
    evaluation.failOpaque(*opaque, span);
    return false;
  }
  if (const auto *tensor = value.as<TensorArgumentObject>())
    return evaluation.failed(DiagId::TensorNotDeclared, span, tensor->param.name);
  if (value.is(ValueKind::Loop))
    return evaluation.failed(DiagId::NotSupportedYet, span,
                             "a device loop outside a 'for' statement");
  return evaluation.failed(DiagId::NotIterable, span, phraseFor(value));
}

bool forEach(Evaluation &evaluation, Value iterable, Span span,
             llvm::function_ref<bool(Value)> visit) {
  if (const auto *range = iterable.as<RangeObject>()) {
    int64_t size = range->size();
    for (int64_t i = 0; i < size; ++i)
      if (!evaluation.step(span) || !visit(Value::integer(range->start + i * range->step)))
        return false;
    return true;
  }
  if (const auto *dict = iterable.as<DictObject>()) {
    // By index: the loop may add to what it runs over.
    // NOLINTNEXTLINE(modernize-loop-convert)
    for (size_t i = 0; i < dict->items.size(); ++i)
      if (!evaluation.step(span) || !visit(dict->items[i].first))
        return false;
    return true;
  }
  if (const Values *members = enumMembers(iterable)) {
    for (const Value &member : *members)
      if (!evaluation.step(span) || !visit(member))
        return false;
    return true;
  }
  if (std::optional<llvm::StringRef> text = textOf(plainOf(iterable))) {
    for (llvm::StringRef point : codePoints(*text))
      if (!evaluation.step(span) || !visit(evaluation.heap.string(point.str())))
        return false;
    return true;
  }
  if (const Values *items = sequenceItems(iterable)) {
    // NOLINTNEXTLINE(modernize-loop-convert)
    for (size_t i = 0; i < items->size(); ++i)
      if (!evaluation.step(span) || !visit((*items)[i]))
        return false;
    return true;
  }
  if (auto *generator = iterable.as<GeneratorObject>())
    return forEachOf(evaluation, *generator, Consumer::Builtin, span, visit);
  return failedToIterate(evaluation, iterable, span);
}

std::optional<Values> toList(Evaluation &evaluation, Value iterable, Span span) {
  if (const Values *items = sequenceItems(iterable)) {
    evaluation.spendSteps(items->size() / 16);
    return *items;
  }
  Values items;
  bool done = forEach(evaluation, iterable, span, [&](Value item) {
    items.push_back(item);
    return evaluation.chargeLength(items.size(), span);
  });
  return done ? std::optional(std::move(items)) : std::nullopt;
}

} // namespace tilescope::frontend
