// What the functions of the grammar (grammar.h) share: the place in the tokens, how deep things are
// nested, errors, and nodes in the arena of the module.
//
// Functions that return a pointer return null after reporting an error; callers pass the null on,
// up to the statement loop, which skips to the end of the line. Functions that fill a vector
// return false in that case.
#pragma once

#include "core/syntax/lexer.h"
#include "core/syntax/parser.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace tilescope {

class Parser {
public:
  using Exprs = llvm::SmallVector<const ast::Expr *, 4>;
  using Stmts = llvm::SmallVector<const ast::Stmt *, 8>;
  using Params = llvm::SmallVector<ast::Param, 8>;
  using Clauses = llvm::SmallVector<ast::ComprehensionClause, 2>;

  // Counts nesting while it lives.
  struct Nested {
    Nested(unsigned &depth, unsigned limit) : depth(depth), limit(limit) { ++depth; }
    ~Nested() { --depth; }
    Nested(const Nested &) = delete;
    bool isTooDeep() const { return depth > limit; }
    unsigned &depth;
    unsigned limit;
  };

  // Where in which tokens.
  struct Place {
    std::vector<Token> tokens;
    size_t position = 0;
    size_t previous = 0;
  };

  Parser(FileId file, llvm::StringRef text, ast::Module &module, Diagnostics &diagnostics);

  // --- tokens ---
  const Token &token(size_t ahead = 0) const;
  const Token &previous() const { return place_.tokens[place_.previous]; }
  size_t position() const { return place_.position; }
  const Token &next();
  bool accept(llvm::StringRef op);
  bool acceptKeyword(llvm::StringRef word);
  bool expect(llvm::StringRef op);
  bool expectKeyword(llvm::StringRef word);
  std::optional<llvm::StringRef> expectName(llvm::StringRef what);
  // Goes on with the tokens of an expression inside a string, and comes back.
  Place enterEmbedded(llvm::StringRef text);
  void leaveEmbedded(Place outer) { place_ = std::move(outer); }

  // --- spans: from `start` to the last token taken; of a part of the file's text ---
  Span spanSince(const Span &start) const { return join(start, lastSpan_); }
  Span spanInSource(llvm::StringRef part) const;

  // --- nesting ---
  Nested nestExpr() { return Nested(exprDepth_, MaxBracketDepth); }
  Nested nestBlock() { return Nested(blockDepth_, MaxBlockDepth); }

  // --- errors ---
  std::nullptr_t expected(llvm::StringRef what);
  template <typename... Args> std::nullptr_t error(DiagId id, Span span, Args &&...args);
  // True, and at the end of the tokens, when there are more than are worth reading.
  bool tooManyErrors();
  // What the lexer reported from this line on counts as said of the statement.
  void startStatement() { statementLine_ = token().span.line; }
  // The first unsupported syntax since the last exchange is kept.
  void noteUnsupported(DiagId why, const Token &token);
  std::optional<ast::UnsupportedSyntax>
  exchangeUnsupported(std::optional<ast::UnsupportedSyntax> unsupported) {
    return std::exchange(unsupported_, unsupported);
  }
  // Whether a `yield` was parsed since the last exchange.
  bool exchangeYielded(bool yielded) { return std::exchange(yielded_, yielded); }

  // --- nodes ---
  llvm::StringRef save(llvm::StringRef text) { return text.copy(module_.arena); }
  template <typename T> llvm::ArrayRef<T> save(const llvm::SmallVectorImpl<T> &list);
  template <typename T, typename... Args> const T *makeExpr(Span span, Args &&...args);
  template <typename T, typename... Args> const T *makeStmt(Span start, Args &&...args);
  const ast::Pattern *makePattern(Span start, ast::Pattern pattern) {
    pattern.span = spanSince(start);
    return new (module_.arena) ast::Pattern(pattern);
  }
  const ast::Stmt *makeUnsupported(Span span, const ast::UnsupportedSyntax &unsupported,
                                   const ast::Stmt *stmt);

private:
  bool lexerComplainedAboutThisStatement() const;

  FileId file_;
  llvm::StringRef text_;
  ast::Module &module_;
  Diagnostics &diagnostics_;
  Place place_;
  Span lastSpan_; // of the last token taken that has text
  unsigned exprDepth_ = 0;
  unsigned blockDepth_ = 0;
  unsigned errorsAtStart_;
  // The first of the statement that is being parsed, less those of statements in its body.
  std::optional<ast::UnsupportedSyntax> unsupported_;
  bool yielded_ = false;
  uint32_t statementLine_ = 1;     // of the statement that is being parsed
  std::vector<uint32_t> badLines_; // where the lexer reported errors, ascending
  std::vector<size_t> lineStarts_; // offsets into text_
};

// ---- Templates ----------------------------------------------------------------------------------

// The depth of what a node is built from; 0 for what is no expression.
namespace depth {

template <typename T>
  requires(!std::is_convertible_v<T, const ast::Expr *>)
unsigned of(const T &) {
  return 0;
}
inline unsigned of(const ast::Expr *expr) { return expr ? expr->depth : 0; }
inline unsigned of(const ast::DictItem &item) { return std::max(of(item.key), of(item.value)); }
inline unsigned of(const ast::Keyword &keyword) { return of(keyword.value); }
inline unsigned of(const ast::FStringPart &part) { return std::max(of(part.expr), of(part.spec)); }
inline unsigned of(const ast::Param &param) {
  return std::max(of(param.annotation), of(param.defaultValue));
}
unsigned of(const ast::ComprehensionClause &clause);
template <typename T> unsigned of(llvm::ArrayRef<T> list) {
  unsigned deepest = 0;
  for (const T &item : list)
    deepest = std::max(deepest, of(item));
  return deepest;
}

} // namespace depth

template <typename... Args> std::nullptr_t Parser::error(DiagId id, Span span, Args &&...args) {
  diagnostics_.report(id, span, std::forward<Args>(args)...);
  return nullptr;
}

template <typename T> llvm::ArrayRef<T> Parser::save(const llvm::SmallVectorImpl<T> &list) {
  return llvm::ArrayRef<T>(list).copy(module_.arena);
}

template <typename T, typename... Args> const T *Parser::makeExpr(Span span, Args &&...args) {
  static_assert(std::is_trivially_destructible_v<T>);
  unsigned depth = 1 + std::max({0u, depth::of(args)...});
  if (depth > MaxExprDepth)
    return error(DiagId::NestingTooDeep, span, "expression", MaxExprDepth);
  T *node = new (module_.arena) T(span, std::forward<Args>(args)...);
  node->depth = static_cast<uint16_t>(depth);
  return node;
}

// The span runs from `start` to the last token taken.
template <typename T, typename... Args> const T *Parser::makeStmt(Span start, Args &&...args) {
  static_assert(std::is_trivially_destructible_v<T>);
  return new (module_.arena) T(spanSince(start), std::forward<Args>(args)...);
}

} // namespace tilescope
