#include "core/frontend/kernel_files.h"

#include "core/frontend/evaluation.h"
#include "core/frontend/functions.h"
#include "core/frontend/module.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tilescope {

namespace frontend {

namespace {

// The bodies inside a statement; those of functions and classes are not looked into.
llvm::SmallVector<ast::StmtList, 4> bodiesOf(const ast::Stmt *stmt) {
  llvm::SmallVector<ast::StmtList, 4> bodies;
  if (const auto *branch = llvm::dyn_cast<ast::IfStmt>(stmt)) {
    for (const ast::IfBranch &one : branch->branches)
      bodies.push_back(one.body);
    bodies.push_back(branch->orelse);
  } else if (const auto *loop = llvm::dyn_cast<ast::ForStmt>(stmt)) {
    bodies.push_back(loop->body);
  } else if (const auto *loop = llvm::dyn_cast<ast::WhileStmt>(stmt)) {
    bodies.push_back(loop->body);
  } else if (const auto *with = llvm::dyn_cast<ast::WithStmt>(stmt)) {
    bodies.push_back(with->body);
  } else if (const auto *match = llvm::dyn_cast<ast::MatchStmt>(stmt)) {
    for (const ast::MatchCase &one : match->cases)
      bodies.push_back(one.body);
  } else if (const auto *attempt = llvm::dyn_cast<ast::TryStmt>(stmt)) {
    bodies.push_back(attempt->body);
    for (const ast::ExceptHandler &handler : attempt->handlers)
      bodies.push_back(handler.body);
    bodies.push_back(attempt->orelse);
    bodies.push_back(attempt->finally);
  }
  return bodies;
}

// Every statement of a function body, in order.
void forEachStatement(ast::StmtList body, llvm::function_ref<void(const ast::Stmt *)> visit) {
  for (const ast::Stmt *stmt : body) {
    visit(stmt);
    for (ast::StmtList inner : bodiesOf(stmt))
      forEachStatement(inner, visit);
  }
}

// "c" of `a.b.c`, `a.b.c(...)` and `a.b.c[...]`.
llvm::StringRef lastName(const ast::Expr *expr) {
  if (const auto *call = llvm::dyn_cast<ast::CallExpr>(expr))
    return lastName(call->callee);
  if (const auto *subscript = llvm::dyn_cast<ast::SubscriptExpr>(expr))
    return lastName(subscript->object);
  if (const auto *attribute = llvm::dyn_cast<ast::AttributeExpr>(expr))
    return attribute->name;
  if (const auto *name = llvm::dyn_cast<ast::NameExpr>(expr))
    return name->name;
  return "";
}

bool isPrimFunc(const ast::FunctionDefStmt &def) {
  return llvm::any_of(def.decorators,
                      [](const ast::Expr *d) { return lastName(d) == "prim_func"; });
}

bool isTensorAnnotation(const ast::Expr *annotation) {
  llvm::StringRef name = lastName(annotation);
  return name == "Tensor" || name == "Buffer" || name == "StridedTensor";
}

// The names in `T.const("M, N")`, wherever the body has it.
void collectConstNames(const ast::FunctionDefStmt &def, llvm::SmallVectorImpl<std::string> &names) {
  forEachStatement(def.body, [&](const ast::Stmt *stmt) {
    const auto *assign = llvm::dyn_cast<ast::AssignStmt>(stmt);
    const auto *call = assign ? llvm::dyn_cast<ast::CallExpr>(assign->value) : nullptr;
    if (!call || lastName(call->callee) != "const" || call->args.empty())
      return;
    const auto *text = llvm::dyn_cast<ast::StringExpr>(call->args[0]);
    if (!text)
      return;
    llvm::SmallVector<llvm::StringRef, 4> pieces;
    llvm::SplitString(text->value, pieces, ", \t");
    for (llvm::StringRef piece : pieces)
      names.push_back(piece.str());
  });
}

// The text between the ends of a span, its lines joined.
std::string sourceText(const SourceFiles &files, const Span &span) {
  std::string out;
  for (uint32_t line = span.line; line <= span.endLine; ++line) {
    llvm::StringRef text = files.lineText(span.file, line);
    size_t end = line == span.endLine ? span.endColumn - 1 : text.size();
    size_t start = line == span.line ? span.column - 1 : 0;
    llvm::StringRef part = text.slice(start, end);
    out += line == span.line ? part.str() : " " + part.trim().str();
  }
  return out;
}

KernelParameter toParameter(const ast::Param &param, const SourceFiles &files) {
  KernelParameter out;
  out.name = param.name.str();
  if (param.annotation)
    out.annotation = sourceText(files, param.annotation->span);
  out.hasDefault = param.defaultValue != nullptr;
  if (param.defaultValue)
    out.defaultText = sourceText(files, param.defaultValue->span);
  return out;
}

void addParameters(const ast::FunctionDefStmt &def, bool isEager, const SourceFiles &files,
                   KernelInfo &out) {
  llvm::SmallVector<std::string, 4> consts;
  if (isEager)
    collectConstNames(def, consts);
  for (std::string &name : consts) {
    KernelParameter parameter;
    parameter.name = std::move(name);
    parameter.isConst = true;
    out.parameters.push_back(std::move(parameter));
  }
  for (const ast::Param &param : def.params) {
    bool isCollector =
        param.kind == ast::ParamKind::VarArgs || param.kind == ast::ParamKind::KeywordArgs;
    if (isEager && isTensorParam(def, param))
      out.tensors.push_back(param.name.str());
    else if (!isCollector)
      out.parameters.push_back(toParameter(param, files));
  }
}

// A list that grows along a path of nested functions.
class KernelFinder {
public:
  KernelFinder(Evaluation &evaluation, const SourceFiles &files)
      : evaluation_(evaluation), files_(files) {}

  void visit(const ast::FunctionDefStmt &def, const KernelInfo *outer) {
    KernelInfo info = describe(def, outer);
    FunctionRole role = roleOf(evaluation_, def);
    bool isKernel =
        role == FunctionRole::Jit || (role == FunctionRole::PrimFunc || isPrimFunc(def));
    if (isKernel) {
      found.push_back(std::move(info));
      return;
    }
    if (std::count(info.path.begin(), info.path.end(), '.') == 4)
      return;
    forEachStatement(def.body, [&](const ast::Stmt *stmt) {
      if (const auto *inner = llvm::dyn_cast<ast::FunctionDefStmt>(stmt))
        visit(*inner, &info);
    });
  }

  KernelInfo describe(const ast::FunctionDefStmt &def, const KernelInfo *outer) {
    KernelInfo info;
    info.span = def.nameSpan;
    info.path = outer ? outer->path + "." + def.name.str() : def.name.str();
    if (outer)
      info.parameters = outer->parameters;
    FunctionRole role = roleOf(evaluation_, def);
    if (role == FunctionRole::PrimFunc || isPrimFunc(def)) {
      info.style = outer ? KernelStyle::Lazy : KernelStyle::PrimFunc;
      return info;
    }
    bool isEager = role == FunctionRole::Jit && isEagerKernel(def);
    info.style = isEager ? KernelStyle::Eager : KernelStyle::Lazy;
    addParameters(def, isEager, files_, info);
    return info;
  }

  std::vector<KernelInfo> found;

private:
  Evaluation &evaluation_;
  const SourceFiles &files_;
};

const ast::FunctionDefStmt *findDef(ast::StmtList body, llvm::StringRef name) {
  const ast::FunctionDefStmt *found = nullptr;
  forEachStatement(body, [&](const ast::Stmt *stmt) {
    const auto *def = llvm::dyn_cast<ast::FunctionDefStmt>(stmt);
    if (def && def->name == name)
      found = def;
  });
  return found;
}

} // namespace

bool isEagerKernel(const ast::FunctionDefStmt &def) {
  bool launches = false;
  bool hasPrimFunc = false;
  forEachStatement(def.body, [&](const ast::Stmt *stmt) {
    if (const auto *inner = llvm::dyn_cast<ast::FunctionDefStmt>(stmt))
      hasPrimFunc |= isPrimFunc(*inner);
    if (const auto *with = llvm::dyn_cast<ast::WithStmt>(stmt))
      for (const ast::WithItem &item : with->items)
        launches |= lastName(item.context).ends_with("Kernel");
  });
  return launches && !hasPrimFunc;
}

bool isTensorParam(const ast::FunctionDefStmt &def, const ast::Param &param) {
  if (param.defaultValue)
    return false;
  if (param.annotation && isTensorAnnotation(param.annotation))
    return true;
  bool isDeclared = false;
  forEachStatement(def.body, [&](const ast::Stmt *stmt) {
    const auto *annotated = llvm::dyn_cast<ast::AnnAssignStmt>(stmt);
    const auto *name = annotated ? llvm::dyn_cast<ast::NameExpr>(annotated->target) : nullptr;
    isDeclared |= name && name->name == param.name && !annotated->value;
  });
  return isDeclared;
}

std::vector<KernelInfo> findKernels(Evaluation &evaluation, const ast::Module &module,
                                    const SourceFiles &files) {
  KernelFinder finder(evaluation, files);
  for (const ast::Stmt *stmt : module.body)
    if (const auto *def = llvm::dyn_cast<ast::FunctionDefStmt>(stmt))
      finder.visit(*def, nullptr);
  return std::move(finder.found);
}

std::optional<KernelInfo> findKernel(Evaluation &evaluation, const ast::Module &module,
                                     const SourceFiles &files, llvm::StringRef path) {
  KernelFinder finder(evaluation, files);
  llvm::SmallVector<llvm::StringRef, 4> names;
  path.split(names, '.');
  std::optional<KernelInfo> info;
  ast::StmtList body = module.body;
  for (llvm::StringRef name : names) {
    const ast::FunctionDefStmt *def = findDef(body, name);
    if (!def)
      return std::nullopt;
    info = finder.describe(*def, info ? &*info : nullptr);
    body = def->body;
  }
  return info;
}

} // namespace frontend

std::vector<KernelInfo> listKernels(const ast::Module &module, const SourceFiles &files) {
  Context context;
  Diagnostics unread;
  frontend::Evaluation evaluation(context, unread, EvalLimits(), nullptr, "");
  frontend::loadModule(evaluation, module);
  return frontend::findKernels(evaluation, module, files);
}

} // namespace tilescope
