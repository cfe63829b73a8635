// c += op(a) @ op(b): fp32 operands lose what TF32 drops, sums are fp32 (int32 for integers, fp64
// for fp64), fp16
// accumulators are rounded once a step of 16 along K.
#include "core/exec/block_frame.h"
#include "core/exec/numbers.h"

namespace tilescope {

namespace {

// A matrix as a dense block, row major. The element is float, double for fp64, or int64_t for
// integers, whose sums it holds exactly.
template <typename Element> struct Matrix {
  int64_t rows = 0;
  int64_t columns = 0;
  std::vector<Element> values;
};

template <typename Element>
Matrix<Element> readMatrix(BlockFrame &frame, const BufferRegion &operand, bool transposed,
                           bool isTf32) {
  TensorRegion region = frame.evaluate(operand);
  size_t rank = region.extent.size();
  Matrix<Element> matrix{region.extent[rank - 2], region.extent[rank - 1], {}};
  if (transposed)
    std::swap(matrix.rows, matrix.columns);
  matrix.values.resize(static_cast<size_t>(matrix.rows * matrix.columns));
  llvm::SmallVector<int64_t> place(region.min);
  for (int64_t row = 0; row < matrix.rows; ++row)
    for (int64_t column = 0; column < matrix.columns; ++column) {
      place[rank - 2] = region.min[rank - 2] + (transposed ? column : row);
      place[rank - 1] = region.min[rank - 1] + (transposed ? row : column);
      auto value = static_cast<Element>(readReal(frame, region, region.tensor->indexOf(place)));
      frame.reads().use();
      if (isTf32)
        value = truncateToTf32(static_cast<float>(value));
      matrix.values[static_cast<size_t>(row * matrix.columns + column)] = value;
    }
  return matrix;
}

// sums[j] += a * b[j]: written so that compilers vectorise it without reordering a sum.
template <typename Element>
void addScaled(Element *__restrict__ sums, Element a, const Element *__restrict__ b,
               int64_t count) {
  int64_t j = 0;
  for (; j + 8 <= count; j += 8)
    for (int64_t lane = 0; lane < 8; ++lane)
      sums[j + lane] += a * b[j + lane];
  for (; j < count; ++j)
    sums[j] += a * b[j];
}

// One row of the product; `stepRounding` rounds the sums after each step along K.
template <typename Element>
void multiplyRow(const Matrix<Element> &a, const Matrix<Element> &b, int64_t row,
                 std::vector<Element> &sums, std::optional<DType> stepRounding) {
  constexpr int64_t Step = 16;
  for (int64_t k = 0; k < a.columns; ++k) {
    addScaled(sums.data(), a.values[static_cast<size_t>(row * a.columns + k)],
              &b.values[static_cast<size_t>(k * b.columns)], b.columns);
    if (stepRounding && (k % Step == Step - 1 || k + 1 == a.columns))
      for (Element &sum : sums)
        sum = static_cast<Element>(roundTo(*stepRounding, sum));
  }
}

Number numberOf(DType accumulator, double sum) {
  return convert(DType{DTypeKind::Float, 64}, accumulator, Number{.f = sum});
}

// It wraps where it is stored.
Number numberOf(DType, int64_t sum) { return Number{.i = sum}; }

template <typename Element> void multiply(const OpStmt &op, BlockFrame &frame) {
  TensorRegion c = frame.evaluate(op.regions[2]);
  DType operand = frame.function().buffer(op.regions[0].buffer).dtype;
  DType accumulator = c.tensor->dtype();
  bool isTf32 = operand == DType::float32();
  auto a = readMatrix<Element>(frame, op.regions[0], op.attr(Attr::TransposeA) != 0, isTf32);
  auto b = readMatrix<Element>(frame, op.regions[1], op.attr(Attr::TransposeB) != 0, isTf32);
  size_t rank = c.extent.size();
  if (a.columns != b.rows || a.rows != c.extent[rank - 2] || b.columns != c.extent[rank - 1])
    return frame.fail(op, "gemm of matrices whose extents disagree");
  bool clear = !op.args.empty() && op.args[0] && frame.evaluateInt(op.args[0]);
  std::optional<DType> stepRounding;
  if (accumulator.isFloat() && accumulator.bits == 16)
    stepRounding = accumulator;
  std::vector<Element> sums(static_cast<size_t>(b.columns));
  llvm::SmallVector<int64_t> place(c.min);
  for (int64_t row = 0; row < a.rows; ++row) {
    place[rank - 2] = c.min[rank - 2] + row;
    int64_t first = c.tensor->indexOf(place);
    for (int64_t j = 0; j < b.columns; ++j) {
      sums[static_cast<size_t>(j)] =
          clear ? 0 : static_cast<Element>(readReal(frame, c, first + j));
      frame.reads().use();
    }
    multiplyRow(a, b, row, sums, stepRounding);
    for (int64_t j = 0; j < b.columns; ++j) {
      frame.write(c, first + j, numberOf(accumulator, sums[static_cast<size_t>(j)]));
    }
  }
}

} // namespace

void executeGemm(const OpStmt &op, BlockFrame &frame) {
  DType accumulator = frame.function().buffer(op.regions[2].buffer).dtype;
  if (accumulator.isFloat() && accumulator.bits == 64)
    return multiply<double>(op, frame);
  if (accumulator.isFloat())
    return multiply<float>(op, frame);
  multiply<int64_t>(op, frame);
}

} // namespace tilescope
