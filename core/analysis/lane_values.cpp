#include "core/analysis/lane_values.h"

#include "core/ir/visit.h"

#include <numeric>

namespace tilescope {

namespace {

// A value that is the same only if the element of an argument that it is made from is: that load.
const Load *loadBehind(const Expr *value) {
  if (const auto *load = llvm::dyn_cast<Load>(value))
    return load;
  if (const auto *cast = llvm::dyn_cast<Cast>(value))
    return cast->dtype().isBool() ? nullptr : loadBehind(cast->operand);
  const auto *binary = llvm::dyn_cast<Binary>(value);
  if (!binary ||
      (binary->op != BinaryOp::Add && binary->op != BinaryOp::Sub && binary->op != BinaryOp::Mul))
    return nullptr;
  auto isConstant = [&](const Expr *expr) {
    const auto *number = llvm::dyn_cast<FloatImm>(expr);
    return (number && number->value != 0) || constantValue(expr).value_or(0) != 0;
  };
  if (isConstant(binary->rhs))
    return loadBehind(binary->lhs);
  return isConstant(binary->lhs) ? loadBehind(binary->rhs) : nullptr;
}

} // namespace

LaneValue LaneValues::valueOf(const Expr *expr, int64_t iteration) {
  iteration_ = iteration;
  value_ = {};
  sign(expr);
  findExact(expr);
  return std::move(value_);
}

LaneValue LaneValues::valueOf(const BufferRegion &source, const Expr *predicate,
                              int64_t iteration) {
  iteration_ = iteration;
  value_ = {};
  if (predicate)
    sign(predicate);
  if (source.slot)
    sign(source.slot);
  for (const Range &range : source.ranges)
    sign(range.min);
  if (!isUnchanged(source.buffer))
    signAsOwn();
  return std::move(value_);
}

void LaneValues::sign(const Expr *expr) {
  if (Lanes values = lanes_.evaluate(expr); !values.empty()) {
    value_.signature.push_back(std::move(values));
    return;
  }
  if (lanes_.isFixed(expr) || !lanes_.spend(1))
    return;
  if (const auto *var = llvm::dyn_cast<Var>(expr)) {
    const Bind *bind = places_.bindOf(var);
    return bind ? sign(bind->value) : signAsOwn();
  }
  if (const auto *load = llvm::dyn_cast<Load>(expr); load && !isUnchanged(load->buffer))
    return signAsOwn();
  forEachChild(expr, [&](const Expr *part) { sign(part); });
}

// No two lanes, and no two iterations, are known to agree.
void LaneValues::signAsOwn() {
  int64_t threads = lanes_.launch()->threads;
  Lanes own(static_cast<size_t>(threads));
  std::iota(own.begin(), own.end(), iteration_ * threads);
  value_.signature.push_back(std::move(own));
  value_.isOwn = true;
}

// Memory that the code does not write, or registers in which all threads have the same.
bool LaneValues::isUnchanged(BufferId buffer) const {
  return !written_.contains(buffer.value) && places_.uniform().isUniformBuffer(buffer);
}

void LaneValues::findExact(const Expr *expr) {
  if (Lanes values = lanes_.evaluate(expr); !values.empty()) {
    value_.exact.push_back(std::move(values));
    return;
  }
  const Load *load = loadBehind(expr);
  if (!load || !places_.isGlobal(load->buffer) || places_.isWritten(load->buffer))
    return;
  value_.isArgument = true;
  for (const Expr *index : load->indices) {
    LaneIndex place = lanes_.indexOf(index);
    if (place.period != 0) {
      value_.exact.clear();
      return;
    }
    value_.hasFixed |= !place.fixed.empty();
    value_.exact.push_back(std::move(place.first));
  }
}

} // namespace tilescope
