#include "core/frontend/tile_order.h"

#include "core/frontend/memory_order.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace tilescope::frontend {

namespace {

// Of a tile, one by one; what fits shared memory has no more elements.
constexpr int64_t MostElements = 1 << 20;

std::string joined(llvm::ArrayRef<int64_t> numbers, llvm::StringRef between) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : between.str()) + std::to_string(number);
  return text;
}

// The value of index arithmetic at one element.
class PlaceEvaluator {
public:
  PlaceEvaluator(llvm::ArrayRef<const Var *> vars, llvm::ArrayRef<int64_t> coordinates)
      : vars_(vars), coordinates_(coordinates) {}

  std::optional<int64_t> of(const Expr *expr) const {
    if (std::optional<int64_t> constant = constantValue(expr))
      return constant;
    if (const auto *cast = llvm::dyn_cast<Cast>(expr); cast && cast->dtype().isInteger())
      return of(cast->operand);
    if (const auto *binary = llvm::dyn_cast<Binary>(expr))
      return ofBinary(*binary);
    const auto *found = llvm::find(vars_, expr);
    return found == vars_.end() ? std::nullopt : std::optional(coordinates_[found - vars_.begin()]);
  }

private:
  std::optional<int64_t> ofBinary(const Binary &binary) const {
    std::optional<int64_t> a = of(binary.lhs), b = a ? of(binary.rhs) : std::nullopt;
    int64_t result = 0;
    if (!b)
      return std::nullopt;
    switch (binary.op) {
    case BinaryOp::Add:
      return __builtin_add_overflow(*a, *b, &result) ? std::nullopt : std::optional(result);
    case BinaryOp::Sub:
      return __builtin_sub_overflow(*a, *b, &result) ? std::nullopt : std::optional(result);
    case BinaryOp::Mul:
      return __builtin_mul_overflow(*a, *b, &result) ? std::nullopt : std::optional(result);
    case BinaryOp::FloorDiv:
      return *b > 0 ? std::optional(llvm::divideFloorSigned(*a, *b)) : std::nullopt;
    case BinaryOp::FloorMod:
      return *b > 0 ? std::optional(*a - llvm::divideFloorSigned(*a, *b) * *b) : std::nullopt;
    case BinaryOp::BitXor:
      return *a ^ *b;
    case BinaryOp::BitAnd:
      return *a & *b;
    case BinaryOp::BitOr:
      return *a | *b;
    case BinaryOp::ShiftLeft:
      return *a >= 0 && *a <= MostElements && *b >= 0 && *b < 32 ? std::optional(*a << *b)
                                                                 : std::nullopt;
    case BinaryOp::ShiftRight:
      return *b >= 0 && *b < 64 ? std::optional(*a >> *b) : std::nullopt;
    default:
      return std::nullopt;
    }
  }

  llvm::ArrayRef<const Var *> vars_;
  llvm::ArrayRef<int64_t> coordinates_;
};

// The place of each element of the tile, row major.
struct PlaceTable {
  std::vector<int64_t> places;
  std::string reason; // why there are none

  static PlaceTable failed(std::string reason) { return {{}, std::move(reason)}; }
};

bool forEachElement(llvm::ArrayRef<int64_t> shape,
                    llvm::function_ref<bool(size_t, llvm::ArrayRef<int64_t>)> visit) {
  llvm::SmallVector<int64_t> coordinates(shape.size(), 0);
  for (size_t element = 0;; ++element) {
    if (!visit(element, coordinates))
      return false;
    size_t axis = shape.size();
    while (axis > 0 && ++coordinates[axis - 1] == shape[axis - 1])
      coordinates[--axis] = 0;
    if (axis == 0)
      return true;
  }
}

// The results are coordinates of a dense array, last one fastest, as long as the largest of each.
PlaceTable placesOf(const CoordinateResults &given, llvm::ArrayRef<int64_t> shape) {
  std::vector<std::vector<int64_t>> results(given.results.size());
  bool isKnown = forEachElement(shape, [&](size_t, llvm::ArrayRef<int64_t> coordinates) {
    PlaceEvaluator evaluator(given.vars, coordinates);
    for (auto [result, values] : llvm::zip_equal(given.results, results)) {
      std::optional<int64_t> value = evaluator.of(result);
      if (!value)
        return false;
      values.push_back(*value);
    }
    return true;
  });
  if (!isKnown || results.empty())
    return PlaceTable::failed("its results are no arithmetic of the coordinates");
  PlaceTable table;
  table.places.assign(results.front().size(), 0);
  for (const std::vector<int64_t> &values : results) {
    int64_t extent = *llvm::max_element(values) + 1;
    if (*llvm::min_element(values) < 0)
      return PlaceTable::failed("it has places below 0");
    for (auto [place, value] : llvm::zip_equal(table.places, values))
      if (__builtin_mul_overflow(place, extent, &place) ||
          __builtin_add_overflow(place, value, &place) || place > 2 * MostElements)
        return PlaceTable::failed("it spreads the tile over more memory than a block has");
  }
  return table;
}

// "(0, 4) and (1, 0) have one place": of the first two; empty: each element has its own.
std::string sharedPlace(const PlaceTable &table, llvm::ArrayRef<int64_t> shape) {
  llvm::BitVector taken(static_cast<unsigned>(*llvm::max_element(table.places) + 1));
  std::string found;
  forEachElement(shape, [&](size_t element, llvm::ArrayRef<int64_t> coordinates) {
    auto place = static_cast<unsigned>(table.places[element]);
    if (taken.test(place))
      found = "element (" + joined(coordinates, ", ") + ") has the place of another one";
    taken.set(place);
    return found.empty();
  });
  return found;
}

// ---- Which layout -------------------------------------------------------------------------------

bool isLaid(const Layout &layout, const PlaceTable &table, llvm::ArrayRef<int64_t> shape,
            int bits) {
  return forEachElement(shape, [&](size_t element, llvm::ArrayRef<int64_t> coordinates) {
    return byteOffset(layout, shape, bits, coordinates) * 8 == table.places[element] * bits;
  });
}

// The place of the first element of the second row says how long a row is.
int64_t paddingOf(const PlaceTable &table, llvm::ArrayRef<int64_t> shape) {
  auto columns = static_cast<size_t>(shape.back());
  return columns < table.places.size() ? table.places[columns] - shape.back() : 0;
}

// Digits of each coordinate, if their places add up.
const Layout *digitsFrom(Context &context, const PlaceTable &table, llvm::ArrayRef<int64_t> shape) {
  std::vector<std::vector<int64_t>> axes;
  auto below = static_cast<int64_t>(table.places.size());
  for (int64_t extent : shape) {
    below /= extent;
    axes.emplace_back();
    for (int64_t i = 0; i < extent; ++i)
      axes.back().push_back(table.places[static_cast<size_t>(i * below)] - table.places.front());
  }
  bool addsUp = forEachElement(shape, [&](size_t element, llvm::ArrayRef<int64_t> coordinates) {
    int64_t place = 0;
    for (auto [axis, coordinate] : llvm::zip_equal(axes, coordinates))
      place += axis[static_cast<size_t>(coordinate)];
    return place == table.places[element];
  });
  return addsUp ? permutedFrom(context, axes, shape) : nullptr;
}

const Layout *layoutFrom(Context &context, const PlaceTable &table, llvm::ArrayRef<int64_t> shape,
                         DType dtype) {
  llvm::SmallVector<const Layout *> candidates;
  if (int64_t padding = paddingOf(table, shape); padding >= 0)
    candidates.push_back(makeRowMajor(context, padding));
  for (int64_t span : {128, 64, 32})
    if (shape.size() >= 2 && shape.back() * dtype.bits % (span * 8) == 0)
      candidates.push_back(makeSwizzle(context, span));
  for (const Layout *layout : candidates)
    if (isLaid(*layout, table, shape, dtype.bits))
      return layout;
  return dtype.bits < 8 ? nullptr : digitsFrom(context, table, shape);
}

// Errors of the call are no errors: without a layout the tile gets another one.
std::optional<CoordinateResults> tryResults(Evaluation &evaluation, FunctionObject &order,
                                            size_t rank, Span span, std::string &reason) {
  Diagnostics inner;
  Diagnostics &outer = evaluation.reportTo(inner);
  std::optional<CoordinateResults> results = coordinateResultsOf(evaluation, order, rank, span);
  evaluation.reportTo(outer);
  for (const Diagnostic &diagnostic : inner.all())
    if (!results && reason.empty() && diagnostic.severity == Severity::Error)
      reason = "its function gives no places, " + diagnostic.text;
  return results;
}

} // namespace

TileOrder tileOrderOf(Evaluation &evaluation, FunctionObject &order, llvm::ArrayRef<int64_t> shape,
                      const Buffer &tile, Span span) {
  std::optional<llvm::SmallVector<int64_t>> extents = constantShape(tile);
  if (!extents || extents->empty())
    return {nullptr, "the tile has no constant shape"};
  if (llvm::ArrayRef(*extents) != shape)
    return {nullptr, "it is for a shape of " + joined(shape, " x ") + ", and the tile has " +
                         joined(*extents, " x ")};
  int64_t elements = 1;
  for (int64_t extent : *extents)
    if (extent < 1 || __builtin_mul_overflow(elements, extent, &elements) ||
        elements > MostElements)
      return {nullptr, "the tile has no elements, or too many"};
  TileOrder found;
  std::optional<CoordinateResults> results =
      tryResults(evaluation, order, shape.size(), span, found.reason);
  if (!results)
    return found;
  PlaceTable table = placesOf(*results, shape);
  if (table.reason.empty())
    table.reason = sharedPlace(table, shape);
  if (!table.reason.empty())
    return {nullptr, table.reason};
  found.layout = layoutFrom(evaluation.context, table, shape, tile.dtype);
  if (!found.layout)
    found.reason =
        "its places are no rows with padding, no swizzle of 16-byte parts in rows of 32, "
        "64 or 128 bytes, and no order of digits of the coordinates";
  return found;
}

} // namespace tilescope::frontend
