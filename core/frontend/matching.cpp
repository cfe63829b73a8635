#include "core/frontend/matching.h"

#include "core/frontend/assignment.h"
#include "core/frontend/attributes.h"
#include "core/frontend/builtins.h"
#include "core/frontend/collections.h"
#include "core/frontend/expressions.h"
#include "core/frontend/operators.h"
#include "core/frontend/statements.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope::frontend {

namespace {

using ast::Pattern;
using Kind = ast::Pattern::Kind;

class Matcher {
public:
  explicit Matcher(Evaluation &evaluation) : evaluation_(evaluation) {}

  // Nullopt after a report.
  std::optional<bool> matches(const Pattern &pattern, Value subject);

private:
  std::optional<bool> matchesValue(const Pattern &pattern, Value subject);
  std::optional<bool> matchesSequence(const Pattern &pattern, Value subject);
  std::optional<bool> matchesMapping(const Pattern &pattern, Value subject);
  std::optional<bool> matchesClass(const Pattern &pattern, Value subject);
  // Of which attributes the positional parts of a class pattern are.
  std::optional<std::vector<std::string>> positionalFields(const Pattern &pattern, Value type,
                                                           size_t count);
  std::optional<bool> captures(llvm::StringRef name, Value value, Span span) {
    if (name.empty() || assignName(evaluation_, name, value, span))
      return true;
    return std::nullopt;
  }

  Evaluation &evaluation_;
};

std::optional<bool> Matcher::matches(const Pattern &pattern, Value subject) {
  if (!evaluation_.step(pattern.span))
    return std::nullopt;
  switch (pattern.kind) {
  case Kind::Value:
    return matchesValue(pattern, subject);
  case Kind::Capture:
    return captures(pattern.name, subject, pattern.span);
  case Kind::Sequence:
    return matchesSequence(pattern, subject);
  case Kind::Mapping:
    return matchesMapping(pattern, subject);
  case Kind::Class:
    return matchesClass(pattern, subject);
  case Kind::Or:
    for (const Pattern *part : pattern.parts)
      if (std::optional<bool> fits = matches(*part, subject); fits != false)
        return fits;
    return false;
  case Kind::As: {
    std::optional<bool> fits = matches(*pattern.parts[0], subject);
    return fits == true ? captures(pattern.name, subject, pattern.span) : fits;
  }
  case Kind::Star:
    break;
  }
  evaluation_.fail(DiagId::UnsupportedSyntax, pattern.span, "*");
  return std::nullopt;
}

std::optional<bool> Matcher::matchesValue(const Pattern &pattern, Value subject) {
  Value wanted = eval(evaluation_, pattern.value);
  if (!wanted)
    return std::nullopt;
  if (subject.isExpr() || wanted.isExpr()) {
    evaluation_.fail(DiagId::OperatorOnExpression, pattern.span, "match", "; write 'if'");
    return std::nullopt;
  }
  bool isIdentity = llvm::isa<ast::NoneExpr, ast::BoolExpr>(pattern.value);
  bool fits = isIdentity ? areSame(subject, wanted) : areEqual(evaluation_, subject, wanted);
  return evaluation_.isDead ? std::nullopt : std::optional(fits);
}

std::optional<bool> Matcher::matchesSequence(const Pattern &pattern, Value subject) {
  bool isSequence = subject.is(ValueKind::Tuple) || subject.is(ValueKind::List);
  if (!isSequence)
    return false;
  // A copy: a guard may change the list.
  Values items = *sequenceItems(subject);
  llvm::ArrayRef<const Pattern *> parts = pattern.parts;
  const auto *star =
      llvm::find_if(parts, [](const Pattern *part) { return part->kind == Kind::Star; });
  size_t before = static_cast<size_t>(star - parts.begin());
  bool hasStar = star != parts.end();
  size_t after = hasStar ? parts.size() - before - 1 : 0;
  if (hasStar ? items.size() < before + after : items.size() != parts.size())
    return false;
  for (size_t i = 0; i < before; ++i)
    if (std::optional<bool> fits = matches(*parts[i], items[i]); fits != true)
      return fits;
  if (!hasStar)
    return true;
  size_t tail = items.size() - after;
  Values rest(items.begin() + static_cast<ptrdiff_t>(before),
              items.begin() + static_cast<ptrdiff_t>(tail));
  if (!captures((*star)->name, evaluation_.heap.list(std::move(rest)), (*star)->span))
    return std::nullopt;
  for (size_t i = 0; i < after; ++i)
    if (std::optional<bool> fits = matches(*parts[before + 1 + i], items[tail + i]); fits != true)
      return fits;
  return true;
}

std::optional<bool> Matcher::matchesMapping(const Pattern &pattern, Value subject) {
  auto *dict = subject.as<DictObject>();
  if (!dict)
    return false;
  Values taken;
  for (auto [key, part] : llvm::zip_equal(pattern.keys, pattern.parts)) {
    Value wanted = eval(evaluation_, key);
    if (!wanted)
      return std::nullopt;
    Value *item = findItem(evaluation_, *dict, wanted);
    if (!item)
      return evaluation_.isDead ? std::nullopt : std::optional(false);
    if (std::optional<bool> fits = matches(*part, *item); fits != true)
      return fits;
    taken.push_back(wanted);
  }
  if (pattern.name.empty())
    return true;
  auto *rest = evaluation_.heap.make<DictObject>();
  for (const auto &[key, value] : dict->items) {
    bool isTaken =
        llvm::any_of(taken, [&, &key = key](Value one) { return areEqual(evaluation_, one, key); });
    if (!isTaken && !setItem(evaluation_, *rest, key, value, pattern.span))
      return std::nullopt;
  }
  return captures(pattern.name, rest, pattern.span);
}

std::optional<std::vector<std::string>> Matcher::positionalFields(const Pattern &pattern,
                                                                  Value type, size_t count) {
  const auto *own = type.as<ClassObject>();
  if (own && own->fields.size() >= count)
    return std::vector<std::string>(own->fields.begin(),
                                    own->fields.begin() + static_cast<ptrdiff_t>(count));
  evaluation_.fail(DiagId::TooManyArguments, pattern.span, own ? own->name : typeName(type),
                   own ? own->fields.size() : 0, "");
  return std::nullopt;
}

std::optional<bool> Matcher::matchesClass(const Pattern &pattern, Value subject) {
  Value type = eval(evaluation_, pattern.value);
  if (!type)
    return std::nullopt;
  if (!isInstance(subject, type))
    return false;
  size_t positional = pattern.parts.size() - pattern.keywords.size();
  // `int(x)`: x is the value itself.
  bool isBuiltin = type.is(ValueKind::Builtin);
  if (isBuiltin && positional == 1 && pattern.keywords.empty())
    return matches(*pattern.parts[0], subject);
  std::vector<std::string> names;
  if (positional != 0) {
    std::optional<std::vector<std::string>> fields = positionalFields(pattern, type, positional);
    if (!fields)
      return std::nullopt;
    names = std::move(*fields);
  }
  for (llvm::StringRef keyword : pattern.keywords)
    names.push_back(keyword.str());
  for (auto [name, part] : llvm::zip_equal(names, pattern.parts)) {
    if (!hasAttribute(evaluation_, subject, name))
      return false;
    Value member = attribute(evaluation_, subject, name, pattern.span);
    if (!member)
      return std::nullopt;
    if (std::optional<bool> fits = matches(*part, member); fits != true)
      return fits;
  }
  return true;
}

} // namespace

Flow execMatch(Evaluation &evaluation, const ast::MatchStmt &stmt) {
  Value subject = eval(evaluation, stmt.subject);
  if (!subject)
    return Flow::Failed;
  Matcher matcher(evaluation);
  for (const ast::MatchCase &one : stmt.cases) {
    std::optional<bool> fits = matcher.matches(*one.pattern, subject);
    if (fits == true && one.guard) {
      Value guard = eval(evaluation, one.guard);
      fits = guard ? truthOf(evaluation, guard, one.guard->span) : std::nullopt;
    }
    if (!fits)
      return Flow::Failed;
    if (*fits)
      return execBlock(evaluation, one.body);
  }
  return Flow::Normal;
}

} // namespace tilescope::frontend
