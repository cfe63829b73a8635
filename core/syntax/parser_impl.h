// The parser's class, shared by the parse_*.cpp files of this folder and by nobody else.
//
// Functions that return a pointer return null after reporting an error; callers pass the null on,
// up to the statement loop, which skips to the end of the line. Functions that fill a vector
// return false in that case.
#pragma once

#include "core/syntax/lexer.h"
#include "core/syntax/parser.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace tilescope {

class Parser {
public:
  Parser(FileId file, llvm::StringRef text, ast::Module &module, Diagnostics &diagnostics);
  void parseFile();

private:
  using Exprs = llvm::SmallVector<const ast::Expr *, 4>;
  using Stmts = llvm::SmallVector<const ast::Stmt *, 8>;
  using Params = llvm::SmallVector<ast::Param, 8>;
  using Clauses = llvm::SmallVector<ast::ComprehensionClause, 2>;

  // Counts nesting while it lives.
  struct Nested {
    explicit Nested(unsigned &depth) : depth(depth) { ++depth; }
    ~Nested() { --depth; }
    Nested(const Nested &) = delete;
    unsigned &depth;
  };

  // parser.cpp: tokens, nodes, errors
  const Token &token(size_t ahead = 0) const;
  const Token &next();
  bool accept(llvm::StringRef op);
  bool acceptKeyword(llvm::StringRef word);
  bool expect(llvm::StringRef op);
  bool expectKeyword(llvm::StringRef word);
  std::optional<llvm::StringRef> expectName(llvm::StringRef what);
  Span spanSince(const Span &start) const { return join(start, lastSpan_); }
  std::nullptr_t expected(llvm::StringRef what);
  bool lexerComplainedAboutThisStatement() const;
  bool tooManyErrors();
  template <typename... Args> std::nullptr_t error(DiagId id, Span span, Args &&...args);
  void noteUnsupported(DiagId why, const Token &token);
  llvm::StringRef save(llvm::StringRef text);
  template <typename T> llvm::ArrayRef<T> save(const llvm::SmallVectorImpl<T> &list);
  template <typename T, typename... Args> const T *makeExpr(Span span, Args &&...args);
  template <typename T, typename... Args> const T *makeStmt(Span start, Args &&...args);

  // parse_statements.cpp
  void parseStatementInto(Stmts &out);
  void parseSupportedInto(Stmts &out);
  void parseSimpleLine(Stmts &out);
  const ast::Stmt *parseSimpleStatement();
  const ast::Stmt *parseExpressionStatement();
  const ast::Stmt *parseAssignment(Span start, const ast::Expr *first);
  bool canBeAssigned(const ast::Expr *target);
  const ast::Stmt *parseReturn();
  const ast::Stmt *parseRaise();
  const ast::Stmt *parseAssert();
  const ast::Stmt *parseDelete();
  template <typename T> const ast::Stmt *parseNameList();
  const ast::Stmt *parseImport();
  const ast::Stmt *parseImportFrom();
  bool parseImportedNames(llvm::SmallVectorImpl<ast::ImportAlias> &out, bool areDotted);
  std::optional<llvm::StringRef> parseDottedName();
  void skipToNextLine();

  // parse_blocks.cpp: statements with bodies
  bool startsBlockStatement() const;
  const ast::Stmt *parseBlockStatement();
  std::optional<ast::StmtList> parseBody();
  bool parseIndentedStatements(Stmts &out);
  void skipIndentedBlock();
  bool isMatchStatement() const;
  const ast::Stmt *passMatch();
  const ast::Stmt *parseAsync(Span start, const Exprs &decorators);
  void refuseInBody(ast::StmtList &body);
  const ast::Stmt *parseIf();
  const ast::Stmt *parseFor();
  const ast::Stmt *parseWhile();
  const ast::Stmt *parseWith();
  bool parseWithItems(llvm::SmallVectorImpl<ast::WithItem> &items);
  bool withItemsAreParenthesized() const;
  const ast::Stmt *parseTry();
  bool parseHandler(llvm::SmallVectorImpl<ast::ExceptHandler> &handlers);
  std::optional<ast::StmtList> parseOptionalElse();
  const ast::Stmt *parseDecorated();
  const ast::Stmt *parseFunction(Span start, const Exprs &decorators);
  const ast::Stmt *parseClass(Span start, const Exprs &decorators);

  // parse_expressions.cpp
  const ast::Expr *parseExprList();
  const ast::Expr *parseStarOrNamed();
  const ast::Expr *parseNamed();
  const ast::Expr *parseExpr();
  // Into `out`; false after an error.
  bool parseInto(const ast::Expr *&out) {
    out = parseExpr();
    return out != nullptr;
  }
  bool parseListInto(const ast::Expr *&out) {
    out = parseExprList();
    return out != nullptr;
  }
  const ast::Expr *parseTargetList();
  const ast::Expr *parseLambda();
  const ast::Expr *parseOr();
  const ast::Expr *parseAnd();
  const ast::Expr *parseNot();
  const ast::Expr *parseComparison();
  std::optional<ast::CompareOp> acceptCompareOp();
  const ast::Expr *parseBinary(unsigned minPrecedence);
  const ast::Expr *parseUnary();
  const ast::Expr *parsePower();
  const ast::Expr *parsePostfix();
  const ast::Expr *parseCall(const ast::Expr *callee);
  bool parseArgument(Exprs &args, llvm::SmallVectorImpl<ast::Keyword> &keywords);
  const ast::Expr *parseSubscript(const ast::Expr *object);
  const ast::Expr *parseIndex();
  bool parseParams(Params &params, llvm::StringRef closer, bool haveAnnotations);
  bool parseParam(Params &params, ast::ParamKind &kind, bool haveAnnotations);
  bool checkParam(const Params &params, const ast::Param &param);

  // parse_atoms.cpp: names, literals, displays, comprehensions, f-strings
  const ast::Expr *parseAtom();
  const ast::Expr *parseKeywordAtom();
  const ast::Expr *parseYield();
  const ast::Expr *parseNumber();
  const ast::Expr *parseParenthesized();
  const ast::Expr *parseListDisplay();
  const ast::Expr *parseBraces();
  const ast::Expr *parseDictItems(Span start, ast::DictItem first);
  std::optional<ast::DictItem> parseDictItem();
  const ast::Expr *parseComprehension(Span start, ast::ComprehensionKind form,
                                      const ast::Expr *element, const ast::Expr *value,
                                      llvm::StringRef closer);
  bool parseClauses(Clauses &clauses);
  bool atComprehension() const;

  // parse_strings.cpp
  struct StringPiece;
  const ast::Expr *parseStrings();
  StringPiece splitString(const Token &token) const;
  bool decodeEscapes(const StringPiece &piece, llvm::StringRef body, std::string &out);
  size_t decodeEscape(llvm::StringRef body, bool isBytes, std::string &out);
  bool parseFStringBody(const StringPiece &piece, llvm::StringRef body, bool isSpec,
                        llvm::SmallVectorImpl<ast::FStringPart> &parts);
  size_t parseReplacementField(const StringPiece &piece, llvm::StringRef body,
                               llvm::SmallVectorImpl<ast::FStringPart> &parts);
  bool parseFieldSuffix(const StringPiece &piece, llvm::StringRef suffix, ast::FStringPart &part);
  const ast::Expr *parseEmbedded(llvm::StringRef text);
  Span spanInSource(llvm::StringRef part) const;

  FileId file_;
  llvm::StringRef text_;
  ast::Module &module_;
  Diagnostics &diagnostics_;
  std::vector<Token> tokens_;
  size_t position_ = 0;
  size_t previous_ = 0;
  Span lastSpan_; // of the last token taken that has text
  unsigned exprDepth_ = 0;
  unsigned blockDepth_ = 0;
  unsigned errorsAtStart_;
  // The first of the statement that is being parsed, less those of statements in its body.
  std::optional<ast::UnsupportedSyntax> unsupported_;
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
