#include "core/frontend/statements.h"

#include "core/frontend/assignment.h"
#include "core/frontend/clusters.h"
#include "core/frontend/exceptions.h"
#include "core/frontend/expr_operators.h"
#include "core/frontend/expressions.h"
#include "core/frontend/functions.h"
#include "core/frontend/generators.h"
#include "core/frontend/imports.h"
#include "core/frontend/jumps.h"
#include "core/frontend/loops.h"
#include "core/frontend/matching.h"
#include "core/frontend/module.h"
#include "core/frontend/operators.h"
#include "core/frontend/reducers.h"
#include "core/frontend/roles.h"
#include "core/frontend/safe_values.h"
#include "core/frontend/subscripts.h"

#include "llvm/Support/SaveAndRestore.h"

namespace tilescope::frontend {

static void poisonTargets(Evaluation &evaluation, const ast::Stmt *stmt) {
  llvm::SmallVector<llvm::StringRef, 4> names;
  if (const auto *assign = llvm::dyn_cast<ast::AssignStmt>(stmt))
    for (const ast::Expr *target : assign->targets)
      collectTargetNames(target, names);
  if (const auto *annotated = llvm::dyn_cast<ast::AnnAssignStmt>(stmt))
    collectTargetNames(annotated->target, names);
  if (const auto *unsupported = llvm::dyn_cast<ast::UnsupportedStmt>(stmt))
    if (unsupported->stmt)
      poisonTargets(evaluation, unsupported->stmt);
  for (llvm::StringRef name : names)
    evaluation.names.env->names[name] = Value::poison();
}

Flow execBlock(Evaluation &evaluation, ast::StmtList stmts) {
  for (const ast::Stmt *stmt : stmts) {
    Flow flow = exec(evaluation, stmt);
    if (flow == Flow::Normal)
      continue;
    bool mayGoOn = flow == Flow::Failed && !evaluation.isDead && evaluation.names.isKernelScope() &&
                   evaluation.control.tryDepth == 0;
    if (!mayGoOn)
      return flow;
    poisonTargets(evaluation, stmt);
  }
  return Flow::Normal;
}

// `f(x)`, and in `T.evaluate(f(x))` what stands inside.
static Span discardedCall(const ast::Expr &value) {
  const auto *call = llvm::dyn_cast<ast::CallExpr>(&value);
  const auto *callee = call ? llvm::dyn_cast<ast::AttributeExpr>(call->callee) : nullptr;
  bool isWrapper = callee && callee->name == "evaluate" && call->args.size() == 1;
  return isWrapper ? call->args.front()->span : value.span;
}

static Flow execExpression(Evaluation &evaluation, const ast::ExprStmt &stmt) {
  // A docstring, or a string used as a comment.
  if (llvm::isa<ast::StringExpr>(stmt.value))
    return Flow::Normal;
  llvm::SaveAndRestore discarded(evaluation.control.discarded, discardedCall(*stmt.value));
  Value value = eval(evaluation, stmt.value);
  if (Flow flow = std::exchange(evaluation.control.jumped, Flow::Normal); flow != Flow::Normal)
    return flow;
  if (!value)
    return Flow::Failed;
  if (value.is(ValueKind::Loop))
    evaluation.fail(DiagId::LoopNotIterated, stmt.span);
  else if (auto *launch = value.as<LaunchObject>()) {
    evaluation.fail(DiagId::KernelWithoutWith, stmt.span);
    (void)launch;
    return Flow::Failed;
  }
  return Flow::Normal;
}

static Flow execIf(Evaluation &evaluation, const ast::IfStmt &stmt, size_t branch);
static Flow execWith(Evaluation &evaluation, const ast::WithStmt &stmt, size_t item);

// A condition that only the device knows: both sides are executed here, each into its own block.
static Flow execDeviceIf(Evaluation &evaluation, const ast::IfStmt &stmt, size_t branch,
                         Value condition) {
  const ast::IfBranch &one = stmt.branches[branch];
  if (!evaluation.requireKernelCode(one.condition->span))
    return Flow::Failed;
  const Expr *test = toCondition(evaluation, condition, one.condition->span);
  if (!test)
    return Flow::Failed;
  StmtInfo info = evaluation.ir.fresh(one.span);
  auto execSide = [&](llvm::function_ref<Flow()> body) {
    DeviceSide side;
    KernelBuilder::OpenRole role;
    KernelBuilder::OpenLaunch *launch = evaluation.kernel->launch();
    KernelBuilder::OpenRole *around = launch ? std::exchange(launch->side, &role) : nullptr;
    evaluation.kernel->push();
    side.flow = collectBody(evaluation, [&] {
      Flow flow = body();
      side.hasJumped = evaluation.control.bodies.back().hasJumped;
      return flow;
    });
    side.body = evaluation.kernel->pop(one.span);
    side.registers = role.registers;
    side.mustHave = role.registers != 0 && !role.isHint;
    if (launch)
      launch->side = around;
    return side;
  };
  auto isLost = [](const DeviceSide &side) {
    return side.flow == Flow::Failed || side.flow == Flow::Return;
  };
  DeviceSide whenTrue = execSide([&] { return execBlock(evaluation, one.body); });
  DeviceSide whenFalse;
  bool hasElse = branch + 1 < stmt.branches.size() || !stmt.orelse.empty();
  if (!isLost(whenTrue) && hasElse)
    whenFalse = execSide([&] { return execIf(evaluation, stmt, branch + 1); });
  if (isLost(whenTrue) || isLost(whenFalse))
    return isLost(whenTrue) ? whenTrue.flow : whenFalse.flow;
  if (emitAsRoles(evaluation, info, test, whenTrue, whenFalse))
    return Flow::Normal;
  if (whenTrue.mustHave || whenFalse.mustHave) {
    evaluation.fail(DiagId::NotSupportedYet, one.condition->span,
                    "another number of registers under a condition that is not one of whole warp "
                    "groups in a kernel with T.alloc_barrier");
    return Flow::Failed;
  }
  return emitDeviceIf(evaluation, info, test, whenTrue, whenFalse);
}

// The branches from `branch` on.
static Flow execIf(Evaluation &evaluation, const ast::IfStmt &stmt, size_t branch) {
  for (; branch < stmt.branches.size(); ++branch) {
    const ast::IfBranch &one = stmt.branches[branch];
    Value condition = eval(evaluation, one.condition);
    if (!condition)
      return Flow::Failed;
    if (condition.isExpr())
      return execDeviceIf(evaluation, stmt, branch, condition);
    std::optional<bool> truth = truthOf(evaluation, condition, one.condition->span);
    if (!truth)
      return Flow::Failed;
    if (*truth)
      return execBlock(evaluation, one.body);
  }
  return execBlock(evaluation, stmt.orelse);
}

// A `while` of a launch that the device decides, or `while True` there. Its block is open, with
// what the condition is made of.
static Flow execEndless(Evaluation &evaluation, const ast::WhileStmt &stmt, Value condition) {
  StmtInfo info = evaluation.ir.fresh(stmt.span);
  Span span = stmt.condition->span;
  DeviceLoop loop;
  Flow flow = collectLoopBody(evaluation, loop, [&] {
    const Expr *test = condition.isExpr() ? toCondition(evaluation, condition, span) : nullptr;
    if (condition.isExpr() && !test)
      return Flow::Failed;
    if (test)
      openIf(evaluation,
             {evaluation.ir.fresh(span), test,
              evaluation.context.make<Break>(evaluation.ir.fresh(span)), true},
             nullptr);
    return execBlock(evaluation, stmt.body);
  });
  const Stmt *body = evaluation.kernel->pop(stmt.span);
  const Var *count = evaluation.ir.var("i", DType::int32());
  evaluation.kernel->emit(evaluation.context.make<For>(info, count, evaluation.ir.integer(0),
                                                       evaluation.ir.integer(EndlessTrips),
                                                       ForKind::Endless, body));
  return flow == Flow::Normal ? execElse(evaluation, loop, stmt.orelse) : flow;
}

static Flow execWhile(Evaluation &evaluation, const ast::WhileStmt &stmt) {
  ControlFlow &control = evaluation.control;
  llvm::SaveAndRestore<DeviceLoop *> outer(control.loop, nullptr);
  llvm::SaveAndRestore depth(control.loopDeviceDepth, control.deviceDepth);
  while (true) {
    bool isKernelCode = evaluation.isKernelCode();
    if (isKernelCode)
      evaluation.kernel->push();
    Value condition = eval(evaluation, stmt.condition);
    bool isForever = llvm::isa<ast::BoolExpr>(stmt.condition) && condition.isBool();
    bool isInLaunch = isKernelCode && evaluation.kernel->launch();
    if (isInLaunch && condition && (condition.isExpr() || (isForever && condition.asBool())))
      return execEndless(evaluation, stmt, condition);
    if (isKernelCode)
      emitAll(*evaluation.kernel, evaluation.kernel->pop(stmt.span));
    if (!condition)
      return Flow::Failed;
    if (condition.isExpr()) {
      if (evaluation.requireKernelCode(stmt.condition->span))
        evaluation.fail(DiagId::OutsideEveryLaunch, stmt.condition->span);
      return Flow::Failed;
    }
    std::optional<bool> truth = truthOf(evaluation, condition, stmt.condition->span);
    if (!truth)
      return Flow::Failed;
    if (!*truth)
      return execBlock(evaluation, stmt.orelse);
    Flow flow = execBlock(evaluation, stmt.body);
    if (flow == Flow::Break)
      return Flow::Normal;
    if (flow != Flow::Normal && flow != Flow::Continue)
      return flow;
  }
}

// `as bx` for one dimension, `as (bx, by)` for several.
static bool bindLaunchVariables(Evaluation &evaluation, const ast::Expr &target) {
  llvm::ArrayRef<const Var *> vars = evaluation.kernel->launch()->blockVars;
  llvm::SmallVector<llvm::StringRef, 3> names;
  collectTargetNames(&target, names);
  bool isTuple = llvm::isa<ast::TupleExpr, ast::ListExpr>(target);
  if (names.size() != vars.size() || (!isTuple && vars.size() != 1))
    return evaluation.failed(DiagId::UnpackCount, target.span, names.size(), vars.size());
  Values values;
  for (const Var *var : evaluation.kernel->nameBlockVars(names))
    values.push_back(Value::expr(var));
  return bindTarget(evaluation, &target, isTuple ? evaluation.heap.tuple(values) : values.front());
}

static Flow execLaunch(Evaluation &evaluation, const ast::WithStmt &stmt, size_t item,
                       LaunchObject &launch) {
  const ast::WithItem &header = stmt.items[item];
  Span span = join(stmt.span, header.target ? header.target->span : header.context->span);
  if (!evaluation.kernel || evaluation.kernel->launch()) {
    evaluation.fail(evaluation.kernel ? DiagId::NestedKernel : DiagId::KernelOutsideFunction,
                    header.context->span);
    return Flow::Failed;
  }
  StmtInfo info = evaluation.ir.fresh(span);
  evaluation.kernel->openLaunch(launch);
  Flow flow = Flow::Normal;
  if (header.target && !bindLaunchVariables(evaluation, *header.target))
    flow = Flow::Failed;
  if (flow == Flow::Normal)
    flow = collectLaunch(evaluation, [&] { return execWith(evaluation, stmt, item + 1); });
  evaluation.kernel->closeLaunch(launch, info, [&](const Stmt *body) {
    return meetAroundReaches(evaluation,
                             readSafeValues(evaluation, expandReducers(evaluation, body)));
  });
  evaluation.kernel->forgetSafeValues();
  return flow;
}

// `with T.Then():`, or nullopt after reporting that it is none.
static std::optional<ast::StmtList> sideOf(Evaluation &evaluation, const ast::Stmt &stmt,
                                           AttributeObject::Branch branch) {
  const auto *with = llvm::dyn_cast<ast::WithStmt>(&stmt);
  Value side = with && with->items.size() == 1 ? eval(evaluation, with->items.front().context)
                                               : Value::none();
  const auto *attribute = side ? side.as<AttributeObject>() : nullptr;
  if (with && attribute && attribute->branch == branch)
    return with->body;
  if (side)
    evaluation.fail(DiagId::WrongType, stmt.span,
                    "'with T.Then():', then nothing or 'with T.Else():', in 'with T.If(...):'",
                    "this");
  return std::nullopt;
}

// `with T.If(condition):` around its sides, or `with T.If(condition), T.Then():`.
static Flow execBranches(Evaluation &evaluation, const ast::WithStmt &stmt, size_t item,
                         const AttributeObject &first) {
  using Branch = AttributeObject::Branch;
  bool isShort = item + 2 == stmt.items.size();
  size_t sides = stmt.body.size();
  if (first.branch != Branch::If || item + 2 < stmt.items.size() || (!isShort && sides > 2)) {
    evaluation.fail(DiagId::WrongType, stmt.span, "'with T.If(...):' around its two sides", "this");
    return Flow::Failed;
  }
  ast::WithStmt then(stmt.span, stmt.items.drop_front(item + isShort), stmt.body);
  std::optional<ast::StmtList> whenTrue =
      sideOf(evaluation, isShort ? then : *stmt.body.front(), Branch::Then);
  std::optional<ast::StmtList> whenFalse = ast::StmtList();
  if (whenTrue && !isShort && sides == 2)
    whenFalse = sideOf(evaluation, *stmt.body.back(), Branch::Else);
  if (!whenTrue || !whenFalse)
    return Flow::Failed;
  const ast::IfBranch branch{stmt.items[item].context, *whenTrue, stmt.span};
  ast::IfStmt same(stmt.span, branch, *whenFalse);
  if (first.condition.isExpr())
    return execDeviceIf(evaluation, same, 0, first.condition);
  std::optional<bool> truth = truthOf(evaluation, first.condition, branch.condition->span);
  if (!truth)
    return Flow::Failed;
  return execBlock(evaluation, *truth ? *whenTrue : *whenFalse);
}

// The items from `item` on.
static Flow execWith(Evaluation &evaluation, const ast::WithStmt &stmt, size_t item) {
  if (item == stmt.items.size())
    return execBlock(evaluation, stmt.body);
  Value context = eval(evaluation, stmt.items[item].context);
  if (!context)
    return Flow::Failed;
  if (auto *launch = context.as<LaunchObject>())
    return execLaunch(evaluation, stmt, item, *launch);
  if (const auto *role = context.as<RoleObject>()) {
    const ast::WithItem &header = stmt.items[item];
    return execRole(evaluation, *role, evaluation.ir.fresh(join(stmt.span, header.context->span)),
                    [&] { return execWith(evaluation, stmt, item + 1); });
  }
  auto *attribute = context.as<AttributeObject>();
  if (attribute && attribute->branch != AttributeObject::Branch::None)
    return execBranches(evaluation, stmt, item, *attribute);
  if (attribute) {
    llvm::SaveAndRestore<const AttributeObject *> outer(
        evaluation.attribute, attribute->reduction ? attribute : evaluation.attribute);
    return execWith(evaluation, stmt, item + 1);
  }
  evaluation.fail(DiagId::WrongType, stmt.items[item].context->span, "T.Kernel(...) behind 'with'",
                  phraseFor(context));
  return Flow::Failed;
}

static Flow execReturn(Evaluation &evaluation, const ast::ReturnStmt &stmt) {
  Value value = stmt.value ? eval(evaluation, stmt.value) : Value::none();
  if (!value)
    return Flow::Failed;
  evaluation.control.returnSpan = stmt.value ? stmt.value->span : stmt.span;
  if (evaluation.control.deviceDepth != evaluation.control.frameDeviceDepth) {
    evaluation.fail(DiagId::NotSupportedYet, stmt.span, "'return' inside a device loop or branch");
    return Flow::Failed;
  }
  evaluation.control.returned = value;
  return Flow::Return;
}

static Flow execAssert(Evaluation &evaluation, const ast::AssertStmt &stmt) {
  Value condition = eval(evaluation, stmt.condition);
  if (!condition)
    return Flow::Failed;
  if (condition.isExpr()) {
    evaluation.fail(DiagId::AssertIgnored, stmt.condition->span);
    return Flow::Normal;
  }
  std::optional<bool> truth = truthOf(evaluation, condition, stmt.condition->span);
  if (!truth)
    return Flow::Failed;
  if (*truth)
    return Flow::Normal;
  Value message = stmt.message ? eval(evaluation, stmt.message) : evaluation.heap.string("");
  if (!message)
    return Flow::Failed;
  std::string text = strOf(message);
  evaluation.failForGood(DiagId::AssertionFailed, stmt.condition->span,
                         text.empty() ? "" : ": " + text);
  raiseException(evaluation, evaluation.heap.make<ExceptionObject>(
                                 "AssertionError", text.empty() ? Values() : Values{message}));
  return Flow::Failed;
}

static bool deleteTarget(Evaluation &evaluation, const ast::Expr *target) {
  if (const auto *tuple = llvm::dyn_cast<ast::TupleExpr>(target)) {
    for (const ast::Expr *element : tuple->elements)
      if (!deleteTarget(evaluation, element))
        return false;
    return true;
  }
  if (const auto *name = llvm::dyn_cast<ast::NameExpr>(target); name && evaluation.names.env)
    return evaluation.names.env->names.erase(name->name) ||
           evaluation.failed(DiagId::UndefinedName, target->span, name->name);
  if (const auto *element = llvm::dyn_cast<ast::SubscriptExpr>(target)) {
    Value object = eval(evaluation, element->object);
    Value index = object ? evalIndex(evaluation, *element->index) : Value();
    return index && deleteItem(evaluation, object, index, target->span);
  }
  if (const auto *member = llvm::dyn_cast<ast::AttributeExpr>(target)) {
    Value object = eval(evaluation, member->object);
    auto *instance = object.as<InstanceObject>();
    if (instance && instance->attributes.erase(member->name))
      return true;
    return object &&
           evaluation.failed(DiagId::NoAttribute, target->span, phraseFor(object), member->name);
  }
  return evaluation.failed(DiagId::NotSupportedYet, target->span, "this use of 'del'");
}

static Flow execDelete(Evaluation &evaluation, const ast::DeleteStmt &stmt) {
  for (const ast::Expr *target : stmt.targets)
    if (!deleteTarget(evaluation, target))
      return Flow::Failed;
  return Flow::Normal;
}

static Flow execFunctionDef(Evaluation &evaluation, const ast::FunctionDefStmt &def) {
  Value function = makeFunction(evaluation, def, false);
  if (!function)
    return Flow::Failed;
  setName(evaluation, def.name, function);
  const ControlFlow &control = evaluation.control;
  bool isWanted = control.stopIn == evaluation.names.env && control.stopAt == def.name;
  return control.stopIn && isWanted ? Flow::Return : Flow::Normal;
}

static Flow execClassDef(Evaluation &evaluation, const ast::ClassDefStmt &def) {
  Value type = makeClass(evaluation, def);
  if (!type)
    return Flow::Failed;
  setName(evaluation, def.name, type);
  return Flow::Normal;
}

// `global` and `nonlocal`.
static void declareNames(Names &names, const ast::Stmt *stmt) {
  if (!names.env)
    return;
  if (const auto *global = llvm::dyn_cast<ast::GlobalStmt>(stmt))
    for (llvm::StringRef name : global->names)
      names.env->globals.insert(name);
  if (const auto *nonlocal = llvm::dyn_cast<ast::NonlocalStmt>(stmt))
    for (llvm::StringRef name : nonlocal->names)
      names.env->nonlocals.insert(name);
}

static Flow failUnsupported(Evaluation &evaluation, const ast::UnsupportedSyntax &syntax) {
  evaluation.fail(syntax.why, syntax.span, syntax.text);
  return Flow::Failed;
}

static Flow execStatement(Evaluation &evaluation, const ast::Stmt *stmt) {
  using ast::StmtKind;
  switch (stmt->kind) {
  case StmtKind::Expr:
    return execExpression(evaluation, *llvm::cast<ast::ExprStmt>(stmt));
  case StmtKind::Assign:
    return execAssign(evaluation, *llvm::cast<ast::AssignStmt>(stmt));
  case StmtKind::AugAssign:
    return execAugAssign(evaluation, *llvm::cast<ast::AugAssignStmt>(stmt));
  case StmtKind::AnnAssign:
    return execAnnAssign(evaluation, *llvm::cast<ast::AnnAssignStmt>(stmt));
  case StmtKind::If:
    return execIf(evaluation, *llvm::cast<ast::IfStmt>(stmt), 0);
  case StmtKind::For:
    return execFor(evaluation, *llvm::cast<ast::ForStmt>(stmt));
  case StmtKind::While:
    return execWhile(evaluation, *llvm::cast<ast::WhileStmt>(stmt));
  case StmtKind::With:
    return execWith(evaluation, *llvm::cast<ast::WithStmt>(stmt), 0);
  case StmtKind::FunctionDef:
    return execFunctionDef(evaluation, *llvm::cast<ast::FunctionDefStmt>(stmt));
  case StmtKind::ClassDef:
    return execClassDef(evaluation, *llvm::cast<ast::ClassDefStmt>(stmt));
  case StmtKind::Return:
    return execReturn(evaluation, *llvm::cast<ast::ReturnStmt>(stmt));
  case StmtKind::Assert:
    return execAssert(evaluation, *llvm::cast<ast::AssertStmt>(stmt));
  case StmtKind::Raise:
    return execRaise(evaluation, *llvm::cast<ast::RaiseStmt>(stmt));
  case StmtKind::Try:
    return execTry(evaluation, *llvm::cast<ast::TryStmt>(stmt));
  case StmtKind::Import:
  case StmtKind::ImportFrom:
    return execImport(evaluation, stmt) ? Flow::Normal : Flow::Failed;
  case StmtKind::Pass:
    return Flow::Normal;
  case StmtKind::Break:
  case StmtKind::Continue:
    return jump(evaluation, llvm::isa<ast::BreakStmt>(stmt), stmt->span);
  case StmtKind::Global:
  case StmtKind::Nonlocal:
    declareNames(evaluation.names, stmt);
    return Flow::Normal;
  case StmtKind::Delete:
    return execDelete(evaluation, *llvm::cast<ast::DeleteStmt>(stmt));
  case StmtKind::Yield:
    return execYield(evaluation, *llvm::cast<ast::YieldStmt>(stmt));
  case StmtKind::Match:
    return execMatch(evaluation, *llvm::cast<ast::MatchStmt>(stmt));
  case StmtKind::Unsupported:
    return failUnsupported(evaluation, llvm::cast<ast::UnsupportedStmt>(stmt)->syntax);
  }
  return Flow::Normal;
}

Flow exec(Evaluation &evaluation, const ast::Stmt *stmt) {
  if (!evaluation.step(stmt->span))
    return Flow::Failed;
  if (evaluation.depth >= MaxEvalDepth) {
    evaluation.failForGood(DiagId::EvalTooDeep, stmt->span, MaxEvalDepth);
    return Flow::Failed;
  }
  ++evaluation.depth;
  Flow flow = execStatement(evaluation, stmt);
  --evaluation.depth;
  // Only a call that is a statement jumps.
  Flow jumped = std::exchange(evaluation.control.jumped, Flow::Normal);
  if (jumped == Flow::Normal)
    return flow;
  if (jumped != Flow::Failed)
    evaluation.fail(DiagId::NotSupportedYet, stmt->span, "a jump inside of another statement");
  return Flow::Failed;
}

} // namespace tilescope::frontend
