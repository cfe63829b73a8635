#include "core/ir/read_tags.h"

#include "core/ir/text_form.h"

#include "llvm/ADT/StringExtras.h"

namespace tilescope {

namespace {

// Text may come from anywhere, and tables are indexed by id.
constexpr uint32_t LargestId = 1U << 24;

// "s12" with prefix 's'.
template <typename AnyId> bool parseId(llvm::StringRef word, char prefix, AnyId &id) {
  uint32_t value = 0;
  if (word.empty() || word[0] != prefix || word.drop_front().getAsInteger(10, value) ||
      value > LargestId)
    return false;
  id = AnyId(value);
  return true;
}

// The next word; blanks inside quotes belong to it.
llvm::StringRef takeWord(llvm::StringRef &text) {
  text = text.ltrim(' ');
  bool isQuoted = false;
  size_t end = 0;
  for (; end < text.size() && (isQuoted || text[end] != ' '); ++end)
    isQuoted ^= text[end] == '"';
  llvm::StringRef word = text.take_front(end);
  text = text.drop_front(end);
  return word;
}

class TagParser {
public:
  explicit TagParser(FileId kernel) : kernel_(kernel) {}

  std::optional<Tag> parse(llvm::StringRef text) {
    for (llvm::StringRef word = takeWord(text); !word.empty(); word = takeWord(text))
      if (!parseWord(word))
        return std::nullopt;
    if (expectsBody_)
      return std::nullopt;
    return std::move(tag_);
  }

private:
  bool parseWord(llvm::StringRef word) {
    auto [key, value] = word.split('=');
    if (word == "body")
      return !std::exchange(expectsBody_, true) && !tag_.body;
    if (key == "anchor")
      return parseAnchor(value);
    if (key == "origin")
      return current() ? parseId(value, 's', current()->origin)
                       : parseId(value, 'b', tag_.bufferOrigin);
    tag_.hasSpan |= key == "span";
    if (key == "span")
      return parseInto(value, current() ? current()->span : tag_.span);
    if (key == "operands")
      return parseOperands(value);
    if (key.starts_with("v"))
      return parseVar(key, word.size() > key.size() ? unquoted(value) : std::nullopt,
                      word.size() > key.size());
    BufferId buffer;
    if (parseId(word, 'b', buffer)) {
      tag_.buffer = buffer;
      return true;
    }
    return parseStmt(word);
  }

  StmtInfo *current() {
    if (tag_.body)
      return &*tag_.body;
    return tag_.stmt ? &*tag_.stmt : nullptr;
  }

  bool parseStmt(llvm::StringRef word) {
    StmtInfo info;
    if (!parseId(word, 's', info.id))
      return false;
    info.anchor = info.id;
    if (!expectsBody_ && tag_.stmt)
      return false;
    (expectsBody_ ? tag_.body : tag_.stmt) = info;
    expectsBody_ = false;
    return true;
  }

  bool parseAnchor(llvm::StringRef value) {
    if (!current())
      return false;
    if (value != "-")
      return parseId(value, 's', current()->anchor);
    current()->anchor = StmtId();
    return true;
  }

  bool parseInto(llvm::StringRef text, Span &span) const {
    std::optional<Span> parsed = parseSpan(text);
    if (!parsed)
      return false;
    span = *parsed;
    if (span.isValid())
      span.file = kernel_;
    return true;
  }

  bool parseOperands(llvm::StringRef value) {
    llvm::SmallVector<llvm::StringRef> texts;
    value.split(texts, ',');
    for (llvm::StringRef text : texts)
      if (!parseInto(text, tag_.operands.emplace_back()))
        return false;
    return true;
  }

  bool parseVar(llvm::StringRef key, std::optional<std::string> name, bool wantsName) {
    TaggedVar var;
    if (!parseId(key, 'v', var.id) || (wantsName && !name))
      return false;
    var.name = std::move(name);
    tag_.vars.push_back(std::move(var));
    return true;
  }

  FileId kernel_;
  Tag tag_;
  bool expectsBody_ = false;
};

} // namespace

std::optional<Tag> parseTag(llvm::StringRef text, FileId kernel) {
  return TagParser(kernel).parse(text);
}

} // namespace tilescope
