#include "core/ir/text_form.h"

#include "core/ir/build.h"
#include "core/ir/expr_equal.h"
#include "core/ir/visit.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

namespace {

constexpr llvm::StringLiteral ReservedWords[] = {
    "T",     "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",
    "break", "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",
    "for",   "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal",
    "not",   "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield",
};

struct ScopeWord {
  Scope scope;
  llvm::StringLiteral allocator;
};
constexpr ScopeWord ScopeWords[] = {
    {Scope::Global, "alloc_global"},
    {Scope::Shared, "alloc_shared"},
    {Scope::SharedStatic, "alloc_shared_static"},
    {Scope::Fragment, "alloc_fragment"},
    {Scope::Local, "alloc_local"},
    {Scope::LocalVar, "alloc_var"},
};

struct ForWord {
  ForKind kind;
  llvm::StringLiteral word;
};
constexpr ForWord ForWords[] = {
    {ForKind::Serial, "serial"},         {ForKind::Unrolled, "unroll"},
    {ForKind::Vectorized, "vectorized"}, {ForKind::Pipelined, "Pipelined"},
    {ForKind::Endless, "endless"},
};

// x + 4 is (x, 4), x - 4 is (x, -4), 4 is (null, 4), anything else (x, 0).
struct BasePlusOffset {
  const Expr *base = nullptr;
  int64_t offset = 0;
};

BasePlusOffset splitOffset(const Expr *expr) {
  if (std::optional<int64_t> value = constantValue(expr))
    return {nullptr, *value};
  const auto *binary = llvm::dyn_cast<Binary>(expr);
  if (!binary || (binary->op != BinaryOp::Add && binary->op != BinaryOp::Sub))
    return {expr, 0};
  std::optional<int64_t> value = constantValue(binary->rhs);
  if (!value || *value == std::numeric_limits<int64_t>::min())
    return {expr, 0};
  return {binary->lhs, binary->op == BinaryOp::Add ? *value : -*value};
}

const Expr *plusOffset(Context &context, DType dtype, BasePlusOffset sum) {
  auto literal = [&](int64_t value) { return context.make<IntImm>(dtype, value); };
  if (!sum.base)
    return literal(sum.offset);
  if (sum.offset == 0 || sum.offset == std::numeric_limits<int64_t>::min())
    return sum.base;
  if (sum.offset < 0)
    return context.make<Binary>(BinaryOp::Sub, sum.base, literal(-sum.offset));
  return context.make<Binary>(BinaryOp::Add, sum.base, literal(sum.offset));
}

bool isLiteralZero(const Expr *expr) { return constantValue(expr) == 0; }

} // namespace

std::string quoted(llvm::StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '#' || byte < 0x20 || byte == 0x7f)
      result += "\\x" + llvm::utohexstr(byte, /*LowerCase=*/true, 2);
    else
      result += c;
  }
  return result + '"';
}

std::optional<std::string> unquoted(llvm::StringRef text) {
  if (!text.consume_front("\"") || !text.consume_back("\""))
    return std::nullopt;
  std::string result;
  while (!text.empty()) {
    unsigned byte = 0;
    if (!text.consume_front("\\x")) {
      result += text[0];
      text = text.drop_front();
      continue;
    }
    if (text.size() < 2 || text.take_front(2).getAsInteger(16, byte))
      return std::nullopt;
    result += static_cast<char>(byte);
    text = text.drop_front(2);
  }
  return result;
}

bool isReservedWord(llvm::StringRef name) {
  static const llvm::StringSet<> Words = [] {
    llvm::StringSet<> words;
    for (llvm::StringRef word : ReservedWords)
      words.insert(word);
    return words;
  }();
  return Words.contains(name);
}

std::string asIdentifier(llvm::StringRef name) {
  std::string result = name.str();
  for (char &c : result)
    if (!llvm::isAlnum(c))
      c = '_';
  if (result.empty() || llvm::isDigit(result[0]))
    result.insert(0, "_");
  return result;
}

llvm::StringRef allocatorOf(Scope scope) {
  for (const ScopeWord &word : ScopeWords)
    if (word.scope == scope)
      return word.allocator;
  return "?";
}

std::optional<Scope> scopeOfAllocator(llvm::StringRef name) {
  for (const ScopeWord &word : ScopeWords)
    if (word.allocator == name)
      return word.scope;
  return std::nullopt;
}

llvm::StringRef textOf(ForKind kind) {
  for (const ForWord &word : ForWords)
    if (word.kind == kind)
      return word.word;
  return "?";
}

std::optional<ForKind> parseForKind(llvm::StringRef name) {
  for (const ForWord &word : ForWords)
    if (word.word == name)
      return word.kind;
  return std::nullopt;
}

std::optional<Property> parseProperty(llvm::StringRef name) {
  for (auto bit = 0U; bit <= static_cast<unsigned>(Property::BarriersFinal); ++bit)
    if (nameOf(static_cast<Property>(bit)) == name)
      return static_cast<Property>(bit);
  return std::nullopt;
}

std::string textOf(const Span &span) {
  if (!span.isValid())
    return "-";
  return std::to_string(span.line) + ":" + std::to_string(span.column) + "-" +
         std::to_string(span.endLine) + ":" + std::to_string(span.endColumn);
}

std::optional<Span> parseSpan(llvm::StringRef text) {
  Span span;
  if (text == "-")
    return span;
  if (text.consumeInteger(10, span.line) || !text.consume_front(":") ||
      text.consumeInteger(10, span.column) || !text.consume_front("-") ||
      text.consumeInteger(10, span.endLine) || !text.consume_front(":") ||
      text.consumeInteger(10, span.endColumn) || !text.empty())
    return std::nullopt;
  return span;
}

const Expr *extentFromStop(Context &context, const Expr *min, const Expr *stop) {
  if (isLiteralZero(min) && min->dtype() == stop->dtype())
    return stop;
  BasePlusOffset from = splitOffset(min);
  BasePlusOffset to = splitOffset(stop);
  int64_t distance = 0;
  if (isSameExpr(from.base, to.base) && !__builtin_sub_overflow(to.offset, from.offset, &distance))
    return context.make<IntImm>(min->dtype(), distance);
  if (const auto *sum = llvm::dyn_cast<Binary>(stop))
    if (sum->op == BinaryOp::Add && isSameExpr(sum->lhs, min))
      return sum->rhs;
  return context.make<Binary>(BinaryOp::Sub, stop, min);
}

const Expr *stopOf(Context &context, const Range &range) {
  auto [min, extent] = range;
  const Expr *stop = nullptr;
  BasePlusOffset from = splitOffset(min);
  std::optional<int64_t> length = constantValue(extent);
  if (isLiteralZero(min))
    stop = extent;
  else if (!length)
    stop = context.make<Binary>(BinaryOp::Add, min, extent);
  else if (!__builtin_add_overflow(from.offset, *length, &from.offset))
    stop = plusOffset(context, min->dtype(), from);
  return stop && isSameExpr(extentFromStop(context, min, stop), extent) ? stop : nullptr;
}

} // namespace tilescope
