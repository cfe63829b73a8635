// One function of IR text: declarations (read_function.cpp) and statements (read_stmt.cpp).
#pragma once

#include "core/ir/read_expr.h"
#include "core/ir/read_tags.h"
#include "core/ir/reader.h"

#include <map>

namespace tilescope {

// What the functions of one module share.
struct ModuleReading {
  Context &context;
  Diagnostics &diagnostics;
  const ast::Module &text;
  FileId kernel;
  TaggedPlaces places;
  // Variables of tagged text: functions that were split from one share their parameters.
  std::map<VarId, const Var *> varsById;
};

// The variable that the tag says, or a new one. `tagged` may be null.
const Var *taggedVar(Context &context, ModuleReading &module, llvm::StringRef name, DType dtype,
                     const TaggedVar *tagged);

class FunctionReader {
public:
  explicit FunctionReader(ModuleReading &module)
      : module_(module), context_(module.context), diagnostics_(module.diagnostics),
        exprs_(module.context, names_, module.diagnostics),
        heedsPlaces_(module.places == TaggedPlaces::Kept) {}

  // Null after an error; goes on behind it to find more.
  const Function *read(const ast::FunctionDefStmt &def);

private:
  std::nullptr_t expected(Span at, llvm::StringRef what);

  // --- declarations ---
  void readDecorator(const ast::Expr *decorator);
  void readProperties(const ast::Expr *list);
  void readSources(const ast::Expr *list);
  void readScalarParam(const ast::Param &param);
  void readTensorParam(const ast::Param &param);
  const Buffer *readTensor(const ast::CallExpr &call, llvm::StringRef name, Scope scope, Span span,
                           const Tag &tag, bool *isOutput);
  bool readShape(const ast::Expr *shape, const ast::Expr *dtype, Buffer &buffer);
  bool readPlacement(CallArgs &args, Buffer &buffer);
  void readIdentity(CallArgs &args, Buffer &buffer);
  const Layout *readLayout(const ast::Expr *text);
  void declare(llvm::StringRef name, const Buffer *buffer, Span span);

  // --- statements ---
  // Null when the statement is a declaration or `pass`, or after an error.
  const Stmt *readStmt(const ast::Stmt &stmt);
  const Stmt *readBody(ast::StmtList stmts, const Tag &opener);
  const Stmt *readAssign(const ast::AssignStmt &assign);
  const Stmt *readAlloc(const ast::AssignStmt &assign, const ast::CallExpr &call);
  const Stmt *readBind(const ast::AnnAssignStmt &bind);
  const Stmt *readIf(const ast::IfStmt &branch, size_t first);
  const Stmt *readElse(const ast::IfStmt &branch, size_t next);
  const Stmt *readFor(const ast::ForStmt &loop);
  const Stmt *readParallel(const ast::ForStmt &loop, CallArgs &args, Span header);
  const Stmt *readLoop(const ast::ForStmt &loop, ForKind kind, CallArgs &args, Span header);
  const Pipeline *readPipeline(CallArgs &args, ForKind kind, const ast::Expr *&schedule);
  bool readVersions(const ast::Expr *dict, llvm::SmallVectorImpl<VersionCount> &versions);
  const Pipeline *withSchedule(const Pipeline *pipeline, const ast::Expr *schedule,
                               const Stmt *body);
  std::optional<ScheduledStmt> readScheduled(const ast::Expr *entry, StmtList children);
  const Stmt *readLaunch(const ast::WithStmt &with);
  const Stmt *readRole(const ast::WithStmt &with, const ast::CallExpr &call);
  const Stmt *readOp(const ast::ExprStmt &stmt);
  bool readDeclared(CallArgs &args, const OpInfo &info,
                    llvm::SmallVectorImpl<BufferRegion> &regions,
                    llvm::SmallVectorImpl<const Expr *> &exprs);
  bool readSigned(CallArgs &args, llvm::StringRef letters,
                  llvm::SmallVectorImpl<BufferRegion> &regions,
                  llvm::SmallVectorImpl<const Expr *> &exprs);
  bool readOpParts(CallArgs &args, const OpInfo &info, llvm::SmallVectorImpl<BufferRegion> &regions,
                   llvm::SmallVectorImpl<const Expr *> &exprs,
                   llvm::SmallVectorImpl<int64_t> &attrs);
  std::optional<int64_t> readAttr(const AttrInfo &info, const ast::Expr *value);

  // --- identity ---
  Tag tagOn(uint32_t line);
  // Of the tag, or fresh at `span`.
  StmtInfo infoOf(const Tag &tag, Span span);
  // Variables that `targets` name, in scope from now on; empty after an error.
  llvm::SmallVector<const Var *> bindVars(ast::ExprList targets, llvm::ArrayRef<DType> dtypes,
                                          const Tag &tag);
  const Var *bindVar(const ast::NameExpr &target, DType dtype, const TaggedVar *tagged);
  void unbind(ast::ExprList targets);

  ModuleReading &module_;
  Context &context_;
  Diagnostics &diagnostics_;
  NameScope names_;
  ExprReader exprs_;
  Function function_;
  llvm::SmallVector<Param> params_;
  llvm::SmallVector<const Buffer *> buffers_;
  bool heedsPlaces_;               // of tags
  const Var *threadVar_ = nullptr; // of the launch that is read
};

} // namespace tilescope
