#include "core/syntax/lexer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

#include <algorithm>
#include <array>

namespace tilescope {

namespace {

using llvm::StringRef;

constexpr StringRef Keywords[] = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

// Keywords that never stand inside an expression.
constexpr StringRef StatementKeywords[] = {
    "assert", "break",    "class", "continue", "def",    "del", "except", "finally", "global",
    "import", "nonlocal", "pass",  "raise",    "return", "try", "while",  "with"};

// Longest first, so that the first match is the right one.
constexpr StringRef Operators[] = {"**=", "//=", ">>=", "<<=", "...", "**", "//", ">>", "<<", "<=",
                                   ">=",  "==",  "!=",  "->",  "+=",  "-=", "*=", "/=", "%=", "@=",
                                   "&=",  "|=",  "^=",  ":=",  "+",   "-",  "*",  "/",  "%",  "@",
                                   "&",   "|",   "^",   "~",   "<",   ">",  "(",  ")",  "[",  "]",
                                   "{",   "}",   ",",   ":",   ".",   ";",  "="};

bool isNameStart(char c) { return llvm::isAlpha(c) || c == '_'; }
bool isNameChar(char c) { return llvm::isAlnum(c) || c == '_'; }

class Lexer {
public:
  Lexer(FileId file, StringRef text, uint32_t line, uint32_t column, Diagnostics &diagnostics)
      : file_(file), text_(text), diagnostics_(diagnostics), line_(line), lineColumn_(column) {}

  TokenStream lexLines();
  TokenStream lexOneExpression();

private:
  struct Indentation {
    unsigned columns;       // tabs advance to the next multiple of 8
    unsigned columnsTabIs1; // tabs count as one column
  };

  char peek(size_t ahead = 0) const {
    return pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0';
  }
  bool atEnd() const { return pos_ >= text_.size(); }
  bool atLineEnd() const {
    return atEnd() || peek() == '\n' || (peek() == '\r' && peek(1) == '\n');
  }
  uint32_t column() const { return lineColumn_ + static_cast<uint32_t>(pos_ - lineStart_); }
  Span spanFrom(size_t start, uint32_t line, uint32_t column) const;
  Span pointSpan() const { return {file_, line_, column(), line_, column() + 1}; }

  void passNewline();
  void passBlanksAndComment();
  void lexLineStart();
  void applyIndentation(Indentation indentation);
  void closeForgottenBrackets();
  bool startsWithStatementKeyword() const;
  void endLogicalLine();

  void lexToken();
  bool lexContinuation();
  bool lexString();
  bool passStringBody(char quote, bool isTriple);
  void lexNameOrKeyword();
  void lexNumber();
  void lexOperator();
  void lexInvalidCharacter();
  void trackBracket(StringRef op, Span span);
  void push(TokenKind kind, size_t start, uint32_t line, uint32_t column);
  void pushEmpty(TokenKind kind) { out_.tokens.push_back({kind, {}, pointSpan()}); }

  template <typename... Args> Diagnostic &report(DiagId id, Span span, Args &&...args);

  FileId file_;
  StringRef text_;
  Diagnostics &diagnostics_;
  unsigned errorCount_ = 0;
  TokenStream out_;
  size_t pos_ = 0;
  size_t lineStart_ = 0;
  uint32_t line_;
  uint32_t lineColumn_; // column of text_[lineStart_]
  std::vector<Indentation> indents_{{0, 0}};
  std::vector<Token> brackets_;
};

// A file of garbage must not become a list of garbage: at the limit the text ends where we are.
template <typename... Args> Diagnostic &Lexer::report(DiagId id, Span span, Args &&...args) {
  if (++errorCount_ == MaxSyntaxErrors)
    text_ = text_.take_front(pos_);
  return diagnostics_.report(id, span, std::forward<Args>(args)...);
}

Span Lexer::spanFrom(size_t start, uint32_t line, uint32_t column) const {
  if (line == line_)
    return {file_, line, column, line, column + static_cast<uint32_t>(pos_ - start)};
  return {file_, line, column, line_, this->column()};
}

void Lexer::push(TokenKind kind, size_t start, uint32_t line, uint32_t column) {
  out_.tokens.push_back({kind, text_.slice(start, pos_), spanFrom(start, line, column)});
}

// Precondition: atLineEnd() and not atEnd().
void Lexer::passNewline() {
  pos_ += peek() == '\r' ? 2 : 1;
  ++line_;
  lineStart_ = pos_;
  lineColumn_ = 1;
}

void Lexer::passBlanksAndComment() {
  while (peek() == ' ' || peek() == '\t' || peek() == '\f' || (peek() == '\r' && !atLineEnd()))
    ++pos_;
  if (peek() != '#')
    return;
  size_t start = pos_;
  uint32_t startColumn = column();
  while (!atLineEnd())
    ++pos_;
  out_.comments.push_back({line_, startColumn, text_.slice(start, pos_).rtrim()});
}

bool Lexer::startsWithStatementKeyword() const {
  StringRef word = text_.drop_front(pos_).take_while(isNameChar);
  return llvm::is_contained(StatementKeywords, word);
}

// Reads a line's indentation; blank and comment lines have none.
void Lexer::lexLineStart() {
  Indentation indentation{0, 0};
  for (;; ++pos_) {
    if (peek() == ' ') {
      ++indentation.columns;
      ++indentation.columnsTabIs1;
    } else if (peek() == '\t') {
      indentation.columns = (indentation.columns / 8 + 1) * 8;
      ++indentation.columnsTabIs1;
    } else if (peek() == '\f') {
      indentation = {0, 0};
    } else {
      break;
    }
  }
  passBlanksAndComment();
  if (atLineEnd())
    return;
  if (!brackets_.empty()) {
    if (!startsWithStatementKeyword())
      return;
    closeForgottenBrackets();
  }
  applyIndentation(indentation);
}

void Lexer::closeForgottenBrackets() {
  report(DiagId::UnclosedBracket, brackets_.back().span, brackets_.back().text);
  brackets_.clear();
  endLogicalLine();
}

void Lexer::applyIndentation(Indentation indentation) {
  bool wider = indentation.columns > indents_.back().columns;
  bool widerTabIs1 = indentation.columnsTabIs1 > indents_.back().columnsTabIs1;
  bool equal = indentation.columns == indents_.back().columns;
  bool equalTabIs1 = indentation.columnsTabIs1 == indents_.back().columnsTabIs1;
  if (wider != widerTabIs1 || equal != equalTabIs1)
    report(DiagId::MixedIndentation, pointSpan());
  if (wider) {
    indents_.push_back(indentation);
    pushEmpty(TokenKind::Indent);
    return;
  }
  while (indentation.columns < indents_.back().columns) {
    indents_.pop_back();
    pushEmpty(TokenKind::Dedent);
  }
  if (indentation.columns != indents_.back().columns)
    report(DiagId::InconsistentDedent, pointSpan(), indentation.columns);
}

void Lexer::endLogicalLine() {
  bool isEmpty = out_.tokens.empty() || out_.tokens.back().is(TokenKind::Newline) ||
                 out_.tokens.back().is(TokenKind::Indent) ||
                 out_.tokens.back().is(TokenKind::Dedent);
  if (!isEmpty)
    pushEmpty(TokenKind::Newline);
}

TokenStream Lexer::lexLines() {
  if (text_.starts_with("\xEF\xBB\xBF"))
    pos_ = 3;
  lexLineStart();
  while (!atEnd()) {
    passBlanksAndComment();
    if (atEnd())
      break;
    if (!atLineEnd()) {
      lexToken();
      continue;
    }
    if (brackets_.empty())
      endLogicalLine();
    passNewline();
    lexLineStart();
  }
  if (!brackets_.empty())
    closeForgottenBrackets();
  endLogicalLine();
  for (; indents_.size() > 1; indents_.pop_back())
    pushEmpty(TokenKind::Dedent);
  pushEmpty(TokenKind::End);
  return std::move(out_);
}

TokenStream Lexer::lexOneExpression() {
  while (!atEnd()) {
    passBlanksAndComment();
    if (atEnd())
      break;
    if (atLineEnd())
      passNewline();
    else
      lexToken();
  }
  pushEmpty(TokenKind::End);
  return std::move(out_);
}

void Lexer::lexToken() {
  if (peek() == '\\' && lexContinuation())
    return;
  if (lexString())
    return;
  if (isNameStart(peek()) || !llvm::isASCII(peek()))
    lexNameOrKeyword();
  else if (llvm::isDigit(peek()) || (peek() == '.' && llvm::isDigit(peek(1))))
    lexNumber();
  else
    lexOperator();
}

// A backslash before a newline joins two lines.
bool Lexer::lexContinuation() {
  size_t saved = pos_++;
  if (!atEnd() && atLineEnd()) {
    passNewline();
    return true;
  }
  pos_ = saved;
  return false;
}

// Any of r, u, b, f and their legal pairs, in any case, then a quote.
bool Lexer::lexString() {
  size_t prefix = 0;
  while (prefix < 2 && StringRef("rRuUbBfF").contains(peek(prefix)) && peek(prefix) != '\0')
    ++prefix;
  char quote = peek(prefix);
  if (quote != '"' && quote != '\'')
    return false;
  size_t start = pos_;
  uint32_t startLine = line_;
  uint32_t startColumn = column();
  pos_ += prefix;
  bool isTriple = peek(1) == quote && peek(2) == quote;
  pos_ += isTriple ? 3 : 1;
  size_t bodyStart = pos_;
  if (passStringBody(quote, isTriple)) {
    push(TokenKind::String, start, startLine, startColumn);
    return true;
  }
  Span open{file_, startLine, startColumn, startLine,
            startColumn + static_cast<uint32_t>(bodyStart - start)};
  report(DiagId::UnterminatedString, open);
  return true;
}

// Stops behind the closing quotes; false, at the line's or the file's end, when there are none.
bool Lexer::passStringBody(char quote, bool isTriple) {
  while (!atEnd()) {
    if (atLineEnd()) {
      if (!isTriple)
        return false;
      passNewline();
      continue;
    }
    if (peek() == '\\') {
      ++pos_;
      if (!atEnd() && atLineEnd())
        passNewline();
      else if (!atEnd())
        ++pos_;
      continue;
    }
    bool closes = peek() == quote && (!isTriple || (peek(1) == quote && peek(2) == quote));
    pos_ += closes && isTriple ? 3 : 1;
    if (closes)
      return true;
  }
  return false;
}

void Lexer::lexNameOrKeyword() {
  size_t start = pos_;
  uint32_t startColumn = column();
  while (isNameChar(peek()) || !llvm::isASCII(peek()))
    ++pos_;
  bool isKeyword = llvm::is_contained(Keywords, text_.slice(start, pos_));
  push(isKeyword ? TokenKind::Keyword : TokenKind::Name, start, line_, startColumn);
}

// Takes everything that could belong to a number; the parser judges it.
void Lexer::lexNumber() {
  size_t start = pos_;
  uint32_t startColumn = column();
  bool isDecimal = peek() != '0' || !StringRef("xXoObB").contains(peek(1)) || peek(1) == '\0';
  while (isNameChar(peek()) || peek() == '.') {
    bool isExponent = isDecimal && (peek() == 'e' || peek() == 'E');
    ++pos_;
    if (isExponent && (peek() == '+' || peek() == '-'))
      ++pos_;
  }
  push(TokenKind::Number, start, line_, startColumn);
}

void Lexer::lexOperator() {
  StringRef rest = text_.drop_front(pos_);
  const StringRef *op =
      llvm::find_if(Operators, [&](StringRef candidate) { return rest.starts_with(candidate); });
  if (op == std::end(Operators)) {
    lexInvalidCharacter();
    return;
  }
  size_t start = pos_;
  uint32_t startColumn = column();
  pos_ += op->size();
  push(TokenKind::Op, start, line_, startColumn);
  trackBracket(*op, out_.tokens.back().span);
}

void Lexer::lexInvalidCharacter() {
  StringRef character = text_.substr(pos_, 1);
  Span span{file_, line_, column(), line_, column() + 1};
  bool isPrintable = llvm::isPrint(character[0]);
  ++pos_;
  report(DiagId::InvalidCharacter, span,
         isPrintable ? ("'" + character + "'").str() : "0x" + llvm::toHex(character, true));
}

void Lexer::trackBracket(StringRef op, Span span) {
  if (op == "(" || op == "[" || op == "{") {
    brackets_.push_back({TokenKind::Op, op, span});
    return;
  }
  if (op != ")" && op != "]" && op != "}")
    return;
  if (brackets_.empty()) {
    report(DiagId::UnmatchedBracket, span, op);
    out_.tokens.pop_back();
    return;
  }
  StringRef open = brackets_.back().text;
  bool matches =
      (open == "(" && op == ")") || (open == "[" && op == "]") || (open == "{" && op == "}");
  if (!matches)
    report(DiagId::MismatchedBracket, span, op, open).note(brackets_.back().span, "opened here");
  brackets_.pop_back();
}

} // namespace

TokenStream lexFile(FileId file, StringRef text, Diagnostics &diagnostics) {
  return Lexer(file, text, 1, 1, diagnostics).lexLines();
}

TokenStream lexEmbeddedExpression(FileId file, StringRef text, uint32_t line, uint32_t column,
                                  Diagnostics &diagnostics) {
  return Lexer(file, text, line, column, diagnostics).lexOneExpression();
}

bool checkUtf8(FileId file, StringRef text, Diagnostics &diagnostics) {
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.data());
  const llvm::UTF8 *bad = begin;
  if (llvm::isLegalUTF8String(&bad, begin + text.size()))
    return true;
  size_t offset = static_cast<size_t>(bad - begin);
  StringRef before = text.take_front(offset);
  uint32_t line = static_cast<uint32_t>(before.count('\n')) + 1;
  uint32_t column = static_cast<uint32_t>(offset - (before.rfind('\n') + 1)) + 1;
  diagnostics.report(DiagId::NotUtf8, Span{file, line, column, line, column + 1},
                     llvm::utohexstr(*bad, true, 2), offset);
  return false;
}

} // namespace tilescope
