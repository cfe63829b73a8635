#include "core/frontend/frontend.h"

#include "core/frontend/builtins.h"
#include "core/frontend/elaborate.h"
#include "core/frontend/evaluation.h"
#include "core/frontend/expressions.h"
#include "core/frontend/functions.h"
#include "core/frontend/kernel_files.h"
#include "core/frontend/module.h"
#include "core/frontend/operators.h"
#include "core/frontend/tensor_shapes.h"
#include "core/ir/run_time_extents.h"
#include "core/ir/thread_conditions.h"
#include "core/ir/views.h"
#include "core/support/nearest_name.h"
#include "core/syntax/parser.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace frontend {

namespace {

// "M, N, block_M=128, A (a shape)": what a message about arguments lists.
std::string listParameters(const KernelInfo &kernel) {
  std::string out;
  for (const KernelParameter &parameter : kernel.parameters) {
    out += out.empty() ? "" : ", ";
    out += parameter.name;
    out += parameter.hasDefault ? "=" + parameter.defaultText : "";
  }
  for (const std::string &tensor : kernel.tensors)
    out += (out.empty() ? "" : ", ") + tensor + " (a shape)";
  return out.empty() ? "none" : out;
}

std::string listKernelNames(llvm::ArrayRef<KernelInfo> kernels) {
  std::string out;
  for (const KernelInfo &kernel : kernels)
    out += (out.empty() ? "" : ", ") + kernel.path;
  return out.empty() ? "none" : out;
}

// Values are data: numbers, strings, words, and lists, tuples and dicts of them.
Value literalOf(Evaluation &evaluation, const ast::Expr *expr) {
  if (const auto *name = llvm::dyn_cast<ast::NameExpr>(expr)) {
    if (name->name == "true" || name->name == "false")
      return Value::boolean(name->name == "true");
    return name->name == "none" ? Value::none() : evaluation.heap.string(name->name.str());
  }
  // `T.float16`, a type; of anything else the word behind the dot.
  if (const auto *attribute = llvm::dyn_cast<ast::AttributeExpr>(expr)) {
    if (std::optional<DType> dtype = parseDType(attribute->name))
      return evaluation.heap.make<DTypeObject>(*dtype);
    return evaluation.heap.string(attribute->name.str());
  }
  auto literals = [&](ast::ExprList elements) -> std::optional<Values> {
    Values values;
    for (const ast::Expr *element : elements) {
      values.push_back(literalOf(evaluation, element));
      if (!values.back())
        return std::nullopt;
    }
    return values;
  };
  if (const auto *tuple = llvm::dyn_cast<ast::TupleExpr>(expr)) {
    std::optional<Values> values = literals(tuple->elements);
    return values ? evaluation.heap.tuple(std::move(*values)) : Value();
  }
  if (const auto *list = llvm::dyn_cast<ast::ListExpr>(expr)) {
    std::optional<Values> values = literals(list->elements);
    return values ? evaluation.heap.list(std::move(*values)) : Value();
  }
  if (const auto *sign = llvm::dyn_cast<ast::UnaryExpr>(expr)) {
    Value operand = literalOf(evaluation, sign->operand);
    bool isNegation = operand.isNumber() && sign->op == ast::UnaryOp::Negate;
    return isNegation ? unary(evaluation, sign->op, operand, expr->span) : Value();
  }
  bool isLiteral =
      llvm::isa<ast::IntExpr, ast::FloatExpr, ast::StringExpr, ast::BoolExpr, ast::NoneExpr>(expr);
  return isLiteral ? eval(evaluation, expr) : Value();
}

// `op=relu`, `op=ops.relu`, `op=TABLE["relu"]`, `kind=Kind.RELU`, `config=Config(block=64)`: a
// function, a class or an object that the file has or makes; invalid, without a report, for
// anything else, which is data.
Value objectNamed(Evaluation &evaluation, const ast::Expr *expr) {
  const ast::Expr *root = expr;
  while (!llvm::isa<ast::NameExpr>(root)) {
    const auto *member = llvm::dyn_cast<ast::AttributeExpr>(root);
    const auto *element = llvm::dyn_cast<ast::SubscriptExpr>(root);
    const auto *made = llvm::dyn_cast<ast::CallExpr>(root);
    if (!member && !element && !made)
      return Value();
    root = member ? member->object : element ? element->object : made->callee;
  }
  if (!evaluation.names.globals->find(llvm::cast<ast::NameExpr>(root)->name))
    return Value();
  // What is made is meant to be made, so what is wrong with that is told.
  if (llvm::isa<ast::CallExpr>(expr))
    return eval(evaluation, expr);
  Diagnostics unread;
  Diagnostics &reported = evaluation.reportTo(unread);
  Value value = eval(evaluation, expr);
  evaluation.reportTo(reported);
  constexpr ValueKind Objects[] = {ValueKind::Function, ValueKind::Partial, ValueKind::BoundMethod,
                                   ValueKind::Builtin,  ValueKind::Class,   ValueKind::Instance,
                                   ValueKind::Enum};
  return llvm::is_contained(Objects, value.kind()) ? value : Value();
}

// Where an argument stands that is one expression; null if it is none.
const ast::Expr *onlyExpression(const ast::Module &module) {
  const auto *stmt =
      module.body.size() == 1 ? llvm::dyn_cast<ast::ExprStmt>(module.body[0]) : nullptr;
  return stmt ? stmt->value : nullptr;
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
    Evaluation evaluation(context_, diagnostics_, request_.limits, request_.stop, kernelPath());
    evaluation.device = request_.device;
    evaluation.modules.searchIn(request_.imports, files_);
    loadModule(evaluation, *module);
    evaluation_ = &evaluation;
    module_ = module.get();
    if (!chooseKernel() || !readArguments() || !takeShapes())
      return std::move(result_);
    addConstants();
    if (!checkArguments())
      return std::move(result_);
    const Function *function = build(evaluation, arguments_);
    if (!function || diagnostics_.hasErrors() || !checkShapes(evaluation, shapes_))
      return std::move(result_);
    function = shareRunTimeLoops(context_, *function);
    if (const Function *resolved = resolveViews(context_, *function, diagnostics_))
      finish(spreadTileWork(context_, *resolved, diagnostics_));
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

  const std::string &kernelPath() const { return files_.get(request_.file).path; }
  bool chooseKernel();
  bool readArguments();
  Value argumentOf(Evaluation &evaluation, llvm::StringRef name, const ast::Expr *expr);
  Value readValue(const std::string &name, const std::string &text);
  bool takeShapes();
  void addConstants();
  bool isGiven(llvm::StringRef name) const;
  bool checkArguments();
  const Function *build(Evaluation &evaluation, llvm::ArrayRef<Argument> arguments);
  void finish(const Function *function);

  Context &context_;
  const ElaborateRequest &request_;
  SourceFiles &files_;
  Diagnostics &diagnostics_;
  Evaluation *evaluation_ = nullptr;
  const ast::Module *module_ = nullptr;
  KernelInfo kernel_;
  std::vector<std::unique_ptr<ast::Module>> literals_; // of the values in the request
  std::vector<Argument> arguments_;                    // without shapes of tensors
  std::vector<TensorShape> shapes_;
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
      arguments_.push_back({name, value, onlyExpression(*literals_.back())->span});
  }
  return true;
}

// A word is the name of what the file has, unless the parameter takes strings.
Value Elaboration::argumentOf(Evaluation &evaluation, llvm::StringRef name, const ast::Expr *expr) {
  auto parameter = llvm::find_if(kernel_.parameters,
                                 [&](const KernelParameter &known) { return known.name == name; });
  bool takesText = false;
  if (parameter != kernel_.parameters.end()) {
    llvm::StringRef text = parameter->defaultText;
    takesText = parameter->annotation == "str" || text.starts_with("\"") || text.starts_with("'");
  }
  Value object = takesText ? Value() : objectNamed(evaluation, expr);
  return object ? object : literalOf(evaluation, expr);
}

Value Elaboration::readValue(const std::string &name, const std::string &text) {
  FileId file = files_.add("--set " + name, text);
  Diagnostics unread;
  std::unique_ptr<ast::Module> module = parseModule(file, files_, unread);
  const ast::Expr *expr = module && !unread.hasErrors() ? onlyExpression(*module) : nullptr;
  Value value = expr ? argumentOf(*evaluation_, name, expr) : Value();
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

bool Elaboration::takeShapes() {
  auto isShape = [&](const Argument &a) { return llvm::is_contained(kernel_.tensors, a.name); };
  for (const Argument &argument : arguments_) {
    if (!isShape(argument))
      continue;
    std::optional<std::vector<int64_t>> extents = extentsOf(argument.value);
    if (!extents)
      return fail(DiagId::BadTensorShape, argument.span, argument.name, phraseFor(argument.value));
    shapes_.push_back({argument.name.str(), std::move(*extents), argument.span});
  }
  llvm::erase_if(arguments_, isShape);
  return true;
}

// Adds what the shapes settle, as if it had been given.
void Elaboration::addConstants() {
  if (shapes_.empty())
    return;
  Context context;
  Diagnostics unread;
  Evaluation open(context, unread, request_.limits, request_.stop, kernelPath());
  open.device = request_.device;
  open.modules.searchIn(request_.imports, files_);
  loadModule(open, *module_);
  open.signature.leavesConstantsOpen = true;
  // Values of its own: a kernel may change the list that it is given.
  std::vector<Argument> arguments;
  for (const auto &[given, literal] : llvm::zip_equal(request_.arguments, literals_))
    if (!llvm::is_contained(kernel_.tensors, given.first))
      arguments.push_back(
          {given.first, argumentOf(open, given.first, onlyExpression(*literal)), Span()});
  build(open, arguments);
  for (const auto &[name, extent] : constantsOfShapes(open, shapes_))
    for (const KernelParameter &parameter : kernel_.parameters)
      if (parameter.isConst && parameter.name == name && !isGiven(name))
        arguments_.push_back({parameter.name, Value::integer(extent), Span()});
}

bool Elaboration::isGiven(llvm::StringRef name) const {
  return llvm::any_of(arguments_, [&](const Argument &a) { return a.name == name; });
}

bool Elaboration::checkArguments() {
  bool areFine = true;
  std::vector<std::string> names = kernel_.tensors;
  for (const KernelParameter &parameter : kernel_.parameters)
    names.push_back(parameter.name);
  for (const Argument &argument : arguments_)
    if (!llvm::is_contained(names, argument.name))
      areFine = suggest(diagnostics_.report(DiagId::UnknownArgument, kernel_.span, kernel_.path,
                                            argument.name, listParameters(kernel_)),
                        argument.name, names);
  std::string missing;
  for (const KernelParameter &parameter : kernel_.parameters)
    if (!parameter.hasDefault && !isGiven(parameter.name))
      missing += (missing.empty() ? "" : ", ") + parameter.name;
  if (!missing.empty())
    areFine = fail(DiagId::MissingArguments, kernel_.span, kernel_.path, missing,
                   listParameters(kernel_));
  return areFine;
}

const Function *Elaboration::build(Evaluation &evaluation, llvm::ArrayRef<Argument> arguments) {
  llvm::SmallVector<llvm::StringRef, 4> names;
  llvm::StringRef(kernel_.path).split(names, '.');
  FunctionObject *function = findFunction(evaluation, names[0]);
  for (size_t i = 1; function && i < names.size(); ++i)
    function = nestedFunction(evaluation, *function, names[i], arguments);
  return function ? elaborateKernel(evaluation, *function, arguments) : nullptr;
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
  llvm::StringRef outermostName = llvm::StringRef(kernel_.path).split('.').first;
  const FunctionObject &outermost = *findFunction(*evaluation_, outermostName);
  for (const KernelParameter &parameter : kernel_.parameters) {
    ElaboratedParameter used;
    used.name = parameter.name;
    used.defaultValue = parameter.defaultText;
    Value defaultValue = defaultUsed(outermost, parameter.name);
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
