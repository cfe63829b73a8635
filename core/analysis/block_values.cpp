#include "core/analysis/block_values.h"

#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

constexpr size_t MaxBlocksApart = 1 << 12;
constexpr size_t MaxBlockLanes = 1 << 16; // blocks, each with the iterations that are told apart

void bindCounter(LaneArithmetic &arithmetic, const Var *var, size_t lanes, size_t inner,
                 size_t extent, int64_t first) {
  Lanes values(lanes);
  for (auto [lane, value] : llvm::enumerate(values))
    value = first + static_cast<int64_t>(lane / inner % extent);
  arithmetic.bind(var, std::move(values));
}

} // namespace

BlockValues::BlockValues(Context &context, const Function &function, const AccessTree &tree)
    : places_(computeStmtPlaces(context, function)), tree_(tree) {
  walk(function.body, [&](const Stmt *stmt) {
    launch_ = llvm::isa<Launch>(stmt) ? llvm::cast<Launch>(stmt) : launch_;
    return !launch_;
  });
  for (auto [node, source] : llvm::zip_equal(tree.program.nodes, tree.sources))
    if (const auto *loop = llvm::dyn_cast_if_present<For>(source.first);
        loop && node.kind == AccessNode::Kind::Loop && constantValue(loop->extent) &&
        constantValue(loop->min) && !mayEndEarly(*loop))
      fixed_[loop->var] = loop;
}

bool BlockValues::run() {
  for (const BlockNumber &number : tree_.numbers)
    findVariables(number.expr, blockVars_, nullptr);
  if (tree_.numbers.empty() || !countBlocks())
    return false;
  for (const BlockNumber &number : tree_.numbers)
    values_.push_back(evaluate(number.expr));
  return true;
}

std::vector<size_t> BlockValues::differentBlocks(size_t most) const {
  std::map<std::vector<int64_t>, size_t> first;
  std::vector<size_t> blocks;
  for (size_t block = 0; block != blocks_ && blocks.size() <= most; ++block) {
    std::vector<int64_t> row;
    for (const Values &values : values_)
      for (size_t at = 0; at != values.stride && !values.lanes.empty(); ++at)
        row.push_back(laneOf(values.lanes, block * values.stride + at));
    if (first.try_emplace(std::move(row), block).second)
      blocks.push_back(block);
  }
  return blocks;
}

std::optional<int64_t>
BlockValues::valueOf(size_t number, size_t block,
                     const llvm::DenseMap<const For *, int64_t> &iterations) const {
  const Values &values = values_[number];
  size_t lane = block;
  for (const For *loop : values.loops) {
    auto at = iterations.find(loop);
    if (at == iterations.end())
      return std::nullopt;
    lane =
        lane * static_cast<size_t>(*constantValue(loop->extent)) + static_cast<size_t>(at->second);
  }
  return values.lanes.empty() ? std::nullopt : std::optional(laneOf(values.lanes, lane));
}

// Of the block, and if asked of loops of constant length, through what is bound.
void BlockValues::findVariables(const Expr *expr, Variables &ofBlock, Variables *ofLoops) {
  walk(expr, [&](const Expr *part) {
    const auto *var = llvm::dyn_cast<Var>(part);
    if (var && llvm::is_contained(launch_->blockVars, var))
      ofBlock.insert(var);
    else if (var && ofLoops && fixed_.contains(var))
      ofLoops->insert(var);
    else if (const Bind *bind = var ? places_.bindOf(var) : nullptr)
      findVariables(bind->value, ofBlock, ofLoops);
  });
}

bool BlockValues::countBlocks() {
  for (const Var *var : blockVars_) {
    const auto *at = llvm::find(launch_->blockVars, var);
    auto axis = static_cast<size_t>(at - launch_->blockVars.begin());
    std::optional<int64_t> extent = constantValue(launch_->gridExtents[axis]);
    if (!extent || *extent < 1 || static_cast<size_t>(*extent) > MaxBlocksApart / blocks_)
      return false;
    blockExtents_.push_back(*extent);
    blocks_ *= static_cast<size_t>(*extent);
  }
  return true;
}

BlockValues::Values BlockValues::evaluate(const Expr *expr) {
  Variables ofBlock, ofLoops;
  findVariables(expr, ofBlock, &ofLoops);
  Values values;
  for (const Var *var : ofLoops)
    values.loops.push_back(fixed_.lookup(var));
  Domain &domain = domainOf(values.loops);
  if (domain.lanes == 0)
    return {};
  values.stride = domain.lanes / blocks_;
  bindAll(expr, domain);
  values.lanes = domain.arithmetic.evaluate(expr);
  if (!values.lanes.empty())
    apart_.insert(values.loops.begin(), values.loops.end());
  return values;
}

BlockValues::Domain &BlockValues::domainOf(const LoopChain &loops) {
  auto [known, isNew] = domains_.try_emplace(loops);
  Domain &domain = known->second;
  if (!isNew)
    return domain;
  auto extentOf = [](const For *loop) { return *constantValue(loop->extent); };
  size_t lanes = blocks_;
  for (const For *loop : loops) {
    if (extentOf(loop) < 1 || static_cast<size_t>(extentOf(loop)) > MaxBlockLanes / lanes)
      return domain;
    lanes *= static_cast<size_t>(extentOf(loop));
  }
  domain.lanes = lanes;
  size_t inner = 1;
  for (const For *loop : llvm::reverse(loops)) {
    auto extent = static_cast<size_t>(extentOf(loop));
    bindCounter(domain.arithmetic, loop->var, lanes, inner, extent, *constantValue(loop->min));
    inner *= extent;
  }
  for (auto [var, extent] : llvm::zip_equal(blockVars_, blockExtents_)) {
    bindCounter(domain.arithmetic, var, lanes, inner, static_cast<size_t>(extent), 0);
    inner *= static_cast<size_t>(extent);
  }
  return domain;
}

// In the order in which names use each other.
void BlockValues::bindAll(const Expr *expr, Domain &domain) {
  walk(expr, [&](const Expr *part) {
    const auto *var = llvm::dyn_cast<Var>(part);
    const Bind *bind = var ? places_.bindOf(var) : nullptr;
    if (!bind || !domain.bound.insert(bind).second)
      return;
    bindAll(bind->value, domain);
    domain.arithmetic.bind(var, domain.arithmetic.evaluate(bind->value));
  });
}

} // namespace tilescope
