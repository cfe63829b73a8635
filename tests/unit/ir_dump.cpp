#include "ir_dump.h"

#include "core/ir/text_form.h"

#include "llvm/ADT/bit.h"

#include <map>
#include <sstream>

namespace tilescope {

namespace {

class Dumper {
public:
  explicit Dumper(bool identity) : identity_(identity) {}
  std::string text() const { return out_.str(); }

  void dump(const Module &module) {
    out_ << "module " << module.fastMath << module.disableThreadStorageSync << "\n";
    for (const Function *function : module.functions)
      dump(*function);
  }

private:
  template <typename Map, typename AnyId> std::string numbered(Map &map, AnyId id) {
    if (!id.isValid())
      return "-";
    if (identity_)
      return std::to_string(id.value);
    return std::to_string(map.try_emplace(id, map.size()).first->second);
  }
  std::string name(BufferId id) { return "b" + numbered(buffers_, id); }
  std::string name(StmtId id) { return "s" + numbered(stmts_, id); }
  std::string name(const Var *var) {
    return "v" + numbered(vars_, var->id) + ":" + var->dtype().name() +
           (identity_ ? "'" + var->name.str() + "'" : "");
  }
  void dump(const Span &span) {
    if (identity_)
      out_ << " @" << textOf(span) << (span.isValid() ? std::to_string(span.file.value) : "");
  }

  void dump(const Function &function) {
    out_ << "function " << function.name.str() << " " << static_cast<int>(function.functionKind);
    for (unsigned bit = 0; bit <= static_cast<unsigned>(Property::BarriersFinal); ++bit)
      out_ << function.properties.has(static_cast<Property>(bit));
    dump(function.span);
    for (const Param &param : function.params)
      out_ << " " << (param.var ? name(param.var) : name(param.buffer)) << param.isOutput;
    out_ << "\n";
    for (const Buffer *buffer : function.buffers)
      dump(*buffer);
    dump(function.body);
  }

  void dump(const Buffer &buffer) {
    out_ << name(buffer.id) << " " << buffer.name.str() << "/" << buffer.sourceName.str() << "/"
         << buffer.ordinal << "/" << buffer.role.str() << " " << buffer.dtype.name() << " "
         << nameOf(buffer.scope).str() << " " << buffer.versions << buffer.layoutPinned << " "
         << (buffer.layout ? toString(*buffer.layout) : "-") << " "
         << buffer.offsetBytes.value_or(-1);
    dump(buffer.shape);
    dump(buffer.strides);
    if (identity_)
      out_ << " " << name(buffer.origin);
    dump(buffer.span);
    out_ << "\n";
  }

  void dump(ExprList list) {
    out_ << " [";
    for (const Expr *expr : list)
      dump(expr);
    out_ << "]";
  }

  void dump(const Expr *expr);
  void dump(const Stmt *stmt);
  void dumpParts(const Stmt *stmt);
  void dump(const For *loop);
  void dump(const OpStmt *op);

  bool identity_;
  std::ostringstream out_;
  std::map<BufferId, size_t> buffers_;
  std::map<StmtId, size_t> stmts_;
  std::map<VarId, size_t> vars_;
};

void Dumper::dump(const Expr *expr) {
  if (!expr) {
    out_ << " null";
    return;
  }
  out_ << " (" << static_cast<int>(expr->kind()) << expr->dtype().name() << " ";
  if (const auto *imm = llvm::dyn_cast<IntImm>(expr))
    out_ << imm->value;
  if (const auto *imm = llvm::dyn_cast<FloatImm>(expr))
    out_ << (imm->value != imm->value ? 0 : llvm::bit_cast<uint64_t>(imm->value));
  if (const auto *var = llvm::dyn_cast<Var>(expr))
    out_ << name(var);
  if (const auto *unary = llvm::dyn_cast<Unary>(expr)) {
    out_ << static_cast<int>(unary->op);
    dump(unary->operand);
  }
  if (const auto *binary = llvm::dyn_cast<Binary>(expr)) {
    out_ << static_cast<int>(binary->op);
    dump(binary->lhs);
    dump(binary->rhs);
  }
  if (const auto *cast = llvm::dyn_cast<Cast>(expr))
    dump(cast->operand);
  if (const auto *select = llvm::dyn_cast<Select>(expr)) {
    dump(select->condition);
    dump(select->whenTrue);
    dump(select->whenFalse);
  }
  if (const auto *load = llvm::dyn_cast<Load>(expr)) {
    out_ << name(load->buffer);
    dump(load->slot);
    dump(load->indices);
  }
  if (const auto *math = llvm::dyn_cast<Math>(expr)) {
    out_ << static_cast<int>(math->fn);
    dump(math->args);
  }
  out_ << ")";
}

void Dumper::dump(const Stmt *stmt) {
  const auto *seq = llvm::dyn_cast_or_null<Seq>(stmt);
  if (seq && !identity_ && seq->stmts.size() == 1)
    return dump(seq->stmts.front());
  if (!stmt) {
    out_ << "null\n";
    return;
  }
  out_ << "{" << static_cast<int>(stmt->kind());
  if (identity_)
    out_ << " " << name(stmt->id()) << " " << name(stmt->anchor()) << " " << name(stmt->origin());
  dump(stmt->span());
  dumpParts(stmt);
  out_ << "}\n";
}

void Dumper::dumpParts(const Stmt *stmt) {
  if (const auto *seq = llvm::dyn_cast<Seq>(stmt))
    for (const Stmt *child : seq->stmts)
      dump(child);
  if (const auto *loop = llvm::dyn_cast<For>(stmt))
    dump(loop);
  if (const auto *parallel = llvm::dyn_cast<Parallel>(stmt)) {
    for (const Var *var : parallel->vars)
      out_ << " " << name(var);
    dump(parallel->extents);
    dump(parallel->written);
    out_ << parallel->coalescedWidth << (parallel->layout ? toString(*parallel->layout) : "-");
    dump(parallel->body);
  }
  if (const auto *branch = llvm::dyn_cast<If>(stmt)) {
    dump(branch->condition);
    dump(branch->thenBody);
    dump(branch->elseBody);
  }
  if (const auto *bind = llvm::dyn_cast<Bind>(stmt)) {
    out_ << name(bind->var);
    dump(bind->value);
  }
  if (const auto *store = llvm::dyn_cast<Store>(stmt)) {
    out_ << name(store->buffer);
    dump(store->slot);
    dump(store->indices);
    dump(store->value);
  }
  if (const auto *op = llvm::dyn_cast<OpStmt>(stmt))
    dump(op);
  if (const auto *launch = llvm::dyn_cast<Launch>(stmt)) {
    for (const Var *var : launch->blockVars)
      out_ << " " << name(var);
    dump(launch->gridExtents);
    out_ << name(launch->threadVar) << " " << launch->threads << " " << launch->raster.panelSize
         << launch->raster.columnMajor << " " << launch->minBlocks;
    dump(launch->body);
  }
}

void Dumper::dump(const For *loop) {
  out_ << " " << static_cast<int>(loop->forKind) << name(loop->var);
  dump(loop->min);
  dump(loop->extent);
  dump(loop->body);
  if (!loop->pipeline)
    return;
  const Pipeline &pipeline = *loop->pipeline;
  out_ << " stages " << pipeline.numStages << pipeline.injected;
  for (int64_t order : pipeline.order)
    out_ << " o" << order;
  for (int64_t stage : pipeline.stage)
    out_ << " t" << stage;
  StmtList children = loop->body;
  if (const auto *seq = llvm::dyn_cast<Seq>(loop->body))
    children = seq->stmts;
  for (const ScheduledStmt &scheduled : pipeline.schedule) {
    for (size_t child = 0; child < children.size(); ++child)
      if (children[child]->id() == scheduled.stmt)
        out_ << " child " << child;
    out_ << "," << scheduled.order << "," << scheduled.stage << "," << scheduled.group;
  }
  for (const VersionCount &count : pipeline.versions)
    out_ << " " << name(count.buffer) << "*" << count.versions;
}

void Dumper::dump(const OpStmt *op) {
  out_ << " " << nameOf(op->op).str();
  for (const BufferRegion &region : op->regions) {
    out_ << " " << name(region.buffer);
    dump(region.slot);
    for (const Range &range : region.ranges) {
      dump(range.min);
      dump(range.extent);
    }
    dump(region.span);
  }
  dump(op->args);
  for (auto [declared, attr] : llvm::zip_equal(op->opInfo().attrs, op->attrs)) {
    if (declared.type == AttrType::Text)
      out_ << " " << textOfNumber(attr).str();
    else
      out_ << " " << attr;
  }
}

} // namespace

std::string dumpModule(const Module &module, bool identity) {
  Dumper dumper(identity);
  dumper.dump(module);
  return dumper.text();
}

} // namespace tilescope
