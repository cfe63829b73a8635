#include "core/exec/index_inputs.h"

#include "core/exec/inputs.h"
#include "core/exec/numbers.h"
#include "core/ir/op_facts.h"
#include "core/ir/visit.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

namespace tilescope {

namespace {

class IndexUses {
public:
  IndexUses(const Function &function, BufferId input, BlockFrame &host)
      : function_(function), host_(host) {
    holders_.insert(input.value);
    collectBindings();
    while (collectHolders()) {
    }
  }

  std::optional<IndexUse> find() {
    walk(function_.body, [&](const Stmt *stmt) {
      lookAt(stmt);
      return true;
    });
    return isIndex_ || use_.isBound || use_.metadataOf ? std::optional(use_) : std::nullopt;
  }

private:
  void collectBindings() {
    walk(function_.body, [&](const Stmt *stmt) {
      if (const auto *bind = llvm::dyn_cast<Bind>(stmt))
        bindings_[bind->var] = substitute(scratch_, bind->value, bindings_);
      return true;
    });
  }

  // Tiles into which the elements are put as they are; true if one was found.
  bool collectHolders() {
    size_t before = holders_.size();
    walk(function_.body, [&](const Stmt *stmt) {
      if (const auto *store = llvm::dyn_cast<Store>(stmt); store && isElement(store->value))
        holders_.insert(store->buffer.value);
      const auto *op = llvm::dyn_cast<OpStmt>(stmt);
      if (op && op->opInfo().work == OpWork::Move && holders_.contains(op->regions[0].buffer.value))
        holders_.insert(op->regions[1].buffer.value);
      return true;
    });
    return holders_.size() != before;
  }

  bool isHeld(const Expr *expr) const {
    const auto *load = llvm::dyn_cast<Load>(expr);
    return load && holders_.contains(load->buffer.value);
  }
  // An element itself, cast or not.
  bool isElement(const Expr *expr) {
    expr = substitute(scratch_, expr, bindings_);
    while (const auto *cast = llvm::dyn_cast<Cast>(expr))
      expr = cast->operand;
    return isHeld(expr) && expr->dtype().isInteger();
  }
  bool dependsOnElement(const Expr *expr) {
    bool found = false;
    walk(substitute(scratch_, expr, bindings_), [&](const Expr *part) { found |= isHeld(part); });
    return found;
  }

  void lookAt(const Stmt *stmt) {
    const auto *op = llvm::dyn_cast<OpStmt>(stmt);
    if (op && keepsHalves(*op) && holders_.contains(op->regions[3].buffer.value))
      use_.metadataOf = function_.buffer(op->regions[0].buffer).dtype;
    for (const BufferAccess &access : accessesOf(scratch_, stmt)) {
      const Buffer &buffer = function_.buffer(access.buffer);
      for (auto [range, extent] : llvm::zip_equal(access.ranges, buffer.shape)) {
        lookAtIndex(range, extent, access.effect == Effect::Write);
        use_.isBound |= dependsOnElement(range.extent);
      }
    }
    if (const auto *loop = llvm::dyn_cast<For>(stmt))
      use_.isBound |= dependsOnElement(loop->min) || dependsOnElement(loop->extent);
  }

  void lookAtIndex(const Range &range, const Expr *dimension, bool isWrite) {
    if (!dependsOnElement(range.min))
      return;
    isIndex_ = true;
    use_.isWrittenWith |= isWrite;
    const Expr *index = substitute(scratch_, range.min, bindings_);
    int64_t atZero = valueWith(index, 0);
    int64_t step = valueWith(index, 1) - atZero;
    bool isLinear = valueWith(index, 2) - atZero == 2 * step;
    if (!isLinear || step <= 0 || !isConstant(dimension))
      return;
    int64_t count = std::max<int64_t>(host_.evaluateInt(dimension) / step, 1);
    use_.count = std::min(use_.count.value_or(count), count);
  }

  // Whether nothing but the scalars decides it.
  bool isConstant(const Expr *expr) const {
    bool isKnown = true;
    walk(expr, [&](const Expr *part) {
      const auto *var = llvm::dyn_cast<Var>(part);
      isKnown &= !llvm::isa<Load>(part) && (!var || host_.isBound(var));
    });
    return isKnown;
  }

  // Of an index if all elements have this value and all that is not known is 0.
  int64_t valueWith(const Expr *index, int64_t element) {
    Builder builder(scratch_);
    const Expr *filled = rewriteExpr(scratch_, index, [&](const Expr *part) -> const Expr * {
      if (isHeld(part))
        return builder.integer(element, part->dtype());
      const auto *var = llvm::dyn_cast<Var>(part);
      bool isUnknown = llvm::isa<Load>(part) || (var && !host_.isBound(var));
      return isUnknown && !part->dtype().isFloat() ? builder.integer(0, part->dtype()) : part;
    });
    return isConstant(filled) ? host_.evaluateInt(filled) : 0;
  }

  const Function &function_;
  BlockFrame &host_;
  Context scratch_;
  Substitution bindings_;
  llvm::DenseSet<uint32_t> holders_; // the input and copies of it
  IndexUse use_;
  bool isIndex_ = false;
};

void shuffle(std::vector<int64_t> &values, SeededNumbers &random) {
  for (size_t left = values.size(); left > 1; --left)
    std::swap(values[left - 1], values[static_cast<size_t>(random.below(left))]);
}

// A row of values that are all different, and the next once it is used up.
void fillDistinct(Tensor &tensor, int64_t count, int64_t rowLength, SeededNumbers &random) {
  std::vector<int64_t> row(static_cast<size_t>(count));
  std::iota(row.begin(), row.end(), 0);
  for (int64_t index = 0; index < tensor.size(); ++index) {
    int64_t place = index % rowLength % count;
    if (place == 0)
      shuffle(row, random);
    tensor.set(index, Number{.i = row[static_cast<size_t>(place)]});
  }
}

void sortRows(Tensor &tensor, int64_t rowLength) {
  for (int64_t begin = 0; begin < tensor.size(); begin += rowLength) {
    std::vector<int64_t> row;
    for (int64_t index = begin; index < begin + rowLength; ++index)
      row.push_back(tensor.get(index).i);
    llvm::sort(row);
    for (int64_t index = begin; index < begin + rowLength; ++index)
      tensor.set(index, Number{.i = row[static_cast<size_t>(index - begin)]});
  }
}

} // namespace

std::optional<IndexUse> indexUseOf(const Function &function, BufferId input, BlockFrame &host) {
  if (!function.buffer(input).dtype.isInteger())
    return std::nullopt;
  return IndexUses(function, input, host).find();
}

// Two different columns of four, the first below the second; of 32 bits one of two.
static void fillMetadata(Tensor &tensor, DType kept, SeededNumbers &random) {
  constexpr uint64_t OfFour[] = {0b0100, 0b1000, 0b1100, 0b1001, 0b1101, 0b1110};
  constexpr uint64_t OfTwo[] = {0b0100, 0b1110};
  llvm::ArrayRef<uint64_t> fours = OfFour;
  if (groupOfKept(kept) == 2)
    fours = OfTwo;
  for (int64_t index = 0; index < tensor.size(); ++index) {
    uint64_t word = 0;
    for (int64_t bit = 0; bit < tensor.dtype().bits; bit += 4)
      word |= fours[static_cast<size_t>(random.below(fours.size()))] << bit;
    tensor.set(index, decode(tensor.dtype(), word));
  }
}

void fillIndices(Tensor &tensor, const IndexUse &use, uint64_t seed, llvm::StringRef name) {
  int64_t count = use.count.value_or(1);
  int64_t lastAxis = tensor.shape().empty() ? 1 : std::max<int64_t>(tensor.shape().back(), 1);
  SeededNumbers random(seed, name);
  if (use.metadataOf)
    return fillMetadata(tensor, *use.metadataOf, random);
  if (use.isWrittenWith)
    fillDistinct(tensor, count, tensor.size() <= count ? tensor.size() : lastAxis, random);
  else
    for (int64_t index = 0; index < tensor.size(); ++index)
      tensor.set(index, Number{.i = random.below(static_cast<uint64_t>(count))});
  if (use.isBound)
    sortRows(tensor, lastAxis);
}

} // namespace tilescope
