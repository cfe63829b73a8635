#include "core/analysis/block_runs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

namespace tilescope {

namespace {

constexpr int64_t MaxRuns = 1 << 14; // of an access, about a microsecond each

llvm::SmallSetVector<uint32_t, 4> symbolsOf(Affine value) {
  llvm::SmallSetVector<uint32_t, 4> symbols;
  forEachSymbol(value, [&](SymbolId symbol) { symbols.insert(symbol.value); });
  return symbols;
}

} // namespace

bool BlockRuns::isOfBlocks(Affine value) const {
  return llvm::any_of(symbolsOf(value), [&](uint32_t symbol) {
    const auto *var = llvm::dyn_cast_or_null<Var>(affine_.exprOf(SymbolId(symbol)));
    return var && llvm::is_contained(untold_, var);
  });
}

// What is said of blocks; that of few variables first, as others may be of too many iterations.
std::vector<CommonValues> BlockRuns::candidatesOf(llvm::ArrayRef<CommonValues> values) const {
  std::vector<CommonValues> candidates;
  for (const CommonValues &one : values)
    if (llvm::all_of(one, [&](Affine value) { return isOfBlocks(value); }))
      candidates.push_back(one);
  llvm::stable_sort(candidates, [](const CommonValues &a, const CommonValues &b) {
    return symbolsOf(a.front()).size() < symbolsOf(b.front()).size();
  });
  return candidates;
}

bool BlockRuns::areTold(llvm::ArrayRef<CommonValues> all) {
  if (all.empty())
    return false;
  Variables blockVars;
  for (const Var *block : launch_.blockVars)
    if (!addVariable(block, blockVars))
      return false;
  variables_.assign(all.front().size(), blockVars);
  std::vector<CommonValues> values;
  for (const CommonValues &candidate : candidatesOf(all))
    if (addVariablesOf(candidate))
      values.push_back(candidate);
  Blocks blocks;
  for (size_t access = 0; !values.empty() && access != variables_.size(); ++access)
    if (!runAccess(access, values, blocks))
      return false;
  return !values.empty();
}

// False: two blocks have the same.
bool BlockRuns::runAccess(size_t access, llvm::ArrayRef<CommonValues> values, Blocks &blocks) {
  CommonValues own;
  bool isNew = access == 0;
  for (const CommonValues &one : values) {
    own.push_back(one[access]);
    isNew |= one[access] != one[0];
  }
  int64_t count = countOf(variables_[access]);
  for (int64_t number = 0; isNew && number != count; ++number) {
    std::optional<Run> made = run(number, variables_[access], own);
    if (!made ||
        blocks.try_emplace(std::move(made->common), made->block).first->second != made->block)
      return false;
  }
  return true;
}

// False: it is not known how often, or that would be too often.
bool BlockRuns::addVariable(const Var *var, Variables &variables) {
  AffineBounds bounds = affine_.arithmetic().bounds(affine_.convert(var), affine_.ranges());
  if (!bounds.lower || !bounds.upper || *bounds.lower > *bounds.upper ||
      *bounds.upper - *bounds.lower >= MaxRuns)
    return false;
  variables.push_back({var, *bounds.lower, *bounds.upper});
  return countOf(variables) <= MaxRuns;
}

// Which thread it is would be too many.
bool BlockRuns::addVariablesOf(Affine value, Variables &variables) {
  return llvm::all_of(symbolsOf(value), [&](uint32_t symbol) {
    const auto *var = llvm::dyn_cast_or_null<Var>(affine_.exprOf(SymbolId(symbol)));
    return var && var != launch_.threadVar &&
           (llvm::any_of(variables, [&](const Variable &one) { return one.var == var; }) ||
            (inside_.contains(var) && addVariable(var, variables)));
  });
}

// Of all accesses, or of none.
bool BlockRuns::addVariablesOf(const CommonValues &values) {
  std::vector<Variables> added = variables_;
  for (auto [value, variables] : llvm::zip_equal(values, added))
    if (!addVariablesOf(value, variables))
      return false;
  variables_ = std::move(added);
  return true;
}

int64_t BlockRuns::countOf(const Variables &variables) {
  int64_t count = 1;
  for (const Variable &one : variables)
    count *= one.last - one.first + 1;
  return count;
}

std::optional<BlockRuns::Run> BlockRuns::run(int64_t number, const Variables &variables,
                                             const CommonValues &values) {
  Run made;
  llvm::SmallDenseMap<uint32_t, int64_t> assigned;
  for (const Variable &one : variables) {
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
