#include "core/ir/read_function.h"

#include "core/ir/run_time_extents.h"
#include "core/ir/text_form.h"
#include "core/ir/thread_conditions.h"
#include "core/ir/views.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

std::nullptr_t FunctionReader::expected(Span at, llvm::StringRef what) {
  diagnostics_.report(DiagId::IrExpected, at, what);
  return nullptr;
}

Tag FunctionReader::tagOn(uint32_t line) {
  const ast::Comment *comment = module_.text.commentOn(line);
  llvm::StringRef text = comment ? comment->text : llvm::StringRef();
  if (!text.consume_front(TagMark))
    return {};
  if (std::optional<Tag> tag = parseTag(text, module_.kernel)) {
    if (!heedsPlaces_)
      tag->operands.clear();
    return *tag;
  }
  auto end = static_cast<uint32_t>(comment->column + comment->text.size());
  diagnostics_.report(DiagId::BadIrTag, Span{module_.text.file, line, comment->column, line, end});
  return {};
}

const Function *FunctionReader::read(const ast::FunctionDefStmt &def) {
  unsigned errorsBefore = diagnostics_.errorCount();
  Tag tag = tagOn(def.nameSpan.line);
  function_.name = context_.intern(def.name);
  function_.span = tag.hasSpan && heedsPlaces_ ? tag.span : def.nameSpan;
  for (const ast::Expr *decorator : def.decorators)
    readDecorator(decorator);
  // Shapes name the scalars, which stand behind them.
  for (const ast::Param &param : def.params)
    if (param.annotation && !asCallOfT(param.annotation))
      readScalarParam(param);
  for (const ast::Param &param : def.params) {
    if (!param.annotation)
      expected(param.span, "a parameter with its type");
    else if (asCallOfT(param.annotation))
      readTensorParam(param);
    else if (const Var *var = names_.var(param.name))
      params_.push_back(Param{BufferId(), var});
  }
  function_.body = readBody(def.body, tag);
  llvm::sort(buffers_, [](const Buffer *a, const Buffer *b) { return a->id < b->id; });
  function_.params = context_.copy<Param>(params_);
  function_.buffers = context_.copy<const Buffer *>(buffers_);
  if (diagnostics_.errorCount() != errorsBefore)
    return nullptr;
  bool isAsWritten = function_.properties.has(Property::Tile) &&
                     !function_.properties.has(Property::LayoutsInferred);
  const Function *function = context_.make<Function>(function_);
  if (isAsWritten)
    function = shareRunTimeLoops(context_, *function);
  function = resolveViews(context_, *function, diagnostics_);
  return isAsWritten && function ? spreadTileWork(context_, *function, diagnostics_) : function;
}

void FunctionReader::readDecorator(const ast::Expr *decorator) {
  const ast::CallExpr *call = asCallOfT(decorator);
  if (nameInT(call ? call->callee : decorator) != "prim_func") {
    expected(decorator->span, "@T.prim_func");
    return;
  }
  if (!call)
    return;
  CallArgs args(*call, diagnostics_);
  if (std::optional<llvm::StringRef> kind = args.takeString("kind")) {
    if (*kind != "host" && *kind != "device")
      expected(call->span, "kind \"host\" or \"device\"");
    function_.functionKind = *kind == "device" ? FunctionKind::Device : FunctionKind::Host;
  }
  if (std::optional<llvm::StringRef> name = args.takeString("name"))
    function_.name = context_.intern(*name);
  if (const ast::Expr *properties = args.takeKeyword("properties"))
    readProperties(properties);
  if (const ast::Expr *sources = args.takeKeyword("sources"))
    readSources(sources);
  args.finish();
}

void FunctionReader::readProperties(const ast::Expr *list) {
  for (const ast::Expr *element : elementsOf(list)) {
    const auto *name = llvm::dyn_cast<ast::StringExpr>(element);
    std::optional<Property> property = name ? parseProperty(name->value) : std::nullopt;
    if (property)
      function_.properties = function_.properties.with(*property);
    else
      expected(element->span, "the name of a function property");
  }
}

void FunctionReader::readSources(const ast::Expr *list) {
  llvm::SmallVector<llvm::StringRef> sources;
  for (const ast::Expr *element : elementsOf(list)) {
    const auto *source = llvm::dyn_cast<ast::StringExpr>(element);
    if (source && !llvm::StringRef(source->value).contains('\0'))
      sources.push_back(context_.intern(source->value));
    else
      expected(element->span, "a string without zero bytes");
  }
  function_.foreignSources = context_.copy<llvm::StringRef>(sources);
}

void FunctionReader::readScalarParam(const ast::Param &param) {
  std::optional<DType> dtype = typeNamed(nameInT(param.annotation));
  if (!dtype) {
    expected(param.annotation->span, "T.Tensor(...) or a scalar type");
    return;
  }
  Tag tag = tagOn(param.span.endLine);
  ast::NameExpr target(param.span, param.name);
  bindVar(target, *dtype, tag.vars.empty() ? nullptr : &tag.vars.front());
}

void FunctionReader::readTensorParam(const ast::Param &param) {
  const ast::CallExpr *call = asCallOfT(param.annotation);
  if (nameInT(call->callee) != "Tensor") {
    expected(param.annotation->span, "T.Tensor(...) or a scalar type");
    return;
  }
  bool isOutput = false;
  const Buffer *buffer = readTensor(*call, param.name, Scope::Global, param.span,
                                    tagOn(param.span.endLine), &isOutput);
  if (!buffer)
    return;
  declare(param.name, buffer, param.span);
  params_.push_back(Param{buffer->id, nullptr, isOutput});
}

// `isOutput` is null for what cannot be one.
const Buffer *FunctionReader::readTensor(const ast::CallExpr &call, llvm::StringRef name,
                                         Scope scope, Span span, const Tag &tag, bool *isOutput) {
  Buffer buffer;
  buffer.scope = scope;
  buffer.name = context_.intern(name);
  buffer.id = tag.buffer ? *tag.buffer : context_.nextBufferId();
  buffer.origin = tag.bufferOrigin;
  buffer.span = tag.buffer && heedsPlaces_ ? tag.span : span;
  CallArgs args(call, diagnostics_);
  const ast::Expr *shape = args.takeRequired("shape");
  const ast::Expr *dtype = args.takeRequired("dtype");
  bool isRead = shape && dtype && readShape(shape, dtype, buffer);
  if (isOutput)
    *isOutput = args.takeBool("output", false);
  isRead = readPlacement(args, buffer) && isRead;
  readIdentity(args, buffer);
  return args.finish() && isRead ? context_.make<Buffer>(buffer) : nullptr;
}

bool FunctionReader::readShape(const ast::Expr *shape, const ast::Expr *dtype, Buffer &buffer) {
  std::optional<ExprList> extents = exprs_.readAll(elementsOf(shape));
  const auto *name = llvm::dyn_cast<ast::StringExpr>(dtype);
  std::optional<DType> type = name ? typeNamed(name->value) : std::nullopt;
  if (!type)
    return expected(dtype->span, "the name of a type"), false;
  buffer.dtype = *type;
  if (extents)
    buffer.shape = *extents;
  return extents.has_value();
}

bool FunctionReader::readPlacement(CallArgs &args, Buffer &buffer) {
  buffer.versions = args.takeInteger("versions", 1);
  buffer.layoutPinned = args.takeBool("layout_pinned", false);
  if (const ast::Expr *base = args.takeKeyword("view_of")) {
    const auto *name = llvm::dyn_cast<ast::NameExpr>(base);
    const Buffer *known = name ? names_.buffer(name->name) : nullptr;
    if (!known)
      return expected(base->span, "the buffer that this one is a view of"), false;
    buffer.viewOf = known->id;
  }
  auto readOptional = [&](llvm::StringRef word, std::optional<int64_t> &value) {
    const ast::Expr *written = args.takeKeyword(word);
    value = written ? integerLiteral(written) : std::nullopt;
    if (written && !value)
      expected(written->span, "an integer");
  };
  readOptional("offset", buffer.offsetBytes);
  readOptional("launch_region", buffer.launchRegion);
  if (const ast::Expr *strides = args.takeKeyword("strides")) {
    std::optional<ExprList> read = exprs_.readAll(elementsOf(strides));
    if (!read)
      return false;
    buffer.strides = *read;
  }
  const ast::Expr *layout = args.takeKeyword("layout");
  buffer.layout = layout ? readLayout(layout) : nullptr;
  return buffer.layout || !layout;
}

void FunctionReader::readIdentity(CallArgs &args, Buffer &buffer) {
  if (std::optional<llvm::StringRef> name = args.takeString("name"))
    buffer.name = context_.intern(*name);
  buffer.sourceName = context_.intern(args.takeString("source").value_or(buffer.name));
  buffer.ordinal = args.takeInteger("ordinal", 0);
  buffer.role = context_.intern(args.takeString("role").value_or(""));
}

const Layout *FunctionReader::readLayout(const ast::Expr *text) {
  const auto *string = llvm::dyn_cast<ast::StringExpr>(text);
  const Layout *layout = string ? parseLayout(context_, string->value) : nullptr;
  return layout ? layout : expected(text->span, "a layout");
}

void FunctionReader::declare(llvm::StringRef name, const Buffer *buffer, Span span) {
  if (!names_.declare(name, buffer))
    diagnostics_.report(DiagId::IrNameTaken, span, name);
  buffers_.push_back(buffer);
}

const Var *taggedVar(Context &context, ModuleReading &module, llvm::StringRef name, DType dtype,
                     const TaggedVar *tagged) {
  if (!tagged)
    return context.make<Var>(context.nextVarId(), context.intern(name), dtype);
  if (tagged->name)
    name = *tagged->name;
  const Var *&known = module.varsById[tagged->id];
  if (!known || known->dtype() != dtype || known->name != name)
    known = context.make<Var>(tagged->id, context.intern(name), dtype);
  return known;
}

const Var *FunctionReader::bindVar(const ast::NameExpr &target, DType dtype,
                                   const TaggedVar *tagged) {
  const Var *var = taggedVar(context_, module_, target.name, dtype, tagged);
  if (names_.declare(target.name, var))
    return var;
  diagnostics_.report(DiagId::IrNameTaken, target.span, target.name);
  return nullptr;
}

llvm::SmallVector<const Var *>
FunctionReader::bindVars(ast::ExprList targets, llvm::ArrayRef<DType> dtypes, const Tag &tag) {
  llvm::SmallVector<const Var *> vars;
  for (auto [index, target] : llvm::enumerate(targets)) {
    const auto *name = llvm::dyn_cast<ast::NameExpr>(target);
    if (!name) {
      expected(target->span, "a variable");
      continue;
    }
    const TaggedVar *tagged = index < tag.vars.size() ? &tag.vars[index] : nullptr;
    if (const Var *var = bindVar(*name, dtypes[index], tagged))
      vars.push_back(var);
  }
  return vars;
}

void FunctionReader::unbind(ast::ExprList targets) {
  for (const ast::Expr *target : targets)
    if (const auto *name = llvm::dyn_cast<ast::NameExpr>(target))
      names_.forget(name->name);
}

} // namespace tilescope
