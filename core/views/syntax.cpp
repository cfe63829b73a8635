#include "core/views/syntax.h"

#include "core/views/words.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace tilescope {

namespace {

constexpr llvm::StringLiteral PythonKeywords =
    "and as assert break class continue def del elif else except False finally for from global if "
    "import in is lambda None nonlocal not or pass raise return True try while with yield";
constexpr llvm::StringLiteral Annotations = "annotations={";
constexpr llvm::StringLiteral CudaKeywords =
    "alignas asm auto bool break case char const constexpr continue default do double else enum "
    "extern false float for goto half if inline int int64_t long namespace nullptr "
    "reinterpret_cast return short signed sizeof static static_cast struct switch template true "
    "typedef typename union unsigned using void volatile while __align__ __device__ "
    "__forceinline__ __global__ __host__ __launch_bounds__ __restrict__ __shared__";

llvm::StringSet<> wordsOf(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ' ');
  llvm::StringSet<> set;
  set.insert(words.begin(), words.end());
  return set;
}

bool isKeyword(llvm::StringRef word, CodeLanguage language) {
  static const llvm::StringSet<> Python = wordsOf(PythonKeywords), Cuda = wordsOf(CudaKeywords);
  return (language == CodeLanguage::Python ? Python : Cuda).contains(word);
}

class SyntaxReader {
public:
  SyntaxReader(llvm::StringRef line, CodeLanguage language, CodeState &state)
      : line_(line), language_(language), state_(state) {}

  std::vector<SyntaxSpan> read() {
    while (at_ < line_.size())
      state_ == CodeState::Code ? readCode() : readToEndOfState();
    return std::move(spans_);
  }

private:
  bool isPython() const { return language_ == CodeLanguage::Python; }
  llvm::StringRef rest() const { return line_.drop_front(at_); }

  void add(size_t end, SyntaxKind kind) {
    spans_.push_back({{static_cast<uint32_t>(at_), static_cast<uint32_t>(end)}, kind});
    at_ = end;
  }

  llvm::StringRef endOfState() const {
    return state_ == CodeState::BlockComment   ? "*/"
           : state_ == CodeState::DoubleQuoted ? "\"\"\""
                                               : "'''";
  }

  // The state ends on this line, or all of the rest belongs to it.
  void readToEndOfState(size_t opened = 0) {
    llvm::StringRef closing = endOfState();
    size_t found = line_.find(closing, at_ + opened);
    SyntaxKind kind = state_ == CodeState::BlockComment ? SyntaxKind::Comment : SyntaxKind::String;
    if (found != llvm::StringRef::npos)
      state_ = CodeState::Code;
    add(found == llvm::StringRef::npos ? line_.size() : found + closing.size(), kind);
  }

  void readCode() {
    llvm::StringRef text = rest();
    char first = text.front();
    if (text.starts_with(isPython() ? "#" : "//"))
      return add(line_.size(), SyntaxKind::Comment);
    for (CodeState opened :
         {CodeState::BlockComment, CodeState::DoubleQuoted, CodeState::SingleQuoted}) {
      bool isComment = opened == CodeState::BlockComment;
      llvm::StringRef opening = isComment                           ? "/*"
                                : opened == CodeState::DoubleQuoted ? "\"\"\""
                                                                    : "'''";
      if (isComment == isPython() || !text.starts_with(opening))
        continue;
      state_ = opened;
      return readToEndOfState(opening.size());
    }
    if (first == '"' || first == '\'')
      return readString(first);
    if (llvm::isDigit(first))
      return add(at_ + numberSize(text), SyntaxKind::Number);
    if (isWordByte(first))
      return readWord();
    ++at_;
  }

  void readString(char quote) {
    size_t end = at_ + 1;
    while (end < line_.size() && line_[end] != quote)
      end += line_[end] == '\\' ? 2 : 1;
    add(std::min(end + 1, line_.size()), SyntaxKind::String);
  }

  // "0x1f", "1.5e-3f", "2.0"
  static size_t numberSize(llvm::StringRef text) {
    size_t end = 1;
    bool isHexadecimal = text.starts_with_insensitive("0x");
    while (end < text.size()) {
      char byte = text[end];
      bool isSign = (byte == '-' || byte == '+') && !isHexadecimal &&
                    (text[end - 1] == 'e' || text[end - 1] == 'E');
      if (!isWordByte(byte) && byte != '.' && !isSign)
        break;
      ++end;
    }
    return end;
  }

  // Up to the brace that closes it, or to the end of the line.
  static size_t annotationsSize(llvm::StringRef text) {
    size_t depth = 0, end = 0;
    for (; end != text.size(); ++end) {
      depth += text[end] == '{';
      if (text[end] == '}' && --depth == 0)
        return end + 1;
    }
    return end;
  }

  void readWord() {
    if (isPython() && rest().starts_with(Annotations))
      return add(at_ + annotationsSize(rest()), SyntaxKind::Metadata);
    size_t size = rest().take_while(isWordByte).size();
    if (isKeyword(rest().take_front(size), language_))
      add(at_ + size, SyntaxKind::Keyword);
    else
      at_ += size;
  }

  llvm::StringRef line_;
  CodeLanguage language_;
  CodeState &state_;
  size_t at_ = 0;
  std::vector<SyntaxSpan> spans_;
};

} // namespace

bool isMetadata(llvm::StringRef line) {
  llvm::StringRef text = line.ltrim();
  return line.starts_with("@") || text.starts_with("T.func_attr(") ||
         text.starts_with("T.sblock_attr(") || text.starts_with("T.reads(") ||
         text.starts_with("T.writes(");
}

std::vector<SyntaxSpan> syntaxOf(llvm::StringRef line, CodeLanguage language, CodeState &state) {
  if (language == CodeLanguage::None)
    return {};
  return SyntaxReader(line, language, state).read();
}

} // namespace tilescope
