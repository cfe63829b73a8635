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

std::optional<int64_t> wgmmaColumns(int64_t columns, int64_t unit) {
  for (int64_t wide = WgmmaMaxColumns / unit * unit; wide > 0; wide -= unit)
    if (columns > 0 && columns % wide == 0)
      return wide;
  return std::nullopt;
}

bool hasWgmma(DType a, DType b, DType accumulator) {
  if (a.isFloat8() && b.isFloat8())
    return accumulator == DType::float32() || accumulator == DType::float16();
  if (a.isInteger() && b.isInteger())
    return a.bits == 8 && b.bits == 8 && accumulator == DType::int32();
  if (a != b)
    return false;
  if (a == DType::float16())
    return accumulator == DType::float32() || accumulator == DType::float16();
  return a == DType::bfloat16() && accumulator == DType::float32();
}

namespace {

// Rows of 64 for each row of warp groups. Elements side by side in a thread: `run`.
DigitList rowsOf(int64_t m, int64_t registersOfBlock, int64_t run, WarpGroupGrid grid) {
  return {onThread(grid.rows, WarpGroupThreads),
          onRegister(m / (WgmmaRows * grid.rows), registersOfBlock), onThread(4, 32),
          onRegister(2, run), onThread(8, 4)};
}

} // namespace

// Thread t of a warp group, register i:
//   row    16 * (t / 32) + t % 32 / 4 + 8 * (i / 2 % 2)
//   column 8 * (i / 4) + 2 * (t % 4) + i % 2
const Layout *wgmmaAccumulator(Context &context, int64_t m, int64_t n, WarpGroupGrid grid) {
  assert(m % (WgmmaRows * grid.rows) == 0 && n % (ColumnUnit * grid.columns) == 0);
  int64_t columnBlocks = n / (ColumnUnit * grid.columns);
  DigitList columns = {onThread(grid.columns, WarpGroupThreads * grid.rows),
                       onRegister(columnBlocks, 4), onThread(4, 1), onRegister(2, 1)};
  return makeDenseFragment(context, {rowsOf(m, 4 * columnBlocks, 2, grid), columns});
}

// Thread t of a warp group, register i, of which a word holds w:
//   row    16 * (t / 32) + t % 32 / 4 + 8 * (i / w % 2)
//   k      4 * w * (i / (2 * w)) + w * (t % 4) + i % w
const Layout *wgmmaOperandA(Context &context, int64_t m, int64_t k, int64_t bits,
                            WarpGroupGrid grid) {
  int64_t word = 32 / bits;
  assert(m % (WgmmaRows * grid.rows) == 0 && k % (8 * word) == 0);
  DigitList columns = {onRegister(k / (4 * word), 2 * word), onThread(4, 1), onRegister(word, 1)};
  return makeDenseFragment(context, {rowsOf(m, k / 2, word, grid), columns},
                           onThread(grid.columns, WarpGroupThreads * grid.rows));
}

} // namespace tilescope
