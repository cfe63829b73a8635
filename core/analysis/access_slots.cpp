#include "core/analysis/access_slots.h"

#include "core/ir/visit.h"

#include "llvm/ADT/STLExtras.h"

namespace tilescope {

namespace {

// The sum of iterations of these loops, and what is left.
struct CounterAndRest {
  LoopCounter counter;
  Affine rest;
};

CounterAndRest counterAndRest(IrAffine &affine, Affine value, llvm::ArrayRef<const For *> inside) {
  AffineContext &math = affine.arithmetic();
  CounterAndRest found{{}, value};
  for (const For *loop : llvm::reverse(inside)) {
    const AffineAtom *var = affine.convert(loop->var).asAtom();
    const auto *term =
        llvm::find_if(found.rest.sum->terms, [&](const AffineTerm &t) { return t.atom == var; });
    if (!var || term == found.rest.sum->terms.end())
      continue;
    Affine iteration =
        affine.expandBinds(math.subtract(affine.convert(loop->var), affine.convert(loop->min)));
    found.counter.terms.push_back({loop->id(), term->coefficient});
    found.rest = math.subtract(found.rest, math.scale(iteration, term->coefficient));
    if (!found.rest.isKnown())
      return found;
  }
  return found;
}

// As the sum of iterations of these loops and a constant.
std::optional<LoopCounter> counterOf(IrAffine &affine, Affine value,
                                     llvm::ArrayRef<const For *> inside) {
  auto [counter, rest] = counterAndRest(affine, value, inside);
  std::optional<int64_t> offset = rest.isKnown() ? rest.asConstant() : std::nullopt;
  counter.offset = offset.value_or(0);
  return offset ? std::optional(counter) : std::nullopt;
}

std::optional<OpenCounter> openCounter(IrAffine &affine, Affine value, int64_t modulus,
                                       const Expr *like, llvm::ArrayRef<const For *> inside) {
  if (!value.isKnown())
    return std::nullopt;
  auto [counter, rest] = counterAndRest(affine, value, inside);
  const Expr *emitted = rest.isKnown() ? affine.emit(rest, like->dtype(), like) : nullptr;
  if (!emitted)
    return std::nullopt;
  return OpenCounter{std::move(counter), modulus, emitted};
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

namespace {

// A value and what divides it, where a parity is (value // divisor) % 2.
struct Quotient {
  Affine value;
  int64_t divisor = 1;
};

// All ways to see it so; none: it is no parity.
llvm::SmallVector<Quotient, 2> quotientsOf(IrAffine &affine, const Expr *parity) {
  AffineContext &math = affine.arithmetic();
  Affine count = affine.expandBinds(affine.convert(parity));
  if (count.asConstant())
    return {{count}};
  if (ParityOf known = parityOf(math, count); known.isFound)
    count = known.value;
  // Where it is 0 or 1 anyhow, nothing says that it is taken modulo 2.
  else if (!affine.bounds(parity).within(0, 1))
    return {};
  llvm::SmallVector<Quotient, 2> found;
  // x // d + y is (x + y * d) // d.
  for (const AffineTerm &term : count.sum->terms) {
    bool isQuotient = term.coefficient == 1 && term.atom->kind == AffineKind::FloorDiv &&
                      term.atom->operands[1].isConstant();
    if (!isQuotient)
      continue;
    int64_t divisor = *term.atom->operands[1].asConstant();
    Affine whole =
        math.subtract(count, math.floorDiv(term.atom->operands[0], term.atom->operands[1]));
    Affine value = math.add(term.atom->operands[0], math.scale(whole, divisor));
    if (divisor > 0 && value.isKnown())
      found.push_back({value, divisor});
  }
  if (found.empty())
    found.push_back({count});
  return found;
}

} // namespace

PhaseParity recogniseParity(IrAffine &affine, const Expr *parity,
                            llvm::ArrayRef<const For *> inside) {
  for (auto [value, divisor] : quotientsOf(affine, parity)) {
    std::optional<LoopCounter> counter = counterOf(affine, value, inside);
    if (counter && (!counter->terms.empty() || divisor == 1))
      return {.counter = *counter, .divisor = divisor};
  }
  return {.counter = {}, .divisor = 0};
}

std::optional<OpenCounter> openSlot(IrAffine &affine, const Expr *slot, int64_t versions,
                                    llvm::ArrayRef<const For *> inside) {
  Affine value = affine.expandBinds(affine.convert(slot));
  if (ParityOf parity = parityOf(affine.arithmetic(), value); parity.isFound)
    return openCounter(affine, parity.value, 2, slot, inside);
  const AffineAtom *atom = value.asAtom();
  if (!atom || atom->kind != AffineKind::Mod)
    return openCounter(affine, value, versions, slot, inside);
  std::optional<int64_t> divisor = atom->operands[1].asConstant();
  if (!divisor || *divisor < 1 || *divisor > versions)
    return std::nullopt;
  return openCounter(affine, atom->operands[0], *divisor, slot, inside);
}

// That whose rest depends on the fewest loops.
std::optional<OpenCounter> openParity(IrAffine &affine, const Expr *parity,
                                      llvm::ArrayRef<const For *> inside) {
  std::optional<OpenCounter> best;
  auto loopsOf = [&](const OpenCounter &open) {
    return llvm::count_if(inside,
                          [&](const For *loop) { return affine.dependsOn(open.rest, loop->var); });
  };
  for (auto [value, divisor] : quotientsOf(affine, parity)) {
    std::optional<OpenCounter> open = openCounter(affine, value, divisor, parity, inside);
    if (open && (!best || loopsOf(*open) < loopsOf(*best)))
      best = std::move(open);
  }
  return best;
}

} // namespace tilescope
