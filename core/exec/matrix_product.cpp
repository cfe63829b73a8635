#include "core/exec/matrix_product.h"

#include "core/exec/mma_product.h"
#include "core/exec/numbers.h"
#include "core/ir/op_facts.h"

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

// The matrix of which `kept` has half of the columns; four bits of a word say which those of a
// group are. Where they say the same twice, the second counts.
template <typename Element>
Matrix<Element> withZeros(const Matrix<Element> &kept, const Matrix<int64_t> &words, DType dtype,
                          DType wordType) {
  int64_t group = groupOfKept(dtype), ofGroup = group / 2, groupsOfWord = wordType.bits / 4;
  Matrix<Element> whole{kept.rows, kept.columns * 2, {}};
  whole.values.assign(static_cast<size_t>(whole.rows * whole.columns), 0);
  for (int64_t row = 0; row < kept.rows; ++row)
    for (int64_t column = 0; column < kept.columns; ++column) {
      int64_t number = column / ofGroup;
      int64_t word = words.values[static_cast<size_t>(row * words.columns + number / groupsOfWord)];
      int64_t four = word >> (number % groupsOfWord * 4) & 15;
      int64_t place = number * group + columnKept(four, column % ofGroup, dtype.bits);
      whole.values[static_cast<size_t>(row * whole.columns + place)] =
          kept.values[static_cast<size_t>(row * kept.columns + column)];
    }
  return whole;
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
  if (keepsHalves(op))
    a = withZeros(a,
                  readMatrix<int64_t>(frame, op.regions[3], op.attr(Attr::TransposeE) != 0, false),
                  operand, frame.function().buffer(op.regions[3].buffer).dtype);
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

void multiplyMatrices(const OpStmt &op, BlockFrame &frame) {
  DType accumulator = frame.function().buffer(op.regions[2].buffer).dtype;
  if (accumulator.isFloat() && accumulator.bits == 64)
    return multiply<double>(op, frame);
  if (accumulator.isFloat())
    return multiply<float>(op, frame);
  multiply<int64_t>(op, frame);
}

} // namespace tilescope
