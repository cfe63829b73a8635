#include "core/driver/smaller_edits.h"

#include "core/ir/text_form.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <optional>

namespace tilescope {

namespace {

// A line of tagged text; points into it.
struct TaggedLine {
  llvm::StringRef code, tags;

  // "span=65:9-65:50"
  uint32_t sourceLine() const {
    uint32_t line = 0;
    tags.split("span=").second.consumeInteger(10, line);
    return line;
  }
};

std::optional<int64_t> numberIn(llvm::StringRef text) {
  int64_t number = 0;
  return text.consumeInteger(10, number) ? std::nullopt : std::optional(number);
}

std::string replaced(llvm::StringRef text, llvm::StringRef part, const std::string &by) {
  std::string result = text.str();
  return result.replace(static_cast<size_t>(part.data() - text.data()), part.size(), by);
}

void addFewerStages(llvm::StringRef text, const TaggedLine &line, std::vector<SmallerEdit> &edits) {
  constexpr llvm::StringLiteral Key = "num_stages=";
  size_t at = line.code.rfind(Key);
  if (!line.code.contains(" in T.Pipelined(") || at == llvm::StringRef::npos)
    return;
  llvm::StringRef digits = line.code.drop_front(at + Key.size()).take_while(llvm::isDigit);
  int64_t stages = numberIn(digits).value_or(0);
  if (stages < 2)
    return;
  std::string fewer = std::to_string(stages - 1);
  edits.push_back(
      {Key.str() + fewer, line.sourceLine(), stages - 1, replaced(text, digits, fewer)});
}

// Bytes of a row of `T.alloc_shared((64, 32), "float16", ...)`; nullopt: not known, or one
// dimension alone, which has no rows to swizzle.
std::optional<int64_t> rowBytes(llvm::StringRef code) {
  auto [shape, rest] = code.split(')');
  std::optional<int64_t> columns = numberIn(shape.rtrim(", ").rsplit(' ').second);
  llvm::StringRef type = rest.split('"').second.split('"').first;
  std::optional<int64_t> bits = numberIn(type.ltrim("abcdefghijklmnopqrstuvwxyz"));
  if (!columns || !bits || *columns <= 0 || *columns > (1 << 20) || *bits % 8 != 0)
    return std::nullopt;
  return *columns * *bits / 8;
}

// The widest swizzle that a row is a multiple of.
std::string layoutWithoutPadding(llvm::StringRef code) {
  std::optional<int64_t> bytes = rowBytes(code);
  for (int64_t span : {128, 64, 32})
    if (bytes && *bytes % span == 0)
      return "swizzle(" + std::to_string(span) + ")";
  return "row_major";
}

void addNoPadding(llvm::StringRef text, const TaggedLine &line, std::vector<SmallerEdit> &edits) {
  auto [name, allocation] = line.code.ltrim().split(" = T.alloc_shared(");
  llvm::StringRef layout = allocation.split("layout=\"").second.split('"').first;
  if (!layout.starts_with("padded("))
    return;
  std::string other = layoutWithoutPadding(allocation);
  edits.push_back({other + " instead of " + layout.str() + " of " + name.str(), line.sourceLine(),
                   0, replaced(text, layout, other)});
}

} // namespace

std::vector<SmallerEdit> smallerEdits(llvm::StringRef taggedText) {
  std::vector<SmallerEdit> edits;
  for (llvm::StringRef rest = taggedText; !rest.empty();) {
    auto [line, next] = rest.split('\n');
    rest = next;
    TaggedLine tagged;
    std::tie(tagged.code, tagged.tags) = line.split(TagMark);
    addFewerStages(taggedText, tagged, edits);
    addNoPadding(taggedText, tagged, edits);
  }
  return edits;
}

} // namespace tilescope
