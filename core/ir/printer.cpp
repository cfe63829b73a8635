// IR as text.
//
//   # tilescope-ir 1
//   @T.prim_func(properties=["tile"])
//   def scale(
//       A: T.Tensor((1024,), "float32"),
//   ):
//       A_local = T.alloc_fragment((128,), "float32")
//       with T.Kernel(8, threads=128) as (bx, tx):         block variables, then the thread
//           T.copy(A[bx * 128:bx * 128 + 128], A_local[0:128])
//           for i in T.Parallel(128):
//               A_local[i] = A_local[i] * 2.0
//
// A sequence has no line of its own: in tagged text the line that opens a body says `body s13 ...`
// when the body is a sequence.
#include "core/ir/printer.h"

#include "core/ir/print_expr.h"
#include "core/ir/text_form.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tilescope {

namespace {

std::string listText(llvm::ArrayRef<int64_t> values) {
  return "[" + joinTexts(values, [](int64_t value) { return std::to_string(value); }) + "]";
}

// ---- Tags ---------------------------------------------------------------------------------------

void addSpan(std::string &tag, const Span &span) {
  if (span.isValid())
    tag += " span=" + textOf(span);
}

std::string tagOf(const StmtInfo &info) {
  std::string tag = "s" + std::to_string(info.id.value);
  if (info.anchor != info.id)
    tag += info.anchor.isValid() ? " anchor=s" + std::to_string(info.anchor.value) : " anchor=-";
  if (info.origin.isValid())
    tag += " origin=s" + std::to_string(info.origin.value);
  addSpan(tag, info.span);
  return tag;
}

std::string tagOfBody(const Stmt *body) {
  return llvm::isa_and_nonnull<Seq>(body) ? " body " + tagOf(body->info()) : "";
}

// The body that a line opens; null if it opens none.
const Stmt *bodyOf(const Stmt *stmt) {
  switch (stmt->kind()) {
  case StmtKind::For:
    return llvm::cast<For>(stmt)->body;
  case StmtKind::Parallel:
    return llvm::cast<Parallel>(stmt)->body;
  case StmtKind::If:
  case StmtKind::Role:
    return llvm::cast<If>(stmt)->thenBody;
  case StmtKind::Launch:
    return llvm::cast<Launch>(stmt)->body;
  default:
    return nullptr;
  }
}

std::string tagOf(const Buffer &buffer) {
  std::string tag = "b" + std::to_string(buffer.id.value);
  if (buffer.origin.isValid())
    tag += " origin=b" + std::to_string(buffer.origin.value);
  addSpan(tag, buffer.span);
  return tag;
}

std::string tagOfOperands(const OpStmt &op) {
  if (llvm::none_of(op.regions, [](const BufferRegion &region) { return region.span.isValid(); }))
    return "";
  auto spanText = [](const BufferRegion &region) { return textOf(region.span); };
  return " operands=" + joinTexts(op.regions, spanText, ",");
}

class FunctionPrinter {
public:
  FunctionPrinter(const Function &function, const TextNames &names, bool tagged,
                  std::vector<PrintedLine> &lines)
      : function_(function), names_(names), exprs_(names_, line_), tagged_(tagged), lines_(lines) {}

  void printFunction();
  void printStmt(const Stmt *stmt);

private:
  template <typename... Parts> void add(const Parts &...parts) { append(line_, parts...); }
  // One of the words between parentheses.
  template <typename... Parts> void addWord(const Parts &...parts);
  PrintedLine &endLine();
  void endLine(const Stmt *stmt);
  void printBody(const Stmt *body);

  void printDecorator();
  void printHead();
  void printParam(const Param &param);
  void printDeclaration(const Buffer &buffer);
  void addTensor(const Buffer &buffer, llvm::StringRef maker, bool isOutput);
  void addLayoutWords(const Buffer &buffer);
  void addIdentityWords(const Buffer &buffer);
  std::string tagOfVars(llvm::ArrayRef<const Var *> vars) const;
  std::string tagOfLine(const Stmt *stmt) const;

  void printFor(const For *loop);
  void addPipelineWords(const For *loop);
  std::string scheduleText(const For *loop) const;
  void printParallel(const Parallel *parallel);
  void printIf(const If *branch);
  void printRole(const Role *role);
  void printBind(const Bind *bind);
  void printStore(const Store *store);
  void printOp(const OpStmt *op);
  void printParts(const OpStmt &op);
  void printSigned(const OpStmt &op);
  void printLaunch(const Launch *launch);
  std::string nameList(llvm::ArrayRef<const Var *> vars) const;

  const Function &function_;
  const TextNames &names_;
  std::string line_; // what is written of the line at hand, without its indentation
  ExprPrinter exprs_;
  bool tagged_;
  std::vector<PrintedLine> &lines_;
  unsigned depth_ = 0;
};

template <typename... Parts> void FunctionPrinter::addWord(const Parts &...parts) {
  if (line_.back() != '(')
    line_ += ", ";
  add(parts...);
}

PrintedLine &FunctionPrinter::endLine() {
  PrintedLine &line = lines_.emplace_back();
  size_t indentation = size_t{4} * depth_;
  line.text.reserve(indentation + line_.size());
  line.text.append(indentation, ' ').append(line_);
  line_.clear();
  return line;
}

void FunctionPrinter::endLine(const Stmt *stmt) {
  PrintedLine &line = endLine();
  line.stmt = stmt->id();
  line.span = stmt->span();
  if (tagged_)
    line.tag = tagOfLine(stmt);
}

void FunctionPrinter::printBody(const Stmt *body) {
  ++depth_;
  printStmt(body);
  --depth_;
}

std::string FunctionPrinter::nameList(llvm::ArrayRef<const Var *> vars) const {
  return joinTexts(vars, [&](const Var *var) { return names_.of(var); });
}

// " v5 v6="k"": the name follows where the text had to use another one.
std::string FunctionPrinter::tagOfVars(llvm::ArrayRef<const Var *> vars) const {
  std::string tag;
  for (const Var *var : vars) {
    tag += " v" + std::to_string(var->id.value);
    if (names_.of(var) != var->name)
      tag += "=" + quoted(var->name);
  }
  return tag;
}

std::string FunctionPrinter::tagOfLine(const Stmt *stmt) const {
  std::string tag = tagOf(stmt->info()) + tagOfVars(varsBoundBy(stmt)) + tagOfBody(bodyOf(stmt));
  const auto *op = llvm::dyn_cast<OpStmt>(stmt);
  return op ? tag + tagOfOperands(*op) : tag;
}

// ---- Declarations -------------------------------------------------------------------------------

void FunctionPrinter::printDecorator() {
  add("@T.prim_func(");
  if (function_.functionKind == FunctionKind::Device)
    addWord("kind=\"device\"");
  llvm::SmallVector<llvm::StringRef> properties;
  for (auto bit = 0U; bit <= static_cast<unsigned>(Property::BarriersFinal); ++bit)
    if (auto property = static_cast<Property>(bit); function_.properties.has(property))
      properties.push_back(nameOf(property));
  if (!properties.empty())
    addWord("properties=[", joinTexts(properties, quoted), "]");
  if (asIdentifier(function_.name) != function_.name || isReservedWord(function_.name))
    addWord("name=", quoted(function_.name));
  if (!function_.foreignSources.empty())
    addWord("sources=[", joinTexts(function_.foreignSources, quoted), "]");
  if (line_.back() == '(')
    line_.pop_back();
  else
    add(")");
  endLine();
}

void FunctionPrinter::printHead() {
  std::string name = asIdentifier(function_.name);
  add("def ", name, isReservedWord(name) ? "_(" : "(", function_.params.empty() ? "):" : "");
  PrintedLine &head = endLine();
  head.span = function_.span;
  if (tagged_)
    head.tag = "span=" + textOf(function_.span) + tagOfBody(function_.body);
  ++depth_;
  for (const Param &param : function_.params)
    printParam(param);
  --depth_;
  if (function_.params.empty())
    return;
  add("):");
  endLine();
}

void FunctionPrinter::printFunction() {
  printDecorator();
  printHead();
  ++depth_;
  for (const Buffer *buffer : function_.buffers)
    if (llvm::none_of(function_.params,
                      [&](const Param &param) { return param.buffer == buffer->id; }))
      printDeclaration(*buffer);
  printStmt(function_.body);
  --depth_;
}

void FunctionPrinter::printDeclaration(const Buffer &buffer) {
  add(names_.of(buffer.id), " = ");
  addTensor(buffer, allocatorOf(buffer.scope), /*isOutput=*/false);
  PrintedLine &line = endLine();
  line.buffer = buffer.id;
  line.span = buffer.span;
  if (tagged_)
    line.tag = tagOf(buffer);
}

void FunctionPrinter::printParam(const Param &param) {
  if (param.var) {
    add(names_.of(param.var), ": T.", param.var->dtype().name(), ",");
    PrintedLine &line = endLine();
    if (tagged_)
      line.tag = llvm::StringRef(tagOfVars(param.var)).ltrim().str();
    return;
  }
  const Buffer *buffer = function_.findBuffer(param.buffer);
  add(names_.of(param.buffer), ": ");
  if (buffer)
    addTensor(*buffer, "Tensor", param.isOutput);
  add(buffer ? "," : "T.Undeclared,");
  PrintedLine &line = endLine();
  line.buffer = param.buffer;
  if (!buffer)
    return;
  line.span = buffer->span;
  if (tagged_)
    line.tag = tagOf(*buffer);
}

void FunctionPrinter::addTensor(const Buffer &buffer, llvm::StringRef maker, bool isOutput) {
  add("T.", maker, "((");
  exprs_.printList(buffer.shape);
  add(buffer.shape.size() == 1 ? ",)" : ")");
  addWord("\"", buffer.dtype.name(), "\"");
  if (isOutput)
    addWord("output=True");
  if (maker == "Tensor" && buffer.scope != Scope::Global)
    addWord("scope=", quoted(nameOf(buffer.scope)));
  if (buffer.versions != 1)
    addWord("versions=", buffer.versions);
  if (!buffer.strides.empty()) {
    addWord("strides=[");
    exprs_.printList(buffer.strides);
    add("]");
  }
  addLayoutWords(buffer);
  addIdentityWords(buffer);
  add(")");
}

void FunctionPrinter::addLayoutWords(const Buffer &buffer) {
  if (buffer.layout)
    addWord("layout=", quoted(toString(*buffer.layout)));
  if (buffer.layoutPinned)
    addWord("layout_pinned=True");
  if (buffer.offsetBytes)
    addWord("offset=", *buffer.offsetBytes);
  if (buffer.launchRegion)
    addWord("launch_region=", *buffer.launchRegion);
}

void FunctionPrinter::addIdentityWords(const Buffer &buffer) {
  if (names_.of(buffer.id) != buffer.name)
    addWord("name=", quoted(buffer.name));
  if (buffer.sourceName != buffer.name)
    addWord("source=", quoted(buffer.sourceName));
  if (buffer.ordinal != 0)
    addWord("ordinal=", buffer.ordinal);
  if (!buffer.role.empty())
    addWord("role=", quoted(buffer.role));
}

// ---- Statements ---------------------------------------------------------------------------------

void FunctionPrinter::printStmt(const Stmt *stmt) {
  switch (stmt->kind()) {
  case StmtKind::Seq:
    for (const Stmt *child : llvm::cast<Seq>(stmt)->stmts)
      printStmt(child);
    if (llvm::cast<Seq>(stmt)->stmts.empty()) {
      add("pass");
      endLine();
    }
    return;
  case StmtKind::For:
    return printFor(llvm::cast<For>(stmt));
  case StmtKind::Parallel:
    return printParallel(llvm::cast<Parallel>(stmt));
  case StmtKind::If:
    return printIf(llvm::cast<If>(stmt));
  case StmtKind::Role:
    return printRole(llvm::cast<Role>(stmt));
  case StmtKind::Break:
    add("break");
    return endLine(stmt);
  case StmtKind::Bind:
    return printBind(llvm::cast<Bind>(stmt));
  case StmtKind::Store:
    return printStore(llvm::cast<Store>(stmt));
  case StmtKind::Op:
    return printOp(llvm::cast<OpStmt>(stmt));
  case StmtKind::Launch:
    return printLaunch(llvm::cast<Launch>(stmt));
  }
}

void FunctionPrinter::printFor(const For *loop) {
  if (loop->forKind == ForKind::Endless) {
    add("while True:");
    endLine(loop);
    return printBody(loop->body);
  }
  add("for ", names_.of(loop->var), " in T.", textOf(loop->forKind), "(");
  exprs_.printBounds({loop->min, loop->extent});
  if (loop->pipeline)
    addPipelineWords(loop);
  add("):");
  endLine(loop);
  printBody(loop->body);
}

void FunctionPrinter::addPipelineWords(const For *loop) {
  const Pipeline &pipeline = *loop->pipeline;
  addWord("num_stages=", pipeline.numStages);
  if (!pipeline.order.empty())
    addWord("order=", listText(pipeline.order));
  if (!pipeline.stage.empty())
    addWord("stage=", listText(pipeline.stage));
  if (!pipeline.schedule.empty())
    addWord("schedule=", scheduleText(loop));
  if (!pipeline.versions.empty()) {
    auto countText = [&](const VersionCount &count) {
      return names_.of(count.buffer) + ": " + std::to_string(count.versions);
    };
    addWord("versions={", joinTexts(pipeline.versions, countText), "}");
  }
  if (pipeline.injected)
    addWord("injected=True");
  if (pipeline.counters)
    addWord("counters=True");
}

// "[(0, 1, 0, 0), (2, 0, 1, -1)]": child of the body, order, stage, group. What is no child of the
// body (a breach) is named by id and cannot be read back.
std::string FunctionPrinter::scheduleText(const For *loop) const {
  StmtList children = loop->body;
  if (const auto *seq = llvm::dyn_cast<Seq>(loop->body))
    children = seq->stmts;
  auto nameOfChild = [&](StmtId id) {
    const auto *found =
        llvm::find_if(children, [&](const Stmt *child) { return child->id() == id; });
    return found != children.end() ? std::to_string(found - children.begin())
                                   : "s" + std::to_string(id.value);
  };
  auto entryText = [&](const ScheduledStmt &scheduled) {
    return "(" + nameOfChild(scheduled.stmt) + ", " + std::to_string(scheduled.order) + ", " +
           std::to_string(scheduled.stage) + ", " + std::to_string(scheduled.group) + ")";
  };
  return "[" + joinTexts(loop->pipeline->schedule, entryText) + "]";
}

void FunctionPrinter::printParallel(const Parallel *parallel) {
  add("for ", nameList(parallel->vars), " in T.Parallel(");
  exprs_.printList(parallel->extents);
  if (parallel->coalescedWidth != 0)
    addWord("coalesced_width=", parallel->coalescedWidth);
  if (tagged_ && !parallel->written.empty()) {
    addWord("written=[");
    exprs_.printList(parallel->written);
    add("]");
  }
  if (parallel->isAsync)
    addWord("asynchronous=True");
  if (parallel->layout)
    addWord("layout=", quoted(toString(*parallel->layout)));
  add("):");
  endLine(parallel);
  printBody(parallel->body);
}

void FunctionPrinter::printIf(const If *branch) {
  add("if ");
  exprs_.print(branch->condition);
  add(":");
  endLine(branch);
  printBody(branch->thenBody);
  if (!branch->elseBody)
    return;
  add("else:");
  endLine(branch);
  if (tagged_)
    lines_.back().tag = llvm::StringRef(tagOfBody(branch->elseBody)).ltrim().str();
  printBody(branch->elseBody);
}

// Warp groups by number, as in the language; warps by their threads.
void FunctionPrinter::printRole(const Role *role) {
  add("with T.ws(");
  if (role->threads % WarpGroupThreads != 0) {
    addWord("first_thread=", role->firstThread);
    addWord("threads=", role->threads);
  } else {
    for (int64_t thread = role->firstThread; thread < role->endThread(); thread += WarpGroupThreads)
      addWord(thread / WarpGroupThreads);
  }
  if (role->registers != 0)
    addWord("registers=", role->registers);
  if (!role->name.empty())
    addWord("name=", quoted(role->name));
  add("):");
  endLine(role);
  printBody(role->thenBody);
}

void FunctionPrinter::printBind(const Bind *bind) {
  add(names_.of(bind->var), ": T.", bind->var->dtype().name(), " = ");
  exprs_.print(bind->value);
  endLine(bind);
}

void FunctionPrinter::printStore(const Store *store) {
  exprs_.printElement(store->buffer, store->slot, store->indices);
  add(" = ");
  exprs_.print(store->value);
  endLine(store);
}

std::string attrText(const AttrInfo &info, int64_t value) {
  switch (info.type) {
  case AttrType::Bool:
    return value ? "True" : "False";
  case AttrType::Int:
    break;
  case AttrType::Name:
    if (value >= 0 && static_cast<size_t>(value) < info.names.size())
      return quoted(info.names[value]);
    break;
  case AttrType::Text:
    return quoted(textOfNumber(value));
  }
  return std::to_string(value);
}

void FunctionPrinter::printOp(const OpStmt *op) {
  const OpInfo &info = op->opInfo();
  add("T.", nameOf(op->op), "(");
  if (info.isVariadic)
    printSigned(*op);
  else
    printParts(*op);
  for (auto [declared, value] : llvm::zip(info.attrs, op->attrs))
    if (value != declared.defaultValue)
      addWord(nameOf(declared.attr), "=", attrText(declared, value));
  add(")");
  endLine(op);
}

// Operands and arguments in the order of the signature.
void FunctionPrinter::printSigned(const OpStmt &op) {
  size_t region = 0, arg = 0;
  for (char letter : signatureOf(op)) {
    addWord();
    if (SignatureOperands.contains(letter))
      exprs_.printRegion(op.regions[region++]);
    else
      exprs_.print(op.args[arg++]);
  }
}

void FunctionPrinter::printParts(const OpStmt &op) {
  for (const BufferRegion &region : op.regions) {
    addWord();
    exprs_.printRegion(region);
  }
  for (auto [declared, arg] : llvm::zip(op.opInfo().args, op.args)) {
    if (declared.optional && !arg)
      continue;
    addWord(declared.optional ? declared.name : "", declared.optional ? "=" : "");
    exprs_.print(arg);
  }
}

void FunctionPrinter::printLaunch(const Launch *launch) {
  add("with T.Kernel(");
  exprs_.printList(launch->gridExtents);
  addWord("threads=", launch->threads);
  if (launch->raster.panelSize != 0)
    addWord("raster_panel=", launch->raster.panelSize);
  if (launch->raster.columnMajor)
    addWord("raster_columns=True");
  if (launch->minBlocks != 0)
    addWord("min_blocks=", launch->minBlocks);
  if (!launch->cluster.empty())
    addWord("cluster_dims=", listText(launch->cluster));
  llvm::SmallVector<const Var *> vars = varsBoundBy(launch);
  add(") as (", nameList(vars), vars.size() == 1 ? ",):" : "):");
  endLine(launch);
  printBody(launch->body);
}

// "T.module(fast_math=True)"; empty if there is nothing to say.
std::string moduleLine(const Module &module) {
  llvm::SmallVector<llvm::StringRef> words;
  if (module.fastMath)
    words.push_back("fast_math=True");
  if (module.disableThreadStorageSync)
    words.push_back("disable_thread_storage_sync=True");
  return words.empty() ? "" : "T.module(" + llvm::join(words, ", ") + ")";
}

} // namespace

std::vector<PrintedLine> printLines(const Module &module, bool tagged) {
  std::vector<PrintedLine> lines;
  lines.emplace_back().text = IrTextFirstLine;
  if (std::string line = moduleLine(module); !line.empty())
    lines.emplace_back().text = std::move(line);
  for (const Function *function : module.functions) {
    if (lines.size() > 1)
      lines.emplace_back();
    FunctionPrinter(*function, textNamesOf(*module.context, *function), tagged, lines)
        .printFunction();
  }
  return lines;
}

std::string printModule(const Module &module, bool tagged) {
  std::string text;
  for (const PrintedLine &line : printLines(module, tagged)) {
    text += line.text;
    if (tagged && !line.tag.empty())
      text += ("  " + TagMark + line.tag).str();
    text += '\n';
  }
  return text;
}

std::string printStmt(const Function &function, const Stmt &stmt) {
  std::vector<PrintedLine> lines;
  TextNames names(function);
  FunctionPrinter(function, names, /*tagged=*/false, lines).printStmt(&stmt);
  std::string text;
  for (const PrintedLine &line : lines)
    text += line.text + '\n';
  return text;
}

std::string printExpr(const Function &function, const Expr &expr) {
  return printExpr(TextNames(function), expr);
}

} // namespace tilescope
