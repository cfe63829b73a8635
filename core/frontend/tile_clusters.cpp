// Clusters of blocks: what a launch asks for, and where a block stands in its own.
#include "core/frontend/clusters.h"
#include "core/frontend/expr_operators.h"
#include "core/ir/cluster_size.h"
#include "core/ir/op_facts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tilescope::frontend {

static bool isTarget(const Args &args, const llvm::Twine &what, Span span) {
  const Target *device = args.evaluation.device;
  if (!device || device->hasClusters())
    return true;
  args.evaluation.fail(DiagId::NotOnTarget, span, what.str(), "sm_90", device->name);
  return false;
}

bool requireClusters(const Args &args) { return isTarget(args, args.callee(), args.span); }

Value emitOfCluster(Args &args, Op op, llvm::ArrayRef<std::pair<Attr, int64_t>> attrs) {
  Evaluation &evaluation = args.evaluation;
  KernelBuilder *kernel = evaluation.requireLaunch(args.callee(), args.span);
  if (!kernel || !requireClusters(args))
    return Value();
  kernel->emit(evaluation.ir.op(evaluation.ir.fresh(args.span), op, {}, {}, attrs));
  return Value::none();
}

// An int, or up to three; absent axes are 1.
static std::optional<llvm::SmallVector<int64_t, 3>> readDims(Args &args) {
  Value dims = args["cluster_dims"];
  llvm::SmallVector<Value, 3> sizes;
  if (const Values *listed = sequenceItems(dims))
    sizes.assign(listed->begin(), listed->end());
  else
    sizes.push_back(dims);
  llvm::SmallVector<int64_t, 3> cluster;
  for (const Value &size : sizes)
    if (size.isIntegral())
      cluster.push_back(size.asInt());
  if (cluster.size() != sizes.size() || cluster.empty() || cluster.size() > 3) {
    args.wrongType("cluster_dims", "an integer or up to three of them");
    return std::nullopt;
  }
  cluster.resize(3, 1);
  return cluster;
}

bool readCluster(Args &args, LaunchObject &launch) {
  if (!args.has("cluster_dims"))
    return true;
  std::optional<llvm::SmallVector<int64_t, 3>> cluster = readDims(args);
  if (!cluster)
    return false;
  Span span = args.spanOf("cluster_dims");
  int64_t blocks = blocksOfCluster(*cluster);
  if (blocks < 1 || blocks > MaxBlocksOfCluster) {
    args.evaluation.fail(
        DiagId::ClusterSize, span,
        llvm::join(llvm::map_range(*cluster, [](int64_t extent) { return std::to_string(extent); }),
                   " x "),
        MaxBlocksOfCluster);
    return false;
  }
  if (blocks == 1)
    return true;
  if (!isTarget(args, "'cluster_dims' of " + args.callee(), span))
    return false;
  for (auto [axis, extent] : llvm::enumerate(*cluster)) {
    bool isThere = axis < launch.gridExtents.size();
    std::optional<int64_t> along = isThere ? constantValue(launch.gridExtents[axis]) : 1;
    if (!along || *along % extent == 0)
      continue;
    args.evaluation.fail(DiagId::ClusterGrid, span, *along, extent);
    return false;
  }
  launch.cluster = std::move(*cluster);
  return true;
}

// Along an axis; 1 without clusters.
static int64_t clusterAlong(const KernelBuilder::OpenLaunch &launch, size_t axis) {
  return axis < launch.cluster.size() ? launch.cluster[axis] : 1;
}

static Value divided(Args &args, const Expr *value, BinaryOp op, int64_t by) {
  return by == 1 ? Value::expr(value)
                 : binaryOf(args.evaluation, op, Value::expr(value), Value::integer(by), args.span);
}

// %cluster_ctarank: x counts fastest.
Value tileBlockRank(Args &args) {
  KernelBuilder *kernel = args.evaluation.requireLaunch(args.callee(), args.span);
  if (!kernel || !requireClusters(args))
    return Value();
  const KernelBuilder::OpenLaunch &launch = *kernel->launch();
  Value rank = Value::integer(0);
  int64_t below = 1;
  for (auto [axis, block] : llvm::enumerate(launch.blockVars)) {
    int64_t extent = clusterAlong(launch, axis);
    if (extent == 1)
      continue;
    Value place = divided(args, block, BinaryOp::FloorMod, extent);
    if (below != 1)
      place = binaryOf(args.evaluation, BinaryOp::Mul, place, Value::integer(below), args.span);
    rank = below == 1 ? place : binaryOf(args.evaluation, BinaryOp::Add, rank, place, args.span);
    below *= extent;
  }
  return rank;
}

static Value clusterId(Args &args, const KernelBuilder::OpenLaunch &launch, size_t axis) {
  if (axis >= launch.blockVars.size())
    return Value::integer(0);
  return divided(args, launch.blockVars[axis], BinaryOp::FloorDiv, clusterAlong(launch, axis));
}

static Value clusterExtent(Args &args, const KernelBuilder::OpenLaunch &launch, size_t axis) {
  if (axis >= launch.gridExtents.size())
    return Value::integer(1);
  const Expr *blocks = launch.gridExtents[axis];
  int64_t extent = clusterAlong(launch, axis);
  if (std::optional<int64_t> constant = constantValue(blocks))
    return Value::integer(*constant / extent);
  return divided(args, blocks, BinaryOp::FloorDiv, extent);
}

Value tileClusterDims(Args &args) {
  KernelBuilder *kernel = args.evaluation.requireLaunch(args.callee(), args.span);
  if (!kernel)
    return Value();
  Values dims;
  for (size_t axis = 0; axis != 3; ++axis)
    dims.push_back(Value::integer(clusterAlong(*kernel->launch(), axis)));
  return args.evaluation.heap.list(std::move(dims));
}

Value tileClusterSize(Args &args) {
  KernelBuilder *kernel = args.evaluation.requireLaunch(args.callee(), args.span);
  if (!kernel)
    return Value();
  return Value::integer(blocksOfCluster(kernel->launch()->cluster));
}

Value tileClusterId(Args &args) {
  std::optional<size_t> axis = launchAxis(args);
  return axis ? clusterId(args, *args.evaluation.kernel->launch(), *axis) : Value();
}

// Along each axis of the grid.
Value tileClusterIds(Args &args) {
  KernelBuilder *kernel = args.evaluation.requireLaunch(args.callee(), args.span);
  if (!kernel)
    return Value();
  Values ids;
  for (size_t axis = 0; axis != kernel->launch()->blockVars.size(); ++axis)
    ids.push_back(clusterId(args, *kernel->launch(), axis));
  return args.evaluation.heap.list(std::move(ids));
}

Value tileClusterExtent(Args &args) {
  std::optional<size_t> axis = launchAxis(args);
  return axis ? clusterExtent(args, *args.evaluation.kernel->launch(), *axis) : Value();
}

Value tileClusterExtents(Args &args) {
  KernelBuilder *kernel = args.evaluation.requireLaunch(args.callee(), args.span);
  if (!kernel)
    return Value();
  Values extents;
  for (size_t axis = 0; axis != 3; ++axis)
    extents.push_back(clusterExtent(args, *kernel->launch(), axis));
  return args.evaluation.heap.list(std::move(extents));
}

static bool holdsReach(const Stmt *stmt) {
  bool isFound = false;
  walk(stmt, [&](const Stmt *part) {
    const auto *op = llvm::dyn_cast<OpStmt>(part);
    isFound |= op && reachesBlocks(*op);
    return !isFound;
  });
  return isFound;
}

static bool beginsMbarrier(const OpInfo &info) {
  return llvm::any_of(info.operands, [](const OperandInfo &operand) {
    return operand.isMbarrier && operand.effect == Effect::Write;
  });
}

const Stmt *meetAroundReaches(Evaluation &evaluation, const Stmt *body) {
  if (!holdsReach(body))
    return body;
  Builder &ir = evaluation.ir;
  const auto *seq = llvm::dyn_cast<Seq>(body);
  llvm::SmallVector<const Stmt *> stmts;
  bool hasBegun = false, hasMet = false;
  size_t behindBegin = 0;
  auto meetAt = [&](size_t place, Span span) {
    stmts.insert(stmts.begin() + place, ir.op(ir.fresh(span), Op::ClusterBarrier, {}));
  };
  for (const Stmt *stmt : seq ? seq->stmts : StmtList(body)) {
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    hasMet = op && op->opInfo().isOfCluster && op->opInfo().sync != OpSync::ClusterArrive;
    bool isBegin = op && beginsMbarrier(op->opInfo());
    hasBegun = !hasMet && (hasBegun || isBegin);
    if (hasBegun && holdsReach(stmt)) {
      meetAt(behindBegin, stmt->span());
      hasBegun = false;
    }
    stmts.push_back(stmt);
    behindBegin = isBegin ? stmts.size() : behindBegin;
  }
  if (!hasMet)
    meetAt(stmts.size(), body->span());
  return ir.seq(ir.fresh(body->span()), stmts);
}

} // namespace tilescope::frontend
