#include "core/analysis/block_cases.h"

#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

namespace tilescope {

namespace {

constexpr size_t MaxBlocks = 1 << 12;
constexpr size_t MaxCases = 64;

} // namespace

void BlockCases::addLoop(uint32_t node, const For &loop) {
  if (launch_ && loop.forKind != ForKind::Endless && !mayEndEarly(loop))
    added_.push_back({node, loop.extent, true});
}

void BlockCases::addCondition(uint32_t node, const Expr *condition) {
  if (launch_)
    added_.push_back({node, condition, false});
}

void BlockCases::findVariables(const Expr *expr) {
  if (const auto *var = llvm::dyn_cast<Var>(expr)) {
    const Bind *bind = places_.bindOf(var);
    if (llvm::is_contained(launch_->blockVars, var))
      blockVars_.insert(var);
    else if (bind && !binds_.contains(bind)) {
      findVariables(bind->value);
      binds_.insert(bind);
    }
  }
  forEachChild(expr, [&](const Expr *part) { findVariables(part); });
}

// False: there are too many to try, or how many is not known.
bool BlockCases::bindBlocks() {
  llvm::SmallVector<int64_t> extents;
  for (const Var *var : blockVars_) {
    const auto *at = llvm::find(launch_->blockVars, var);
    std::optional<int64_t> extent =
        constantValue(launch_->gridExtents[static_cast<size_t>(at - launch_->blockVars.begin())]);
    if (!extent || *extent < 1 || static_cast<size_t>(*extent) > MaxBlocks / blocks_)
      return false;
    extents.push_back(*extent);
    blocks_ *= static_cast<size_t>(*extent);
  }
  int64_t stride = 1;
  for (auto [var, extent] : llvm::zip_equal(blockVars_, extents)) {
    Lanes values(blocks_);
    for (auto [block, value] : llvm::enumerate(values))
      value = static_cast<int64_t>(block) / stride % extent;
    lanes_.bind(var, std::move(values));
    stride *= extent;
  }
  for (const Bind *bind : binds_)
    lanes_.bind(bind->var, lanes_.evaluate(bind->value));
  return true;
}

std::vector<BlockCases::Varying> BlockCases::varying() {
  std::vector<Varying> found;
  for (const Added &added : added_) {
    Lanes values = lanes_.evaluate(added.expr);
    if (values.size() != blocks_)
      continue;
    for (int64_t &value : values)
      value = added.isLoop ? std::max<int64_t>(value, 0) : value != 0;
    found.push_back({added.node, std::move(values)});
  }
  return found;
}

void BlockCases::finish(AccessProgram &program) {
  for (const Added &added : added_)
    findVariables(added.expr);
  if (blockVars_.empty() || !bindBlocks())
    return;
  std::vector<Varying> nodes = varying();
  std::map<std::vector<int64_t>, size_t> cases; // what each node does; number
  for (size_t block = 0; block != blocks_ && !nodes.empty(); ++block) {
    std::vector<int64_t> numbers;
    numbers.reserve(nodes.size());
    for (const Varying &one : nodes)
      numbers.push_back(one.byBlock[block]);
    cases.try_emplace(std::move(numbers), cases.size());
    if (cases.size() > MaxCases)
      return;
  }
  program.cases = static_cast<int64_t>(cases.size());
  for (auto [at, one] : llvm::enumerate(nodes)) {
    AccessNode &node = program.nodes[one.node];
    node.byCase.resize(cases.size());
    for (const auto &[numbers, number] : cases)
      node.byCase[number] = numbers[at];
  }
}

} // namespace tilescope
