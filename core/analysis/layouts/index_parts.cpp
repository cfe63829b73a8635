#include "core/analysis/layouts/index_parts.h"

#include "core/ir/build.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace tilescope {

namespace {

// Where the index stays small: products of weights do not overflow.
constexpr int64_t LargestFactor = int64_t{1} << 20;

struct Terms {
  IndexParts parts;
  int64_t constant = 0;
};

// Gives the constant a place between the parts, and sorts them. False: they overlap.
bool settle(Terms &terms) {
  IndexParts &parts = terms.parts;
  llvm::stable_sort(parts,
                    [](const IndexPart &a, const IndexPart &b) { return a.weight < b.weight; });
  int64_t begin = 1;
  for (size_t next = 0; terms.constant != 0 && next <= parts.size(); ++next) {
    int64_t end = next < parts.size() ? parts[next].weight : IndexPart::Open;
    if (terms.constant % begin == 0 && terms.constant + begin <= end) {
      parts.insert(parts.begin() + static_cast<ptrdiff_t>(next),
                   {std::nullopt, begin, 1, terms.constant / begin + 1});
      terms.constant = 0;
    } else if (next < parts.size()) {
      begin = parts[next].end();
    }
  }
  for (size_t outer = 1; outer < parts.size(); ++outer)
    if (parts[outer - 1].end() > parts[outer].weight ||
        parts[outer].weight % parts[outer - 1].weight != 0)
      return false;
  return terms.constant == 0;
}

class IndexSplitter {
public:
  explicit IndexSplitter(const LoopVars &loop) : loop_(loop) {}

  std::optional<Terms> split(const Expr *expr) {
    if (std::optional<int64_t> value = constantValue(expr))
      return *value >= 0 && *value < LargestFactor ? std::optional(Terms{{}, *value})
                                                   : std::nullopt;
    std::optional<Terms> terms;
    if (const auto *var = llvm::dyn_cast<Var>(expr))
      return splitVar(var);
    if (const auto *cast = llvm::dyn_cast<Cast>(expr))
      terms = isIndexType(cast->dtype()) ? split(cast->operand) : std::nullopt;
    else if (const auto *binary = llvm::dyn_cast<Binary>(expr))
      terms = splitBinary(*binary);
    if (!terms && !usesLoop(expr))
      terms = Terms{anyIndex(), 0};
    return terms;
  }

private:
  static bool isIndexType(DType dtype) { return dtype.isInteger() && dtype.bits >= 32; }

  bool usesLoop(const Expr *expr) const {
    bool found = false;
    walk(expr, [&](const Expr *node) {
      found |= llvm::isa<Var>(node) && llvm::is_contained(loop_.vars, node);
    });
    return found;
  }

  std::optional<Terms> splitVar(const Var *var) const {
    const auto *position = llvm::find(loop_.vars, var);
    IndexPart part;
    std::optional<int64_t> extent;
    if (position != loop_.vars.end()) {
      part.loopDim = position - loop_.vars.begin();
      extent = constantValue(loop_.extents[*part.loopDim]);
    } else {
      extent = loop_.extentOfOther(var);
    }
    for (auto [limited, limit] : loop_.limits)
      if (limited == var && limit > 0)
        extent = std::min(extent.value_or(limit), limit);
    if (extent && *extent > 0 && *extent < LargestFactor)
      part.extent = *extent;
    return Terms{{part}, 0};
  }

  std::optional<Terms> splitBinary(const Binary &binary) {
    std::optional<Terms> left = split(binary.lhs);
    if (!left)
      return std::nullopt;
    if (binary.op == BinaryOp::Add) {
      std::optional<Terms> right = split(binary.rhs);
      if (!right)
        return std::nullopt;
      left->parts.append(right->parts);
      left->constant += right->constant;
      return left;
    }
    std::optional<int64_t> number = constantValue(binary.rhs);
    if (!number && binary.op == BinaryOp::Mul) {
      number = constantValue(binary.lhs);
      left = split(binary.rhs);
    }
    if (!number || !left || *number < 0 || *number >= LargestFactor)
      return std::nullopt;
    return combine(binary.op, std::move(*left), *number);
  }

  static std::optional<Terms> combine(BinaryOp op, Terms terms, int64_t number) {
    switch (op) {
    case BinaryOp::Mul:
      return scale(std::move(terms), number);
    case BinaryOp::ShiftLeft:
      return number < 20 ? scale(std::move(terms), int64_t{1} << number) : std::nullopt;
    case BinaryOp::FloorDiv:
      return divide(std::move(terms), number, /*wantsRest=*/false);
    case BinaryOp::ShiftRight:
      return number < 20 ? divide(std::move(terms), int64_t{1} << number, /*wantsRest=*/false)
                         : std::nullopt;
    case BinaryOp::FloorMod:
      return divide(std::move(terms), number, /*wantsRest=*/true);
    case BinaryOp::BitAnd:
      return llvm::isPowerOf2_64(number + 1)
                 ? divide(std::move(terms), number + 1, /*wantsRest=*/true)
                 : std::nullopt;
    default:
      return std::nullopt;
    }
  }

  static std::optional<Terms> scale(Terms terms, int64_t factor) {
    if (factor == 0)
      return Terms();
    for (IndexPart &part : terms.parts) {
      part.weight *= factor;
      if (part.weight >= LargestFactor)
        return std::nullopt;
    }
    terms.constant *= factor;
    return terms.constant < LargestFactor ? std::optional(std::move(terms)) : std::nullopt;
  }

  // A part that lies across the divisor is cut there.
  static std::optional<Terms> divide(Terms terms, int64_t divisor, bool wantsRest) {
    if (divisor <= 0 || !settle(terms))
      return std::nullopt;
    Terms result;
    for (IndexPart part : terms.parts) {
      bool isAbove = part.weight % divisor == 0;
      bool isBelow = part.end() <= divisor;
      if (!isAbove && !isBelow && divisor % part.weight != 0)
        return std::nullopt;
      int64_t cut = isAbove ? 1 : divisor / part.weight;
      if (wantsRest && !isAbove) {
        part.extent = std::min(part.extent, cut);
        result.parts.push_back(part);
      } else if (!wantsRest && !isBelow) {
        part.weight = isAbove ? part.weight / divisor : 1;
        part.low *= cut;
        part.extent = part.extent >= IndexPart::Open ? part.extent : (part.extent + cut - 1) / cut;
        result.parts.push_back(part);
      }
    }
    return result;
  }

  const LoopVars &loop_;
};

} // namespace

IndexParts wholeVariable(size_t loopDim) { return {{loopDim, 1, 1, IndexPart::Open}}; }

IndexParts anyIndex() { return {{std::nullopt, 1, 1, IndexPart::Open}}; }

bool isOfLoop(const IndexParts &parts) {
  int64_t covered = 1;
  for (const IndexPart &part : llvm::reverse(parts)) {
    if (!part.loopDim || part.weight != covered)
      return false;
    covered = part.end();
  }
  return covered > 1;
}

IndexParts partsOfIndex(const Expr *index, const LoopVars &loop) {
  std::optional<Terms> terms = IndexSplitter(loop).split(index);
  if (!terms || !settle(*terms) || terms->parts.empty())
    return anyIndex();
  IndexParts &parts = terms->parts;
  std::reverse(parts.begin(), parts.end());
  // Of a variable's own end the layout knows as much: the outermost part goes as far as it does.
  IndexPart &outermost = parts.front();
  std::optional<int64_t> extent =
      outermost.loopDim ? constantValue(loop.extents[*outermost.loopDim]) : std::nullopt;
  if (extent && outermost.low * outermost.extent >= *extent)
    outermost.extent = IndexPart::Open;
  return parts;
}

} // namespace tilescope
