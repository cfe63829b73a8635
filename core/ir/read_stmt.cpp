// Statements of IR text. One statement of the syntax tree makes one statement of the IR; `pass` and
// allocations make none.
#include "core/ir/build.h"
#include "core/ir/read_function.h"
#include "core/ir/text_form.h"
#include "core/syntax/parser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tilescope {

namespace {

// From the keyword to the end of `last`: the header of a compound statement.
Span headerSpan(const ast::Stmt &stmt, const ast::Expr &last) {
  return {stmt.span.file, stmt.span.line, stmt.span.column, last.span.endLine, last.span.endColumn};
}

std::optional<Op> opNamed(llvm::StringRef name) {
#define OP(Name, printed, level)                                                                   \
  if (name == (printed))                                                                           \
    return Op::Name;
#include "core/ops/ops.def"
  return std::nullopt;
}

} // namespace

StmtInfo FunctionReader::infoOf(const Tag &tag, Span span) {
  StmtInfo info = tag.stmt ? *tag.stmt : Builder(context_).fresh(span);
  if (!heedsPlaces_)
    info.span = span;
  return info;
}

const Stmt *FunctionReader::readBody(ast::StmtList stmts, const Tag &opener) {
  llvm::SmallVector<const Stmt *> children;
  for (const ast::Stmt *stmt : stmts)
    if (const Stmt *child = readStmt(*stmt))
      children.push_back(child);
  // A bind holds to the end of the body.
  for (const ast::Stmt *stmt : stmts)
    if (const auto *bind = llvm::dyn_cast<ast::AnnAssignStmt>(stmt))
      unbind(bind->target);
  if (!opener.body && children.size() == 1)
    return children.front();
  Span span = children.empty() ? Span() : join(children.front()->span(), children.back()->span());
  StmtInfo info = opener.body ? *opener.body : Builder(context_).fresh(span);
  if (!heedsPlaces_)
    info.span = span;
  return context_.make<Seq>(info, context_.copy<const Stmt *>(children));
}

const Stmt *FunctionReader::readStmt(const ast::Stmt &stmt) {
  switch (stmt.kind) {
  case ast::StmtKind::Pass:
    return nullptr;
  case ast::StmtKind::Expr:
    return readOp(llvm::cast<ast::ExprStmt>(stmt));
  case ast::StmtKind::Assign:
    return readAssign(llvm::cast<ast::AssignStmt>(stmt));
  case ast::StmtKind::AnnAssign:
    return readBind(llvm::cast<ast::AnnAssignStmt>(stmt));
  case ast::StmtKind::If:
    return readIf(llvm::cast<ast::IfStmt>(stmt), 0);
  case ast::StmtKind::For:
    return readFor(llvm::cast<ast::ForStmt>(stmt));
  case ast::StmtKind::While: {
    const auto &loop = llvm::cast<ast::WhileStmt>(stmt);
    const auto *condition = llvm::dyn_cast<ast::BoolExpr>(loop.condition);
    if (!condition || !condition->value || !loop.orelse.empty())
      return expected(loop.condition->span, "'while True:' without else");
    Tag tag = tagOn(loop.span.line);
    Builder builder(context_);
    const Var *index = taggedVar(context_, module_, "i", DType::int32(),
                                 tag.vars.empty() ? nullptr : &tag.vars.front());
    const Stmt *body = readBody(loop.body, tag);
    return context_.make<For>(infoOf(tag, loop.span), index, builder.integer(0),
                              builder.integer(EndlessTrips), ForKind::Endless, body);
  }
  case ast::StmtKind::Break:
    return context_.make<Break>(infoOf(tagOn(stmt.span.line), stmt.span));
  case ast::StmtKind::With:
    return readLaunch(llvm::cast<ast::WithStmt>(stmt));
  case ast::StmtKind::Unsupported: {
    const ast::UnsupportedSyntax &syntax = llvm::cast<ast::UnsupportedStmt>(stmt).syntax;
    diagnostics_.report(syntax.why, syntax.span, syntax.text);
    return nullptr;
  }
  default:
    return expected(stmt.span, "a statement of IR text");
  }
}

const Stmt *FunctionReader::readAssign(const ast::AssignStmt &assign) {
  const ast::CallExpr *call = asCallOfT(assign.value);
  if (call && scopeOfAllocator(nameInT(call->callee)))
    return readAlloc(assign, *call);
  if (assign.targets.size() != 1)
    return expected(assign.span, "one target");
  std::optional<ExprReader::Element> element = exprs_.readElement(assign.targets[0]);
  const Expr *value = exprs_.read(assign.value);
  if (!element || !value)
    return nullptr;
  return context_.make<Store>(infoOf(tagOn(assign.span.endLine), assign.span), element->buffer->id,
                              element->slot, element->indices, value);
}

const Stmt *FunctionReader::readAlloc(const ast::AssignStmt &assign, const ast::CallExpr &call) {
  const auto *name = llvm::dyn_cast<ast::NameExpr>(assign.targets[0]);
  if (!name || assign.targets.size() != 1)
    return expected(assign.span, "the name of the new buffer");
  Scope scope = *scopeOfAllocator(nameInT(call.callee));
  const Buffer *buffer =
      readTensor(call, name->name, scope, assign.span, tagOn(assign.span.endLine), nullptr);
  if (buffer)
    declare(name->name, buffer, name->span);
  return nullptr;
}

const Stmt *FunctionReader::readBind(const ast::AnnAssignStmt &bind) {
  std::optional<DType> dtype = typeNamed(nameInT(bind.annotation));
  if (!dtype || !bind.value)
    return expected(bind.span, "'name: T.type = value'");
  const Expr *value = exprs_.read(bind.value);
  Tag tag = tagOn(bind.span.endLine);
  llvm::SmallVector<const Var *> vars = bindVars(bind.target, *dtype, tag);
  if (!value || vars.empty())
    return nullptr;
  return context_.make<Bind>(infoOf(tag, bind.span), vars.front(), value);
}

// ---- Branches -----------------------------------------------------------------------------------

// The branches of `branch` from number `first` on; each `elif` is an If in the else of the one
// before it.
const Stmt *FunctionReader::readIf(const ast::IfStmt &branch, size_t first) {
  if (branch.branches.size() > MaxBlockDepth) {
    diagnostics_.report(DiagId::NestingTooDeep, branch.span, "block", MaxBlockDepth);
    return nullptr;
  }
  const ast::IfBranch &own = branch.branches[first];
  Tag tag = tagOn(own.span.line);
  const Expr *condition = exprs_.read(own.condition);
  const Stmt *thenBody = readBody(own.body, tag);
  const Stmt *elseBody = readElse(branch, first + 1);
  if (!condition)
    return nullptr;
  return context_.make<If>(infoOf(tag, own.span), condition, thenBody, elseBody);
}

const Stmt *FunctionReader::readElse(const ast::IfStmt &branch, size_t next) {
  if (next < branch.branches.size())
    return readIf(branch, next);
  if (branch.orelse.empty())
    return nullptr;
  // The syntax tree does not say where `else:` stands; its tag is the only one between the bodies.
  uint32_t lastLineOfThen = branch.branches.back().body.back()->span.endLine;
  Tag tag;
  for (uint32_t line = branch.orelse.front()->span.line - 1; line > lastLineOfThen && !tag.body;
       --line)
    tag = tagOn(line);
  return readBody(branch.orelse, tag);
}

// ---- Loops --------------------------------------------------------------------------------------

const Stmt *FunctionReader::readFor(const ast::ForStmt &loop) {
  const ast::CallExpr *call = asCallOfT(loop.iter);
  llvm::StringRef name = call ? nameInT(call->callee) : llvm::StringRef();
  std::optional<ForKind> kind = parseForKind(name);
  if (!loop.orelse.empty())
    return expected(loop.orelse.front()->span, "no else after a loop");
  if (!call || (!kind && name != "Parallel"))
    return expected(loop.iter->span, "a loop of T");
  CallArgs args(*call, diagnostics_);
  Span header = headerSpan(loop, *loop.iter);
  return kind ? readLoop(loop, *kind, args, header) : readParallel(loop, args, header);
}

const Stmt *FunctionReader::readParallel(const ast::ForStmt &loop, CallArgs &args, Span header) {
  Tag tag = tagOn(loop.span.line);
  ast::ExprList targets = elementsOf(loop.target);
  std::optional<ExprList> extents = exprs_.readAll(args.call().args);
  while (args.takePositional())
    continue;
  int64_t coalescedWidth = args.takeInteger("coalesced_width", 0);
  bool isAsync = args.takeBool("asynchronous", false);
  const ast::Expr *writtenText = args.takeKeyword("written");
  std::optional<ExprList> written =
      writtenText ? exprs_.readAll(elementsOf(writtenText)) : ExprList();
  const ast::Expr *layoutText = args.takeKeyword("layout");
  const Layout *layout = layoutText ? readLayout(layoutText) : nullptr;
  if (!args.finish() || !extents || !written || (layoutText && !layout))
    return nullptr;
  bool isAsMany = written->empty() || written->size() == targets.size();
  if (targets.size() != extents->size() || !isAsMany)
    return expected(header, "as many variables as extents");
  llvm::SmallVector<DType> dtypes;
  for (const Expr *extent : *extents)
    dtypes.push_back(extent->dtype());
  llvm::SmallVector<const Var *> vars = bindVars(targets, dtypes, tag);
  const Stmt *body = readBody(loop.body, tag);
  unbind(targets);
  if (vars.size() != targets.size())
    return nullptr;
  return context_.make<Parallel>(infoOf(tag, header), context_.copy<const Var *>(vars), *extents,
                                 body, coalescedWidth, layout, isAsync, *written);
}

const Stmt *FunctionReader::readLoop(const ast::ForStmt &loop, ForKind kind, CallArgs &args,
                                     Span header) {
  Tag tag = tagOn(loop.span.line);
  std::optional<Range> bounds = exprs_.readBounds(args);
  const ast::Expr *schedule = nullptr;
  const Pipeline *pipeline = readPipeline(args, kind, schedule);
  if (!args.finish() || !bounds)
    return nullptr;
  llvm::SmallVector<const Var *> vars = bindVars(loop.target, bounds->min->dtype(), tag);
  const Stmt *body = readBody(loop.body, tag);
  unbind(loop.target);
  if (vars.empty())
    return nullptr;
  if (schedule)
    pipeline = withSchedule(pipeline, schedule, body);
  return context_.make<For>(infoOf(tag, header), vars.front(), bounds->min, bounds->extent, kind,
                            body, pipeline);
}

// Null without `num_stages`, except for T.Pipelined. The schedule names statements of the body,
// which is read later.
const Pipeline *FunctionReader::readPipeline(CallArgs &args, ForKind kind,
                                             const ast::Expr *&schedule) {
  constexpr int64_t Absent = std::numeric_limits<int64_t>::min();
  int64_t numStages = args.takeInteger("num_stages", Absent);
  if (numStages == Absent && kind != ForKind::Pipelined)
    return nullptr;
  Pipeline pipeline;
  pipeline.numStages = numStages == Absent ? 0 : numStages;
  pipeline.order = context_.copy<int64_t>(args.takeIntegers("order"));
  pipeline.stage = context_.copy<int64_t>(args.takeIntegers("stage"));
  pipeline.injected = args.takeBool("injected", false);
  pipeline.counters = args.takeBool("counters", false);
  schedule = args.takeKeyword("schedule");
  llvm::SmallVector<VersionCount> versions;
  if (const ast::Expr *dict = args.takeKeyword("versions"))
    readVersions(dict, versions);
  pipeline.versions = context_.copy<VersionCount>(versions);
  return context_.make<Pipeline>(pipeline);
}

bool FunctionReader::readVersions(const ast::Expr *dict,
                                  llvm::SmallVectorImpl<VersionCount> &versions) {
  const auto *items = llvm::dyn_cast<ast::DictExpr>(dict);
  if (!items)
    return expected(dict->span, "{buffer: versions, ...}"), false;
  for (const ast::DictItem &item : items->items) {
    const Buffer *buffer = item.key ? exprs_.readBuffer(item.key) : nullptr;
    std::optional<int64_t> count = integerLiteral(item.value);
    if (!count || !item.key)
      expected(item.value->span, "a number of versions");
    else if (buffer)
      versions.push_back({buffer->id, *count});
  }
  return true;
}

const Pipeline *FunctionReader::withSchedule(const Pipeline *pipeline, const ast::Expr *schedule,
                                             const Stmt *body) {
  StmtList children = body;
  if (const auto *seq = llvm::dyn_cast<Seq>(body))
    children = seq->stmts;
  llvm::SmallVector<ScheduledStmt> entries;
  for (const ast::Expr *entry : elementsOf(schedule))
    if (std::optional<ScheduledStmt> scheduled = readScheduled(entry, children))
      entries.push_back(*scheduled);
  Pipeline scheduled = *pipeline;
  scheduled.schedule = context_.copy<ScheduledStmt>(entries);
  return context_.make<Pipeline>(scheduled);
}

// "(0, 1, 0, -1)": child of the body, order, stage, group.
std::optional<ScheduledStmt> FunctionReader::readScheduled(const ast::Expr *entry,
                                                           StmtList children) {
  llvm::SmallVector<int64_t, 4> numbers;
  for (const ast::Expr *element : elementsOf(entry))
    if (std::optional<int64_t> number = integerLiteral(element))
      numbers.push_back(*number);
  if (numbers.size() != 4 || numbers[0] < 0 ||
      numbers[0] >= static_cast<int64_t>(children.size())) {
    expected(entry->span, "(statement of the body, order, stage, group)");
    return std::nullopt;
  }
  return ScheduledStmt{children[numbers[0]]->id(), numbers[1], numbers[2], numbers[3]};
}

// ---- Launches and operations --------------------------------------------------------------------

const Stmt *FunctionReader::readLaunch(const ast::WithStmt &with) {
  const ast::WithItem &item = with.items.front();
  const ast::CallExpr *call = asCallOfT(item.context);
  if (call && nameInT(call->callee) == "ws" && with.items.size() == 1)
    return readRole(with, *call);
  if (!call || nameInT(call->callee) != "Kernel" || !item.target || with.items.size() != 1)
    return expected(with.span, "'with T.Kernel(..., threads=...) as (bx, ..., tx)'");
  Span header = headerSpan(with, *item.target);
  Tag tag = tagOn(with.span.line);
  CallArgs args(*call, diagnostics_);
  std::optional<ExprList> extents = exprs_.readAll(call->args);
  while (args.takePositional())
    continue;
  int64_t threads = args.takeInteger("threads", 128);
  BlockRaster raster;
  raster.panelSize = args.takeInteger("raster_panel", 0);
  raster.columnMajor = args.takeBool("raster_columns", false);
  int64_t minBlocks = args.takeInteger("min_blocks", 0);
  llvm::ArrayRef<int64_t> cluster = context_.copy<int64_t>(args.takeIntegers("cluster_dims"));
  if (!args.finish() || !extents)
    return nullptr;
  ast::ExprList targets = elementsOf(item.target);
  if (targets.size() != extents->size() + 1)
    return expected(item.target->span, "one variable a grid extent, then the thread variable");
  llvm::SmallVector<DType> dtypes;
  for (const Expr *extent : *extents)
    dtypes.push_back(extent->dtype());
  dtypes.push_back(DType::int32());
  llvm::SmallVector<const Var *> vars = bindVars(targets, dtypes, tag);
  threadVar_ = vars.empty() ? nullptr : vars.back();
  const Stmt *body = readBody(with.body, tag);
  threadVar_ = nullptr;
  unbind(targets);
  if (vars.size() != targets.size())
    return nullptr;
  llvm::ArrayRef<const Var *> all = context_.copy<const Var *>(vars);
  return context_.make<Launch>(infoOf(tag, header), all.drop_back(), *extents, all.back(), threads,
                               body, raster, minBlocks, cluster);
}

// `with T.ws(1, 2, registers=240, name="math"):`, `with T.ws(first_thread=256, threads=32):`
const Stmt *FunctionReader::readRole(const ast::WithStmt &with, const ast::CallExpr &call) {
  Tag tag = tagOn(with.span.line);
  CallArgs args(call, diagnostics_);
  llvm::SmallVector<int64_t> groups;
  while (const ast::Expr *text = args.takePositional())
    groups.push_back(integerLiteral(text).value_or(-1));
  int64_t firstThread = args.takeInteger("first_thread", -1);
  int64_t threads = args.takeInteger("threads", 0);
  int64_t registers = args.takeInteger("registers", 0);
  llvm::StringRef name = args.takeString("name").value_or("");
  if (!args.finish())
    return nullptr;
  constexpr int64_t MostGroups = 8; // of a block
  bool isOfWarps = groups.empty() && firstThread >= 0 && threads > 0;
  bool isRange =
      isOfWarps || (!groups.empty() && groups.front() >= 0 && groups.front() < MostGroups);
  for (size_t next = 1; next < groups.size(); ++next)
    isRange = isRange && groups[next] == groups[next - 1] + 1;
  if (!isRange || with.items.front().target || !threadVar_)
    return expected(call.span, "warp groups, one after the other, in a launch: 'with T.ws(1, 2)'");
  const Stmt *body = readBody(with.body, tag);
  if (!isOfWarps) {
    firstThread = groups.front() * WarpGroupThreads;
    threads = static_cast<int64_t>(groups.size()) * WarpGroupThreads;
  }
  return Builder(context_).role(infoOf(tag, headerSpan(with, call)), threadVar_, firstThread,
                                threads, body, registers, name);
}

const Stmt *FunctionReader::readOp(const ast::ExprStmt &stmt) {
  const ast::CallExpr *call = asCallOfT(stmt.value);
  if (!call)
    return expected(stmt.span, "an operation of T");
  CallArgs args(*call, diagnostics_);
  std::optional<Op> op = opNamed(args.name());
  if (!op) {
    diagnostics_.report(DiagId::UnknownIrFunction, call->callee->span, args.name());
    return nullptr;
  }
  const OpInfo &info = tilescope::infoOf(*op);
  llvm::SmallVector<BufferRegion> regions;
  llvm::SmallVector<const Expr *> exprs;
  llvm::SmallVector<int64_t> attrs;
  bool isRead = readOpParts(args, info, regions, exprs, attrs);
  Tag tag = tagOn(stmt.span.endLine);
  if (!args.finish() || !isRead)
    return nullptr;
  if (tag.stmt)
    for (auto [index, region] : llvm::enumerate(regions))
      region.span = index < tag.operands.size() ? tag.operands[index] : Span();
  return context_.make<OpStmt>(infoOf(tag, stmt.span), *op, context_.copy<BufferRegion>(regions),
                               context_.copy<const Expr *>(exprs), context_.copy<int64_t>(attrs));
}

bool FunctionReader::readOpParts(CallArgs &args, const OpInfo &info,
                                 llvm::SmallVectorImpl<BufferRegion> &regions,
                                 llvm::SmallVectorImpl<const Expr *> &exprs,
                                 llvm::SmallVectorImpl<int64_t> &attrs) {
  bool isRead = info.isVariadic || readDeclared(args, info, regions, exprs);
  for (const AttrInfo &attr : info.attrs) {
    const ast::Expr *text = args.takeKeyword(nameOf(attr.attr));
    std::optional<int64_t> value = text ? readAttr(attr, text) : attr.defaultValue;
    isRead &= value.has_value();
    attrs.push_back(value.value_or(attr.defaultValue));
  }
  if (info.isVariadic && isRead)
    isRead = readSigned(args, textOfNumber(attrs[info.indexOf(Attr::Signature)]), regions, exprs);
  return isRead;
}

bool FunctionReader::readDeclared(CallArgs &args, const OpInfo &info,
                                  llvm::SmallVectorImpl<BufferRegion> &regions,
                                  llvm::SmallVectorImpl<const Expr *> &exprs) {
  for (const OperandInfo &operand : info.operands)
    if (const ast::Expr *text = args.takeRequired(operand.name))
      if (std::optional<BufferRegion> region = exprs_.readRegion(text))
        regions.push_back(*region);
  bool isRead = regions.size() == info.operands.size();
  for (const ArgInfo &arg : info.args) {
    const ast::Expr *text = arg.optional ? args.takeKeyword(arg.name) : args.takeRequired(arg.name);
    exprs.push_back(text ? exprs_.read(text) : nullptr);
    isRead &= exprs.back() != nullptr || (!text && arg.optional);
  }
  return isRead;
}

// Operands and arguments of a variadic operation, one for each letter.
bool FunctionReader::readSigned(CallArgs &args, llvm::StringRef letters,
                                llvm::SmallVectorImpl<BufferRegion> &regions,
                                llvm::SmallVectorImpl<const Expr *> &exprs) {
  for (char letter : letters) {
    const ast::Expr *text =
        args.takeRequired(SignatureOperands.contains(letter) ? "operand" : "value");
    if (!text)
      return false;
    if (SignatureOperands.contains(letter)) {
      std::optional<BufferRegion> region = exprs_.readRegion(text);
      if (!region)
        return false;
      regions.push_back(*region);
    } else {
      exprs.push_back(exprs_.read(text));
      if (!exprs.back())
        return false;
    }
  }
  return true;
}

std::optional<int64_t> FunctionReader::readAttr(const AttrInfo &info, const ast::Expr *value) {
  switch (info.type) {
  case AttrType::Bool:
    if (const auto *literal = llvm::dyn_cast<ast::BoolExpr>(value))
      return literal->value;
    expected(value->span, "True or False");
    return std::nullopt;
  case AttrType::Int:
    if (std::optional<int64_t> literal = integerLiteral(value))
      return literal;
    expected(value->span, "an integer");
    return std::nullopt;
  case AttrType::Name:
    if (const auto *literal = llvm::dyn_cast<ast::StringExpr>(value))
      if (const auto *found = llvm::find(info.names, literal->value); found != info.names.end())
        return found - info.names.begin();
    expected(value->span, "one of \"" + llvm::join(info.names, "\", \"") + "\"");
    return std::nullopt;
  case AttrType::Text:
    if (const auto *literal = llvm::dyn_cast<ast::StringExpr>(value);
        literal && !llvm::StringRef(literal->value).contains('\0'))
      return context_.textNumber(literal->value);
    expected(value->span, "a string without zero bytes");
    return std::nullopt;
  }
  return std::nullopt;
}

} // namespace tilescope
