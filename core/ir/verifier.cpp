#include "core/ir/verifier.h"

#include "core/ir/cluster_size.h"
#include "core/ir/shared_alignment.h"
#include "core/ir/verify_expr.h"
#include "core/ir/verify_roles.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

#include <set>

namespace tilescope {

namespace {

int64_t mostThreadsOf(const Function &function) {
  int64_t threads = 0;
  if (!function.body) // which is reported
    return threads;
  walk(function.body, [&](const Stmt *stmt) {
    if (const auto *launch = llvm::dyn_cast<Launch>(stmt))
      threads = std::max(threads, launch->threads);
    return !llvm::isa<Launch>(stmt);
  });
  return threads;
}

class FunctionVerifier {
public:
  FunctionVerifier(const Function &function, std::set<StmtId> &stmtIds, Diagnostics &diagnostics)
      : function_(function), stmtIds_(stmtIds), diagnostics_(diagnostics),
        exprs_(function, diagnostics), threads_(mostThreadsOf(function)) {}

  void verify();

private:
  template <typename... Args> void fail(Span span, DiagId id, Args &&...args) {
    diagnostics_.report(id, span, std::forward<Args>(args)...);
  }

  void verifyParams();
  void verifyBuffer(const Buffer &buffer);
  void verifyFragmentLayout(const Buffer &buffer);
  void verifyThreads(Span span, const Layout &layout, const std::string &owner);
  void verifyPlacement(const Buffer &buffer);
  void verifyStmt(const Stmt *stmt);
  void verifyChildren(const Stmt *stmt);
  void verifyBreak(const Stmt *stmt);
  void verifyParts(const Stmt *stmt);
  void verifySeq(const Seq *seq);
  void verifyFor(const For *loop);
  void verifyPipeline(const For *loop, const Pipeline &pipeline);
  void verifyParallel(const Parallel *parallel);
  void verifyStore(const Store *store);
  void verifyOp(const OpStmt *op);
  void verifyOpLevel(const OpStmt *op);
  void verifyLaunch(const Launch *launch);
  void verifyCluster(const Launch &launch);
  void verifyMasks(const Launch &launch);
  void requireTileLevel(const Stmt *stmt, llvm::StringRef what);

  const Function &function_;
  std::set<StmtId> &stmtIds_;
  Diagnostics &diagnostics_;
  ExprVerifier exprs_;
  bool isInLaunch_ = false;
  bool isInLoop_ = false; // that a Break could end
  int64_t threads_;       // of the largest launch, which a fragment may belong to; 0: there is none
};

void FunctionVerifier::verify() {
  verifyParams();
  for (auto [index, buffer] : llvm::enumerate(function_.buffers)) {
    if (index != 0 && buffer->id <= function_.buffers[index - 1]->id)
      fail(buffer->span, DiagId::BufferOrder, buffer->name, buffer->id.value, function_.name);
    verifyBuffer(*buffer);
  }
  if (!function_.body) {
    fail(function_.span, DiagId::MissingBody, function_.name);
    return;
  }
  if (function_.functionKind == FunctionKind::Device && !llvm::isa<Launch>(function_.body))
    fail(function_.span, DiagId::DeviceBody, function_.name);
  verifyStmt(function_.body);
  verifyRoles(function_, diagnostics_);
}

// ---- Declarations -------------------------------------------------------------------------------

void FunctionVerifier::verifyParams() {
  exprs_.setSpan(function_.span);
  for (const Param &param : function_.params) {
    if (param.var) {
      exprs_.bind(param.var);
      continue;
    }
    const Buffer *buffer = function_.findBuffer(param.buffer);
    if (!buffer)
      fail(function_.span, DiagId::UndeclaredBuffer, param.buffer.value, function_.name);
    else if (buffer->scope != Scope::Global)
      fail(buffer->span, DiagId::ParamScope, buffer->name, nameOf(buffer->scope));
  }
}

void FunctionVerifier::verifyBuffer(const Buffer &buffer) {
  exprs_.setSpan(buffer.span);
  for (const Expr *extent : buffer.shape) {
    exprs_.checkInteger(extent, "an extent");
    if (std::optional<int64_t> value = constantValue(extent); value && *value < 0)
      fail(buffer.span, DiagId::BufferExtent, buffer.name, *value);
  }
  for (const Expr *stride : buffer.strides)
    exprs_.checkInteger(stride, "a stride");
  if (!buffer.strides.empty() && buffer.strides.size() != buffer.shape.size())
    fail(buffer.span, DiagId::BufferStrides, buffer.name, buffer.strides.size(),
         buffer.shape.size());
  verifyPlacement(buffer);
}

// Where the buffer may begin, and far below what 64-bit sums of offset and size can hold.
static bool isArenaOffset(const Buffer &buffer, int64_t bytes) {
  return bytes >= 0 && bytes % alignmentBytes(buffer) == 0 && bytes < int64_t(1) << 40;
}

// A region holds a buffer, and there are fewer buffers than this.
static bool isLaunchRegion(int64_t region) { return region >= 0 && region < int64_t(1) << 20; }

void FunctionVerifier::verifyPlacement(const Buffer &buffer) {
  if (buffer.versions < 1 || (buffer.versions > 1 && buffer.scope == Scope::Global))
    fail(buffer.span, DiagId::BufferVersions, buffer.name, nameOf(buffer.scope), buffer.versions);
  if (buffer.offsetBytes &&
      (buffer.scope != Scope::Shared || !isArenaOffset(buffer, *buffer.offsetBytes)))
    fail(buffer.span, DiagId::BufferOffset, buffer.name, nameOf(buffer.scope), *buffer.offsetBytes);
  bool isSizedAtLaunch = buffer.scope == Scope::Shared && !versionBytes(buffer);
  if (buffer.launchRegion && (!isSizedAtLaunch || !isLaunchRegion(*buffer.launchRegion)))
    fail(buffer.span, DiagId::BufferLaunchRegion, buffer.name, *buffer.launchRegion);
  bool isPlaced =
      isSizedAtLaunch ? buffer.launchRegion.has_value() : buffer.offsetBytes.has_value();
  if (buffer.scope == Scope::Shared && !isPlaced &&
      function_.properties.has(Property::ArenaPlanned))
    fail(buffer.span, DiagId::BufferUnplanned, buffer.name, nameOf(Property::ArenaPlanned));
  if (!buffer.layout)
    return;
  bool isRegisters = buffer.scope == Scope::Fragment || buffer.scope == Scope::Local;
  bool fits = false;
  switch (buffer.layout->kind) {
  case LayoutKind::Fragment:
    fits = isRegisters;
    break;
  case LayoutKind::Swizzle:
    fits = isShared(buffer.scope) && buffer.shape.size() >= 2;
    break;
  case LayoutKind::RowMajor:
    fits = buffer.scope != Scope::Fragment;
    break;
  case LayoutKind::Permuted: {
    std::optional<llvm::SmallVector<int64_t>> shape = constantShape(buffer);
    fits = (buffer.scope == Scope::Global || isShared(buffer.scope)) && buffer.strides.empty() &&
           shape && isPermutation(buffer.layout->dims, *shape);
    break;
  }
  }
  if (!fits)
    fail(buffer.span, DiagId::BufferLayout, buffer.name, nameOf(buffer.scope),
         toString(*buffer.layout));
  if (buffer.layout->isFragment())
    verifyThreads(buffer.span, *buffer.layout, "'" + buffer.name.str() + "'");
  // A lowered fragment keeps the layout of the tile that it was.
  if (buffer.scope == Scope::Fragment && buffer.layout->isFragment())
    verifyFragmentLayout(buffer);
}

void FunctionVerifier::verifyFragmentLayout(const Buffer &buffer) {
  llvm::ArrayRef<llvm::ArrayRef<Digit>> dims = buffer.layout->dims;
  if (dims.size() != buffer.shape.size()) {
    fail(buffer.span, DiagId::FragmentRank, buffer.name, buffer.shape.size(), dims.size());
    return;
  }
  for (auto [axis, digits, extent] : llvm::enumerate(dims, buffer.shape)) {
    int64_t placed = 1;
    for (const Digit &digit : digits)
      placed *= digit.extent;
    if (std::optional<int64_t> elements = constantValue(extent); elements && *elements > placed)
      fail(buffer.span, DiagId::FragmentExtent, buffer.name, axis, *elements, placed);
  }
}

// Fewer may hold something; none that does not run can.
void FunctionVerifier::verifyThreads(Span span, const Layout &layout, const std::string &owner) {
  if (threads_ > 0 && layout.threadCount() > threads_)
    fail(span, DiagId::FragmentThreads, owner, toString(layout), layout.threadCount(), threads_);
}

// ---- Statements ---------------------------------------------------------------------------------

void FunctionVerifier::verifyStmt(const Stmt *stmt) {
  if (!stmt->id().isValid())
    fail(stmt->span(), DiagId::StatementWithoutId);
  else if (!stmtIds_.insert(stmt->id()).second)
    fail(stmt->span(), DiagId::StatementTwice, stmt->id().value);
  exprs_.setSpan(stmt->span());
  verifyParts(stmt);
  llvm::SmallVector<const Var *> bound = varsBoundBy(stmt);
  for (const Var *var : bound)
    exprs_.bind(var);
  verifyChildren(stmt);
  // What a bind defines holds to the end of its sequence.
  if (!llvm::isa<Bind>(stmt))
    for (const Var *var : bound)
      exprs_.unbind(var);
}

void FunctionVerifier::verifyBreak(const Stmt *stmt) {
  if (!isInLoop_)
    fail(stmt->span(), DiagId::BreakOutsideLoop);
}

void FunctionVerifier::verifyChildren(const Stmt *stmt) {
  bool divides = llvm::isa<For, Parallel, Launch>(stmt);
  llvm::SaveAndRestore inLoop(isInLoop_, divides ? llvm::isa<For>(stmt) : isInLoop_);
  bool wasInLaunch = std::exchange(isInLaunch_, isInLaunch_ || llvm::isa<Launch>(stmt));
  forEachChild(stmt, [&](const Stmt *child) { verifyStmt(child); });
  isInLaunch_ = wasInLaunch;
  forEachChild(stmt, [&](const Stmt *child) {
    if (const auto *bind = llvm::dyn_cast<Bind>(child))
      exprs_.unbind(bind->var);
  });
}

void FunctionVerifier::verifyParts(const Stmt *stmt) {
  switch (stmt->kind()) {
  case StmtKind::Seq:
    return verifySeq(llvm::cast<Seq>(stmt));
  case StmtKind::For:
    return verifyFor(llvm::cast<For>(stmt));
  case StmtKind::Parallel:
    return verifyParallel(llvm::cast<Parallel>(stmt));
  case StmtKind::If:
  case StmtKind::Role:
    return exprs_.checkType(llvm::cast<If>(stmt)->condition, DType::boolean(), "a condition");
  case StmtKind::Break:
    return verifyBreak(stmt);
  case StmtKind::Bind: {
    const auto *bind = llvm::cast<Bind>(stmt);
    return exprs_.checkType(bind->value, bind->var->dtype(),
                            "the value of '" + bind->var->name.str() + "'");
  }
  case StmtKind::Store:
    return verifyStore(llvm::cast<Store>(stmt));
  case StmtKind::Op:
    return verifyOp(llvm::cast<OpStmt>(stmt));
  case StmtKind::Launch:
    return verifyLaunch(llvm::cast<Launch>(stmt));
  }
}

void FunctionVerifier::verifySeq(const Seq *seq) {
  if (llvm::any_of(seq->stmts, [](const Stmt *child) { return llvm::isa<Seq>(child); }))
    fail(seq->span(), DiagId::NestedSequence, seq->id().value);
}

void FunctionVerifier::verifyFor(const For *loop) {
  exprs_.checkType(loop->min, loop->var->dtype(), "the start of a loop");
  exprs_.checkType(loop->extent, loop->var->dtype(), "the extent of a loop");
  if (!loop->var->dtype().isInteger())
    fail(loop->span(), DiagId::ExprNoInteger, "a loop variable", loop->var->dtype().name());
  if (loop->forKind == ForKind::Vectorized && (!constantValue(loop->extent) || mayEndEarly(*loop)))
    fail(loop->span(), DiagId::VectorizedExtent);
  if (loop->forKind == ForKind::Pipelined) {
    requireTileLevel(loop, "T.Pipelined");
    if (function_.properties.has(Property::Pipelined) || !loop->pipeline)
      fail(loop->span(), DiagId::PipelinedLoop, nameOf(Property::Pipelined));
  }
  if (loop->pipeline)
    verifyPipeline(loop, *loop->pipeline);
}

void FunctionVerifier::verifyPipeline(const For *loop, const Pipeline &pipeline) {
  std::set<StmtId> children;
  if (const auto *seq = llvm::dyn_cast<Seq>(loop->body))
    for (const Stmt *child : seq->stmts)
      children.insert(child->id());
  else
    children.insert(loop->body->id());
  for (const ScheduledStmt &scheduled : pipeline.schedule)
    if (children.erase(scheduled.stmt) == 0)
      fail(loop->span(), DiagId::ScheduledStatement, scheduled.stmt.value);
  for (const VersionCount &count : pipeline.versions) {
    const Buffer *buffer = function_.findBuffer(count.buffer);
    if (!buffer)
      fail(loop->span(), DiagId::UndeclaredBuffer, count.buffer.value, function_.name);
    // Before inject-pipeline the table does not know of versions.
    else if (count.versions < 1 || (pipeline.injected && count.versions > buffer->versions))
      fail(loop->span(), DiagId::LoopVersions, count.versions, buffer->name, buffer->versions);
  }
}

void FunctionVerifier::verifyParallel(const Parallel *parallel) {
  requireTileLevel(parallel, "T.Parallel");
  for (const Expr *extent : llvm::concat<const Expr *const>(parallel->extents, parallel->written))
    exprs_.checkInteger(extent, "an extent");
  if (parallel->vars.empty() || parallel->vars.size() != parallel->extents.size()) {
    fail(parallel->span(), DiagId::ParallelShape, parallel->vars.size(), parallel->extents.size());
    return;
  }
  walk(parallel->body, [&](const Stmt *stmt) {
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    bool isTileOp = op && levelOf(op->op) == OpLevel::Tile;
    if (isTileOp || llvm::isa<Parallel>(stmt))
      fail(stmt->span(), DiagId::InsideParallel,
           isTileOp ? "'" + nameOf(op->op).str() + "'" : "another T.Parallel");
    return !llvm::isa<Parallel>(stmt);
  });
  for (auto [var, extent] : llvm::zip(parallel->vars, parallel->extents))
    if (var->dtype() != extent->dtype())
      fail(parallel->span(), DiagId::ExprType, "an extent", extent->dtype().name(),
           var->dtype().name());
  if (parallel->layout && (!parallel->layout->isFragment() ||
                           parallel->layout->dims.size() != parallel->extents.size()))
    fail(parallel->span(), DiagId::ParallelLayout, toString(*parallel->layout),
         parallel->extents.size());
  else if (parallel->layout)
    verifyThreads(parallel->span(), *parallel->layout, "a T.Parallel");
}

void FunctionVerifier::verifyStore(const Store *store) {
  for (const Expr *index : store->indices)
    exprs_.check(index);
  if (store->slot)
    exprs_.check(store->slot);
  exprs_.checkElement(store->buffer, store->slot, store->indices);
  if (const Buffer *buffer = function_.findBuffer(store->buffer))
    exprs_.checkType(store->value, buffer->dtype,
                     "the value stored to '" + buffer->name.str() + "'");
}

void FunctionVerifier::requireTileLevel(const Stmt *stmt, llvm::StringRef what) {
  if (function_.properties.has(Property::Lowered))
    fail(stmt->span(), DiagId::IllegalAtLevel, what, nameOf(Property::Lowered));
}

void FunctionVerifier::verifyOpLevel(const OpStmt *op) {
  std::string name = ("T." + nameOf(op->op)).str();
  if (levelOf(op->op) == OpLevel::Tile)
    requireTileLevel(op, name);
  if (levelOf(op->op) == OpLevel::Device && function_.properties.has(Property::Tile))
    fail(op->span(), DiagId::IllegalAtLevel, name, nameOf(Property::Tile));
}

// As many operands, arguments and attributes as are declared.
static bool hasItsParts(const OpStmt &op) {
  const OpInfo &info = op.opInfo();
  if (op.attrs.size() != info.attrs.size())
    return false;
  if (!info.isVariadic)
    return op.regions.size() == info.operands.size() && op.args.size() == info.args.size();
  llvm::StringRef letters = signatureOf(op);
  auto isOperand = [](char letter) { return SignatureOperands.contains(letter); };
  auto isArg = [](char letter) { return SignatureArgs.contains(letter); };
  auto operands = static_cast<size_t>(llvm::count_if(letters, isOperand));
  auto args = static_cast<size_t>(llvm::count_if(letters, isArg));
  return operands == op.regions.size() && args == op.args.size() &&
         operands + args == letters.size();
}

void FunctionVerifier::verifyOp(const OpStmt *op) {
  verifyOpLevel(op);
  const OpInfo &info = op->opInfo();
  if (!hasItsParts(*op)) {
    fail(op->span(), DiagId::OpParts, nameOf(op->op), op->regions.size(), op->args.size(),
         op->attrs.size());
    return;
  }
  bool fits = true;
  for (const BufferRegion &region : op->regions)
    fits &= exprs_.checkRegion(region);
  for (auto [index, arg] : llvm::enumerate(op->args)) {
    bool isOptional = !info.isVariadic && info.args[index].optional;
    if (arg || !isOptional)
      exprs_.check(arg);
    fits &= arg || isOptional;
  }
  for (auto [declared, value] : llvm::zip(info.attrs, op->attrs)) {
    auto limit = static_cast<int64_t>(declared.type == AttrType::Bool ? 2 : declared.names.size());
    bool isFree = declared.type == AttrType::Int || declared.type == AttrType::Text;
    if (isFree || (value >= 0 && value < limit))
      continue;
    fail(op->span(), DiagId::AttributeValue, nameOf(declared.attr), nameOf(op->op), value,
         "below " + std::to_string(limit));
    fits = false;
  }
  if (fits && info.verify)
    info.verify(*op, function_, diagnostics_);
}

void FunctionVerifier::verifyCluster(const Launch &launch) {
  if (launch.cluster.empty())
    return;
  int64_t blocks = launch.cluster.size() == 3 ? blocksOfCluster(launch.cluster) : 0;
  if (blocks < 2 || blocks > MaxBlocksOfCluster)
    return fail(launch.span(), DiagId::LaunchCluster, MaxBlocksOfCluster);
  for (auto [axis, extent] : llvm::enumerate(launch.cluster)) {
    bool isThere = axis < launch.gridExtents.size();
    std::optional<int64_t> blocksAlong = isThere ? constantValue(launch.gridExtents[axis]) : 1;
    if (blocksAlong && *blocksAlong % extent != 0)
      fail(launch.span(), DiagId::ClusterGrid, *blocksAlong, extent);
  }
  if (launch.raster.panelSize != 0)
    fail(launch.span(), DiagId::ClusterRaster);
}

// Blocks that a copy goes to are there.
void FunctionVerifier::verifyMasks(const Launch &launch) {
  int64_t blocks = 1;
  for (int64_t extent : launch.cluster)
    blocks = std::min(blocks * std::max<int64_t>(extent, 1), MaxBlocksOfCluster);
  walk(launch.body, [&](const Stmt *stmt) {
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    int64_t mask = op && op->opInfo().has(Attr::ClusterMask) ? op->attr(Attr::ClusterMask) : 0;
    if (mask < 0 || mask >> blocks != 0)
      fail(op->span(), DiagId::ClusterMask, mask, blocks);
    return true;
  });
}

void FunctionVerifier::verifyLaunch(const Launch *launch) {
  if (isInLaunch_)
    fail(launch->span(), DiagId::NestedLaunch);
  size_t dimensions = launch->blockVars.size();
  if (dimensions < 1 || dimensions > 3 || dimensions != launch->gridExtents.size())
    fail(launch->span(), DiagId::LaunchGrid, dimensions, launch->gridExtents.size());
  if (launch->threads < 1 || launch->threads > MaxThreadsOfBlock)
    fail(launch->span(), DiagId::LaunchThreads, launch->threads, MaxThreadsOfBlock);
  if (launch->minBlocks < 0 || launch->minBlocks > MaxBlocksOfMultiprocessor)
    fail(launch->span(), DiagId::LaunchMinBlocks, launch->minBlocks, MaxBlocksOfMultiprocessor);
  for (const Expr *extent : launch->gridExtents)
    exprs_.checkInteger(extent, "an extent");
  for (auto [var, extent] : llvm::zip(launch->blockVars, launch->gridExtents))
    if (var->dtype() != extent->dtype())
      fail(launch->span(), DiagId::ExprType, "an extent", extent->dtype().name(),
           var->dtype().name());
  verifyCluster(*launch);
  verifyMasks(*launch);
  // Of every GPU that CUDA knows.
  constexpr int64_t MaxGridExtent[] = {2147483647, 65535, 65535};
  constexpr llvm::StringRef AxisNames[] = {"x", "y", "z"};
  for (size_t axis = 0; axis < std::min<size_t>(launch->gridExtents.size(), 3); ++axis) {
    const auto *extent = llvm::dyn_cast<IntImm>(launch->gridExtents[axis]);
    if (extent && extent->value > MaxGridExtent[axis])
      fail(launch->span(), DiagId::LaunchExtent, extent->value, AxisNames[axis],
           MaxGridExtent[axis]);
  }
}

} // namespace

bool verifyModule(const Module &module, Diagnostics &diagnostics) {
  unsigned errorsBefore = diagnostics.errorCount();
  std::set<StmtId> stmtIds;
  for (const Function *function : module.functions)
    FunctionVerifier(*function, stmtIds, diagnostics).verify();
  return diagnostics.errorCount() == errorsBefore;
}

} // namespace tilescope
