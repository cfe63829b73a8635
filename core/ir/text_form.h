// What the printer and the reader of IR text agree on: quoting, the words of the language, spans,
// and how a range is written as `min:stop`.
#pragma once

#include "core/ir/module.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace tilescope {

constexpr llvm::StringLiteral IrTextFirstLine = "# tilescope-ir 1";
// Starts the comment that carries ids in tagged text.
constexpr llvm::StringLiteral TagMark = "#@ ";

// Appends texts and integers.
template <typename... Parts> void append(std::string &out, const Parts &...parts) {
  [[maybe_unused]] auto appendOne = [&](const auto &part) {
    if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(part)>>)
      out += std::to_string(part);
    else
      out += std::string_view(part);
  };
  (appendOne(parts), ...);
}

// Each text is made once; llvm::join over a mapped range makes each of them twice, and so nested
// ones 2^depth times.
template <typename Range, typename TextOf>
std::string joinTexts(const Range &range, TextOf textOf, llvm::StringRef separator = ", ") {
  std::string text;
  bool isFirst = true;
  for (const auto &item : range) {
    if (!std::exchange(isFirst, false))
      text += separator;
    text += textOf(item);
  }
  return text;
}

// A double-quoted Python literal, ASCII controls, quotes, '#' and backslashes escaped.
std::string quoted(llvm::StringRef text);
// What `quoted` wrote, with its quotes; nullopt for anything else.
std::optional<std::string> unquoted(llvm::StringRef text);
// Python keywords, and `T`: what no buffer or variable may be called in the text.
bool isReservedWord(llvm::StringRef name);
// The name made a legal identifier: `_` for what is not a letter or digit.
std::string asIdentifier(llvm::StringRef name);

// "alloc_shared", ...
llvm::StringRef allocatorOf(Scope scope);
std::optional<Scope> scopeOfAllocator(llvm::StringRef name);

// "serial", "unroll", "vectorized", "Pipelined"
llvm::StringRef textOf(ForKind kind);
std::optional<ForKind> parseForKind(llvm::StringRef name);

std::optional<Property> parseProperty(llvm::StringRef name);

// "10:5-12:40"; "-" for no source.
std::string textOf(const Span &span);
// Without a file; nullopt if it is not of that form.
std::optional<Span> parseSpan(llvm::StringRef text);

// Ranges are written `min:stop`. The reader gets the extent back from the shape of `stop`:
//     0:n              n           min is the literal 0
//     4:12             8           both literal
//     x + 4:x + 12     8           one base, literal distance
//     x:x + n          n           stop is min plus something
// and the difference of anything else.
const Expr *extentFromStop(Context &context, const Expr *min, const Expr *stop);
// The stop from which `extentFromStop` recovers this very extent; null if there is none, and the
// range is written `T.span(min, extent)`.
const Expr *stopOf(Context &context, const Range &range);

} // namespace tilescope
