#include "core/analysis/ring_counters.h"

#include "core/analysis/access_slots.h"
#include "core/analysis/simplify_expr.h"
#include "core/ir/expr_equal.h"
#include "core/ir/visit.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <optional>

namespace tilescope {

namespace {

class LoopRings {
public:
  LoopRings(Context &context, IrAffine &affine, llvm::ArrayRef<const For *> inside)
      : context_(context), affine_(affine), inside_(inside), loop_(*inside.back()) {
    walk(&loop_, [&](const Stmt *stmt) {
      for (const Var *var : varsBoundBy(stmt))
        inner_.insert(var->id.value);
      return true;
    });
  }

  std::vector<RingCounter> run() {
    forEachDivision([&](const Binary &division) { addSlot(division); });
    forEachDivision([&](const Binary &division) { addParity(division); });
    return std::move(rings_);
  }

private:
  void forEachDivision(llvm::function_ref<void(const Binary &)> visit) {
    walk(loop_.body, [&](const Stmt *stmt) {
      forEachExpr(stmt, [&](const Expr *root) {
        walk(root, [&](const Expr *part) {
          const auto *binary = llvm::dyn_cast<Binary>(part);
          if (binary && binary->op == BinaryOp::FloorMod && isAffineType(binary->dtype()))
            visit(*binary);
        });
      });
      return true;
    });
  }

  void addSlot(const Binary &division) {
    int64_t slots = constantValue(division.rhs).value_or(0);
    if (slots < 2 || llvm::isPowerOf2_64(static_cast<uint64_t>(slots)))
      return;
    MbarrierRef place = mbarrierAt(recogniseSlot(affine_, &division, slots, inside_), 0);
    if (place.modulus != slots || !stepsByOne(place.counter))
      return;
    for (auto [ring, counter] : llvm::zip_equal(rings_, counters_))
      if (ring.slots == slots && isSameSlot(counter, place.counter, slots)) {
        addForm(ring.slot, division);
        return;
      }
    RingCounter ring;
    ring.slots = slots;
    if (!addForm(ring.slot, division))
      return;
    rings_.push_back(std::move(ring));
    counters_.push_back(place.counter);
  }

  void addParity(const Binary &division) {
    if (constantValue(division.rhs) != 2)
      return;
    PhaseParity phase = recogniseParity(affine_, &division, inside_);
    for (auto [ring, counter] : llvm::zip_equal(rings_, counters_)) {
      if (ring.slots != phase.divisor || !isSameSlot(counter, phase.counter, ring.slots))
        continue;
      auto *known = llvm::find_if(ring.parities, [&](const CountedValue &parity) {
        return isSameExpr(parity.forms.front(), &division);
      });
      CountedValue added;
      if (known == ring.parities.end() && addForm(added, division))
        ring.parities.push_back(std::move(added));
      return;
    }
  }

  // Whether each iteration of the loop counts one more.
  bool stepsByOne(const LoopCounter &counter) const {
    return llvm::any_of(counter.terms, [&](const LoopCounter::Term &term) {
      return term.loop == loop_.id() && term.step == 1;
    });
  }

  // Whether they differ by a multiple of `slots` in every iteration of every loop.
  static bool isSameSlot(const LoopCounter &a, const LoopCounter &b, int64_t slots) {
    std::map<StmtId, int64_t> difference;
    for (const LoopCounter::Term &term : a.terms)
      difference[term.loop] += term.step;
    for (const LoopCounter::Term &term : b.terms)
      difference[term.loop] -= term.step;
    return (a.offset - b.offset) % slots == 0 &&
           llvm::all_of(difference, [&](const auto &term) { return term.second % slots == 0; });
  }

  // Not where names of the loop are in it, whose values there are none of in front of it.
  bool addForm(CountedValue &value, const Binary &form) {
    const Expr *first = substitute(context_, &form, {{loop_.var, loop_.min}});
    bool isOutside = true;
    walk(first, [&](const Expr *part) {
      const auto *var = llvm::dyn_cast<Var>(part);
      isOutside = isOutside && !llvm::isa<Load>(part) && !(var && inner_.contains(var->id.value));
    });
    bool isKnown =
        llvm::any_of(value.forms, [&](const Expr *known) { return isSameExpr(known, &form); });
    if (!isOutside || isKnown)
      return isOutside;
    if (value.forms.empty())
      value.first = simplifyExpr(affine_, first);
    value.forms.push_back(&form);
    return true;
  }

  Context &context_;
  IrAffine &affine_;
  llvm::ArrayRef<const For *> inside_;
  const For &loop_;
  llvm::DenseSet<uint32_t> inner_; // variables that statements of the loop bind, and its own
  std::vector<RingCounter> rings_;
  std::vector<LoopCounter> counters_; // of the slots of `rings_`
};

} // namespace

llvm::DenseMap<const For *, std::vector<RingCounter>>
computeRingCounters(Context &context, const Function &function) {
  llvm::DenseMap<const For *, std::vector<RingCounter>> found;
  std::optional<IrAffine> affine;
  llvm::SmallVector<const For *> inside;
  auto visit = [&](auto &self, const Stmt *stmt) -> void {
    const auto *loop = llvm::dyn_cast<For>(stmt);
    if (loop)
      inside.push_back(loop);
    if (loop && loop->pipeline && loop->pipeline->counters) {
      if (!affine)
        affine.emplace(context, function);
      found[loop] = LoopRings(context, *affine, inside).run();
    }
    forEachChild(stmt, [&](const Stmt *child) { self(self, child); });
    if (loop)
      inside.pop_back();
  };
  visit(visit, function.body);
  return found;
}

} // namespace tilescope
