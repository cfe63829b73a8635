// The grammar: a function a rule, each over the one Parser of the file. Here stand the rules that
// rules of another file are made of.
#pragma once

#include "core/syntax/parser_impl.h"

namespace tilescope {

// --- parse_statements.cpp ---
// Appends one statement, or the several of a line with semicolons; always takes a token.
void parseStatementInto(Parser &parser, Parser::Stmts &out);
void parseSimpleLine(Parser &parser, Parser::Stmts &out);
// Reports what cannot.
bool canBeAssigned(Parser &parser, const ast::Expr *target);

// --- parse_blocks.cpp: statements with bodies ---
bool startsBlockStatement(const Parser &parser);
const ast::Stmt *parseBlockStatement(Parser &parser);
// Precondition: the Indent is taken. Takes the Dedent.
bool parseIndentedStatements(Parser &parser, Parser::Stmts &out);
// The body of a broken header: parsed for its errors, then dropped.
void skipIndentedBlock(Parser &parser);

// What follows a colon: a block, or statements on the same line.
std::optional<ast::StmtList> parseBody(Parser &parser);

// --- parse_patterns.cpp: `match` ---
// `match` is an ordinary name unless the line ends in a colon and a `case` follows.
bool isMatchStatement(const Parser &parser);
const ast::Stmt *parseMatch(Parser &parser);

// --- parse_expressions.cpp ---
// `a`, `a, b`, `*a, b`: one expression or a TupleExpr.
const ast::Expr *parseExprList(Parser &parser);
const ast::Expr *parseStarOrNamed(Parser &parser);
const ast::Expr *parseNamed(Parser &parser);
const ast::Expr *parseExpr(Parser &parser);
// Into `out`; false after an error.
bool parseInto(Parser &parser, const ast::Expr *&out);
bool parseListInto(Parser &parser, const ast::Expr *&out);
// Loop targets: no operator, above all no `in`.
const ast::Expr *parseTargetList(Parser &parser);
const ast::Expr *parseOr(Parser &parser);
const ast::Expr *parseUnary(Parser &parser);
const ast::Expr *parsePostfix(Parser &parser);
bool parseArgument(Parser &parser, Parser::Exprs &args,
                   llvm::SmallVectorImpl<ast::Keyword> &keywords);

// --- parse_params.cpp ---
// Stops at `closer` without taking it.
bool parseParams(Parser &parser, Parser::Params &params, llvm::StringRef closer,
                 bool haveAnnotations);

// --- parse_atoms.cpp: names, literals, displays, comprehensions ---
const ast::Expr *parseAtom(Parser &parser);
bool atComprehension(const Parser &parser);
// The element is taken, the token is `for`; an empty closer is not expected.
const ast::Expr *parseComprehension(Parser &parser, Span start, ast::ComprehensionKind form,
                                    const ast::Expr *element, const ast::Expr *value,
                                    llvm::StringRef closer);

// --- parse_strings.cpp: strings and f-strings ---
const ast::Expr *parseStrings(Parser &parser);

} // namespace tilescope
