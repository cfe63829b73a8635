// Affine expressions back to IR, in the order and style in which people write index expressions:
// `by * 128 + i - 1`, not `-1 + i + 128 * by`.
#include "core/analysis/ir_affine.h"

#include "core/ir/visit.h"

namespace tilescope {

namespace {

class Emitter {
public:
  Emitter(IrAffine &affine, DType dtype, const Expr *like)
      : affine_(affine), builder_(affine.context()), dtype_(dtype) {
    if (like)
      rankParts(like);
  }

  const Expr *emit(Affine value) {
    llvm::SmallVector<AffineTerm> terms(value.sum->terms);
    llvm::stable_sort(terms, [&](const AffineTerm &a, const AffineTerm &b) {
      return rankOf(*a.atom) < rankOf(*b.atom);
    });
    // A sum does not start with a negation if it can help it.
    auto *positive =
        llvm::find_if(terms, [](const AffineTerm &term) { return term.coefficient > 0; });
    if (positive != terms.end())
      std::rotate(terms.begin(), positive, positive + 1);
    int64_t constant = value.sum->constant;
    bool startsWithConstant = terms.empty() || (positive == terms.end() && constant != 0);
    const Expr *sum = startsWithConstant ? integer(constant) : nullptr;
    for (const AffineTerm &term : terms)
      sum = appendTerm(sum, term);
    if (!startsWithConstant && constant != 0)
      sum = append(sum, integer(magnitude(constant)), constant < 0);
    return sum;
  }

private:
  static constexpr uint32_t Unranked = ~0U;

  // Leaves get their place in the source order.
  void rankParts(const Expr *expr) {
    Affine value = affine_.convert(expr);
    if (const AffineAtom *atom = value.asAtom(); atom && atom->kind == AffineKind::Symbol)
      ranks_.try_emplace(atom->symbol.value, ranks_.size());
    forEachChild(expr, [&](const Expr *child) { rankParts(child); });
  }

  uint32_t rankOf(const AffineAtom &atom) {
    if (atom.kind == AffineKind::Symbol) {
      auto found = ranks_.find(atom.symbol.value);
      return found == ranks_.end() ? Unranked : found->second;
    }
    uint32_t rank = Unranked;
    for (Affine operand : atom.operands)
      for (const AffineTerm &term : operand.sum->terms)
        rank = std::min(rank, rankOf(*term.atom));
    return rank;
  }

  static int64_t magnitude(int64_t value) { return value < 0 ? -value : value; }
  const Expr *integer(int64_t value) { return builder_.integer(value, dtype_); }

  const Expr *append(const Expr *sum, const Expr *part, bool isNegative) {
    if (!sum)
      return isNegative ? builder_.unary(UnaryOp::Negate, part) : part;
    return isNegative ? builder_.sub(sum, part) : builder_.add(sum, part);
  }

  const Expr *appendTerm(const Expr *sum, const AffineTerm &term) {
    const Expr *part = emitAtom(*term.atom);
    if (term.coefficient != 1 && term.coefficient != -1)
      part = builder_.mul(part, integer(magnitude(term.coefficient)));
    return append(sum, part, term.coefficient < 0);
  }

  const Expr *emitAtom(const AffineAtom &atom) {
    switch (atom.kind) {
    case AffineKind::Symbol:
      return builder_.cast(dtype_, affine_.exprOf(atom.symbol));
    case AffineKind::Product:
      return fold(BinaryOp::Mul, atom.operands);
    case AffineKind::FloorDiv:
      return fold(BinaryOp::FloorDiv, atom.operands);
    case AffineKind::Mod:
      return fold(BinaryOp::FloorMod, atom.operands);
    case AffineKind::Min:
      return fold(BinaryOp::Min, atom.operands);
    case AffineKind::Max:
      return fold(BinaryOp::Max, atom.operands);
    case AffineKind::Select:
      return builder_.select(emitCondition(atom), emit(atom.operands[1]), emit(atom.operands[2]));
    }
    return nullptr;
  }

  const Expr *fold(BinaryOp op, llvm::ArrayRef<Affine> operands) {
    const Expr *result = emit(operands[0]);
    for (Affine operand : operands.drop_front())
      result = builder_.binary(op, result, emit(operand));
    return result;
  }

  // p - n + c >= 0 is `n <= p + c`, with the constant on the side where it is positive.
  const Expr *emitCondition(const AffineAtom &select) {
    Affine value = select.operands[0];
    AffineContext &arithmetic = affine_.arithmetic();
    Affine negatives = arithmetic.constant(0);
    for (const AffineTerm &term : value.sum->terms)
      if (term.coefficient < 0)
        negatives = arithmetic.subtract(negatives, arithmetic.term(term));
    int64_t constant = value.sum->constant;
    bool isZero = select.relation == AffineRelation::Zero;
    bool isStrict = !isZero && constant < 0;
    Affine left = negatives;
    Affine right = arithmetic.add(value, negatives);
    if (constant < 0) {
      left = arithmetic.add(left, isStrict ? -(constant + 1) : -constant);
      right = arithmetic.add(right, -constant);
    }
    BinaryOp op = isZero ? BinaryOp::Equal : isStrict ? BinaryOp::Less : BinaryOp::LessEqual;
    return builder_.binary(op, emit(left), emit(right));
  }

  IrAffine &affine_;
  Builder builder_;
  DType dtype_;
  llvm::DenseMap<uint32_t, uint32_t> ranks_;
};

// Whether all its constants can be written in the type.
bool fitsIn(Affine value, int64_t limit) {
  auto isSmall = [&](int64_t number) { return number > -limit && number <= limit; };
  return isSmall(value.sum->constant) &&
         llvm::all_of(value.sum->terms, [&](const AffineTerm &term) {
           return isSmall(term.coefficient) &&
                  llvm::all_of(term.atom->operands,
                               [&](Affine operand) { return fitsIn(operand, limit); });
         });
}

} // namespace

const Expr *IrAffine::emit(Affine value, DType dtype, const Expr *like) {
  if (!value.isKnown() || !isAffineType(dtype) ||
      !fitsIn(value, dtype.bits == 32 ? INT32_MAX : INT64_MAX))
    return nullptr;
  return Emitter(*this, dtype, like).emit(value);
}

} // namespace tilescope
