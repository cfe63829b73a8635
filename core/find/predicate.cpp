#include "core/find/predicate.h"

#include "core/support/caret.h"
#include "core/support/size_text.h"
#include "core/support/text_query.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <limits>

namespace tilescope {

namespace {

enum class TokenKind : uint8_t { Word, Quoted, Regex, Sign, End };

struct Token {
  TokenKind kind = TokenKind::End;
  std::string text; // of Quoted without quotes, of Regex with its slashes
  size_t begin = 0; // bytes of the predicate
  size_t end = 0;
};

// Deeper than anyone writes.
constexpr int MaxDepth = 100;
constexpr llvm::StringLiteral Signs = "()<>=!,";

class Lexer {
public:
  explicit Lexer(llvm::StringRef text) : text_(text) {}

  // The last token is End. On a fault `fault` says what is wrong at `at`.
  std::vector<Token> run() {
    std::vector<Token> tokens;
    while (fault.empty()) {
      at = text_.find_first_not_of(" \t\r\n", at);
      if (at == llvm::StringRef::npos)
        break;
      tokens.push_back(next());
    }
    if (fault.empty())
      tokens.push_back({TokenKind::End, "", text_.size(), text_.size()});
    return tokens;
  }

  std::string fault;
  size_t at = 0;

private:
  Token next() {
    Token token{TokenKind::Sign, "", at, at};
    char first = text_[at];
    if (first == '"' || first == '/')
      readDelimited(token, first);
    else if (Signs.contains(first))
      readSign(token);
    else
      readWord(token);
    return token;
  }

  // A backslash before the delimiter makes it a part of the text; others stay for the regex.
  void readDelimited(Token &token, char delimiter) {
    token.kind = delimiter == '"' ? TokenKind::Quoted : TokenKind::Regex;
    size_t position = at + 1;
    for (; position < text_.size() && text_[position] != delimiter; ++position) {
      bool isEscaped = text_[position] == '\\' && text_.substr(position + 1, 1).contains(delimiter);
      position += isEscaped;
      token.text += text_[position];
    }
    if (position >= text_.size()) {
      fault = std::string("nothing closes the ") + delimiter;
      return;
    }
    if (token.kind == TokenKind::Regex)
      token.text = "/" + token.text + "/";
    at = token.end = position + 1;
  }

  void readSign(Token &token) {
    bool isDouble =
        llvm::StringRef("<>=!").contains(text_[at]) && text_.substr(at + 1).starts_with("=");
    token.text = text_.substr(at, isDouble ? 2 : 1).str();
    at = token.end = at + token.text.size();
  }

  void readWord(Token &token) {
    token.kind = TokenKind::Word;
    size_t end = text_.find_first_of(" \t\r\n\"()<>=!,", at);
    token.text = text_.slice(at, end).str();
    at = token.end = at + token.text.size();
  }

  llvm::StringRef text_;
};

class Parser {
public:
  explicit Parser(llvm::StringRef text) : text_(text) {}

  llvm::Expected<Predicate> run() {
    Lexer lexer(text_);
    tokens_ = lexer.run();
    fault_ = lexer.fault;
    faultAt_ = lexer.at;
    Predicate predicate;
    if (fault_.empty())
      predicate = parseEither(0);
    if (fault_.empty() && current().kind != TokenKind::End)
      fail("expected 'and', 'or' or the end");
    if (!fault_.empty())
      return llvm::createStringError(fault_ + caretBelow(text_, faultAt_));
    return predicate;
  }

private:
  const Token &current() const { return tokens_[next_]; }
  const Token &following() const { return tokens_[std::min(next_ + 1, tokens_.size() - 1)]; }
  bool isWord(llvm::StringRef word) const {
    return current().kind == TokenKind::Word && current().text == word;
  }
  bool take(TokenKind kind, llvm::StringRef text) {
    bool isIt = current().kind == kind && current().text == text;
    next_ += isIt;
    return isIt;
  }

  // The first fault counts; parsing goes on to its end without effect.
  void fail(const llvm::Twine &fault) { failAt(current().begin, fault); }
  void failAt(size_t at, const llvm::Twine &fault) {
    if (!fault_.empty())
      return;
    fault_ = fault.str();
    faultAt_ = at;
  }

  using Part = Predicate (Parser::*)(int depth);
  Predicate parseList(PredicateKind kind, llvm::StringRef word, Part part, int depth) {
    Predicate first = (this->*part)(depth);
    if (!isWord(word))
      return first;
    Predicate list;
    list.kind = kind;
    list.operands.push_back(std::move(first));
    while (fault_.empty() && take(TokenKind::Word, word))
      list.operands.push_back((this->*part)(depth));
    return list;
  }
  Predicate parseEither(int depth) {
    return parseList(PredicateKind::Or, "or", &Parser::parseBoth, depth);
  }
  Predicate parseBoth(int depth) {
    return parseList(PredicateKind::And, "and", &Parser::parseOne, depth);
  }

  Predicate parseOne(int depth) {
    if (depth == MaxDepth) {
      fail("nested too deeply");
      return {};
    }
    if (take(TokenKind::Word, "not")) {
      Predicate negation;
      negation.kind = PredicateKind::Not;
      negation.operands.push_back(parseOne(depth + 1));
      return negation;
    }
    if (!take(TokenKind::Sign, "("))
      return parseAtom();
    Predicate inner = parseEither(depth + 1);
    if (!take(TokenKind::Sign, ")"))
      fail("expected ')', 'and' or 'or'");
    return inner;
  }

  Predicate parseAtom() {
    size_t begin = current().begin;
    Predicate atom;
    bool isNameFirst = following().kind == TokenKind::Word && following().text == "overlaps";
    if (isNameFirst)
      parseOverlap(atom);
    else if (take(TokenKind::Word, "text"))
      parseQuery(atom, PredicateKind::Text);
    else if (take(TokenKind::Word, "cuda"))
      parseQuery(atom, PredicateKind::Cuda);
    else if (take(TokenKind::Word, "peak"))
      parsePeak(atom);
    else if (take(TokenKind::Word, "shares"))
      parseShares(atom);
    else if (take(TokenKind::Word, "buffer"))
      parseBuffer(atom);
    else if (take(TokenKind::Word, "fails"))
      parseFails(atom);
    else if (take(TokenKind::Word, "planned"))
      atom.kind = PredicateKind::Planned;
    else
      fail("expected 'text', 'cuda', 'peak', 'shares', 'buffer', 'fails', 'planned', 'not', '(' or "
           "a "
           "buffer that 'overlaps' another");
    if (fault_.empty())
      atom.text = text_.slice(begin, tokens_[next_ - 1].end).str();
    return atom;
  }

  bool isReserved() const { return isWord("and") || isWord("or") || isWord("not"); }

  std::string takeName() {
    bool isName =
        current().kind == TokenKind::Quoted || (current().kind == TokenKind::Word && !isReserved());
    if (isName && !current().text.empty())
      return tokens_[next_++].text;
    fail("expected the name of a buffer");
    return "";
  }

  void expectSign(llvm::StringRef sign) {
    if (!take(TokenKind::Sign, sign))
      fail("expected '" + sign + "'");
  }

  void parseOverlap(Predicate &atom) {
    atom.kind = PredicateKind::Shares;
    atom.buffer = takeName();
    take(TokenKind::Word, "overlaps");
    takeOther(atom);
  }

  void takeOther(Predicate &atom) {
    size_t begin = current().begin;
    atom.other = takeName();
    if (atom.other == atom.buffer)
      failAt(begin, "expected another buffer: each one shares all of its bytes with itself");
  }

  void parseShares(Predicate &atom) {
    atom.kind = PredicateKind::Shares;
    expectSign("(");
    atom.buffer = takeName();
    expectSign(",");
    takeOther(atom);
    expectSign(")");
  }

  void parseQuery(Predicate &atom, PredicateKind predicateKind) {
    atom.kind = predicateKind;
    TokenKind kind = current().kind;
    bool isQuery = kind == TokenKind::Quoted || kind == TokenKind::Regex ||
                   (kind == TokenKind::Word && !isReserved());
    if (!isQuery)
      return fail("expected a word, \"text\" or /regex/");
    if (std::string error = TextQuery(current().text).error(); !error.empty())
      return fail(error);
    atom.query = tokens_[next_++].text;
  }

  void parsePeak(Predicate &atom) {
    atom.kind = PredicateKind::Peak;
    static constexpr const char *Names[] = {">", ">=", "<", "<=", "==", "!="};
    const auto *name = llvm::find(Names, current().text);
    if (current().kind != TokenKind::Sign || name == std::end(Names))
      return fail("expected >, >=, <, <=, == or !=");
    ++next_;
    atom.comparison = static_cast<ComparisonOperator>(name - std::begin(Names));
    parseSize(atom.bytes);
  }

  void parseSize(int64_t &bytes) {
    if (current().kind != TokenKind::Word ||
        !llvm::isDigit(llvm::StringRef(current().text).front()))
      return fail("expected a size, such as 160KiB");
    std::string size = current().text;
    const Token &next = tokens_[next_ + 1];
    bool hasUnit = llvm::isDigit(size.back()) && next.kind == TokenKind::Word &&
                   llvm::is_contained({"B", "KiB", "MiB", "GiB"}, next.text);
    std::optional<int64_t> parsed = parseBytes(hasUnit ? size + next.text : size);
    if (!parsed)
      return fail(std::string("expected ") + SizeForm);
    bytes = *parsed;
    next_ += hasUnit ? 2 : 1;
  }

  void parseBuffer(Predicate &atom) {
    atom.kind = PredicateKind::Buffer;
    atom.buffer = takeName();
    if (take(TokenKind::Word, "appears"))
      atom.event = AskedChange::Appears;
    else if (take(TokenKind::Word, "disappears"))
      atom.event = AskedChange::Disappears;
    else if (take(TokenKind::Word, "renamed"))
      atom.event = AskedChange::Renamed;
  }

  void parseFails(Predicate &atom) {
    atom.kind = PredicateKind::Fails;
    if (take(TokenKind::Word, "verify"))
      atom.check = CheckKind::Verify;
    else if (take(TokenKind::Word, "arena"))
      atom.check = CheckKind::Arena;
    else if (take(TokenKind::Word, "hazards"))
      atom.check = CheckKind::Hazards;
    else if (take(TokenKind::Word, "run"))
      atom.check = CheckKind::Run;
  }

  llvm::StringRef text_;
  std::vector<Token> tokens_;
  size_t next_ = 0;
  std::string fault_;
  size_t faultAt_ = 0;
};

} // namespace

llvm::Expected<Predicate> parsePredicate(llvm::StringRef text) { return Parser(text).run(); }

} // namespace tilescope
