#include "core/exec/inputs.h"

#include "core/ir/visit.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/xxhash.h"

#include <cmath>
#include <limits>
#include <random>

namespace tilescope {

namespace {

void setReal(Tensor &tensor, int64_t index, double value) {
  Number number;
  if (tensor.isFloat())
    number.f = value;
  else
    number.i = static_cast<int64_t>(value);
  tensor.set(index, number);
}

bool loadsFrom(const Expr *expr, BufferId buffer) {
  bool found = false;
  if (expr)
    walk(expr, [&](const Expr *part) {
      const auto *load = llvm::dyn_cast<Load>(part);
      found |= load && load->buffer == buffer;
    });
  return found;
}

// Indices inside the loads of an expression.
bool indexesInside(const Expr *expr, BufferId buffer) {
  bool found = false;
  walk(expr, [&](const Expr *part) {
    if (const auto *load = llvm::dyn_cast<Load>(part))
      for (const Expr *index : load->indices)
        found |= loadsFrom(index, buffer);
  });
  return found;
}

bool boundsLoad(const Stmt *stmt, BufferId buffer) {
  bool found = false;
  if (const auto *loop = llvm::dyn_cast<For>(stmt))
    found = loadsFrom(loop->min, buffer) || loadsFrom(loop->extent, buffer);
  if (const auto *bind = llvm::dyn_cast<Bind>(stmt))
    found |= bind->var->dtype().isInteger() && loadsFrom(bind->value, buffer);
  if (const auto *store = llvm::dyn_cast<Store>(stmt))
    for (const Expr *index : store->indices)
      found |= loadsFrom(index, buffer);
  if (const auto *op = llvm::dyn_cast<OpStmt>(stmt))
    for (const BufferRegion &region : op->regions)
      for (const Range &range : region.ranges)
        found |= loadsFrom(range.min, buffer) || loadsFrom(range.extent, buffer);
  return found;
}

} // namespace

void fillSeeded(Tensor &tensor, uint64_t seed, llvm::StringRef name) {
  std::mt19937_64 random(seed * 0x9e3779b97f4a7c15ULL ^ llvm::xxh3_64bits(name));
  for (int64_t index = 0; index < tensor.size(); ++index) {
    // 53 random bits: the same numbers with every standard library.
    double unit = static_cast<double>(random() >> 11) * 0x1p-53;
    if (tensor.isFloat())
      setReal(tensor, index, 2 * unit - 1);
    else if (tensor.dtype().isBool())
      setReal(tensor, index, unit < 0.5 ? 0 : 1);
    else
      setReal(tensor, index,
              tensor.dtype().isUnsigned() ? std::floor(unit * 8) : std::floor(unit * 8) - 4);
  }
}

llvm::Error fillAs(Tensor &tensor, llvm::StringRef how, uint64_t seed, llvm::StringRef name) {
  if (how == "random") {
    fillSeeded(tensor, seed, name);
    return llvm::Error::success();
  }
  double value = 0;
  bool isRange = how == "arange";
  if (how == "ones")
    value = 1;
  else if (how == "nan")
    value = std::numeric_limits<double>::quiet_NaN();
  else if (how != "zeros" && !isRange && how.getAsDouble(value))
    return llvm::createStringError("cannot fill '" + name.str() + "' with '" + how.str() +
                                   "': random, zeros, ones, arange, nan or a number");
  for (int64_t index = 0; index < tensor.size(); ++index)
    setReal(tensor, index, isRange ? static_cast<double>(index) : value);
  return llvm::Error::success();
}

bool isUsedAsIndex(const Function &function, BufferId buffer) {
  bool found = false;
  walk(function.body, [&](const Stmt *stmt) {
    found |= boundsLoad(stmt, buffer);
    forEachExpr(stmt, [&](const Expr *expr) { found |= indexesInside(expr, buffer); });
    return true;
  });
  return found;
}

} // namespace tilescope
