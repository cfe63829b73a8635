#include "core/analysis/block_runs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

#include <map>

namespace tilescope {

namespace {

constexpr int64_t MaxRuns = 1 << 14; // about a microsecond each

llvm::SmallSetVector<uint32_t, 4> symbolsOf(Affine value) {
  llvm::SmallSetVector<uint32_t, 4> symbols;
  forEachSymbol(value, [&](SymbolId symbol) { symbols.insert(symbol.value); });
  return symbols;
}

} // namespace

// What is said of blocks; that of few variables first, as others may be of too many iterations.
std::vector<Affine> BlockRuns::candidatesOf(llvm::ArrayRef<CommonValues> values) const {
  std::vector<Affine> candidates;
  for (const CommonValues &one : values)
    if (llvm::all_equal(one) && llvm::any_of(symbolsOf(one.front()), [&](uint32_t symbol) {
          const auto *var = llvm::dyn_cast_or_null<Var>(affine_.exprOf(SymbolId(symbol)));
          return var && llvm::is_contained(untold_, var);
        }))
      candidates.push_back(one.front());
  llvm::stable_sort(candidates,
                    [](Affine a, Affine b) { return symbolsOf(a).size() < symbolsOf(b).size(); });
  return candidates;
}

bool BlockRuns::areTold(llvm::ArrayRef<CommonValues> all) {
  for (const Var *block : launch_.blockVars)
    if (!addVariable(block))
      return false;
  llvm::SmallVector<Affine, 4> values;
  for (Affine value : candidatesOf(all))
    if (addVariablesOf(value))
      values.push_back(value);
  if (values.empty())
    return false;
  std::map<std::vector<int64_t>, std::vector<int64_t>> blocks; // by what is common
  for (int64_t number = 0; number != count(); ++number) {
    std::optional<Run> made = run(number, values);
    if (!made ||
        blocks.try_emplace(std::move(made->common), made->block).first->second != made->block)
      return false;
  }
  return true;
}

// False: it is not known how often, or that would be too often.
bool BlockRuns::addVariable(const Var *var) {
  AffineBounds bounds = affine_.arithmetic().bounds(affine_.convert(var), affine_.ranges());
  if (!bounds.lower || !bounds.upper || *bounds.lower > *bounds.upper ||
      *bounds.upper - *bounds.lower >= MaxRuns)
    return false;
  variables_.push_back({var, *bounds.lower, *bounds.upper});
  return count() <= MaxRuns;
}

// Which thread it is would be too many.
bool BlockRuns::addVariablesOf(Affine value) {
  size_t before = variables_.size();
  bool isKnown = llvm::all_of(symbolsOf(value), [&](uint32_t symbol) {
    const auto *var = llvm::dyn_cast_or_null<Var>(affine_.exprOf(SymbolId(symbol)));
    return var && var != launch_.threadVar &&
           (llvm::any_of(variables_, [&](const Variable &one) { return one.var == var; }) ||
            (inside_.contains(var) && addVariable(var)));
  });
  if (!isKnown)
    variables_.truncate(before);
  return isKnown;
}

int64_t BlockRuns::count() const {
  int64_t count = 1;
  for (const Variable &one : variables_)
    count *= one.last - one.first + 1;
  return count;
}

std::optional<BlockRuns::Run> BlockRuns::run(int64_t number, llvm::ArrayRef<Affine> values) {
  Run made;
  llvm::SmallDenseMap<uint32_t, int64_t> assigned;
  for (const Variable &one : variables_) {
    int64_t trips = one.last - one.first + 1, value = one.first + number % trips;
    number /= trips;
    assigned[affine_.convert(one.var).asAtom()->symbol.value] = value;
    if (llvm::is_contained(untold_, one.var))
      made.block.push_back(value);
    else if (llvm::is_contained(launch_.blockVars, one.var))
      made.common.push_back(value);
  }
  for (Affine value : values) {
    auto known = evaluate(value, [&](SymbolId symbol) { return assigned.at(symbol.value); });
    if (!known)
      return std::nullopt;
    made.common.push_back(*known);
  }
  return made;
}

} // namespace tilescope
