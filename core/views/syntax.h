// What the words of a line of code are, for its colours: comments, strings, numbers, keywords, and
// in the IR what is said of the code besides: "annotations={...}" of TileLang's compiler.
#pragma once

#include "core/support/text_span.h"

#include <vector>

namespace tilescope {

// Python is the language of kernel files and of the IR too.
enum class CodeLanguage : uint8_t { None, Python, Cuda };

enum class SyntaxKind : uint8_t { Comment, String, Number, Keyword, Metadata };

struct SyntaxSpan {
  TextSpan span;
  SyntaxKind kind = SyntaxKind::Comment;

  friend bool operator==(const SyntaxSpan &, const SyntaxSpan &) = default;
};

// What a line begins inside of.
enum class CodeState : uint8_t {
  Code,
  BlockComment, // /* */
  DoubleQuoted, // """ of Python
  SingleQuoted, // ''' of Python
};

// Spans from left to right, disjoint. `state` is that at the beginning of the line, and becomes
// that at its end.
std::vector<SyntaxSpan> syntaxOf(llvm::StringRef line, CodeLanguage language, CodeState &state);

// Whether all of a line of the IR is said of the code and does nothing: "@..." of ours, and what
// TileLang's compiler writes of a function or a block.
bool isMetadata(llvm::StringRef line);

// What each of lines with a `text` begins inside of.
template <typename Line>
std::vector<CodeState> codeStatesOf(const std::vector<Line> &lines, CodeLanguage language) {
  std::vector<CodeState> states;
  states.reserve(lines.size());
  CodeState state = CodeState::Code;
  for (const Line &line : lines) {
    states.push_back(state);
    syntaxOf(line.text, language, state);
  }
  return states;
}

} // namespace tilescope
