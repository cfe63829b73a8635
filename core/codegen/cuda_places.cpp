#include "core/codegen/cuda_places.h"

#include "core/ir/build.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilescope {

const Expr *indexBinary(Context &context, BinaryOp op, const Expr *lhs, const Expr *rhs) {
  std::optional<int64_t> a = constantValue(lhs);
  std::optional<int64_t> b = constantValue(rhs);
  if (a && b)
    return context.make<IntImm>(DType::int64(), op == BinaryOp::Add ? *a + *b : *a * *b);
  if (op == BinaryOp::Add && (a == 0 || b == 0))
    return a == 0 ? rhs : lhs;
  if (op == BinaryOp::Mul && (a == 1 || b == 1))
    return a == 1 ? rhs : lhs;
  if (op == BinaryOp::Mul && (a == 0 || b == 0))
    return context.make<IntImm>(DType::int32(), 0);
  return context.make<Binary>(op, lhs, rhs);
}

// Row major, or by explicit strides, or with padded rows.
static const Expr *linearIndex(Context &context, const Buffer &buffer, ExprList indices) {
  const Expr *zero = context.make<IntImm>(DType::int32(), 0);
  const Expr *linear = zero;
  if (!buffer.strides.empty()) {
    for (auto [coordinate, stride] : llvm::zip_equal(indices, buffer.strides))
      linear = indexBinary(context, BinaryOp::Add, linear,
                           indexBinary(context, BinaryOp::Mul, coordinate, stride));
    return linear;
  }
  int64_t padding =
      buffer.layout && buffer.layout->kind == LayoutKind::RowMajor ? buffer.layout->padElements : 0;
  for (size_t dim = 0; dim < indices.size(); ++dim) {
    const Expr *extent = buffer.shape[dim];
    if (dim + 1 == indices.size() && padding)
      extent = indexBinary(context, BinaryOp::Add, extent,
                           context.make<IntImm>(DType::int32(), padding));
    linear = indexBinary(context, BinaryOp::Add,
                         indexBinary(context, BinaryOp::Mul, linear, extent), indices[dim]);
  }
  return linear;
}

std::string CudaPlaces::physicalIndex(const Buffer &buffer, ExprList indices) {
  if (buffer.layout && buffer.layout->kind == LayoutKind::Swizzle && !indices.empty())
    return swizzledIndex(buffer, indices);
  if (buffer.layout && buffer.layout->kind == LayoutKind::Permuted)
    return permutedIndex(buffer, indices);
  return exprs_.index(linearIndex(module_.context, buffer, indices));
}

std::string CudaPlaces::swizzledIndex(const Buffer &buffer, ExprList indices) {
  std::string row = indices.size() > 1 ? exprs_.index(indices[indices.size() - 2]) : "0";
  std::string place =
      swizzleFunction(buffer) + "(" + row + ", " + exprs_.index(indices.back()) + ")";
  if (indices.size() <= 2)
    return place;
  // Leading coordinates count whole tiles.
  const Expr *tile = module_.context.make<IntImm>(DType::int32(), 0);
  for (size_t dim = 0; dim + 2 < indices.size(); ++dim)
    tile = indexBinary(module_.context, BinaryOp::Add,
                       indexBinary(module_.context, BinaryOp::Mul, tile, buffer.shape[dim]),
                       indices[dim]);
  for (const Expr *extent : buffer.shape.take_back(2))
    tile = indexBinary(module_.context, BinaryOp::Mul, tile, extent);
  std::string offset = exprs_.index(tile);
  return offset == "0" ? place : offset + " + " + place;
}

// "A_shared_at(row, col)": the swizzle of one buffer under a name that tells the buffer.
std::string CudaPlaces::swizzleFunction(const Buffer &buffer) {
  std::string &name = names_[buffer.id];
  if (!name.empty())
    return name;
  name = module_.names.declare(buffer.name.str() + "_at");
  size_t rank = buffer.shape.size();
  std::string rows = rank > 1 ? exprs_.index(buffer.shape[rank - 2]) : "1";
  std::string cols = exprs_.index(buffer.shape.back());
  addLine(llvm::formatv("// Element (row, col) of {0}, {1} x {2} {3}, in {4}-byte swizzled rows.",
                        buffer.name, rows, cols, buffer.dtype.name(), buffer.layout->spanBytes));
  addLine("__device__ __forceinline__ int " + name + "(int row, int col) {");
  addLine(llvm::formatv("  return {0}<{1}, {2}, {3}, {4}>(row, col);",
                        module_.helpers.call(Helper::Swizzle), buffer.layout->spanBytes, rows, cols,
                        buffer.dtype.bits));
  addLine("}");
  addLine("");
  return name;
}

std::string CudaPlaces::permutedIndex(const Buffer &buffer, ExprList indices) {
  std::vector<std::string> coordinates;
  for (const Expr *coordinate : indices)
    coordinates.push_back(exprs_.index(coordinate));
  return permutationFunction(buffer) + "(" + llvm::join(coordinates, ", ") + ")";
}

// What one coordinate contributes to the place: "d1 / 8 * 512 + d1 % 8 * 4".
static std::string placeOfCoordinate(llvm::ArrayRef<Digit> digits, llvm::StringRef coordinate) {
  std::vector<std::string> parts;
  int64_t weight = 1;
  for (size_t i = digits.size(); i-- > 0; weight *= digits[i].extent) {
    std::string part = coordinate.str();
    if (weight != 1)
      part += llvm::formatv(" / {0}", weight);
    if (i != 0)
      part += llvm::formatv(" % {0}", digits[i].extent);
    if (digits[i].stride != 1)
      part += llvm::formatv(" * {0}", digits[i].stride);
    parts.insert(parts.begin(), part);
  }
  return llvm::join(parts, " + ");
}

// "dQ_at(d0, d1)": the memory order that the kernel gives a tensor.
std::string CudaPlaces::permutationFunction(const Buffer &buffer) {
  std::string &name = names_[buffer.id];
  if (!name.empty())
    return name;
  name = module_.names.declare(buffer.name.str() + "_at");
  std::vector<std::string> coordinates;
  std::vector<std::string> extents;
  std::vector<std::string> terms;
  int64_t elements = 1;
  for (auto [digits, extent] : llvm::zip_equal(buffer.layout->dims, buffer.shape)) {
    coordinates.push_back("d" + std::to_string(coordinates.size()));
    extents.push_back(exprs_.index(extent));
    elements *= *constantValue(extent);
    if (std::string term = placeOfCoordinate(digits, coordinates.back()); !term.empty())
      terms.push_back(term);
  }
  std::string type = elements > INT32_MAX ? "u64" : "u32";
  addLine(llvm::formatv(
      "// Element ({0}) of {1}, {2} {3}, in the memory order that the kernel gives it.",
      llvm::join(coordinates, ", "), buffer.name, llvm::join(extents, " x "), buffer.dtype.name()));
  addLine(llvm::formatv("__device__ __forceinline__ {0} {1}({0} {2}) {{", type, name,
                        llvm::join(coordinates, ", " + type + " ")));
  addLine("  return " + (terms.empty() ? "0" : llvm::join(terms, " + ")) + ";");
  addLine("}");
  addLine("");
  return name;
}

} // namespace tilescope
