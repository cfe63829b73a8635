#include "core/analysis/access_slots.h"

#include "core/ir/build.h"
#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// `value >= 0` is what the condition says, for a comparison of affine integers.
Affine marginOf(IrAffine &affine, const Expr *condition) {
  const auto *comparison = llvm::dyn_cast<Binary>(condition);
  if (!comparison || !isAffineType(comparison->lhs->dtype()))
    return {};
  AffineContext &math = affine.arithmetic();
  Affine left = affine.convert(comparison->lhs);
  Affine right = affine.convert(comparison->rhs);
  switch (comparison->op) {
  case BinaryOp::Less:
    return math.add(math.subtract(right, left), -1);
  case BinaryOp::LessEqual:
    return math.subtract(right, left);
  case BinaryOp::Greater:
    return math.add(math.subtract(left, right), -1);
  case BinaryOp::GreaterEqual:
    return math.subtract(left, right);
  default:
    return {};
  }
}

// The loop's own margin: trips - 1 - iteration >= 0. Their difference is the distance.
std::optional<int64_t> distanceFrom(IrAffine &affine, Affine margin, const For &loop,
                                    bool isInside) {
  AffineContext &math = affine.arithmetic();
  Affine own = math.add(affine.convert(loop.extent), -1);
  if (isInside)
    own = math.subtract(own, math.subtract(affine.convert(loop.var), affine.convert(loop.min)));
  std::optional<int64_t> distance = math.subtract(own, margin).asConstant();
  return distance && *distance >= 0 ? distance : std::nullopt;
}

} // namespace

std::optional<LoopGuard> recogniseGuard(IrAffine &affine, const Expr *condition,
                                        llvm::ArrayRef<const For *> inside,
                                        llvm::ArrayRef<const For *> ahead) {
  Affine margin = marginOf(affine, condition);
  if (!margin.isKnown() || margin.isConstant())
    return std::nullopt;
  // Where a loop may end early, its length does not say which iterations there are.
  for (const For *loop : llvm::reverse(inside))
    if (std::optional<int64_t> distance = distanceFrom(affine, margin, *loop, true);
        distance && !mayEndEarly(*loop))
      return LoopGuard{loop, *distance};
  for (const For *loop : ahead)
    if (std::optional<int64_t> distance = distanceFrom(affine, margin, *loop, false);
        distance && !mayEndEarly(*loop))
      return LoopGuard{loop, *distance};
  return std::nullopt;
}

namespace {

// As the sum of iterations of these loops and a constant.
std::optional<LoopCounter> counterOf(IrAffine &affine, Affine value,
                                     llvm::ArrayRef<const For *> inside) {
  AffineContext &math = affine.arithmetic();
  LoopCounter counter;
  for (const For *loop : llvm::reverse(inside)) {
    const AffineAtom *var = affine.convert(loop->var).asAtom();
    const auto *term =
        llvm::find_if(value.sum->terms, [&](const AffineTerm &t) { return t.atom == var; });
    if (!var || term == value.sum->terms.end())
      continue;
    Affine iteration =
        affine.expandBinds(math.subtract(affine.convert(loop->var), affine.convert(loop->min)));
    counter.terms.push_back({loop->id(), term->coefficient});
    value = math.subtract(value, math.scale(iteration, term->coefficient));
    if (!value.isKnown())
      return std::nullopt;
  }
  std::optional<int64_t> offset = value.asConstant();
  counter.offset = offset.value_or(0);
  return offset ? std::optional(counter) : std::nullopt;
}

// x, where a value is x % 2, or the other one of two: 1 - k % 2 is (k + 1) % 2.
struct ParityOf {
  bool isFound = false;
  Affine value;
};

ParityOf parityOf(AffineContext &math, Affine value) {
  Affine other = math.subtract(math.constant(1), value);
  for (bool isOther : {false, true}) {
    const AffineAtom *atom = (isOther ? other : value).asAtom();
    if (atom && atom->kind == AffineKind::Mod && atom->operands[1].isConstant(2))
      return {true, math.add(atom->operands[0], isOther)};
  }
  return {};
}

Slot slotOf(IrAffine &affine, Affine value, int64_t versions, llvm::ArrayRef<const For *> inside,
            llvm::function_ref<Affine(Affine)> simplify) {
  AffineContext &math = affine.arithmetic();
  if (std::optional<int64_t> constant = value.asConstant())
    return {Slot::Kind::Constant, *constant, 1, {}};
  // A slot is below the version count, so `k` by itself is `k mod versions`.
  int64_t modulus = versions;
  const AffineAtom *atom = value.asAtom();
  if (ParityOf parity = parityOf(math, value); parity.isFound) {
    modulus = 2;
    value = parity.value;
  } else if (atom && atom->kind == AffineKind::Mod) {
    std::optional<int64_t> divisor = atom->operands[1].asConstant();
    if (!divisor || *divisor > versions)
      return {Slot::Kind::Dynamic, 0, 1, {}};
    modulus = *divisor;
    value = atom->operands[0];
  }
  for (const For *loop : llvm::reverse(inside)) {
    Affine iteration =
        simplify(math.subtract(affine.convert(loop->var), affine.convert(loop->min)));
    if (std::optional<int64_t> offset = math.subtract(value, iteration).asConstant())
      return {Slot::Kind::Loop, *offset, modulus, loop->id()};
  }
  Slot slot{Slot::Kind::Dynamic, 0, 1, {}};
  if (std::optional<LoopCounter> counter = counterOf(affine, value, inside);
      counter && counter->offset >= 0) {
    slot.modulus = modulus;
    slot.counter = *counter;
  }
  return slot;
}

} // namespace

std::optional<IterationRange> recogniseRange(IrAffine &affine, const Expr *condition,
                                             llvm::ArrayRef<const For *> inside) {
  std::optional<IrAffine::Comparison> found = affine.convertComparison(condition);
  if (!found || !found->condition.value.isKnown())
    return std::nullopt;
  std::optional<LoopCounter> counter =
      counterOf(affine, affine.expandBinds(found->condition.value), inside);
  if (!counter || counter->terms.size() != 1 || std::abs(counter->terms[0].step) != 1)
    return std::nullopt;
  const auto *loop =
      *llvm::find_if(inside, [&](const For *one) { return one->id() == counter->terms[0].loop; });
  std::optional<int64_t> trips = constantValue(loop->extent);
  if (!trips || mayEndEarly(*loop))
    return std::nullopt;
  // Zero at iteration `turn`, and from there on, or up to there, not negative.
  bool rises = counter->terms[0].step > 0;
  int64_t turn = rises ? -counter->offset : counter->offset;
  IterationRange range{loop, rises ? turn : 0, rises ? *trips : turn + 1};
  if (found->condition.relation == AffineRelation::Zero) {
    range = {loop, turn, turn + 1};
    bool isFirst = turn == 0, isLast = turn == *trips - 1;
    if (found->isNegated && !isFirst && !isLast)
      return std::nullopt;
    if (found->isNegated)
      range = {loop, isFirst ? 1 : 0, isFirst ? *trips : *trips - 1};
  }
  return range;
}

llvm::SmallVector<const For *> loopsIn(llvm::ArrayRef<StmtList> ahead) {
  llvm::SmallVector<const For *> found;
  for (StmtList later : llvm::reverse(ahead))
    for (const Stmt *stmt : later)
      if (const auto *loop = llvm::dyn_cast<For>(stmt))
        found.push_back(loop);
  return found;
}

int64_t leastTrips(Context &context, IrAffine &affine, const For &loop) {
  int64_t tried = 1;
  if (loop.pipeline && loop.pipeline->injected) {
    tried = std::max(tried, loop.pipeline->numStages);
    for (const VersionCount &count : loop.pipeline->versions)
      tried = std::max(tried, count.versions);
  }
  int64_t trips = std::max<int64_t>(affine.bounds(loop.extent).lower.value_or(0), 0);
  Builder builder(context);
  auto isOneMore = [&] {
    const Expr *known = builder.integer(trips, loop.extent->dtype());
    return affine.prove(builder.less(known, loop.extent)) == Proof::True;
  };
  while (trips < tried && isOneMore())
    ++trips;
  return trips;
}

Slot recogniseSlot(IrAffine &affine, const Expr *slot, int64_t versions,
                   llvm::ArrayRef<const For *> inside) {
  if (!slot || versions <= 1)
    return {};
  Affine value = affine.convert(slot);
  Slot found = slotOf(affine, value, versions, inside, [](Affine part) { return part; });
  if (found.kind != Slot::Kind::Dynamic)
    return found;
  // By what names in it are bound to.
  auto expand = [&](Affine part) { return affine.expandBinds(part); };
  return slotOf(affine, expand(value), versions, inside, expand);
}

MbarrierRef mbarrierAt(const Slot &slot, uint32_t first) {
  auto offset = static_cast<uint32_t>(slot.offset);
  switch (slot.kind) {
  case Slot::Kind::Constant:
    return {.first = first + offset, .modulus = 1, .counter = {}};
  case Slot::Kind::Loop:
    return {.first = first,
            .modulus = slot.modulus,
            .counter = {.offset = slot.offset, .terms = {{slot.loop, 1}}}};
  case Slot::Kind::Dynamic:
    if (!slot.counter.terms.empty())
      return {.first = first, .modulus = slot.modulus, .counter = slot.counter};
    break;
  }
  return {.first = first, .modulus = 0, .counter = {}};
}

MbarrierRef recogniseMbarrier(IrAffine &affine, const Expr *which, int64_t count, uint32_t first,
                              llvm::ArrayRef<const For *> inside) {
  MbarrierRef whole = mbarrierAt(recogniseSlot(affine, which, count, inside), first);
  if (whole.modulus != 0 || !which)
    return whole;
  Affine value = affine.expandBinds(affine.convert(which));
  int64_t base = value.sum->constant;
  if (base < 1 || base >= count)
    return whole;
  auto expand = [&](Affine part) { return affine.expandBinds(part); };
  Affine rest = affine.arithmetic().add(value, -base);
  return mbarrierAt(slotOf(affine, rest, count - base, inside, expand),
                    first + static_cast<uint32_t>(base));
}

PhaseParity recogniseParity(IrAffine &affine, const Expr *parity,
                            llvm::ArrayRef<const For *> inside) {
  AffineContext &math = affine.arithmetic();
  Affine count = affine.expandBinds(affine.convert(parity));
  if (std::optional<int64_t> constant = count.asConstant())
    return {.counter = {.offset = *constant, .terms = {}}, .divisor = 1};
  if (ParityOf known = parityOf(math, count); known.isFound)
    count = known.value;
  // Where it is 0 or 1 anyhow, nothing says that it is taken modulo 2.
  else if (!affine.bounds(parity).within(0, 1))
    return {.counter = {}, .divisor = 0};
  // x // d + y is (x + y * d) // d.
  int64_t divisor = 1;
  const auto *quotient = llvm::find_if(count.sum->terms, [](const AffineTerm &term) {
    return term.coefficient == 1 && term.atom->kind == AffineKind::FloorDiv &&
           term.atom->operands[1].isConstant();
  });
  if (quotient != count.sum->terms.end()) {
    divisor = *quotient->atom->operands[1].asConstant();
    Affine whole = math.subtract(
        count, math.floorDiv(quotient->atom->operands[0], quotient->atom->operands[1]));
    count = math.add(quotient->atom->operands[0], math.scale(whole, divisor));
  }
  std::optional<LoopCounter> counter =
      count.isKnown() ? counterOf(affine, count, inside) : std::nullopt;
  if (!counter || counter->terms.empty())
    return {.counter = {}, .divisor = 0};
  return {.counter = *counter, .divisor = divisor};
}

} // namespace tilescope
