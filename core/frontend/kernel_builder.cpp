#include "core/frontend/kernel_builder.h"

#include "core/ir/expr_equal.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

namespace tilescope::frontend {

const Stmt *KernelBuilder::pop(Span span) {
  Block block = blocks_.pop_back_val();
  closed_.insert(block.vars.begin(), block.vars.end());
  return ir_.seq(ir_.fresh(span), block.stmts);
}

const Var *KernelBuilder::newVar(llvm::StringRef name, DType dtype) {
  const Var *var = ir_.var(name, dtype);
  blocks_.back().vars.push_back(var);
  return var;
}

const Var *KernelBuilder::bind(llvm::StringRef name, const Expr *value, Span span) {
  const Var *var = newVar(name == "_" ? "unused" : name, value->dtype());
  emit(ir_.context().make<Bind>(ir_.fresh(span), var, value));
  named_[var] = value;
  bound_[var] = substitute(ir_.context(), value, bound_);
  return var;
}

void KernelBuilder::openLaunch(const LaunchObject &launch) {
  push();
  launch_ = OpenLaunch();
  launch_->level = blocks_.size();
  hasLaunched_ = true;
  static constexpr llvm::StringRef Names[] = {"bx", "by", "bz"};
  for (size_t i = 0; i < launch.gridExtents.size(); ++i)
    launch_->blockVars.push_back(newVar(Names[i], DType::int32()));
  launch_->threadVar = newVar("tx", DType::int32());
  launch_->gridExtents.assign(launch.gridExtents.begin(), launch.gridExtents.end());
  launch_->threads = launch.threads;
  launch_->cluster = launch.cluster;
}

llvm::ArrayRef<const Var *> KernelBuilder::nameBlockVars(llvm::ArrayRef<llvm::StringRef> names) {
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] != "_")
      launch_->blockVars[i] = newVar(names[i], DType::int32());
  return launch_->blockVars;
}

void KernelBuilder::closeLaunch(const LaunchObject &launch, const StmtInfo &info,
                                llvm::function_ref<const Stmt *(const Stmt *)> rewrite) {
  OpenLaunch open = *launch_;
  launch_.reset();
  const Stmt *body = pop(info.span);
  if (!open.first.empty()) {
    open.first.push_back(body);
    body = ir_.seq(ir_.fresh(info.span), open.first);
  }
  body = rewrite(body);
  finalized_.clear();
  Context &context = ir_.context();
  int64_t threads = 1;
  for (int64_t extent : open.threads)
    threads *= extent;
  emit(context.make<Launch>(info, context.copy<const Var *>(open.blockVars),
                            context.copy<const Expr *>(launch.gridExtents), open.threadVar, threads,
                            body, open.raster, open.minBlocks,
                            context.copy<int64_t>(open.cluster)));
}

const Expr *KernelBuilder::threadIndex(size_t axis) {
  llvm::ArrayRef<int64_t> extents = launch_->threads;
  if (axis >= extents.size() || extents[axis] == 1)
    return ir_.integer(0);
  int64_t below = 1;
  for (int64_t extent : extents.take_front(axis))
    below *= extent;
  const Expr *index = ir_.floorDiv(launch_->threadVar, ir_.integer(below));
  bool isOutermost = llvm::all_of(extents.drop_front(axis + 1), [](int64_t e) { return e == 1; });
  return isOutermost ? index : ir_.floorMod(index, ir_.integer(extents[axis]));
}

std::optional<KernelBuilder::ThreadAxes> KernelBuilder::threadAxes(ExprList indices) {
  llvm::SmallVector<bool, 3> isReduced(launch_->threads.size(), false);
  for (const Expr *index : indices) {
    const Expr *value = substitute(ir_.context(), index, bound_);
    size_t axis = 0;
    while (axis < isReduced.size() && !isSameExpr(value, threadIndex(axis)))
      ++axis;
    if (axis == isReduced.size())
      return std::nullopt;
    isReduced[axis] = true;
  }
  ThreadAxes axes{1, 1};
  bool hasBegun = false;
  bool hasEnded = false;
  for (auto [reduced, extent] : llvm::zip_equal(isReduced, launch_->threads)) {
    if (reduced && hasEnded && extent != 1)
      return std::nullopt;
    hasBegun |= reduced;
    hasEnded |= hasBegun && !reduced && extent != 1;
    if (reduced)
      axes.extent *= extent;
    else if (!hasBegun)
      axes.stride *= extent;
  }
  return axes;
}

BufferObject *KernelBuilder::addBuffer(Heap &heap, DType dtype, llvm::ArrayRef<const Expr *> shape,
                                       Scope scope, Span span) {
  auto *buffer = heap.make<BufferObject>();
  buffer->draft.id = ir_.context().nextBufferId();
  buffer->draft.dtype = dtype;
  // A declaration stands outside of what the kernel binds.
  llvm::SmallVector<const Expr *> extents;
  for (const Expr *extent : shape)
    extents.push_back(substitute(ir_.context(), extent, bound_));
  buffer->draft.shape = ir_.context().copy<const Expr *>(extents);
  buffer->draft.scope = scope;
  buffer->draft.span = ir_.placeOf(span);
  buffers_.push_back(buffer);
  byId_[buffer->draft.id.value] = buffer;
  return buffer;
}

void KernelBuilder::nameBuffer(BufferObject &buffer, llvm::StringRef name) {
  if (buffer.sourceName.empty() && name != "_")
    buffer.sourceName = name.str();
}

BufferObject *KernelBuilder::findBuffer(BufferId id) const { return byId_.lookup(id.value); }

// Equal names of the source are told apart by a number: A_shared, A_shared_1.
void KernelBuilder::nameAllBuffers() {
  llvm::StringMap<int64_t> ordinals;
  llvm::StringSet<> taken;
  for (BufferObject *buffer : buffers_)
    if (!buffer->sourceName.empty())
      taken.insert(buffer->sourceName);
  for (BufferObject *buffer : buffers_) {
    if (buffer->sourceName.empty())
      buffer->sourceName = "buffer";
    Buffer &draft = buffer->draft;
    draft.ordinal = ordinals[buffer->sourceName]++;
    std::string name = buffer->sourceName;
    for (int64_t number = draft.ordinal; draft.ordinal != 0; ++number) {
      name = buffer->sourceName + "_" + std::to_string(number);
      if (taken.insert(name).second)
        break;
    }
    draft.sourceName = ir_.context().intern(buffer->sourceName);
    draft.name = ir_.context().intern(name);
  }
}

void KernelBuilder::sortParams() {
  llvm::stable_sort(
      params_, [](const ParamDraft &a, const ParamDraft &b) { return a.position < b.position; });
}

std::optional<size_t> KernelBuilder::removeParam(const Var *var, const BufferObject *buffer) {
  auto found = llvm::find_if(
      params_, [&](const ParamDraft &draft) { return draft.var == var && draft.buffer == buffer; });
  if (found == params_.end())
    return std::nullopt;
  size_t position = found->position;
  params_.erase(found);
  llvm::erase(buffers_, buffer);
  return position;
}

llvm::SmallVector<const BufferObject *> KernelBuilder::tensorParams() {
  sortParams();
  llvm::SmallVector<const BufferObject *> tensors;
  for (const ParamDraft &draft : params_)
    if (draft.buffer)
      tensors.push_back(draft.buffer);
  return tensors;
}

// A symbolic dimension is a parameter too, once, in the order in which shapes mention it.
void KernelBuilder::addSymbolicDimensions(llvm::SmallVectorImpl<Param> &params) {
  llvm::DenseSet<const Expr *> known;
  for (const ParamDraft &draft : params_)
    if (draft.var)
      known.insert(draft.var);
  auto addAll = [&](llvm::ArrayRef<const Expr *> extents) {
    for (const Expr *extent : extents)
      walk(extent, [&](const Expr *node) {
        const auto *var = llvm::dyn_cast<Var>(node);
        if (!var || !known.insert(var).second)
          return;
        Param param;
        param.var = var;
        params.push_back(param);
      });
  };
  for (const BufferObject *buffer : tensorParams()) {
    addAll(buffer->draft.shape);
    addAll(buffer->draft.strides);
  }
}

// A fragment that no tile operation and no T.Parallel touches is no tile: each thread has a whole
// one, and fills it with values of its own.
static void giveThreadsTheirOwn(Context &context, llvm::ArrayRef<BufferObject *> buffers,
                                const Stmt *body) {
  llvm::DenseSet<uint32_t> tiles;
  walk(body, [&](const Stmt *stmt) {
    if (!llvm::isa<OpStmt, Parallel>(stmt))
      return true;
    walk(stmt, [&](const Stmt *inner) {
      for (const BufferAccess &access : accessesOf(context, inner))
        tiles.insert(access.buffer.value);
      return true;
    });
    return false;
  });
  for (const BufferObject *buffer : buffers)
    if (buffer->draft.viewOf.isValid())
      tiles.insert(buffer->draft.viewOf.value);
  for (BufferObject *buffer : buffers)
    if (buffer->draft.scope == Scope::Fragment && !buffer->draft.layout &&
        !buffer->draft.viewOf.isValid() && !tiles.contains(buffer->draft.id.value))
      buffer->draft.scope = Scope::Local;
}

const Function *KernelBuilder::finish(Span span, llvm::ArrayRef<const BufferObject *> outputs) {
  nameAllBuffers();
  sortParams();
  Context &context = ir_.context();
  const Stmt *body = pop(span);
  giveThreadsTheirOwn(context, buffers_, body);
  llvm::SmallVector<Param, 8> params;
  for (const ParamDraft &draft : params_) {
    Param param;
    param.var = draft.var;
    if (draft.buffer) {
      param.buffer = draft.buffer->draft.id;
      param.isOutput = llvm::is_contained(outputs, draft.buffer);
    }
    params.push_back(param);
  }
  addSymbolicDimensions(params);
  llvm::SmallVector<const Buffer *> buffers;
  for (const BufferObject *buffer : buffers_)
    buffers.push_back(context.make<Buffer>(buffer->draft));
  Function function;
  function.name = context.intern(name_);
  function.params = context.copy<Param>(params);
  function.buffers = context.copy<const Buffer *>(buffers);
  function.body = body;
  llvm::SmallVector<llvm::StringRef> sources;
  for (const std::string &source : sources_)
    sources.push_back(context.intern(source));
  function.foreignSources = context.copy<llvm::StringRef>(sources);
  function.properties = PropertySet(Property::Tile);
  function.span = span;
  return context.make<Function>(function);
}

} // namespace tilescope::frontend
