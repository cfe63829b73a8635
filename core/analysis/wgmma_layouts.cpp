#include "core/analysis/wgmma_layouts.h"

#include "core/analysis/fragment_digits.h"
#include "core/ir/stmt.h"

#include <cassert>

namespace tilescope {

namespace {

constexpr int64_t ColumnUnit = 8;

Digit onThread(int64_t extent, int64_t stride) { return {extent, true, stride}; }
Digit onRegister(int64_t extent, int64_t stride) { return {extent, false, stride}; }

} // namespace

std::optional<int64_t> wgmmaColumns(int64_t columns) {
  for (int64_t wide : {256, 128, 64})
    if (columns > 0 && columns % wide == 0)
      return wide;
  return std::nullopt;
}

bool hasWgmma(DType a, DType b, DType accumulator) {
  if (a != b)
    return false;
  if (a == DType::float16())
    return accumulator == DType::float32() || accumulator == DType::float16();
  return a == DType::bfloat16() && accumulator == DType::float32();
}

// Thread t of a warp group, register i:
//   row    16 * (t / 32) + t % 32 / 4 + 8 * (i / 2 % 2)
//   column 8 * (i / 4) + 2 * (t % 4) + i % 2
const Layout *wgmmaAccumulator(Context &context, int64_t m, int64_t n, WarpGroupGrid grid) {
  assert(m % (WgmmaRows * grid.rows) == 0 && n % (ColumnUnit * grid.columns) == 0);
  int64_t rowBlocks = m / (WgmmaRows * grid.rows);
  int64_t columnBlocks = n / (ColumnUnit * grid.columns);
  DigitList rows = {onThread(grid.rows, WarpGroupThreads), onRegister(rowBlocks, 4 * columnBlocks),
                    onThread(4, 32), onRegister(2, 2), onThread(8, 4)};
  DigitList columns = {onThread(grid.columns, WarpGroupThreads * grid.rows),
                       onRegister(columnBlocks, 4), onThread(4, 1), onRegister(2, 1)};
  return makeDenseFragment(context, {rows, columns});
}

} // namespace tilescope
