// Executes statements. In kernel code a failed statement is reported, what it would have bound is
// poisoned, and execution goes on, so that one run finds many errors.
#include "core/frontend/interpreter.h"

namespace tilescope::frontend {

Flow Interpreter::execBlock(ast::StmtList stmts) {
  for (const ast::Stmt *stmt : stmts) {
    Flow flow = exec(stmt);
    if (flow == Flow::Normal)
      continue;
    bool mayGoOn = flow == Flow::Failed && !isDead_ && env_ && env_->isKernel && tryDepth_ == 0;
    if (!mayGoOn)
      return flow;
    poisonTargets(stmt);
  }
  return Flow::Normal;
}

void Interpreter::poisonTargets(const ast::Stmt *stmt) {
  llvm::SmallVector<llvm::StringRef, 4> names;
  if (const auto *assign = llvm::dyn_cast<ast::AssignStmt>(stmt))
    for (const ast::Expr *target : assign->targets)
      collectTargetNames(target, names);
  if (const auto *annotated = llvm::dyn_cast<ast::AnnAssignStmt>(stmt))
    collectTargetNames(annotated->target, names);
  if (const auto *unsupported = llvm::dyn_cast<ast::UnsupportedStmt>(stmt))
    if (unsupported->stmt)
      poisonTargets(unsupported->stmt);
  for (llvm::StringRef name : names)
    env_->names[name] = Value::poison();
}

Flow Interpreter::exec(const ast::Stmt *stmt) {
  if (!step(stmt->span))
    return Flow::Failed;
  if (depth_ >= MaxEvalDepth) {
    failForGood(DiagId::EvalTooDeep, stmt->span, MaxEvalDepth);
    return Flow::Failed;
  }
  ++depth_;
  Flow flow = execStatement(stmt);
  --depth_;
  return flow;
}

// flat table
Flow Interpreter::execStatement(const ast::Stmt *stmt) {
  using ast::StmtKind;
  switch (stmt->kind) {
  case StmtKind::Expr:
    return execExpression(*llvm::cast<ast::ExprStmt>(stmt));
  case StmtKind::Assign:
    return execAssign(*llvm::cast<ast::AssignStmt>(stmt));
  case StmtKind::AugAssign:
    return execAugAssign(*llvm::cast<ast::AugAssignStmt>(stmt));
  case StmtKind::AnnAssign:
    return execAnnAssign(*llvm::cast<ast::AnnAssignStmt>(stmt));
  case StmtKind::If:
    return execIf(*llvm::cast<ast::IfStmt>(stmt), 0);
  case StmtKind::For:
    return execFor(*llvm::cast<ast::ForStmt>(stmt));
  case StmtKind::While:
    return execWhile(*llvm::cast<ast::WhileStmt>(stmt));
  case StmtKind::With:
    return execWith(*llvm::cast<ast::WithStmt>(stmt), 0);
  case StmtKind::FunctionDef: {
    const auto &def = *llvm::cast<ast::FunctionDefStmt>(stmt);
    Value function = makeFunction(def, false);
    return function && setName(def.name, function) ? Flow::Normal : Flow::Failed;
  }
  case StmtKind::ClassDef: {
    const auto &def = *llvm::cast<ast::ClassDefStmt>(stmt);
    Value type = makeClass(def);
    return type && setName(def.name, type) ? Flow::Normal : Flow::Failed;
  }
  case StmtKind::Return:
    return execReturn(*llvm::cast<ast::ReturnStmt>(stmt));
  case StmtKind::Assert:
    return execAssert(*llvm::cast<ast::AssertStmt>(stmt));
  case StmtKind::Raise:
    return execRaise(*llvm::cast<ast::RaiseStmt>(stmt));
  case StmtKind::Try:
    return execTry(*llvm::cast<ast::TryStmt>(stmt));
  case StmtKind::Import:
  case StmtKind::ImportFrom:
    bindImport(stmt, [&](llvm::StringRef name, Value value) { setName(name, value); });
    return Flow::Normal;
  case StmtKind::Pass:
    return Flow::Normal;
  case StmtKind::Break:
  case StmtKind::Continue:
    return execJump(stmt);
  case StmtKind::Global:
    for (llvm::StringRef name : llvm::cast<ast::GlobalStmt>(stmt)->names)
      if (env_)
        env_->globals.insert(name);
    return Flow::Normal;
  case StmtKind::Nonlocal:
    for (llvm::StringRef name : llvm::cast<ast::NonlocalStmt>(stmt)->names)
      if (env_)
        env_->nonlocals.insert(name);
    return Flow::Normal;
  case StmtKind::Delete:
    return execDelete(*llvm::cast<ast::DeleteStmt>(stmt));
  case StmtKind::Unsupported: {
    const ast::UnsupportedSyntax &syntax = llvm::cast<ast::UnsupportedStmt>(stmt)->syntax;
    fail(syntax.why, syntax.span, syntax.text);
    return Flow::Failed;
  }
  }
  return Flow::Normal;
}

Flow Interpreter::execExpression(const ast::ExprStmt &stmt) {
  // A docstring, or a string used as a comment.
  if (llvm::isa<ast::StringExpr>(stmt.value))
    return Flow::Normal;
  Value value = eval(stmt.value);
  if (!value)
    return Flow::Failed;
  if (value.is(ValueKind::Loop))
    fail(DiagId::LoopNotIterated, stmt.span);
  else if (auto *launch = value.as<LaunchObject>()) {
    fail(DiagId::KernelWithoutWith, stmt.span);
    (void)launch;
    return Flow::Failed;
  }
  return Flow::Normal;
}

// The branches from `branch` on.
Flow Interpreter::execIf(const ast::IfStmt &stmt, size_t branch) {
  for (; branch < stmt.branches.size(); ++branch) {
    const ast::IfBranch &one = stmt.branches[branch];
    Value condition = eval(one.condition);
    if (!condition)
      return Flow::Failed;
    if (condition.isExpr())
      return execDeviceIf(stmt, branch, condition);
    std::optional<bool> truth = truthOf(condition, one.condition->span);
    if (!truth)
      return Flow::Failed;
    if (*truth)
      return execBlock(one.body);
  }
  return execBlock(stmt.orelse);
}

// A condition that only the device knows: both sides are executed here, each into its own block.
Flow Interpreter::execDeviceIf(const ast::IfStmt &stmt, size_t branch, Value condition) {
  const ast::IfBranch &one = stmt.branches[branch];
  if (!requireKernelCode(one.condition->span))
    return Flow::Failed;
  const Expr *test = toCondition(condition, one.condition->span);
  if (!test)
    return Flow::Failed;
  StmtInfo info = ir().fresh(one.span);
  auto execSide = [&](llvm::function_ref<Flow()> body, const Stmt *&side) {
    kernel_->push();
    ++deviceDepth_;
    Flow flow = body();
    --deviceDepth_;
    side = kernel_->pop(one.span);
    return flow;
  };
  const Stmt *thenBody = nullptr;
  const Stmt *elseBody = nullptr;
  Flow flow = execSide([&] { return execBlock(one.body); }, thenBody);
  bool hasElse = branch + 1 < stmt.branches.size() || !stmt.orelse.empty();
  if (flow == Flow::Normal && hasElse)
    flow = execSide([&] { return execIf(stmt, branch + 1); }, elseBody);
  if (flow == Flow::Normal)
    kernel_->emit(context_.make<If>(info, test, thenBody, elseBody));
  return flow;
}

Flow Interpreter::execWhile(const ast::WhileStmt &stmt) {
  while (true) {
    Value condition = eval(stmt.condition);
    if (!condition)
      return Flow::Failed;
    if (condition.isExpr()) {
      fail(DiagId::NotSupportedYet, stmt.condition->span, "a 'while' that the device decides");
      return Flow::Failed;
    }
    std::optional<bool> truth = truthOf(condition, stmt.condition->span);
    if (!truth)
      return Flow::Failed;
    if (!*truth)
      return execBlock(stmt.orelse);
    Flow flow = execBlock(stmt.body);
    if (flow == Flow::Break)
      return Flow::Normal;
    if (flow != Flow::Normal && flow != Flow::Continue)
      return flow;
  }
}

Flow Interpreter::execJump(const ast::Stmt *stmt) {
  if (deviceDepth_ != 0) {
    fail(DiagId::NotSupportedYet, stmt->span, "'break' and 'continue' that the device decides");
    return Flow::Failed;
  }
  return llvm::isa<ast::BreakStmt>(stmt) ? Flow::Break : Flow::Continue;
}

// The items from `item` on.
Flow Interpreter::execWith(const ast::WithStmt &stmt, size_t item) {
  if (item == stmt.items.size())
    return execBlock(stmt.body);
  Value context = eval(stmt.items[item].context);
  if (!context)
    return Flow::Failed;
  if (auto *launch = context.as<LaunchObject>())
    return execLaunch(stmt, item, *launch);
  fail(DiagId::WrongType, stmt.items[item].context->span, "T.Kernel(...) behind 'with'",
       phraseFor(context));
  return Flow::Failed;
}

Flow Interpreter::execLaunch(const ast::WithStmt &stmt, size_t item, LaunchObject &launch) {
  const ast::WithItem &header = stmt.items[item];
  Span span = join(stmt.span, header.target ? header.target->span : header.context->span);
  if (!kernel_ || kernel_->launch()) {
    fail(kernel_ ? DiagId::NestedKernel : DiagId::KernelOutsideFunction, header.context->span);
    return Flow::Failed;
  }
  StmtInfo info = ir().fresh(span);
  kernel_->openLaunch(launch);
  Flow flow = Flow::Normal;
  if (header.target && !bindLaunchVariables(*header.target))
    flow = Flow::Failed;
  if (flow == Flow::Normal)
    flow = execWith(stmt, item + 1);
  kernel_->closeLaunch(launch, info);
  return flow;
}

// `as bx` for one dimension, `as (bx, by)` for several.
bool Interpreter::bindLaunchVariables(const ast::Expr &target) {
  llvm::ArrayRef<const Var *> vars = kernel_->launch()->blockVars;
  llvm::SmallVector<llvm::StringRef, 3> names;
  collectTargetNames(&target, names);
  bool isTuple = llvm::isa<ast::TupleExpr, ast::ListExpr>(target);
  if (names.size() != vars.size() || (!isTuple && vars.size() != 1))
    return failed(DiagId::UnpackCount, target.span, names.size(), vars.size());
  Values values;
  for (const Var *var : kernel_->nameBlockVars(names))
    values.push_back(Value::expr(var));
  return bindTarget(&target, isTuple ? heap_.tuple(values) : values.front());
}

Flow Interpreter::execReturn(const ast::ReturnStmt &stmt) {
  Value value = stmt.value ? eval(stmt.value) : Value::none();
  if (!value)
    return Flow::Failed;
  returnSpan_ = stmt.value ? stmt.value->span : stmt.span;
  if (deviceDepth_ != frameDeviceDepth_) {
    fail(DiagId::NotSupportedYet, stmt.span, "'return' inside a device loop or branch");
    return Flow::Failed;
  }
  returned_ = value;
  return Flow::Return;
}

Flow Interpreter::execAssert(const ast::AssertStmt &stmt) {
  Value condition = eval(stmt.condition);
  if (!condition)
    return Flow::Failed;
  if (condition.isExpr()) {
    fail(DiagId::AssertIgnored, stmt.condition->span);
    return Flow::Normal;
  }
  std::optional<bool> truth = truthOf(condition, stmt.condition->span);
  if (!truth)
    return Flow::Failed;
  if (*truth)
    return Flow::Normal;
  Value message = stmt.message ? eval(stmt.message) : string("");
  if (!message)
    return Flow::Failed;
  std::string text = strOf(message);
  failForGood(DiagId::AssertionFailed, stmt.condition->span, text.empty() ? "" : ": " + text);
  raised_ = makeException("AssertionError", text.empty() ? Values() : Values{message});
  isDead_ = tryDepth_ == 0;
  return Flow::Failed;
}

Flow Interpreter::execDelete(const ast::DeleteStmt &stmt) {
  for (const ast::Expr *target : stmt.targets)
    if (!deleteTarget(target))
      return Flow::Failed;
  return Flow::Normal;
}

bool Interpreter::deleteTarget(const ast::Expr *target) {
  if (const auto *tuple = llvm::dyn_cast<ast::TupleExpr>(target)) {
    for (const ast::Expr *element : tuple->elements)
      if (!deleteTarget(element))
        return false;
    return true;
  }
  if (const auto *name = llvm::dyn_cast<ast::NameExpr>(target); name && env_)
    return env_->names.erase(name->name) || failed(DiagId::UndefinedName, target->span, name->name);
  if (const auto *element = llvm::dyn_cast<ast::SubscriptExpr>(target)) {
    Value object = eval(element->object);
    Value index = object ? evalIndex(*element->index) : Value();
    return index && deleteItem(object, index, target->span);
  }
  if (const auto *member = llvm::dyn_cast<ast::AttributeExpr>(target)) {
    Value object = eval(member->object);
    auto *instance = object.as<InstanceObject>();
    if (instance && instance->attributes.erase(member->name))
      return true;
    return object && failed(DiagId::NoAttribute, target->span, phraseFor(object), member->name);
  }
  return failed(DiagId::NotSupportedYet, target->span, "this use of 'del'");
}

} // namespace tilescope::frontend
