// The Python syntax tree of a kernel file or of IR text.
//
//   for k in T.Pipelined(4):        ForStmt{target: NameExpr k, iter: CallExpr, body: [...]}
//       T.copy(A[k], B)             ExprStmt{CallExpr{callee: AttributeExpr, args: [...]}}
//
// Nodes are immutable, trivially destructible and owned by their `Module`, text included: nothing
// points into the source file. Children are never null unless the field says so. Every node has a
// span; a compound statement's span ends with its body.
#pragma once

#include "core/support/diagnostics.h"
#include "core/support/source.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Casting.h"

#include <vector>

namespace tilescope::ast {

enum class ExprKind : uint8_t {
  Name,
  None,
  Bool,
  Int,
  Float,
  String,
  Ellipsis,
  FString,
  Tuple,
  List,
  Set,
  Dict,
  Unary,
  Binary,
  BoolOp,
  Compare,
  Conditional,
  Lambda,
  Comprehension,
  Call,
  Attribute,
  Subscript,
  Slice,
  Starred,
  Walrus,
};

struct Expr {
  const ExprKind kind;
  // Nodes on the longest path down from here, itself included; bounded by the parser, so that
  // walks over a tree may recurse.
  uint16_t depth = 1;
  Span span;

protected:
  Expr(ExprKind kind, Span span) : kind(kind), span(span) {}
};

using ExprList = llvm::ArrayRef<const Expr *>;

template <ExprKind K> struct ExprOf : Expr {
  explicit ExprOf(Span span) : Expr(K, span) {}
  static bool classof(const Expr *expr) { return expr->kind == K; }
};

struct NameExpr : ExprOf<ExprKind::Name> {
  NameExpr(Span span, llvm::StringRef name) : ExprOf(span), name(name) {}
  llvm::StringRef name;
};

struct NoneExpr : ExprOf<ExprKind::None> {
  using ExprOf::ExprOf;
};

struct EllipsisExpr : ExprOf<ExprKind::Ellipsis> {
  using ExprOf::ExprOf;
};

struct BoolExpr : ExprOf<ExprKind::Bool> {
  BoolExpr(Span span, bool value) : ExprOf(span), value(value) {}
  bool value;
};

struct IntExpr : ExprOf<ExprKind::Int> {
  IntExpr(Span span, uint64_t magnitude, bool fits, llvm::StringRef text)
      : ExprOf(span), magnitude(magnitude), fits(fits), text(text) {}
  // Literals are not negative: `-1` is a UnaryExpr.
  uint64_t magnitude;
  // False when the value needs more than 64 bits; `magnitude` is then meaningless.
  bool fits;
  llvm::StringRef text;
};

struct FloatExpr : ExprOf<ExprKind::Float> {
  FloatExpr(Span span, double value) : ExprOf(span), value(value) {}
  double value;
};

struct StringExpr : ExprOf<ExprKind::String> {
  StringExpr(Span span, llvm::StringRef value, bool isBytes)
      : ExprOf(span), value(value), isBytes(isBytes) {}
  llvm::StringRef value; // adjacent literals joined, escapes decoded
  bool isBytes;
};

// One part of an f-string: text, or `{expr!conversion:spec}`.
struct FStringPart {
  llvm::StringRef text;       // when `expr` is null
  const Expr *expr = nullptr; // null for text
  char conversion = 0;        // 'r', 's', 'a' or 0
  const Expr *spec = nullptr; // FStringExpr or null
};

struct FStringExpr : ExprOf<ExprKind::FString> {
  FStringExpr(Span span, llvm::ArrayRef<FStringPart> parts) : ExprOf(span), parts(parts) {}
  llvm::ArrayRef<FStringPart> parts;
};

struct TupleExpr : ExprOf<ExprKind::Tuple> {
  TupleExpr(Span span, ExprList elements) : ExprOf(span), elements(elements) {}
  ExprList elements;
};

struct ListExpr : ExprOf<ExprKind::List> {
  ListExpr(Span span, ExprList elements) : ExprOf(span), elements(elements) {}
  ExprList elements;
};

struct SetExpr : ExprOf<ExprKind::Set> {
  SetExpr(Span span, ExprList elements) : ExprOf(span), elements(elements) {}
  ExprList elements;
};

struct DictItem {
  const Expr *key; // null for `**value`
  const Expr *value;
};

struct DictExpr : ExprOf<ExprKind::Dict> {
  DictExpr(Span span, llvm::ArrayRef<DictItem> items) : ExprOf(span), items(items) {}
  llvm::ArrayRef<DictItem> items;
};

enum class UnaryOp : uint8_t { Not, Negate, Plus, Invert };

struct UnaryExpr : ExprOf<ExprKind::Unary> {
  UnaryExpr(Span span, UnaryOp op, const Expr *operand) : ExprOf(span), op(op), operand(operand) {}
  UnaryOp op;
  const Expr *operand;
};

enum class BinaryOp : uint8_t {
  Add,
  Sub,
  Mul,
  MatMul,
  Div,
  FloorDiv,
  Mod,
  Pow,
  ShiftLeft,
  ShiftRight,
  BitAnd,
  BitOr,
  BitXor,
};

// "+", "//", ...
llvm::StringRef spelling(BinaryOp op);

struct BinaryExpr : ExprOf<ExprKind::Binary> {
  BinaryExpr(Span span, BinaryOp op, const Expr *lhs, const Expr *rhs)
      : ExprOf(span), op(op), lhs(lhs), rhs(rhs) {}
  BinaryOp op;
  const Expr *lhs;
  const Expr *rhs;
};

// `a and b and c` is one node with three operands.
struct BoolOpExpr : ExprOf<ExprKind::BoolOp> {
  BoolOpExpr(Span span, bool isAnd, ExprList operands)
      : ExprOf(span), isAnd(isAnd), operands(operands) {}
  bool isAnd;
  ExprList operands;
};

enum class CompareOp : uint8_t { Eq, Ne, Lt, Le, Gt, Ge, Is, IsNot, In, NotIn };

// "==", "not in", ...
llvm::StringRef spelling(CompareOp op);

// `a < b <= c`: operands a, b, c and ops <, <=.
struct CompareExpr : ExprOf<ExprKind::Compare> {
  CompareExpr(Span span, ExprList operands, llvm::ArrayRef<CompareOp> ops)
      : ExprOf(span), operands(operands), ops(ops) {}
  ExprList operands;
  llvm::ArrayRef<CompareOp> ops;
};

// `then if condition else otherwise`
struct ConditionalExpr : ExprOf<ExprKind::Conditional> {
  ConditionalExpr(Span span, const Expr *condition, const Expr *then, const Expr *otherwise)
      : ExprOf(span), condition(condition), then(then), otherwise(otherwise) {}
  const Expr *condition;
  const Expr *then;
  const Expr *otherwise;
};

enum class ParamKind : uint8_t { PositionalOnly, Positional, VarArgs, KeywordOnly, KeywordArgs };

struct Param {
  llvm::StringRef name;
  ParamKind kind;
  const Expr *annotation;   // or null
  const Expr *defaultValue; // or null
  Span span;
};

struct LambdaExpr : ExprOf<ExprKind::Lambda> {
  LambdaExpr(Span span, llvm::ArrayRef<Param> params, const Expr *body)
      : ExprOf(span), params(params), body(body) {}
  llvm::ArrayRef<Param> params;
  const Expr *body;
};

enum class ComprehensionKind : uint8_t { List, Set, Dict, Generator };

struct ComprehensionClause {
  const Expr *target;
  const Expr *iter;
  ExprList conditions;
};

struct ComprehensionExpr : ExprOf<ExprKind::Comprehension> {
  ComprehensionExpr(Span span, ComprehensionKind form, const Expr *element, const Expr *value,
                    llvm::ArrayRef<ComprehensionClause> clauses)
      : ExprOf(span), form(form), element(element), value(value), clauses(clauses) {}
  ComprehensionKind form;
  const Expr *element; // the key of a dict comprehension
  const Expr *value;   // null except for a dict comprehension
  llvm::ArrayRef<ComprehensionClause> clauses;
};

struct Keyword {
  llvm::StringRef name; // empty for `**value`
  const Expr *value;
  Span span;
};

struct CallExpr : ExprOf<ExprKind::Call> {
  CallExpr(Span span, const Expr *callee, ExprList args, llvm::ArrayRef<Keyword> keywords)
      : ExprOf(span), callee(callee), args(args), keywords(keywords) {}
  const Expr *callee;
  ExprList args; // StarredExpr for `*value`
  llvm::ArrayRef<Keyword> keywords;
};

struct AttributeExpr : ExprOf<ExprKind::Attribute> {
  AttributeExpr(Span span, const Expr *object, llvm::StringRef name)
      : ExprOf(span), object(object), name(name) {}
  const Expr *object;
  llvm::StringRef name;
};

// `object[index]`; several indices are a TupleExpr, a slice is a SliceExpr.
struct SubscriptExpr : ExprOf<ExprKind::Subscript> {
  SubscriptExpr(Span span, const Expr *object, const Expr *index)
      : ExprOf(span), object(object), index(index) {}
  const Expr *object;
  const Expr *index;
};

struct SliceExpr : ExprOf<ExprKind::Slice> {
  SliceExpr(Span span, const Expr *start, const Expr *stop, const Expr *step)
      : ExprOf(span), start(start), stop(stop), step(step) {}
  const Expr *start; // or null
  const Expr *stop;  // or null
  const Expr *step;  // or null
};

struct StarredExpr : ExprOf<ExprKind::Starred> {
  StarredExpr(Span span, const Expr *value) : ExprOf(span), value(value) {}
  const Expr *value;
};

// `name := value`
struct WalrusExpr : ExprOf<ExprKind::Walrus> {
  WalrusExpr(Span span, llvm::StringRef name, const Expr *value)
      : ExprOf(span), name(name), value(value) {}
  llvm::StringRef name;
  const Expr *value;
};

enum class StmtKind : uint8_t {
  Expr,
  Assign,
  AugAssign,
  AnnAssign,
  If,
  For,
  While,
  With,
  FunctionDef,
  ClassDef,
  Return,
  Assert,
  Raise,
  Try,
  Import,
  ImportFrom,
  Pass,
  Break,
  Continue,
  Global,
  Nonlocal,
  Delete,
  Yield,
  Match,
  Unsupported,
};

struct Stmt {
  const StmtKind kind;
  Span span;

protected:
  Stmt(StmtKind kind, Span span) : kind(kind), span(span) {}
};

using StmtList = llvm::ArrayRef<const Stmt *>;

template <StmtKind K> struct StmtOf : Stmt {
  explicit StmtOf(Span span) : Stmt(K, span) {}
  static bool classof(const Stmt *stmt) { return stmt->kind == K; }
};

struct ExprStmt : StmtOf<StmtKind::Expr> {
  ExprStmt(Span span, const Expr *value) : StmtOf(span), value(value) {}
  const Expr *value;
};

// `a = b = value`: targets a, b.
struct AssignStmt : StmtOf<StmtKind::Assign> {
  AssignStmt(Span span, ExprList targets, const Expr *value)
      : StmtOf(span), targets(targets), value(value) {}
  ExprList targets;
  const Expr *value;
};

struct AugAssignStmt : StmtOf<StmtKind::AugAssign> {
  AugAssignStmt(Span span, BinaryOp op, const Expr *target, const Expr *value)
      : StmtOf(span), op(op), target(target), value(value) {}
  BinaryOp op;
  const Expr *target;
  const Expr *value;
};

struct AnnAssignStmt : StmtOf<StmtKind::AnnAssign> {
  AnnAssignStmt(Span span, const Expr *target, const Expr *annotation, const Expr *value)
      : StmtOf(span), target(target), annotation(annotation), value(value) {}
  const Expr *target;
  const Expr *annotation;
  const Expr *value; // or null
};

struct IfBranch {
  const Expr *condition;
  StmtList body;
  Span span; // of the header, up to the colon
};

// `if`, every `elif`, `else` in one node: a long chain is not a deep tree.
struct IfStmt : StmtOf<StmtKind::If> {
  IfStmt(Span span, llvm::ArrayRef<IfBranch> branches, StmtList orelse)
      : StmtOf(span), branches(branches), orelse(orelse) {}
  llvm::ArrayRef<IfBranch> branches; // at least one
  StmtList orelse;
};

struct ForStmt : StmtOf<StmtKind::For> {
  ForStmt(Span span, const Expr *target, const Expr *iter, StmtList body, StmtList orelse)
      : StmtOf(span), target(target), iter(iter), body(body), orelse(orelse) {}
  const Expr *target;
  const Expr *iter;
  StmtList body;
  StmtList orelse;
};

struct WhileStmt : StmtOf<StmtKind::While> {
  WhileStmt(Span span, const Expr *condition, StmtList body, StmtList orelse)
      : StmtOf(span), condition(condition), body(body), orelse(orelse) {}
  const Expr *condition;
  StmtList body;
  StmtList orelse;
};

struct WithItem {
  const Expr *context;
  const Expr *target; // or null
};

struct WithStmt : StmtOf<StmtKind::With> {
  WithStmt(Span span, llvm::ArrayRef<WithItem> items, StmtList body)
      : StmtOf(span), items(items), body(body) {}
  llvm::ArrayRef<WithItem> items;
  StmtList body;
};

struct FunctionDefStmt : StmtOf<StmtKind::FunctionDef> {
  FunctionDefStmt(Span span, llvm::StringRef name, Span nameSpan, ExprList decorators,
                  llvm::ArrayRef<Param> params, const Expr *returns, StmtList body,
                  bool isGenerator)
      : StmtOf(span), name(name), nameSpan(nameSpan), decorators(decorators), params(params),
        returns(returns), body(body), isGenerator(isGenerator) {}
  llvm::StringRef name;
  Span nameSpan;
  ExprList decorators;
  llvm::ArrayRef<Param> params;
  const Expr *returns; // or null
  StmtList body;
  bool isGenerator; // a `yield` stands in the body
};

struct ClassDefStmt : StmtOf<StmtKind::ClassDef> {
  ClassDefStmt(Span span, llvm::StringRef name, Span nameSpan, ExprList decorators, ExprList bases,
               llvm::ArrayRef<Keyword> keywords, StmtList body)
      : StmtOf(span), name(name), nameSpan(nameSpan), decorators(decorators), bases(bases),
        keywords(keywords), body(body) {}
  llvm::StringRef name;
  Span nameSpan;
  ExprList decorators;
  ExprList bases;
  llvm::ArrayRef<Keyword> keywords;
  StmtList body;
};

struct ReturnStmt : StmtOf<StmtKind::Return> {
  ReturnStmt(Span span, const Expr *value) : StmtOf(span), value(value) {}
  const Expr *value; // or null
};

struct AssertStmt : StmtOf<StmtKind::Assert> {
  AssertStmt(Span span, const Expr *condition, const Expr *message)
      : StmtOf(span), condition(condition), message(message) {}
  const Expr *condition;
  const Expr *message; // or null
};

struct RaiseStmt : StmtOf<StmtKind::Raise> {
  RaiseStmt(Span span, const Expr *exception, const Expr *cause)
      : StmtOf(span), exception(exception), cause(cause) {}
  const Expr *exception; // or null
  const Expr *cause;     // or null
};

struct ExceptHandler {
  const Expr *type;     // or null
  llvm::StringRef name; // or empty
  StmtList body;
};

struct TryStmt : StmtOf<StmtKind::Try> {
  TryStmt(Span span, StmtList body, llvm::ArrayRef<ExceptHandler> handlers, StmtList orelse,
          StmtList finally)
      : StmtOf(span), body(body), handlers(handlers), orelse(orelse), finally(finally) {}
  StmtList body;
  llvm::ArrayRef<ExceptHandler> handlers;
  StmtList orelse;
  StmtList finally;
};

struct ImportAlias {
  llvm::StringRef name;   // dotted; "*" in `from m import *`
  llvm::StringRef asName; // empty without `as`
  Span span;
};

struct ImportStmt : StmtOf<StmtKind::Import> {
  ImportStmt(Span span, llvm::ArrayRef<ImportAlias> names) : StmtOf(span), names(names) {}
  llvm::ArrayRef<ImportAlias> names;
};

struct ImportFromStmt : StmtOf<StmtKind::ImportFrom> {
  ImportFromStmt(Span span, llvm::StringRef module, unsigned level,
                 llvm::ArrayRef<ImportAlias> names)
      : StmtOf(span), module(module), level(level), names(names) {}
  llvm::StringRef module; // empty in `from . import a`
  unsigned level;         // leading dots
  llvm::ArrayRef<ImportAlias> names;
};

struct PassStmt : StmtOf<StmtKind::Pass> {
  using StmtOf::StmtOf;
};

struct BreakStmt : StmtOf<StmtKind::Break> {
  using StmtOf::StmtOf;
};

struct ContinueStmt : StmtOf<StmtKind::Continue> {
  using StmtOf::StmtOf;
};

struct GlobalStmt : StmtOf<StmtKind::Global> {
  GlobalStmt(Span span, llvm::ArrayRef<llvm::StringRef> names) : StmtOf(span), names(names) {}
  llvm::ArrayRef<llvm::StringRef> names;
};

struct NonlocalStmt : StmtOf<StmtKind::Nonlocal> {
  NonlocalStmt(Span span, llvm::ArrayRef<llvm::StringRef> names) : StmtOf(span), names(names) {}
  llvm::ArrayRef<llvm::StringRef> names;
};

struct DeleteStmt : StmtOf<StmtKind::Delete> {
  DeleteStmt(Span span, ExprList targets) : StmtOf(span), targets(targets) {}
  ExprList targets;
};

// A statement of its own; as part of an expression `yield` is not supported.
struct YieldStmt : StmtOf<StmtKind::Yield> {
  YieldStmt(Span span, const Expr *value, bool isFrom)
      : StmtOf(span), value(value), isFrom(isFrom) {}
  const Expr *value; // or null
  bool isFrom;       // `yield from value`
};

struct Pattern {
  enum class Kind : uint8_t {
    Value,    // a literal, or a name with dots: `value`
    Capture,  // `name`; empty for `_`
    Star,     // `*name`, in a sequence; empty for `*_`
    Sequence, // `parts`
    Mapping,  // `keys` and their `parts`; `name` takes the rest, where it is not empty
    Class,    // `value(parts)`; the last parts are those of `keywords`
    Or,       // `parts`, the first that fits
    As,       // `parts[0] as name`
  };
  Kind kind;
  Span span;
  const Expr *value = nullptr;
  llvm::StringRef name;
  llvm::ArrayRef<const Pattern *> parts;
  ExprList keys;
  llvm::ArrayRef<llvm::StringRef> keywords;
};

struct MatchCase {
  const Pattern *pattern;
  const Expr *guard; // or null
  StmtList body;
};

struct MatchStmt : StmtOf<StmtKind::Match> {
  MatchStmt(Span span, const Expr *subject, llvm::ArrayRef<MatchCase> cases)
      : StmtOf(span), subject(subject), cases(cases) {}
  const Expr *subject;
  llvm::ArrayRef<MatchCase> cases;
};

// What Python has and kernels have not, such as `await`: an error for who runs the statement, none
// for the rest of the file. In front of the body of a function or class whose header it is in.
struct UnsupportedSyntax {
  DiagId why = DiagId::UnsupportedSyntax; // or a name that is not of ASCII letters
  Span span;
  llvm::StringRef text;
};

struct UnsupportedStmt : StmtOf<StmtKind::Unsupported> {
  UnsupportedStmt(Span span, UnsupportedSyntax syntax, const Stmt *stmt)
      : StmtOf(span), syntax(syntax), stmt(stmt) {}
  UnsupportedSyntax syntax;
  const Stmt *stmt; // as far as it was understood; or null
};

// A comment with its `#`, without trailing blanks.
struct Comment {
  uint32_t line;
  uint32_t column;
  llvm::StringRef text;
};

// A parsed file: owns every node reachable from `body`.
struct Module {
  FileId file;
  StmtList body;
  std::vector<Comment> comments; // by line; a line has at most one
  llvm::BumpPtrAllocator arena;

  // The comment on `line`, or null. A statement's own comment is the one on `span.line` for a
  // compound statement and on `span.endLine` for a simple one.
  const Comment *commentOn(uint32_t line) const;
};

} // namespace tilescope::ast
