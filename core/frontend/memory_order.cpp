// How the digits are found:
//
//     lambda i, j: [i // 8, j // 4, i % 8, j % 4]         of a 16 x 8 tensor
//
//   each result is split at its sums, so that every part has one coordinate; the largest value of
//   each result is the extent of that result, which gives the strides 64, 32, 4, 1;
//   the parts of i, added up, are tabulated: 0 4 8 ... 28 64 68 ...; the table is read as digits,
//   innermost first: 8@4, then 2@64.
#include "core/frontend/memory_order.h"

#include "core/frontend/calls.h"
#include "core/frontend/evaluation.h"
#include "core/frontend/expr_operators.h"
#include "core/frontend/iteration.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace tilescope::frontend {

namespace {

using DigitList = llvm::SmallVector<Digit>;
using Table = std::vector<int64_t>;

// Tables are filled value by value.
constexpr int64_t LongestTable = 1 << 22;

// The value at `coordinate`; nothing for what is no index arithmetic of that one coordinate.
std::optional<int64_t> evaluate(const Expr *expr, const Var *var, int64_t coordinate) {
  if (expr == var)
    return coordinate;
  if (std::optional<int64_t> constant = constantValue(expr))
    return constant;
  const auto *binary = llvm::dyn_cast<Binary>(expr);
  if (!binary)
    return std::nullopt;
  std::optional<int64_t> a = evaluate(binary->lhs, var, coordinate);
  std::optional<int64_t> b = a ? evaluate(binary->rhs, var, coordinate) : std::nullopt;
  if (!b)
    return std::nullopt;
  switch (binary->op) {
  case BinaryOp::Add:
    return *a + *b;
  case BinaryOp::Sub:
    return *a - *b;
  case BinaryOp::Mul:
    return *a * *b;
  case BinaryOp::FloorDiv:
    return *b > 0 ? std::optional(llvm::divideFloorSigned(*a, *b)) : std::nullopt;
  case BinaryOp::FloorMod:
    return *b > 0 ? std::optional(*a - llvm::divideFloorSigned(*a, *b) * *b) : std::nullopt;
  default:
    return std::nullopt;
  }
}

// What each coordinate contributes to one result; the table of coordinate v has shape[v] values.
class Contributions {
public:
  Contributions(llvm::ArrayRef<const Var *> vars, llvm::ArrayRef<int64_t> shape) : vars_(vars) {
    for (int64_t extent : shape)
      tables_.emplace_back(extent, 0);
  }

  // False if a part of the sum has several coordinates.
  bool add(const Expr *expr, int64_t factor) {
    const auto *binary = llvm::dyn_cast<Binary>(expr);
    if (binary && (binary->op == BinaryOp::Add || binary->op == BinaryOp::Sub))
      return add(binary->lhs, factor) &&
             add(binary->rhs, binary->op == BinaryOp::Add ? factor : -factor);
    if (binary && binary->op == BinaryOp::Mul) {
      if (std::optional<int64_t> constant = constantValue(binary->rhs))
        return add(binary->lhs, factor * *constant);
      if (std::optional<int64_t> constant = constantValue(binary->lhs))
        return add(binary->rhs, factor * *constant);
    }
    return addPart(expr, factor);
  }

  // One more than the largest value of the sum.
  int64_t extent() const {
    int64_t last = 0;
    for (const Table &table : tables_)
      last += *llvm::max_element(table);
    return last + 1;
  }
  const Table &of(size_t coordinate) const { return tables_[coordinate]; }

private:
  bool addPart(const Expr *part, int64_t factor) {
    const Var *only = nullptr;
    bool isOne = true;
    walk(part, [&](const Expr *node) {
      if (const auto *var = llvm::dyn_cast<Var>(node)) {
        isOne &= !only || only == var;
        only = var;
      }
    });
    // A constant moves everything: the least place would not be 0.
    const auto *found = llvm::find(vars_, only);
    if (!isOne || found == vars_.end())
      return constantValue(part) == 0;
    Table &table = tables_[found - vars_.begin()];
    for (size_t i = 0; i < table.size(); ++i) {
      std::optional<int64_t> value = evaluate(part, only, static_cast<int64_t>(i));
      if (!value)
        return false;
      table[i] += factor * *value;
    }
    return true;
  }

  llvm::ArrayRef<const Var *> vars_;
  std::vector<Table> tables_;
};

// The digits, outermost first, whose values add up to the table.
std::optional<DigitList> digitsOf(Table table) {
  DigitList digits;
  while (table.size() > 1) {
    int64_t stride = table[1] - table[0];
    size_t extent = 1;
    while (extent < table.size() && table[extent] == static_cast<int64_t>(extent) * stride)
      ++extent;
    if (table[0] != 0 || stride <= 0 || extent < 2 || table.size() % extent != 0)
      return std::nullopt;
    Table outer;
    for (size_t i = 0; i < table.size(); ++i) {
      size_t inner = i % extent;
      if (inner == 0)
        outer.push_back(table[i]);
      if (table[i] != outer.back() + static_cast<int64_t>(inner) * stride)
        return std::nullopt;
    }
    digits.insert(digits.begin(), {static_cast<int64_t>(extent), false, stride});
    table = std::move(outer);
  }
  return digits;
}

const Layout *orderFrom(Context &context, llvm::ArrayRef<const Expr *> results,
                        llvm::ArrayRef<const Var *> vars, llvm::ArrayRef<int64_t> shape) {
  std::vector<Table> places;
  for (int64_t extent : shape)
    places.emplace_back(extent, 0);
  int64_t stride = 1;
  for (const Expr *result : llvm::reverse(results)) {
    Contributions contributions(vars, shape);
    if (!contributions.add(result, 1))
      return nullptr;
    for (size_t v = 0; v < vars.size(); ++v)
      for (size_t i = 0; i < places[v].size(); ++i)
        places[v][i] += stride * contributions.of(v)[i];
    if (__builtin_mul_overflow(stride, contributions.extent(), &stride))
      return nullptr;
  }
  return permutedFrom(context, std::move(places), shape);
}

bool hasTables(llvm::ArrayRef<int64_t> shape) {
  return llvm::all_of(shape, [](int64_t extent) { return extent >= 1 && extent <= LongestTable; });
}

using Vars = llvm::SmallVector<const Var *>;
using Results = llvm::SmallVector<const Expr *>;

Vars coordinatesOf(Evaluation &evaluation, size_t rank) {
  Vars vars;
  for (size_t dim = 0; dim < rank; ++dim)
    vars.push_back(evaluation.ir.var("d" + std::to_string(dim)));
  return vars;
}

// One value, or a list of lists of them.
bool addResults(Evaluation &evaluation, Value value, Span span, Results &results) {
  if (value.isExpr() || value.isInt()) {
    const Expr *result = toExpr(evaluation, value, span);
    results.push_back(result);
    return result != nullptr;
  }
  std::optional<Values> items = toList(evaluation, value, span);
  return items && llvm::all_of(*items, [&](Value item) {
           return addResults(evaluation, item, span, results);
         });
}

// What the function returns of these coordinates. Nothing: the call failed.
std::optional<Results> resultsOf(Evaluation &evaluation, FunctionObject &function,
                                 llvm::ArrayRef<const Var *> vars, Span span) {
  llvm::SmallVector<Argument> arguments;
  for (const Var *var : vars)
    arguments.push_back({"", fromExpr(evaluation, var, span), span});
  Value returned = call(evaluation, &function, arguments, span);
  if (!returned)
    return std::nullopt;
  Results results;
  return addResults(evaluation, returned, span, results) ? std::optional(std::move(results))
                                                         : std::nullopt;
}

// Both numbers of an element as one, which its digits take apart again.
constexpr int64_t ThreadUnit = int64_t{1} << 24;

std::optional<DigitList> splitDigits(const Table &table) {
  std::optional<DigitList> digits = digitsOf(table);
  for (Digit &digit :
       digits ? llvm::MutableArrayRef<Digit>(*digits) : llvm::MutableArrayRef<Digit>()) {
    digit.onThread = digit.stride % ThreadUnit == 0;
    if (digit.onThread)
      digit.stride /= ThreadUnit;
    else if (digit.stride > ThreadUnit)
      return std::nullopt;
  }
  return digits;
}

const Layout *fragmentFrom(Context &context, const Expr *thread, const Expr *place,
                           llvm::ArrayRef<const Var *> vars, llvm::ArrayRef<int64_t> extents,
                           bool hasCopies) {
  Contributions threads(vars, extents), registers(vars, extents);
  if (!threads.add(thread, 1) || !registers.add(place, 1))
    return nullptr;
  llvm::SmallVector<DigitList> dims;
  for (auto [coordinate, extent] : llvm::enumerate(extents)) {
    Table both;
    for (size_t i = 0; i != static_cast<size_t>(extent); ++i)
      both.push_back(threads.of(coordinate)[i] * ThreadUnit + registers.of(coordinate)[i]);
    std::optional<DigitList> digits = splitDigits(both);
    if (!digits)
      return nullptr;
    dims.push_back(*std::move(digits));
  }
  DigitList copies;
  if (hasCopies)
    copies = dims.pop_back_val();
  bool areOfThreads = llvm::all_of(copies, [](const Digit &digit) { return digit.onThread; });
  return areOfThreads ? makeFragment(context, dims, copies) : nullptr;
}

} // namespace

const Layout *permutedFrom(Context &context, std::vector<Table> tables,
                           llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<DigitList> dims;
  for (Table &table : tables) {
    std::optional<DigitList> digits = digitsOf(std::move(table));
    if (!digits)
      return nullptr;
    dims.push_back(*digits);
  }
  const Layout *layout = makePermuted(context, dims);
  return isPermutation(layout->dims, shape) ? layout : nullptr;
}

std::optional<CoordinateResults>
coordinateResultsOf(Evaluation &evaluation, FunctionObject &function, size_t rank, Span span) {
  CoordinateResults found{coordinatesOf(evaluation, rank), {}};
  std::optional<Results> results = resultsOf(evaluation, function, found.vars, span);
  if (!results)
    return std::nullopt;
  found.results = *std::move(results);
  return found;
}

std::optional<const Layout *> memoryOrderOf(Evaluation &evaluation, FunctionObject &order,
                                            llvm::ArrayRef<int64_t> shape, Span span) {
  if (!hasTables(shape))
    return nullptr;
  Vars vars = coordinatesOf(evaluation, shape.size());
  std::optional<Results> results = resultsOf(evaluation, order, vars, span);
  if (!results)
    return std::nullopt;
  return orderFrom(evaluation.context, *results, vars, shape);
}

std::optional<const Layout *> fragmentLayoutOf(Evaluation &evaluation, const FragmentOrder &order,
                                               llvm::ArrayRef<int64_t> shape, Span span) {
  llvm::SmallVector<int64_t> extents(shape);
  bool hasCopies = order.copies > 1;
  if (hasCopies)
    extents.push_back(order.copies);
  if (!hasTables(extents))
    return nullptr;
  Vars vars = coordinatesOf(evaluation, extents.size());
  std::optional<Results> results = resultsOf(evaluation, *order.thread, vars, span);
  if (results && order.place) {
    std::optional<Results> places =
        resultsOf(evaluation, *order.place, llvm::ArrayRef(vars).take_front(shape.size()), span);
    if (!places)
      return std::nullopt;
    results->append(*places);
  }
  if (!results)
    return std::nullopt;
  if (results->size() != 2)
    return nullptr;
  return fragmentFrom(evaluation.context, (*results)[0], (*results)[1], vars, extents, hasCopies);
}

} // namespace tilescope::frontend
