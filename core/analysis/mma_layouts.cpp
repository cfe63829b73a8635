#include "core/analysis/mma_layouts.h"

#include <cmath>

namespace tilescope {

namespace {

Digit onThread(int64_t extent, int64_t stride) { return {extent, true, stride}; }
Digit onRegister(int64_t extent, int64_t stride) { return {extent, false, stride}; }

bool isGrid(int64_t m, int64_t n, WarpGrid grid) {
  return m % (MmaRows * grid.rows) == 0 && n % (MmaColumns * grid.columns) == 0;
}

// How far the tile of one warp, counted in mma tiles, is from the shape of the whole.
double distanceFromSquare(int64_t m, int64_t n, WarpGrid grid) {
  double rows = static_cast<double>(m) / static_cast<double>(MmaRows * grid.rows);
  double columns = static_cast<double>(n) / static_cast<double>(MmaColumns * grid.columns);
  return std::abs(rows / columns - static_cast<double>(m) / static_cast<double>(n));
}

bool isBetter(int64_t m, int64_t n, WarpPolicy policy, WarpGrid candidate, WarpGrid best) {
  switch (policy) {
  case WarpPolicy::FullRow:
    return candidate.rows > best.rows;
  case WarpPolicy::FullCol:
    return candidate.columns > best.columns;
  case WarpPolicy::Square:
    return distanceFromSquare(m, n, candidate) < distanceFromSquare(m, n, best);
  }
  return false;
}

} // namespace

std::optional<WarpGrid> partitionWarps(int64_t m, int64_t n, int64_t warps, WarpPolicy policy) {
  std::optional<WarpGrid> best;
  for (int64_t rows = 1; rows <= warps; ++rows) {
    WarpGrid candidate{rows, warps / rows};
    if (warps % rows != 0 || !isGrid(m, n, candidate))
      continue;
    if (!best || isBetter(m, n, policy, candidate, *best))
      best = candidate;
  }
  return best;
}

bool hasMma(DType a, DType b, DType accumulator) {
  if (a == DType::float16() && b == a)
    return accumulator == DType::float32() || accumulator == DType::float16();
  if (a == DType::bfloat16() && b == a)
    return accumulator == DType::float32();
  if (a.isInteger() && (a.bits == 8 || a.bits == 4) && b == a)
    return accumulator == DType::int32();
  constexpr DType Float64{DTypeKind::Float, 64};
  if (a == Float64 && b == a)
    return accumulator == Float64;
  if (a.isFloat8() && b == a)
    return accumulator == DType::float32();
  auto isTensorFloat = [](DType dtype) {
    return dtype == DType::float32() || dtype.kind == DTypeKind::TFloat;
  };
  return isTensorFloat(a) && isTensorFloat(b) && accumulator == DType::float32();
}

// Registers of a 16 x 8 tile, lane = 4 * (row % 8) + column / 2:
//
//              columns 2t, 2t+1
//   row g      r0 r1
//   row g + 8  r2 r3
const Layout *mmaAccumulator(Context &context, int64_t m, int64_t n, WarpGrid grid) {
  int64_t tileRows = m / (MmaRows * grid.rows);
  int64_t tileColumns = n / (MmaColumns * grid.columns);
  DigitList rows = {onThread(grid.rows, WarpThreads), onRegister(tileRows, 4 * tileColumns),
                    onRegister(2, 2), onThread(8, 4)};
  DigitList columns = {onThread(grid.columns, WarpThreads * grid.rows), onRegister(tileColumns, 4),
                       onThread(4, 1), onRegister(2, 1)};
  return makeDenseFragment(context, {rows, columns});
}

// Registers of a 16-row tile two chunks (or one) deep, lane = 4 * (row % 8) + (element in chunk) /
// e where a lane has e elements of a chunk (4 bytes):
//
//              chunk 0          chunk 1
//   row g      r0 .. e-1        r2e .. 3e-1
//   row g + 8  re .. 2e-1       r3e .. 4e-1
const Layout *mmaOperandA(Context &context, int64_t m, int64_t k, DType dtype, WarpGrid grid,
                          bool kIsRow) {
  int64_t perLane = wordElements(dtype);
  int64_t chunks = mmaChunks(dtype);
  int64_t tileRows = m / (MmaRows * grid.rows);
  int64_t steps = k / mmaDepth(dtype);
  DigitList rows = {onThread(grid.rows, WarpThreads),
                    onRegister(tileRows, 2 * chunks * perLane * steps), onRegister(2, perLane),
                    onThread(8, 4)};
  DigitList depth = {onRegister(steps, 2 * chunks * perLane), onRegister(chunks, 2 * perLane),
                     onThread(4, 1), onRegister(perLane, 1)};
  if (kIsRow)
    std::swap(rows, depth);
  return makeDenseFragment(context, {rows, depth}, onThread(grid.columns, WarpThreads * grid.rows));
}

// Registers of an 8-column tile two chunks (or one) deep, lane as for A with the column as its row:
//
//               chunk 0      chunk 1
//   column g    r0 .. e-1    re .. 2e-1
const Layout *mmaOperandB(Context &context, int64_t n, int64_t k, DType dtype, WarpGrid grid,
                          bool kIsRow) {
  int64_t perLane = wordElements(dtype);
  int64_t chunks = mmaChunks(dtype);
  int64_t tileColumns = n / (MmaColumns * grid.columns);
  int64_t steps = k / mmaDepth(dtype);
  DigitList columns = {onThread(grid.columns, WarpThreads * grid.rows),
                       onRegister(tileColumns, chunks * perLane * steps), onThread(8, 4)};
  DigitList depth = {onRegister(steps, chunks * perLane), onRegister(chunks, perLane),
                     onThread(4, 1), onRegister(perLane, 1)};
  if (kIsRow)
    std::swap(columns, depth);
  return makeDenseFragment(context, {columns, depth}, onThread(grid.rows, WarpThreads));
}

LdmatrixRows ldmatrixRowsA(bool transposed) {
  if (transposed)
    return {{onThread(2, 16), onThread(8, 1)}, {onThread(2, 8)}};
  return {{onThread(16, 1)}, {onThread(2, 16)}};
}

LdmatrixRows ldmatrixRowsB(bool transposed) {
  if (transposed)
    return {{onThread(16, 1)}, {onThread(2, 16)}};
  return {{onThread(2, 16), onThread(8, 1)}, {onThread(2, 8)}};
}

const Layout *swizzleForRow(Context &context, int64_t rowBytes) {
  for (int64_t span : {128, 64, 32})
    if (rowBytes % span == 0)
      return makeSwizzle(context, span);
  return makeRowMajor(context);
}

} // namespace tilescope
