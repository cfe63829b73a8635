#include "core/frontend/frontend.h"

#include "core/frontend/builtins.h"
#include "core/frontend/elaborate.h"
#include "core/frontend/evaluation.h"
#include "core/frontend/expressions.h"
#include "core/frontend/functions.h"
#include "core/frontend/kernel_files.h"
#include "core/frontend/module.h"
#include "core/frontend/operators.h"
#include "core/support/nearest_name.h"
#include "core/syntax/parser.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace frontend {

namespace {

// "M, N, block_M=128": what a message about arguments lists.
std::string listParameters(const KernelInfo &kernel) {
  std::string out;
  for (const KernelParameter &parameter : kernel.parameters) {
    out += out.empty() ? "" : ", ";
    out += parameter.name;
    out += parameter.hasDefault ? "=" + parameter.defaultText : "";
  }
  return out.empty() ? "none" : out;
}

std::string listKernelNames(llvm::ArrayRef<KernelInfo> kernels) {
  std::string out;
  for (const KernelInfo &kernel : kernels)
    out += (out.empty() ? "" : ", ") + kernel.path;
  return out.empty() ? "none" : out;
}

class Elaboration {
public:
  Elaboration(Context &context, const ElaborateRequest &request, SourceFiles &files,
              Diagnostics &diagnostics)
      : context_(context), request_(request), files_(files), diagnostics_(diagnostics) {}

  Elaborated run() {
    std::unique_ptr<ast::Module> module = parseModule(request_.file, files_, diagnostics_);
    if (!module || diagnostics_.hasErrors())
      return std::move(result_);
    Evaluation evaluation(context_, diagnostics_, request_.limits, request_.stop);
    loadModule(evaluation, *module);
    evaluation_ = &evaluation;
    module_ = module.get();
    if (!chooseKernel() || !readArguments() || !checkArguments())
      return std::move(result_);
    const Function *function = build();
    if (function && !diagnostics_.hasErrors())
      finish(function);
    return std::move(result_);
  }

private:
  template <typename... Args> bool fail(DiagId id, Span span, Args &&...args) {
    diagnostics_.report(id, span, std::forward<Args>(args)...);
    return false;
  }

  // Of a name that was to be one of `names`; returns false, as `fail`.
  static bool suggest(Diagnostic &diagnostic, llvm::StringRef name,
                      const std::vector<std::string> &names) {
    if (std::string near = nearestName(name, names); !near.empty())
      diagnostic.note(diagnostic.span, "did you mean '" + near + "'?");
    return false;
  }

  bool chooseKernel();
  bool readArguments();
  Value readValue(const std::string &name, const std::string &text);
  Value literalOf(const ast::Expr *expr);
  bool checkArguments();
  const Function *build();
  void finish(const Function *function);

  Context &context_;
  const ElaborateRequest &request_;
  SourceFiles &files_;
  Diagnostics &diagnostics_;
  Evaluation *evaluation_ = nullptr;
  const ast::Module *module_ = nullptr;
  KernelInfo kernel_;
  const FunctionObject *function_ = nullptr; // outermost of the path
  std::vector<std::unique_ptr<ast::Module>> literals_;
  std::vector<Argument> arguments_;
  Elaborated result_;
};

bool Elaboration::chooseKernel() {
  std::vector<KernelInfo> kernels = findKernels(*evaluation_, *module_, files_);
  Span start{request_.file, 1, 1, 1, 1};
  if (!request_.function.empty()) {
    std::optional<KernelInfo> named = findKernel(*evaluation_, *module_, files_, request_.function);
    if (!named) {
      std::vector<std::string> names;
      names.reserve(kernels.size());
      for (const KernelInfo &kernel : kernels)
        names.push_back(kernel.path);
      Diagnostic &diagnostic = diagnostics_.report(DiagId::UnknownKernel, start, request_.function,
                                                   listKernelNames(kernels));
      return suggest(diagnostic, request_.function, names);
    }
    kernel_ = std::move(*named);
  } else if (kernels.size() == 1) {
    kernel_ = std::move(kernels.front());
  } else if (kernels.empty()) {
    return fail(DiagId::NoKernel, start);
  } else {
    return fail(DiagId::SeveralKernels, start, listKernelNames(kernels));
  }
  result_.function = kernel_.path;
  return true;
}

bool Elaboration::readArguments() {
  for (const auto &[name, text] : request_.arguments) {
    Value value = readValue(name, text);
    if (!value)
      return false;
    auto known =
        llvm::find_if(arguments_, [&, &name = name](const Argument &a) { return a.name == name; });
    if (known != arguments_.end())
      known->value = value;
    else
      arguments_.push_back({name, value, Span()});
  }
  return true;
}

Value Elaboration::readValue(const std::string &name, const std::string &text) {
  FileId file = files_.add("--set " + name, text);
  Diagnostics unread;
  std::unique_ptr<ast::Module> module = parseModule(file, files_, unread);
  const ast::ExprStmt *stmt =
      module && module->body.size() == 1 ? llvm::dyn_cast<ast::ExprStmt>(module->body[0]) : nullptr;
  Value value = stmt && !unread.hasErrors() ? literalOf(stmt->value) : Value();
  if (!value && !diagnostics_.hasErrors()) {
    Span whole{file, 1, 1, 1, static_cast<uint32_t>(text.size()) + 1};
    bool isSyntax = unread.hasErrors();
    Span span = isSyntax ? unread.all().front().span : whole;
    Diagnostic &diagnostic = diagnostics_.report(DiagId::BadArgument, span, name);
    if (isSyntax)
      diagnostic.note(span, unread.all().front().text);
  }
  literals_.push_back(std::move(module));
  return value;
}

// Values are data: numbers, strings, words, and lists, tuples and dicts of them.
Value Elaboration::literalOf(const ast::Expr *expr) {
  if (const auto *name = llvm::dyn_cast<ast::NameExpr>(expr)) {
    if (name->name == "true" || name->name == "false")
      return Value::boolean(name->name == "true");
    return name->name == "none" ? Value::none() : evaluation_->heap.string(name->name.str());
  }
  // `T.float16`: the word behind the dot.
  if (const auto *attribute = llvm::dyn_cast<ast::AttributeExpr>(expr))
    return evaluation_->heap.string(attribute->name.str());
  auto literals = [&](ast::ExprList elements) -> std::optional<Values> {
    Values values;
    for (const ast::Expr *element : elements) {
      values.push_back(literalOf(element));
      if (!values.back())
        return std::nullopt;
    }
    return values;
  };
  if (const auto *tuple = llvm::dyn_cast<ast::TupleExpr>(expr)) {
    std::optional<Values> values = literals(tuple->elements);
    return values ? evaluation_->heap.tuple(std::move(*values)) : Value();
  }
  if (const auto *list = llvm::dyn_cast<ast::ListExpr>(expr)) {
    std::optional<Values> values = literals(list->elements);
    return values ? evaluation_->heap.list(std::move(*values)) : Value();
  }
  if (const auto *sign = llvm::dyn_cast<ast::UnaryExpr>(expr)) {
    Value operand = literalOf(sign->operand);
    bool isNegation = operand.isNumber() && sign->op == ast::UnaryOp::Negate;
    return isNegation ? unary(*evaluation_, sign->op, operand, expr->span) : Value();
  }
  bool isLiteral =
      llvm::isa<ast::IntExpr, ast::FloatExpr, ast::StringExpr, ast::BoolExpr, ast::NoneExpr>(expr);
  return isLiteral ? eval(*evaluation_, expr) : Value();
}

bool Elaboration::checkArguments() {
  bool areFine = true;
  std::vector<std::string> names;
  names.reserve(kernel_.parameters.size());
  for (const KernelParameter &parameter : kernel_.parameters)
    names.push_back(parameter.name);
  for (const Argument &argument : arguments_)
    if (!llvm::is_contained(names, argument.name))
      areFine = suggest(diagnostics_.report(DiagId::UnknownArgument, kernel_.span, kernel_.path,
                                            argument.name, listParameters(kernel_)),
                        argument.name, names);
  std::string missing;
  for (const KernelParameter &parameter : kernel_.parameters) {
    bool isGiven =
        llvm::any_of(arguments_, [&](const Argument &a) { return a.name == parameter.name; });
    if (!isGiven && !parameter.hasDefault)
      missing += (missing.empty() ? "" : ", ") + parameter.name;
  }
  if (!missing.empty())
    areFine = fail(DiagId::MissingArguments, kernel_.span, kernel_.path, missing,
                   listParameters(kernel_));
  return areFine;
}

const Function *Elaboration::build() {
  llvm::SmallVector<llvm::StringRef, 4> names;
  llvm::StringRef(kernel_.path).split(names, '.');
  FunctionObject *function = findFunction(*evaluation_, names[0]);
  function_ = function;
  for (size_t i = 1; function && i < names.size(); ++i)
    function = nestedFunction(*evaluation_, *function, names[i], arguments_);
  return function ? elaborateKernel(*evaluation_, *function, arguments_) : nullptr;
}

// Types are given as `T.float16` or by name; a string default tells whether a string is one.
std::string typeOfParameter(const Value &value, const Value &defaultValue) {
  auto namesDType = [](const Value &named) {
    std::optional<llvm::StringRef> text = textOf(named);
    return text && parseDType(*text);
  };
  if (!value)
    return "";
  bool isDType = namesDType(value) && (!defaultValue || namesDType(defaultValue));
  return isDType ? "dtype" : typeName(value);
}

void Elaboration::finish(const Function *function) {
  Module module;
  module.context = &context_;
  const Function *functions[] = {function};
  module.functions = context_.copy<const Function *>(functions);
  for (const auto &[name, value] : evaluation_->signature.passConfigs) {
    bool isOn = value.isIntegral() && value.asInt() != 0;
    module.fastMath |= name == "TL_ENABLE_FAST_MATH" && isOn;
    module.disableThreadStorageSync |= name == "TL_DISABLE_THREAD_STORAGE_SYNC" && isOn;
    result_.passConfigs.push_back({name, reprOf(value)});
  }
  result_.module = context_.make<Module>(module);
  for (const KernelParameter &parameter : kernel_.parameters) {
    ElaboratedParameter used;
    used.name = parameter.name;
    used.defaultValue = parameter.defaultText;
    Value defaultValue = defaultUsed(*function_, parameter.name);
    Value value = defaultValue;
    for (const Argument &argument : arguments_)
      if (argument.name == parameter.name)
        value = argument.value;
    used.type = typeOfParameter(value, defaultValue);
    used.defaultLiteral = defaultValue ? reprOf(defaultValue) : "";
    used.value = value ? reprOf(value) : parameter.defaultText;
    result_.parameters.push_back(std::move(used));
  }
}

} // namespace

} // namespace frontend

Elaborated elaborate(Context &context, const ElaborateRequest &request, SourceFiles &files,
                     Diagnostics &diagnostics) {
  return frontend::Elaboration(context, request, files, diagnostics).run();
}

} // namespace tilescope
