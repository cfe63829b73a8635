#include "core/exec/compare.h"

#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

namespace tilescope {

namespace {

// Indices of the elements to compare, ascending.
std::vector<int64_t> elementsIn(const Tensor &tensor, BufferId buffer,
                                llvm::ArrayRef<TensorBox> boxes) {
  std::vector<int64_t> elements;
  if (boxes.empty()) {
    elements.resize(static_cast<size_t>(tensor.size()));
    for (size_t i = 0; i < elements.size(); ++i)
      elements[i] = static_cast<int64_t>(i);
    return elements;
  }
  for (const TensorBox &box : boxes) {
    if (box.buffer != buffer)
      continue;
    llvm::SmallVector<int64_t> extents;
    for (size_t dim = 0; dim < box.begin.size(); ++dim)
      extents.push_back(box.end[dim] - box.begin[dim]);
    forEachCoordinate(extents, [&](llvm::ArrayRef<int64_t> offset) {
      llvm::SmallVector<int64_t> place(box.begin);
      for (size_t dim = 0; dim < place.size(); ++dim)
        place[dim] += offset[dim];
      if (int64_t index = tensor.indexOf(place); index >= 0)
        elements.push_back(index);
    });
  }
  llvm::sort(elements);
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  return elements;
}

// In units of the largest, whose square may be too large for a double.
double rmsOf(const Tensor &tensor, llvm::ArrayRef<int64_t> elements) {
  double largest = 0;
  for (int64_t index : elements)
    if (double value = tensor.real(index); std::isfinite(value))
      largest = std::max(largest, std::fabs(value));
  if (largest == 0)
    return 0;
  double sum = 0;
  int64_t count = 0;
  for (int64_t index : elements)
    if (double value = tensor.real(index) / largest; std::isfinite(value)) {
      sum += value * value;
      ++count;
    }
  return largest * std::sqrt(sum / static_cast<double>(count));
}

// Written so that NaN, in either, is no match.
bool matches(double got, double expected, double allowed) {
  if (std::isinf(expected))
    return got == expected;
  return std::fabs(got - expected) <= allowed;
}

// From a number of fp8 to the next one; of wider types, which a tolerance covers, 0. Sums that
// differ in their last bits may round to neighbours, and wgmma keeps some 14 bits of those of fp8
// (DeepSeek-V3 Technical Report, 3.3.2).
double stepAt(DType dtype, double value) {
  if (!dtype.isFloat8() || value == 0 || !std::isfinite(value))
    return 0;
  int fractionBits = dtype.kind == DTypeKind::Float8E4M3 ? 3 : 2;
  return std::ldexp(1.0, std::ilogb(value) - fractionBits);
}

} // namespace

TensorComparison compareTensors(const Tensor &got, const Tensor &expected, double tolerance,
                                BufferId buffer, llvm::ArrayRef<TensorBox> boxes,
                                const llvm::BitVector *overwritten) {
  TensorComparison result;
  std::vector<int64_t> elements = elementsIn(expected, buffer, boxes);
  if (overwritten)
    result.overwritten = static_cast<int64_t>(std::erase_if(
        elements, [&](int64_t index) { return overwritten->test(static_cast<unsigned>(index)); }));
  result.rms = rmsOf(expected, elements);
  double unit = result.rms > 0 ? result.rms : 1;
  double worstError = -1;
  for (int64_t index : elements) {
    double x = got.real(index);
    double y = expected.real(index);
    ++result.compared;
    if (std::isnan(x) && std::isnan(y)) {
      ++result.nanPairs;
      continue;
    }
    double allowed =
        tolerance * std::fabs(y) + tolerance * result.rms + stepAt(expected.dtype(), y);
    bool isRight =
        expected.isFloat() ? matches(x, y, allowed) : got.get(index).i == expected.get(index).i;
    double error = isRight && std::isinf(y) ? 0 : std::fabs(x - y);
    if (std::isnan(error))
      error = HUGE_VAL;
    result.wrong += !isRight;
    if (!isRight && !result.firstWrong)
      result.firstWrong = index;
    if (error > worstError) {
      worstError = error;
      result.worst = expected.coordinatesOf(index);
      result.got = x;
      result.expected = y;
    }
  }
  result.maxErrorOverRms = std::fmax(worstError, 0) / unit;
  return result;
}

double toleranceFor(const Function &function, BufferId output) {
  constexpr double Usual = 1e-2;
  constexpr double Coarse = 4e-2;
  if (function.buffer(output).dtype == DType::bfloat16())
    return Coarse;
  bool coarse = false;
  walk(function.body, [&](const Stmt *stmt) {
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    if (op && op->opInfo().work == OpWork::MatrixMultiply) {
      DType accumulator = function.buffer(op->regions[2].buffer).dtype;
      coarse |= accumulator.isFloat() && accumulator.bits == 16;
    }
    return true;
  });
  return coarse ? Coarse : Usual;
}

} // namespace tilescope
