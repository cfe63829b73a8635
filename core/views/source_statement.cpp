#include "core/views/source_statement.h"

#include "core/views/syntax.h"

namespace tilescope {

namespace {

constexpr size_t MostLines = 8;

// Brackets that are opened less those that are closed, outside of strings and comments.
int openedIn(llvm::StringRef line, CodeState &state) {
  std::string code = line.str();
  for (const SyntaxSpan &part : syntaxOf(line, CodeLanguage::Python, state))
    if (part.kind == SyntaxKind::String || part.kind == SyntaxKind::Comment)
      code.replace(part.span.begin, part.span.end - part.span.begin,
                   part.span.end - part.span.begin, ' ');
  int opened = 0;
  for (char byte : code)
    opened += llvm::StringRef("([{").contains(byte) - llvm::StringRef(")]}").contains(byte);
  return opened;
}

} // namespace

std::string sourceStatement(llvm::ArrayRef<llvm::StringRef> lines, uint32_t number) {
  std::string text;
  CodeState state = CodeState::Code;
  int opened = 0;
  for (size_t line = number; line > 0 && line <= lines.size() && line < number + MostLines;
       ++line) {
    text += (text.empty() || text.back() == '(' ? "" : " ") + lines[line - 1].str();
    opened += openedIn(lines[line - 1], state);
    if (opened <= 0 || lines[line - 1].ends_with(":"))
      break;
  }
  return text;
}

} // namespace tilescope
